"""Fixes: the smallest sets, that they work, and that nothing smaller does."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.analysis.effects import effects_of
from evalcore.analysis.fixes import find_fixes, fixes_for
from evalcore.analysis.languages import languages_of
from evalcore.analysis.moves import apply_moves, moves_for
from evalcore.analysis.search import Walks, minimal_sets
from evalcore.scoring.presets import preset
from evalcore.scoring.score import score
from evalcore.text.catalogue import step
from evalcore.text.columns import Texts
from tests.counts import examples
from tests.hostile import texts

SQUAD, RAW = preset("squad_v1"), preset("raw")


def titles(prediction, references, settings=SQUAD):
    return {fix.title for fix in fixes_for(prediction, references, settings)}


HELPED = [
    ("German sharp s", "STRASSE", ["Straße"], SQUAD, "Casefold"),
    ("an en dash", "1911-1925", ["1911–1925"], SQUAD, "Delete punctuation: both"),
    ("a hyphen", "well-known", ["well known"], SQUAD, "Remove whitespace"),
    ("traditional characters", "臺灣", ["台湾"], SQUAD, "Simplify chinese"),
    ("full width", "ＡＢＣ", ["abc"], SQUAD, "Fold width"),
    ("accents", "Zurich", ["Zürich"], SQUAD, "Strip accents"),
    ("a Spanish article", "el perro que vive en la casa", ["perro que vive en la casa"], SQUAD, "Drop articles: es"),
    ("a number word", "twelve", ["12"], SQUAD, "Read number words: en"),
    ("a date", "July 4, 1776", ["1776-07-04"], SQUAD, "Dates to iso: day_first"),
    ("an explanation", "So it is \\boxed{615}, as shown.", ["615"], SQUAD, "Take boxed: last"),
    ("a thought", "<think>hm</think>Paris", ["Paris"], SQUAD, "Drop thinking: think, thinking, and 2 more"),
    ("an answer phrase", "Let me see. The answer is Paris", ["Paris"], SQUAD, "Take after"),
    ("a removed word", "who", ["the who"], SQUAD.with_steps([step("lower")]), "Drop articles: en and Strip whitespace"),
    ("two changes", "the cat", ["Cat"], RAW, "Casefold and Drop articles: en and Strip whitespace"),
    ("the second reference", "STRASSE", ["Rome", "Straße"], SQUAD, "Casefold"),
]


@pytest.mark.parametrize(("label", "prediction", "references", "used", "title"), HELPED, ids=[row[0] for row in HELPED])
def test_the_expected_change_helps(label, prediction, references, used, title):
    found = titles(prediction, references, used)
    assert any(one.startswith(title) for one in found) if title else (found == set())


HOPELESS = [("another answer", "Rome", ["Paris"]), ("another number", "5", ["6"]), ("nothing said", "", ["Paris"]), ("emptied", "!!!", ["???"])]


@pytest.mark.parametrize(("label", "prediction", "references"), HOPELESS, ids=[row[0] for row in HOPELESS])
def test_nothing_helps_another_answer(label, prediction, references):
    assert fixes_for(prediction, references, RAW) == ()


def test_every_fix_makes_the_item_match():
    predictions = [row[1] for row in HELPED] + ["The Café.", "３", "1.000,5", "two dogs", "**Rome**"]
    references = [row[2] for row in HELPED] + [["cafe"], ["3"], ["1000.5"], ["dog two"], ["rome"]]
    for used in (SQUAD, RAW):
        scores = score(predictions, references, used)
        fixes = find_fixes(scores)
        for row in fixes.fixable.tolist():
            for fix in fixes.of(row):
                assert score([predictions[row]], [references[row]], fix.applied(used)).em[0] == 1


DISTORTED = st.sampled_from(
    [
        str.upper,
        str.title,
        lambda text: f"the {text}",
        lambda text: f"{text}.",
        lambda text: text.replace("e", "é"),
        lambda text: text.replace(" ", "-"),
        lambda text: f" {text} ",
        lambda text: f"**{text}**",
        lambda text: f"The answer is {text}",
        lambda text: f"I think.\n{text}",
        lambda text: text.replace("2", "two"),
        lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
        lambda text: text.replace("台", "臺"),
    ]
)
ANSWERS = st.sampled_from(["new york", "2 cats", "3.5", "台湾", "Straße", "the who", "well known", "1,000", "café", "July 4, 1776"])


def distorted(answer, changes):
    for change in changes:
        answer = change(answer)
    return answer


@given(ANSWERS, st.lists(DISTORTED, max_size=3), st.lists(DISTORTED, max_size=1), st.sampled_from([SQUAD, RAW]))
@settings(max_examples=examples(40))
def test_no_fix_holds_a_smaller_one(answer, changes, others, used):
    prediction, reference = distorted(answer, changes), distorted(answer, others)
    for fix in fixes_for(prediction, [reference], used):
        assert score([prediction], [[reference]], fix.applied(used)).em[0] == 1
        for size in range(1, len(fix.moves)):
            for part in combinations(fix.moves, size):
                assert score([prediction], [[reference]], apply_moves(used, part)).em[0] == 0


@given(ANSWERS, st.lists(DISTORTED, max_size=2), st.sampled_from([SQUAD, RAW]))
@settings(max_examples=examples(10))
def test_every_single_change_that_works_is_found(answer, changes, used):
    prediction = distorted(answer, changes)
    if score([prediction], [[answer]], used).em[0] == 1:
        return
    moves = moves_for(used, languages=languages_of(Texts.of([prediction]), Texts.of([answer])))
    working = {move.title for move in moves if score([prediction], [[answer]], apply_moves(used, [move])).em[0] == 1}
    assert {fix.title for fix in fixes_for(prediction, [answer], used) if len(fix.moves) == 1} == working


@given(ANSWERS, st.lists(DISTORTED, max_size=2))
@settings(max_examples=5)
def test_all_smallest_pairs_of_changes_are_found(answer, changes):
    prediction = distorted(answer, changes)
    moves = moves_for(SQUAD)
    found = minimal_sets(Walks(SQUAD, moves), prediction, [answer], most=2)
    if any(len(chosen) == 1 for chosen in found) or score([prediction], [[answer]], SQUAD).em[0] == 1:
        return
    walks = Walks(SQUAD, moves)
    both = {frozenset(pair) for pair in combinations(range(len(moves)), 2) if walks.makes_equal(prediction, [answer], frozenset(pair))}
    assert set(found) == both


@given(texts, texts)
@settings(max_examples=examples(40))
def test_no_text_breaks_the_search(prediction, reference):
    for fix in fixes_for(prediction, [reference], SQUAD):
        assert score([prediction], [[reference]], fix.applied(SQUAD)).em[0] == 1


@given(ANSWERS, st.lists(DISTORTED, max_size=2))
@settings(max_examples=examples(25))
def test_the_run_finds_what_the_item_finds(answer, changes):
    prediction = distorted(answer, changes)
    scores = score([prediction], [[answer]], SQUAD)
    if scores.em[0] == 1:
        return
    smallest = list(fixes_for(prediction, [answer], SQUAD))
    smallest = [fix.title for fix in smallest if len(fix.moves) == len(smallest[0].moves)]
    assert [fix.title for fix in find_fixes(scores).of(0)] == smallest


def test_counts_tell_alone_always_and_jointly():
    fixes = find_fixes(score(["STRASSE", "Zurich", "ZÜRICH STRASSE", "Rome"], [["Straße"], ["Zürich"], ["zurich straße"], ["Paris"]], SQUAD))
    counted = {count.move.title: (count.alone, count.always, count.jointly) for count in fixes.counts()}
    assert counted["Casefold"][0] == 1
    assert counted["Strip accents"][0] >= 1
    assert counted["Casefold"][2] == 1
    assert fixes.fixable.tolist() == [0, 1, 2]
    assert fixes.of(3) == ()
    moves, rows = fixes.set_counts()[0]
    assert fixes.rows_of(moves).tolist() == rows.tolist()


def test_an_alias_table_is_tried_where_it_is_given():
    table = step("replace_aliases", table=(("New York", "NYC"),))
    fixes = find_fixes(score(["NYC"], [["New York"]], SQUAD), extra=[table])
    assert [fix.moves[0].step for fix in fixes.of(0)] == [table]


def test_progress_is_told_and_can_stop_the_search():
    scores = score(["STRASSE"] * 5, [["Straße"]] * 5, SQUAD)
    calls = []
    find_fixes(scores, progress=lambda done, items: calls.append((done, items)))
    assert calls[0] == (0, 5)
    assert calls[-1] == (5, 5)

    def stop(done, items):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find_fixes(scores, progress=stop)


def test_settings_without_equality_have_no_fixes():
    fixes = find_fixes(score(["rome"], [["Paris"]], SQUAD.with_rules(match="contains")))
    assert fixes.of(0) == ()
    assert isinstance(fixes.rows, np.ndarray)


def test_effects_count_what_every_move_gains_and_loses():
    scores = score(["STRASSE", "the end", "Zurich", "Rome"], [["Straße"], ["end"], ["Zürich"], ["Rome"]], SQUAD)
    fixes = find_fixes(scores)
    effects = effects_of(scores, fixes.moves)
    assert [effect.move for effect in effects] == list(fixes.moves)
    alone = {count.move: count.alone for count in fixes.counts()}
    assert {effect.move: len(effect.gained) for effect in effects if len(effect.gained)} == {move: count for move, count in alone.items() if count}
    without_articles = next(effect for effect in effects if effect.move.title == "without Drop articles: en")
    assert without_articles.lost.tolist() == [1]
    assert without_articles.lost_points == 0.25
