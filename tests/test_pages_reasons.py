"""Reasons on the pages: the table and the chart on Overview, the column and the filter on Failures, the evidence on Inspect."""

from html import escape

import numpy as np
import pytest

from evalcore.analysis.reasons import REASONS
from evalcore.analysis.reasons.families import FAMILIES, FAMILY_OF, family_codes
from evalcore.analysis.selection import Selection, SelectionError, apply
from evalcore.scoring.score import score
from pages.ui import work
from pages.ui.reasons import COLOURS
from tests import pages

ITEMS = [
    {"id": "strasse", "prediction": "STRASSE", "references": ["Straße"]},
    {"id": "paris", "prediction": "in Paris, France", "references": ["Paris"]},
    {"id": "rome", "prediction": "Rome", "references": ["Lyon"]},
    {"id": "oslo", "prediction": "Bern", "references": ["Oslo"]},
    {"id": "rhine", "prediction": "the Rhine", "references": ["Rhine"]},
]


def _widget(kind, key):
    return next(element for element in kind if element.key == key)


def _opened(monkeypatch, page, items=ITEMS, **query):
    return pages.opened(page, monkeypatch, run=pages.kept(items), preset="squad_v1", **query)


def test_every_reason_has_one_family_of_its_class_and_a_colour():
    listed = [name for family in FAMILIES for name in family.reasons]
    assert sorted(listed) == sorted(reason.name for reason in REASONS)
    assert all(FAMILY_OF[reason.name].kind == reason.kind for reason in REASONS)
    assert set(COLOURS) == {family.name for family in FAMILIES}
    assert family_codes(np.array([-1, 0], np.int8)).tolist() == [-1, len(FAMILIES) - 1]


def test_a_selection_by_reason_needs_the_reasons_and_goes_through_its_link():
    scores = score(["a", "b"], [["x"], ["y"]])
    chosen = Selection(reasons=("case", "typo"))
    assert Selection.from_json(chosen.to_json()) == chosen
    assert chosen.words == "reason case or typo"
    assert not chosen.is_all
    assert Selection(reasons=FAMILIES[0].reasons).words == "reason in a sentence"
    with pytest.raises(SelectionError, match="not found yet"):
        apply(chosen, scores)
    codes = np.array([-1, [reason.name for reason in REASONS].index("typo")], np.int8)
    assert apply(chosen, scores, codes).tolist() == [1]
    with pytest.raises(SelectionError, match="there is no reason 'cases'"):
        Selection(reasons=("cases",))


def test_overview_lists_what_each_kind_of_reason_costs(monkeypatch):
    app = _opened(monkeypatch, "1_Overview")
    shown = pages.clickable(app, "overview_reasons")
    assert "Another answer" in shown
    assert 'title="telling mark, yes and no flipped,' in shown
    assert "−40.00" in shown
    assert "Form costs <b>40.00 points</b>" in shown
    assert "reasons" in shown
    assert any("sentence" in str(element.proto) and "Another answer" in str(element.proto) for element in app.main if "vega" in element.type)
    _widget(app.toggle, "keep:reasons all").set_value(True)
    pages.fine(app.run())
    shown = pages.clickable(app, "overview_reasons")
    assert "Different answer" in shown
    assert "Extra words" in shown


def test_failures_have_a_reason_column_and_filter_by_it(monkeypatch):
    app = _opened(monkeypatch, "2_Failures")
    assert "Reason</span>" in pages.clickable(app, "failures_list")
    assert "Different answer" in pages.clickable(app, "failures_list")
    _widget(app.button_group, "failures_reasons").set_value(["case"])
    pages.fine(app.run())
    shown = pages.html(app)
    assert "<b>1</b> of 5 items · EM = 0 and reason case" in shown
    assert "strasse" in pages.clickable(app, "failures_list")
    assert "rome" not in pages.clickable(app, "failures_list")
    assert '"reasons"' in app.query_params["show"][0] or "reasons" in str(app.query_params["show"])
    _widget(app.button, "failures_drop_reasons").click()
    pages.fine(app.run())
    assert "<b>4</b> of 5 items" in pages.html(app)


def test_a_link_with_a_reason_opens_its_items(monkeypatch):
    app = _opened(monkeypatch, "2_Failures", show=Selection(reasons=("different_answer",)).to_json())
    assert "<b>2</b> of 5 items · reason different answer" in pages.html(app)


def test_inspect_says_why_with_what_shows_it(monkeypatch):
    shown = pages.html(_opened(monkeypatch, "3_Inspect", item="1"))
    assert "Why it failed" in shown
    assert "Extra words" in shown
    assert "with further words around it" in shown
    assert "Why it failed" not in pages.html(_opened(monkeypatch, "3_Inspect", item="4"))


def test_reasons_of_a_large_file_come_after_the_score(monkeypatch):
    monkeypatch.setattr(work, "AT_ONCE_ITEMS", 1)
    items = [*ITEMS, {"id": "later", "prediction": "Later", "references": ["Never"]}]
    with work._shop().turn_apart:
        app = _opened(monkeypatch, "1_Overview", items)
        assert "16.67" in pages.html(app)
        assert any("waits for its turn" in bar.proto.text for bar in app.get("progress"))
        app.switch_page("pages/2_Failures.py")
        pages.fine(app.run())
        assert "later" in pages.clickable(app, "failures_list")
        assert "Bucket</span>" in pages.clickable(app, "failures_list")
    for job in work.jobs():
        job.thread.join()
    pages.fine(app.run())
    assert "Reason</span>" in pages.clickable(app, "failures_list")


@pytest.mark.parametrize("page", ["1_Overview", "2_Failures", "3_Inspect"])
@pytest.mark.parametrize("text", pages.TYPED)
def test_hostile_texts_show_as_typed(monkeypatch, page, text):
    items = [{"id": text, "prediction": f"in {text} there", "references": [text]}, {"id": "b", "prediction": text, "references": ["else"]}]
    shown = pages.html(_opened(monkeypatch, page, items))
    assert "<script" not in shown
    assert "<img" not in shown
    assert page == "1_Overview" or escape(text.split("\n")[0]) in shown
