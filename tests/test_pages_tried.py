"""Would match if, on Inspect: the changes offered, one on trial, what they bring, the extraction row, hostile text."""

from html import escape

import pytest

from evalcore.analysis.fixes import fixes_for
from evalcore.scoring.presets import preset
from pages.ui import work
from tests import pages

PAGE = "3_Inspect"
ITEMS = [
    {"id": "cafe", "prediction": "Café", "references": ["Cafe"]},
    {"id": "resume", "prediction": "résumé", "references": ["resume"]},
    {"id": "rome", "prediction": "Rome", "references": ["Lyon"]},
    {"id": "same", "prediction": "the Rhine", "references": ["Rhine"]},
]


def _open(monkeypatch, item, items=ITEMS, **query):
    return pages.opened(PAGE, monkeypatch, run=pages.kept(items), item=str(item), **{"preset": "squad_v1", **query})


def _try(app, item, place, name="squad_v1"):
    app.session_state["whymiss_kept"]["inspect tried"] = (item, preset(name).settings, place)
    return pages.fine(app.run())


def test_the_smallest_change_is_offered_with_what_it_brings(monkeypatch):
    app = _open(monkeypatch, 0)
    offered = pages.clickable(app, "inspect_fixes")
    assert "Strip accents" in offered
    assert "+2 items" in offered
    assert 'data-go="try:0"' in offered
    assert "If tried" not in pages.html(app)


def test_a_change_is_tried_on_the_same_item(monkeypatch):
    app = _open(monkeypatch, 0)
    fixes = fixes_for("Café", ["Cafe"], preset("squad_v1"))
    place = next(number for number, fix in enumerate(fixes) if fix.title == "Strip accents")
    _try(app, 0, place)
    shown = pages.html(app)
    assert "If tried" in shown
    assert "✓ EM 1" in shown
    assert "on trial" in shown
    assert "✓ made equal" in shown
    assert "wm-fix wm-tried" in pages.clickable(app, "inspect_fixes")
    assert app.session_state["whymiss"]["settings"] == preset("squad_v1")
    next(button for button in app.button if button.key == "inspect_use").click()
    pages.fine(app.run())
    assert "strip_accents" in [step.name for step in app.session_state["whymiss"]["settings"].pipeline]
    assert "If tried" not in pages.html(app)
    assert "Would match if" not in pages.html(app)


def test_a_step_that_would_be_left_out_stands_in_its_place(monkeypatch):
    items = [{"id": "x", "prediction": "1 5", "references": ["1-5"]}]
    app = _open(monkeypatch, 0, items)
    fixes = fixes_for("1 5", ["1-5"], preset("squad_v1"))
    place = next(number for number, fix in enumerate(fixes) if any(move.removes for move in fix.moves))
    _try(app, 0, place)
    assert "left out on trial" in pages.html(app)


def test_an_item_that_nothing_saves_says_so_and_one_that_matches_has_no_section(monkeypatch):
    assert "No set of up to three changes" in pages.html(_open(monkeypatch, 2))
    assert "Would match if" not in pages.html(_open(monkeypatch, 3))


def test_settings_without_equality_say_why_nothing_is_searched(monkeypatch):
    rules = '{"steps": [{"step": "lower"}], "rules": {"match": "contains"}}'
    assert "is not equality of both texts" in pages.html(_open(monkeypatch, 2, steps=rules))


def test_a_large_file_is_counted_when_asked(monkeypatch):
    monkeypatch.setattr(work, "AT_ONCE_ITEMS", 1)
    items = [*ITEMS, {"id": "another", "prediction": "x", "references": ["y"]}]
    app = _open(monkeypatch, 0, items)
    assert "count over the file" in pages.clickable(app, "inspect_fixes")
    fix = fixes_for("Café", ["Cafe"], preset("squad_v1"))[0]
    app.session_state["whymiss_kept"]["fixes counted"] = ((fix.moves, preset("squad_v1").settings),)
    pages.fine(app.run())
    assert "+2 items" in pages.clickable(app, "inspect_fixes")


def test_the_extraction_is_a_row_of_its_own(monkeypatch):
    steps = '{"steps": [{"step": "take_line", "side": "prediction", "parameters": {"choice": "last"}}, {"step": "lower"}], "rules": {}}'
    items = [{"id": "a", "prediction": "So it is\nParis", "references": ["PARIS"]}]
    shown = pages.html(_open(monkeypatch, 0, items, steps=steps))
    assert ">Extracted</span>" in shown
    row = shown.split(">Extracted</span>")[1].split(">Normalized</span>")[0]
    assert "Paris" in row
    assert "So it is" not in row
    assert ">Extracted</span>" not in pages.html(_open(monkeypatch, 0, items))


@pytest.mark.parametrize("text", pages.TYPED)
def test_hostile_texts_on_trial_show_as_typed(monkeypatch, text):
    app = _open(monkeypatch, 0, [{"id": text, "prediction": f"é{text}", "references": [f"e{text}"]}], preset="raw")
    shown = pages.html(_try(app, 0, 0, "raw"))
    assert "If tried" in shown
    assert "<script" not in shown
    assert "<img" not in shown
    assert escape(text.split("\n")[0]) in shown
