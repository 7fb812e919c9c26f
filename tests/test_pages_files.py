"""Home, several files at once: which belong together, and which are looked at."""

import json
from html import escape

import pytest
from streamlit.testing.v1 import AppTest

from tests.app import ONE_FILE, PREDICTIONS, REFERENCES, box, html, page, press, upload
from tests.test_data_archives import zipped
from tests.workbooks import ods


@pytest.fixture
def home() -> AppTest:
    return page("Home")


def test_several_prediction_files_share_one_references_file(home: AppTest) -> None:
    at = upload(home, ("a.json", PREDICTIONS), ("b.json", PREDICTIONS.replace(b"answer 3", b"wrong")), ("gold.jsonl", REFERENCES))
    at = press(at, "Score 16 items")
    assert not at.exception
    assert "<b>a.json</b>" in html(at)
    assert "<b>b.json</b>" in html(at)


def test_the_predictions_to_look_at_stay_when_another_file_is_removed(home: AppTest) -> None:
    """The choice goes with the file, not with its place; files of one name are told apart, and what the browser shows is sent anew."""
    at = upload(home, ("a.json", PREDICTIONS), ("b.json", PREDICTIONS), ("b.json", PREDICTIONS), ("gold.jsonl", REFERENCES))
    assert box(at, "Predictions to look at").options == ["a.json", "b.json (2)", "b.json (3)"]
    at = box(at, "Predictions to look at").set_value(3).run()
    assert not box(at, "Predictions to look at").proto.set_value
    at.session_state["whymiss_tray"].remove(2)
    at = at.run()
    assert not at.exception
    shown = box(at, "Predictions to look at")
    assert (shown.value, shown.proto.raw_value) == (3, "b.json")


def test_the_system_is_named_as_in_the_file_to_look_at(home: AppTest) -> None:
    rows = [json.dumps({"id": "1", "answers": ["x"], **{f"answer_{name}": "x" for name in names}}) + "\n" for names in ("ab", "cd")]
    at = upload(home, ("one.jsonl", rows[0].encode()), ("two.jsonl", rows[1].encode()))
    assert box(at, "System").options == ["a", "b"]
    at = box(at, "Predictions to look at").set_value(2).run()
    assert box(at, "System").proto.raw_value == "c"


def test_the_files_of_one_archive_are_files_of_their_own(home: AppTest) -> None:
    at = upload(home, ("runs.zip", zipped({"gold.jsonl": REFERENCES, "pred.json": PREDICTIONS})))
    assert "runs.zip/pred.json" in html(at)
    assert "paired by id" in html(at)
    assert "<h1>Overview</h1>" in html(press(at, "Score 8 items"))


def test_two_systems_in_one_archive_become_two_runs(home: AppTest) -> None:
    at = upload(home, ("runs.zip", zipped({"a.jsonl": ONE_FILE.encode(), "b.jsonl": ONE_FILE.replace("the answer 3", "wrong").encode()})))
    at = press(at, "Score 16 items")
    assert not at.exception
    assert "runs.zip/a.jsonl" in html(at)
    assert "runs.zip/b.jsonl" in html(at)


def test_another_sheet_of_a_workbook_can_be_chosen(home: AppTest) -> None:
    rows = [["id", "prediction", "references"], ["1", "first", "x"]]
    at = upload(home, ("a.ods", ods({"One": rows, "Two": [rows[0], ["1", "second", "x"], ["2", "third", "x"]]})))
    assert "first" in html(at)
    at = next(box for box in at.selectbox if box.label.startswith("Sheet of")).select("Two").run()
    assert not at.exception
    assert "Score 2 items" in [button.label for button in at.button]
    assert escape("of 2 sheets 'Two' was read") in html(at)
