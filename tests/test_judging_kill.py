"""A server killed while it writes leaves every verdict it had acknowledged."""

import itertools
import multiprocessing
import random
import signal
import sqlite3
from multiprocessing.connection import Connection

import pytest

from evalcore.dataset import Dataset
from evalcore.judging import Store, judgement_of
from tests.counts import LONG

ROUNDS = 50 if LONG else 5
SERVERS = 2
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.test_judging_kill"])


def serve(url: str, name: str, acknowledge: Connection) -> None:
    """Keep one verdict after the other, and acknowledge each once it is kept."""
    store, data = Store.open(url), Dataset.of(["an answer " * 50], [["x"]])
    for number in itertools.count():
        judgement = judgement_of(data, 0, "right", author=f"{name} {number}", note="n" * 2000)
        store.add(judgement)
        acknowledge.send(judgement.id)


def acknowledged_until_killed(url: str, name: str, after: int) -> list[str]:
    """Start servers, kill all after so many verdicts of the first; give what they had acknowledged."""
    pipes = [PROCESSES.Pipe(duplex=False) for _ in range(SERVERS)]
    servers = [PROCESSES.Process(target=serve, args=(url, f"{name}.{number}", sender)) for number, (_, sender) in enumerate(pipes)]
    for process in servers:
        process.start()
    for _, sender in pipes:
        sender.close()
    said = [pipes[0][0].recv() for _ in range(after)]
    for process in servers:
        process.kill()
    for process, (receiver, _) in zip(servers, pipes, strict=True):
        process.join()
        assert process.exitcode == -signal.SIGKILL
        said += list(rest(receiver))
    return said


def rest(receiver: Connection):
    """Give what still lies in the pipe of a killed process; its last message may be cut."""
    while True:
        try:
            yield receiver.recv()
        except (EOFError, OSError):
            return


def test_every_acknowledged_verdict_survives_a_kill(judgements_url):
    choose = random.Random(9)
    acknowledged: list[str] = []
    for number in range(ROUNDS):
        acknowledged += acknowledged_until_killed(judgements_url, str(number), choose.randint(1, 60))
        store = Store.open(judgements_url)
        kept = [judgement.id for judgement in store.history()]
        store.close()
        assert set(acknowledged) <= set(kept)
        assert len(kept) <= len(acknowledged) + SERVERS * (number + 1), "of each server at most the verdict in flight is there unacknowledged"
    assert len(acknowledged) >= ROUNDS


@pytest.mark.parametrize("judgements_url", ["sqlite"], indirect=True)
def test_a_killed_server_leaves_a_sound_file(judgements_url):
    acknowledged_until_killed(judgements_url, "once", 20)
    with sqlite3.connect(judgements_url.removeprefix("sqlite:///")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
