"""Real databases to test on: a SQLite file, and a PostgreSQL server of our own on loopback."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from evalcore.judging.store import VARIABLE, Store

NUMBERS = count()


def postgres_programs() -> Path | None:
    """Find Debian's folder of the newest PostgreSQL server programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parent.parent.name))
    return found[-1].parent if found else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def postgres_server(programs: Path) -> Iterator[str]:
    """Run a fresh server on loopback, as user `postgres` where this is root; give its URL without a database."""
    folder = Path(tempfile.mkdtemp(prefix="whymiss-postgres-"))
    prefix = []
    if os.geteuid() == 0:
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        prefix = ["runuser", "-u", "postgres", "--"]

    def run(program: str, *arguments: str) -> None:
        subprocess.run([*prefix, str(programs / program), *arguments], check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)

    port = _free_port()
    data = str(folder / "data")
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder} -c fsync=off"
    try:
        run("initdb", "--pgdata", data, "--auth", "trust", "--username", "postgres", "--encoding", "UTF8", "--no-sync")
        run("pg_ctl", "start", "--wait", "--pgdata", data, "--options", options, "--log", str(folder / "log"))
        try:
            yield f"postgresql://postgres@127.0.0.1:{port}"
        finally:
            run("pg_ctl", "stop", "--wait", "--mode", "immediate", "--pgdata", data)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def new_postgres_database(server: str) -> str:
    """Create an empty database on the server, and give its URL."""
    import psycopg

    name = f"judgements_{next(NUMBERS)}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
    return f"{server}/{name}"


@pytest.fixture(scope="session")
def postgres_url():
    """Give the URL of a running PostgreSQL server."""
    programs = postgres_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    pytest.importorskip("psycopg")
    with postgres_server(programs) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def judgements_url(request, tmp_path):
    """Give the URL of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'folder' / 'judgements.sqlite'}"
    return new_postgres_database(request.getfixturevalue("postgres_url"))


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """Give an empty store that the pages use too."""
    url = f"sqlite:///{tmp_path / 'verdicts.sqlite'}"
    monkeypatch.setenv(VARIABLE, url)
    opened = Store.open(url)
    yield opened
    opened.close()
