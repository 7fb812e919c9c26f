"""Presets side by side: numbers with intervals, and the items on which two disagree."""

import numpy as np
import pytest

import evalcore
from evalcore.analysis.preset_table import ORDERS, disagreement, ordered, preset_row, spread
from evalcore.data import sample

NAMES = ("squad_v1", "squad_v2", "raw", "popqa", "longbench_qa_f1", "coqa")


def scored(name: str) -> evalcore.Scores:
    return evalcore.score(sample().datasets[1], preset=name)


@pytest.mark.parametrize("name", NAMES)
def test_a_row_holds_the_numbers_of_the_summary_and_no_others(name: str) -> None:
    scores = scored(name)
    row, summary = preset_row(scores), scores.summary()
    assert (row.em is not None, row.f1 is not None) == (scores.preset.has_em, scores.preset.has_f1)
    for side, value in ((row.em, summary.em), (row.f1, summary.f1)):
        if side is not None:
            assert side.estimate == pytest.approx(value)
            assert side.low <= side.estimate <= side.high
    assert row.scored == summary.scored
    assert row.unscored == sum(summary.unscored.values())


def test_orders_put_the_highest_first_and_rows_without_the_number_last() -> None:
    rows = [preset_row(scored(name)) for name in NAMES]
    assert ordered(rows, "family") == tuple(rows)
    for order in ORDERS:
        assert {row.preset.name for row in ordered(rows, order)} == set(NAMES)
    by_em, by_f1 = ordered(rows, "EM"), ordered(rows, "F1")
    assert by_em[-1].preset.name == "longbench_qa_f1"
    assert by_f1[-1].preset.name == "popqa"
    assert [row.em.estimate for row in by_em[:-1] if row.em] == sorted((row.em.estimate for row in rows if row.em), reverse=True)


def test_the_spread_is_among_exact_match_alone() -> None:
    found = spread([preset_row(scored(name)) for name in NAMES])
    assert found is not None
    assert (found.lowest.preset.name, found.highest.preset.name) == ("raw", "squad_v2")
    assert found.points == pytest.approx(scored("squad_v2").summary().em - scored("raw").summary().em)
    assert spread([preset_row(scored("squad_v1")), preset_row(scored("popqa"))]) is None
    assert spread([]) is None


@pytest.mark.parametrize(("one", "two"), [(one, two) for one in NAMES for two in NAMES])
def test_every_item_is_in_one_list_or_agreed(one: str, two: str) -> None:
    first, second = scored(one), scored(two)
    found = disagreement(first, second)
    everything = np.concatenate(list(found.lists.values()))
    assert len(set(everything.tolist())) == len(everything)
    assert len(everything) + found.agreed == len(first)
    assert all(first.score[row] == 1 and second.score[row] < 1 for row in found.first)
    assert all(second.score[row] == 1 and first.score[row] < 1 for row in found.second)
    assert all(np.isnan(second.score[row]) for row in found.scored_first)
    mirrored = disagreement(second, first)
    assert np.array_equal(mirrored.first, found.second)
    assert np.array_equal(mirrored.scored_second, found.scored_first)
    assert np.array_equal(mirrored.value, found.value)
    assert (one != two) or found.agreed == len(first)


def test_scores_of_other_items_are_refused() -> None:
    with pytest.raises(ValueError, match="1 and of 2 items"):
        disagreement(evalcore.score(["a"], [["a"]]), evalcore.score(["a", "b"], [["a"], ["b"]]))
