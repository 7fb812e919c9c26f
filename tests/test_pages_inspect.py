"""The Inspect page: the trace of one item, its neighbours, its references, and hostile text."""

from html import escape

import pytest

from evalcore.analysis.selection import Selection
from tests import pages

PAGE = "3_Inspect"


def _open(monkeypatch, item, **query):
    return pages.opened(PAGE, monkeypatch, run="sample-bruno", item=str(item), **query)


def _button(app, key):
    return next(button for button in app.button if button.key == key)


def test_with_nothing_loaded_there_is_one_hint(monkeypatch):
    assert "Nothing is loaded yet" in pages.html(pages.opened(PAGE, monkeypatch))


def test_an_item_shows_raw_and_normalized_steps_tokens_and_references(monkeypatch):
    shown = pages.html(_open(monkeypatch, 0))
    for part in ("en-001", "Curie", "Normalized", "Removed or changed by", "Lower", "P = 2/2 = 1", "All references", "Near miss", "✕ EM 0"):
        assert part in shown


def test_previous_and_next_walk_the_filter(monkeypatch):
    app = _open(monkeypatch, 5, show=Selection(rows=(5, 9, 2), label="three", order="file").to_json())
    assert "1 of 3 · three" in pages.html(app)
    assert _button(app, "inspect_before").disabled
    pages.fine(_button(app, "inspect_after").click().run())
    assert "2 of 3 · three" in pages.html(app)
    assert app.query_params["item"] == "9"
    pages.fine(_button(app, "inspect_after").click().run())
    assert _button(app, "inspect_after").disabled
    pages.fine(_button(app, "inspect_before").click().run())
    assert app.query_params["item"] == "9"


def test_the_buttons_have_their_keys(monkeypatch):
    app = _open(monkeypatch, 5)
    assert [_button(app, key).proto.shortcut.upper() for key in ("inspect_before", "inspect_after")] == ["K", "J"]


def test_an_item_outside_the_filter_is_shown_and_says_so(monkeypatch):
    assert "not among the 1 item of" in pages.html(_open(monkeypatch, 3, show=Selection(rows=(7,)).to_json()))


def test_without_an_item_the_first_of_the_filter_opens(monkeypatch):
    app = pages.opened(PAGE, monkeypatch, run="sample-bruno", show=Selection(rows=(7, 8), order="file").to_json())
    assert app.query_params["item"] == "7"


def test_an_empty_filter_gives_a_hint(monkeypatch):
    app = pages.opened(PAGE, monkeypatch, run="sample-bruno", show=Selection(text="nowhere to be found").to_json())
    assert "No item is in the filter" in pages.html(app)


@pytest.mark.parametrize("view", ["None", "Word", "Character"])
def test_the_differences_can_be_seen_by_word_by_character_or_not(monkeypatch, view):
    app = _open(monkeypatch, 1)
    next(group for group in app.button_group if group.key == "keep:inspect view").set_value(view)
    pages.fine(app.run())
    card = next(str(element.value) for element in app.main if element.type == "html" and "wm-pair" in str(element.value))
    assert ("wm-ins" in card) is (view != "None")


def test_another_reference_can_be_traced(monkeypatch):
    app = pages.opened(PAGE, monkeypatch, run=pages.kept([{"id": "1", "prediction": "big cat", "references": ["dog", "big cats", "cat"]}]), item="0")
    assert "Best reference · 1 of 3" in pages.html(app)
    app.session_state["keep:inspect reference"] = (0, 0)
    pages.fine(app.run())
    assert "Reference · 3 of 3" in pages.html(app)
    assert pages.clickable(app, "inspect_refs").count("★") == 1


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ({"prediction": None, "references": ["x"]}, "not scored: no prediction"),
        ({"prediction": "x", "references": []}, "not scored: no references"),
        ({"prediction": "", "references": ["x"]}, "The prediction has no tokens"),
        ({"prediction": "the", "references": ["a"]}, "Both sides have no tokens"),
    ],
)
def test_what_cannot_be_scored_or_is_empty_says_why(monkeypatch, item, said):
    token = pages.kept([{"id": "0", "prediction": "y", "references": ["y"]}, {"id": "1", **item}])
    assert said in pages.html(pages.opened(PAGE, monkeypatch, run=token, item="1"))


@pytest.mark.parametrize("item", range(len(pages.TYPED)))
def test_hostile_texts_show_as_typed(monkeypatch, item):
    shown = pages.html(pages.opened(PAGE, monkeypatch, run=pages.typed_run(), item=str(item)))
    assert "<script" not in shown
    assert "<img" not in shown
    assert escape(pages.TYPED[item].split("\n")[0]) in shown


def test_an_answer_of_20000_characters_stays_small(monkeypatch):
    token = pages.kept([{"id": "1", "prediction": ("The Quick, brown\u00a0fox. " * 900)[:20_000], "references": ["fox"], "question": "Who? " * 400}])
    app = pages.opened(PAGE, monkeypatch, run=token, item="0")
    assert "more changes" in pages.html(app)
    assert len(pages.html(app).encode()) < 1_000_000


def test_a_pattern_that_runs_away_is_told_and_the_strings_are_shown(monkeypatch):
    steps = '{"steps":[{"step":"replace_pattern","parameters":{"pattern":"(a|a)*(a|a)*c$|(a+)+d$"}}],"rules":{}}'
    token = pages.kept([{"id": "1", "prediction": "a" * 60 + "b", "references": ["x"]}])
    app = pages.opened(PAGE, monkeypatch, run=token, item="0", preset="squad_v1", steps=steps)
    assert "did not finish" in pages.html(app)
    assert "a" * 60 in pages.html(app)


@pytest.mark.parametrize(("preset", "said"), [("dpr_nq_em", "have no F1"), ("longbench_qa_f1", "F1 1.00")])
def test_settings_without_em_or_f1_say_what_there_is(monkeypatch, preset, said):
    shown = pages.html(_open(monkeypatch, 0, preset=preset))
    assert said in shown
    assert ">nan<" not in shown
    assert "EM nan" not in shown


def test_the_step_that_shows_a_reason_is_named_by_its_title(monkeypatch):
    items = [{"id": "a", "prediction": "four", "references": ["4"]}, {"id": "b", "prediction": "x", "references": ["x"]}]
    shown = pages.html(pages.opened(PAGE, monkeypatch, run=pages.kept(items), item="0"))
    assert '<span class="wm-state">Read number words</span>' in shown
