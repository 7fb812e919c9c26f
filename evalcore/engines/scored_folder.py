"""A scored folder, opened: what stands in its manifest and statistics, and items by their position."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from evalcore.data import DataError
from evalcore.dataset import Dataset, References
from evalcore.engines.manifest import NAME
from evalcore.engines.partition import COUNTS, LAYOUT, NUMBERS
from evalcore.engines.statistics import OUTCOMES, Statistics
from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import preset as preset_by_name
from evalcore.scoring.scores import Scores, Summary
from evalcore.text.columns import Texts
from evalcore.text.names import UnknownName

SUMMARY = "summary.json"
AGAIN = "score it again into another folder"
GO_ON = "run the same `whymiss score-folder` command again: it goes on where it stopped"

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Part:
    """One file of items; `start` is the position of its first item, `bytes_in` the text columns kept as bytes."""

    name: str
    file: Path
    items: int
    start: int
    columns: frozenset[str]
    bytes_in: frozenset[str]
    statistics: Statistics


@dataclass(frozen=True, eq=False)
class ScoredFolder:
    """The items of a scored folder in the order of its files; `len` counts them.

    `troubles`: files and rows that are not among the items, in words.
    """

    path: Path
    preset: Preset
    parts: tuple[Part, ...]
    troubles: tuple[str, ...]

    @classmethod
    def open(cls, path: Path) -> "ScoredFolder":
        """Read manifest and statistics, and check that every file is there.

        Raises: DataError for a folder that is none, is not finished, has another layout or lacks a file.
        """
        made_with, entries = _manifest(path)
        if not (path / SUMMARY).exists():
            raise DataError(f"{path} is not finished: {SUMMARY} is missing; {GO_ON}")
        done = {name: entry for name, entry in sorted(entries.items()) if entry["state"] == "done"}
        if lost := [name for name in done if not all(file.exists() for file in _files(path, name))]:
            raise DataError(f"{path} lacks the scores of {len(lost):,} of {len(done):,} files, such as {lost[0]!r:.120}; {GO_ON}")
        parts: list[Part] = []
        for name in done:
            parts.append(_part(path, name, parts[-1].start + parts[-1].items if parts else 0))
        told = _items_told(path / SUMMARY)
        found = sum(part.items for part in parts)
        if told != found:
            raise DataError(f"{path} is not finished: its files hold {found:,} items, {SUMMARY} tells of {told:,}; {GO_ON}")
        if not found:
            raise DataError(f"{path} holds no item; see what manifest.json says of its files")
        return cls(path, _preset(path, made_with), tuple(parts), tuple(_troubles(entries)))

    def __len__(self) -> int:
        return self.parts[-1].start + self.parts[-1].items

    @cached_property
    def starts(self) -> Positions:
        """The position of the first item of every part."""
        return np.array([part.start for part in self.parts], dtype=np.int64)

    @cached_property
    def statistics(self) -> Statistics:
        """The statistics of all items."""
        return Statistics.merged(part.statistics for part in self.parts)

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
        asked = np.asarray(positions, dtype=np.int64)
        if len(asked) and not 0 <= asked.min() <= asked.max() < len(self):
            raise IndexError(f"positions from 0 to {len(self) - 1:,} are there, {asked.min():,} to {asked.max():,} are asked for")
        order = np.argsort(asked, kind="stable")
        numbers = np.searchsorted(self.starts, asked[order], side="right") - 1
        tables = [_taken(self.parts[number], [int(asked[place]) for _, place in group]) for number, group in _by_first(numbers, order)]
        table = pa.concat_tables(tables, promote_options="default") if tables else pa.table({})
        back = np.empty(len(asked), dtype=np.int64)
        back[order] = np.arange(len(asked))
        return _as_scores(table.take(pa.array(back)) if tables else table, len(asked), self)


def _by_first(numbers: Positions, order: Positions) -> Any:
    return groupby(zip(numbers.tolist(), order.tolist(), strict=True), key=lambda pair: pair[0])


def _manifest(path: Path) -> tuple[Mapping[str, Any], Mapping[str, Mapping[str, Any]]]:
    if not path.is_dir():
        raise DataError(f"there is no folder at {str(path)!r:.300}; give the OUT of `whymiss score-folder SOURCE OUT`")
    file = path / NAME
    if not file.is_file():
        raise DataError(f"{path} is no scored folder: it has no {NAME}; make one with `whymiss score-folder SOURCE OUT`")
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
        made_with, entries = value["made_with"], value["parts"]
        layout = made_with.get("layout", 1)
        [(entry["state"], entry["items"], entry["bad_rows"]) for entry in entries.values()]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{file} cannot be read as a manifest ({error!r:.120}); {AGAIN}") from None
    if layout != LAYOUT:
        raise DataError(f"{path} was written in layout {layout!r:.20} by Whymiss {made_with.get('version')!s:.20}, this one reads layout {LAYOUT}; {AGAIN}")
    return made_with, entries


def _preset(path: Path, made_with: Mapping[str, Any]) -> Preset:
    try:
        settings = made_with["settings"]
        return preset_by_name(settings["preset"]).from_json(json.dumps(settings))
    except (KeyError, TypeError, ValueError, UnknownName) as error:
        raise DataError(f"the settings in {path / NAME} are not understood ({error!s:.200}); {AGAIN}") from None


def _files(path: Path, name: str) -> tuple[Path, Path]:
    return path / "items" / f"{name}.parquet", path / "statistics" / f"{name}.json"


def _part(path: Path, name: str, start: int) -> Part:
    items, statistics = _files(path, name)
    try:
        footer = pq.read_metadata(items)
        schema = footer.schema.to_arrow_schema()
        found = Statistics.from_json(json.loads(statistics.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        raise DataError(f"the scores of {name!r:.120} cannot be read ({error!s:.200}); remove {items} and {GO_ON}") from None
    if footer.num_rows != found.items:
        raise DataError(f"{items} holds {footer.num_rows:,} items, its statistics tell of {found.items:,}; remove it and {GO_ON}")
    kept = {field.name for field in schema if pa.types.is_large_binary(_inner(field.type))}
    return Part(name, items, footer.num_rows, start, frozenset(schema.names), frozenset(kept), found)


def _inner(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_large_list(kind) else kind


def _items_told(file: Path) -> int:
    try:
        return int(json.loads(file.read_text(encoding="utf-8"))["items"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{file} cannot be read ({error!r:.120}); {GO_ON}") from None


def _troubles(entries: Mapping[str, Mapping[str, Any]]) -> list[str]:
    told = []
    for name, entry in sorted(entries.items()):
        if entry["state"] != "done":
            told.append(f"{name}: {entry['state']}; {entry.get('message', '')}")
        elif entry["bad_rows"]:
            told.append(f"{name}: {entry['bad_rows']:,} rows could not be read or scored: {', '.join(entry.get('places', [])[:3])}")
    return told


def _taken(part: Part, positions: list[int]) -> pa.Table:
    """Read items of one part; positions ascend."""
    rows = np.array(positions, dtype=np.int64) - part.start
    try:
        with pq.ParquetFile(part.file) as file:
            sizes = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
            starts = np.concatenate(([0], np.cumsum(sizes)))
            groups = np.searchsorted(starts, rows, side="right") - 1
            found = [file.read_row_group(int(group), use_threads=False).take(pa.array(rows[groups == group] - starts[group])) for group in np.unique(groups)]
    except (OSError, pa.ArrowException) as error:
        raise DataError(f"the items of {part.name!r:.120} cannot be read ({error!s:.200}); open the folder again, or score the file again") from None
    table = pa.concat_tables(found)
    return table.cast(pa.schema([pa.field(field.name, _as_bytes(field.type)) for field in table.schema]))


def _as_bytes(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_large_list(kind):
        return pa.large_list(pa.large_binary())
    return pa.large_binary() if pa.types.is_large_string(kind) else kind


def _as_scores(table: pa.Table, items: int, folder: ScoredFolder) -> Scores:
    def texts(name: str) -> Texts | None:
        return Texts.from_arrow(table[name]) if name in table.column_names else None

    def numbers(name: str) -> npt.NDArray[np.float64]:
        if name not in table.column_names:
            return np.full(items, np.nan)
        return np.asarray(table[name].to_numpy(), dtype=np.float64)

    lists = table["references"].combine_chunks() if items else pa.array([], pa.large_list(pa.large_binary()))
    offsets = np.concatenate(([0], np.cumsum(np.diff(np.asarray(lists.offsets))))).astype(np.int64)
    metadata = {name.removeprefix("metadata."): Texts.from_arrow(table[name]) for name in table.column_names if name.startswith("metadata.")}
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
    columns |= {name: table[name].to_numpy().astype(np.int64) if items else np.zeros(0, np.int64) for name in COUNTS}
    emptied = np.asarray(table["emptied"].to_pylist() if items else [], dtype=bool)
    unscored = np.array(list(texts("unscored") or []), dtype=object)
    return Scores(dataset=data, preset=folder.preset, **columns, emptied=emptied, unscored=unscored)
