"""The plane of precision and recall on Failures: counts that open exactly their items, a chart for it, no failure, other settings."""

import json

import numpy as np
import pytest

from evalcore import score
from evalcore.analysis.plane import Spot, curve, plane, rows_apart, rows_at, rows_by_side
from evalcore.data.read import sample
from pages.ui import charts
from pages.ui.plane import chart
from tests import pages

ITEMS = [
    {"id": "short", "prediction": "fox", "references": ["red fox"]},
    {"id": "wordy", "prediction": "red fox there", "references": ["red fox"]},
    {"id": "swap", "prediction": "red dog", "references": ["red fox"]},
    {"id": "apart", "prediction": "cow", "references": ["red fox"]},
    {"id": "right", "prediction": "red fox", "references": ["red fox"]},
]


@pytest.mark.parametrize("system", [0, 1])
def test_every_failed_item_is_in_one_spot_or_apart(system):
    scores = score(sample().datasets[system])
    found = plane(scores)
    rows = [rows_at(scores, spot.precision, spot.recall) for spot in found.spots]
    assert [len(part) for part in rows] == [spot.items for spot in found.spots]
    everything = np.sort(np.concatenate([*rows, rows_apart(scores)]))
    assert everything.tolist() == np.flatnonzero(scores.em == 0).tolist()
    assert found.short + found.wordy + found.substituted + found.apart == len(everything)
    for side in ("short", "wordy", "substituted"):
        assert len(rows_by_side(scores, side)) == getattr(found, side)


def test_spots_stand_where_precision_and_recall_are():
    found = plane(score(["fox", "red fox there"], [["red fox"], ["red fox"]]))
    assert set(found.spots) == {Spot(1.0, 0.5, 1), Spot(0.675, 1.0, 1)}


@pytest.mark.parametrize("f1", [0.5, 0.67, 0.8])
def test_a_curve_has_one_f1(f1):
    assert all(abs(2 * p * r / (p + r) - f1) < 2e-3 for p, r in curve(f1))


def test_the_page_counts_ways_to_miss_and_draws_the_chart(monkeypatch):
    app = pages.opened("2_Failures", monkeypatch, run=pages.kept(ITEMS), preset="squad_v1")
    shown = pages.clickable(app, "failures_sides")
    for said in ("1 too short", "1 too wordy", "1 as many words, others", "1 without a common word"):
        assert said in shown
    assert any("vega" in element.type for element in app.main)


def test_settings_without_f1_have_no_plane(monkeypatch):
    app = pages.opened("2_Failures", monkeypatch, run=pages.kept(ITEMS), preset="squad_v1", steps='{"steps": [], "rules": {"overlap": "none"}}')
    assert "Why F1 is what it is" not in pages.html(app)


@pytest.mark.parametrize("colours", [charts.LIGHT, charts.DARK])
def test_the_chart_can_be_made(colours):
    made = json.dumps(chart(plane(score(sample().datasets[1])), colours).to_dict())
    assert "too wordy" in made
