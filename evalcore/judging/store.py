"""The store of judgements: a database to which verdicts are only ever added."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from platformdirs import user_data_path
from sqlalchemy import Connection, Engine, Row, create_engine, func, make_url, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from evalcore.analysis.verdicts import VERDICTS, Codes, codes_of, consensus
from evalcore.dataset import Dataset
from evalcore.judging.errors import StoreError
from evalcore.judging.judgement import Judgement, key_of
from evalcore.judging.schema import JUDGEMENTS, MIGRATIONS, Migration, migrate, prepare

VARIABLE = "WHYMISS_JUDGEMENTS"
AT_ONCE = 500
FIELDS = tuple(column.name for column in JUDGEMENTS.columns if column.name != "number")


def default_url() -> str:
    """Give the URL of the database: what WHYMISS_JUDGEMENTS says, else a SQLite file in the user's data folder."""
    return os.environ.get(VARIABLE) or f"sqlite:///{user_data_path('whymiss', appauthor=False) / 'judgements.sqlite'}"


@dataclass(frozen=True, eq=False)
class Judged:
    """The verdicts in force on a dataset.

    Shape: `by_row` has, for every judged row, the latest judgement of
    each author, the earliest author first. `codes` has one row an item:
    what most judges say, as in `evalcore.analysis.verdicts`.
    """

    by_row: dict[int, tuple[Judgement, ...]]
    codes: Codes

    @property
    def rows(self) -> tuple[int, ...]:
        """The judged rows, in order."""
        return tuple(sorted(self.by_row))

    @cached_property
    def by_author(self) -> dict[str, dict[int, int]]:
        """The codes by row of every author, to see how judges agree."""
        found: dict[str, dict[int, int]] = {}
        for row, judgements in self.by_row.items():
            for judgement in judgements:
                if judgement.verdict is not None:
                    found.setdefault(judgement.author, {})[row] = VERDICTS.index(judgement.verdict)
        return found

    @cached_property
    def tags(self) -> dict[str, int]:
        """How often each failure tag is in force, the most frequent first."""
        return dict(Counter(judgement.tag for judgements in self.by_row.values() for judgement in judgements if judgement.tag).most_common())

    def of(self, row: int, author: str) -> Judgement | None:
        """Give an author's verdict on an item."""
        return next((judgement for judgement in self.by_row.get(row, ()) if judgement.author == author), None)


class Store:
    """Judgements in a database: SQLite, or PostgreSQL by URL.

    Nothing is ever changed or deleted: a new verdict follows an older one.
    So two people who judge at once, in two browsers or two servers, lose
    nothing. What `add` has returned from is on the disk.
    """

    def __init__(self, engine: Engine, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        """Use an engine that exists, such as that of Streamlit's SQL connection.

        Raises: StoreError when the database cannot be opened or is newer than this program.
        """
        self.engine = engine
        prepare(engine)
        with self._explained("opened"):
            self.version = migrate(engine, migrations)
            self._write_ahead()

    @classmethod
    def open(cls, url: str | None = None, migrations: Sequence[Migration] = MIGRATIONS) -> "Store":
        """Open the database at a URL, or the user's own; create it where it does not exist.

        Raises: StoreError when the URL is malformed, its driver is missing, or the database cannot be opened.
        """
        source = url or default_url()
        try:
            parsed = make_url(source)
            if parsed.drivername in ("postgresql", "postgres"):
                parsed = parsed.set(drivername="postgresql+psycopg")
            if parsed.get_backend_name() == "sqlite" and parsed.database:
                Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
            engine = create_engine(parsed, pool_pre_ping=True)
        except (ArgumentError, NoSuchModuleError):
            raise StoreError(f"{_shown(source)} is no database URL; sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE is needed") from None
        except ModuleNotFoundError as error:
            raise StoreError(f"the database {_shown(source)} needs the package {error.name}; install it with pip install 'whymiss[postgresql]'") from None
        except OSError as error:
            raise StoreError(f"the folder of {_shown(source)} cannot be made: {error.strerror}; set {VARIABLE} to another place") from None
        return cls(engine, migrations)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def add(self, *judgements: Judgement) -> int:
        """Keep judgements, all or none; give how many are new. One that is there already, by its id, is left as it is.

        Raises: StoreError when they could not be kept.
        """
        added = 0
        with self._explained("kept"), self.engine.begin() as connection:
            for start in range(0, len(judgements), AT_ONCE):
                rows = [_row(judgement) for judgement in judgements[start : start + AT_ONCE]]
                added += self._insert(connection, rows)
        return added

    def _insert(self, connection: Connection, rows: list[dict[str, Any]]) -> int:
        insert: Any = postgresql.insert(JUDGEMENTS) if self.engine.dialect.name == "postgresql" else sqlite.insert(JUDGEMENTS)
        statement = insert.values(rows).on_conflict_do_nothing(index_elements=["id"]).returning(JUDGEMENTS.c.id)
        return len(connection.execute(statement).all())

    def history(self, item_key: str | None = None) -> tuple[Judgement, ...]:
        """Give all judgements, or those on one item, in the order they were made."""
        statement = select(JUDGEMENTS).order_by(JUDGEMENTS.c.at, JUDGEMENTS.c.number)
        if item_key is not None:
            statement = statement.where(JUDGEMENTS.c.item_key == item_key)
        with self._explained("read"), self.engine.begin() as connection:
            return tuple(_judgement(row) for row in connection.execute(statement))

    def count(self) -> int:
        """Count all judgements, earlier ones included; it only grows, so a change tells of verdicts by others."""
        with self._explained("read"), self.engine.begin() as connection:
            return int(connection.execute(select(func.count()).select_from(JUDGEMENTS)).scalar_one())

    def judged(self, dataset: Dataset) -> Judged:
        """Find the verdicts in force on the items of a dataset, by what the items say.

        A verdict made against other references still counts, unless it
        said that the reference is wrong.
        """
        return judged(dataset, self.history())

    @contextmanager
    def _explained(self, what: str) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            cause = str(getattr(error, "orig", None) or error).splitlines()[0]
            place = self.engine.url.render_as_string(hide_password=True)
            raise StoreError(f"the judgements in {place} could not be {what}: {cause:.300}; check that the database is there and may be written to") from error

    def _write_ahead(self) -> None:
        """Let readers and a writer of a SQLite file work side by side; another process may be doing so just now."""
        if self.engine.dialect.name != "sqlite":
            return
        with self.engine.connect() as connection:
            raw = connection.connection.dbapi_connection
            assert raw is not None
            try:
                raw.execute("PRAGMA journal_mode = WAL")
            except self.engine.dialect.loaded_dbapi.OperationalError as error:
                if "locked" not in str(error):
                    raise


def judged(dataset: Dataset, history: Sequence[Judgement]) -> Judged:
    """Find the verdicts in force among judgements, oldest first."""
    by_item: dict[str, dict[str, Judgement]] = {}
    by_answer: dict[str, dict[str, Judgement]] = {}
    for judgement in history:
        by_item.setdefault(judgement.item_key, {})[judgement.author] = judgement
        by_answer.setdefault(judgement.answer_key, {})[judgement.author] = judgement
    found: dict[int, tuple[Judgement, ...]] = {}
    for row in _candidates(dataset, history):
        key = key_of(dataset, row)
        carried = {author: judgement for author, judgement in by_answer.get(key.answer, {}).items() if judgement.verdict != "reference_wrong"}
        latest = {**carried, **by_item.get(key.item, {})}
        standing = tuple(judgement for judgement in latest.values() if judgement.verdict is not None)
        if standing:
            found[row] = tuple(sorted(standing, key=lambda judgement: (judgement.at, judgement.id)))
    codes = np.full(len(dataset), -1, dtype=np.int8)
    if found:
        said = [consensus(judgement.verdict for judgement in judgements if judgement.verdict) for judgements in found.values()]
        codes[list(found)] = codes_of(said)
    return Judged(found, codes)


def _candidates(dataset: Dataset, history: Sequence[Judgement]) -> list[int]:
    """Give the rows whose prediction has been judged in some item, so that only few keys are made."""
    texts = {judgement.prediction for judgement in history}
    known = pa.array([text.encode("utf-8", "surrogatepass") for text in texts if text is not None], type=pa.large_binary())
    array = dataset.predictions.array
    found = pc.is_in(array, value_set=known)
    if None in texts:
        found = pc.or_(found, pc.is_null(array))
    rows: list[int] = np.flatnonzero(np.asarray(found)).tolist()
    return rows


def _row(judgement: Judgement) -> dict[str, Any]:
    values = {name: getattr(judgement, name) for name in FIELDS}
    return values | {"references": json.dumps(judgement.references, ensure_ascii=False), "at": judgement.at.astimezone(UTC).isoformat(timespec="microseconds")}


def _judgement(row: Row[Any]) -> Judgement:
    values = {name: row._mapping[name] for name in FIELDS}
    return Judgement(**values | {"references": tuple(json.loads(values["references"])), "at": datetime.fromisoformat(values["at"])})


def _shown(url: str) -> str:
    """Show a URL without its password."""
    try:
        return repr(make_url(url).render_as_string(hide_password=True))
    except ArgumentError:
        return repr(url[:80])
