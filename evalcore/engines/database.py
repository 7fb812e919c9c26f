"""DuckDB over the files of a scored folder: an empty database of one process, and what can go wrong with a query."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy.typing as npt
import platformdirs
import pyarrow as pa

from evalcore.analysis.selection import SelectionError
from evalcore.data import DataError
from evalcore.engines.conditions import Query

MEMORY = "128MB"  # Ten million ids sorted within it take a tenth longer than within three times as much.
THREADS = 2
ROWS = 1 << 16  # Of a piece of numbers.
TOO_LONG = "the search did not finish within {seconds:g} s; choose a bucket or reasons first, or a simpler search"


class Database:
    """Asks the files below one folder with so many threads of its own; safe to use from several others.

    A query that takes longer than `seconds` is stopped.
    """

    def __init__(self, path: Path, seconds: float, threads: int = THREADS) -> None:
        self.path = path
        self.seconds = seconds
        self.threads = threads

    @cached_property
    def _connection(self) -> Any:
        """An empty database that reads the files; it spills large sorts into the user's cache folder, and keeps no copy of the files."""
        import duckdb

        settings: dict[str, Any] = {"threads": self.threads, "memory_limit": MEMORY, "temp_directory": str(platformdirs.user_cache_path("whymiss") / "sorts")}
        settings |= {"enable_external_file_cache": False, "autoinstall_known_extensions": False, "allocator_background_threads": True}
        database = duckdb.connect(":memory:", config=settings)
        database.execute("SET parquet_metadata_cache = true")
        return database

    def ask(self, query: Query) -> dict[str, Any]:
        """Run a query; give its columns.

        Raises: SelectionError for a query that takes too long; DataError when a file cannot be read.
        """
        with self._cursor(time.monotonic() + self.seconds) as cursor:
            found: dict[str, Any] = cursor.execute(query.sql, query.values).fetchnumpy()
            return found

    def numbers(self, query: Query, until: float | None = None) -> Iterator[npt.NDArray[Any]]:
        """Run a query of one column of numbers; give it piece by piece. It may have until a moment of `time.monotonic`.

        Raises: as `ask`.
        """
        with self._cursor(time.monotonic() + self.seconds if until is None else until) as cursor:
            for batch in cursor.execute(query.sql, query.values).to_arrow_reader(ROWS):
                yield batch.column(0).to_numpy()

    @contextmanager
    def _cursor(self, until: float) -> Iterator[Any]:
        """Give a session of the database that is stopped at a moment; say what went wrong in it."""
        import duckdb

        cursor = self._connection.cursor()
        timer = threading.Timer(max(0.0, until - time.monotonic()), cursor.interrupt)
        timer.start()
        try:
            yield cursor
        except (duckdb.Error, pa.ArrowException, OSError) as error:
            if time.monotonic() >= until:
                raise SelectionError(TOO_LONG.format(seconds=self.seconds)) from None
            raise DataError(f"the files of {self.path} cannot be searched: {str(error).splitlines()[0]:.300}; open the folder again") from None
        finally:
            timer.cancel()
            cursor.close()

    def check_pattern(self, pattern: str) -> None:
        """Make sure that a pattern can be used.

        Raises: SelectionError saying what is wrong with it.
        """
        import duckdb

        cursor = self._connection.cursor()
        try:
            cursor.execute("SELECT regexp_matches('', $text)", {"text": pattern})
        except duckdb.InvalidInputException as error:
            said = str(error).removeprefix("Invalid Input Error: ").splitlines()[0]
            raise SelectionError(f"the search pattern cannot be used: {said:.200}; correct it, or search for plain text") from None
        finally:
            cursor.close()
