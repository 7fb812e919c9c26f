"""Presets in a real browser: cancel a long comparison, go on, open a trace."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import WAIT, chromium, server


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with server() as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


def test_a_long_comparison_can_be_cancelled_and_goes_on_where_it_stopped(browser: Any, address: str, tmp_path: Path) -> None:
    rows = ({"id": str(number), "prediction": f"The answer {number}, of many", "answers": [f"answer {number}"]} for number in range(12_000))
    file = tmp_path / "many.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    tab = browser.new_page(viewport={"width": 1440, "height": 1000})
    tab.set_default_timeout(WAIT)
    tab.goto(address)
    tab.locator("input[type=file]").set_input_files(str(file))
    tab.get_by_role("button", name="Score 12,000 items").click()
    tab.locator(".wm-strip").wait_for()
    tab.get_by_role("link", name="Presets").click()
    tab.locator(".wm-forest").wait_for()
    tab.get_by_role("radio", name=re.compile("All QA presets")).or_(tab.get_by_text(re.compile("All QA presets"))).first.click()
    tab.get_by_role("button", name="Cancel").click()
    stopped = tab.locator(".wm-say", has_text="presets are not scored yet")
    stopped.wait_for()
    done = tab.locator(".wm-forest [role=rowheader]").count()
    assert 0 < done < 60
    tab.get_by_role("button", name="Go on").click()
    tab.locator(".wm-forest [role=rowheader]").nth(59).wait_for()
    assert stopped.count() == 0
    tab.close()


def test_a_row_opens_both_traces_by_keyboard(browser: Any, address: str) -> None:
    tab = browser.new_page(viewport={"width": 1440, "height": 1000})
    tab.set_default_timeout(WAIT)
    tab.goto(f"{address}/Presets?run=sample-bruno&preset=squad_v1")
    rows = tab.locator("tr[data-row]")
    rows.nth(1).wait_for()
    item = rows.nth(1).locator("td").first.inner_text()
    rows.nth(1).focus()
    tab.keyboard.press("Enter")
    tab.locator(".wm-sec", has_text=f"item {item}").wait_for()
    tab.locator(".wm-pair").nth(1).wait_for()
    assert tab.locator(".wm-sec", has_text=f"item {item}").count() == 1
    tab.close()
