"""Different answers made equal, sets of smallest fixes, and top confusions on the pages."""

import re
from html import escape

import numpy as np
import pytest

from evalcore import preset, score
from evalcore.analysis.collisions import find_collisions
from evalcore.analysis.own_aliases import with_alias
from evalcore.analysis.selection import Selection
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


def test_counts_stand_against_the_raw_text_and_the_pinned_settings(monkeypatch):
    items = [{"id": "a", "prediction": "-5", "references": ["5"]}, {"id": "b", "prediction": "x", "references": ["-5"]}]
    shown = pages.clickable(_lab(monkeypatch, items, preset="squad_v1", pin="raw"), "alarm_counts")
    assert "Different references: 2 as raw text, 2 under the pinned settings, 1 under these." in shown
    assert "Matches by a loss, none of them equal as raw text: 1, of which" in shown
    assert 'data-go="new:"' in shown
    same = pages.clickable(_lab(monkeypatch, items, preset="squad_v1", pin="squad_v1"), "alarm_counts")
    assert "2 as raw text, 1 under the pinned settings, 1 under these." in same
    assert 'data-go="new:"' not in same


def test_an_article_as_answer_raises_the_alarm(monkeypatch):
    app = _lab(monkeypatch, [{"id": "a", "prediction": "A", "references": ["A"]}, {"id": "b", "prediction": "Rome", "references": ["Rome"]}])
    assert "matches though nothing is left of either side" in pages.clickable(app, "alarm_cautions")
    assert "No pair of different answers" not in pages.html(app)


def test_every_number_of_every_change_opens_its_items(monkeypatch):
    app = _lab(monkeypatch, view="Smallest fixes")
    shown = pages.clickable(app, "fix_moves")
    assert 'data-go="alone:' in shown
    assert 'data-go="gained:' in shown
    assert "+33.33" in shown
    for cell in re.findall(r'<td class="wm-n">(.*?)</td>', shown):
        assert "data-go" in cell or cell in {"0", ""}
    waterfall = pages.clickable(_lab(monkeypatch), "waterfall")
    assert 'data-go="alone:' in waterfall
    assert 'data-go="needed:' in waterfall
    for cell in re.findall(r'<td class="wm-n">(.*?)</td>', waterfall):
        assert "data-go" in cell or cell in {"0", ""}


def test_taking_an_f1_for_a_match_is_offered_beside_the_fixes(monkeypatch):
    items = [
        {"id": "near", "prediction": "the quick brown fox jumped", "references": ["a quick brown fox jumps"]},
        {"id": "far", "prediction": "Rome", "references": ["Paris"]},
        {"id": "sharp", "prediction": "STRASSE", "references": ["Straße"]},
    ]
    low = Selection(near=0.5).to_json()
    assert "F1 ≥ 0.5 for a match would rescue" in pages.clickable(_lab(monkeypatch, items, view="Smallest fixes", show=low), "fix_threshold")


ALIAS_FILES = [
    (b"canonical,alias\nMumbai,Bombay\nGermany,BRD\n", ""),
    (b"canonical\talias\nMumbai\tBombay\n", ""),
    (b"canonical,alias\nMumbai,Bombay\nDelhi,Bombay\n", "line 3: 'Bombay' stands for 'Delhi', but for 'Mumbai' in line 2"),
    (b"canonical,alias\nMumbai\n", "line 2: 'Mumbai' has 1 cell;"),
    (b"canonical,alias\nK\xf6ln,Cologne\n", "line 2 holds the byte 0xf6"),
    (b"name,other\nMumbai,Bombay\n", "the header canonical,alias is needed"),
    (b"", "the header canonical,alias is needed"),
]


@pytest.mark.parametrize(("content", "wrong"), ALIAS_FILES)
def test_an_alias_file_is_loaded_in_the_lab_or_says_its_lines(monkeypatch, content, wrong):
    items = [{"id": "a", "prediction": "Bombay", "references": ["Mumbai"]}]
    app = pages.opened("4_Normalization", monkeypatch, run=pages.kept(items), preset="squad_v1")
    _widget(app.selectbox, "keep:lab add").set_value("replace_aliases")
    pages.fine(app.run())
    _widget(app.button, "lab:add").click()
    pages.fine(app.run())
    next(one for one in app.file_uploader if "canonical" in one.label).set_value(("names.csv", content, "text/csv"))
    pages.fine(app.run())
    table = dict(app.session_state["whymiss"]["settings"].pipeline.steps[-1].parameters)["table"]
    if wrong:
        assert table == ()
        assert escape(wrong) in pages.html(app)
        assert "names.csv" in pages.html(app)
    else:
        assert ("Mumbai", "Bombay") in table
        assert "Not in force" not in pages.html(app)
        assert ("Bombay" in next(area.value for area in app.text_area if "canonical,alias" in area.label)) is True


def test_inspect_warns_of_a_match_that_may_be_none(monkeypatch):
    items = [*ITEMS[:1], {"id": "article", "prediction": "A", "references": ["A"]}, ITEMS[5]]
    token = pages.kept(items)
    first, second, fine = (pages.html(pages.opened("3_Inspect", monkeypatch, run=token, preset="squad_v1", item=str(row))) for row in range(3))
    assert "only by a loss" in first
    assert "a sign was lost" in first
    assert "though nothing is left of either side" in second
    assert "Is it a match?" not in fine
