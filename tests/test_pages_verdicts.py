"""Verdicts on Inspect, and on Judge the settings that agree best with people."""

from html import escape

import pytest
from streamlit.testing.v1 import AppTest

import evalcore
from evalcore.analysis.agreement import agreement_by_setting
from evalcore.analysis.measures import MEASURES, measured_item
from evalcore.analysis.verdicts import VERDICTS
from evalcore.data import sample as load_sample
from evalcore.judging import Store, judgement_of
from evalcore.judging.store import VARIABLE
from pages.ui.store import kept_runs
from tests import pages
from tests.app import html, markdown, page, press, sample

BRUNO = load_sample().datasets[1]
LABELLED = [
    {"id": str(number), "prediction": text, "references": ["cat"], "label": label}
    for number, (text, label) in enumerate([("The cat", "right"), ("cat", "right"), ("dog", "wrong"), ("a Cat!", "right"), ("cats", "wrong")] * 8)
]


def verdict_buttons(at: AppTest) -> list[str]:
    return [button.label for button in at.button if button.proto.shortcut in {"1", "2", "3", "4"}]


def test_an_open_item_is_judged_with_keys_tag_and_note(kept: Store) -> None:
    at = sample("Inspect", item="7")
    assert verdict_buttons(at) == ["Right", "Wrong", "Unsure", "Reference is wrong"]
    at.text_input(key="keep:judge author").set_value("Ada").run()
    at.selectbox(key="inspect7_tag").set_value("another right answer").run()
    at.text_input(key="inspect7_note").set_value("fine").run()
    at = pages.fine(press(at, "Right"))
    (told,) = kept.history()
    assert (told.item_id, told.verdict, told.author, told.tag, told.note) == (BRUNO.ids[7], "right", "Ada", "another right answer", "fine")
    assert told.signature == evalcore.preset("squad_v1").signature
    assert at.query_params["item"] in ("7", ["7"])
    assert "<td>Right</td>" in html(at)
    assert at.text_input(key="inspect7_note").value == ""


def test_verdicts_made_on_inspect_stand_on_judge(kept: Store) -> None:
    pages.fine(press(sample("Inspect", item="7"), "Wrong"))
    assert BRUNO.ids[7] in pages.clickable(sample("Judge"), "judge_lately")


def test_a_verdict_can_be_changed_and_taken_back(kept: Store) -> None:
    at = pages.fine(press(sample("Inspect", item="3"), "Right"))
    at = pages.fine(press(at, "Unsure"))
    assert [told.verdict for told in kept.judged(BRUNO).by_row[3]] == ["unsure"]
    at = pages.fine(press(at, "Take my verdict back"))
    assert kept.judged(BRUNO).by_row == {}
    assert kept.count() == 3
    assert "Take my verdict back" not in [button.label for button in at.button]


def test_a_note_meant_for_one_item_is_not_kept_with_the_next(kept: Store) -> None:
    at = sample("Inspect", item="3")
    at.text_input(key="inspect3_note").set_value("of the fourth").run()
    at = pages.fine(press(press(at, "Next"), "Right"))
    (told,) = kept.history()
    assert (told.item_id != BRUNO.ids[3], told.note) == (True, "")


def test_without_a_database_the_item_is_shown_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "nonsense")
    at = pages.fine(sample("Inspect", item="0"))
    assert "no database URL" in html(at)
    assert "All references" in html(at)
    assert verdict_buttons(at) == []


def test_an_item_shows_its_other_measures(kept: Store) -> None:
    shown = html(sample("Inspect", item="2"))
    for name, value in measured_item(evalcore.score(BRUNO, preset="squad_v1"), 2).items():
        assert MEASURES[name].title in shown
        assert f"<b>{100 * value:.1f}</b>" in shown


def test_an_item_without_references_has_no_other_measures(kept: Store) -> None:
    at = page("Inspect", run=pages.kept([{"id": "1", "prediction": "x", "references": []}]), item="0")
    assert html(pages.fine(at)).count("<b>–</b>") >= len(MEASURES)


def test_settings_are_held_against_the_verdicts_when_asked_the_best_first(kept: Store) -> None:
    at = page("Judge", run=pages.kept(LABELLED), preset="raw")
    at.selectbox(key="keep:judge labels").set_value("label").run()
    assert "Which settings agree best" in html(at)
    assert "the first owes to chance" not in html(at)
    at.button_group(key="keep:presets which").set_value("own").run()
    at.multiselect(key="keep:presets chosen").set_value(["squad_v1", "longbench_qa_f1"]).run()
    at = pages.fine(at.toggle(key="keep:judge settings compared").set_value(True).run())
    shown = pages.clickable(at, "judge_settings")
    data = evalcore.Dataset.of([str(item["prediction"]) for item in LABELLED], [["cat"]] * len(LABELLED))
    codes = kept.judged(data).codes.copy()
    codes[:] = [VERDICTS.index(str(item["label"])) for item in LABELLED]
    held = agreement_by_setting(data, [evalcore.preset(name) for name in ("raw", "squad_v1", "longbench_qa_f1")], codes)
    places = [shown.index(escape(row.preset.title)) for row in held]
    assert places == sorted(places)
    assert held[-1].preset.name == "raw"
    for row in held:
        assert row.em is None or f"<b>{row.em.kappa.estimate:.2f}</b>" in shown
    assert "the first owes to chance" in shown
    assert ">nan<" not in shown


def test_hostile_texts_show_as_typed(kept: Store) -> None:
    token = pages.typed_run()
    data = kept_runs().get(token).dataset  # type: ignore[union-attr]
    kept.add(judgement_of(data, 0, "right", author=pages.TYPED[0], tag=pages.TYPED[1], note=pages.TYPED[2]))
    at = pages.fine(page("Inspect", run=token, item="0"))
    shown = html(at)
    assert "<script" not in shown
    assert "<img" not in shown
    for text in pages.TYPED[:3]:
        assert escape(text) in shown
        assert text not in markdown(at)
    assert pages.TYPED[1] in at.selectbox(key="inspect0_tag").options
