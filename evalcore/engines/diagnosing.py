"""The diagnosis of a large run in processes of its own: both cores work, and whoever asked stays quick.

Each process is given the scores through a file and takes every so many-th
part of the failed rows; what it finds comes back through a pipe. A process
ends when nobody listens to it any more.
"""

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any, NamedTuple

from evalcore.analysis.collisions import Collisions, find_collisions
from evalcore.analysis.diagnosis import Diagnosing, Diagnosis, Part, diagnose, done_items
from evalcore.analysis.reasons.find import ReasonSearch, Surroundings
from evalcore.scoring.chunks import Progress
from evalcore.scoring.scores import Scores
from evalcore.text.steps import Step

WORKERS = 2
FEW_PARTS = 4  # A run of fewer parts is done sooner than processes are begun.
NICE = 5  # Whoever waits for a page goes first.
SECONDS = 0.2  # Between two looks whether the work was stopped.
_ROOT = Path(__file__).parents[2]

Message = tuple[str, Any]


class _Task(NamedTuple):
    """What one of several processes has to do."""

    scores: Scores
    extra: tuple[Step, ...]
    worker: int
    workers: int


def diagnose_in_processes(scores: Scores, extra: Sequence[Step] = (), progress: Progress | None = None, workers: int = WORKERS) -> Diagnosis:
    """Find the same as `diagnose`, in processes of their own where a run is large.

    `progress` as there; it is also called while nothing is ready, so that work is stopped soon.
    Raises: RuntimeError when a process fails or dies.
    """
    work = Diagnosing(scores, extra)
    if work.parts < FEW_PARTS:
        return diagnose(scores, extra=extra, progress=progress)
    report = progress or (lambda done, items: None)
    parts: dict[int, Part] = {}
    others: dict[str, Any] = {}
    done, items = 0, len(scores)
    report(done, items)
    with _heard(_light(scores), tuple(extra), workers) as messages:
        while len(parts) < work.parts or len(others) < len(("surroundings", "collisions")):
            with suppress(Empty):
                told, value = messages.get(timeout=SECONDS)
                if told == "part":
                    parts[value[0]] = value[1]
                elif told == "failed":
                    raise RuntimeError(f"the diagnosis failed: {value}")
                else:
                    others[told] = value
            done = max(done, done_items(items, len(parts) / work.parts) if parts else 0)
            report(done, items)
    surroundings, collisions = Surroundings(scores.dataset.references, *others["surroundings"]), others["collisions"]
    return work.whole((parts[number] for number in range(work.parts)), surroundings, collisions)


def _light(scores: Scores) -> Scores:
    """Leave out the columns a diagnosis does not look at."""
    data = scores.dataset
    return replace(scores, dataset=replace(data, contexts=None, metadata={}, places=None))


@contextmanager
def _heard(scores: Scores, extra: tuple[Step, ...], workers: int) -> Iterator["SimpleQueue[Message]"]:
    """Begin the processes and give what they say; they are ended when nobody listens any more."""
    messages: SimpleQueue[Message] = SimpleQueue()
    running: list[subprocess.Popen[bytes]] = []
    listening: list[Thread] = []
    try:
        for worker in range(workers):
            running.append(_begun(_Task(scores, extra, worker, workers)))
            listening.append(Thread(target=_listen, args=(running[-1], messages), name="whymiss-diagnosis", daemon=True))
            listening[-1].start()
        yield messages
    finally:
        for process in running:
            process.kill()
        for process, thread in zip(running, listening, strict=True):
            process.wait()
            thread.join()


def _begun(task: _Task) -> "subprocess.Popen[bytes]":
    """Start a process; its task is a file that nobody else can open, and that is gone when the process has read it."""
    paths = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    with tempfile.TemporaryFile() as file:
        pickle.dump(task, file, protocol=pickle.HIGHEST_PROTOCOL)
        file.seek(0)
        return subprocess.Popen([sys.executable, "-P", "-m", __name__], stdin=file, stdout=subprocess.PIPE, env=environment)


def _listen(process: "subprocess.Popen[bytes]", messages: "SimpleQueue[Message]") -> None:
    """Pass on what a process says, and that it died when it ended before it had said everything."""
    assert process.stdout is not None
    with process.stdout as pipe:
        told = ""
        while told != "done":
            try:
                told, value = pickle.load(pipe)
            except (EOFError, OSError, pickle.UnpicklingError):
                told, value = "done", None
                messages.put(("failed", "a process died; it may need more memory than there is"))
            if told != "done":
                messages.put((told, value))


def main() -> None:
    """Do the task that stands in the input, and write what is found to the output."""
    with suppress(BrokenPipeError), os.fdopen(os.dup(1), "wb") as out:  # Nobody listens any more.
        os.dup2(2, 1)  # What a package prints is no answer.
        with suppress(AttributeError, OSError):
            os.nice(NICE)
        try:
            for message in _found(pickle.load(sys.stdin.buffer)):
                _say(out, message)
            _say(out, ("done", None))
        except BrokenPipeError:
            raise
        except Exception as error:
            _say(out, ("failed", f"{type(error).__name__}: {error}"))


def _say(out: IO[bytes], message: Message) -> None:
    pickle.dump(message, out, protocol=pickle.HIGHEST_PROTOCOL)
    out.flush()


def _found(task: _Task) -> Iterator[Message]:
    """Find a process's share: the first one looks at the whole run, the last one at collisions."""
    work, reasons = Diagnosing(task.scores, task.extra), ReasonSearch(task.scores)
    if task.worker == 0:
        yield "surroundings", (reasons.surroundings.labels, reasons.surroundings.owners)
    if task.worker == task.workers - 1:
        collisions: Collisions = find_collisions(task.scores)
        yield "collisions", collisions
    for number in range(task.worker, work.parts, task.workers):
        yield "part", (number, work.part(number, reasons))


if __name__ == "__main__":
    main()
