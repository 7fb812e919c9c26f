"""Killed processes and full disks: nothing is lost or counted twice, and the same command goes on."""

import json
import os
import random
import resource
import signal
import subprocess
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

from evalcore.cli import main
from evalcore.engines.folder import score_folder
from evalcore.engines.local import Processes
from tests.scored import PRESET, children, files, is_worker, items, needs_dask, started, until, written

KILLS = int(os.environ.get("WHYMISS_KILLS") or (20 if os.environ.get("WHYMISS_LONG") == "1" else 3))
JOINED = KILLS if KILLS > 3 else 1
PARTS = 10
MOST = 4_000_000

ENGINES = ["local", pytest.param("dask", marks=needs_dask)]
ENGINES_IN_FULL = ["local", pytest.param("dask", marks=[needs_dask, pytest.mark.long])]

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux's list of processes")


@pytest.fixture(scope="module")
def calm(tmp_path_factory):
    """Give a folder of files, and the scores that an undisturbed run makes of it."""
    folder = tmp_path_factory.mktemp("calm")
    source = written(folder / "in", [{**row, "id": str(number)} for number, row in enumerate(items(150) * 8)], PARTS)
    score_folder(str(source), folder / "out", PRESET, engine=Processes(2))
    return source, files(folder / "out")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(KILLS))
def test_killed_processes_leave_an_undisturbed_result(seed, engine, calm, tmp_path):
    chance = random.Random(seed)
    source, expected = calm
    out = tmp_path / "out"
    running = started(source, out, "--workers", "2", "--engine", engine)
    done = chance.randrange(0, 6)
    assert until(lambda: len(list((out / "statistics").glob("*.json"))) >= done and any(map(is_worker, children(running.pid))), running)
    if seed % 2 == 0:
        workers = [process for process in children(running.pid) if is_worker(process)]
        with suppress(ProcessLookupError, IndexError):  # A run that was faster is over.
            os.kill(chance.choice(workers), signal.SIGKILL)
        assert running.wait(timeout=600) == 0
        assert files(out) == expected
    else:
        running.kill()
        running.wait(timeout=60)
    scored = score_folder(str(source), out, PRESET, engine=Processes(2))
    assert scored.fresh + scored.kept == PARTS
    assert files(out) == expected


def test_a_file_that_costs_three_processes_is_given_up(tmp_path):
    source, out = written(tmp_path / "in", items(20), 1), tmp_path / "out"
    running = started(source, out, "--workers", "1")
    killed = set()

    def three_are_dead():
        for process in children(running.pid):
            if process not in killed and is_worker(process):
                os.kill(process, signal.SIGKILL)
                killed.add(process)
        return len(killed) == 3

    assert until(three_are_dead, running)
    assert running.wait(timeout=300) == 1
    entry = json.loads((out / "manifest.json").read_text())["parts"]["part-000.jsonl"]
    assert (entry["state"], "died 3 times" in entry["message"]) == ("failed", True)
    assert score_folder(str(source), out, PRESET, engine=Processes(1)).complete


@pytest.mark.parametrize("seed", range(JOINED))
def test_a_join_that_is_killed_goes_on(seed, tmp_path):
    chance = random.Random(seed)
    rows = [{**row, "id": str(number)} for number, row in enumerate(items(150) * 4)]
    predictions = written(tmp_path / "predictions", [{"id": row["id"], "prediction": row["prediction"]} for row in rows], 5)
    references = written(tmp_path / "references", [{"id": row["id"], "references": row["references"]} for row in rows], 5)
    out, calm = tmp_path / "out", tmp_path / "calm"
    running = started(predictions, out, "--workers", "2", "--references", str(references))
    wanted = chance.randrange(1, 13)
    assert until(lambda: len([*out.rglob("*.arrow"), *out.rglob("statistics/*.json")]) >= wanted, running)
    running.kill()
    running.wait(timeout=60)
    for folder in (out, calm):
        assert score_folder(str(predictions), folder, PRESET, references=str(references), engine=Processes(2)).complete
    assert files(out) == files(calm)


@needs_dask
@pytest.mark.long
def test_a_cluster_whose_process_dies_before_it_is_ready_is_started_anew(calm, tmp_path):
    source, expected = calm
    running = started(source, tmp_path / "out", "--workers", "2", "--engine", "dask")
    assert until(lambda: any(map(is_worker, children(running.pid))), running)
    os.kill(next(process for process in children(running.pid) if is_worker(process)), signal.SIGKILL)
    assert running.wait(timeout=600) == 0
    assert files(tmp_path / "out") == expected


@pytest.mark.parametrize("engine", ENGINES_IN_FULL)
def test_a_full_disk_is_said_and_costs_nothing_but_what_did_not_fit(engine, tmp_path):
    source, out = written(tmp_path / "in", items(30), 3), tmp_path / "out"
    noise = random.Random(7)
    with open(source / "part-001.jsonl", "a") as file:
        for number in range(100):
            file.write(json.dumps({"id": f"long{number}", "prediction": noise.randbytes(50_000).hex(), "references": ["a"]}) + "\n")

    def a_small_disk():
        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST, MOST))

    running = started(source, out, "--workers", "2", "--engine", engine, preexec_fn=a_small_disk)
    assert running.wait(timeout=600) == 1
    parts = json.loads((out / "manifest.json").read_text())["parts"]
    assert [parts[name]["state"] for name in sorted(parts)] == ["done", "failed", "done"]
    assert "File too large" in parts["part-001.jsonl"]["message"]
    assert "the same command goes on there" in parts["part-001.jsonl"]["message"]
    assert not list(out.rglob("*.begun"))
    assert not [name for name in files(out) if "part-001" in name]
    again = score_folder(str(source), out, PRESET, engine=Processes(2))
    assert (again.complete, again.fresh, again.kept) == (True, 1, 2)
    score_folder(str(source), tmp_path / "calm", PRESET, engine=Processes(1))
    assert files(out) == files(tmp_path / "calm")


def test_a_manifest_that_cannot_be_written_stops_the_run(tmp_path, capsys, monkeypatch):
    source, out = written(tmp_path / "in", items(10), 1), tmp_path / "out"
    score_folder(str(source), out, PRESET, engine=Processes(1))
    (out / "manifest.json").unlink()
    (out / "manifest.json").mkdir()
    assert main(["score-folder", str(source), str(out)]) == 2
    assert "manifest" in capsys.readouterr().err


@pytest.mark.parametrize("fault", [None, ZeroDivisionError])
def test_no_process_outlives_its_run(fault, calm, tmp_path):
    def progress(done, files):
        if fault is not None:
            raise fault

    with nullcontext() if fault is None else pytest.raises(fault):
        score_folder(str(calm[0]), tmp_path / "out", PRESET, engine=Processes(2), progress=progress)
    assert not any(map(is_worker, children(os.getpid())))


def test_an_interrupted_run_ends_quietly_and_goes_on_later(calm, tmp_path):
    source, expected = calm
    out = tmp_path / "out"
    running = started(source, out, "--workers", "1", start_new_session=True, stderr=subprocess.PIPE)
    assert until(lambda: len(list((out / "statistics").glob("*.json"))) >= 2, running)  # The second is begun when the run knows of the first.
    os.killpg(running.pid, signal.SIGINT)
    said = running.communicate(timeout=60)[1]
    assert running.returncode in (130, 0)  # A run that was faster is over.
    assert [line for line in said.splitlines() if not line.startswith(b"scored ")] == []
    assert score_folder(str(source), out, PRESET, engine=Processes(1)).kept >= 1
    assert files(out) == expected
