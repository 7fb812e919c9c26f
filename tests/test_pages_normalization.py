"""The Normalization page: steps on the bench, the ledger, the playground, settings in and out, and hostile text."""

import json
from html import escape

import pytest

import evalcore
from tests import pages

PAGE = "4_Normalization"
ARTICLES_OFF = json.dumps({"steps": [{"step": "lower"}, {"step": "delete_punctuation"}, {"step": "squeeze_whitespace"}], "rules": {}})


def _widget(kind, key):
    return next(element for element in kind if element.key == key)


def _toggles(app):
    return [(toggle.label, toggle.value) for toggle in app.toggle]


def _named(app, part):
    return next(toggle for toggle in app.toggle if part in toggle.label)


def _number(app, part):
    return _named(app, part).key.split(":")[1]


def _press(app, key):
    _widget(app.button, key).click()
    return pages.fine(app.run())


def _steps(app):
    return [step.name for step in app.session_state["whymiss"]["settings"].pipeline]


@pytest.fixture
def lab(monkeypatch):
    return pages.opened(PAGE, monkeypatch, run="sample-bruno")


def test_with_nothing_loaded_there_is_one_hint(monkeypatch):
    assert "Nothing is loaded yet" in pages.html(pages.opened(PAGE, monkeypatch))


def test_a_step_that_is_switched_off_keeps_its_place_and_the_ledger_moves(lab):
    _named(lab, "articles").set_value(False)
    pages.fine(lab.run())
    assert [value for _, value in _toggles(lab)] == [True, True, False, True]
    assert _steps(lab) == ["lower", "delete_punctuation", "squeeze_whitespace"]
    ledger = pages.clickable(lab, "ledger")
    assert "−3</span>" in ledger
    assert 'data-go="lost"' in ledger
    assert "was 29.66, −2.54" in ledger
    assert "en-003" in pages.clickable(lab, "moved_Lost")
    assert json.loads(lab.query_params["off"])[0][0] == 2
    _named(lab, "articles").set_value(True)
    pages.fine(lab.run())
    assert _steps(lab) == ["lower", "delete_punctuation", "drop_articles", "squeeze_whitespace"]
    assert "off" not in lab.query_params


def test_a_link_brings_back_the_steps_that_are_off(monkeypatch):
    off = json.dumps([[2, {"step": "drop_articles"}]])
    app = pages.opened(PAGE, monkeypatch, run="sample-bruno", preset="squad_v1", steps=ARTICLES_OFF, off=off)
    assert [value for _, value in _toggles(app)] == [True, True, False, True]


@pytest.mark.parametrize("off", ["", "[", "{}", "[[1]]", '[["x", {}]]', '[[1, {"step": "nothing"}]]', "5"])
def test_a_link_with_broken_steps_opens_without_them(monkeypatch, off):
    assert len(_toggles(pages.opened(PAGE, monkeypatch, run="sample-bruno", off=off))) == 4


def test_steps_stay_off_across_pages(lab):
    _named(lab, "articles").set_value(False)
    pages.fine(lab.run())
    lab.switch_page("pages/2_Failures.py")
    pages.fine(lab.run())
    lab.switch_page("pages/4_Normalization.py")
    pages.fine(lab.run())
    assert [value for _, value in _toggles(lab)] == [True, True, False, True]


def test_steps_move_up_and_down_and_go(lab):
    number = _number(lab, "articles")
    _press(lab, f"lab:{number}:up")
    assert _steps(lab) == ["lower", "drop_articles", "delete_punctuation", "squeeze_whitespace"]
    _press(lab, f"lab:{number}:down")
    assert _steps(lab) == ["lower", "delete_punctuation", "drop_articles", "squeeze_whitespace"]
    _press(lab, f"lab:{number}:remove")
    assert _steps(lab) == ["lower", "delete_punctuation", "squeeze_whitespace"]
    assert _widget(lab.button, f"lab:{_number(lab, 'Lower')}:up").disabled


def test_parameters_and_side_change_the_step(lab):
    number = _number(lab, "punctuation")
    _press(lab, f"lab:{number}:edit")
    _widget(lab.selectbox, f"lab:{number}:p:which").set_value("unicode")
    pages.fine(lab.run())
    _widget(lab.text_input, f"lab:{number}:p:keep").set_value("$*_")
    pages.fine(lab.run())
    _widget(lab.selectbox, f"lab:{number}:p:side").set_value("prediction")
    pages.fine(lab.run())
    step = lab.session_state["whymiss"]["settings"].pipeline.steps[1]
    assert step == evalcore.step("delete_punctuation", "prediction", which="unicode", keep="$*_")


def test_a_bad_pattern_is_an_inline_error_and_the_old_one_stays_in_force(lab):
    _widget(lab.selectbox, "keep:lab add").set_value("replace_pattern")
    pages.fine(lab.run())
    _press(lab, "lab:add")
    number = _number(lab, "pattern")
    field = f"lab:{number}:p:pattern"
    _widget(lab.text_input, field).set_value("metres?")
    pages.fine(lab.run())
    _widget(lab.text_input, field).set_value("([")
    pages.fine(lab.run())
    assert "Not in force" in pages.html(lab)
    assert "malformed" in pages.html(lab)
    assert _widget(lab.text_input, field).value == "(["
    assert dict(lab.session_state["whymiss"]["settings"].pipeline.steps[-1].parameters)["pattern"] == "metres?"
    _widget(lab.text_input, field).set_value("x+")
    pages.fine(lab.run())
    assert "Not in force" not in pages.html(lab)
    _widget(lab.selectbox, f"lab:{number}:p:engine").set_value("re")
    pages.fine(lab.run())
    assert "the engine re has no time limit" in pages.html(lab)
    assert dict(lab.session_state["whymiss"]["settings"].pipeline.steps[-1].parameters)["engine"] == "regex"


def test_words_are_asked_one_a_line(lab):
    _widget(lab.selectbox, "keep:lab add").set_value("drop_words")
    pages.fine(lab.run())
    _press(lab, "lab:add")
    number = _number(lab, "Drop words")
    _widget(lab.text_area, f"lab:{number}:p:words").set_value("approximately\n\n about ")
    pages.fine(lab.run())
    assert dict(lab.session_state["whymiss"]["settings"].pipeline.steps[-1].parameters)["words"] == ("approximately", "about")
    _widget(lab.text_area, f"lab:{number}:p:words").set_value("two words")
    pages.fine(lab.run())
    assert "is not one word" in pages.html(lab)


def test_every_step_of_the_catalogue_can_be_added(lab):
    options = _widget(lab.selectbox, "keep:lab add").options
    for name in ("strip_accents", "normalize_unicode", "space_out_punctuation"):
        _widget(lab.selectbox, "keep:lab add").set_value(name)
        pages.fine(lab.run())
        _press(lab, "lab:add")
        assert _steps(lab)[-1] == name
    assert len(options) > 10


def test_a_preset_a_rule_a_reset_and_a_pin(lab):
    _widget(lab.selectbox, "settings_preset").set_value("raw")
    pages.fine(lab.run())
    assert _steps(lab) == []
    assert "No steps" in pages.html(lab)
    _widget(lab.selectbox, "settings_preset").set_value("squad_v1")
    pages.fine(lab.run())
    _widget(lab.selectbox, "settings_missing").set_value("wrong")
    pages.fine(lab.run())
    assert lab.session_state["whymiss"]["settings"].missing == "wrong"
    assert "missing: wrong" in pages.html(lab)
    _press(lab, "settings_pin")
    assert lab.session_state["whymiss"]["pinned"].missing == "wrong"
    _press(lab, "settings_reset")
    assert lab.session_state["whymiss"]["settings"] == evalcore.preset("squad_v1")
    assert "scored" in pages.clickable(lab, "ledger")


@pytest.mark.parametrize(
    ("pasted", "said"),
    [
        ("", "choose a file or paste settings first"),
        ("{", "no JSON"),
        ("[]", "need the keys"),
        ('{"steps": [{"step": "lowr"}]}', "no step named"),
        ('{"steps": [{"step": "delete_punctuation", "parameters": {"which": "all"}}]}', "one of ascii, unicode, both"),
        ('{"steps": [{"step": "replace_pattern", "parameters": {"pattern": "(["}}]}', "malformed"),
        ('{"steps": [], "rules": {"overlap": "heap"}}', "one of bag"),
        ('{"steps": [], "preset": "<b>x</b>"}', "no preset named"),
    ],
)
def test_settings_that_cannot_be_loaded_say_why_and_change_nothing(lab, pasted, said):
    _widget(lab.text_area, "settings_pasted").set_value(pasted)
    _press(lab, "settings_load")
    assert "Nothing was loaded" in pages.html(lab)
    assert escape(said) in pages.html(lab)
    assert "<b>x</b>" not in pages.html(lab)
    assert lab.session_state["whymiss"]["settings"] == evalcore.preset("squad_v1")


def test_settings_go_out_and_come_back(lab):
    changed = evalcore.preset("squad_spaced").with_steps([evalcore.step("casefold"), evalcore.step("replace_pattern", pattern=r"\$\d+")]).with_rules(empty="v1")
    _widget(lab.text_area, "settings_pasted").set_value(changed.to_json())
    _press(lab, "settings_load")
    assert lab.session_state["whymiss"]["settings"] == changed
    assert "Loaded:" in pages.html(lab)
    assert changed.to_json() in [code.value for code in lab.code]


def test_two_typed_strings_are_traced(lab):
    _widget(lab.text_input, "keep:playground prediction").set_value("C++ (2011)")
    _widget(lab.text_input, "keep:playground reference").set_value("c 2011")
    pages.fine(lab.run())
    assert "✓ EM 1" in pages.html(lab)
    assert "✓ made equal" in pages.html(lab)


@pytest.mark.parametrize("text", pages.TYPED)
def test_hostile_texts_show_as_typed(monkeypatch, text):
    off = json.dumps([[0, {"step": "replace_pattern", "parameters": {"pattern": "x", "replacement": text}}]])
    app = pages.opened(PAGE, monkeypatch, run=pages.typed_run(), preset="raw", off=off)
    _widget(app.text_input, "keep:playground prediction").set_value(text.split("\n")[0])
    pages.fine(app.run())
    shown = pages.html(app)
    assert "<script" not in shown
    assert "<img" not in shown
    assert escape(text.split("\n")[0]) in shown
    label = app.toggle[0].label
    assert ":red[" not in label.replace("\\:red\\[", "")
    assert "**" not in label


def test_hostile_items_that_move_show_as_typed(monkeypatch):
    items = [{"id": text, "prediction": f"the {text}", "references": [text]} for text in pages.TYPED]
    app = pages.opened(PAGE, monkeypatch, run=pages.kept(items), preset="squad_v1", steps=ARTICLES_OFF)
    shown = pages.clickable(app, "moved_Lost")
    assert "<script" not in shown
    assert "<img" not in shown
    assert escape(pages.TYPED[1]) in shown


@pytest.mark.parametrize("preset", ["dpr_nq_em", "longbench_qa_f1"])
def test_settings_without_em_or_f1_say_so_in_the_ledger(monkeypatch, preset):
    ledger = pages.clickable(pages.opened(PAGE, monkeypatch, run="sample-bruno", preset=preset), "ledger")
    assert "not in these settings" in ledger
    assert "nan" not in ledger
