"""The files a user dropped on Home, as read, until they are scored."""

from collections.abc import Mapping as Pairs
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from evalcore import Preset
from evalcore.data import DataError, FormatError, Loaded, Mapping, Table, guess, load_tables, packed_files, read_table
from evalcore.data.additions import with_additions
from evalcore.data.formats import recognise
from evalcore.data.formats.lm_eval import RESULTS
from evalcore.data.guess import as_predictions
from evalcore.data.lm_eval_settings import presets_of_results
from evalcore.data.source import open_source
from pages.ui.store import Run, content_key

MOST_FILES = 12
EACH_ITSELF = "each file itself"


@dataclass(frozen=True, eq=False)
class Dropped:
    """One file: as read, or why it cannot be read.

    `data` is kept where its encoding was a guess or a sheet was chosen, to read it again.
    `settings` are those of a results file by task and filter, `left` says
    which of them cannot be replayed.
    """

    number: int
    name: str
    size: int
    table: Table | None
    error: str = ""
    data: bytes = b""
    settings: Pairs[tuple[str, str], Preset] = field(default_factory=dict)
    left: tuple[str, ...] = ()

    @classmethod
    def read(cls, number: int, name: str, data: bytes, encoding: str | None = None, sheet: str | None = None) -> "Dropped":
        """Read a file; one that cannot be read says why."""
        try:
            table = read_table(data, name, encoding, sheet)
        except FormatError as error:
            settings, left = _settings(name, data)
            return cls(number, name, len(data), None, "" if settings else str(error), settings=settings, left=left)
        return cls(number, name, len(data), table, data=data if max(len(table.encodings), len(table.sheets)) > 1 else b"")


def _settings(name: str, data: bytes) -> tuple[Pairs[tuple[str, str], Preset], tuple[str, ...]]:
    """Give the settings in a results file, none in any other file."""
    try:
        return presets_of_results(data, name) if recognise(open_source(data, name))[0] is RESULTS else ({}, ())
    except FormatError:
        return {}, ()


@dataclass
class Tray:
    """All dropped files of a session.

    `round` renews the upload widget. `belongs` says to which predictions a
    file that only adds columns belongs, both by number.
    """

    files: list[Dropped] = field(default_factory=list)
    round: int = 0
    next: int = 0
    belongs: dict[int, int] = field(default_factory=dict)
    kept: dict[Any, Loaded] = field(default_factory=dict)
    guesses: dict[Any, tuple[Mapping, Mapping | None]] = field(default_factory=dict)
    previews: list[Run] = field(default_factory=list)

    def add(self, name: str, data: bytes) -> None:
        """Read a file and keep it, also when it cannot be read; the files of an archive each by itself."""
        try:
            packed = packed_files(data, name)
        except FormatError:  # Reading it says what is wrong.
            packed = {}
        for inner, content in packed.items():
            self._add(f"{name}/{inner}", content)
        if not packed:
            self._add(name, data)

    def _add(self, name: str, data: bytes) -> None:
        if len(self.files) >= MOST_FILES:
            self.files.append(Dropped(self._number(), name, len(data), None, f"{name} was not read: {MOST_FILES} files are loaded already; remove one first"))
            return
        self.files.append(Dropped.read(self._number(), name, data))

    def read_again(self, number: int, encoding: str | None = None, sheet: str | None = None) -> None:
        """Read a file under another encoding, or another sheet of it; where that fails it stays as it is, and says why."""
        place = next(place for place, file in enumerate(self.files) if file.number == number)
        file = self.files[place]
        again = Dropped.read(self._number(), file.name, file.data, encoding, sheet)
        self.files[place] = again if again.table is not None else replace(file, number=again.number, error=again.error)

    def remove(self, number: int) -> None:
        """Forget a file."""
        self.files = [file for file in self.files if file.number != number]
        self._forget()

    def clear(self) -> None:
        """Forget all files."""
        self.files.clear()
        self._forget()

    def _forget(self) -> None:
        self.kept.clear()
        self.guesses.clear()
        self.previews.clear()

    @property
    def read(self) -> list[Dropped]:
        """Give the files that could be read; those that only add columns where there is nothing else."""
        return [file for file in self.files if file.table is not None and not file.table.adds] or self.additions

    @property
    def additions(self) -> list[Dropped]:
        """Give the files that only add columns to another."""
        return [file for file in self.files if file.table is not None and file.table.adds]

    @property
    def settings(self) -> dict[tuple[str, str], Preset]:
        """Give the settings of all results files, by task and filter."""
        return {name: preset for file in self.files for name, preset in file.settings.items()}

    def with_additions(self, group: Sequence[Dropped]) -> list[Dropped]:
        """Give a group and the files that add columns to it."""
        head = group[0].number
        return [*group, *(file for file in self.additions if file not in group and self.belongs.get(file.number, head) == head)]

    def preview(self, loaded: Loaded, number: int) -> Run:
        """Give one system of what was loaded as the run it will be."""
        dataset = loaded.datasets[number]
        known = next((run for run in self.previews if run.dataset is dataset), None)
        if known is None:
            known = Run(content_key(dataset), "", dataset.name, dataset.system, dataset, loaded.reports[number], logged=loaded.logged[number])
            self.previews = [*self.previews[1 - MOST_FILES :], known]
        return known

    def _number(self) -> int:
        self.next += 1
        return self.next


def tray() -> Tray:
    """Give this session's tray."""
    if "whymiss_tray" not in st.session_state:
        st.session_state["whymiss_tray"] = Tray()
    found: Tray = st.session_state["whymiss_tray"]
    return found


def titles(files: Sequence[Dropped]) -> list[str]:
    """Name every file so that no two share a name."""
    plain = [file.name for file in files]
    return [name if plain.count(name) == 1 else f"{name} ({file.number})" for name, file in zip(plain, files, strict=True)]


def references_choices(files: Sequence[Dropped]) -> list[str]:
    """Give where references can come from, the likely place first."""
    if len(files) < 2:
        return []
    guesses = [guess(file.table) for file in files if file.table is not None]
    names = titles(files)
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
    everything = tray().with_additions(files)
    key = tuple(file.number for file in everything)
    known = tray().guesses
    if key not in known:
        known[key] = _guessed([file.table for file in everything if file.table is not None])
    return known[key]


def _guessed(given: Sequence[Table]) -> tuple[Mapping, Mapping | None]:
    tables: Sequence[Table] = [table for table in given if not table.adds] or given
    try:
        tables = with_additions(given)
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
    everything = tray().with_additions(files)
    key = (tuple(file.number for file in everything), mapping, other, how)
    kept = tray().kept
    if key not in kept:
        loaded = load_tables([file.table for file in everything if file.table is not None], mapping, other, how)
        while len(kept) >= MOST_FILES:
            kept.pop(next(iter(kept)))
        kept[key] = loaded
    return kept[key]
