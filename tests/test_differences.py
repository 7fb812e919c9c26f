"""How single items moved between two runs."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import evalcore
from evalcore.analysis.differences import MOST_BARS, moved_most, sentence, strip
from evalcore.analysis.gate import Gate
from evalcore.data import sample

WORDS = st.sampled_from(["x", "y", "x y", "", "x y z"])
SIDES = st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=12)


def bruno_after_anna(preset: str = "squad_v1") -> evalcore.Comparison:
    return evalcore.compare(*(evalcore.score(data, preset=preset) for data in sample().datasets))


@given(SIDES)
def test_every_difference_is_in_the_strip_and_sorted(rows: list[tuple[str, str, str]]) -> None:
    references = [[row[2]] for row in rows]
    before, after = (evalcore.score([row[side] for row in rows], references) for side in (0, 1))
    found = strip(evalcore.compare(before, after))
    moved = after.f1 - before.f1
    assert list(found.heights) == sorted(moved[moved != 0])
    assert (found.worse, found.better, found.same) == (int((moved < 0).sum()), int((moved > 0).sum()), int((moved == 0).sum()))


def test_many_differences_are_cut_to_bars_with_their_mean() -> None:
    before = evalcore.score(["w"] * 1000, [["x"]] * 1000)
    after = evalcore.score(["x"] * 500 + ["x y z"] * 500, [["x"]] * 1000)
    found = strip(evalcore.compare(before, after))
    assert len(found.heights) == MOST_BARS
    assert found.better == 1000
    assert np.isclose(np.mean(found.heights), np.mean(after.f1), atol=0.02)


def test_without_an_em_the_headline_decides() -> None:
    comparison = bruno_after_anna("longbench_qa_f1")
    lists = (comparison.fixed, comparison.broken, comparison.both_right, comparison.both_wrong)
    assert sum(map(len, lists)) == comparison.compared > 0
    assert len(comparison.fixed)
    assert all(comparison.after.f1[row] == 1 > comparison.before.f1[row] for row in comparison.fixed)
    assert Gate.parse(f"broken >= {len(comparison.broken)}").check(comparison).stops


def test_rows_that_moved_most_come_first() -> None:
    comparison = bruno_after_anna()
    rows = moved_most(comparison, comparison.broken)
    assert sorted(rows) == sorted(comparison.broken)
    moved = np.abs(comparison.after.f1 - comparison.before.f1)[rows]
    assert np.array_equal(moved, np.sort(moved)[::-1])
    alone = moved_most(comparison, comparison.only_before)
    assert np.array_equal(alone, comparison.only_before)


def test_the_sentence_names_the_measure_of_the_preset() -> None:
    plain, contained = bruno_after_anna(), bruno_after_anna("popqa")
    assert sentence(plain) == plain.sentence
    assert sentence(contained).startswith("containment fell by")
    assert sentence(bruno_after_anna("longbench_qa_f1")).startswith("F1 fell by")
