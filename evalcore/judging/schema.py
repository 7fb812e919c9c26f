"""The tables of the judgements, and how an older database becomes today's."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Column, Connection, Engine, Index, Integer, MetaData, String, Table, Text, TypeDecorator, event, inspect, select
from sqlalchemy.schema import CreateIndex, CreateTable

from evalcore.judging.errors import StoreError

ESCAPED = 'json:"'
LOCK = 7_239_402_711  # The number of the advisory lock that PostgreSQL holds during a migration.


class AnyText(TypeDecorator[str]):
    """A text as it is; where a database could not hold it (NUL, lone surrogates) as JSON after `json:`."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Any) -> str | None:
        """Write a text."""
        if value is None:
            return None
        plain = "\0" not in value and not value.startswith(ESCAPED) and not any("\ud800" <= letter <= "\udfff" for letter in value)
        return value if plain else f"json:{json.dumps(value)}"

    def process_result_value(self, value: str | None, dialect: Any) -> str | None:
        """Read a text."""
        if value is None or not value.startswith(ESCAPED):
            return value
        text: str = json.loads(value.removeprefix("json:"))
        return text


metadata = MetaData()
VERSIONS = Table("whymiss_schema", metadata, Column("version", Integer, primary_key=True, autoincrement=False))
JUDGEMENTS = Table(
    "whymiss_judgements",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("item_key", String(64), nullable=False),
    Column("answer_key", String(64), nullable=False),
    Column("verdict", String(32)),
    Column("author", AnyText, nullable=False),
    Column("tag", AnyText, nullable=False),
    Column("note", AnyText, nullable=False),
    Column("signature", AnyText, nullable=False),
    Column("system", AnyText, nullable=False),
    Column("item_id", AnyText, nullable=False),
    Column("question", AnyText),
    Column("prediction", AnyText),
    Column("references", AnyText, nullable=False),
    Column("at", String(32), nullable=False),
)
INDEXES = (Index("whymiss_judgements_item", JUDGEMENTS.c.item_key), Index("whymiss_judgements_answer", JUDGEMENTS.c.answer_key))

Migration = Callable[[Connection], None]


def _first(connection: Connection) -> None:
    """Create the table of judgements."""
    connection.execute(CreateTable(JUDGEMENTS))
    for index in INDEXES:
        connection.execute(CreateIndex(index))


MIGRATIONS: tuple[Migration, ...] = (_first,)  # Number n brings version n to n + 1; a migration once released never changes.


def prepare(engine: Engine) -> None:
    """Set up every connection: on SQLite, transactions of ours alone, a patient lock, and full writes to the disk."""
    if engine.dialect.name == "sqlite" and not event.contains(engine, "begin", _on_begin):
        event.listen(engine, "connect", _on_connect)
        event.listen(engine, "begin", _on_begin)


def _on_connect(connection: Any, record: Any) -> None:
    connection.isolation_level = None
    connection.execute("PRAGMA busy_timeout = 30000")
    connection.execute("PRAGMA synchronous = FULL")


def _on_begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("alone") else "BEGIN")


def migrate(engine: Engine, migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """Bring the database to the newest version in one transaction, alone; give the version.

    Raises: StoreError when the database was written by a newer Whymiss.
    """
    with engine.connect().execution_options(alone=True) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
        if not inspect(connection).has_table(VERSIONS.name):
            connection.execute(CreateTable(VERSIONS))
        done = len(connection.execute(select(VERSIONS.c.version)).all())
        if done > len(migrations):
            raise StoreError(f"the judgements are of version {done}, this Whymiss knows versions up to {len(migrations)}; install a newer Whymiss")
        for number in range(done, len(migrations)):
            migrations[number](connection)
            connection.execute(VERSIONS.insert().values(version=number + 1))
        return len(migrations)
