"""A small scored folder with a lone surrogate, opened, and searches through it that stop half-way until a test lets them go on."""

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from evalcore import Scores
from evalcore.engines.scored_folder import ScoredFolder
from evalcore.engines.search import Search
from tests.scored import surrogate_folder


@pytest.fixture(scope="session")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder; who changes files of it works on a copy."""
    return surrogate_folder(tmp_path_factory.mktemp("scored"))


@pytest.fixture(scope="session")
def folder(out: Path) -> ScoredFolder:
    """Open it."""
    return ScoredFolder.open(out)


@pytest.fixture(scope="session")
def scores(folder: ScoredFolder) -> Scores:
    """Read all items, as one run."""
    return folder.scores(np.arange(len(folder)))


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
