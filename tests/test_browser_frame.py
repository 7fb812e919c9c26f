"""What only a browser can show: clicks, keys, the brush, theme, width."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import WAIT, chromium, server

BRUNO = "/Overview?run=sample-bruno&preset=squad_v1"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with server() as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture
def tab(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    context.set_default_timeout(WAIT)
    opened = context.new_page()
    opened.set_default_timeout(WAIT)
    yield opened
    context.close()


def opened(tab: Any, address: str, path: str = BRUNO) -> Any:
    """Open a page and wait until it is drawn to its end."""
    tab.goto(address + path)
    tab.get_by_text("Items at every F1, as a table").wait_for()
    tab.locator("[data-testid=stVegaLiteChart] svg.marks, [data-testid=stVegaLiteChart] canvas").wait_for()
    tab.locator(".wm-side").wait_for()
    return tab


def test_a_click_in_the_sidebar_changes_the_run(tab: Any, address: str) -> None:
    opened(tab, address).locator(".wm-side .wm-box", has_text="anna").click()
    tab.locator(".wm-side .wm-active", has_text="anna").wait_for()
    tab.wait_for_url(re.compile("run=sample-anna"))
    tab.locator(".wm-strip", has_text="65.25").wait_for()


def test_a_run_can_be_removed(tab: Any, address: str) -> None:
    opened(tab, address).locator("button[aria-label='Remove sample.jsonl · anna']").click()
    tab.locator(".wm-side .wm-box", has_text="anna").wait_for(state="detached")
    assert tab.locator(".wm-side .wm-active", has_text="bruno").count() == 1


def test_a_number_opens_its_items_by_keyboard_and_the_filter_can_be_cleared(tab: Any, address: str) -> None:
    number = opened(tab, address).locator(".wm-go[data-go*='near_miss']").first
    number.focus()
    tab.keyboard.press("Enter")
    tab.wait_for_url(re.compile("/Failures.*near_miss"))
    tab.locator(".wm-side", has_text="near miss (EM 0").wait_for()
    tab.locator(".wm-side").get_by_role("button", name="clear").click()
    tab.wait_for_url(lambda url: "near_miss" not in url)
    tab.locator(".wm-side", has_text="all items").wait_for()


def test_a_drag_across_the_bars_chooses_a_range(tab: Any, address: str) -> None:
    box = opened(tab, address).locator("[data-testid=stVegaLiteChart]").bounding_box()
    height = box["y"] + 230
    tab.mouse.move(box["x"] + 400, height)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 560, height, steps=6)
    tab.mouse.up()
    link = tab.locator(".wm-go", has_text=re.compile(r"List \d+ with EM 0"))
    link.wait_for()
    items = re.search(r"\d+", link.inner_text())
    link.click()
    tab.wait_for_url(re.compile("/Failures"))
    assert items is not None
    tab.locator("[data-testid=stMain]", has_text=f"{items[0]} of 124 items").wait_for()


@pytest.mark.parametrize(("scheme", "ground"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 24, 29)")])
def test_theme_follows_the_system_and_nothing_is_fetched_from_outside(browser: Any, address: str, scheme: str, ground: str) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1100, "height": 900})
    context.set_default_timeout(WAIT)
    tab = context.new_page()
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    opened(tab, address)
    assert tab.evaluate("getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor") == ground
    widths = tab.evaluate("(({scrollWidth, clientWidth}) => [scrollWidth, clientWidth])(document.querySelector('[data-testid=stMain]'))")
    assert widths[0] <= widths[1]
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
    context.close()
