"""A real browser on a real server."""

import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
WAIT = 60_000  # Milliseconds a page may take on a busy machine before the test fails.
GREETING = ("You can now view", "URL: ", "Uvicorn server started")


class Running(NamedTuple):
    """An app that answers: its address, its process, and what it logged so far."""

    address: str
    process: "subprocess.Popen[bytes]"
    log: Path

    def warnings(self) -> list[str]:
        """Give the log's lines beyond the greeting that names its addresses."""
        lines = (line.strip() for line in self.log.read_text(encoding="utf-8", errors="replace").splitlines())
        return [line for line in lines if line and not any(part in line for part in GREETING)]


@contextmanager
def running_app(*options: str) -> Iterator[Running]:
    """Run the app on a free port until the block ends, and fail where it does not start."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true", *options]
    with tempfile.TemporaryDirectory(prefix="whymiss-log-") as folder:
        log = Path(folder) / "log"
        with log.open("wb") as sink:
            process = subprocess.Popen(command, cwd=ROOT, stdout=sink, stderr=subprocess.STDOUT)
        running = Running(f"http://127.0.0.1:{port}", process, log)
        try:
            _wait_until_healthy(running)
            yield running
        finally:
            process.terminate()
            process.wait(timeout=30)


def _wait_until_healthy(running: Running) -> None:
    """Ask the app until it answers, or has ended."""
    while running.process.poll() is None:
        try:
            urllib.request.urlopen(f"{running.address}/_stcore/health", timeout=30).close()
            return
        except OSError:
            time.sleep(0.05)
    pytest.fail(f"the app did not start: {running.log.read_text(encoding='utf-8', errors='replace')}")


@contextmanager
def server() -> Iterator[str]:
    """Run the app; give its address."""
    with running_app() as running:
        yield running.address


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Give the address of an app that all tests of this process share; sessions keep them apart."""
    with running_app() as running:
        yield running.address
        assert running.warnings() == []


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Give a browser; one a module, because its event loop must not outlive it."""
    with chromium() as started:
        yield started


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """Open a fresh session; fail on any request that leaves this machine."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, accept_downloads=True, base_url=address)
    context.set_default_timeout(WAIT)
    pytest.importorskip("playwright.sync_api").expect.set_options(timeout=WAIT)
    shown = context.new_page()
    outside: list[str] = []
    shown.on("request", lambda request: outside.append(request.url) if not request.url.startswith((address, "data:", "blob:", "ws://127.0.0.1")) else None)
    yield shown
    context.close()
    assert not outside, outside


def settled(page: Any) -> None:
    """Wait until the page is drawn to its end: what is pressed then is meant for what stands there."""
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')


def choose(page: Any, label: str | re.Pattern[str], option: str) -> None:
    """Choose an option of a select box by its label; a list that a redrawn page has closed is opened again."""
    errors = pytest.importorskip("playwright.sync_api").TimeoutError
    for _ in range(6):
        page.get_by_label(label).focus()
        page.keyboard.press("ArrowDown")
        with suppress(errors):
            page.get_by_role("option", name=option).click(timeout=10_000)
            return
        page.keyboard.press("Escape")
    raise AssertionError(f"{option} of {label} could not be chosen")


def press_until(control: Any, came: Any) -> None:
    """Press something until what it brings stands there: a press while the page is being drawn anew can be lost."""
    errors = pytest.importorskip("playwright.sync_api").TimeoutError
    for _ in range(6):
        with suppress(errors):  # What was pressed is gone where a press before has worked after all.
            control.click(timeout=10_000)
        with suppress(errors):
            came.wait_for(timeout=10_000)
            return
    raise AssertionError(f"{came} did not come")


def titled(page: Any, title: str) -> None:
    """Wait until the page of this title is drawn to its end."""
    page.locator(".wm-head h1").get_by_text(title, exact=True).wait_for()
    settled(page)


def arrive(page: Any, path: str, title: str) -> None:
    """Open a path of the app, as a link does."""
    page.goto(path)
    titled(page, title)


def follow(page: Any, title: str) -> None:
    """Go to a page by the sidebar."""
    page.get_by_test_id("stSidebar").get_by_role("link", name=title).click()
    titled(page, title)


def drop(page: Any, *files: Any) -> None:
    """Upload files on Home, each a path or a name and its content."""
    given = [str(file) if isinstance(file, Path) else {"name": file[0], "mimeType": "application/octet-stream", "buffer": file[1]} for file in files]
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(given)


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the system's Chromium; skip the test where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no chromium on this machine")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=found, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()
