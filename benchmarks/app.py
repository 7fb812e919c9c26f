"""Drive the real app in a real browser: how long until the numbers stand on the screen.

    python -m benchmarks.app            100,000 items, 50 switches
    python -m benchmarks.app --items 20000 --switches 10

It prints seconds from a click to new numbers, from a click to an opened
item, what the server's memory grew by, and what the processes beside it
held at most. Three steps are switched in turn, so that all settings they
make come up: eight, more than the server keeps the scores of.
"""

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import orjson

from benchmarks.data import short_answers
from tests.browser import arrive, chromium, drop, follow, running_app, settled, titled

WAIT = 300_000  # Milliseconds until the run gives up.
STEPS = ("Drop articles", "Delete punctuation", "Drop articles", "Lower")  # In this order all combinations of on and off pass by.
WARM = 10  # Switches before memory is looked at.
CYCLE = 8  # Switches: all settings once. Work that has just begun behind the page holds up to 30 MB for a moment, which one look may meet.


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.app", description="Speed of the app in a browser.")
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--switches", type=int, default=50)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_app("--server.maxUploadSize=1000") as app, chromium() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 1000}, base_url=app.address)
        page.set_default_timeout(WAIT)
        path = Path(folder) / "answers.jsonl"
        write_answers(path, chosen.items)
        started = time.perf_counter()
        open_file(page, path, chosen.items)
        print(f"| file chosen to Overview, {chosen.items:,} items | {time.perf_counter() - started:.2f} s | |", flush=True)
        seconds, memory, beside = switches(page, app.process.pid, chosen.switches)
        print(f"| click on a step to new numbers, median of {len(seconds)} | {median(seconds):.2f} s, at most {max(seconds):.2f} s | 1 s |")
        more = median(memory[-CYCLE:]) - median(memory[:WARM][-CYCLE:])
        print(f"| server memory, after {len(memory)} switches over after {min(WARM, len(memory))}, medians of {CYCLE} | {more / 1e6:.0f} MB more | 20 MB |")
        print(f"| memory of the processes that find reasons, at most | {max(beside) / 1e6:.0f} MB | |")
        opened = openings(page, 10)
        print(f"| click on an item to its page, median of {len(opened)} | {median(opened):.2f} s, at most {max(opened):.2f} s | 0.2 s |")


def write_answers(path: Path, items: int) -> None:
    """Write a file of answers as JSON lines."""
    answers = short_answers(items)
    with path.open("wb") as file:
        for number, (text, listed) in enumerate(zip(answers.predictions, answers.references, strict=True)):
            row = {"id": f"item-{number}", "question": f"Question {number}?", "prediction": text, "references": listed}
            file.write(orjson.dumps(row) + b"\n")


def open_file(page: Any, path: Path, items: int) -> None:
    """Upload a file and have it scored."""
    arrive(page, "/", "Home")
    drop(page, path)
    button = page.get_by_role("button", name=f"Score {items:,} items")
    button.wait_for()
    settled(page)
    button.click()
    titled(page, "Overview")


def switches(page: Any, server_id: int, count: int) -> tuple[list[float], list[int], list[int]]:
    """Switch steps on and off; give seconds until the numbers changed, and the bytes of the server and of its processes after each."""
    follow(page, "Normalization")
    ledger = page.locator(".wm-ledger")
    seconds, memory, beside = [], [], []
    for number in range(count):
        before = ledger.inner_text()
        start = time.perf_counter()
        page.locator("label", has_text=STEPS[number % len(STEPS)]).click()
        page.wait_for_function("before => { const at = document.querySelector('.wm-ledger'); return at && at.innerText !== before }", arg=before)
        seconds.append(time.perf_counter() - start)
        settled(page)
        memory.append(resident(server_id))
        beside.append(sum(map(resident, children(server_id))))
    return seconds, memory, beside


def resident(process_id: int) -> int:
    """Give the bytes a process holds in memory; none when it has ended."""
    try:
        return int(Path(f"/proc/{process_id}/statm").read_text().split()[1]) * 4096
    except OSError:
        return 0


def children(process_id: int) -> list[int]:
    """Give the processes a process has begun."""
    return [int(each) for listed in Path(f"/proc/{process_id}/task").glob("*/children") for each in listed.read_text().split()]


def openings(page: Any, count: int) -> list[float]:
    """Open items from the list of failures; give seconds until each stands on the screen."""
    seconds = []
    for number in range(count):
        follow(page, "Failures")
        row: Any = page.locator(".wm-li[data-row]").nth(number)
        wanted = row.locator(".wm-id").inner_text()
        start = time.perf_counter()
        row.click()
        page.locator(".wm-badges b", has_text=wanted).wait_for()
        page.locator(".wm-steps").wait_for()
        seconds.append(time.perf_counter() - start)
        settled(page)
    return seconds


if __name__ == "__main__":
    main()
