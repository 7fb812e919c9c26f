"""Score every file of a folder, take up what was begun, and put the statistics together."""

import fcntl
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evalcore.data import DataError, Mapping, load, only_system
from evalcore.engines.files import File, files_of, passed_over
from evalcore.engines.joining import Bucket, buckets_of, mappings_of, split, splits_of
from evalcore.engines.local import Processes
from evalcore.engines.manifest import Manifest
from evalcore.engines.partition import LAYOUT, Settings, Task, outputs, score_partition
from evalcore.engines.statistics import Statistics
from evalcore.engines.work import Engine, Outcome, Work, whole
from evalcore.scoring.preset import Preset
from evalcore.scoring.score import require_resources
from evalcore.version import VERSION

LOCK = ".lock"
SUMMARY = "summary.json"
SECONDS_BETWEEN_NOTES = 1.0

Counts = dict[str, int]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Scored:
    """A scored folder: the statistics of all files that are done, and the entries of those that are not.

    `fresh` counts the files scored in this run, `kept` those taken over.
    `joined` counts the rows whose id did not meet another, where
    references stood in a folder of their own. `passed_over` names files
    that were not looked at, as their ending is none of those that are scored.
    """

    statistics: Statistics
    parts: int
    fresh: int
    kept: int
    troubles: tuple[Outcome, ...]
    joined: Counts = field(default_factory=dict)
    passed_over: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Tell whether every row of every file was read."""
        return not self.troubles


def score_folder(
    source: str,
    out: Path,
    preset: Preset,
    *,
    references: str | None = None,
    engine: AbstractContextManager[Engine] | None = None,
    roles: dict[str, Any] | None = None,
    reasons: Sequence[str] = (),
    slices: bool = True,
    progress: Progress | None = None,
) -> Scored:
    """Score all files into a folder; what was scored there before under the same settings is taken over.

    `source`: see `files_of`; with `references` its files hold predictions
    alone, and both are joined by id. `engine`: where it is done, all cores
    of this machine when left out. `reasons`, `slices`: see `Settings`.

    Shape: `items/NAME.parquet` and `statistics/NAME.json` a file (a bucket
    of ids with `references`), with `manifest.json` and `summary.json` for
    all. `progress(done, files)` is called after every file.
    Raises: MissingResource when the preset needs what is not installed; DataError when there is nothing
        to score, the folder was made with other settings, or another run writes to it.
    """
    require_resources(preset)
    files = files_of(source, out)
    others = None if references is None else files_of(references, out)
    passed = tuple(name for folder in (source, references) if folder is not None for name in passed_over(folder, out))
    try:
        out.mkdir(parents=True, exist_ok=True)
        with _alone(out), engine or Processes(os.cpu_count() or 1) as running:
            run = _Run(out.absolute(), running, progress or (lambda done, files: None))
            if others is None:
                settings = Settings(preset, _mapping_of(files, roles or {}), tuple(reasons), slices)
                scored = run.scored([(file.name, file) for file in files], settings, Manifest.opened(out, _made_with(settings)))
            else:
                mappings = mappings_of(files, others, roles or {})
                settings = Settings(preset, mappings[0], tuple(reasons), slices)
                scored = run.joined((files, others), mappings, settings)
            return replace(scored, passed_over=passed)
    except OSError as error:
        raise DataError(f"{out} cannot be written: {error.strerror or error}; what is done stays, and the same command goes on there") from None


@dataclass(frozen=True)
class _Run:
    """One run into a folder that it has for itself."""

    out: Path
    engine: Engine
    progress: Progress

    def __post_init__(self) -> None:
        self._sweep()

    def scored(self, parts: Sequence[tuple[str, File | Bucket]], settings: Settings, manifest: Manifest) -> Scored:
        """Score all parts, and put their statistics together."""
        names = [name for name, _ in parts]
        _require_known(manifest.parts, names, self.out)
        tasks = [Task(source, name, self.out, settings, _done(manifest, name, self.out)) for name, source in parts]
        outcomes: list[Outcome] = []

        def heard(outcome: Outcome) -> None:
            outcomes.append(outcome)
            self.progress(len(outcomes), len(tasks))

        manifest = self._recorded(score_partition, tasks, manifest, Manifest.with_outcome, heard)
        statistics = Statistics.merged(_statistics(task) for task in tasks if manifest.parts[task.name]["state"] == "done")
        joined = _counts(manifest.parts[name].get("joined", {}) for name in names)
        told = {"signature": settings.preset.signature, **({"joined": joined} if manifest.sources else {}), **statistics.summary()}
        content = json.dumps(told, ensure_ascii=True, allow_nan=False, indent=1)
        whole(self.out / SUMMARY, lambda file: file.write_text(content + "\n", encoding="utf-8"))
        kept = sum(outcome.kept for outcome in outcomes)
        fresh = sum(outcome.state == "done" and not outcome.kept for outcome in outcomes)
        return Scored(statistics, len(tasks), fresh, kept, tuple(_troubles({**manifest.sources, **manifest.parts})), joined)

    def joined(self, sides: tuple[Sequence[File], Sequence[File]], mappings: tuple[Mapping, Mapping], settings: Settings) -> Scored:
        """Part both sides by id, and score what belongs together."""
        parts = Manifest.buckets_of(self.out) or max(map(len, sides))
        manifest = Manifest.opened(self.out, {**_made_with(settings), "references": repr(mappings[1]), "buckets": parts})
        jobs = splits_of(sides, mappings, self.out, parts, lambda name: str(manifest.sources.get(name, {}).get("hash", "")))
        _require_known(manifest.sources, [job.name for job in jobs], self.out)
        manifest = self._recorded(split, jobs, manifest, Manifest.with_source)
        hashes = {name: entry["hash"] for name, entry in manifest.sources.items() if entry["state"] == "done"}
        buckets = buckets_of(jobs, hashes, mappings[1], parts)
        return self.scored([(f"bucket-{bucket.number:05}", bucket) for bucket in buckets], settings, manifest)

    def _recorded(
        self,
        work: Work,
        jobs: Sequence[Any],
        manifest: Manifest,
        noted: Callable[[Manifest, Outcome], Manifest],
        heard: Callable[[Outcome], None] | None = None,
    ) -> Manifest:
        """Do jobs and note what becomes of them, on disk once a second; a run that is killed does again what it did not note."""
        manifest.save(self.out)
        saved = time.monotonic()
        try:
            for outcome in self.engine.run(work, jobs):
                manifest = noted(manifest, outcome)
                if heard is not None:
                    heard(outcome)
                if time.monotonic() - saved >= SECONDS_BETWEEN_NOTES:
                    manifest.save(self.out)
                    saved = time.monotonic()
        finally:
            manifest.save(self.out)
        self._sweep()
        return manifest

    def _sweep(self) -> None:
        """Remove what a killed process left half written: of an earlier run, or of a worker whose file another one has made since."""
        for file in self.out.rglob(".*.begun"):
            file.unlink(missing_ok=True)


def _require_known(before: Iterable[str], names: Sequence[str], out: Path) -> None:
    strange = sorted(set(before) - set(names))
    if strange:
        raise DataError(f"{out} holds scores of {len(strange):,} files that are not among those to score, such as {strange[0]!r:.80}; give another folder")


def _counts(listed: Iterable[dict[str, Any]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for entry in listed:
        total.update({name: found["count"] for name, found in entry.items()})
    return dict(sorted(total.items()))


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
    """Give the hash of what was scored, when all outputs are still there."""
    return manifest.hash_of(name) if all(file.exists() for file in outputs(out, name)) else ""


def _statistics(task: Task) -> Statistics:
    *_, file = task.outputs
    try:
        return Statistics.from_json(json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise DataError(f"{file} is not here, although it was written; the workers of a cluster have to see OUT under the same path") from None


def _troubles(entries: dict[str, Any]) -> Iterator[Outcome]:
    for name, entry in entries.items():
        if entry["state"] != "done" or entry["bad_rows"]:
            yield Outcome.from_json(name, entry)
