"""Score every file of a folder, take up what was begun, and put the statistics together."""

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalcore.data import DataError, Mapping, load, only_system
from evalcore.engines.files import File, files_of
from evalcore.engines.local import Processes
from evalcore.engines.manifest import Manifest
from evalcore.engines.partition import LAYOUT, Settings, Task, score_partition
from evalcore.engines.statistics import Statistics
from evalcore.engines.work import Engine, Outcome, whole
from evalcore.scoring.preset import Preset
from evalcore.version import VERSION

LOCK = ".lock"
SUMMARY = "summary.json"

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Scored:
    """A scored folder: the statistics of all files that are done, and the entries of those that are not.

    `fresh` counts the files scored in this run, `kept` those taken over.
    """

    statistics: Statistics
    parts: int
    fresh: int
    kept: int
    troubles: tuple[Outcome, ...]

    @property
    def complete(self) -> bool:
        """Tell whether every row of every file was read."""
        return not self.troubles


def score_folder(
    source: str,
    out: Path,
    preset: Preset,
    *,
    engine: AbstractContextManager[Engine] | None = None,
    roles: dict[str, Any] | None = None,
    reasons: Sequence[str] = (),
    slices: bool = True,
    progress: Progress | None = None,
) -> Scored:
    """Score all files into a folder; what was scored there before under the same settings is taken over.

    `source`: see `files_of`. `engine`: where it is done, all cores of this
    machine when left out.

    Shape: `items/NAME.parquet` and `statistics/NAME.json` a file, with
    `manifest.json` and `summary.json` for all. `progress(done, files)` is
    called after every file.
    Raises: DataError when there is nothing to score, the folder was made with other settings, or another run writes to it.
    """
    files = files_of(source)
    try:
        out.mkdir(parents=True, exist_ok=True)
        with _alone(out):
            settings = Settings(preset, _mapping_of(files, roles or {}), tuple(reasons), slices)
            with engine or Processes(os.cpu_count() or 1) as running:
                return _scored(files, out, settings, running, progress or (lambda done, files: None))
    except OSError as error:
        raise DataError(f"{out} cannot be written: {error.strerror or error}; what is done stays, and the same command goes on there") from None


def _scored(files: Sequence[File], out: Path, settings: Settings, engine: Engine, progress: Progress) -> Scored:
    for file in out.rglob(".*.begun"):  # What a killed run left half written.
        file.unlink(missing_ok=True)
    manifest = Manifest.opened(out, _made_with(settings))
    names = [file.name for file in files]
    strange = sorted(set(manifest.parts) - set(names))
    if strange:
        raise DataError(f"{out} holds scores of {len(strange):,} files that are not among those to score, such as {strange[0]!r:.80}; give another folder")
    tasks = [Task(file, file.name, out, settings, _done(manifest, file.name, out)) for file in files]
    outcomes: list[Outcome] = []
    manifest.save(out)
    for outcome in engine.run(score_partition, tasks):
        outcomes.append(outcome)
        manifest = manifest.with_outcome(outcome)
        manifest.save(out)
        progress(len(outcomes), len(tasks))
    statistics = Statistics.merged(_statistics(task) for task in tasks if manifest.parts[task.name]["state"] == "done")
    content = json.dumps({"signature": settings.preset.signature, **statistics.summary()}, ensure_ascii=True, allow_nan=False, indent=1)
    whole(out / SUMMARY, lambda file: file.write_text(content + "\n", encoding="utf-8"))
    kept = sum(outcome.kept for outcome in outcomes)
    fresh = sum(outcome.state == "done" and not outcome.kept for outcome in outcomes)
    return Scored(statistics, len(tasks), fresh, kept, tuple(_troubles(manifest, names)))


@contextmanager
def _alone(out: Path) -> Iterator[None]:
    """Hold the folder for this run; the lock falls with the process."""
    with open(out / LOCK, "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise DataError(f"another run writes to {out}; wait for it, or give another folder") from None
        yield


def _mapping_of(files: Sequence[File], roles: dict[str, Any]) -> Mapping:
    """Take the columns of the first file that can be read for all of them."""
    first: DataError | None = None
    for file in files:
        try:
            return only_system(load(file.read(), file.filename, mapping=roles)).mapping
        except (DataError, OSError) as error:
            first = first or DataError(f"{file.name}: {error}")
    raise first or DataError("there are no files")


def _made_with(settings: Settings) -> dict[str, Any]:
    preset = settings.preset
    numbers = {"layout": LAYOUT, "version": VERSION, "signature": preset.signature, "settings": json.loads(preset.to_json()), "columns": repr(settings.mapping)}
    return {**numbers, "reasons": list(settings.reasons), "slices": settings.slices}


def _done(manifest: Manifest, name: str, out: Path) -> str:
    """Give the hash of what was scored, when both outputs are still there."""
    there = (out / "items" / f"{name}.parquet").exists() and (out / "statistics" / f"{name}.json").exists()
    return manifest.hash_of(name) if there else ""


def _statistics(task: Task) -> Statistics:
    return Statistics.from_json(json.loads(task.statistics_file.read_text(encoding="utf-8")))


def _troubles(manifest: Manifest, names: Sequence[str]) -> Iterator[Outcome]:
    for name in names:
        entry = manifest.parts[name]
        if entry["state"] != "done" or entry["bad_rows"]:
            yield Outcome.from_json(name, entry)
