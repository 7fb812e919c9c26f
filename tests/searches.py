"""Searches through scored folders that stop half-way until a test lets them go on."""

import threading
from collections.abc import Iterator

import pytest

from evalcore.engines.search import Search


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Hold searches back at the second file and those after it; give what lets them go on."""
    go_on, searched = threading.Event(), Search._searched

    def waiting(self: Search, piece):
        if piece.part.start:
            go_on.wait(30)
        return searched(self, piece)

    monkeypatch.setattr(Search, "_searched", waiting)
    yield go_on
    go_on.set()
