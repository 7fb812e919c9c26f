"""From real outputs of language models to what an extraction rescues, in a real browser."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import WAIT, chromium, server
from tests.shared import shared

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
Page = sync_api.Page


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with server() as address, chromium() as browser:
        shown: Any = browser.new_context(viewport={"width": 1440, "height": 1000}, base_url=address).new_page()
        shown.set_default_timeout(WAIT)
        expect.set_options(timeout=WAIT)
        yield shown


def _settled(page: Page) -> None:
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')


def _uploaded(page: Page, *path: str) -> None:
    page.goto("/")
    expect(page.locator(".wm-head h1")).to_have_text("Home")
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(str(shared(*path)))


def _choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label, exact=True).fill(option)
    page.get_by_role("option", name=option, exact=True).click()
    _settled(page)


def _scored(page: Page, items: str) -> None:
    button = page.get_by_role("button", name=f"Score {items} items")
    expect(button).to_be_visible()
    _settled(page)
    button.click()
    expect(page.locator(".wm-head h1")).to_have_text("Overview")
    page.get_by_test_id("stSidebar").get_by_role("link", name="Normalization").click()
    expect(page.locator(".wm-head h1")).to_have_text("Normalization")
    _settled(page)
    page.get_by_test_id("stButtonGroup").get_by_text("Extraction").click()


def test_from_program_outputs_to_what_the_last_number_rescues(page):
    _uploaded(page, "data", "wenhuchen+Program-of-Thoughts", "outputs", "gsm8K_s0_e-1_11_17_10_20.jsonl")
    _choose(page, "prediction", "executed")
    page.keyboard.press("Escape")
    _scored(page, "1,320")
    expect(page.get_by_test_id("stMain")).to_contain_text("last number rescues 933 items")


def test_the_last_number_of_long_outputs_is_adopted_with_one_click(page):
    _uploaded(page, "data", "OpenBMB+InfiniteBench", "results", "gpt4", "preds_math_find.jsonl")
    _scored(page, "350")
    expect(page.get_by_test_id("stMain")).to_contain_text("last number rescues 11 items")
    row = page.locator("[aria-label='Extractions against EM'] tr", has_text="last number")
    row.get_by_text("use", exact=True).click()
    expect(row).to_contain_text("in force")
    expect(page.locator(".wm-ledger")).to_contain_text("+11")
    _settled(page)
    page.locator(".wm-ledger [data-go='gained']").click()
    expect(page.locator(".wm-li[data-row]")).to_have_count(11)
