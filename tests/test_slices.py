"""Slices: every item in one group, and weak groups that are not chance."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.analysis.comparison import compare
from evalcore.analysis.kinds import answer_type, question_type, script
from evalcore.analysis.runs import cluster_labels
from evalcore.analysis.slices import (
    NONE,
    Slicing,
    all_items,
    by_column,
    by_reference_length,
    effects_by_slice,
    macro,
    macro_row,
    slice_table,
    slicings,
    weak_slices,
)
from evalcore.analysis.tails import lower_tail
from evalcore.dataset import Dataset
from evalcore.scoring.paired import holm
from evalcore.scoring.score import score
from evalcore.scoring.statistics import mean_interval
from evalcore.text.columns import Texts

QUESTIONS = [
    ("Who wrote it?", "who"),
    ("Whom did she meet?", "who"),
    ("What's the capital?", "what"),
    ("On what date did it end?", "what"),
    ("To whom was it given?", "who"),
    ("How much does it cost?", "how many"),
    ("How old is he?", "how old"),
    ("How does it work?", "how"),
    ("Is it true?", "yes/no"),
    ("Didn't he win?", "yes/no"),
    ("", "other"),
    ("Name the river.", "other"),
    ("长江有多长？", "how many"),
    ("他是哪一年出生的？", "when"),
    ("中国的首都在哪里？", "where"),
    ("这是真的吗？", "yes/no"),
    ("Somewhat hard", "other"),
]
ANSWERS = [
    ("", "no answer"),
    ("   ", "no answer"),
    ("no", "yes/no"),
    ("True.", "yes/no"),
    ("是", "yes/no"),
    ("1990", "date"),
    ("July 4, 1776", "date"),
    ("the 19th century", "date"),
    ("1990年5月", "date"),
    ("1960s", "date"),
    ("3.0", "number"),
    ("$1,200", "number"),
    ("seven", "number"),
    ("50%", "number"),
    ("12 km", "number"),
    ("The Beatles", "name"),
    ("Ludwig van Beethoven", "name"),
    ("they were hungry", "span"),
    ("7 Wonders of the Ancient World and of all others too", "span"),
    ("北京", "span"),
]
SCRIPTS = [
    ("Ελλάδα", "Greek"),
    ("القاهرة", "Arabic"),
    ("서울", "Hangul"),
    ("ひらがな", "Japanese"),
    ("漢字かな", "Japanese"),
    ("ＡＢ", "Latin"),
    ("", "no letters"),
]


@pytest.mark.parametrize(("text", "kind"), QUESTIONS)
def test_questions_by_what_they_ask_for(text, kind):
    assert question_type(text) == kind


@pytest.mark.parametrize(("text", "kind"), ANSWERS)
def test_answers_by_kind(text, kind):
    assert answer_type(text) == kind


@pytest.mark.parametrize(("text", "name"), SCRIPTS)
def test_scripts(text, name):
    assert script(text) == name


@given(st.text())
def test_any_text_has_a_kind(text):
    assert question_type(text)
    assert answer_type(text)
    assert script(text)


def dataset(size=100, **columns):
    return Dataset.of(["a"] * size, [["a"]] * size, **columns)


COLUMNS = {
    "two values": (["x", "y"] * 20, ("x", "y")),
    "largest first": (["x"] + ["y"] * 9, ("y", "x")),
    "none is a group": ([None, "x"] * 10, (NONE, "x")),
    "numbers in their order": (["10", "9", "2"] * 5, ("2", "9", "10")),
    "many numbers are binned": (
        [str(number) for number in range(100)],
        ("0 to under 19.8", "19.8 to under 39.6", "39.6 to under 59.4", "59.4 to under 79.2", "79.2 to 99"),
    ),
    "names group nothing": ([f"name {number}" for number in range(100)], None),
    "one value": (["x"] * 10, ("x",)),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_group_when_there_is_something_to_group(name):
    values, labels = COLUMNS[name]
    found = by_column("column", Texts.of(values))
    assert (found and found.labels) == labels


@given(st.lists(st.one_of(st.none(), st.sampled_from(["a", "b", "1", "2.5", "nan", "inf", "", "1e9"])), min_size=1, max_size=60))
def test_every_item_is_in_exactly_one_group(values):
    found = by_column("column", Texts.of(values))
    if found is not None:
        assert len(found.codes) == len(values)
        assert set(found.codes.tolist()) == set(range(len(found.labels)))


def test_reference_lengths_stand_in_their_order():
    data = Dataset.of(["a"] * 4, [["one two three four"], ["one"], [], ["a", "x " * 30]])
    assert by_reference_length(data).labels == ("no reference", "1 word", "4 to 5 words", "more than 20 words")


def test_the_table_has_intervals_and_marks_small_groups():
    scores = score(Dataset.of(["a"] * 60 + ["b"] * 40, [["a"]] * 100, kind=["x"] * 90 + ["y"] * 10))
    rows = slice_table(scores, by_column("kind", scores.dataset.metadata["kind"]))
    assert [(row.label, row.em.count, row.small) for row in rows] == [("x", 90, False), ("y", 10, True)]
    assert rows[0].em.estimate == pytest.approx(60 / 90)
    assert [len(row.rows) for row in rows] == [90, 10]
    em, f1 = macro(rows)
    assert em.estimate == pytest.approx((60 / 90 + 0) / 2)
    assert f1.count == 100


def documents():
    """Give a run of 90 documents of four items that are all right or all wrong; one kind of ten documents alone."""
    answers = ["a" if number % 3 else "b" for number in range(90) for _ in range(4)]
    kinds = ["x"] * 320 + ["y"] * 40
    return score(Dataset.of(answers, [["a"]] * 360, kind=kinds, page=[f"d{number // 4}" for number in range(360)]))


def test_groups_draw_whole_clusters_and_few_of_them_are_marked():
    scores = documents()
    labels, slicing = cluster_labels(scores, "page"), by_column("kind", scores.dataset.metadata["kind"])
    plain, (x, y) = slice_table(scores, slicing), slice_table(scores, slicing, labels)
    assert x.em == mean_interval(scores.em[:320], clusters=labels[:320])
    assert x.f1 == mean_interval(scores.f1[:320], clusters=labels[:320])
    assert "80 clusters" in x.em.method
    assert 1.7 < x.em.width / plain[0].em.width < 2.3, "four items that are alike count as one"
    assert (x.clusters, x.small, y.clusters, y.small) == (80, False, 10, True)
    assert not plain[1].small
    assert all_items(scores, labels).em == mean_interval(scores.em, clusters=labels)


def test_the_mean_of_groups_is_a_row_of_its_own():
    scores = documents()
    rows = slice_table(scores, by_column("kind", scores.dataset.metadata["kind"]))
    found = macro_row(rows)
    assert (found.em, found.f1) == macro(rows)
    assert found.em.estimate == pytest.approx((rows[0].em.estimate + rows[1].em.estimate) / 2)
    assert macro_row(()).em.count == 0


def test_two_runs_are_compared_within_groups_with_correction():
    kinds = ["x"] * 50 + ["y"] * 50
    before, after = (score(Dataset.of(answers, [["a"]] * 100, kind=kinds)) for answers in (["b"] * 100, ["a"] * 30 + ["b"] * 69 + ["a"]))
    found = effects_by_slice(compare(before, after), by_column("kind", before.dataset.metadata["kind"]))
    assert [row.is_clear for row in found] == [True, False]
    assert found[0].corrected == 2 * found[0].effect.test.p


@pytest.mark.parametrize("row", [(3, 20, 50, 100), (0, 20, 50, 100), (20, 20, 50, 100), (10, 30, 90, 100), (25, 30, 95, 100), (40, 2000, 30_000, 1_000_000)])
def test_the_tail_agrees_with_scipy(row):
    stats = pytest.importorskip("scipy.stats")
    drawn, size, hits, total = row
    assert lower_tail(drawn, size, hits, total) == pytest.approx(stats.hypergeom.cdf(drawn, total, hits, size), rel=1e-8, abs=1e-300)


def planted(size=1000, seed=0):
    """Items that are right at random, but for one pair of values."""
    rng = np.random.default_rng(seed)
    kinds, levels = rng.choice(["x", "y", "z"], size), rng.choice(["easy", "hard"], size)
    weak = (kinds == "x") & (levels == "hard")
    right = rng.random(size) < np.where(weak, 0.3, 0.7)
    return score(Dataset.of(np.where(right, "a", "b").tolist(), [["a"]] * size, kind=kinds.tolist(), level=levels.tolist()))


def test_a_planted_weak_group_is_found():
    found = weak_slices(planted())
    assert ("kind: x and level: hard") in [weak.name for weak in found]
    best = next(weak for weak in found if len(weak.labels) == 2 and weak.labels == ("x", "hard"))
    assert best.em.high < best.rest
    assert best.corrected < 0.05
    assert 0.03 < best.lost < 0.1


def test_chance_is_seldom_taken_for_weakness():
    rng = np.random.default_rng(1)
    alarms = 0
    for _ in range(40):
        columns = {f"c{number}": rng.choice(["x", "y", "z", "w"], 300).tolist() for number in range(4)}
        answers = np.where(rng.random(300) < 0.6, "a", "b").tolist()
        alarms += bool(weak_slices(score(Dataset.of(answers, [["a"]] * 300, **columns))))
    assert alarms <= 6


def test_a_group_that_is_all_there_is_is_not_weak():
    assert weak_slices(score(dataset(100, kind=["x"] * 100))) == ()


def test_the_dataset_offers_its_slicings():
    names = [way.name for way in slicings(Dataset.of(["a"] * 40, [["a b"], ["12"]] * 20, kind=["x", "y"] * 20, id2=[str(i) + "n" for i in range(40)]))]
    assert names == ["reference length", "answer type", "script", "kind"]


def test_rows_of_an_unknown_label_are_none():
    assert Slicing.of("kind", ["x", "y"]).rows("q").tolist() == []


def test_the_finder_finds_what_counting_every_group_finds():
    scores = planted()
    ways = slicings(scores.dataset)
    total, hits = len(scores), int((scores.em == 1).sum())
    groups = {(f"{way.name}: {label}",): way.codes == code for way in ways for code, label in enumerate(way.labels)}
    both = {
        (*first, *second): groups[first] & groups[second]
        for first, second in combinations(groups, 2)
        if first[0].split(":")[0] != second[0].split(":")[0] and (groups[first] & groups[second]).sum() < min(groups[first].sum(), groups[second].sum())
    }
    counted = {name: rows for name, rows in (groups | both).items() if 20 <= rows.sum() <= total - 20}
    corrected = holm([lower_tail(int((scores.em[rows] == 1).sum()), int(rows.sum()), hits, total) for rows in counted.values()])
    slow = {" and ".join(name): np.flatnonzero(rows).tolist() for (name, rows), p in zip(counted.items(), corrected, strict=True) if p < 0.05}
    assert {weak.name: weak.rows.tolist() for weak in weak_slices(scores)} == slow
