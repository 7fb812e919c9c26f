"""The processes of this machine: files are scored side by side, and a process that dies takes nothing with it."""

import multiprocessing
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from evalcore.engines.partition import Outcome, Task, score_partition

TRIES = 3  # How many processes may die of a file before it is given up.


def on_this_machine(tasks: Sequence[Task], workers: int) -> Iterator[Outcome]:
    """Score files in processes of their own, and give every outcome as it comes.

    A process that dies costs the file it had in work a try, and another
    one takes its place; a file of which three died is given up.
    Raises: ValueError for less than one worker.
    """
    if workers < 1:
        raise ValueError(f"{workers} workers; at least 1 is needed")
    waiting, deaths = deque(tasks), Counter[str]()
    idle: list[tuple[Connection, BaseProcess]] = []
    busy: dict[Connection, tuple[BaseProcess, Task]] = {}
    try:
        while waiting or busy:
            while waiting and len(busy) < workers:
                pipe, process = idle.pop() if idle else _hired()
                task = waiting.popleft()
                busy[pipe] = (process, task)
                with suppress(OSError):  # A process that is dead already is met when it is listened to.
                    pipe.send(task)
            ready = wait(list(busy))
            for pipe in [pipe for pipe in busy if pipe in ready]:
                process, task = busy.pop(pipe)
                outcome = _heard(pipe)
                if outcome is not None:
                    idle.append((pipe, process))
                    yield outcome
                    continue
                process.join()
                deaths[task.name] += 1
                if deaths[task.name] < TRIES:
                    waiting.append(task)
                else:
                    yield Outcome(task.name, "failed", message=f"the process that scored it died {TRIES} times; it may need more memory than there is")
    finally:
        for process, _ in busy.values():
            process.terminate()
        for pipe, process in [*idle, *((pipe, process) for pipe, (process, _) in busy.items())]:
            pipe.close()
            process.join()


def _hired() -> tuple[Connection, BaseProcess]:
    """Start a process that scores what it is sent; both ends see when the other one is gone."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    return ours, process


def _serve(pipe: Connection) -> None:
    with suppress(EOFError, OSError):
        while True:
            task: Task = pipe.recv()
            try:
                outcome = score_partition(task)
            except Exception as error:
                outcome = Outcome(task.name, "failed", message=f"{type(error).__name__}: {error}")
            pipe.send(outcome)


def _heard(pipe: Connection) -> Outcome | None:
    """Give what a process sends, None when it is dead."""
    try:
        outcome: Outcome = pipe.recv()
    except (EOFError, OSError):
        pipe.close()
        return None
    return outcome
