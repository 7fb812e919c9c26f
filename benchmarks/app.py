"""Drive the real app in a real browser: how long until the numbers stand on the screen.

    python -m benchmarks.app            100,000 items, 50 switches
    python -m benchmarks.app --items 20000 --switches 10

It prints seconds from a click to new numbers, from a click to an opened
item, and what the server's memory grew by.
"""

import argparse
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import orjson
from playwright.sync_api import Page, sync_playwright

from benchmarks.data import short_answers

ROOT = Path(__file__).parents[1]
WAIT = 300_000  # Milliseconds until the run gives up.
WARM = 10  # Switches before memory is looked at.
SETTLED = '[data-testid="stApp"][data-test-script-state="notRunning"]'


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.app", description="Speed of the app in a browser.")
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--switches", type=int, default=50)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, server() as (address, process), browser_page(address) as page:
        path = Path(folder) / "answers.jsonl"
        write_answers(path, chosen.items)
        started = time.perf_counter()
        open_file(page, path, chosen.items)
        print(f"| file chosen to Overview, {chosen.items:,} items | {time.perf_counter() - started:.2f} s | |", flush=True)
        seconds, memory = switches(page, process.pid, chosen.switches)
        print(f"| click on a step to new numbers, median of {len(seconds)} | {median(seconds):.2f} s, at most {max(seconds):.2f} s | 1 s |")
        early = memory[min(WARM, len(memory)) - 1]
        print(f"| server memory, after {len(memory)} switches over after {min(WARM, len(memory))} | {(memory[-1] - early) / 1e6:.0f} MB more | 20 MB |")
        opened = openings(page, 10)
        print(f"| click on an item to its page, median of {len(opened)} | {median(opened):.2f} s, at most {max(opened):.2f} s | 0.2 s |")


@contextmanager
def server() -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Run the app on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true", "--server.maxUploadSize=1000"]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *options]
    running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert running.stdout is not None
        next(line for line in running.stdout if "URL:" in line)
        yield f"http://127.0.0.1:{port}", running
    finally:
        running.terminate()
        running.communicate(timeout=30)


@contextmanager
def browser_page(address: str) -> Iterator[Page]:
    """Open a page in the system's Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 1000}, base_url=address)
        page.set_default_timeout(WAIT)
        try:
            yield page
        finally:
            browser.close()


def write_answers(path: Path, items: int) -> None:
    """Write a file of answers as JSON lines."""
    answers = short_answers(items)
    with path.open("wb") as file:
        for number, (text, listed) in enumerate(zip(answers.predictions, answers.references, strict=True)):
            row = {"id": f"item-{number}", "question": f"Question {number}?", "prediction": text, "references": listed}
            file.write(orjson.dumps(row) + b"\n")


def open_file(page: Page, path: Path, items: int) -> None:
    """Upload a file and have it scored."""
    page.goto("/")
    page.wait_for_selector(SETTLED)
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(str(path))
    button = page.get_by_role("button", name=f"Score {items:,} items")
    button.wait_for()
    page.wait_for_selector(SETTLED)
    button.click()
    titled(page, "Overview")


def titled(page: Page, title: str) -> None:
    """Wait until a page of this title stands still."""
    page.locator(".wm-head h1", has_text=title).wait_for()
    page.wait_for_selector(SETTLED)


def go(page: Page, title: str) -> None:
    """Follow the link in the sidebar."""
    page.get_by_test_id("stSidebar").get_by_role("link", name=title).click()
    titled(page, title)


def switches(page: Page, server_id: int, count: int) -> tuple[list[float], list[int]]:
    """Switch a step on and off; give seconds until the numbers changed, and the server's bytes after each."""
    go(page, "Normalization")
    ledger, step = page.locator(".wm-ledger"), page.locator("label", has_text="Drop articles")
    seconds, memory = [], []
    for _ in range(count):
        before = ledger.inner_text()
        start = time.perf_counter()
        step.click()
        page.wait_for_function("before => { const at = document.querySelector('.wm-ledger'); return at && at.innerText !== before }", arg=before)
        seconds.append(time.perf_counter() - start)
        page.wait_for_selector(SETTLED)
        memory.append(int(Path(f"/proc/{server_id}/statm").read_text().split()[1]) * 4096)
    return seconds, memory


def openings(page: Page, count: int) -> list[float]:
    """Open items from the list of failures; give seconds until each stands on the screen."""
    seconds = []
    for number in range(count):
        go(page, "Failures")
        row: Any = page.locator(".wm-li[data-row]").nth(number)
        wanted = row.locator(".wm-id").inner_text()
        start = time.perf_counter()
        row.click()
        page.locator(".wm-badges b", has_text=wanted).wait_for()
        page.locator(".wm-steps").wait_for()
        seconds.append(time.perf_counter() - start)
        page.wait_for_selector(SETTLED)
    return seconds


if __name__ == "__main__":
    main()
