"""Files of every kind, dropped into a real browser: each lands on Overview with the right numbers, with one click."""

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import xlsxwriter

import evalcore
from evalcore.data import Loaded, load, load_tables, read_table
from tests.browser import arrive, choose, drop, press_until, settled, titled
from tests.shared import shared
from tests.test_data_archives import zipped

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
Page = sync_api.Page

SAMPLES = ("formats", "lm_eval", "replay__model", "samples_tiny_gsm_2026-11-30T05-13-54.239292.jsonl")
LOG = ("data", "UKGovernmentBEIS+inspect_ai", "tests", "scorer", "logs", "2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval")
SQUAD = (
    ("data", "google-deepmind+xquad", "xquad.en.json"),
    ("data", "rajpurkar+SQuAD-explorer", "models", "1.1", "Logistic Regression Baseline (Stanford University).json"),
)
ANSWERS = [("北京", "北京"), ("上海市", "上海"), ("《红楼梦》", "红楼梦"), ("李白", "杜甫"), ("1949年", "1949年"), ("长江。", "长江")] * 4


def _dropped(page: Page, *files: Any) -> None:
    """Drop files on Home."""
    arrive(page, "/", "Home")
    drop(page, *files)


def _score(page: Page) -> None:
    """Press the one button that is needed."""
    page.get_by_role("button", name="Score ").click()
    titled(page, "Overview")


def _expect_numbers(page: Page, loaded: Loaded, system: int = 0) -> None:
    """Hold the strip of Overview against the core under the settings that are in force there."""
    name = page.get_by_test_id("stCode").inner_text().split("|")[0].strip()
    summary = evalcore.score(loaded.datasets[system], preset=name).summary()
    strip = page.locator(".wm-strip")
    for value in (summary.em, summary.f1):
        if value == value:
            expect(strip).to_contain_text(f"{100 * value:.2f}")
    expect(page.locator(".wm-side .wm-active .wm-nums")).to_contain_text(f"{summary.items:,} items")


def test_an_lm_eval_samples_file(page):
    path = shared(*SAMPLES)
    _dropped(page, path)
    expect(page.get_by_test_id("stMain")).to_contain_text("lm-eval samples")
    _score(page)
    _expect_numbers(page, load(path))
    expect(page.locator(".wm-side")).to_contain_text("strict-match")
    expect(page.locator(".wm-side")).to_contain_text("flexible-extract")


def test_an_inspect_log(page):
    path = shared(*LOG)
    _dropped(page, path)
    expect(page.get_by_test_id("stMain")).to_contain_text("Inspect log (.eval)")
    _score(page)
    _expect_numbers(page, load(path))


def test_a_chinese_csv_in_gb18030(page):
    rows = "id,prediction,answers\n" + "".join(f"{number},{prediction},{answer}\n" for number, (prediction, answer) in enumerate(ANSWERS))
    content = rows.encode("gb18030")
    _dropped(page, ("回答.csv", content))
    expect(page.get_by_test_id("stMain")).to_contain_text("read as gb18030")
    expect(page.get_by_role("table", name="First rows")).to_contain_text("《红楼梦》")
    _score(page)
    _expect_numbers(page, load(content, "回答.csv"))


HEADS = ("id", "question", "prediction", "references")
ROWS = (("q1", "Which 1?", "The Paris", "Paris"), ("q2", "Which 2?", "in Rome", "Rome | Roma"), ("q3", "Which 3?", "7", "seven | 7"))


def _workbook(sheets: dict[str, Sequence[Sequence[str]]]) -> bytes:
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                for place, value in enumerate(row):
                    sheet.write_string(number, place, value)
    return sink.getvalue()


def test_an_excel_workbook(page):
    content = _workbook({"answers": (HEADS, *ROWS)})
    _dropped(page, ("answers.xlsx", content))
    expect(page.get_by_role("table", name="References as split")).to_contain_text("Roma")
    _score(page)
    _expect_numbers(page, load(content, "answers.xlsx"))
    expect(page.locator(".wm-strip")).to_contain_text("66.67")


def test_another_sheet_of_a_workbook(page):
    content = _workbook({"first try": (HEADS, ROWS[1]), "second try": (HEADS, *ROWS)})
    _dropped(page, ("two tries.xlsx", content))
    expect(page.get_by_role("button", name="Score 1 item")).to_be_visible()
    settled(page)
    choose(page, re.compile("^Sheet of two tries"), "second try")
    expect(page.get_by_role("button", name="Score 3 items")).to_be_visible()
    _score(page)
    _expect_numbers(page, load_tables([read_table(content, "two tries.xlsx", sheet="second try")]))


def test_a_zip_with_references_and_two_systems(page):
    references = [json.dumps({"id": row[0], "question": row[1], "answers": row[3].split(" | ")}) for row in ROWS]
    systems = {name: {row[0]: answer for row in ROWS} for name, answer in (("fid", "Paris"), ("dpr", "7"))}
    content = zipped({"gold.jsonl": "\n".join(references).encode(), **{f"{name}.json": json.dumps(answers).encode() for name, answers in systems.items()}})
    _dropped(page, ("runs.zip", content))
    expect(page.locator(".wm-file")).to_have_count(3)
    expect(page.get_by_role("button", name="Score 6 items")).to_be_visible()
    _score(page)
    expect(page.locator(".wm-strip")).to_contain_text("33.33")
    expect(page.locator(".wm-side .wm-box", has_text="runs.zip/")).to_have_count(2)
    page.locator(".wm-side .wm-box", has_text="dpr").click()
    expect(page.locator(".wm-side .wm-active")).to_contain_text("dpr.json")
    expect(page.locator(".wm-side .wm-active .wm-nums")).to_contain_text("3 items · EM 33.33")


@pytest.mark.parametrize("swapped", [False, True])
def test_a_squad_pair_in_either_order(page, swapped):
    files = [shared(*parts) for parts in SQUAD]
    _dropped(page, *(reversed(files) if swapped else files))
    expect(page.get_by_role("button", name="Score 1,190 items")).to_be_visible()
    _score(page)
    _expect_numbers(page, load_tables([read_table(path) for path in files]))
    expect(page.locator(".wm-side .wm-active")).to_contain_text("Logistic Regression")


def test_two_systems_in_one_file(page):
    rows = [
        {"id": "1", "answer_fid": "Paris", "answer_gpt4": "in Paris", "golden_answer": "Paris"},
        {"id": "2", "answer_fid": "Rome", "answer_gpt4": "Rome", "golden_answer": "Rome"},
    ]
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    _dropped(page, ("two.jsonl", content))
    expect(page.get_by_role("button", name="Score 4 items")).to_be_visible()
    _score(page)
    loaded = load(content, "two.jsonl")
    assert loaded.systems == ("fid", "gpt4")
    _expect_numbers(page, loaded)
    page.locator(".wm-side .wm-box", has_text="gpt4").click()
    expect(page.locator(".wm-side .wm-active")).to_contain_text("gpt4")
    settled(page)
    _expect_numbers(page, loaded, 1)


def test_logged_scores_that_differ_open_their_item(page):
    rows = [("1", "paris", "Paris", 1), ("2", "the Rome", "Rome", 0)]
    content = "".join(json.dumps({"id": i, "prediction": p, "answers": [a], "exact_match": s}) + "\n" for i, p, a, s in rows)
    _dropped(page, ("logged.jsonl", content.encode()))
    expect(page.get_by_role("button", name="Score 2 items")).to_be_visible()
    settled(page)
    page.get_by_role("table", name="Logged scores").locator("[data-go]").click()
    expect(page.get_by_role("table", name="Differences")).to_be_visible()
    settled(page)
    inspect = page.locator(".wm-head h1").get_by_text("Inspect", exact=True)
    press_until(page.get_by_role("table", name="Differences").locator("[data-go]"), inspect)
    expect(page.locator(".wm-badges b")).to_have_text("2")


def test_downloads_in_every_format_hold_exactly_the_items_and_load_again(page):
    page.goto("/Failures?run=sample-anna")
    rows = page.locator(".wm-li[data-row] .wm-id")
    expect(rows).to_have_count(41)
    settled(page)
    listed = rows.all_inner_texts()
    for explained in (False, True):
        if explained:
            page.locator("label", has_text="Reasons and trace").click()
            _until_explained(page)
        for name, ending in (("CSV", "csv"), ("JSONL", "jsonl"), ("Parquet", "parquet"), ("Excel", "xlsx")):
            suggested, content = _downloaded(page, f"{name} of 41")
            assert suggested == f"whymiss-all-em-0-41.{ending}"
            again = load(content, suggested).datasets[0]
            assert list(again.ids) == listed
            summary = evalcore.score(again, preset="squad_v1").summary()
            assert (summary.items, summary.em) == (41, 0.0)
            assert _explained(ending, content) in (None, explained)


def _downloaded(page, name: str) -> tuple[str, bytes]:
    """Press a button of downloads; give the file's name and content."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name).click()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def _until_explained(page) -> None:
    """Wait until the page has taken in that reasons are wanted: nothing on it but its files shows that."""
    for _ in range(40):
        if _explained("csv", _downloaded(page, "CSV of 41")[1]):
            return
        page.wait_for_timeout(250)


def _explained(ending: str, content: bytes) -> bool | None:
    """Tell whether a file has the columns of reasons and trace; a workbook is not looked into."""
    if ending == "csv":
        return {"reason", "trace"} <= set(next(csv.reader(io.StringIO(content.decode("utf-8-sig")))))
    if ending == "jsonl":
        return {"reason", "trace"} <= json.loads(content.splitlines()[0]).keys()
    return {"reason", "trace"} <= set(pq.read_schema(io.BytesIO(content)).names) if ending == "parquet" else None
