"""The Report page: what it offers, and that its numbers are those of the app."""

import re

import pytest
from streamlit.testing.v1 import AppTest

import evalcore
from evalcore.data import sample as sample_data
from evalcore.report.document import report
from evalcore.report.html import as_html
from tests.app import html, page, sample
from tests.pages import fine, kept, opened, typed_run
from tests.test_report import Page

PAGE = "8_Report"


def shown(at: AppTest) -> str:
    return "\n".join(element.value for element in at.code)


def labels(at: AppTest) -> list[str]:
    return [element.proto.label for element in at.get("download_button")]


def test_it_says_how_to_get_the_numbers_again() -> None:
    at = fine(sample("Report", preset="squad_v1"))
    text = shown(at)
    assert evalcore.preset("squad_v1").signature in text
    assert "whymiss score whymiss-items.jsonl --preset squad_v1" in text
    assert "python replay.py whymiss-items.jsonl" in text
    assert "allenai/bi-att-flow squad/evaluate-v1.1.py @ 49004549e9a8" in text
    assert "def score(prediction, references):" in text
    assert '"preset": "squad_v1"' in text


def test_changed_settings_are_reproduced_from_their_file() -> None:
    steps = '{"steps":[{"step":"lower"}],"rules":{}}'
    text = shown(fine(sample("Report", preset="squad_v1", steps=steps)))
    assert "whymiss score whymiss-items.jsonl --settings whymiss-settings.json" in text
    assert "changed: - Delete punctuation" in text


def test_what_no_script_can_say_is_named() -> None:
    if evalcore.preset("longbench_qa_f1_zh").missing_resources:
        pytest.skip("jieba is not installed")
    at = fine(sample("Report", preset="longbench_qa_f1_zh"))
    assert "the tokenizer jieba_words needs jieba" in html(at)
    assert "replay.py" not in shown(at)


def test_every_file_is_offered() -> None:
    assert labels(fine(sample("Report"))) == ["HTML, one file", "Markdown", "JSONL", "CSV", "Parquet", "Excel", "Settings", "Script"]


def test_the_report_has_the_numbers_of_overview() -> None:
    overview = html(fine(sample("Overview", preset="squad_v1")))
    data = next(dataset for dataset in sample_data().datasets if dataset.system == "bruno")
    written = Page(as_html(report(evalcore.score(data, preset="squad_v1")))).text
    summary = evalcore.score(data, preset="squad_v1").summary()
    for value in (summary.em, summary.f1, summary.precision, summary.recall):
        number = f"{100 * value:.2f}"
        assert number in overview
        assert number in written
    totals = re.findall(r"unscored: ([a-z ]+?)(\d+)", written)
    assert sum(int(number) for _, number in totals) == summary.items - summary.scored


def test_choices_stay_when_the_page_is_left() -> None:
    at = fine(sample("Report"))
    fine(at.number_input[0].set_value(5).run())
    at.switch_page("pages/1_Overview.py").run()
    at.switch_page("pages/8_Report.py")
    assert fine(at.run()).number_input[0].value == 5


def test_another_run_can_be_compared_with() -> None:
    at = fine(sample("Report"))
    choose = next(box for box in at.selectbox if box.label == "Compare with")
    assert len(choose.options) > 1
    fine(choose.select_index(1).run())
    assert not at.error


def test_hostile_names_and_texts_are_text(monkeypatch: pytest.MonkeyPatch) -> None:
    at = opened(PAGE, monkeypatch, run=typed_run())
    assert "<script>" not in html(at)
    assert labels(at)


def test_lone_surrogates_in_a_column_name_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    items = [{"id": str(n), "prediction": "a", "references": ["a"], "kind\ud800": word} for n, word in enumerate(("x\ud800", "y", "y", "x\ud800"))]
    at = opened(PAGE, monkeypatch, run=kept(items))
    assert "kind\ufffd" in next(box for box in at.multiselect if box.label == "Groups").options


def test_without_a_run_it_points_to_home() -> None:
    at = fine(page("Report"))
    assert "Nothing is loaded yet" in html(at)
    assert labels(at) == []
