"""The extraction part of the lab: the table of settings, the lists, one click adopts, hostile texts, work beside the page."""

from html import escape

import pytest

from evalcore.analysis.extraction import SETTINGS, candidates_of, found_nothing, several_candidates, try_settings, with_extraction
from evalcore.data.read import sample
from evalcore.scoring.score import score
from evalcore.text.pipeline import Pipeline
from pages.ui import work
from pages.ui.store import kept_works
from tests import pages

PAGE = "4_Normalization"
OUTPUTS = [
    {"id": "one", "prediction": "First 3, then 4.", "references": ["4"]},
    {"id": "two", "prediction": "7 and 9 make 16", "references": ["16"]},
    {"id": "three", "prediction": "no idea", "references": ["5"]},
    {"id": "four", "prediction": "12", "references": ["12"]},
]


def _widget(kind, key):
    return next(element for element in kind if element.key == key)


def _view(app, name):
    _widget(app.segmented_control, "keep:lab view").set_value(name)
    return pages.fine(app.run())


def _opened(monkeypatch, items, **query):
    return _view(pages.opened(PAGE, monkeypatch, run=pages.kept(items), preset="squad_v1", **query), "Extraction")


def test_the_table_says_what_each_extraction_rescues(monkeypatch):
    app = _opened(monkeypatch, OUTPUTS)
    assert "<b>last number</b> rescues 2 items: EM 75.00, now 25.00" in pages.html(app)
    shown = pages.clickable(app, "extraction_settings")
    assert all(escape(setting.name) in shown for setting in SETTINGS)
    last = shown.split("<b>last number</b>")[1].split("</tr>")[0]
    assert "+50.00" in last
    assert ">2</span>" in last
    assert ">use</span>" in last
    assert "✓ in force" in shown.split("<b>nothing cut</b>")[1].split("</tr>")[0]


def test_lists_of_the_extraction_in_force_show_the_cut(monkeypatch):
    run = pages.kept(OUTPUTS)
    settings = with_extraction(score(["x"], [["x"]]).preset, next(setting.steps for setting in SETTINGS if setting.name == "first number"))
    app = pages.opened(PAGE, monkeypatch, run=run, preset="squad_v1", steps=settings.to_json())
    app = _view(app, "Extraction")
    assert "three" in pages.clickable(app, "extraction_nothing")
    assert "List 1 item" in pages.clickable(app, "extraction_nothing")
    assert "✕ nothing found" in pages.clickable(app, "extraction_nothing")
    lost = pages.clickable(app, "extraction_lost")
    assert 'First 3, then <mark class="wm-answer">4</mark>.' in lost
    assert 'First <mark class="wm-answer">3</mark>, then 4.' in lost
    assert "two" in pages.clickable(app, "extraction_several")
    assert "four" not in pages.clickable(app, "extraction_lost")


def test_a_marker_in_the_place_of_an_answer_is_no_cut(monkeypatch):
    app = pages.opened(PAGE, monkeypatch, run=pages.kept(OUTPUTS), preset="lm_eval.gsm8k.strict-match")
    shown = pages.clickable(_view(app, "Extraction"), "extraction_nothing")
    assert "wm-answer" not in shown
    assert shown.count("✕ nothing found") == 4


def test_the_rows_behind_a_number_are_as_many_as_it_says():
    scores = score(sample().datasets[1])
    for result in try_settings(scores):
        other = score(scores.dataset, preset=with_extraction(scores.preset, result.setting.steps))
        if not result.setting.steps:
            continue
        found = [candidates_of(text, Pipeline(result.setting.steps)) for text in scores.dataset.predictions if text is not None]
        assert len(found_nothing(other)) == result.nothing == sum(texts == () for texts in found), result.setting.name
        assert len(several_candidates(other)) == result.several, result.setting.name


@pytest.mark.parametrize("text", pages.TYPED)
def test_hostile_outputs_show_as_typed(monkeypatch, text):
    items = [{"id": text, "prediction": f"{text} 5", "references": [text]}, {"id": "b", "prediction": f"4 {text} 5", "references": ["4"]}]
    shown = pages.html(_opened(monkeypatch, items))
    assert "<script" not in shown
    assert "<img" not in shown
    assert escape(text.split("\n")[0]) in shown


def test_work_on_a_large_file_runs_beside_the_page_and_can_be_stopped(monkeypatch):
    monkeypatch.setattr(work, "AT_ONCE_ITEMS", 1)
    app = _opened(monkeypatch, [*OUTPUTS, {"id": "five", "prediction": "x 5", "references": ["5"]}])
    for job in work.jobs():
        job.thread.join()
    pages.fine(app.run())
    assert "rescues 3 items" in pages.html(app)


def test_work_whose_finding_had_to_make_room_begins_again(monkeypatch):
    monkeypatch.setattr(work, "AT_ONCE_ITEMS", 1)
    app = _opened(monkeypatch, [*OUTPUTS, {"id": "seven", "prediction": "x 7", "references": ["7"]}])
    for job in work.jobs():
        job.thread.join()
    kept_works().kept.clear()
    pages.fine(app.run())
    for job in work.jobs():
        job.thread.join()
    pages.fine(app.run())
    assert "rescues 3 items" in pages.html(app)


def test_work_that_was_stopped_says_so_and_begins_again(monkeypatch):
    monkeypatch.setattr(work, "AT_ONCE_ITEMS", 1)
    with work._shop().turn:
        app = _opened(monkeypatch, [*OUTPUTS, {"id": "six", "prediction": "x 6", "references": ["6"]}])
        assert any(button.key == "work_stop_extraction" for button in app.button)
        _widget(app.button, "work_stop_extraction").click()
        pages.fine(app.run())
    assert "Trying other extractions: stopped." in pages.html(app)
    _widget(app.button, "work_again_extraction").click()
    pages.fine(app.run())
    for job in work.jobs():
        job.thread.join()
    pages.fine(app.run())
    assert "rescues 3 items" in pages.html(app)
