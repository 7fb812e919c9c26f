"""Where files to score may stand: folders, patterns, archives, memory, a server; by one engine or another."""

import functools
import gzip
import http.server
import json
import sys
import threading
import zipfile

import fsspec
import pyarrow as pa
import pytest

from evalcore.cli import main
from evalcore.data import DataError
from evalcore.engines.cluster import Cluster
from evalcore.engines.files import files_of
from evalcore.engines.folder import score_folder
from evalcore.engines.local import Processes
from evalcore.engines.work import Outcome, attempted
from tests.scored import PRESET, files, items, needs_dask, read, written


class Here:
    """An engine of this process, for what other processes cannot see."""

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        pass

    def run(self, work, jobs):
        return (attempted(work, job) for job in jobs)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = written(tmp_path_factory.mktemp("sources") / "in", items(60), 3)
    (folder / "deep").mkdir()
    (folder / "part-002.jsonl").rename(folder / "deep" / "part-002.jsonl")
    content = (folder / "part-001.jsonl").read_bytes()
    (folder / "part-001.jsonl").unlink()
    (folder / "part-001.jsonl.gz").write_bytes(gzip.compress(content, mtime=0))
    (folder / "packed.jsonl.zst").write_bytes(pa.compress(content.replace(b'"id": "i', b'"id": "z'), codec="zstd", asbytes=True))
    return folder


@pytest.fixture(scope="module")
def expected(source, tmp_path_factory):
    out = tmp_path_factory.mktemp("expected") / "out"
    assert score_folder(str(source), out, PRESET, engine=Here()).complete
    assert len(read(out)) == len(items(60)) + len(items(60)[1::3])
    return files(out)


@pytest.mark.parametrize("engine", [pytest.param(Cluster(2), marks=needs_dask), Processes(2)], ids=["dask", "local"])
def test_engines_and_addresses_give_the_same_files(engine, source, expected, tmp_path):
    assert score_folder(f"file://{source}", tmp_path / "out", PRESET, engine=engine).complete
    assert files(tmp_path / "out") == expected


def test_files_in_an_archive_are_read_by_other_processes(source, expected, tmp_path):
    with zipfile.ZipFile(tmp_path / "runs.zip", "w") as archive:
        for path in source.rglob("*.*"):
            archive.write(path, path.relative_to(source))
    score_folder(f"zip://::file://{tmp_path}/runs.zip", tmp_path / "out", PRESET, engine=Processes(1))
    assert files(tmp_path / "out") == expected


def test_files_in_memory(source, expected, tmp_path):
    memory = fsspec.filesystem("memory")
    for path in source.rglob("*.*"):
        memory.pipe_file(f"/runs/{path.relative_to(source).as_posix()}", path.read_bytes())
    score_folder("memory://runs", tmp_path / "out", PRESET, engine=Here())
    assert files(tmp_path / "out") == expected
    assert [file.name for file in files_of("memory://runs/*.jsonl")] == ["part-000.jsonl"]
    assert [file.name for file in files_of("memory://runs/part-000.jsonl")] == ["part-000.jsonl"]


def test_files_on_a_server(source, tmp_path):
    pytest.importorskip("aiohttp")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(source))
    handler.log_message = lambda *said: None
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/*.jsonl"
        assert score_folder(address, tmp_path / "out", PRESET, engine=Processes(1)).complete
        server.shutdown()
    assert set(read(tmp_path / "out")) == {row["id"] for row in items(60)[0::3]}


@pytest.mark.parametrize("address", ["nowhere://x/y", "file:///nowhere/at/all"])
def test_an_address_that_cannot_be_read_is_said(address, tmp_path):
    with pytest.raises(DataError, match=r"cannot be read|no files to score"):
        files_of(address)


@needs_dask
def test_a_scheduler_that_does_not_answer_is_said(source, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("evalcore.engines.cluster.SECONDS_TO_ANSWER", 1)
    assert main(["score-folder", str(source), str(tmp_path / "out"), "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in capsys.readouterr().err
    assert main(["score-folder", str(source), str(tmp_path / "out"), "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert "without --engine dask" in capsys.readouterr().err


@needs_dask
def test_a_running_scheduler_is_used(source, expected, tmp_path):
    with Cluster(1) as running:
        address = running.client.scheduler.address
        assert address.startswith("tcp://127.0.0.1:")
        score_folder(str(source), tmp_path / "out", PRESET, engine=Cluster(1, address))
    assert files(tmp_path / "out") == expected


def test_without_the_extra_it_says_what_to_install(source, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["score-folder", str(source), str(tmp_path / "out"), "--engine", "dask"]) == 2
    assert "pip install 'whymiss[distributed]'" in capsys.readouterr().err


def test_what_nobody_foresaw_costs_one_file(tmp_path):
    def broken(job):
        raise KeyError(json.dumps("odd"))

    assert attempted(broken, Outcome("a", "done")).message.startswith("KeyError: ")
    assert attempted(broken, Outcome("a", "done")).state == "failed"
