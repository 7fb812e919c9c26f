"""Other measures: equal to their reference packages, on hostile texts as well."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.analysis.containment import contained
from evalcore.analysis.measures import MEASURES, character_error_rate, edit_similarity, measured, measured_item, rouge_l
from evalcore.dataset import Dataset
from evalcore.scoring.score import score
from evalcore.text.names import UnknownName
from tests.counts import examples

PAIRS = [
    ("the black cat", "the cat"),
    ("The Café, 1990!", "cafe 1990"),
    ("", "cat"),
    ("cat", ""),
    ("", ""),
    ("a b c d e f g", "g f e d c b a"),
    ("北京是中国的首都", "北京"),
    ("It's 3.0 km", "3 km"),
    ("one two three four five six", "one two three four five seven"),
    ("\u202e x\u0301\t\n", "x"),
]
WORDS = st.lists(st.sampled_from(["cat", "the", "Dog", "3.0", "é", "北京", ",", "a-b", "_"]), max_size=12).map(" ".join)


@pytest.mark.parametrize(("prediction", "reference"), PAIRS)
def test_rouge_equals_rouge_score(prediction, reference):
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rougeL"], use_stemmer=False)
    assert rouge_l(prediction, reference) == scorer.score(reference, prediction)["rougeL"].fmeasure


@given(st.one_of(WORDS, st.text()), st.one_of(WORDS, st.text()))
@settings(max_examples=examples(200))
def test_rouge_equals_rouge_score_on_any_text(prediction, reference):
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rougeL"], use_stemmer=False)
    assert rouge_l(prediction, reference) == pytest.approx(scorer.score(reference, prediction)["rougeL"].fmeasure, abs=1e-15)


DATA = Dataset.of(
    [row[0] for row in PAIRS] + [None, "x"], [[row[1], "another cat"] if number % 2 else [row[1]] for number, row in enumerate(PAIRS)] + [["x"], []]
)
SCORES = score(DATA)


def test_bleu_and_chrf_equal_sacrebleu_an_item():
    import sacrebleu

    for name, reference in (("bleu", sacrebleu.sentence_bleu), ("chrf", sacrebleu.sentence_chrf)):
        values = measured(SCORES, name).values
        for row in range(len(PAIRS)):
            assert values[row] == reference(DATA.predictions[row], DATA.references[row]).score / 100


def test_bleu_and_chrf_equal_sacrebleu_over_all():
    import sacrebleu

    predictions = [row[0] for row in PAIRS]
    streams = [[row[1] for row in PAIRS], ["another cat" if number % 2 else None for number in range(len(PAIRS))]]
    assert measured(SCORES, "bleu").pooled == sacrebleu.corpus_bleu(predictions, streams).score / 100
    assert measured(SCORES, "chrf").pooled == sacrebleu.corpus_chrf(predictions, streams).score / 100


def slow_distance(first, second):
    row = list(range(len(second) + 1))
    for left in first:
        above, row[0] = row[0], row[0] + 1
        for number, right in enumerate(second, 1):
            above, row[number] = row[number], min(row[number] + 1, row[number - 1] + 1, above + (left != right))
    return row[-1]


@given(st.text(max_size=12), st.text(min_size=1, max_size=12))
def test_the_character_error_rate_is_the_edit_distance_by_length(prediction, reference):
    assert character_error_rate(prediction, reference) == slow_distance(prediction, reference) / len(reference)


@given(st.text(max_size=20), st.text(max_size=20))
def test_edit_similarity_is_a_share_and_one_only_for_equal_texts(prediction, reference):
    found = edit_similarity(prediction, reference)
    assert 0 <= found <= 1
    assert (found == 1) == (prediction == reference)


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_leaves_out_what_has_nothing_to_measure(name):
    found = measured(SCORES, name)
    assert len(found.values) == len(DATA)
    assert np.isnan(found.values[-2:]).all()
    assert not np.isnan(found.values[:-2]).any()
    assert found.interval.count == len(PAIRS)
    assert (found.pooled is not None) == MEASURES[name].pooled


@pytest.mark.parametrize("name", MEASURES)
def test_a_run_of_nothing_has_no_number(name):
    assert np.isnan(measured(score(Dataset.of([], [])), name).interval.estimate)


def test_the_best_reference_counts():
    scores = score(Dataset.of(["the black cat"], [["dog", "black cat"]]))
    assert measured(scores, "rouge_l").values[0] == rouge_l("the black cat", "black cat")
    assert measured(scores, "cer").values[0] == 4 / 9


def test_an_unknown_measure_lists_near_ones():
    with pytest.raises(UnknownName, match="rouge_l"):
        measured(SCORES, "rouge")


CONTAINED = [
    ("It was the Cat!", "cat", True),
    ("concatenate", "cat", False),
    ("cat the dog", "cat dog", True),
    ("dog cat", "cat dog", False),
    ("cat", "the", False),
]


@pytest.mark.parametrize(("prediction", "reference", "stands"), CONTAINED)
def test_containment_follows_the_settings_and_looks_at_whole_tokens(prediction, reference, stands):
    assert contained(score([prediction], [[reference]])).tolist() == [stands]


def test_an_item_alone_measures_as_it_does_among_all():
    for row in range(len(DATA)):
        alone = measured_item(SCORES, row)
        assert list(alone) == list(MEASURES)
        for name, value in alone.items():
            np.testing.assert_equal(value, measured(SCORES, name).values[row])


def test_progress_is_told_and_may_stop_the_work():
    class Enough(Exception):
        pass

    def stop(done, items):
        assert (done, items) == (0, len(PAIRS))
        raise Enough

    with pytest.raises(Enough):
        measured(SCORES, "bleu", stop)
