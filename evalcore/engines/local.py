"""The processes of this machine: files are worked on side by side, and a process that dies takes nothing with it."""

import multiprocessing
import signal
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType

from evalcore.engines.work import TRIES, Job, Outcome, Work, attempted


class Processes:
    """Processes of this machine, to be used in a with block.

    Raises: ValueError for less than one worker.
    """

    def __init__(self, workers: int) -> None:
        if workers < 1:
            raise ValueError(f"{workers} workers; at least 1 is needed")
        self.workers = workers
        self.idle: list[tuple[Connection, BaseProcess]] = []
        self.busy: dict[Connection, tuple[BaseProcess, Job]] = {}

    def run(self, work: Work, jobs: Sequence[Job]) -> Iterator[Outcome]:
        """Do all jobs in processes of their own, and give every outcome as it comes.

        A process that dies costs the job it had a try, and another one
        takes its place; a job of which three died is given up.
        """
        waiting, deaths = deque(jobs), Counter[str]()
        while waiting or self.busy:
            while waiting and len(self.busy) < self.workers:
                self._hand_out(work, waiting.popleft())
            ready = wait(list(self.busy))
            for pipe in [pipe for pipe in self.busy if pipe in ready]:
                process, job = self.busy.pop(pipe)
                outcome = _heard(pipe)
                if outcome is not None:
                    self.idle.append((pipe, process))
                    yield outcome
                    continue
                process.join()
                deaths[job.name] += 1
                if deaths[job.name] < TRIES:
                    waiting.append(job)
                else:
                    yield Outcome.given_up(job.name)

    def _hand_out(self, work: Work, job: Job) -> None:
        pipe, process = self.idle.pop() if self.idle else _hired()
        self.busy[pipe] = (process, job)
        with suppress(OSError):  # A process that is dead already is met when it is listened to.
            pipe.send((work, job))

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        hired = [*self.idle, *((pipe, process) for pipe, (process, _) in self.busy.items())]
        for _, process in hired:
            process.terminate()  # Idle ones too: with all that is loaded, an interpreter takes a third of a second to end by itself.
        for pipe, process in hired:
            pipe.close()
            process.join()


def _hired() -> tuple[Connection, BaseProcess]:
    """Start a process that does what it is sent; both ends see when the other one is gone."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    return ours, process


def _serve(pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # A terminal interrupts all processes at once; the one that hands out work ends the others.
    with suppress(EOFError, OSError):
        while True:
            pipe.send(attempted(*pipe.recv()))


def _heard(pipe: Connection) -> Outcome | None:
    """Give what a process sends, None when it is dead."""
    try:
        outcome: Outcome = pipe.recv()
    except (EOFError, OSError):
        pipe.close()
        return None
    return outcome
