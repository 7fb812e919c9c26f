"""Reasons: rows that must trigger each, near rows that must not, and the laws they keep."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.analysis.fixes import find_fixes
from evalcore.analysis.moves import apply_moves
from evalcore.analysis.reasons import CODES, REASONS, find_reasons
from evalcore.dataset import Dataset, References
from evalcore.scoring.presets import preset
from evalcore.scoring.score import score
from evalcore.text.catalogue import step
from evalcore.text.columns import Texts
from tests.hostile import texts

SQUAD, RAW, TRIMMED = preset("squad_v1"), preset("raw"), preset("trimmed")
LOWER = TRIMMED.with_steps([step("casefold"), step("squeeze_whitespace")])


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


# (reason, label, prediction, reference, settings, question)
TRIGGERS = [
    ("case", "English", "PARIS", "Paris", TRIMMED, ""),
    ("case", "German sharp s", "STRASSE", "Straße", SQUAD, ""),
    ("case", "Russian", "МОСКВА", "Москва", TRIMMED, ""),
    ("whitespace", "two spaces", "New  York", "New York", TRIMMED, ""),
    ("whitespace", "an ideographic space", "北京\u3000", "北京", RAW, ""),
    ("width", "letters", "ＮＡＳＡ", "nasa", SQUAD, ""),
    ("width", "digits", "１２月", "12月", SQUAD, ""),
    ("unicode_form", "composed and not", "Cafe\u0301", "Café", SQUAD, ""),
    ("punctuation", "English", "Paris.", "Paris", TRIMMED, ""),
    ("punctuation", "Chinese", "《红楼梦》", "红楼梦", SQUAD, ""),
    ("punctuation", "an en dash", "1911-1925", "1911–1925", SQUAD, ""),
    ("accent", "French", "Elysee", "Élysée", SQUAD, ""),
    ("accent", "German", "Zurich", "Zürich", SQUAD, ""),
    ("traditional_simplified", "a place", "臺灣", "台湾", SQUAD, ""),
    ("number_format", "grouping", "52,000", "52000", LOWER, ""),
    ("number_format", "a trailing zero", "3.0", "3", LOWER, ""),
    ("number_word", "English", "twelve", "12", SQUAD, ""),
    ("number_word", "Chinese", "三", "3", SQUAD, ""),
    ("date_format", "month first", "July 4, 1776", "4 July 1776", LOWER, ""),
    ("markup", "bold", "**Paris**", "paris", LOWER, ""),
    ("explanation", "boxed", "Then it follows: \\boxed{615}", "615", SQUAD, ""),
    ("explanation", "an answer phrase", "Let me think. The answer is Paris", "Paris", SQUAD, ""),
    ("compound", "hyphen", "well-known", "well known", SQUAD, ""),
    ("compound", "Chinese spaces", "北 京", "北京", SQUAD, ""),
    ("several_forms", "case and stop", "PARIS.", "Paris", TRIMMED, ""),
    ("empty", "nothing", "", "Paris", SQUAD, ""),
    ("emptied", "marks alone", "...", "Paris", SQUAD, ""),
    ("extraction_failed", "no box", "Paris", "Paris", SQUAD.with_steps([step("take_boxed", "prediction"), *SQUAD.pipeline]), ""),
    ("unfinished", "an open thought", "<think>Is it Paris? It may be", "Paris", SQUAD, ""),
    ("no_answer_mismatch", "nothing is asked for", "Paris", "", preset("squad_v2"), ""),
    ("no_answer_mismatch", "nothing is said", "unanswerable", "Paris", SQUAD, ""),
    ("refusal", "English", "I don't know the answer to that.", "Paris", SQUAD, ""),
    ("refusal", "Chinese", "抱歉，我不知道。", "北京", SQUAD, ""),
    ("refusal", "German", "Das weiß ich nicht, ich weiß nicht wo.", "Paris", SQUAD, ""),
    ("yes_no_flipped", "English", "No, it is not.", "yes", SQUAD, ""),
    ("yes_no_flipped", "Chinese", "不是", "是", SQUAD, ""),
    ("yes_no_flipped", "German", "Nein", "ja", SQUAD, ""),
    ("negation_flipped", "English", "It was not Marie Curie", "Marie Curie", SQUAD, ""),
    ("negation_flipped", "Chinese", "不是北京", "北京", SQUAD, ""),
    ("negation_flipped", "German", "Es war nicht Berlin", "Berlin", SQUAD, ""),
    ("light_words", "a preposition", "in the house", "house", SQUAD, ""),
    ("light_words", "a hedge", "around Oahu", "Oahu", SQUAD, ""),
    ("word_order", "a name", "Curie Marie", "Marie Curie", SQUAD, ""),
    ("spelling_variant", "British", "colour theatre", "color theater", SQUAD, ""),
    ("inflection", "plural", "cats", "cat", SQUAD, ""),
    ("typo", "a letter missing", "Nicolas Cage", "Nicholas Cage", SQUAD, ""),
    ("abbreviation", "initials", "DMV", "Department of Motor Vehicles", SQUAD, ""),
    ("unit", "a percent sign", "45 percent", "45%", LOWER, ""),
    ("date_precision", "the year alone", "1965", "1 August 1965", SQUAD, ""),
    ("rounded_number", "fewer digits", "2.4 million", "2.45 million", SQUAD, ""),
    ("rounded_number", "in the range", "11.3 years", "10-12 years", SQUAD, ""),
    ("several_answers", "or", "Paris or Lyon", "Paris", SQUAD, ""),
    ("extra_words", "English", "It is the city of Paris in France", "Paris", SQUAD, ""),
    ("extra_words", "Chinese", "答案应该是北京市", "北京", SQUAD, ""),
    ("extra_words", "German", "Das ist die Stadt Berlin gewesen", "Berlin", SQUAD, ""),
    ("partial_name", "no middle name", "Carolyn Jones", "Carolyn Sue Jones", SQUAD, "who played her"),
    ("partial_name", "initials", "B. R. Ambedkar", "Bhimrao Ramji Ambedkar", SQUAD, "who is he"),
    ("partial_name", "the last name", "Nicklaus", "Jack Nicklaus", SQUAD, "who won"),
    ("missing_words", "a closer place", "Madison", "Madison, Wisconsin", SQUAD, ""),
    ("reworded", "another noun", "virtual reality world", "virtual reality simulator", SQUAD, ""),
    ("different_date", "another day", "September 17, 2017", "April 21, 2017", SQUAD, ""),
    ("different_date", "Chinese", "2017年9月17日", "2017年4月21日", SQUAD, ""),
    ("different_number", "English", "19%", "20%", LOWER, ""),
    ("different_number", "Chinese", "35人", "53人", SQUAD, ""),
    ("incomplete", "the first name", "Andrew", "Andrew Michael Harrison", SQUAD, "who is he"),
    ("different_script", "English for Chinese", "Beijing", "北京", SQUAD, ""),
    ("different_script", "Russian for English", "Москва", "Moscow", SQUAD, ""),
    ("partly_shared", "a town of the same land", "a small village near Upper Austria", "the old bridge in Austria of Linz town", SQUAD, ""),
    ("truncated", "a long text", "We begin with what is known of the matter and " * 6 + "then", "Paris", SQUAD, ""),
    ("different_answer", "English", "Rome", "Paris", SQUAD, ""),
    ("different_answer", "Chinese", "上海", "北京", SQUAD, ""),
    ("different_answer", "German", "Wien", "Bern", SQUAD, ""),
]


@pytest.mark.parametrize(("name", "label", "prediction", "reference", "used", "question"), TRIGGERS, ids=[f"{row[0]}: {row[1]}" for row in TRIGGERS])
def test_the_reason_is_found(name, label, prediction, reference, used, question):
    assert reason(prediction, reference, used, question) == name


# Near rows: the reason they must not get.
NEAR = [
    ("case", "another word", "POLISH", "Paris", TRIMMED, ""),
    ("whitespace", "another word", "New  York", "New Yorker", TRIMMED, ""),
    ("width", "another number", "１２", "21", SQUAD, ""),
    ("punctuation", "another number", "3.5", "35.0", LOWER, ""),
    ("article", "a title without its article", "who", "whom", TRIMMED, ""),
    ("accent", "another letter", "Zurich", "Züruch", SQUAD, ""),
    ("traditional_simplified", "another place", "臺北", "台湾", SQUAD, ""),
    ("number_format", "another number", "52,000", "52", LOWER, ""),
    ("number_word", "another number", "twelve", "20", SQUAD, ""),
    ("date_format", "another day", "July 4, 1776", "5 July 1776", LOWER, ""),
    ("markup", "another word", "**Rome**", "paris", LOWER, ""),
    ("explanation", "another answer", "The answer is Rome", "Paris", SQUAD, ""),
    ("compound", "another word", "well-know", "well nown", SQUAD, ""),
    ("refusal", "a title", "I Know What You Did", "Scream", SQUAD, ""),
    ("refusal", "an answer after all", "I'm not sure, but it is Paris.", "Paris", SQUAD, ""),
    ("yes_no_flipped", "the same", "Yes, it is.", "yes", SQUAD, ""),
    ("negation_flipped", "not only", "not only Paris", "Paris", SQUAD, ""),
    ("negation_flipped", "a negation elsewhere", "It was Marie Curie, and nobody else did not agree", "Marie Curie", SQUAD, ""),
    ("negation_flipped", "Chinese without one", "就是北京", "北京", SQUAD, ""),
    ("word_order", "another word", "Curie Pierre", "Marie Curie", SQUAD, ""),
    ("spelling_variant", "other words", "flour", "floor", SQUAD, ""),
    ("typo", "short words", "Iran", "Iraq", SQUAD, ""),
    ("typo", "two countries", "Austria", "Australia", SQUAD, ""),
    ("typo", "numbers", "19651", "19652", SQUAD, ""),
    ("abbreviation", "other initials", "DMV", "Department of Foreign Affairs", SQUAD, ""),
    ("unit", "another number", "45 percent", "46%", LOWER, ""),
    ("date_precision", "another year", "1966", "1 August 1965", SQUAD, ""),
    ("rounded_number", "a whole number", "11", "12", SQUAD, ""),
    ("rounded_number", "another scale", "2.4 million", "2.45 billion", SQUAD, ""),
    ("extra_words", "part of a longer word", "It is P45", "P5", SQUAD, ""),
    ("extra_words", "a longer number", "the answer may be 937", "37", SQUAD, ""),
    ("partial_name", "another given name", "Emmitt Smith", "Timmy Smith", SQUAD, "who ran"),
    ("partial_name", "the given name alone", "Aaron", "Aaron Harrison", SQUAD, "who played"),
    ("missing_words", "a word of the question", "the battle", "battle of Antietam", SQUAD, "which battle ended it"),
    ("missing_words", "the number is missing", "group", "group 1", SQUAD, ""),
    ("reworded", "words of the question alone", "Battle of Culloden", "Battle of Antietam", SQUAD, "which battle ended it"),
    ("different_date", "the same date", "4 July 1776", "July 4, 1776", LOWER, ""),
    ("different_number", "the same number", "20 percent", "20%", LOWER, ""),
    ("different_script", "the same script", "Rome", "Paris", SQUAD, ""),
    ("truncated", "a long text that ends", "We begin with what is known of the matter and " * 6 + "end.", "Paris", SQUAD, ""),
    ("unfinished", "a closed thought", "<think>Rome?</think> Lyon", "Paris", SQUAD, ""),
    ("no_answer_mismatch", "an answer where one is due", "Rome", "Paris", preset("squad_v2"), ""),
]


@pytest.mark.parametrize(("name", "label", "prediction", "reference", "used", "question"), NEAR, ids=[f"not {row[0]}: {row[1]}" for row in NEAR])
def test_a_near_row_gets_another_reason(name, label, prediction, reference, used, question):
    assert reason(prediction, reference, used, question) != name


def test_an_article_alone_is_told():
    used = LOWER.with_steps([*LOWER.pipeline, step("strip_whitespace")])
    assert reason("The Who", "a who", used) in {"article", "several_forms"}


def test_a_step_that_is_in_the_way_is_named():
    used = TRIMMED.with_steps([step("replace_pattern", "prediction", pattern="[Pp]aris", replacement="Lyon")])
    assert reason("Paris", "Paris", used) == "step_in_the_way"


def test_labels_make_other_words_invalid():
    found = run(["maybe", *["yes", "no"] * 6], [["yes"], *[["yes"], ["no"]] * 6])
    assert REASONS[found.codes[0]].name == "invalid_label"
    assert (found.codes[1:] == -1).all()


def test_references_of_another_item_are_aliases():
    found = run(["Bombay", "Rome"], [["Mumbai"], ["Mumbai", "Bombay"]])
    assert REASONS[found.codes[0]].name == "alias"


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


def test_the_right_reference_is_named():
    found = run(["It is Lyon"], [["Paris", "Lyon"]])
    assert found.reference.tolist() == [1]
    assert found.of(0)[0].reference == 1


def test_counts_and_points_add_up():
    found = run(["STRASSE", "lovely Lyon", "Rome", "Paris"], [["Straße"], ["Lyon"], ["Bern"], ["Paris"]])
    counts = found.counts()
    assert sum(count.items for count in counts) == 3
    assert sum(count.points for count in counts) == pytest.approx(1 - found.scores.em.mean())
    assert found.is_surface.tolist() == [True, True, False, False]
    assert found.rows_of("case", "extra_words").tolist() == [0, 1]


def test_every_reason_has_a_row():
    elsewhere = {"invalid_label", "alias", "step_in_the_way", "article"}
    assert {row[0] for row in TRIGGERS} | elsewhere == set(CODES)


def test_reasons_are_said_in_sentences():
    for one in REASONS:
        assert one.summary.endswith(".")
        assert one.kind in {"surface", "content"}
    assert len({one.name for one in REASONS}) == len(REASONS) < 127


STEP_OF = {
    "case": {"casefold", "lower"},
    "whitespace": {"squeeze_whitespace", "strip_whitespace"},
    "width": {"fold_width"},
    "accent": {"strip_accents"},
    "traditional_simplified": {"simplify_chinese"},
    "number_format": {"canonical_numbers"},
    "date_format": {"dates_to_iso"},
    "compound": {"remove_whitespace"},
}
WORDS = st.sampled_from(
    [
        "Paris",
        "PARIS",
        "paris ",
        "New York",
        "new  york",
        "Ｐａｒｉｓ",
        "Zürich",
        "Zurich",
        "臺灣",
        "台湾",
        "3.0",
        "3",
        "4 July 1776",
        "July 4, 1776",
        "newyork",
    ]
)


@given(WORDS, WORDS, st.sampled_from([SQUAD, RAW, LOWER]))
@settings(max_examples=60)
def test_a_reason_never_contradicts_the_trace(prediction, reference, used):
    found = run([prediction], [[reference]], used)
    name = REASONS[found.codes[0]].name if found.codes[0] >= 0 else ""
    if name in STEP_OF:
        moves = [move for move in found.fixes.moves if move.step.name in STEP_OF[name] and not move.removes]
        assert any(score([prediction], [[reference]], apply_moves(used, [move])).em[0] == 1 for move in moves)


@given(st.lists(st.tuples(texts, st.lists(texts, max_size=3)), min_size=1, max_size=4), texts)
@settings(max_examples=60)
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
