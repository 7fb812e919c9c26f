"""The files a user dropped on Home, as read, until they are scored."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from evalcore.data import DataError, FormatError, Loaded, Mapping, Table, guess, load_tables, read_table
from evalcore.data.guess import as_predictions

MOST_FILES = 12
EACH_ITSELF = "each file itself"


@dataclass(frozen=True, eq=False)
class Dropped:
    """One file: as read, or why it cannot be read."""

    number: int
    name: str
    size: int
    table: Table | None
    error: str = ""


@dataclass
class Tray:
    """All dropped files of a session. `round` renews the upload widget."""

    files: list[Dropped] = field(default_factory=list)
    round: int = 0
    next: int = 0
    kept: dict[Any, Loaded] = field(default_factory=dict)
    guesses: dict[Any, tuple[Mapping, Mapping | None]] = field(default_factory=dict)

    def add(self, name: str, data: bytes) -> None:
        """Read a file and keep it, also when it cannot be read."""
        if len(self.files) >= MOST_FILES:
            self.files.append(Dropped(self._number(), name, len(data), None, f"{name} was not read: {MOST_FILES} files are loaded already; remove one first"))
            return
        try:
            self.files.append(Dropped(self._number(), name, len(data), read_table(data, name)))
        except FormatError as error:
            self.files.append(Dropped(self._number(), name, len(data), None, str(error)))

    def remove(self, number: int) -> None:
        """Forget a file."""
        self.files = [file for file in self.files if file.number != number]
        self.kept.clear()
        self.guesses.clear()

    def clear(self) -> None:
        """Forget all files."""
        self.files.clear()
        self.kept.clear()
        self.guesses.clear()

    @property
    def read(self) -> list[Dropped]:
        """Give the files that could be read."""
        return [file for file in self.files if file.table is not None]

    def _number(self) -> int:
        self.next += 1
        return self.next


def tray() -> Tray:
    """Give this session's tray."""
    if "whymiss_tray" not in st.session_state:
        st.session_state["whymiss_tray"] = Tray()
    found: Tray = st.session_state["whymiss_tray"]
    return found


def references_choices(files: Sequence[Dropped]) -> list[str]:
    """Give where references can come from, the likely place first."""
    if len(files) < 2:
        return []
    guesses = [guess(file.table) for file in files if file.table is not None]
    names = [f"{file.name}" if [other.name for other in files].count(file.name) == 1 else f"{file.name} ({file.number})" for file in files]
    only = [name for name, found in zip(names, guesses, strict=True) if found.references and not found.predictions]
    complete = all(not found.missing for found in guesses)
    first = [EACH_ITSELF] if complete else only[-1:] or _arranged_last(files, names)
    return [*first, *(name for name in [*names, EACH_ITSELF] if name not in first)]


def _arranged_last(files: Sequence[Dropped], names: Sequence[str]) -> list[str]:
    """Ask the core which of two files holds the references; else take the last."""
    tables = [file.table for file in files if file.table is not None]
    if len(tables) == 2:
        try:
            return [names[tables.index(load_tables(tables).tables[1])]]
        except DataError:
            pass
    return [names[-1]]


def pairs(files: Sequence[Dropped], choice: str | None) -> list[tuple[Dropped, ...]]:
    """Give the files that belong together, predictions first."""
    if choice is None or choice == EACH_ITSELF:
        return [(file,) for file in files]
    reference = next((file for file in files if choice in (file.name, f"{file.name} ({file.number})")), files[-1])
    return [(file, reference) for file in files if file is not reference]


def guessed(files: Sequence[Dropped]) -> tuple[Mapping, Mapping | None]:
    """Guess the mapping of the predictions file, and of the references file when there are two."""
    key = tuple(file.number for file in files)
    known = tray().guesses
    if key not in known:
        known[key] = _guessed([file.table for file in files if file.table is not None])
    return known[key]


def _guessed(tables: Sequence[Table]) -> tuple[Mapping, Mapping | None]:
    try:
        loaded = load_tables(tables)
        if loaded.tables[0] is tables[0]:
            return loaded.mapping, loaded.references_mapping
    except DataError:
        pass
    if len(tables) == 1:
        return guess(tables[0]), None
    return as_predictions(guess(tables[0])), replace(guess(tables[1]), predictions=())


def load(files: Sequence[Dropped], mapping: Mapping, other: Mapping | None, how: str | None) -> Loaded:
    """Load files under a mapping; the last answers are kept, so a rerun costs nothing.

    Raises: DataError.
    """
    key = (tuple(file.number for file in files), mapping, other, how)
    kept = tray().kept
    if key not in kept:
        loaded = load_tables([file.table for file in files if file.table is not None], mapping, other, how)
        while len(kept) >= MOST_FILES:
            kept.pop(next(iter(kept)))
        kept[key] = loaded
    return kept[key]
