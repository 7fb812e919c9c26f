"""Label sets on Overview and Report: found by themselves or given, every number with its items, nothing where there are none."""

from html import escape

import pytest

from evalcore.data.read import load
from pages.ui.store import Run, content_key, kept_runs, new_token
from tests import pages
from tests.shared import shared

PAGE, REPORT = "1_Overview", "8_Report"
YES_NO = [
    {"id": f"item {number}", "prediction": prediction, "references": [reference]}
    for number, (prediction, reference) in enumerate(
        [("yes", "yes"), ("Yes.", "yes"), ("no", "yes"), ("maybe", "yes"), ("It is no.", "no"), ("yes", "yes")] + [("no", "no")] * 6
    )
]
CHOICES = [
    {"id": str(number), "prediction": prediction, "references": [reference], "options": ["red", "green", "blue"]}
    for number, (prediction, reference) in enumerate([("B", "B"), ("C", "B"), ("D", "C"), ("the answer is C", "C")])
]


def _widget(kind, key):
    return next(element for element in kind if element.key and element.key.startswith(key))


def _opened(monkeypatch, items, page=PAGE, **query):
    return pages.opened(page, monkeypatch, run=pages.kept(items), preset="squad_v1", **query)


def test_labels_of_few_references_suggest_themselves(monkeypatch):
    app = _opened(monkeypatch, YES_NO)
    assert _widget(app.selectbox, "keep:labels").value == "references"
    shown = pages.clickable(app, "labels_figures")
    assert ">75.00<" in shown, "strict accuracy: 9 of 12"
    assert "9 of 12" in shown
    assert "9 of 10" in shown, "accuracy of valid predictions"
    assert ">2</span> of 12" in shown, "invalid predictions"
    strip = pages.html(app)
    assert '<div class="wm-label">Invalid</div><div class="wm-fig">16.67</div>' in strip


def test_every_cell_of_the_matrix_has_its_count_and_its_items(monkeypatch):
    app = _opened(monkeypatch, YES_NO)
    matrix = pages.clickable(app, "labels_matrix")
    rows = [row.split("</tr>")[0] for row in matrix.split('<th scope="row"')[1:]]
    counts = [[part.split("<")[0] for part in row.replace('<td class="wm-zero">0', ">0<").split(">") if part.split("<")[0].isdigit()] for row in rows]
    assert counts == [["6", "0", "1", "7"], ["1", "3", "1", "5"]], "no, yes: no, yes, invalid, all"
    assert 'data-go="1:0"' in matrix
    assert 'data-go="0:-1"' in matrix


def test_em_of_every_label_stands_with_its_interval(monkeypatch):
    forest = pages.clickable(_opened(monkeypatch, YES_NO), "labels_forest")
    assert "EM 60.0 (" in forest, "yes: 3 of 5"
    assert "EM 85.7 (" in forest, "no: 6 of 7"


def test_options_of_a_column_come_first_and_the_step_that_cuts_letters_is_offered(monkeypatch):
    app = _opened(monkeypatch, CHOICES)
    assert _widget(app.selectbox, "keep:labels").value == "column:options"
    shown = pages.clickable(app, "labels_figures")
    assert "3 labels from the column options, by letter" in shown
    assert ">2</span> of 4" in shown, "D is not among three options, and a sentence is no letter"
    assert 'data-go="cut:first"' in shown


def test_a_step_that_deletes_a_label_is_named(monkeypatch):
    app = _opened(monkeypatch, [{**CHOICES[0], "references": ["A"]}, *CHOICES])
    assert "The steps leave nothing of “A”, so an empty answer counts as this label" in pages.clickable(app, "labels_figures")


def test_a_list_of_my_own(monkeypatch):
    app = _opened(monkeypatch, YES_NO)
    _widget(app.selectbox, "keep:labels").set_value("own")
    pages.fine(app.run())
    assert "Labels: is every answer one of a few?" in [expander.label for expander in app.expander], "no list yet"
    _widget(app.text_area, "keep:own labels").set_value("yes | no | maybe")
    pages.fine(app.run())
    assert ">1</span> of 12" in pages.clickable(app, "labels_figures"), "maybe is a label now"
    assert app.query_params["labels"] in ("yes | no | maybe", ["yes | no | maybe"])


def test_labels_stand_in_the_link(monkeypatch):
    app = _opened(monkeypatch, YES_NO, labels="yes\nno\nmaybe")
    assert "3 labels from your list" in pages.clickable(app, "labels_figures")
    app = _opened(monkeypatch, YES_NO, labels="none")
    assert not any(element.key == "labels_figures" for element in app.get("bidi_component"))


def test_bad_labels_are_refused_in_words(monkeypatch):
    app = _opened(monkeypatch, YES_NO, labels="yes | Yes.")
    assert escape("the labels 'yes' and 'Yes.' are equal after the steps of squad_v1") in pages.html(app)


def test_free_answers_have_no_labels_but_an_offer(monkeypatch):
    app = pages.opened(PAGE, monkeypatch, run="sample-bruno")
    assert not any(element.key == "labels_figures" for element in app.get("bidi_component"))
    assert _widget(app.selectbox, "keep:labels").value == "none"
    assert '<div class="wm-label">Empty</div>' in pages.html(app)


def test_every_answer_invalid_has_no_accuracy_of_valid_ones(monkeypatch):
    app = _opened(monkeypatch, [{"id": "a", "prediction": "perhaps", "references": ["yes"]}], labels="yes, no")
    assert "0 of 0" in pages.clickable(app, "labels_figures")


def test_labels_go_into_the_report_and_its_command(monkeypatch):
    app = _opened(monkeypatch, CHOICES, page=REPORT)
    assert any("--labels column:options" in code.value for code in app.code)


@pytest.mark.parametrize("text", pages.TYPED)
def test_hostile_labels_show_as_typed(monkeypatch, text):
    items = [{"id": f"{n}", "prediction": text, "references": [text if n % 2 else "other"], "choices": [text, "other"]} for n in range(4)]
    shown = pages.html(_opened(monkeypatch, items))
    assert "<script" not in shown
    assert "<img" not in shown
    assert escape(text.split("\n")[0], quote=True) in shown


def test_the_classes_of_a_real_file(monkeypatch):
    file = shared("data", "viridisGreen+LongBench", "pred", "llama2-7b-chat-4k", "trec.jsonl")
    loaded = load(file)
    run = Run(content_key(loaded.datasets[0]), new_token(), file.name, "", loaded.datasets[0], loaded.reports[0])
    kept_runs().put(run.token, run, 1)
    steps = '{"steps":[{"step":"take_line"},{"step":"lower"}],"rules":{}}'
    app = pages.opened(PAGE, monkeypatch, run=run.token, preset="squad_v1", steps=steps)
    shown = pages.clickable(app, "labels_figures")
    assert ">64.50<" in shown
    assert ">12</span> of 200" in shown
    assert any(element.key == "labels_pairs" for element in app.get("bidi_component"))
