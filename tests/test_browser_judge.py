"""Judge by keyboard in a real browser, on SQLite and on PostgreSQL: reload, restart, two at once."""

import re
from pathlib import Path
from typing import Any

import pytest

from evalcore.judging import Store
from evalcore.judging.store import VARIABLE
from tests.browser import WAIT, chromium, server, settled

PAGE = "/Judge?run=sample-bruno&preset=squad_v1"


def opened(browser: Any, address: str, page: str = PAGE) -> Any:
    tab = browser.new_context(viewport={"width": 1440, "height": 1000}).new_page()
    tab.set_default_timeout(WAIT)
    tab.goto(address + page)
    tab.get_by_role("button", name="Reference is wrong").wait_for()
    settled(tab)
    return tab


def done(tab: Any, number: int) -> None:
    tab.locator(".wm-sec", has_text=re.compile(rf"(^|\D){number} of 100 judged")).wait_for()
    settled(tab)


def test_ten_items_by_keyboard_outlive_reload_and_restart_and_two_judges_lose_nothing(judgements_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, judgements_url)
    with chromium() as browser:
        with server() as address:
            tab = opened(browser, address)
            for number, key in enumerate("1211234112", 1):
                tab.keyboard.press(key)
                done(tab, number)
            tab.get_by_label("Note").fill("1 2 3")
            tab.reload()
            done(tab, 10)
        with server() as address:
            tab = opened(browser, address)
            done(tab, 10)
            other = opened(browser, address)
            other.get_by_label("Your name").fill("Ada")
            other.keyboard.press("Enter")
            done(other, 0)
            other.locator("h1").click()
            for number in range(1, 4):
                tab.keyboard.press("1")
                other.keyboard.press("2")
                done(tab, 10 + number)
                done(other, number)
    kept = Store.open(judgements_url)
    assert [told.verdict for told in kept.history() if not told.author][:10] == [
        {"1": "right", "2": "wrong", "3": "unsure", "4": "reference_wrong"}[key] for key in "1211234112"
    ]
    assert len([told for told in kept.history() if told.author == "Ada"]) == 3
    assert kept.count() == 16
    kept.close()


def test_the_open_item_is_judged_by_keyboard_while_walking_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judgements_url = f"sqlite:///{tmp_path / 'judgements.sqlite'}"
    monkeypatch.setenv(VARIABLE, judgements_url)
    with chromium() as browser, server() as address:
        tab = opened(browser, address, "/Inspect?run=sample-bruno&preset=squad_v1&item=4")
        back = tab.get_by_role("button", name="Take my verdict back")
        tab.keyboard.press("1")
        back.wait_for()
        settled(tab)
        tab.keyboard.press("j")
        back.wait_for(state="detached")
        settled(tab)
        tab.keyboard.press("2")
        back.wait_for()
        settled(tab)
        tab.reload()
        back.wait_for()
    kept = Store.open(judgements_url)
    assert [told.verdict for told in kept.history()] == ["right", "wrong"]
    assert len({told.item_id for told in kept.history()}) == 2
    kept.close()
