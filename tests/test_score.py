"""Scores: the rules of empties, best reference, unscored rows, summary."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore
from evalcore.scoring import pairs
from evalcore.scoring.buckets import BUCKETS, bucket_codes
from evalcore.scoring.extracted import extract
from evalcore.scoring.presets import PRESETS, changes
from evalcore.text.rules import Budget
from tests.hostile import texts
from tests.restated.pairs import hostile_items

ROWS = [
    # label, preset, prediction, references, em, f1
    ("article and full stop", "squad_v1", "The cat.", ["cat"], 1, 1),
    ("extra words", "squad_v1", "the black cat", ["cat"], 0, 2 / 3),
    ("repeated token counts as often", "squad_v1", "go go go", ["go"], 0, 0.5),
    ("identical with a repeated token", "squad_v1", "go go go", ["go go go"], 1, 1),
    ("set overlap counts once", "squad_spaced", "go go go", ["go"], 0, 1),
    ("both empty, v1", "squad_v1", "the", ["a"], 1, 0),
    ("both empty, v2", "squad_v2", "the", ["a"], 1, 1),
    ("one empty, v2", "squad_v2", "", ["cat"], 0, 0),
    ("no answer said", "squad_v2", "", [], 1, 1),
    ("no answer missed", "squad_v2", "Paris", [], 0, 0),
    ("empty reference dropped", "squad_v2", "A", ["A", "vitamin A"], 0, 0),
    ("empty reference kept", "squad_v1", "A", ["A", "vitamin A"], 1, 0),
    ("best of several", "squad_v1", "Marie Curie", ["Curie", "Marie Skłodowska Curie", "Marie Curie"], 1, 1),
    ("word inside a word stays", "squad_v1", "Bnn", ["Banana"], 0, 0),
    ("hyphen spaced", "squad_spaced", "well-known", ["well known"], 1, 1),
    ("hyphen deleted", "squad_v1", "well-known", ["well known"], 0, 0),
    ("raw keeps spaces", "raw", " P5", ["P5"], 0, 1),
    ("trimmed does not", "trimmed", " P5", ["P5"], 1, 1),
    ("zero-width space is no space", "squad_v1", "New\u200bYork", ["New York"], 0, 0),
    ("no-break space is one", "squad_v1", "New\u00a0York", ["New York"], 1, 1),
    ("sign is lost", "squad_v1", "-5", ["5"], 1, 1),
]


@pytest.mark.parametrize(("label", "preset", "prediction", "references", "em", "f1"), ROWS, ids=[row[0] for row in ROWS])
def test_rows(label, preset, prediction, references, em, f1):
    scores = evalcore.score([prediction], [references], preset=preset)
    assert (scores.em[0], scores.f1[0]) == (em, pytest.approx(f1, abs=1e-15))


def test_em_and_f1_may_come_from_different_references():
    scores = evalcore.score(["a"], [["the cat", "the"]], preset="squad_v1")
    assert (scores.em[0], scores.f1[0], scores.best_em[0], scores.best_f1[0]) == (1, 0, 1, 0)


@pytest.mark.parametrize("name", [name for name, preset in PRESETS.items() if not preset.missing_resources])
def test_every_row_has_its_number_or_a_reason_why_not(name):
    predictions, references = hostile_items(60, seed=7)
    scores = evalcore.score([*predictions, None, "Paris", ""], [*references, ["Paris"], [], [""]], preset=name)
    assert scores.is_scored.tolist() == [reason is None for reason in scores.unscored]
    assert all(reason is None or reason.strip() for reason in scores.unscored)


def test_unscored_rows_have_a_reason_and_no_number():
    scores = evalcore.score(["a", None, "b"], [[], ["x"], ["b"]], preset="trimmed")
    assert list(scores.unscored) == ["no references", "no prediction", None]
    assert np.isnan(scores.em[:2]).all()
    assert np.isnan(scores.f1[:2]).all()
    summary = scores.summary()
    assert (summary.items, summary.scored, summary.em, dict(summary.unscored)) == (3, 1, 1.0, {"no references": 1, "no prediction": 1})


def test_a_missing_prediction_is_left_out_or_wrong_and_the_signature_says_so():
    predictions, references = [None, "b"], [["x"], ["b"]]
    left_out = evalcore.score(predictions, references, preset="squad_v1")
    wrong = evalcore.score(predictions, references, preset=evalcore.preset("squad_v1").with_rules(missing="wrong"))
    assert (left_out.summary().em, wrong.summary().em) == (1.0, 0.5)
    assert left_out.summary().missing == wrong.summary().missing == 1
    assert "missing:wrong" in wrong.signature
    assert wrong.signature != left_out.signature


def test_nothing_to_score_is_no_zero():
    summary = evalcore.score([], []).summary()
    assert summary.items == 0
    assert math.isnan(summary.em)


def test_a_pattern_that_does_not_finish_leaves_the_item_unscored():
    evil = evalcore.preset("raw").with_steps([evalcore.step("replace_pattern", pattern=r"(a|aa)+$")])
    scores = evalcore.score(["a" * 60 + "b", "fine"], [["x"], ["fine"]], preset=evil)
    assert "did not finish" in scores.unscored[0]
    assert list(scores.em[1:]) == [1.0]


def test_what_did_not_finish_is_not_tried_again(monkeypatch):
    tried = []
    monkeypatch.setattr(pairs, "extract", lambda texts, pipeline: tried.extend(texts) or extract(texts, pipeline))
    evil = evalcore.preset("mmlu_pro.l1").with_steps([evalcore.step("take_match", "prediction", pattern=r"(?:a|aa)+$")])
    scores = evalcore.score(["a" * 60 + "b", "aa"], [["x"], ["aa"]], preset=evil)
    assert tried == [None, "aa"]
    assert "did not finish" in scores.unscored[0]
    assert scores.em[1] == 1.0


def test_both_sides_of_a_run_share_the_time_for_its_patterns(monkeypatch):
    one = Budget(1.5)
    monkeypatch.setattr("evalcore.scoring.score.Budget", lambda: one)
    evil = evalcore.preset("raw").with_steps([evalcore.step("replace_pattern", pattern=r"(a|aa)+$")])
    slow = ["a" * 60 + letter for letter in "bcdef"]
    scores = evalcore.score(slow, [[text] for text in slow], preset=evil)
    assert one.left <= 0
    assert all(reason.startswith("not tried: ") for reason in scores.unscored), "the references are not tried once the predictions used up the time"


def test_steps_may_act_on_one_side():
    one_sided = evalcore.preset("raw").with_steps([evalcore.step("lower", "prediction")])
    scores = evalcore.score(["ABC", "ABC"], [["abc"], ["ABC"]], preset=one_sided)
    assert list(scores.em) == [1, 0]
    assert "lower@prediction" in scores.signature


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((["a"], [["b"], ["c"]]), ValueError, "1 predictions, but references for 2 items"),
        ((["a"], ["b"]), TypeError, "a list of texts is needed"),
        ((["a"],), TypeError, "references are missing"),
        (([3], [["a"]]), TypeError, "row 0 is 3"),
        ((["\ud800", 3], [["a"], ["b"]]), TypeError, "row 1 is 3"),
        (("abc", [["a"], ["b"], ["c"]]), TypeError, r"predictions are the text 'abc'; a list of texts is needed, so write \['abc'\]"),
        ((["a", "b"], [["a"], None]), TypeError, r"references of item 1 are None \(NoneType\); a list of texts is needed"),
        ((["a"], [3]), TypeError, r"references of item 0 are 3 \(int\)"),
        ((["a"], [b"a"]), TypeError, "references of item 0 are b'a'"),
        ((["a"], [{"text": ["a"], "answer_start": [0]}]), TypeError, r"references of item 0 are \{'text'.*a list of texts is needed"),
        ((["a", "b"], [["a"], ["b", None]]), TypeError, r"a reference of item 1 is None \(NoneType\); a text is needed"),
        ((["a", "b"], [["a"], ["b", 3.5]]), TypeError, "a reference of item 1 is 3.5"),
        ((["a"], [[["a"]]]), TypeError, r"a reference of item 0 is \['a'\] \(list\)"),
        ((["a"], [["a"]], None), LookupError, "no preset named 'None'"),
    ],
)
def test_input_that_does_not_fit(arguments, error, says):
    with pytest.raises(error, match=says):
        evalcore.score(*arguments)


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((None,), TypeError, "the text is None"),
        ((3,), TypeError, r"the text is 3 \(int\)"),
        (("x", "squad_v1", "predictions"), ValueError, "side is 'predictions'; one of both, prediction, reference is needed"),
        (("x", None), LookupError, "no preset named 'None'"),
    ],
)
def test_what_cannot_be_traced(arguments, error, says):
    with pytest.raises(error, match=says):
        evalcore.trace(*arguments)


def test_explain_asks_for_a_list_of_references():
    with pytest.raises(TypeError, match=r"references of item 0 are the text 'Paris'; .* write \['Paris'\]"):
        evalcore.explain("Paris", "Paris")


def test_a_preset_that_only_extracts_says_why_nothing_is_scored():
    scores = evalcore.score(["Answer: 3", None], [["3"], ["3"]], preset="simple_evals.math_extract")
    assert list(scores.unscored) == ["the preset gives no score, it only shows what is extracted", "no prediction"]
    assert scores.extracted == ["3", None]
    assert sum(scores.summary().unscored.values()) == 2


NEEDS_JSON = evalcore.step("take_json_field", "prediction")


def test_what_a_changed_preset_extracts_is_none_where_its_step_cannot_finish():
    changed = evalcore.preset("inspect.includes").with_steps([NEEDS_JSON])
    scores = evalcore.score(["abc", '{"answer": "abc"}'], [["abc"], ["abc"]], preset=changed)
    assert (scores.extracted, list(scores.em[1:])) == ([None, "abc"], [1.0])
    assert scores.unscored[0] == "not JSON: no { or [ in the text"


def test_a_step_that_cannot_finish_on_the_words_of_a_raw_text_drops_them():
    changed = evalcore.preset("longbench_qa_f1_zh").with_steps([NEEDS_JSON])
    scores = evalcore.score(["北京", '{"answer": "北京"}'], [["北京"], ["北京"]], preset=changed)
    assert list(scores.unscored) == ["not JSON: no { or [ in the text", None]
    assert (scores.f1[1], scores.predicted[1], scores.gold[1]) == (0.0, 0, 1)


def test_an_unknown_preset_lists_near_ones():
    with pytest.raises(evalcore.UnknownName, match="squad_v1"):
        evalcore.score(["a"], [["a"]], preset="squad_v11")


def test_progress_counts_up_and_can_stop_the_run():
    seen = []
    evalcore.score(["a"] * 20_000, [["a"]] * 20_000, progress=lambda done, items: seen.append((done, items)))
    assert seen[-1] == (20_000, 20_000)
    assert len(seen) > 2
    assert seen == sorted(seen)

    def stop(done, items):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evalcore.score(["a"] * 20_000, [["a"]] * 20_000, progress=stop)


@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), max_size=5))
def test_identical_raw_strings_match(rows):
    """A prediction that is one of its references has EM 1 under every preset that reads both sides alike."""
    for name in ("squad_v1", "squad_spaced", "raw", "trimmed"):
        scores = evalcore.score([references[0] for _, references in rows], [references for _, references in rows], preset=name)
        assert (scores.em == 1).all()


@given(st.lists(st.tuples(texts, st.lists(texts, max_size=3)), max_size=5))
def test_an_item_scores_the_same_alone(rows):
    together = evalcore.score([p for p, _ in rows], [r for _, r in rows], preset="squad_v2")
    for index, (prediction, references) in enumerate(rows):
        alone = evalcore.score([prediction], [references], preset="squad_v2")
        for name in ("em", "f1", "precision", "recall", "common", "predicted", "gold", "best_em", "best_f1", "emptied"):
            assert getattr(alone, name)[0] == getattr(together, name)[index], name


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_survives_json_and_says_what_it_is(name):
    preset = PRESETS[name]
    assert preset.from_json(preset.to_json()).settings == preset.settings
    assert changes(preset) == ()
    assert preset.title
    assert preset.summary
    assert preset.source
    assert preset.family
    assert preset.signature.startswith(f"{name}|")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("{", "line 1, column 2"),
        ("[]", "'steps'"),
        ('{"steps": 3}', "a list of steps"),
        ('{"steps": [{"step": "lowr"}]}', "lower"),
        ('{"steps": [], "rules": {"empty": "v3"}}', "v1, v2"),
        ('{"steps": [], "rules": {"colour": "red"}}', "rule named 'colour'"),
        ('{"steps": [], "rules": []}', "an object is needed"),
        ('{"steps": [], "rules": {"tolerance": 0.01}}', "tolerance is 0.01; a text is needed"),
        ('{"steps": [], "rules": {"tokenizer": []}}', r"tokenizer is \[\]; a text is needed"),
        ('{"steps": [], "rules": {"match": ["equal"]}}', "match is"),
        ("[" * 100_000, "nested too deeply"),
        ('{"steps": ' + "1" * 5000 + "}", "thousands of digits"),
    ],
)
def test_settings_that_cannot_be_read_say_why(source, says):
    with pytest.raises((ValueError, evalcore.UnknownName), match=says):
        evalcore.preset("raw").from_json(source)


def test_changes_are_named():
    preset = evalcore.preset("squad_v1")
    changed = preset.with_steps([step for step in preset.pipeline if step.name != "drop_articles"]).with_rules(empty="v2")
    assert changes(changed) == ("- Drop articles: en", "empty: v2")
    assert changes(preset.with_steps(reversed(preset.pipeline.steps))) == ("order of steps",)


def test_buckets_have_names():
    scores = evalcore.score(["cat", "the", "big cat", "a very big black cat", "dog", None], [["cat"], ["a"], ["big red cat"], ["cat"], ["cat"], ["x"]])
    assert [BUCKETS[code] for code in bucket_codes(scores)] == ["match", "empty_match", "near_miss", "partial", "miss", "unscored"]
    assert BUCKETS[bucket_codes(scores, near=0.9)[2]] == "partial"


def test_comparison_lists_fixed_and_broken():
    before = evalcore.score(["The cat", "x", "-5", None], [["cat"], ["y"], ["5"], ["z"]], preset="squad_v1")
    after = evalcore.score(["The cat", "x", "-5", None], [["cat"], ["y"], ["5"], ["z"]], preset="raw")
    comparison = evalcore.compare(before, after)
    assert (list(comparison.fixed), list(comparison.broken), list(comparison.both_wrong), comparison.compared) == ([], [0, 2], [1], 3)
    other = evalcore.score(evalcore.Dataset.of(["a"], [["a"]], ids=["somewhere else"]))
    with pytest.raises(ValueError, match="no id in common"):
        evalcore.compare(before, other)


def test_explain_names_the_step_that_decided():
    explained = evalcore.explain("The Treaty of Versailles (1919).", ["Treaty of Versailles", "Versailles Treaty (1919)"])
    assert (explained.em, explained.best) == (0, 0)
    assert [(row.token, row.predicted, row.gold, row.matched) for row in explained.tokens] == [
        ("treaty", 1, 1, 1),
        ("of", 1, 1, 1),
        ("versailles", 1, 1, 1),
        ("1919", 1, 0, 0),
    ]
    assert (explained.precision, explained.recall) == (0.75, 1.0)
    equal = evalcore.explain("The  cat.", ["cat"])
    assert [row.step.name for row in equal.steps if row.decides] == ["squeeze_whitespace"]
    assert not any(row.decides for row in evalcore.explain("cat", ["cat"]).steps)
    assert evalcore.explain(None, ["cat"]).unscored == "no prediction"
    assert evalcore.explain("", [], preset="squad_v2").best == -1


def test_explain_says_why_an_item_failed_and_what_would_change_it():
    explained = evalcore.explain("Rome", ["Marie Curie"], question="Who was it?")
    assert [one.evidence.note for one in explained.reasons] == ["a person is expected"]
    assert explained.fixes == ()
    several = evalcore.explain("einer Katze", ["Hund", "Katze"], "raw")
    assert several.reasons[0].reference == 1
    assert evalcore.explain("cat", ["cat"]).reasons == evalcore.explain("cat", ["cat"]).fixes == ()
    assert evalcore.explain(None, ["cat"]).reasons == ()


def test_explain_traces_against_a_reference_where_there_is_no_f1():
    explained = evalcore.explain("a dog", ["cat", "mouse"], preset="popqa")
    assert (explained.best, explained.reference.raw) == (0, "cat")


def test_summary_prints_as_json():
    summary = evalcore.score(["a"], [["a"]]).summary()
    assert json.loads(json.dumps({"em": summary.em, "unscored": dict(summary.unscored)})) == {"em": 1.0, "unscored": {}}
