"""Presets in a real browser: cancel a long comparison, go on, open a trace."""

import json
import re
from typing import Any

from tests.browser import WAIT, arrive, drop, settled


def test_a_long_comparison_can_be_cancelled_and_goes_on_where_it_stopped(page: Any) -> None:
    rows = ({"id": str(number), "prediction": f"The answer {number}, of many", "answers": [f"answer {number}"]} for number in range(12_000))
    arrive(page, "/", "Home")
    drop(page, ("many.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode()))
    page.get_by_role("button", name="Score 12,000 items").click()
    page.locator(".wm-strip").wait_for()
    page.get_by_role("link", name="Presets").click()
    page.locator(".wm-forest").wait_for()
    page.get_by_role("radio", name=re.compile("All QA presets")).or_(page.get_by_text(re.compile("All QA presets"))).first.click()
    page.get_by_role("button", name="Cancel").click()
    stopped = page.locator(".wm-say", has_text="presets are not scored yet")
    stopped.wait_for()
    settled(page)
    done = page.locator(".wm-forest [role=rowheader]").count()
    assert 0 < done < 60
    page.get_by_role("button", name="Go on").click()
    page.locator(".wm-forest [role=rowheader]").nth(59).wait_for(timeout=3 * WAIT)  # Some fifty scorings of all items.
    assert stopped.count() == 0


def test_a_row_opens_both_traces_by_keyboard(page: Any) -> None:
    page.goto("/Presets?run=sample-bruno&preset=squad_v1")
    rows = page.locator("tr[data-row]")
    rows.nth(1).wait_for()
    item = rows.nth(1).locator("td").first.inner_text()
    rows.nth(1).focus()
    page.keyboard.press("Enter")
    page.locator(".wm-sec", has_text=f"item {item}").wait_for()
    page.locator(".wm-pair").nth(1).wait_for()
    assert page.locator(".wm-sec", has_text=f"item {item}").count() == 1
