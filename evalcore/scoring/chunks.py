"""Run over a dataset in chunks, on one thread or several."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from evalcore.dataset import Dataset

Progress = Callable[[int, int], None]
ITEMS = 4096  # Items a chunk at most: what a kernel writes for them stays in the processor's cache.
BYTES = 1 << 20  # Bytes of text a chunk at most, so that long answers need no more memory than short ones.
THREADS = 2  # Kernels leave the interpreter free; what stays in Python does not gain from more.


def chunks_of(dataset: Dataset) -> Iterator[tuple[int, int]]:
    """Cut a dataset into neighbouring rows, at least one a chunk."""
    items = len(dataset)
    if items == 0:
        return
    predictions, texts = dataset.predictions.utf8(), dataset.references.texts.utf8()
    reference_bytes = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(texts[2] - texts[1])))
    bytes_after = np.cumsum(predictions[2] - predictions[1]) + reference_bytes[dataset.references.offsets[1:]]
    start, before = 0, 0
    while start < items:
        stop = min(start + ITEMS, int(np.searchsorted(bytes_after, before + BYTES, side="right")), items)
        stop = max(stop, start + 1)
        yield start, stop
        start, before = stop, int(bytes_after[stop - 1])


def run_chunks(dataset: Dataset, work: Callable[[int, int], None], progress: Progress, threads: int | None) -> None:
    """Call `work(start, stop)` for every chunk and `progress(done, items)` between them.

    What either raises stops the run: no further chunk is begun.
    """
    items = len(dataset)
    wanted = THREADS if threads is None else threads
    if wanted < 1:
        raise ValueError(f"threads is {threads}; at least 1 is needed")
    progress(0, items)
    if wanted == 1 or items <= ITEMS:
        for start, stop in chunks_of(dataset):
            work(start, stop)
            progress(stop, items)
        return
    with ThreadPoolExecutor(wanted, thread_name_prefix="whymiss-score") as pool:
        running: deque[tuple[int, Future[None]]] = deque()
        try:
            for start, stop in chunks_of(dataset):
                running.append((stop, pool.submit(work, start, stop)))
                if len(running) > wanted:
                    _finish(running, items, progress)
            while running:
                _finish(running, items, progress)
        finally:
            for _, future in running:
                future.cancel()


def _finish(running: "deque[tuple[int, Future[None]]]", items: int, progress: Progress) -> None:
    stop, future = running.popleft()
    future.result()
    progress(stop, items)
