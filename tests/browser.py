"""A real browser on a real server."""

import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
WAIT = 60_000  # Milliseconds a page may take on a busy machine before the test fails.


@contextmanager
def server() -> Iterator[str]:
    """Run the app on a free port; give its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    running = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", *options], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert running.stdout is not None
        for line in running.stdout:
            if "URL:" in line:
                break
        else:
            pytest.fail("the app did not start")
        address = f"http://127.0.0.1:{port}"
        urllib.request.urlopen(f"{address}/_stcore/health", timeout=30).close()
        yield address
    finally:
        running.terminate()
        running.communicate(timeout=30)


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
