"""Settings all tests share: how many examples, and what runs only in full."""

import os
import tempfile

import pytest
from hypothesis import HealthCheck, settings

from evalcore.judging.store import VARIABLE
from tests.browser import address, browser, page
from tests.counts import LONG, examples
from tests.databases import judgements_url, kept, postgres_url
from tests.searches import folder, held, out, scores

__all__ = ["address", "browser", "folder", "held", "judgements_url", "kept", "out", "page", "postgres_url", "scores"]

SLOWEST_FIRST = ("test_browser", "test_pages", "test_engines", "test_judging", "test_presets_fuzz", "test_replay")  # How the names of slow files begin.

FOLDER = tempfile.TemporaryDirectory(prefix="whymiss-verdicts-")
os.environ[VARIABLE] = f"sqlite:///{FOLDER.name}/verdicts.sqlite"  # Pages that show verdicts leave the user's own alone.

settings.register_profile("gate", deadline=None, max_examples=examples(100), suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("long", parent=settings.get_profile("gate"), max_examples=1000)
settings.load_profile("long" if LONG else "gate")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the slowest files, so that all processes end together; leave tests marked `long` to the run with WHYMISS_LONG=1."""
    items.sort(key=lambda item: next((place for place, start in enumerate(SLOWEST_FIRST) if item.path.name.startswith(start)), len(SLOWEST_FIRST)))
    if LONG:
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="long count: set WHYMISS_LONG=1"))
