"""From real outputs of language models to what an extraction rescues, in a real browser."""

import json
from urllib.parse import parse_qs, urlencode, urlsplit

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
    page.locator(".wm-ledger").get_by_text("now match", exact=True).click()
    expect(page.locator(".wm-li[data-row]")).to_have_count(11)


def test_a_pattern_without_an_end_stops_with_a_message_and_others_are_served_meanwhile(page, browser, address, tmp_path):
    outputs = ["a" * 2_000 + "b", "x" * 2_000 + "z", "is it 5 ab"]
    file = tmp_path / "long.jsonl"
    file.write_text("".join(json.dumps({"id": str(number), "prediction": text, "answer": "ab"}) + "\n" for number, text in enumerate(outputs)))
    arrive(page, "/", "Home")
    drop(page, file)
    page.get_by_role("button", name="Score 3 items").click()
    titled(page, "Overview")
    settled(page)
    run = parse_qs(urlsplit(page.url).query)["run"][0]
    steps = json.dumps({"steps": [{"step": "take_match", "parameters": {"pattern": "(?:a+)+$|(?:x+x+)+y|ab$"}}], "rules": {}})
    page.goto(f"/Normalization?{urlencode({'run': run, 'preset': 'squad_v1', 'steps': steps})}", wait_until="commit")
    other = browser.new_context(base_url=address).new_page()
    arrive(other, "/Overview?run=sample-bruno", "Overview")
    expect(other.locator(".wm-strip").first).to_contain_text("Token F1")
    other.context.close()
    titled(page, "Normalization")
    expect(page.locator(".wm-ledger")).to_be_visible()
    page.get_by_test_id("stButtonGroup").get_by_text("Extraction").click()
    shown = page.locator("[aria-label='Raw outputs']")
    expect(shown).to_contain_text("did not finish within 1 s; simplify it")
    expect(shown).to_contain_text("✓ EM 1")
