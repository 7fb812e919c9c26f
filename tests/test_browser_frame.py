"""What only a browser can show: clicks, keys, the brush, theme, width."""

import re
from typing import Any

import pytest

from tests.browser import WAIT, arrive

BRUNO = "/Overview?run=sample-bruno&preset=squad_v1"


def opened(page: Any, path: str = BRUNO) -> Any:
    """Open a page and wait until it is drawn to its end."""
    page.goto(path)
    page.get_by_text("Items at every F1, as a table").wait_for()
    page.locator("[data-testid=stVegaLiteChart] svg.marks, [data-testid=stVegaLiteChart] canvas").wait_for()
    page.locator(".wm-side").wait_for()
    return page


def test_a_click_in_the_sidebar_changes_the_run(page: Any) -> None:
    opened(page).locator(".wm-side .wm-box", has_text="anna").click()
    page.locator(".wm-side .wm-active", has_text="anna").wait_for()
    page.wait_for_url(re.compile("run=sample-anna"))
    page.locator(".wm-strip", has_text="65.25").wait_for()


def test_a_run_can_be_removed(page: Any) -> None:
    opened(page).locator("button[aria-label='Remove sample.jsonl · anna']").click()
    page.locator(".wm-side .wm-box", has_text="anna").wait_for(state="detached")
    assert page.locator(".wm-side .wm-active", has_text="bruno").count() == 1


def test_a_number_opens_its_items_by_keyboard_and_the_filter_can_be_cleared(page: Any) -> None:
    number = opened(page).locator(".wm-go[data-go*='near_miss']").first
    number.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/Failures.*near_miss"))
    page.locator(".wm-side", has_text="near miss (EM 0").wait_for()
    page.locator(".wm-side").get_by_role("button", name="clear").click()
    page.wait_for_url(lambda url: "near_miss" not in url)
    page.locator(".wm-side", has_text="all items").wait_for()


def test_a_drag_across_the_bars_chooses_a_range(page: Any) -> None:
    box = opened(page).locator("[data-testid=stVegaLiteChart]").bounding_box()
    height = box["y"] + 230
    page.mouse.move(box["x"] + 400, height)
    page.mouse.down()
    page.mouse.move(box["x"] + 560, height, steps=6)
    page.mouse.up()
    link = page.locator(".wm-go", has_text=re.compile(r"List \d+ with EM 0"))
    link.wait_for()
    items = re.search(r"\d+", link.inner_text())
    link.click()
    page.wait_for_url(re.compile("/Failures"))
    assert items is not None
    page.locator("[data-testid=stMain]", has_text=f"{items[0]} of 124 items").wait_for()


@pytest.mark.parametrize(("scheme", "ground"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 24, 29)")])
def test_theme_follows_the_system_and_nothing_is_fetched_from_outside(browser: Any, address: str, scheme: str, ground: str) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1100, "height": 900}, base_url=address)
    context.set_default_timeout(WAIT)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    opened(page)
    assert page.evaluate("getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor") == ground
    widths = page.evaluate("(({scrollWidth, clientWidth}) => [scrollWidth, clientWidth])(document.querySelector('[data-testid=stMain]'))")
    assert widths[0] <= widths[1]
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
    context.close()


def test_the_second_waterfall_names_its_steps_where_it_stands_below_the_first(page: Any) -> None:
    page.set_viewport_size({"width": 400, "height": 900})
    arrive(page, "/Normalization?run=sample-bruno&preset=squad_v1", "Normalization")
    name = page.locator("[data-testid=stVegaLiteChart]").nth(1).locator("svg text", has_text="1. Lower")
    name.wait_for()
    page.set_viewport_size({"width": 1440, "height": 900})
    name.wait_for(state="detached")
