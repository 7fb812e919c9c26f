"""The Presets page: all presets on a run, two of them against each other."""

import re
from html import escape

import pytest
from streamlit.testing.v1 import AppTest

import evalcore
from evalcore.analysis.preset_table import disagreement
from evalcore.data import sample as load_sample
from evalcore.scoring.presets import finding
from tests import pages
from tests.app import PAGES, ROOT, html, markdown, page, press, sample


def names(at: AppTest) -> list[str]:
    return re.findall(r'role="rowheader" title="([^:"]+):', html(at))


def ledger(at: AppTest) -> dict[str, int]:
    shown = pages.clickable(at, "presets_kinds")
    found = re.findall(r'wm-fig">([\d,]+)</span><span class="wm-under">(?:<span[^>]*>)?([^<]+)', shown)
    return {name: int(number.replace(",", "")) for number, name in found}


def test_without_a_run_one_hint_leads_home() -> None:
    at = page("Presets")
    assert not at.exception
    assert "Nothing is loaded yet" in html(at)
    assert "wm-forest" not in html(at)


def test_presets_that_suit_the_data_are_shown_with_their_numbers() -> None:
    at = sample("Presets")
    assert not at.exception
    assert {"squad_v1", "squad_v2", "popqa", "raw"} <= set(names(at))
    shown = pages.clickable(at, "presets_forest")
    for name in ("squad_v1", "squad_v2", "raw"):
        assert f"<b>{100 * evalcore.score(load_sample().datasets[1], preset=name).summary().em:.2f}</b>" in shown
    assert "containment" in shown
    assert "points are the choice of the scorer" in html(at)


def test_all_scorers_of_question_answering_can_be_shown() -> None:
    at = sample("Presets")
    at.segmented_control(key="keep:presets which").set_value("all").run(timeout=300)
    assert not at.exception
    expected = {preset.name for preset in finding.question_answering() if not preset.missing_resources}
    assert expected == set(names(at))
    assert not [button for button in at.button if button.label in ("Cancel", "Go on")]


def test_a_stopped_run_says_how_much_is_left_and_goes_on() -> None:
    token = pages.kept([{"id": str(number), "prediction": f"stopped {number}", "references": ["stopped 1"]} for number in range(3)])
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.query_params["run"] = token
    at.session_state["whymiss_kept"] = {"presets stopped": True}
    at.switch_page(PAGES["Presets"]).run()
    assert not at.exception
    assert re.search(r"Stopped: (\d) of \1 presets are not scored yet", html(at))
    assert not names(at)
    at = press(at, "Go on")
    assert not at.exception
    assert "squad_v1" in names(at)
    assert "Stopped" not in html(at)


def test_changed_settings_stand_beside_the_preset_they_come_from() -> None:
    steps = '{"steps": [{"step": "lower"}], "rules": {}}'
    at = sample("Presets", preset="squad_v1", steps=steps)
    assert not at.exception
    assert names(at).count("squad_v1") == 2
    assert "changed:" in pages.clickable(at, "presets_forest")
    first, second = (next(box for box in at.selectbox if box.label == label) for label in ("First", "Second"))
    assert first.value != second.value


def test_the_lists_count_as_the_core_and_the_trace_is_of_a_listed_item() -> None:
    data = load_sample().datasets[1]
    at = sample("Presets")
    next(box for box in at.selectbox if box.label == "Second").set_value("raw").run()
    assert not at.exception
    found = disagreement(evalcore.score(data, preset="squad_v1"), evalcore.score(data, preset="raw"))
    counted = ledger(at)
    assert counted["right under SQuAD v1.1 alone"] == len(found.first)
    assert counted["right under Raw strings alone"] == len(found.second)
    assert counted["the same under both"] == found.agreed
    listed = re.findall(r'data-go="(\d+)"', pages.clickable(at, "presets_items"))
    assert set(map(int, listed)) <= set(found.first.tolist())
    assert f"item {data.ids[int(listed[0])]}" in html(at)
    assert "wm-pair" in html(at)


def test_the_items_open_on_failures_as_explicit_rows() -> None:
    data = load_sample().datasets[1]
    found = disagreement(evalcore.score(data, preset="squad_v1"), evalcore.score(data, preset="raw"))
    at = sample("Presets")
    next(box for box in at.selectbox if box.label == "Second").set_value("raw").run()
    at = press(at, "Open these")
    assert not at.exception
    assert at.session_state["whymiss"]["selection"].rows == tuple(found.first.tolist())


def test_presets_that_agree_say_so() -> None:
    at = sample("Presets")
    at.segmented_control(key="keep:presets which").set_value("own").run()
    at.multiselect[0].set_value(["squad_v1", "hf_squad"]).run()
    assert "The two agree on every one of the 124 items" in html(at)


@pytest.mark.parametrize("second", ["raw", "popqa"])
def test_hostile_texts_show_as_typed(second: str) -> None:
    at = page("Presets", run=pages.typed_run())
    at.segmented_control(key="keep:presets which").set_value("own").run()
    at.multiselect[0].set_value(["squad_v1", second]).run()
    assert not at.exception
    shown = html(at)
    assert "<script" not in shown
    assert "<img" not in shown
    for text in pages.TYPED:
        assert text not in markdown(at)
    assert any(escape(text) in shown for text in pages.TYPED)
