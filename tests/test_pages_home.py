"""Home: from files to runs."""

import json
from html import escape

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.click import as_typed
from tests.app import HOSTILE, ONE_FILE, PREDICTIONS, REFERENCES, box, html, markdown, page, press, query, upload
from tests.shared import shared


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
    assert all(f">{name}</span>" in html(at) for name in ("U+DFFF", "NUL"))
    html(at).encode("utf-8")


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


def samples(name: str) -> tuple[str, bytes]:
    path = shared("formats", "lm_eval", "replay__model", name)
    return path.name, path.read_bytes()


def test_the_limit_and_the_formats_are_told_before_the_upload(home: AppTest) -> None:
    assert "Up to 200 MB a file" in html(home)
    for format in ("lm-eval", "Inspect .eval", "xlsx", "Parquet", ".zst"):
        assert format in html(home)


def test_a_guessed_encoding_is_shown_and_can_be_changed(home: AppTest) -> None:
    rows = "id,prediction,answers\n" + "".join(f"{n},巴黎是法国的首都和最大的城市{n},巴黎是法国的首都和最大的城市{n}\n" for n in range(20))
    at = upload(home, ("zh.csv", rows.encode("gb18030")))
    assert "read as gb18030" in html(at)
    assert "which is a guess" in html(at)
    assert "巴黎是法国" in html(at)
    encoding = box(at, as_typed("Encoding of zh.csv"))
    assert encoding.value == "gb18030"
    encoding.set_value("koi8-r").run()
    assert not at.exception
    assert "read as koi8-r" in html(at)
    assert "巴黎是法国" not in html(at)
    box(at, as_typed("Encoding of zh.csv")).set_value("gb18030").run()
    assert "巴黎是法国" in html(at)
    assert "20 of 20 exact" in html(press(at, "Score 20 items"))


def test_files_can_be_paired_by_the_text_of_the_question(home: AppTest) -> None:
    ours = "".join(json.dumps({"id": f"p{n}", "question": f"Which {n}?", "prediction": f"{n}"}) + "\n" for n in (2, 1, 0))
    theirs = "".join(json.dumps({"id": f"r{n}", "question": f"Which {n}?", "answers": [f"{n}"]}) + "\n" for n in range(3))
    at = upload(home, ("pred.jsonl", ours.encode()), ("gold.jsonl", theirs.encode()))
    box(at, "pair the files").set_value("question").run()
    assert not at.exception
    assert "paired by question" in html(at)
    assert "3 of 3 exact" in html(press(at, "Score 3 items"))


def test_the_split_of_references_is_shown_and_keeps_numbers_whole(home: AppTest) -> None:
    rows = 'id,prediction,answers\n1,x,"1,000, one thousand"\n2,y,"y"\n'
    at = upload(home, ("a.csv", rows.encode()))
    assert "References as split" not in html(at)
    box(at, "references in a cell").set_value(",").run()
    assert "1 of the 2 cells hold several" in html(at)
    split = html(at).split('aria-label="References as split"')[1].split("</table>")[0]
    assert '>1,000</span> <span class=\'wm-cap\'>or</span> <span class="wm-text" dir="auto">one thousand</span>' in split


def test_logged_scores_are_held_against_ours_and_differences_open(home: AppTest) -> None:
    rows = [("1", "paris", "Paris", 1), ("2", "the Rome", "Rome", 0), ("3", "x", "Bern", 0)]
    content = "".join(json.dumps({"id": i, "prediction": p, "answers": [a], "exact_match": s}) + "\n" for i, p, a, s in rows)
    at = upload(home, ("a.jsonl", content.encode()))
    shown = html(at).split('aria-label="Logged scores"')[1]
    assert 'List the 1 item"' in shown
    at.session_state["keep:home_differing"] = "exact_match"
    at = at.run()
    listed = html(at).split('aria-label="Differences"')[1]
    assert "the Rome" in listed
    assert "paris" not in listed
    at = press(at, "Open 1 in Failures")
    assert not at.exception
    assert "<h1>Failures</h1>" in html(at)
    assert "items on which exact_match differs" in html(at)


def test_logged_scores_of_a_loaded_run_are_shown_without_its_files(home: AppTest) -> None:
    content = "".join(json.dumps({"id": f"{n}", "prediction": "a", "answers": ["a"], "f1": 50 * n}) + "\n" for n in range(3))
    at = press(upload(home, ("a.jsonl", content.encode())), "Score 3 items")
    at = press(at.switch_page("app.py").run(), "Start over")
    assert not at.exception
    row = html(at).split('aria-label="Logged scores"')[1].split("</table>")[0]
    assert "percents" in row
    assert "List the 2 items" in row


def test_the_settings_of_a_results_file_replay_its_scores(home: AppTest) -> None:
    at = upload(home, samples("samples_tiny_gsm_2026-11-30T05-13-54.239292.jsonl"), samples("results_2026-11-30T05-13-54.239292.json"))
    assert not at.exception
    assert "settings of tiny_gsm (strict-match), tiny_gsm (flexible-extract)" in html(at)
    settings = box(at, "Settings of the results file")
    assert settings.value == ("", "")
    settings.set_value(("tiny_gsm", "strict-match")).run()
    assert not at.exception
    assert at.multiselect[0].value == ["response"]
    assert "What the results file of tiny_gsm says about strict-match, replayed on the raw responses." in html(at)
    logged = html(at).split('aria-label="Logged scores"')[1].split("</table>")[0]
    row = next(row for row in logged.split("<tr>") if "exact_match,strict-match" in row)
    assert row.count('<td class="wm-n">3</td>') == 2
    assert '<td class="wm-n">0</td>' in row
    box(at, "Settings of the results file").set_value(("", "")).run()
    assert at.multiselect[0].value == ["strict-match", "flexible-extract"]


def test_a_replay_stays_in_force_on_the_other_pages(home: AppTest) -> None:
    at = upload(home, samples("samples_tiny_gsm_2026-11-30T05-13-54.239292.jsonl"), samples("results_2026-11-30T05-13-54.239292.json"))
    box(at, "Settings of the results file").set_value(("tiny_gsm", "flexible-extract")).run()
    at = press(at, "Score 3 items")
    assert not at.exception
    assert "take_match" in at.code[0].value
    assert "steps" in query(at)


def test_probabilities_are_laid_over_the_predictions_they_belong_to(home: AppTest) -> None:
    names = ("predictions.json", "na_prob.json", "dev-v2.0.json")
    at = upload(home, *((name, shared("formats", "squad", name).read_bytes()) for name in names))
    assert not at.exception
    assert "na_prob.json added 1 columns" in html(at)
    assert "paired by id" in html(at)
    assert [button for button in at.button if button.label.startswith("Score")]


def test_stats_of_helm_are_laid_over_their_state_and_compared(home: AppTest) -> None:
    names = ("per_instance_stats.json", "scenario_state.json")
    at = upload(home, *((name, shared("formats", "helm", name).read_bytes()) for name in names))
    assert not at.exception
    assert "per_instance_stats.json added" in html(at)
    assert "quasi_exact_match" in html(at).split('aria-label="Logged scores"')[1]


def test_a_file_that_only_adds_columns_asks_for_its_predictions(home: AppTest) -> None:
    at = upload(home, ("na_prob.json", shared("formats", "squad", "na_prob.json").read_bytes()))
    assert not at.exception
    assert "give it together with the file of predictions it belongs to" in html(at)


def test_added_columns_go_to_the_predictions_that_are_chosen(home: AppTest) -> None:
    probabilities = json.dumps({f"q{n}": n / 10 for n in range(6)}).encode()
    at = upload(home, ("a.json", PREDICTIONS), ("b.json", PREDICTIONS), ("na_prob.json", probabilities), ("gold.jsonl", REFERENCES))
    assert not at.exception
    belongs = box(at, as_typed("na_prob.json belongs to"))
    assert "na_prob.json added 1 columns to 6 of 6 rows of a.json" in html(at)
    belongs.select_index(1).run()
    assert not at.exception
    assert "na_prob.json added" not in html(at)
