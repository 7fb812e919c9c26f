"""The histogram behind the two lanes of F1."""

import numpy as np
import pytest

import evalcore
from evalcore.analysis.lanes import INNER, between, lanes
from evalcore.analysis.selection import F1Range, Selection, apply

PAIRS = [
    ("the", "a"),  # Both empty after normalization: EM 1, F1 0 under v1.
    ("Paris", "Paris"),
    ("a b c d", "b c d e"),  # "a" is an article: 3 of 3 and 3 of 4.
    ("x y", "y x"),  # EM 0, F1 1.
    ("cat", "dog"),
    ("the red fox", "red fox jumped"),  # 2 of 2 and 2 of 3: F1 .8, at the edge.
    ("one two three", "one four five six seven"),
    (None, "gone"),
]


@pytest.fixture
def scores() -> evalcore.Scores:
    return evalcore.score([prediction for prediction, _ in PAIRS], [[reference] for _, reference in PAIRS], preset="squad_v1")


def test_every_scored_item_is_in_one_bar(scores: evalcore.Scores) -> None:
    counted = lanes(scores)
    assert len(counted.bars) == INNER + 2
    assert sum(bar.matched + bar.missed for bar in counted.bars) == 7
    assert counted.totals == {"match": 1, "empty_match": 1, "near_miss": 3, "partial": 1, "miss": 1, "unscored": 1}


def test_exact_values_stand_apart(scores: evalcore.Scores) -> None:
    bars = lanes(scores).bars
    assert bars[0].exact
    assert bars[-1].exact
    assert bars[0].counts == {"match": 0, "empty_match": 1, "near_miss": 0, "partial": 0, "miss": 1}
    assert bars[-1].counts == {"match": 1, "empty_match": 0, "near_miss": 1, "partial": 0, "miss": 0}


@pytest.mark.parametrize("near", [0.05, 0.5, 0.8, 0.83, 1.0])
def test_totals_are_the_sums_of_the_bars(scores: evalcore.Scores, near: float) -> None:
    counted = lanes(scores, near)
    for bucket in ("match", "empty_match", "near_miss", "partial", "miss"):
        assert sum(bar.counts[bucket] for bar in counted.bars) == counted.totals[bucket]


def test_threshold_is_an_edge_so_no_bar_mixes_near_and_partial() -> None:
    halves = [2 * number / (number + 40) for number in range(1, 40)]
    scores = evalcore.score(["w " * number for number in range(1, 40)], [["w " * 40]] * 39, preset="raw")
    assert scores.f1 == pytest.approx(halves)
    assert all(not (bar.counts["near_miss"] and bar.counts["partial"]) for bar in lanes(scores).bars)


def test_a_bar_lists_exactly_the_items_it_counts(scores: evalcore.Scores) -> None:
    for bar in lanes(scores).bars:
        assert len(apply(Selection(f1=bar.f1, em=0), scores)) == bar.missed
        assert len(apply(Selection(f1=bar.f1, em=1), scores)) == bar.matched


def test_bars_cover_zero_to_one_without_gap_or_overlap() -> None:
    bars = lanes(evalcore.score([], [])).bars
    values = np.unique(np.concatenate([np.linspace(0, 1, 2001), [np.nextafter(0.8, 0), np.nextafter(1, 0), np.nextafter(0, 1)]]))
    assert (sum(bar.f1.holds(values).astype(int) for bar in bars) == 1).all()


def test_range_between_bars() -> None:
    counted = lanes(evalcore.score([], []))
    assert between(counted, 0, 2) == F1Range(0.0, 0.1, False, True)
    assert between(counted, INNER, INNER + 1) == F1Range(0.95, 1.0, False, False)


def test_nothing_scored_gives_bars_of_zeros() -> None:
    counted = lanes(evalcore.score([None], [["x"]]))
    assert sum(bar.matched + bar.missed for bar in counted.bars) == 0
    assert counted.totals["unscored"] == 1
