"""Different answers made equal, sets of smallest fixes, and top confusions on the pages."""

from html import escape

import numpy as np
import pytest

from evalcore import preset, score
from evalcore.analysis.collisions import find_collisions
from evalcore.analysis.own_aliases import with_alias
from evalcore.text.aliases import AliasError
from tests import pages

ITEMS = [
    {"id": "minus", "prediction": "-5", "references": ["5"]},
    {"id": "plus", "prediction": "C++", "references": ["C"]},
    {"id": "cafe", "prediction": "Café", "references": ["Cafe"]},
    {"id": "resume", "prediction": "résumé", "references": ["resume"]},
    {"id": "grey", "prediction": "grey cat", "references": ["gray cat"]},
    {"id": "fine", "prediction": "Paris.", "references": ["Paris"]},
]


def _widget(kind, key):
    return next(element for element in kind if element.key == key)


def _lab(monkeypatch, items=ITEMS, view="Changes", **query):
    app = pages.opened("4_Normalization", monkeypatch, run=pages.kept(items), **{"preset": "squad_v1", **query})
    _widget(app.segmented_control, "keep:lab view").set_value(view)
    return pages.fine(app.run())


def test_matches_by_a_loss_raise_the_alarm_and_stand_apart_in_the_ledger(monkeypatch):
    app = _lab(monkeypatch, preset="squad_v1", pin="raw")
    pairs = pages.clickable(app, "alarm_pairs")
    assert "a sign was lost" in pairs
    assert "a + or # after a name was lost" in pairs
    assert 'data-go="item:0"' in pairs
    assert "Café" not in pairs
    ledger = pages.clickable(app, "ledger")
    assert "+3</span>" in ledger
    assert "≋ 2</span>" in ledger
    assert 'data-go="odd"' in ledger


def test_a_clean_file_raises_none(monkeypatch):
    app = _lab(monkeypatch, ITEMS[4:])
    assert "No pair of different answers is equal under these settings" in pages.html(app)
    assert "≋" not in pages.clickable(app, "ledger")


def test_suspicious_rows_among_others():
    found = find_collisions(score(["-5", "5.", "C++"], [["5"], ["5"], ["C"]]))
    assert found.among(np.array([0, 1])) == (0,)


def test_sets_of_fixes_have_a_dot_a_change_and_their_items(monkeypatch):
    shown = pages.clickable(_lab(monkeypatch, view="Smallest fixes"), "fix_sets")
    assert "Strip accents" in shown
    assert 'class="wm-in-set"' in shown
    assert "2 of 3 failed items" in shown
    assert 'data-go="use:0"' in shown


def test_top_confusions_stand_under_the_failures(monkeypatch):
    app = pages.opened("2_Failures", monkeypatch, run=pages.kept(ITEMS), preset="squad_v1")
    shown = pages.clickable(app, "confusions")
    assert ">gray</del>" in shown
    assert ">grey</ins>" in shown
    assert "−16.67" in shown
    assert 'data-go="alias:0"' in shown


def test_a_confusion_becomes_an_alias_of_the_settings():
    changed = with_alias(preset("squad_v1"), "gray", "grey")
    assert score(["grey cat"], [["gray cat"]], changed).em.tolist() == [1]
    assert preset("squad_v1").from_json(changed.to_json()) == changed
    with pytest.raises(AliasError, match="stands for"):
        with_alias(changed, "green", "grey")


@pytest.mark.parametrize("view", ["Changes", "Smallest fixes"])
@pytest.mark.parametrize("text", pages.TYPED)
def test_hostile_texts_show_as_typed(monkeypatch, view, text):
    items = [{"id": text, "prediction": f"-5 {text}", "references": [f"5 {text}"]}, {"id": "b", "prediction": f"é{text}", "references": [f"e{text}"]}]
    app = _lab(monkeypatch, items, view, preset="squad_v1")
    shown = pages.html(app)
    assert "<script" not in shown
    assert "<img" not in shown
    if view == "Changes":
        assert escape(text.split("\n")[0]) in pages.clickable(app, "alarm_pairs")
