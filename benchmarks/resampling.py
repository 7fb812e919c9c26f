"""How long a paired bootstrap takes, against the usual loop over items: python -m benchmarks.resampling [ITEMS]."""

import sys
import time
from collections.abc import Callable

import numpy as np

from evalcore.scoring.paired import mean_difference, sign_flip
from evalcore.scoring.statistics import RESAMPLES

LOOPS = 10
TRIES = 3


def f1_column(rng: np.random.Generator, items: int) -> np.ndarray:
    """Draw F1 values as short answers have them."""
    gold = rng.choice([1, 2, 3, 4], items, p=[0.3, 0.35, 0.2, 0.15])
    predicted = rng.choice([1, 2, 3, 4, 6, 8], items, p=[0.3, 0.3, 0.15, 0.1, 0.1, 0.05])
    return 2 * np.minimum(np.minimum(gold, predicted), rng.integers(0, 5, items)) / (gold + predicted)


def seconds(work: Callable[[], object]) -> float:
    """Give the time of the fastest of a few tries."""
    found = []
    for _ in range(TRIES):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def main(items: int = 1_000_000) -> None:
    """Print the times, and how many times faster than the loop."""
    rng = np.random.default_rng(1)
    differences = f1_column(rng, items) - f1_column(rng, items)
    loop = seconds(lambda: [differences[rng.integers(0, items, items)].mean() for _ in range(LOOPS)]) * RESAMPLES / LOOPS
    bootstrap, flips = seconds(lambda: mean_difference(differences)), seconds(lambda: sign_flip(differences))
    print(f"{items:,} pairs, {len(np.unique(differences)):,} distinct differences, {RESAMPLES:,} resamples")
    print(f"loop over items   {loop:8.2f} s (from {LOOPS} resamples)")
    print(f"paired bootstrap  {bootstrap:8.2f} s, {loop / bootstrap:,.0f} times faster")
    print(f"sign flip         {flips:8.2f} s (10,000 draws)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
