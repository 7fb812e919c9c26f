"""From real outputs of language models to what an extraction rescues, in a real browser."""

import pytest

from tests.browser import arrive, drop, follow, settled, titled
from tests.shared import shared

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
Page = sync_api.Page


def _uploaded(page: Page, *path: str) -> None:
    arrive(page, "/", "Home")
    drop(page, shared(*path))


def _choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label, exact=True).fill(option)
    page.get_by_role("option", name=option, exact=True).click()
    settled(page)


def _scored(page: Page, items: str) -> None:
    button = page.get_by_role("button", name=f"Score {items} items")
    expect(button).to_be_visible()
    settled(page)
    button.click()
    titled(page, "Overview")
    follow(page, "Normalization")
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
    settled(page)
    page.locator(".wm-ledger [data-go='gained']").click()
    expect(page.locator(".wm-li[data-row]")).to_have_count(11)
