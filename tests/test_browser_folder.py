"""A scored folder in a real browser: opened, filtered, sorted, an item inspected; ten million items in the long run."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from benchmarks.app import resident
from benchmarks.browsing import scored
from evalcore.analysis.selection import Selection
from tests.browser import Running, arrive, follow, press_until, running_app, settled
from tests.conftest import LONG

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect

ITEMS, FILES = (10_000_000, 64) if LONG else (20_000, 4)
MOST_BYTES = 1_000_000_000


@pytest.fixture(scope="module")
def out() -> Path:
    """Give the scored folder, made unless an earlier run made it."""
    return scored(ITEMS, FILES)


@pytest.fixture(scope="module")
def app(out: Path) -> Iterator[Running]:
    with running_app("--", "--folder", str(out)) as running:
        yield running


@pytest.fixture(scope="module")
def address(app: Running) -> str:
    return app.address


@pytest.fixture(scope="module")
def table(out: Path) -> pa.Table:
    """Read the columns that tell what the pages must show, past everything that is tested."""
    files = sorted((out / "items").glob("*.parquet"))
    return pa.concat_tables([pq.read_table(file, columns=["id", "em", "f1", "prediction_bytes"]) for file in files])


def shown_ids(page: Any) -> list[str]:
    found: list[str] = page.locator(".wm-li[data-row] .wm-id").all_text_contents()
    return found


def status(page: Any) -> str:
    return str(page.locator(".wm-cap[role=status]").inner_text())


def test_a_folder_is_opened_filtered_sorted_and_an_item_inspected(page: Any, app: Running, out: Path, table: pa.Table) -> None:
    arrive(page, "/", "Home")
    page.locator(".wm-file .wm-go", has_text=str(out)).click()
    expect(page.locator(".wm-head h1")).to_have_text("Overview")
    settled(page)
    expect(page.locator(".wm-strip")).to_contain_text(f"{ITEMS:,}")
    expect(page.locator(".wm-strip")).to_contain_text(f"{100 * pc.mean(table['em']).as_py():.2f}")

    follow(page, "Failures")
    failed = table.filter(pc.equal(table["em"], 0.0))
    assert f"{len(failed):,} of {ITEMS:,} items" in status(page)
    near = failed.filter(pc.greater_equal(failed["f1"], 0.8))
    page.get_by_test_id("stButtonGroup").get_by_text("Near miss").click()
    expect(page.locator(".wm-cap[role=status]")).to_contain_text(f"{len(near):,} of {ITEMS:,} items")
    settled(page)
    best = near.take(pc.sort_indices(near, sort_keys=[("f1", "descending")])[:1])
    assert page.locator(".wm-li[data-row] .wm-f1 b").first.inner_text() == f"{best['f1'][0].as_py():.2f}"

    page.get_by_role("combobox", name=re.compile("Order")).click()
    page.get_by_role("option", name="Longest prediction first").click()
    longest = pc.max(near["prediction_bytes"]).as_py()
    first = near.filter(pc.equal(near["prediction_bytes"], longest))["id"][0].as_py()
    expect(page.locator(".wm-li[data-row] .wm-id").first).to_have_text(first)

    page.get_by_label("Search id, question, prediction and references").fill(first)
    page.get_by_label("Search id, question, prediction and references").press("Enter")
    expect(page.locator(".wm-cap[role=status]")).to_contain_text(f"1 of {ITEMS:,} items")
    settled(page)
    assert shown_ids(page) == [first]

    page.locator(".wm-li[data-row]").first.click()
    expect(page.locator(".wm-head h1")).to_have_text("Inspect")
    expect(page.locator(".wm-badges b")).to_have_text(first)
    expect(page.locator(".wm-steps")).to_be_visible()
    settled(page)
    assert resident(app.process.pid) < MOST_BYTES


def test_the_last_page_of_a_list_and_the_item_after_it(page: Any, out: Path, table: pa.Table) -> None:
    failed = table.filter(pc.equal(table["em"], 0.0))
    misses = failed.filter(pc.equal(failed["f1"], 0.0))
    arrive(page, f"/Failures?run=folder:{out}&show=%7B%22buckets%22:%5B%22miss%22%5D%7D", "Failures")
    pages = -(-len(misses) // 100)
    last = misses["id"].slice((pages - 1) * 100).to_pylist()
    listed = page.locator(".wm-li[data-row] .wm-id")
    press_until(page.get_by_role("button", name=f"Page {pages}", exact=True), listed.get_by_text(last[0], exact=True))
    expect(listed.first).to_have_text(last[0])
    settled(page)
    assert shown_ids(page) == last
    page.locator(".wm-li[data-row]").first.click()
    expect(page.locator(".wm-badges")).to_contain_text(f"{(pages - 1) * 100 + 1:,} of {len(misses):,}")
    page.get_by_role("button", name="Previous").click()
    expect(page.locator(".wm-badges b")).to_have_text(misses["id"][(pages - 1) * 100 - 1].as_py())


def test_a_pattern_is_searched_to_its_end(page: Any, out: Path, table: pa.Table) -> None:
    pattern = r"^q\d*77$"
    matching = table.filter(pc.match_substring_regex(table["id"], pattern))
    arrive(page, f"/Failures?run=folder:{out}&show={quote(Selection(text=pattern, pattern=True, order='id').to_json())}", "Failures")
    expect(page.locator(".wm-cap[role=status]")).to_contain_text(f"{len(matching):,} of {ITEMS:,} items")
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    settled(page)
    assert shown_ids(page) == sorted(matching["id"].to_pylist())[:100]
