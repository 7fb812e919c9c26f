"""What the server loads ahead, and what it keeps out of the search for garbage."""

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator

import pytest

from pages.ui import memory
from tests.browser import ROOT


class Ring:
    """An object that refers to itself, so only a search for garbage ends it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _nothing_set_aside() -> Iterator[None]:
    yield
    gc.unfreeze()


def test_what_was_loaded_is_not_searched_again() -> None:
    memory.set_aside()
    assert gc.get_freeze_count() > 10_000
    assert len(gc.get_objects()) < 0.1 * gc.get_freeze_count()


def test_garbage_made_later_goes_at_once() -> None:
    memory.set_aside()
    there = weakref.ref(Ring())
    gc.collect()
    assert there() is None


def test_what_falls_out_of_use_while_set_aside_goes_with_the_next_call() -> None:
    ring, kept = Ring(), Ring()
    there = weakref.ref(ring)
    memory.set_aside()
    del ring
    gc.collect()
    assert there() is not None
    memory.set_aside()
    assert there() is None
    assert kept.itself is kept


SCRIPT = """
import ast
import sys
from pathlib import Path
from pages.ui import frame
frame.load()
for page in Path("pages").glob("[0-9]*.py"):
    for node in ast.walk(ast.parse(page.read_text("utf-8"))):
        names = [f"{node.module}.{each.name}" for each in node.names] if isinstance(node, ast.ImportFrom) and node.module == "pages.ui" else []
        names += [node.module] if isinstance(node, ast.ImportFrom) else []
        assert all(name in sys.modules for name in names), (page, names)
"""


def test_no_page_waits_for_its_modules() -> None:
    subprocess.run([sys.executable, "-c", SCRIPT], check=True, cwd=ROOT, timeout=300)
