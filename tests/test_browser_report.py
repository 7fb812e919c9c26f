"""The HTML report, opened from disk in a real browser."""

from pathlib import Path
from typing import Any

import pytest

import evalcore
from evalcore.analysis.reasons.find import find_reasons
from evalcore.data import sample
from evalcore.report.document import Chosen, report
from evalcore.report.html import as_html
from tests.browser import WAIT, arrive
from tests.pages import TYPED
from tests.test_replay import run
from tests.test_report import hostile_run

WIDTHS = (1100, 400)


def opened(browser: Any, file: Path, **options: Any) -> tuple[Any, list[str]]:
    """Open a file; give the tab, and all that it asked for, said or ran."""
    tab = browser.new_context(**options).new_page()
    tab.set_default_timeout(WAIT)
    heard: list[str] = []
    tab.on("request", lambda request: heard.append(request.url))
    tab.on("console", lambda message: heard.append(message.text))
    tab.on("dialog", lambda dialog: (heard.append("dialog"), dialog.dismiss()))
    tab.goto(file.as_uri())
    tab.wait_for_load_state("networkidle")
    return tab, [what for what in heard if what != file.as_uri()]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    before, after = (evalcore.score(dataset) for dataset in sample().datasets[:2])
    chosen = Chosen(reasons=find_reasons(after), comparison=evalcore.compare(before, after))
    written = tmp_path_factory.mktemp("report") / "report.html"
    written.write_bytes(as_html(report(after, chosen)))
    return written


def test_it_asks_for_nothing_and_shows_every_chart(browser: Any, file: Path) -> None:
    tab, heard = opened(browser, file)
    assert heard == []
    charts = tab.locator("svg[role=img]")
    assert charts.count() > 4
    for number in range(charts.count()):
        box = charts.nth(number).bounding_box()
        assert box["width"] > 400
        assert box["height"] > 60
        marks = charts.nth(number).locator("rect, circle")
        assert marks.count() > 1
        assert all(box["x"] <= found["x"] and found["x"] + found["width"] <= box["x"] + box["width"] + 1 for found in map(shape, marks.all()))


def shape(mark: Any) -> dict[str, float]:
    found: dict[str, float] = mark.bounding_box()
    return found


@pytest.mark.parametrize("width", WIDTHS)
def test_it_does_not_scroll_sideways(browser: Any, file: Path, width: int) -> None:
    tab, _ = opened(browser, file, viewport={"width": width, "height": 900})
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_it_follows_the_theme_and_prints_light(browser: Any, file: Path) -> None:
    grounds = {}
    for scheme in ("light", "dark"):
        tab, _ = opened(browser, file, color_scheme=scheme)
        grounds[scheme] = tab.evaluate("getComputedStyle(document.body).backgroundColor")
        tab.emulate_media(media="print")
        grounds[f"{scheme} print"] = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert grounds["light"] == grounds["light print"] == grounds["dark print"] == "rgb(255, 255, 255)"
    assert grounds["dark"] == "rgb(20, 24, 29)"


def test_hostile_text_is_text(browser: Any, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_bytes(as_html(report(hostile_run(), Chosen(examples=50))))
    tab, heard = opened(browser, page)
    assert heard == []
    seen = tab.locator("body").inner_text()
    for text in TYPED[:5]:
        assert text in seen
    assert tab.locator("script, img, a").count() == 0


def test_the_app_gives_the_same_page_and_a_script_that_gives_its_numbers(browser: Any, page: Any, tmp_path: Path) -> None:
    arrive(page, "/Report?run=sample-bruno&preset=squad_v1", "Report")
    for name, file in (("HTML, one file", "app.html"), ("JSONL", "items.jsonl"), ("Script", "script.py")):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=name, exact=True).click()
        waiting.value.save_as(tmp_path / file)
    shown = page.locator(".wm-side .wm-active").inner_text()
    printed = run([(tmp_path / "script.py").read_text(encoding="utf-8")], [(tmp_path / "items.jsonl").read_bytes()], tmp_path)[0]
    em, f1 = (f"{100 * float(printed[name]):.2f}" for name in ("EM", "F1"))
    assert f"EM {em} · F1 {f1}" in shown
    report_tab, heard = opened(browser, tmp_path / "app.html")
    assert heard == []
    assert [report_tab.locator("td", has_text=number).count() > 0 for number in (em, f1)] == [True, True]
