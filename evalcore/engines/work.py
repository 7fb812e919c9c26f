"""What engines do: jobs, each done in some process, and what became of them."""

import os
import traceback
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

State = Literal["done", "unreadable", "failed"]
PLACES = 100  # Rows whose places are kept of each file.
TRIES = 3  # How many processes may die of a job before it is given up.


class Job(Protocol):
    """What a worker is sent; the name tells jobs apart."""

    @property
    def name(self) -> str: ...


@dataclass(frozen=True)
class Outcome:
    """What became of a file; `hash` is that of its content, `message` says what is wrong with it.

    `bad_rows` could not be read or scored, `places` says where the first
    of them stand. `joined` has the same for rows whose id did not meet
    another: a number and places by what is the matter.
    """

    name: str
    state: State
    hash: str = ""
    items: int = 0
    message: str = ""
    bad_rows: int = 0
    places: tuple[str, ...] = ()
    kept: bool = False
    joined: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def given_up(cls, name: str) -> "Outcome":
        """Tell that a file costs every process its life."""
        return cls(name, "failed", message=f"the process that scored it died {TRIES} times; it may need more memory than there is")

    def to_json(self) -> dict[str, Any]:
        """Give the entry of the manifest."""
        entry: dict[str, Any] = {"state": self.state, "hash": self.hash, "items": self.items, "message": self.message}
        return {**entry, "bad_rows": self.bad_rows, "places": list(self.places), **({"joined": dict(self.joined)} if self.joined else {})}

    @classmethod
    def from_json(cls, name: str, entry: Mapping[str, Any]) -> "Outcome":
        """Read an entry of the manifest."""
        return cls(name, **{**entry, "places": tuple(entry["places"])})


Work = Callable[[Any], Outcome]


class Engine(Protocol):
    """Does jobs in some processes, and gives outcomes as they come."""

    def run(self, work: Work, jobs: Sequence[Any]) -> Iterator[Outcome]:
        """Do all jobs."""
        ...


def attempted(work: Work, job: Job) -> Outcome:
    """Do a job; what nobody foresaw costs this file alone.

    A file may be broken in any way, and so may what reads it: whatever is
    raised is told in the outcome, with the line it came from, and the
    other files are scored all the same.
    """
    try:
        return work(job)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return Outcome(job.name, "failed", message=f"{type(error).__name__}: {error} ({os.path.basename(place.filename)}, line {place.lineno})")


def whole(file: Path, write: Callable[[Path], Any]) -> None:
    """Write a file under a name of its own, then give it its name; after a fault nothing of it is left."""
    file.parent.mkdir(parents=True, exist_ok=True)
    begun = file.with_name(f".{file.name}.{uuid.uuid4().hex}.begun")
    try:
        write(begun)
        begun.replace(file)
    finally:
        begun.unlink(missing_ok=True)
