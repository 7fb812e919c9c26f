"""The app in a real browser: upload, filter, keyboard, steps, downloads."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.browser import WAIT, arrive, choose, drop, follow, settled
from tests.shared import shared

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
Page = sync_api.Page

PREDICTIONS = "Logistic Regression Baseline (Stanford University).json"


def _downloaded(page: Page, button: str) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=button).click()
    return Path(waiting.value.path()).read_bytes()


def test_the_sample_opens_with_one_click_and_the_keyboard_walks_its_items(page):
    arrive(page, "/", "Home")
    page.get_by_role("button", name="Try the sample").click()
    expect(page.locator(".wm-head h1")).to_have_text("Overview")
    follow(page, "Failures")
    rows = page.locator(".wm-li[data-row]")
    expect(rows).to_have_count(41)

    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("j")
    expect(rows.nth(1)).to_be_focused()
    second = rows.nth(1).locator(".wm-id").inner_text()
    page.keyboard.press("Enter")
    expect(page.locator(".wm-head h1")).to_have_text("Inspect")
    expect(page.locator(".wm-badges b")).to_have_text(second)
    expect(page.locator(".wm-badges")).to_contain_text("2 of 41 · EM = 0")

    settled(page)
    page.keyboard.press("j")
    expect(page.locator(".wm-badges")).to_contain_text("3 of 41")
    settled(page)
    page.keyboard.press("k")
    expect(page.locator(".wm-badges b")).to_have_text(second)
    assert "item=" in page.url


def test_a_mark_tells_its_step_on_focus_and_a_link_reopens_the_same_view(page, browser, address):
    arrive(page, "/Inspect?run=sample-bruno&item=2", "Inspect")
    mark = page.locator(".wm-k-words[data-tip]").first
    mark.focus()
    tip = mark.evaluate("element => getComputedStyle(element, '::after').content")
    assert tip == '"removed by Drop articles: en"'
    settled(page)
    again = browser.new_context(base_url=address).new_page()
    again.set_default_timeout(WAIT)
    arrive(again, page.url, "Inspect")
    expect(again.locator(".wm-badges b")).to_have_text(page.locator(".wm-badges b").inner_text())
    again.context.close()


def test_a_search_narrows_the_list_and_the_download_holds_exactly_these_items(page):
    arrive(page, "/Failures?run=sample-bruno", "Failures")
    page.get_by_label("Search id, question, prediction and references").fill("en-00")
    page.keyboard.press("Enter")
    expect(page.locator('[role="status"]')).to_contain_text("has “en-00”")
    settled(page)
    listed = page.locator(".wm-li[data-row] .wm-id").all_inner_texts()
    assert listed
    lines = _downloaded(page, f"JSONL of {len(listed)}").decode().splitlines()
    assert [json.loads(line)["id"] for line in lines] == listed
    table = csv.DictReader(io.StringIO(_downloaded(page, f"CSV of {len(listed)}").decode("utf-8-sig"), newline=""))
    assert [row["id"] for row in table] == listed


def test_own_files_can_be_uploaded_and_typed_markup_shows_as_typed(page):
    typed = ['<script>document.title="caught"</script>', "![x](http://127.0.0.2/x.png)", "$x^2$ **b** _i_ `c`", "<img src=x onerror=document.title='caught'>"]
    content = "".join(json.dumps({"id": text, "prediction": text, "references": [f"not {text}"], "question": text, "note": text}) + "\n" for text in typed)
    arrive(page, "/", "Home")
    drop(page, ("typed.jsonl", content.encode()))
    page.get_by_role("button", name="Score 4 items").click()
    expect(page.locator(".wm-head h1")).to_have_text("Overview")
    follow(page, "Failures")
    rows = page.locator(".wm-li[data-row]")
    expect(rows).to_have_count(4)
    shown = "\n".join(rows.all_inner_texts())
    for text in typed:
        assert text in shown
        assert page.locator(".wm-ask", has_text=text).count() == 1
    rows.first.click()
    expect(page.locator(".wm-head h1")).to_have_text("Inspect")
    assert page.locator(".wm-ask-big").inner_text() in typed
    for name in ("Normalization", "Overview", "Home"):
        follow(page, name)
    assert "caught" not in page.title()
    assert page.locator('[data-testid="stMain"] img').count() == 0


def _upload_squad(page: Page) -> None:
    """Upload XQuAD's English references and a system's SQuAD predictions."""
    references = shared("data", "google-deepmind+xquad", "xquad.en.json")
    predictions = shared("data", "rajpurkar+SQuAD-explorer", "models", "1.1", PREDICTIONS)
    arrive(page, "/", "Home")
    drop(page, references, predictions)
    expect(page.get_by_role("button", name="Score 1,190 items")).to_be_visible()
    settled(page)
    box = page.get_by_role("combobox", name="Preset", exact=True)
    box.fill("SQuAD v1.1")
    page.get_by_role("option", name="SQuAD v1.1", exact=True).click()
    settled(page)


def test_from_two_files_to_why_one_item_failed(page):
    _upload_squad(page)
    report = page.get_by_test_id("stMain")
    expect(report).to_contain_text("1,188")
    without = page.locator("tr", has_text="references without prediction")
    expect(without).to_contain_text("2")
    without.locator("[data-go]").click()
    expect(page.get_by_test_id("stMain")).to_contain_text("5726385e271a42140099d799")
    page.get_by_role("button", name="Score 1,190 items").click()
    expect(page.locator(".wm-head h1")).to_have_text("Overview")
    strip = page.locator(".wm-strip")
    for number in ("34.60", "45.93", "411"):
        expect(strip).to_contain_text(number)

    follow(page, "Failures")
    page.get_by_test_id("stButtonGroup").get_by_text("Near miss").click()
    rows = page.locator(".wm-li[data-row]")
    expect(rows).to_have_count(36)
    settled(page)
    listed = rows.locator(".wm-id").all_inner_texts()
    lines = _downloaded(page, "JSONL of 36").decode().splitlines()
    assert [json.loads(line)["id"] for line in lines] == listed
    assert all(json.loads(line)["em"] == 0 and json.loads(line)["f1"] >= 0.8 for line in lines)

    rows.first.click()
    expect(page.locator(".wm-head h1")).to_have_text("Inspect")
    expect(page.locator(".wm-badges b")).to_have_text(listed[0])
    expect(page.locator(".wm-steps")).to_contain_text("still different")
    for step in ("Lower", "Delete punctuation", "Drop articles", "Squeeze whitespace"):
        expect(page.locator(".wm-steps")).to_contain_text(step, use_inner_text=False)


def test_articles_switched_off_lose_24_items_and_missing_ones_can_count_as_wrong(page):
    _upload_squad(page)
    page.get_by_role("button", name="Score 1,190 items").click()
    expect(page.locator(".wm-head h1")).to_have_text("Overview")
    follow(page, "Normalization")
    page.locator("label", has_text="Drop articles").click()
    ledger = page.locator(".wm-ledger")
    expect(ledger).to_contain_text("32.58")
    expect(ledger).to_contain_text("−24")
    assert ledger.locator("> div").first.inner_text().split("\n")[0] == "0"
    expect(page.locator("h2", has_text="Lost")).to_be_visible()
    ledger.get_by_text("no longer match", exact=True).click()
    expect(page.locator(".wm-head h1")).to_have_text("Failures")
    expect(page.locator(".wm-li[data-row]")).to_have_count(24)
    expect(page.locator('[role="status"]')).to_contain_text("24 items that no longer match")
    settled(page)
    lines = _downloaded(page, "CSV of 24").decode("utf-8-sig")
    assert len(list(csv.DictReader(io.StringIO(lines, newline="")))) == 24

    follow(page, "Normalization")
    page.get_by_role("button", name="Reset").click()
    expect(ledger).to_contain_text("34.60")
    settled(page)
    page.get_by_text("Rules of the score").click()
    choose(page, "Missing predictions", "count as wrong")
    expect(ledger).to_contain_text("34.54")
    expect(ledger).to_contain_text("45.85")
