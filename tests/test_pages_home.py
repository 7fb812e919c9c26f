"""Home: from files to runs."""

import json
from html import escape

import pytest
from streamlit.testing.v1 import AppTest

from tests.app import HOSTILE, html, markdown, page, press, query, upload
from tests.shared import shared

ONE_FILE = "".join(
    json.dumps({"id": f"q{n}", "prediction": f"the answer {n}", "answers": [f"answer {n}", "other"], "question": f"Which {n}?"}) + "\n" for n in range(8)
)
PREDICTIONS = json.dumps({f"q{n}": f"answer {n}" for n in range(6)}).encode()
REFERENCES = "".join(json.dumps({"id": f"q{n}", "answers": [f"answer {n}"]}) + "\n" for n in range(2, 10)).encode()


@pytest.fixture
def home() -> AppTest:
    return page("Home")


def strip(at: AppTest) -> str:
    return html(at).split('class="wm-strip"', 1)[1]


def test_empty_home_says_what_can_be_loaded(home: AppTest) -> None:
    assert not home.exception
    assert "What can be loaded" in html(home)
    assert [button.label for button in home.button] == ["Try the sample"]
    assert "12 hours" in html(home)


def test_one_click_opens_the_sample(home: AppTest) -> None:
    at = press(home, "Try the sample")
    assert not at.exception
    assert "<h1>Overview</h1>" in html(at)
    assert "sample.jsonl · anna" in html(at)
    assert "sample.jsonl · bruno" in html(at)
    assert query(at)["run"] == "sample-anna"


def test_one_file_is_understood_and_scored(home: AppTest) -> None:
    at = upload(home, ("mine.jsonl", ONE_FILE.encode()))
    shown = html(at)
    assert "mine.jsonl" in shown
    assert "JSONL" in shown
    assert [at.multiselect[0].value, at.multiselect[1].value] == [["prediction"], ["answers"]]
    at = press(at, "Score 8 items")
    assert not at.exception
    assert '<div class="wm-fig">100.00' in html(at)


@pytest.mark.parametrize("swap", [False, True])
def test_two_files_in_either_order(home: AppTest, swap: bool) -> None:
    files = [("pred.json", PREDICTIONS), ("gold.jsonl", REFERENCES)]
    at = upload(home, *(reversed(files) if swap else files))
    shown = html(at)
    assert "paired by id" in shown
    assert "references without prediction" in shown
    assert "predictions without reference" in shown
    assert 'aria-label="List the 4 rows"' in shown
    assert 'aria-label="List the 2 rows"' in shown
    at = press(at, "Score 8 items")
    assert "4 of 4 exact" in html(at)
    assert "4 no prediction" in html(at)


def test_missing_predictions_can_count_as_wrong(home: AppTest) -> None:
    at = upload(home, ("pred.json", PREDICTIONS), ("gold.jsonl", REFERENCES))
    at.radio[0].set_value("wrong").run()
    at = press(at, "Score 8 items")
    assert "4 of 8 exact" in html(at)
    assert "missing:wrong" in at.code[0].value


def test_a_role_can_be_changed(home: AppTest) -> None:
    rows = "".join(json.dumps({"id": str(n), "prediction": "x", "second": "y", "answers": ["y"]}) + "\n" for n in range(3))
    at = upload(home, ("a.jsonl", rows.encode()))
    at.multiselect[0].set_value(["second"]).run()
    assert "3 of 3 exact" in html(press(at, "Score 3 items"))


def test_without_a_prediction_column_the_page_asks_for_one(home: AppTest) -> None:
    at = upload(home, ("odd.csv", b"alpha,beta\n1,one\n2,two\n"))
    assert not at.exception
    assert "has no column that is clearly" in html(at)
    assert not [button for button in at.button if button.label.startswith("Score")]
    at.multiselect[0].set_value(["alpha"]).run()
    at.multiselect[1].set_value(["beta"]).run()
    assert [button for button in at.button if button.label.startswith("Score 2 items")]


def test_rows_can_be_left_out_and_are_counted(home: AppTest) -> None:
    rows = "".join(json.dumps({"id": str(n), "prediction": "x", "answers": ["x"], "bad": n > 2}) + "\n" for n in range(5))
    at = upload(home, ("a.jsonl", rows.encode()))
    at.selectbox(key=next(box.key for box in at.selectbox if box.label == "keep only rows where")).set_value("bad").run()
    next(field for field in at.text_input if field.label == "is exactly").set_value("false").run()
    assert "rows left out by a condition" in html(at)
    assert [button for button in at.button if button.label.startswith("Score 3 items")]


def test_several_prediction_files_share_one_references_file(home: AppTest) -> None:
    at = upload(home, ("a.json", PREDICTIONS), ("b.json", PREDICTIONS.replace(b"answer 3", b"wrong")), ("gold.jsonl", REFERENCES))
    at = press(at, "Score 16 items")
    assert not at.exception
    assert "<b>a.json</b>" in html(at)
    assert "<b>b.json</b>" in html(at)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("empty.json", b"", "is empty"),
        ("cut.json", b'{"q1": "a", "q2"', "cut.json"),
        ("image.json", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG image"),
        ("none.csv", b"id,prediction,answers\n", "none.csv"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_the_reason(home: AppTest, name: str, content: bytes, told: str) -> None:
    at = upload(home, (name, content))
    assert not at.exception
    assert told in html(at)
    assert 'role="alert"' in html(at)
    assert not [button for button in at.button if button.label.startswith("Score")]


def test_bad_rows_are_listed_and_good_ones_loaded(home: AppTest) -> None:
    at = upload(home, ("a.jsonl", ONE_FILE.encode() + b'{"id": "broken"\n'))
    assert "rows that could not be read" in html(at)
    assert [button for button in at.button if button.label.startswith("Score 8 items")]


def test_files_without_a_common_id_are_told_with_ids_of_both(home: AppTest) -> None:
    at = upload(home, ("pred.json", json.dumps({f"x{n}": "a" for n in range(4)}).encode()), ("gold.jsonl", REFERENCES))
    assert not at.exception
    assert escape("'x0'") in html(at)
    assert escape("'q2'") in html(at)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_texts_show_as_typed(home: AppTest, hostile: str) -> None:
    rows = "".join(json.dumps({hostile: f"{hostile}{n}", "prediction": hostile, "answers": [hostile], "question": hostile}) + "\n" for n in range(3))
    at = upload(home, (f"{hostile.replace('/', '')}.jsonl", rows.encode()), (f"bad {hostile.replace('/', '')}.json", hostile.encode()))
    assert not at.exception
    assert escape(hostile) in html(at)
    if escape(hostile) != hostile:
        assert hostile not in html(at).replace(escape(hostile), "")
    assert hostile not in markdown(at)


def test_lone_surrogates_in_names_and_texts_do_not_break_the_page(home: AppTest) -> None:
    row = '{"id": "1", "a\\ud800b": "x", "prediction": "\\udfff", "answers": ["\\u0000"]}\n'
    at = upload(home, ("a.jsonl", row.encode() * 2))
    assert not at.exception
    assert "\ufffd" in html(at)


def test_choices_survive_a_page_change(home: AppTest) -> None:
    at = upload(home, ("pred.json", PREDICTIONS), ("gold.jsonl", REFERENCES))
    at.radio[0].set_value("wrong").run()
    next(box for box in at.selectbox if box.label == "Preset").set_value("trimmed").run()
    at.switch_page("pages/1_Overview.py").run()
    at.switch_page("app.py").run()
    assert at.radio[0].value == "wrong"
    assert next(box for box in at.selectbox if box.label == "Preset").value == "trimmed"
    assert "pred.json" in html(at)


def test_xquad_gives_the_published_numbers(home: AppTest) -> None:
    data = shared("data", "google-deepmind+xquad", "xquad.en.json")
    answers = shared("data", "rajpurkar+SQuAD-explorer", "models", "1.1", "Logistic Regression Baseline (Stanford University).json")
    at = upload(home, ("xquad.en.json", data.read_bytes()), ("logistic.json", answers.read_bytes()))
    assert 'aria-label="List the 2 rows"' in html(at)
    at = press(at, "Score 1,190 items")
    assert '<div class="wm-fig">34.60' in strip(at)
    assert '<div class="wm-fig">45.93' in strip(at)
    assert "411 of 1,188 exact" in strip(at)


def test_a_loaded_run_starts_from_the_settings_in_force() -> None:
    at = page("Home", run="sample-bruno", preset="squad_spaced")
    assert next(box for box in at.selectbox if box.label == "Preset").value == "squad_spaced"
    assert "Score 124 items" in [button.label for button in at.button]


def test_items_without_reference_suggest_the_preset_that_has_no_answer(home: AppTest) -> None:
    at = upload(home, ("a.jsonl", ONE_FILE.encode() + b'{"id": "q9", "prediction": "", "answers": []}\n'))
    assert next(box for box in at.selectbox if box.label == "Preset").value == "squad_v2"
    assert "Suggested because of items without a reference (1)" in html(at)


def test_a_file_name_suggests_its_preset_and_says_why(home: AppTest) -> None:
    at = upload(home, ("hotpot_dev.jsonl", ONE_FILE.encode()))
    assert next(box for box in at.selectbox if box.label == "Preset").value == "hotpotqa"
    assert "Suggested because the name hotpot_dev.jsonl speaks of HotpotQA" in html(at)
    next(box for box in at.selectbox if box.label == "Preset").set_value("popqa").run()
    assert "HotpotQA was suggested because" in html(at)
    assert "Its number is containment, not exact match" in html(at)
    assert "It has no F1" in html(at)


def test_filters_narrow_the_presets_and_never_change_the_choice(home: AppTest) -> None:
    at = upload(home, ("mine.jsonl", ONE_FILE.encode()))
    everything = len(next(box for box in at.selectbox if box.label == "Preset").options)
    next(box for box in at.selectbox if box.label == "Language").set_value("zh").run()
    next(box for box in at.selectbox if box.label == "Family").set_value("Chinese").run()
    box = next(box for box in at.selectbox if box.label == "Preset")
    assert box.value == "squad_v1"
    assert len(box.options) == 5 < everything
    assert "4 of" in html(at)
    box.set_value("cmrc2018").run()
    assert next(box for box in at.selectbox if box.label == "Preset").value == "cmrc2018"
    at = press(at, "Clear")
    assert len(next(box for box in at.selectbox if box.label == "Preset").options) == everything
    assert not at.exception
