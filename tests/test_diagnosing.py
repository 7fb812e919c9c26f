"""The diagnosis in processes of its own: the same as in one, stopped at once, and loud when a process fails."""

import subprocess

import numpy as np
import pytest

from evalcore.analysis.diagnosis import CHUNK, diagnose
from evalcore.engines import diagnosing
from evalcore.engines.diagnosing import FEW_PARTS, diagnose_in_processes
from evalcore.scoring.score import score

ROWS = (
    ("STRASSE", ["Straße"]),
    ("in Paris, France", ["Paris"]),
    ("-5", ["5"]),
    ("NYC", ["New York City"]),
    ("Big Apple", ["New York", "Big Apple."]),
    ("The 3rd of May 1990!", ["1990-05-03"]),
    ("New York", ["big apple", "new york city", "Gotham"]),
    ("Rome", ["Lyon"]),
    ("New York City", ["Boston"]),
)


@pytest.fixture(scope="module")
def scores():
    repeated = [*ROWS, *[ROWS[7]] * (CHUNK * FEW_PARTS), *[(f"{text} 2", listed) for text, listed in ROWS]]
    made = score([text for text, _ in repeated], [listed for _, listed in repeated])
    assert (made.em == 0).sum() > CHUNK * FEW_PARTS
    return made


def test_processes_find_what_one_finds(scores):
    told: list[int] = []
    ours, plain = diagnose_in_processes(scores, progress=lambda done, items: told.append(done)), diagnose(scores)
    np.testing.assert_array_equal(ours.reasons.codes, plain.reasons.codes)
    np.testing.assert_array_equal(ours.reasons.reference, plain.reasons.reference)
    np.testing.assert_array_equal(ours.fixes.rows, plain.fixes.rows)
    np.testing.assert_array_equal(ours.fixes.chosen, plain.fixes.chosen)
    assert (ours.fixes.sets, ours.fixes.moves) == (plain.fixes.sets, plain.fixes.moves)
    assert ours.collisions.pairs == plain.collisions.pairs
    assert ours.collisions.merges == plain.collisions.merges
    failed = int(ours.reasons.fixes.failed[0])
    assert ours.reasons.of(failed) == plain.reasons.of(failed)
    assert told[0] == 0
    assert told[-1] == len(scores)
    assert told == sorted(told)


def test_what_progress_raises_ends_the_processes(scores, monkeypatch):
    begun = _watched(monkeypatch)

    def stop(done, items):
        if begun:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        diagnose_in_processes(scores, progress=stop)
    assert len(begun) == diagnosing.WORKERS
    assert all(process.returncode is not None for process in begun)


def test_a_process_that_dies_is_told(scores, monkeypatch):
    begun = _watched(monkeypatch)

    def kill(done, items):
        for process in begun:
            process.kill()

    with pytest.raises(RuntimeError, match="a process died"):
        diagnose_in_processes(scores, progress=kill)


def test_what_a_process_cannot_do_is_told(scores, monkeypatch):
    monkeypatch.setattr(diagnosing, "_light", lambda scores: "no scores")
    with pytest.raises(RuntimeError, match="AttributeError"):
        diagnose_in_processes(scores)


def test_a_process_ends_when_nobody_listens(scores):
    process = diagnosing._begun(diagnosing._Task(diagnosing._light(scores), (), 0, 1))
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(timeout=120) == 0


def test_few_items_need_no_process(monkeypatch):
    monkeypatch.setattr(subprocess, "Popen", lambda *arguments, **options: pytest.fail("a process was begun"))
    found = diagnose_in_processes(score([text for text, _ in ROWS], [listed for _, listed in ROWS]))
    assert found.reasons.codes[7] >= 0


def _watched(monkeypatch):
    """Collect the processes as they begin."""
    begun, begin = [], diagnosing._begun
    monkeypatch.setattr(diagnosing, "_begun", lambda task: begun.append(begin(task)) or begun[-1])
    return begun
