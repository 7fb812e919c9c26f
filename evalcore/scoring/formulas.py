"""Matches of formulas: what two texts are worth as mathematics, found out in a process of its own.

The packages that read formulas may need any time for one of them, and stop themselves by signals that only a main thread can receive.
So they run in one process a run, which is killed when an item takes too long, and begun again.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from evalcore.scoring.metrics import Floats
from evalcore.scoring.pairs import Pairs

FORMULA_MATCHES = ("math_verify", "math_verify_letters", "math_metric", "same_formula", "same_formula_or_text")
ITEM_SECONDS = 5.0
START_SECONDS = 60.0
TIME_OUTS = 20  # Items a run that may take too long; what follows them is not tried.
_PROGRAM = Path(__file__).with_name("formula_process.py")


class FormulaFailed(RuntimeError):
    """An item could not be compared; the message says why."""


class _Process:
    """The running process and the thread that reads from it."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="ascii")
        self.lines: SimpleQueue[str] = SimpleQueue()
        self.reader = Thread(target=self._read, name="whymiss-formulas", daemon=True)
        self.reader.start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.lines.put(line)
        self.lines.put("")

    def ask(self, request: Any) -> None:
        try:
            if self.process.stdin is not None:
                self.process.stdin.write(json.dumps(request) + "\n")
                self.process.stdin.flush()
        except OSError:
            pass  # It has ended; the empty line it left says so.

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:
                pass  # What was not yet written is for nobody.


class FormulaWorker:
    """Compares formulas in a process that begins with the first item and ends with `close`.

    Range: may be used from several threads; they wait for each other.
    """

    def __init__(self, seconds: float = ITEM_SECONDS, command: Sequence[str] = ()) -> None:
        self.seconds = seconds
        self.command = tuple(command) or (sys.executable, "-P", str(_PROGRAM))
        self.timed_out = 0
        self._lock = Lock()
        self._running: _Process | None = None

    def __enter__(self) -> "FormulaWorker":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def process_id(self) -> int | None:
        """Give the number of the process, None where none runs."""
        return None if self._running is None else self._running.process.pid

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def compare(self, match: str, output: str, references: Sequence[str]) -> list[bool]:
        """Tell for every reference whether the output meets it.

        Raises: FormulaFailed when the time is up, or what was given cannot be read.
        """
        with self._lock:
            if self.timed_out >= TIME_OUTS:
                raise FormulaFailed(f"not tried: {TIME_OUTS} formulas of the run had taken longer than {self.seconds:g} s")
            running = self._begun()
            running.ask((match, output, list(references)))
            try:
                answer = json.loads(self._line(running, self.seconds))
            except Empty:
                self.timed_out += 1
                self._end()
                raise FormulaFailed(f"the formula took longer than {self.seconds:g} s") from None
            if isinstance(answer, str):
                raise FormulaFailed(answer)
            return [bool(each) for each in answer]

    def _begun(self) -> _Process:
        if self._running is None:
            self._running = _Process(self.command)
            try:
                self._line(self._running, START_SECONDS)
            except Empty:
                self._end()
                raise FormulaFailed(f"the process that compares formulas did not begin within {START_SECONDS:g} s") from None
        return self._running

    def _line(self, running: _Process, seconds: float) -> str:
        line = running.lines.get(timeout=seconds)
        if not line:
            code = running.process.wait()
            self._end()
            raise FormulaFailed(f"the process that compares formulas ended by itself (code {code})")
        return line

    def _end(self) -> None:
        if self._running is not None:
            self._running.kill()
            self._running = None


class FormulaHits(NamedTuple):
    """EM of every pair, and the groups of pairs that could not be compared with the reason."""

    em: Floats
    failed: dict[int, str]


def formula_hits(pairs: Pairs, match: str, worker: FormulaWorker) -> FormulaHits:
    """Compare the references of every item with its output, equal items once."""
    sides = pairs.sides()
    em = np.zeros(len(pairs))
    failed: dict[int, str] = {}
    known: dict[tuple[str, ...], list[bool] | str] = {}
    for group, (start, count) in enumerate(zip(pairs.starts.tolist(), pairs.counts.tolist(), strict=True)):
        output = sides[start][0].normalized
        references = [reference.normalized for _, reference in sides[start : start + count]]
        key = (output, *references)
        if key not in known:
            try:
                known[key] = worker.compare(match, output, references)
            except FormulaFailed as error:
                known[key] = str(error)
        answer = known[key]
        if isinstance(answer, str):
            failed[group] = answer
        else:
            em[start : start + count] = answer
    return FormulaHits(em, failed)
