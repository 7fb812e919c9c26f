"""Predictions and references in two folders, brought together by id without holding either.

Both are parted by a hash of the id, file by file; the parts of one number
then hold all that belongs together, and are joined and scored like one file.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from evalcore.data import DataError, JoinReport, Loaded, Mapping, Table, read_table, roles_of
from evalcore.data.join import Side, join
from evalcore.data.mapping import require_columns
from evalcore.engines import parcels
from evalcore.engines.files import File
from evalcore.engines.work import PLACES, Outcome, whole
from evalcore.text.columns import Texts

FOLDER = "split"
SIDES = ("predictions", "references")
LISTED = ("predictions_without_reference", "references_without_prediction", "duplicated")


@dataclass(frozen=True)
class Split:
    """A file to part by the ids of its rows; `done` is the hash of what was parted before."""

    source: File
    name: str
    file: Path
    columns: Mapping
    parts: int
    done: str = ""


def split(job: Split) -> Outcome:
    """Part one file by the ids of its rows, unless its content is what was parted before."""
    content = job.source.read()
    content_hash = hashlib.sha256(content).hexdigest()
    if content_hash == job.done:
        return Outcome(job.name, "done", content_hash, kept=True)
    try:
        table = read_table(content, job.source.filename)
        require_columns(job.columns.columns, [table])
    except DataError as error:
        job.file.unlink(missing_ok=True)
        return Outcome(job.name, "unreadable", content_hash, message=str(error))
    named = Texts.of([f"{job.source.name}, "]).array[0]
    places = Texts(pc.binary_join_element_wise(named, table.places.array, pa.scalar(b"", pa.large_binary())))
    ids = table.columns[job.columns.id or ""].as_texts()
    whole(job.file, lambda file: parcels.write(file, table, ids, places, job.parts))
    wrong = [f"{row.place} {row.message}" for row in table.bad_rows[:PLACES]]
    return Outcome(job.name, "done", content_hash, len(table), bad_rows=len(table.bad_rows), places=tuple(wrong))


@dataclass(frozen=True)
class Bucket:
    """The parts of one number: the files they are in on either side, and the hash of all that was parted."""

    number: int
    predictions: tuple[Path, ...]
    references: tuple[Path, ...]
    columns: Mapping
    fingerprint: str

    def opened(self) -> tuple[str, Callable[[Mapping], Loaded]]:
        """Give the hash, and what joins the parts."""
        return self.fingerprint, self._loaded

    def _loaded(self, mapping: Mapping) -> Loaded:
        tables = [parcels.together((parcels.read(file, self.number) for file in files), side) for side, files in zip(SIDES, self.sides, strict=True)]
        sides = [Side.of(table, columns, named=False, part=True) for table, columns in zip(tables, (mapping, self.columns), strict=True)]
        datasets, reports, warnings = join(sides[0], sides[1], "equal id")
        return Loaded(tuple(tables), mapping, self.columns, datasets, reports, warnings)

    @property
    def sides(self) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
        return self.predictions, self.references


def mappings_of(predictions: Iterable[File], references: Iterable[File], roles: dict[str, Any]) -> tuple[Mapping, Mapping]:
    """Take the columns of the first file of either side that can be read for all of its side.

    Raises: DataError when there are none, or a side has no ids.
    """
    ours, theirs = (_first(files) for files in (predictions, references))
    mappings = roles_of(ours, theirs, roles)
    for table, mapping in zip((ours, theirs), mappings, strict=True):
        if mapping.id is None:
            raise DataError(f"{table.name} has no column that is clearly an id, by which predictions and references are joined; map one to id")
    if len(mappings[0].predictions) > 1:
        raise DataError(f"{ours.name} holds the answers of {len(mappings[0].predictions)} systems; choose one by mapping prediction to its column")
    return mappings


def _first(files: Iterable[File]) -> Table:
    first: DataError | None = None
    for file in files:
        try:
            return read_table(file.read(), file.filename)
        except (DataError, OSError) as error:
            first = first or DataError(f"{file.name}: {error}")
    raise first or DataError("there are no files")


def splits_of(sides: Sequence[Sequence[File]], mappings: Sequence[Mapping], out: Path, parts: int, done: Callable[[str], str]) -> list[Split]:
    """List what has to be parted; `done` gives the hash of what was parted under a name."""

    def listed() -> Iterator[Split]:
        for side, files, mapping in zip(SIDES, sides, mappings, strict=True):
            for source in files:
                name, file = f"{side}/{source.name}", out / FOLDER / side / f"{source.name}.arrow"
                yield Split(source, name, file, mapping, parts, done(name) if file.exists() else "")

    return list(listed())


def buckets_of(jobs: Sequence[Split], hashes: dict[str, str], mapping: Mapping, parts: int) -> list[Bucket]:
    """Give all parts; `hashes` has the hash of every file that was parted.

    Raises: DataError when no file of a side could be read.
    """
    done = [job for job in jobs if job.name in hashes]
    sides = {side: tuple(job.file for job in done if job.name.startswith(f"{side}/")) for side in SIDES}
    for side, files in sides.items():
        if not files:
            raise DataError(f"no file of {side} can be read; manifest.json says why of each")
    fingerprint = hashlib.sha256(json.dumps([[job.name, hashes[job.name]] for job in done]).encode()).hexdigest()
    return [Bucket(number, sides["predictions"], sides["references"], mapping, fingerprint) for number in range(parts)]


def joined(report: JoinReport) -> dict[str, Any]:
    """Count and list the rows whose id did not meet another."""
    listings = {name: report.named[name] for name in LISTED}
    return {
        name: {"count": len(listing), "places": [" ".join(part for part in row if part) for row in listing.rows(PLACES)]}
        for name, listing in listings.items()
        if len(listing)
    }
