"""Time things against each other, and look at the memory they take."""

import gc
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median

Timed = Callable[[], object]


def alternate(contestants: Mapping[str, Timed], repetitions: int) -> dict[str, float]:
    """Give each one's median seconds; every repetition runs all of them in turn, so that noise meets all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for run in contestants.values():
        run()
    for _ in range(repetitions):
        for name, run in contestants.items():
            gc.collect()
            start = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - start)
    return {name: median(values) for name, values in seconds.items()}


def resident_bytes() -> int:
    """Give the memory the process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def peak_above(run: Timed, every: float = 0.002) -> int:
    """Give the bytes by which the process grew at most while it ran."""
    before, highest, done = resident_bytes(), 0, threading.Event()

    def watch() -> None:
        nonlocal highest
        while not done.wait(every):
            highest = max(highest, resident_bytes())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        run()
    finally:
        done.set()
        watcher.join()
    return max(0, highest - before)
