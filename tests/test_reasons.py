"""Reasons: rows that must trigger each, near rows that must not, and the laws they keep."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.analysis.fixes import find_fixes
from evalcore.analysis.moves import apply_moves
from evalcore.analysis.reasons import CODES, REASONS, find_reasons
from evalcore.analysis.reasons.find import names
from evalcore.analysis.reasons.table import TITLES
from evalcore.dataset import Dataset, References
from evalcore.scoring.presets import preset
from evalcore.scoring.score import score
from evalcore.text.catalogue import step
from evalcore.text.columns import Texts
from tests.counts import examples
from tests.hostile import texts
from tests.reason_rows import LOWER, NEAR, NOT_IN, RAW, SQUAD, TRIGGERS


def run(predictions, references, used=SQUAD, questions=None, extra=()):
    count = len(predictions)
    dataset = Dataset(
        Texts.of([str(number) for number in range(count)]),
        Texts.of(predictions),
        References.of(references),
        questions=None if questions is None else Texts.of(questions),
    )
    scores = score(dataset, preset=used)
    return find_reasons(scores, find_fixes(scores, extra=extra))


def reason(prediction, reference, used=SQUAD, question=""):
    references = [reference] if isinstance(reference, str) else reference
    code = run([prediction], [references], used, [question]).codes[0]
    return REASONS[code].name if code >= 0 else "match"


@pytest.mark.parametrize(
    ("name", "language", "label", "prediction", "reference", "used", "question"), TRIGGERS, ids=[f"{row[0]}, {row[1]}: {row[2]}" for row in TRIGGERS]
)
def test_the_reason_is_found(name, language, label, prediction, reference, used, question):
    assert reason(prediction, reference, used, question) == name


@pytest.mark.parametrize(
    ("name", "language", "label", "prediction", "reference", "used", "question"), NEAR, ids=[f"not {row[0]}, {row[1]}: {row[2]}" for row in NEAR]
)
def test_a_near_row_gets_another_reason(name, language, label, prediction, reference, used, question):
    assert reason(prediction, reference, used, question) not in {name, "match"}


@pytest.mark.parametrize("rows", [TRIGGERS, NEAR], ids=["must", "must not"])
@pytest.mark.parametrize("name", CODES)
def test_every_reason_has_rows_in_three_languages(name, rows):
    if name == "invalid_label":
        return  # It looks at the whole run: see test_labels_make_other_words_invalid.
    languages = {row[1] for row in rows if row[0] == name}
    have = languages & {"en", "zh"} | ({"other"} if languages - {"en", "zh"} else set())
    assert have == {language for language, without in NOT_IN.items() if name not in without}


@pytest.mark.parametrize(("yes", "no", "odd"), [("yes", "no", "maybe"), ("是", "否", "也许"), ("ja", "nein", "vielleicht")])
def test_labels_make_other_words_invalid(yes, no, odd):
    found = run([odd, *[yes, no] * 6], [[yes], *[[yes], [no]] * 6])
    assert REASONS[found.codes[0]].name == "invalid_label"
    assert (found.codes[1:] == -1).all()
    assert REASONS[run([no, *[yes, no] * 6], [[yes], *[[yes], [no]] * 6]).codes[0]].name == "yes_no_flipped"
    assert REASONS[run([odd, "x", "y"], [[yes], [yes], [no]]).codes[0]].name != "invalid_label"


@pytest.mark.parametrize(("name", "other", "wrong"), [("Mumbai", "Bombay", "Delhi"), ("西红柿", "番茄", "土豆"), ("Pressburg", "Bratislava", "Brünn")])
def test_references_of_another_item_are_aliases(name, other, wrong):
    found = run([other, "x", wrong], [[name], [name, other], [name]])
    assert REASONS[found.codes[0]].name == "alias"
    assert REASONS[found.codes[2]].name != "alias"


KINDS = [
    ("a date", "Rome", "4 July 1776", ""),
    ("a date", "上海", "2017年4月21日", ""),
    ("a number", "Rome", "20%", ""),
    ("a number", "上海", "53人", ""),
    ("yes or no", "perhaps", "yes", ""),
    ("yes or no", "也许", "是", ""),
    ("a person", "Rome", "Jack Nicklaus", "who won it"),
    ("a person", "上海", "鲁迅", "这本书是谁写的？"),
    ("a person", "Bern", "Thomas Mann", "wer schrieb es"),
    ("a place", "Nana", "Paris", "where is it"),
    ("a place", "鲁迅", "北京", "它在哪里？"),
    ("a place", "Nana", "Wien", "wo ist es"),
    ("a name", "because of the rain", "Marie Curie", ""),
    ("", "Nana", "because it rained", ""),
]


@pytest.mark.parametrize(("kind", "prediction", "reference", "question"), KINDS)
def test_a_plainly_wrong_answer_is_called_different_with_the_kind_expected(kind, prediction, reference, question):
    found = run([prediction], [[reference]], questions=[question])
    listed = found.of(0)
    assert listed[0].reason.name in {"different_answer", "different_script"}
    assert listed[-1].reason.name != "different_answer" or listed[-1].evidence.note == (f"{kind} is expected" if kind else "")


def test_an_alias_table_gives_the_reason():
    table = step("replace_aliases", table=(("Mumbai", "Bombay"),))
    found = run(["Bombay", "Delhi"], [["Mumbai"], ["Mumbai"]], extra=[table])
    assert [REASONS[code].name for code in found.codes] == ["alias", "different_answer"]


def test_further_reasons_carry_evidence():
    found = run(["It was Marrie Curie of Warsaw", "Paris"], [["Marie Curie"], ["Paris"]])
    listed = found.of(0)
    assert listed[0].reason is REASONS[found.codes[0]]
    assert "marrie" in listed[0].evidence.prediction
    assert found.of(1) == ()


@pytest.mark.parametrize(
    ("prediction", "reference", "name", "words"),
    [
        ("the A123 firm", "A123 Systems", "reworded", ("a123 firm", "a123 systems")),
        ("the B12 vitamin", "vitamin", "extra_words", ("the B12 vitamin", "vitamin")),
        ("version v1.2", "v1.2", "extra_words", ("version v1.2", "v1.2")),
        ("5km", "5 kilometres", "unit", ("5 km", "5 kilometres")),
        ("c1920", "1920", "unit", ("1920", "1920")),
        ("Holiday Inn1", "Holiday Inn", "extra_words", ("Holiday Inn1", "holiday inn")),
    ],
)
def test_evidence_shows_whole_words(prediction, reference, name, words):
    """Digits behind a first letter belong to it; units behind digits and footnotes behind words do not."""
    first = run([prediction], [[reference]]).of(0)[0]
    assert (first.reason.name, first.evidence[:2]) == (name, words)


def test_a_number_behind_a_letter_is_no_number_behind_an_article():
    assert reason("123 Systems", "A123 Systems") == "reworded"
    assert reason("12", "B12") == "different_answer"
    assert reason("vitamin", "Vitamin B12") == "incomplete"
    assert reason("Model B6", "Model B12") == "partly_shared"


@pytest.mark.parametrize(
    ("prediction", "reference", "name"),
    [
        ("four", "4", "number_word"),
        ("It is four", "4", "number_word"),
        ("World War 2", "World War II", "number_word"),
        ("Marrie Curie", "Marie Curie", "typo"),
        ("battles of World War 2", "battle of World War II", "several_forms"),
        ("400 m", "400 metres", "unit"),
    ],
)
def test_words_are_extra_only_where_others_are_the_reference(prediction, reference, name):
    listed = names(run([prediction], [[reference]]).of(0))
    assert listed[0] == name
    assert "extra_words" not in listed


def test_the_right_reference_is_named():
    found = run(["It is Lyon"], [["Paris", "Lyon"]])
    assert found.reference.tolist() == [1]
    assert found.of(0)[0].reference == 1


def test_the_reference_that_a_step_meets_is_named():
    """It is not always the one that is best for F1."""
    found = run(["STRASSE 5", "the x 3", "A B C D"], [["5 a", "Straße 5"], ["x y", "a x three"], ["d x y", "d", "c-b-a b/c d"]], RAW)
    assert found.reference.tolist()[0] == 1
    assert found.of(0)[0].reason.name == "case"
    assert found.of(0)[0].reference == 1


def test_what_is_said_only_in_closed_reasoning_is_no_answer():
    found = run(["<think>Paris?</think> Rome", "<think>Lyon?</think> It is Paris", "<think>Paris</think>"], [["Paris"]] * 3)
    assert [REASONS[code].name for code in found.codes] == ["different_answer", "light_words", "empty"]


@pytest.mark.parametrize("answer", ["unanswerable", "I don't know."])
def test_no_answer_in_other_words_is_the_same_answer(answer):
    found = run([answer, "Paris"], [[], []], preset("squad_v2"))
    assert [REASONS[code].name for code in found.codes] == ["alias", "no_answer_mismatch"]


NUMBERS = ["9" * 400, "9" * 5000, f"1{'0' * 5000}", f"5-{'9' * 400}", f"1.{'0' * 5000}", "1e400", "٣" * 400, f"{'9' * 400} million", f"{'9' * 5000}th century"]


@pytest.mark.parametrize("first", NUMBERS, ids=[number[:12] for number in NUMBERS])
def test_a_number_beyond_all_measure_stops_nothing(first):
    found = run([first] * len(NUMBERS), [[second] for second in NUMBERS])
    assert ((found.codes >= 0) == (found.scores.em == 0)).all()


def test_counts_and_points_add_up():
    found = run(["STRASSE", "lovely Lyon", "Rome", "Paris"], [["Straße"], ["Lyon"], ["Bern"], ["Paris"]])
    counts = found.counts()
    assert sum(count.items for count in counts) == 3
    assert sum(count.points for count in counts) == pytest.approx(1 - found.scores.em.mean())
    assert found.is_surface.tolist() == [True, True, False, False]
    assert found.rows_of("case", "extra_words").tolist() == [0, 1]


def test_reasons_are_said_in_sentences():
    for one in REASONS:
        assert one.summary.endswith(".")
        assert one.kind in {"surface", "content"}
        assert one.title[0].isupper()
        assert "_" not in one.title
    assert len({one.name for one in REASONS}) == len({one.title for one in REASONS}) == len(REASONS) < 127
    assert REASONS[CODES["yes_no_flipped"]].title == "Yes and no flipped"
    assert REASONS[CODES["extra_words"]].title == "Extra words"
    assert set(TITLES) <= set(CODES)


DISTORTED = st.sampled_from(
    [
        str.upper,
        lambda text: f"the {text}",
        lambda text: f"{text}.",
        lambda text: f" {text}  ",
        lambda text: f"**{text}**",
        lambda text: f"The answer is {text}",
        lambda text: text.replace(" ", "-"),
        lambda text: text.replace("ü", "u"),
        lambda text: text.replace("台", "臺"),
        lambda text: text.replace("3", "three"),
        lambda text: "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in text),
    ]
)
ANSWERS = st.sampled_from(["Paris", "New York", "Zürich", "台湾", "3.0", "3", "52,000", "45%", "4 July 1776", "July 4, 1776", "Straße", "the who", "Rome"])
BY_STEP = {"case", "whitespace", "width", "accent", "traditional_simplified", "number_format", "date_format", "markup", "punctuation", "article", "compound"}


def sides(answer, changes):
    for change in changes:
        answer = change(answer)
    return answer


@given(ANSWERS, ANSWERS, st.lists(DISTORTED, max_size=2), st.sampled_from([SQUAD, RAW, LOWER]), st.booleans())
@settings(max_examples=80)
def test_a_reason_never_contradicts_the_trace(answer, other, changes, used, same):
    """A reason of a step implies that adding one of its steps alone makes the item match; several forms, that its set does."""
    prediction, reference = sides(answer, changes), answer if same else other
    found = run([prediction], [[reference]], used)

    def matches(moves):
        return score([prediction], [[reference]], apply_moves(used, moves)).em[0] == 1

    for one in found.of(0):
        steps = [name.removesuffix(" without units") for name in one.evidence.note.split(" or ")]
        named = [move for move in found.fixes.moves if move.step.name in steps and not move.removes]
        if one.reason.name in BY_STEP:
            assert named
        if named:
            assert all(any(matches([move]) for move in named if move.step.name == name) for name in steps)
        if one.reason.name == "step_in_the_way":
            assert any(matches([move]) for move in found.fixes.moves if move.removes)
        if one.reason.name == "several_forms" and one.evidence.note:
            fix = found.fixes.of(0)[0]
            assert one.evidence.note == " and ".join(move.title for move in fix.moves)
            assert matches(fix.moves)
            assert not any(matches([move]) for move in fix.moves)


@given(st.lists(st.tuples(texts, st.lists(texts, max_size=3)), min_size=1, max_size=4), texts)
@settings(max_examples=examples(60))
def test_every_failed_item_gets_one_reason(rows, question):
    found = run([row[0] for row in rows], [row[1] for row in rows], questions=[question] * len(rows))
    assert ((found.codes >= 0) == (found.scores.em == 0)).all()
    for row in np.flatnonzero(found.codes >= 0).tolist():
        listed = found.of(row)
        assert listed[0].reason is REASONS[found.codes[row]]
        assert all(-1 <= one.reference < len(rows[row][1]) for one in listed)


def test_progress_is_told_and_can_stop_the_run():
    scores = score(["Rome"] * 3, [["Paris"]] * 3)
    fixes = find_fixes(scores)
    calls = []
    find_reasons(scores, fixes, progress=lambda done, items: calls.append((done, items)))
    assert calls == [(0, 3), (3, 3)]

    def stop(done, items):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find_reasons(scores, fixes, progress=stop)
