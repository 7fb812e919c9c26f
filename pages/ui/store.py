"""What the server keeps: uploaded runs for their links, and scores.

Everything here is shared by all sessions and bounded in number and bytes.
Runs are found by unguessable tokens only.
"""

import io
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import pyarrow as pa
import streamlit as st

from evalcore import Dataset, Scores, Summary
from evalcore.data.join import JoinReport
from evalcore.text.columns import Texts

if TYPE_CHECKING:
    from evalcore.engines.browse import Browser
    from evalcore.engines.scored_folder import ScoredFolder

HOURS_KEPT = 12
FOLDER_TOKEN = "folder:"
MOST_RUNS = 60
MOST_RUN_BYTES = 1 << 30
MOST_SCORES = 48
MOST_SCORE_BYTES = 1 << 26
MOST_FINDINGS = 1000
MOST_FINDING_BYTES = 1 << 25
MOST_WORKS = 24
MOST_WORK_BYTES = 1 << 26
LEAST = 3  # Large values that stay however large they are: what one page needs at a time.

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Run:
    """One system's answers, as loaded.

    `key` is the hash of the content, `token` the run's name in URLs,
    `origin` is "sample" or "upload", `warnings` what loading told, `logged`
    the metadata columns with the scores another tool gave.
    """

    key: str
    token: str
    name: str
    system: str
    dataset: Dataset
    report: JoinReport
    origin: str = "upload"
    warnings: tuple[str, ...] = ()
    logged: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Give the name to show: file, and system when the file holds several."""
        return self.name if self.system in ("", self.name, PurePath(self.name.removesuffix(".gz")).stem) else f"{self.name} · {self.system}"


@dataclass(frozen=True, eq=False)
class FolderRun:
    """A scored folder, open as a run: its items stay in its files.

    `token` holds the path, so a link opens the folder again.
    """

    key: str
    token: str
    name: str
    folder: "ScoredFolder"
    browser: "Browser"
    origin: str = "folder"

    @property
    def title(self) -> str:
        """Give the name to show."""
        return self.name

    def __len__(self) -> int:
        return len(self.folder)


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores with their summary."""

    scores: Scores
    summary: Summary


class Shelf(Generic[Value]):
    """A bounded store: what was used longest ago goes first, but the last `least` values stay."""

    def __init__(self, most: int, most_bytes: int, seconds: float = float("inf"), clock: Callable[[], float] = time.monotonic, least: int = 1) -> None:
        self.most = most
        self.least = least
        self.most_bytes = most_bytes
        self.seconds = seconds
        self.clock = clock
        self.lock = threading.Lock()
        self.kept: OrderedDict[Hashable, tuple[Value, int, float]] = OrderedDict()

    def get(self, key: Hashable) -> Value | None:
        """Give what is kept under the key and is not too old, else None."""
        with self.lock:
            self._drop_old()
            if key not in self.kept:
                return None
            value, size, _ = self.kept.pop(key)
            self.kept[key] = (value, size, self.clock())
            return value

    def put(self, key: Hashable, value: Value, size: int) -> None:
        """Keep a value; the oldest go until all fit."""
        with self.lock:
            self.kept.pop(key, None)
            self.kept[key] = (value, size, self.clock())
            self._drop_old()
            while len(self.kept) > self.least and (len(self.kept) > self.most or self.nbytes > self.most_bytes):
                self.kept.popitem(last=False)

    @property
    def nbytes(self) -> int:
        """Give the bytes kept."""
        return sum(size for _, size, _ in self.kept.values())

    def _drop_old(self) -> None:
        limit = self.clock() - self.seconds
        while self.kept and next(iter(self.kept.values()))[2] < limit:
            self.kept.popitem(last=False)


@st.cache_resource(show_spinner=False)
def kept_runs() -> Shelf[Run]:
    """The runs that links can reopen."""
    return Shelf(MOST_RUNS, MOST_RUN_BYTES, HOURS_KEPT * 3600)


@st.cache_resource(show_spinner=False)
def kept_scores() -> Shelf[Scored]:
    """The scores of all sessions."""
    return Shelf(MOST_SCORES, MOST_SCORE_BYTES, least=LEAST)


@st.cache_resource(show_spinner=False)
def kept_findings() -> Shelf[tuple[Any]]:
    """What pages found in scores, of all sessions."""
    return Shelf(MOST_FINDINGS, MOST_FINDING_BYTES)


@st.cache_resource(show_spinner=False)
def kept_works() -> Shelf[tuple[Any]]:
    """What long work found, of all sessions."""
    return Shelf(MOST_WORKS, MOST_WORK_BYTES, least=LEAST)


def once(key: Hashable, make: Callable[[], Value], size: int = 1_000) -> Value:
    """Give what was found before under this key, or find it now; `size` is about its bytes."""
    known = kept_findings().get(key)
    if known is None:
        known = (make(),)
        kept_findings().put(key, known, size)
    found: Value = known[0]
    return found


def is_known(key: Hashable) -> bool:
    """Tell whether `once` has found this before and kept it."""
    return kept_findings().get(key) is not None


def new_token() -> str:
    """Make a name for a URL that cannot be guessed."""
    return secrets.token_urlsafe(16)


class _Digest(io.RawIOBase):
    """A file that only hashes what is written."""

    def __init__(self) -> None:
        self.hash = blake2b(digest_size=16)

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        view = memoryview(data)  # type: ignore[arg-type]
        self.hash.update(view)
        return view.nbytes


def content_key(dataset: Dataset) -> str:
    """Hash all columns of a dataset; equal content gives an equal key."""
    digest = _Digest()
    columns = [("ids", dataset.ids), ("predictions", dataset.predictions), ("references", dataset.references.texts)]
    columns += [("questions", dataset.questions), ("contexts", dataset.contexts), ("places", dataset.places)]
    columns += [(f"metadata:{name}", column) for name, column in dataset.metadata.items()]
    for name, column in columns:
        digest.hash.update(f"\0{len(name)}:{name}\0".encode("utf-8", "surrogatepass"))
        if column is not None:
            _write(column, digest)
    digest.hash.update(dataset.references.offsets.tobytes())
    digest.hash.update(repr((sorted(dataset.unscorable.items()), dataset.name, dataset.system)).encode("utf-8", "surrogatepass"))
    return digest.hash.hexdigest()


def _write(column: Texts, digest: _Digest) -> None:
    batch = pa.record_batch([column.array], names=["texts"])
    with pa.ipc.new_stream(pa.PythonFile(digest, mode="w"), batch.schema) as writer:
        writer.write_batch(batch)


def nbytes(dataset: Dataset) -> int:
    """Give about how many bytes a dataset holds."""
    columns = [dataset.ids, dataset.predictions, dataset.references.texts, dataset.questions, dataset.contexts, dataset.places, *dataset.metadata.values()]
    return sum(column.nbytes for column in columns if column is not None) + dataset.references.offsets.nbytes


def scores_nbytes(scores: Scores) -> int:
    """Give about how many bytes scores hold, without their dataset."""
    columns = (scores.em, scores.f1, scores.precision, scores.recall, scores.em_first, scores.common, scores.predicted, scores.gold)
    return sum(column.nbytes for column in (*columns, scores.best_em, scores.best_f1, scores.emptied, scores.unscored))
