"""A scored folder of made-up answers, as large as asked for, kept between runs; how fast the app shows it.

    python -m benchmarks.browsing                  10,000,000 items in 64 files
    python -m benchmarks.browsing --items 20000 --files 4

It prints seconds until pages stand on the screen, and the most the server
held in memory. Before the first and after the second click it waits until
the server is idle, as it is when somebody reads: it loads kernels and pages
in the background for some three seconds after its start. With --at-once it
does not wait. WHYMISS_CACHE names the folder that keeps the data.
"""

import argparse
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
import pyarrow as pa
import pyarrow.parquet as pq

import evalcore
from benchmarks.data import short_answers
from evalcore.engines.folder import score_folder
from evalcore.engines.partition import LAYOUT
from tests.browser import arrive, chromium, follow, press_until, running_app, settled

VARIABLE = "WHYMISS_CACHE"
PRESET = "squad_v1"
WAIT = 300_000  # Milliseconds until the run gives up.
POOL = 160_000  # Answers that differ; every file holds them in an order of its own.


def cache() -> Path:
    """Give the folder in which large data are kept between runs."""
    return Path(os.environ.get(VARIABLE) or platformdirs.user_cache_dir("whymiss"))


def scored(items: int, files: int, slices: bool = True) -> Path:
    """Give a scored folder of so many items, made unless it is there; a run that was stopped goes on."""
    root = cache() / f"scored-{items}-{files}-{LAYOUT}-{evalcore.__version__}{'' if slices else '-plain'}"
    out = root / "out"
    if not (out / "summary.json").exists():
        write(root / "source", items, files)
        score_folder(str(root / "source"), out, evalcore.preset(PRESET), slices=slices)
        shutil.rmtree(root / "source")
    return out


def write(folder: Path, items: int, files: int) -> None:
    """Write answers with ids, questions and a language as Parquet files."""
    folder.mkdir(parents=True, exist_ok=True)
    answers = short_answers(min(items, POOL))
    pool = pa.table({"prediction": answers.predictions, "references": answers.references})
    names = [listed[0] for listed in answers.references]
    languages = np.array(["en", "de", "fr", "es"])
    start = 0
    for number in range(files):
        count = (items - start) // (files - number)
        chosen = np.random.default_rng(number).integers(0, len(pool), count)
        ids = [f"q{place:08}" for place in range(start, start + count)]
        questions = [f"Which {names[row][:40]} does question {place} ask for?" for place, row in enumerate(chosen[::-1].tolist(), start)]
        table = pool.take(pa.array(chosen)).append_column("id", pa.array(ids)).append_column("question", pa.array(questions))
        pq.write_table(table.append_column("language", pa.array(languages[chosen % 4])), folder / f"part-{number:03}.parquet")
        start += count


def main() -> None:
    """Make the folder, measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.browsing", description="Speed of the app on a scored folder.")
    parser.add_argument("--items", type=int, default=10_000_000)
    parser.add_argument("--files", type=int, default=64)
    parser.add_argument("--at-once", action="store_true", help="do not wait until the server is idle")
    chosen = parser.parse_args()
    out = scored(chosen.items, chosen.files)
    with running_app("--", "--folder", str(out)) as app, chromium() as browser:
        page = browser.new_page(base_url=app.address, viewport={"width": 1440, "height": 1000})
        page.set_default_timeout(WAIT)
        arrive(page, "/", "Home")
        wait = (lambda: None) if chosen.at_once else (lambda: idle(app.process.pid))
        wait()
        for what, seconds in times(page, out, wait):
            print(f"| {what} | {seconds:.2f} s |", flush=True)
        print(f"| most memory of the server | {peak(app.process.pid) / 1e6:,.0f} MB |")


class Failures:
    """The pages of a folder, driven; every method gives the seconds until what it does stands on the screen."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.rows = page.locator(".wm-li[data-row]")
        self.whole = page.locator(".wm-cap[role=status]").filter(has_not_text="so far")

    def timed(self, act: Callable[[], Any]) -> float:
        """Time until the page is drawn."""
        started = time.perf_counter()
        act()
        settled(self.page)
        return time.perf_counter() - started

    def changed(self, act: Callable[[], Any]) -> float:
        """Time until the first row of the list is another one; a row outside the window has no inner text."""
        first = self.rows.first.text_content()
        started = time.perf_counter()
        act()
        script = "before => { const at = document.querySelector('.wm-li[data-row]'); return at && at.textContent !== before }"
        self.page.wait_for_function(script, arg=first)
        seconds = time.perf_counter() - started
        settled(self.page)
        return seconds

    def order(self, name: str) -> float:
        """Time from the choice on: the box opens without the server, and again where a page drawn anew has closed it."""
        choice = self.page.get_by_role("option", name=name)
        press_until(self.page.get_by_role("combobox", name=re.compile("Order")), choice)
        return self.changed(choice.click)

    def chip(self, name: str) -> float:
        """Choose a bucket."""
        return self.changed(self.page.get_by_test_id("stButtonGroup").get_by_text(re.compile(f"^{name}")).click)

    def last_page(self) -> float:
        """Turn to the last page."""
        return self.changed(self.page.get_by_test_id("stPaginationPage").last.click)

    def search(self, text: str) -> float:
        """Search for a text, or a pattern where that was chosen."""

        def typed() -> None:
            self.page.get_by_label("Search id, question, prediction and references").fill(text)
            self.page.keyboard.press("Enter")

        return self.changed(typed)


def times(page: Any, out: Path, wait: Callable[[], None]) -> Iterator[tuple[str, float]]:
    """Drive the pages; give what was done, and seconds until it stood on the screen. `wait` is called where a reader would stay."""
    at = Failures(page)
    yield "open the folder, to Overview", at.timed(lambda: (page.locator(".wm-file .wm-go").first.click(), page.locator(".wm-strip").wait_for()))
    wait()
    yield "Failures, first page of EM = 0", at.timed(lambda: follow(page, "Failures"))
    yield "filter: partial", at.chip("Partial")
    yield "filter: near miss", at.chip("Near miss")
    yield "order: F1, low first", at.order("F1, low first")
    yield "order: as in the file", at.order("As in the file")
    yield "filter: miss", at.chip("Miss")
    yield "last page", at.last_page()
    at.rows.first.wait_for()
    yield "open an item of it", at.timed(lambda: (at.rows.first.click(), page.locator(".wm-steps").wait_for()))
    yield "next item", at.timed(lambda: page.get_by_role("button", name="Previous").click())
    arrive(page, f"/Failures?run=folder:{out}&show=%7B%22buckets%22:%5B%22near_miss%22%5D%7D", "Failures")
    wait()
    yield "order: longest prediction first", at.order("Longest prediction first")
    yield "last page of it", at.last_page()
    yield "text search through all near misses", at.search("question 77")
    yield "text search, a word of every item", at.search("question")
    at.whole.wait_for()
    settled(page)
    yield "the same, by id", at.order("By id")
    page.get_by_text("Regular expression", exact=True).click()
    wait()
    started = time.perf_counter()
    yield "regular expression, first page", at.search("question 7[7-9]")
    at.whole.wait_for()
    yield "the same, all items searched", time.perf_counter() - started


def idle(process_id: int) -> None:
    """Wait until a process has used no more than a twentieth of a second of the processor within one second, thrice in turn."""
    quiet, used = 0, worked(process_id)
    while quiet < 3:
        time.sleep(1)
        now = worked(process_id)
        quiet, used = (quiet + 1 if now - used <= 0.05 else 0), now


def worked(process_id: int) -> float:
    """Give the seconds of the processor a process has used."""
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak(process_id: int) -> int:
    """Give the most bytes a process held in memory."""
    status = Path(f"/proc/{process_id}/status").read_text()
    return 1024 * int(re.search(r"VmHWM:\s+(\d+)", status)[1])  # type: ignore[index]


if __name__ == "__main__":
    main()
