"""A scored folder, opened: what stands in its manifest and statistics, and items by their position."""

import json
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from evalcore.analysis.reasons.table import CODES
from evalcore.data import DataError
from evalcore.data.formats.own_export import NO_REFERENCES, NO_TEXT
from evalcore.dataset import Dataset, References
from evalcore.engines.manifest import NAME
from evalcore.engines.partition import COUNTS, LAYOUT, METADATA, NUMBERS, outputs
from evalcore.engines.statistics import OUTCOMES, Statistics
from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import preset as preset_by_name
from evalcore.scoring.scores import Scores, Summary
from evalcore.scoring.statistics import Interval
from evalcore.text.columns import Texts
from evalcore.text.names import UnknownName

SUMMARY = "summary.json"
AGAIN = "score it again into another folder"
THREADS = min(os.cpu_count() or 1, 4)  # That read at once: a server has other readers.
GO_ON = "run the same `whymiss score-folder` command again: it goes on where it stopped"

Entries = Mapping[str, Mapping[str, Any]]
Positions = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Part:
    """One file of items; `search` is what a search reads, `start` the position of its first item, `bytes_in` are the text columns kept as bytes."""

    name: str
    file: Path
    search: Path
    items: int
    start: int
    columns: frozenset[str]
    bytes_in: frozenset[str]
    statistics: Statistics


@dataclass(frozen=True, eq=False)
class ScoredFolder:
    """The items of a scored folder in the order of its files; `len` counts them.

    `troubles`: files and rows that are not among the items, in words;
    `told`: the summary as it was written.
    """

    path: Path
    preset: Preset
    parts: tuple[Part, ...]
    troubles: tuple[str, ...]
    told: Mapping[str, Any]

    @classmethod
    def open(cls, path: Path) -> "ScoredFolder":
        """Read manifest and statistics, and check that every file is there.

        Raises: DataError for a folder that is none, is not finished, has another layout or lacks a file.
        """
        made_with, entries, sources = _manifest(path)
        if not (path / SUMMARY).exists():
            raise DataError(f"{path} is not finished: {SUMMARY} is missing; {GO_ON}")
        done = {name: entry for name, entry in sorted(entries.items()) if entry["state"] == "done"}
        if lost := [name for name in done if not all(file.exists() for file in outputs(path, name))]:
            raise DataError(f"{path} lacks the scores of {len(lost):,} of {len(done):,} files, such as {lost[0]!r:.120}; {GO_ON}")
        parts: list[Part] = []
        for name in done:
            parts.append(_part(path, name, parts[-1].start + parts[-1].items if parts else 0))
        told = _summary(path / SUMMARY)
        found = sum(part.items for part in parts)
        if told["items"] != found:
            raise DataError(f"{path} is not finished: its files hold {found:,} items, {SUMMARY} tells of {told['items']:,}; {GO_ON}")
        if not found:
            raise DataError(f"{path} holds no item; see what manifest.json says of its files")
        return cls(path, _preset(path, made_with), tuple(parts), (*_troubles(sources), *_troubles(entries)), told)

    def __len__(self) -> int:
        return self.parts[-1].start + self.parts[-1].items

    @property
    def joined(self) -> Mapping[str, int]:
        """Count the rows whose id did not meet another, where references stood in a folder of their own."""
        return dict(self.told.get("joined", {}))

    @cached_property
    def starts(self) -> Positions:
        """The position of the first item of every part."""
        return np.array([part.start for part in self.parts], dtype=np.int64)

    @cached_property
    def statistics(self) -> Statistics:
        """The statistics of all items."""
        return Statistics.merged(part.statistics for part in self.parts)

    def interval(self, measure: str) -> Interval | None:
        """Give the mean of a measure with its interval, as the run that scored the folder wrote it."""
        return _interval(self.told["measures"].get(measure), sum(self.statistics.values.get(measure, {}).values()))

    def groups(self) -> Mapping[str, list[tuple[str, int, Interval | None, Interval | None]]]:
        """Give every way the items were grouped: label, items, EM and F1 of every group."""
        return {
            way: [(row["label"], row["items"], *(_interval(row["measures"].get(name), row["items"]) for name in ("em", "f1"))) for row in rows]
            for way, rows in self.told.get("slices", {}).items()
        }

    def sample(self, size: int, seed: int = 0) -> Positions:
        """Draw positions of so many items, each set of them as likely as any other, in order."""
        return np.sort(np.random.default_rng(seed).choice(len(self), min(size, len(self)), replace=False)).astype(np.int64)

    def dataset(self, positions: npt.ArrayLike) -> Dataset:
        """Read some items as a run of their own; what could not be scored for its form stays so."""
        scores = self.scores(positions)
        kept = {row: reason for row, reason in enumerate(scores.unscored) if reason and (NO_TEXT.fullmatch(reason) or NO_REFERENCES.fullmatch(reason))}
        return replace(scores.dataset, unscorable=kept)

    @property
    def has_reasons(self) -> bool:
        """Tell whether the main reason of every failed item is known."""
        return all("reason" in part.columns for part in self.parts)

    def summary(self) -> Summary:
        """Give the aggregates, from the statistics alone."""
        found = self.statistics
        exact = sum(sum(found.lanes[outcome].values()) for outcome in OUTCOMES[:2]) if self.preset.has_em else 0
        em, f1, precision, recall, first = (found.mean(name) for name in ("em", "f1", "precision", "recall", "em_first"))
        counts = (found.items, found.scored, found.unscored)
        return Summary(*counts, exact, em, f1, precision, recall, first, found.missing, found.empty, found.emptied, self.preset.scale, self.preset.signature)

    def scores(self, positions: npt.ArrayLike) -> Scores:
        """Read some items with their scores, in the order given.

        Only the row groups that hold one of them are decoded.
        Raises: DataError when a file cannot be read any more; IndexError for a position there is none of.
        """
        return _as_scores(self._read(positions), self)

    def listed(self, positions: npt.ArrayLike) -> tuple[Scores, Codes | None]:
        """Read what a list shows of some items: the same without contexts, places and metadata, which may be long.

        The second part is the main reason of each as its code, -1 where
        there is none; None where reasons were not looked for.
        """
        table = self._read(positions, _in_a_list)
        if not self.has_reasons:
            return _as_scores(table, self), None
        reasons = [-1 if name is None else CODES[name.decode()] for name in table["reason"].to_pylist()]
        return _as_scores(table, self), np.array(reasons, dtype=np.int8)

    def _read(self, positions: npt.ArrayLike, wanted: Callable[[str], bool] = lambda name: True) -> pa.Table:
        """Read the wanted columns of some items."""
        asked = np.asarray(positions, dtype=np.int64)
        if len(asked) and not 0 <= asked.min() <= asked.max() < len(self):
            raise IndexError(f"positions from 0 to {len(self) - 1:,} are there, {asked.min():,} to {asked.max():,} are asked for")
        order = np.argsort(asked, kind="stable")
        numbers = np.searchsorted(self.starts, asked[order], side="right") - 1
        with ThreadPoolExecutor(THREADS, "whymiss-read") as pool:
            parts = [(self.parts[number], asked[order[numbers == number]]) for number in np.unique(numbers).tolist()]
            tables = list(pool.map(lambda each: _taken(each[0], each[1], wanted), parts or [(self.parts[0], asked)]))
        back = np.empty(len(asked), dtype=np.int64)
        back[order] = np.arange(len(asked))
        return pa.concat_tables(tables, promote_options="default").take(pa.array(back))


def _interval(told: Mapping[str, Any] | None, count: int) -> Interval | None:
    if told is None or told["mean"] is None or "low" not in told:
        return None
    return Interval(told["mean"], told["low"], told["high"], count, told["method"])


def _manifest(path: Path) -> tuple[Mapping[str, Any], Entries, Entries]:
    if not path.is_dir():
        raise DataError(f"there is no folder at {str(path)!r:.300}; give the OUT of `whymiss score-folder SOURCE OUT`")
    file = path / NAME
    if not file.is_file():
        raise DataError(f"{path} is no scored folder: it has no {NAME}; make one with `whymiss score-folder SOURCE OUT`")
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
        made_with, entries, sources = value["made_with"], value["parts"], value.get("sources", {})
        layout = made_with.get("layout", 1)
        [(entry["state"], entry["items"], entry["bad_rows"]) for entry in (*entries.values(), *sources.values())]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{file} cannot be read as a manifest ({error!r:.120}); {AGAIN}") from None
    if layout != LAYOUT:
        raise DataError(f"{path} was written in layout {layout!r:.20} by Whymiss {made_with.get('version')!s:.20}, this one reads layout {LAYOUT}; {AGAIN}")
    return made_with, entries, sources


def _preset(path: Path, made_with: Mapping[str, Any]) -> Preset:
    try:
        settings = made_with["settings"]
        return preset_by_name(settings["preset"]).from_json(json.dumps(settings))
    except (KeyError, TypeError, ValueError, UnknownName) as error:
        raise DataError(f"the settings in {path / NAME} are not understood ({error!s:.200}); {AGAIN}") from None


def _part(path: Path, name: str, start: int) -> Part:
    items, search, statistics = outputs(path, name)
    try:
        footer = pq.read_metadata(items)
        schema = footer.schema.to_arrow_schema()
        found = Statistics.from_json(json.loads(statistics.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        raise DataError(f"the scores of {name!r:.120} cannot be read ({error!s:.200}); remove {items} and {GO_ON}") from None
    if footer.num_rows != found.items:
        raise DataError(f"{items} holds {footer.num_rows:,} items, its statistics tell of {found.items:,}; remove it and {GO_ON}")
    kept = {field.name for field in schema if pa.types.is_large_binary(_inner(field.type))}
    return Part(name, items, search, footer.num_rows, start, frozenset(schema.names), frozenset(kept), found)


def _inner(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_large_list(kind) else kind


def _summary(file: Path) -> Mapping[str, Any]:
    try:
        value: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return {**value, "items": int(value["items"]), "measures": dict(value["measures"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{file} cannot be read ({error!r:.120}); {GO_ON}") from None


def _troubles(entries: Entries) -> list[str]:
    told = []
    for name, entry in sorted(entries.items()):
        if entry["state"] != "done":
            told.append(f"{name}: {entry['state']}; {entry.get('message', '')}")
        elif entry["bad_rows"]:
            told.append(f"{name}: {entry['bad_rows']:,} rows could not be read or scored: {', '.join(entry.get('places', [])[:3])}")
    return told


def _in_a_list(column: str) -> bool:
    return column not in ("context", "place") and not column.startswith(METADATA)


def _taken(part: Part, positions: Positions, wanted: Callable[[str], bool]) -> pa.Table:
    """Read the wanted columns of items of one part; positions ascend."""
    rows = positions - part.start
    try:
        with pq.ParquetFile(part.file) as file:
            sizes = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
            starts = np.concatenate(([0], np.cumsum(sizes)))
            groups = np.searchsorted(starts, rows, side="right") - 1
            columns = list(filter(wanted, file.schema_arrow.names))
            found = [file.schema_arrow.empty_table().select(columns)]
            for group in np.unique(groups).tolist():
                found.append(file.read_row_group(group, columns=columns, use_threads=False).take(pa.array(rows[groups == group] - starts[group])))
    except (OSError, pa.ArrowException) as error:
        raise DataError(f"the items of {part.name!r:.120} cannot be read ({error!s:.200}); open the folder again, or score the file again") from None
    table = pa.concat_tables(found)
    return table.cast(pa.schema([pa.field(field.name, _as_bytes(field.type)) for field in table.schema]))


def _as_bytes(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_large_list(kind):
        return pa.large_list(pa.large_binary())
    return pa.large_binary() if pa.types.is_large_string(kind) else kind


def _as_scores(table: pa.Table, folder: ScoredFolder) -> Scores:
    items = table.num_rows

    def texts(name: str) -> Texts | None:
        return Texts.from_arrow(table[name]) if name in table.column_names else None

    def numbers(name: str) -> npt.NDArray[np.float64]:
        if name not in table.column_names:
            return np.full(items, np.nan)
        return np.asarray(table[name].to_numpy(), dtype=np.float64)

    lists = table["references"].combine_chunks()
    offsets = np.concatenate(([0], np.cumsum(np.diff(np.asarray(lists.offsets))))).astype(np.int64)
    metadata = {name.removeprefix(METADATA): Texts.from_arrow(table[name]) for name in table.column_names if name.startswith(METADATA)}
    data = Dataset(
        ids=texts("id") or Texts.of([]),
        predictions=texts("prediction") or Texts.of([]),
        references=References(Texts.from_arrow(lists.flatten()), offsets),
        questions=texts("question"),
        contexts=texts("context"),
        metadata=metadata,
        places=texts("place"),
        name=folder.path.name,
    )
    columns: dict[str, Any] = {name: numbers(name) for name in NUMBERS}
    columns |= {name: table[name].to_numpy().astype(np.int64) for name in COUNTS}
    emptied = np.asarray(table["emptied"].to_pylist(), dtype=bool)
    unscored = np.array(list(texts("unscored") or []), dtype=object)
    return Scores(dataset=data, preset=folder.preset, **columns, emptied=emptied, unscored=unscored)
