"""Intervals of a run, answerable items, and ways to group."""

import numpy as np
import pytest

import evalcore
from evalcore.analysis.aggregates import MANY, ORDERS, by_answerable, first_way, intervals, method, missed, ordered, ways
from evalcore.analysis.slices import all_items, slice_table, slicings
from evalcore.data import sample
from evalcore.dataset import Dataset
from evalcore.scoring.squad_v2 import figures
from evalcore.scoring.statistics import wilson


def bruno(preset: str = "squad_v1") -> evalcore.Scores:
    return evalcore.score(sample().datasets[1], preset=preset)


def test_intervals_stand_around_the_summary() -> None:
    scores = bruno()
    found, summary = intervals(scores), scores.summary()
    for measure, interval in found.items():
        assert interval.estimate == pytest.approx(getattr(summary, measure))
        assert interval.low < interval.estimate < interval.high
        assert interval.count == summary.scored
    assert found["em"] == wilson(summary.exact, summary.scored)
    assert intervals(scores) == found


@pytest.mark.parametrize(
    ("name", "measures", "told"),
    [
        ("squad_v1", ["em", "f1", "precision", "recall"], "95 % intervals: EM by Wilson; F1, precision, recall by bootstrap, 2000 resamples, seed"),
        ("popqa", ["em"], "95 % intervals: containment by Wilson"),
        ("longbench_qa_f1", ["f1", "precision", "recall"], "95 % intervals: F1, precision, recall by bootstrap"),
        ("simple_evals.math_extract", [], ""),
    ],
)
def test_only_measures_of_the_preset_have_intervals(name: str, measures: list[str], told: str) -> None:
    found = intervals(bruno(name))
    assert list(found) == measures
    assert method(found, evalcore.preset(name)).startswith(told)
    assert bool(method(found, evalcore.preset(name))) == bool(told)


def test_answerable_groups_are_the_splits_of_squad_v2() -> None:
    scores = bruno("squad_v2")
    slicing, expected = by_answerable(scores), figures(scores)
    assert slicing is not None
    with_answer, without = slice_table(scores, slicing)
    for row, split in ((with_answer, expected.has_answer), (without, expected.no_answer)):
        assert split is not None
        assert row.em.count == split.total
        assert row.em.estimate == pytest.approx(split.exact)
        assert row.f1.estimate == pytest.approx(split.f1)


def test_without_such_items_or_such_a_preset_nothing_is_split() -> None:
    assert by_answerable(bruno("squad_v1")) is None
    assert by_answerable(evalcore.score(["a"], [["a"]], "squad_v2")) is None
    assert by_answerable(evalcore.score([""], [[]], "squad_v2")) is None


def test_ways_are_those_of_the_slices() -> None:
    data = sample().datasets[1]
    made = {name: make() for name, make in ways(data).items()}
    for slicing in slicings(data):
        found = made[slicing.name]
        assert found is not None
        assert found.labels == slicing.labels
        assert np.array_equal(found.codes, slicing.codes)


def test_columns_are_told_apart_and_ids_group_nothing() -> None:
    data = Dataset.of(["a"] * 6, [["a"]] * 6, script=["x", "y"] * 3, key=list("abcdef"), same=["z"] * 6)
    assert list(ways(data)) == ["answer type", "reference length", "script", "column script"]
    found = ways(data)["column script"]()
    assert found is not None
    assert found.labels == ("x", "y")
    assert list(ways(Dataset.of([], []))) == ["answer type", "reference length", "script"]


def test_orders_sort_and_keep_all_rows() -> None:
    scores = bruno()
    rows = slice_table(scores, slicings(scores.dataset)[-1])
    for order in ORDERS:
        assert sorted(row.label for row in ordered(rows, order)) == sorted(row.label for row in rows)
    assert ordered(rows, "as they come") == rows
    lows = [row.em.estimate for row in ordered(rows, "EM") if row.em.count]
    assert lows == sorted(lows)
    gaps = [row.gap for row in ordered(rows, "gap") if row.em.count]
    assert gaps == sorted(gaps, reverse=True)


@pytest.mark.parametrize("name", ["squad_v1", "popqa", "longbench_qa_f1"])
def test_missed_are_the_scored_items_that_are_not_right(name: str) -> None:
    scores = bruno(name)
    found = missed(scores, all_items(scores))
    assert set(found) == {row for row in range(len(scores)) if scores.is_scored[row] and scores.score[row] < 1}


def test_the_first_way_is_one_there_is_and_quick_on_many_items() -> None:
    data = sample().datasets[1]
    assert first_way(data) == "question type"
    assert first_way(data) in ways(data)
    without = Dataset.of(["a"], [["a"]])
    assert first_way(without) in ways(without)
    many = data.take(np.arange(MANY + 1) % len(data))
    assert first_way(many) == "reference length"
