"""The Failures page: chips, search, threshold, order, paging, words, and hostile text."""

from html import escape

import pytest

from evalcore.analysis.selection import EM_0, F1Range, Selection
from tests import pages

PAGE = "2_Failures"


def _rows(app):
    return pages.clickable(app, "failures_list").count("data-row")


def _said(app):
    return next(str(element.value) for element in app.main if element.type == "html" and 'role="status"' in str(element.value))


def _widget(kind, key):
    return next(element for element in kind if element.key == key)


@pytest.fixture
def sample(monkeypatch):
    return pages.opened(PAGE, monkeypatch, run="sample-bruno")


def test_with_nothing_loaded_there_is_one_hint(monkeypatch):
    app = pages.opened(PAGE, monkeypatch)
    assert "Nothing is loaded yet" in pages.html(app)
    assert not app.text_input


def test_it_opens_on_the_items_with_em_0(sample):
    assert "<b>83</b> of 124 items · EM = 0" in _said(sample)
    assert _rows(sample) == 83
    assert sample.query_params["show"]


@pytest.mark.parametrize(
    ("chip", "rows"), [("Near miss", 6), ("Partial", 25), ("Miss", 52), ("Empty match", 2), ("Match", 33), ("Unscored", 6), ("All EM 0", 83), ("All", 100)]
)
def test_a_chip_lists_the_items_it_counts(sample, chip, rows):
    _widget(sample.button_group, "failures_chip").set_value(chip)
    pages.fine(sample.run())
    assert _rows(sample) == rows


def test_all_items_are_paged_by_100(sample):
    _widget(sample.button_group, "failures_chip").set_value("All")
    pages.fine(sample.run())
    first = pages.clickable(sample, "failures_list")
    sample.session_state["keep:failures page"] = 2
    pages.fine(sample.run())
    second = pages.clickable(sample, "failures_list")
    assert (first.count("data-row"), second.count("data-row")) == (100, 24)
    assert "101 – 124 of 124" in pages.html(sample)


def test_the_threshold_moves_items_into_near_miss(sample):
    _widget(sample.button_group, "failures_chip").set_value("Near miss")
    _widget(sample.number_input, "failures_near").set_value(0.5)
    pages.fine(sample.run())
    assert _rows(sample) > 6
    assert "F1 ≥ 0.5" in _said(sample)


def test_a_search_finds_plain_text(sample):
    _widget(sample.text_input, "failures_text").set_value("mozart")
    pages.fine(sample.run())
    assert 0 < _rows(sample) < 10
    assert "has “mozart”" in _said(sample)


def test_a_regular_expression_finds_and_a_bad_one_is_an_inline_error(sample):
    _widget(sample.checkbox, "failures_pattern").set_value(True)
    _widget(sample.text_input, "failures_text").set_value("^(?i)en-00[12]$".replace("^(?i)", "(?i)^"))
    pages.fine(sample.run())
    assert _rows(sample) == 2
    _widget(sample.text_input, "failures_text").set_value("([a-z")
    pages.fine(sample.run())
    assert "malformed" in pages.html(sample)
    assert _widget(sample.text_input, "failures_text").value == "([a-z"
    _widget(sample.checkbox, "failures_pattern").set_value(False)
    pages.fine(sample.run())
    assert "No item is in this filter" in pages.html(sample)


def test_the_order_turns_the_list(sample):
    high = pages.clickable(sample, "failures_list")
    _widget(sample.selectbox, "failures_order").set_value("f1_low")
    pages.fine(sample.run())
    assert pages.clickable(sample, "failures_list") != high
    assert "F1, low first" in pages.html(sample)


@pytest.mark.parametrize(
    ("selection", "said", "rows"),
    [
        (Selection(rows=(3, 1, 2), label="3 items that <b>moved</b>"), "3 items that &lt;b&gt;moved&lt;/b&gt;", 3),
        (Selection(f1=F1Range(0.0, 0.0), buckets=EM_0), "F1 = 0", 52),
        (Selection(buckets=("near_miss", "miss")), "near miss", 58),
    ],
)
def test_a_link_shows_its_items(monkeypatch, selection, said, rows):
    app = pages.opened(PAGE, monkeypatch, run="sample-bruno", show=selection.to_json())
    assert said in _said(app)
    assert _rows(app) == rows


def test_the_list_outside_explicit_rows_is_one_click_away(monkeypatch):
    app = pages.opened(PAGE, monkeypatch, run="sample-bruno", show=Selection(rows=(3, 1), label="2 items").to_json())
    next(button for button in app.button if button.key == "failures_drop_rows").click()
    pages.fine(app.run())
    assert _rows(app) == 100


def test_side_by_side_shows_both_strings(sample):
    _widget(sample.button_group, "keep:failures view").set_value("Side by side")
    pages.fine(sample.run())
    assert pages.clickable(sample, "failures_list").count("wm-two") == 83


def test_hostile_texts_show_as_typed(monkeypatch):
    app = pages.opened(PAGE, monkeypatch, run=pages.typed_run())
    _widget(app.button_group, "failures_chip").set_value("All")
    pages.fine(app.run())
    shown = pages.html(app)
    assert "<script" not in shown
    assert "<img" not in shown
    for text in pages.TYPED:
        assert escape(text.split("\n")[0]) in shown


def test_a_page_of_long_answers_stays_under_a_megabyte(monkeypatch):
    items = [{"id": str(number), "prediction": "The Quick, brown fox. " * 900, "references": ["fox"]} for number in range(100)]
    app = pages.opened(PAGE, monkeypatch, run=pages.kept(items))
    assert _rows(app) == 100
    assert len(pages.clickable(app, "failures_list").encode()) < 1_000_000


@pytest.mark.parametrize("preset", ["dpr_nq_em", "longbench_qa_f1"])
def test_settings_without_em_or_f1_show_a_dash(monkeypatch, preset):
    app = pages.opened(PAGE, monkeypatch, run="sample-bruno", preset=preset, show=Selection(rows=(0, 1, 2), label="three").to_json())
    assert _rows(app) == 3
    assert "nan" not in pages.clickable(app, "failures_list")


def _downloads(app):
    return {button.proto.label: button.proto.disabled for button in app.get("download_button")}


def test_files_with_reasons_wait_for_them_and_show_how_far_they_are(sample, monkeypatch):
    _widget(sample.checkbox, "keep:downloads explained").set_value(True).run()
    assert _downloads(sample) == {f"{kind} of 83": False for kind in ("CSV", "JSONL", "Parquet", "Excel")}
    shown = []
    monkeypatch.setattr("pages.ui.downloads.reasons.diagnosis", lambda: None)
    monkeypatch.setattr("pages.ui.downloads.reasons.progress", lambda: shown.append("progress"))
    sample.run()
    assert (set(_downloads(sample).values()), set(shown)) == ({True}, {"progress"})
    _widget(sample.checkbox, "keep:downloads explained").set_value(False).run()
    assert set(_downloads(sample).values()) == {False}
