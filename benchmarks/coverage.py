"""How often the 95 % intervals hold the truth: python -m benchmarks.coverage [ROUNDS]."""

import sys
from collections.abc import Callable

import numpy as np

from evalcore.scoring.paired import mean_difference, share_difference
from evalcore.scoring.statistics import Interval, mean_interval, wilson

SIZES = (20, 50, 100, 200, 500, 1000)
SHARES = (0.05, 0.2, 0.5, 0.8, 0.95)
ROUNDS = 4000
PARTIAL = np.array([2 / 9, 2 / 7, 0.4, 0.5, 4 / 7, 2 / 3, 0.8, 8 / 9])
CLUSTER = 5
Draw = Callable[[np.random.Generator, int, float], Interval]


def em(rng: np.random.Generator, size: int, share: float) -> Interval:
    """Exact matches, by Wilson."""
    return wilson(int(rng.binomial(size, share)), size)


def f1_values(rng: np.random.Generator, size: int, share: float) -> np.ndarray:
    """Draw F1 values with this mean: whole points, nothing, and one in five in between."""
    values = rng.choice([0.0, 1.0], size, p=[1 - share, share])
    between = rng.random(size) < 0.2
    values[between] = rng.choice(PARTIAL, int(between.sum()))
    return values


def f1_mean(share: float) -> float:
    """Give the mean the drawn F1 values have."""
    return 0.8 * share + 0.2 * float(PARTIAL.mean())


def f1(rng: np.random.Generator, size: int, share: float) -> Interval:
    """F1 by bootstrap, less its true mean, so that 0 is the truth."""
    found = mean_interval(f1_values(rng, size, share), seed=int(rng.integers(2**31)))
    return shifted(found, f1_mean(share))


def f1_clustered(rng: np.random.Generator, size: int, share: float) -> Interval:
    """F1 of documents of five items that are alike in one item of two, by clustered bootstrap."""
    documents = size // CLUSTER
    own, shared = f1_values(rng, documents * CLUSTER, share), np.repeat(f1_values(rng, documents, share), CLUSTER)
    values = np.where(rng.random(len(own)) < 0.5, own, shared)
    found = mean_interval(values, clusters=np.repeat(np.arange(documents), CLUSTER), seed=int(rng.integers(2**31)))
    return shifted(found, f1_mean(share))


def f1_difference(rng: np.random.Generator, size: int, share: float) -> Interval:
    """F1 of two runs that answer half of the items alike, by paired bootstrap."""
    before, other = f1_values(rng, size, share), f1_values(rng, size, share)
    after = np.where(rng.random(size) < 0.5, before, other)
    return mean_difference(after - before, seed=int(rng.integers(2**31)))


def em_difference(rng: np.random.Generator, size: int, share: float) -> Interval:
    """EM of two runs, of which `share` of the items of one tenth are fixed and the rest broken, by Bonett and Price."""
    fixed, broken, _ = rng.multinomial(size, [share / 10, (1 - share) / 10, 0.9])
    return shifted(share_difference(int(fixed), int(broken), size), (2 * share - 1) / 10)


def shifted(found: Interval, truth: float) -> Interval:
    """Move an interval so that its truth is 0."""
    return Interval(found.estimate - truth, found.low - truth, found.high - truth, found.count, found.method)


MEASURES: dict[str, tuple[Draw, Callable[[float], float]]] = {
    "EM, Wilson": (em, lambda share: share),
    "F1, bootstrap": (f1, lambda share: 0.0),
    "F1, clustered bootstrap": (f1_clustered, lambda share: 0.0),
    "EM difference, Bonett-Price": (em_difference, lambda share: 0.0),
    "F1 difference, paired bootstrap": (f1_difference, lambda share: 0.0),
}


def coverage(draw: Draw, truth: float, size: int, share: float, rounds: int, seed: int = 7) -> float:
    """Give the share of rounds whose interval holds the truth."""
    rng = np.random.default_rng(seed)
    return sum(not draw(rng, size, share).excludes(truth) for _ in range(rounds)) / rounds


def main(rounds: int = ROUNDS) -> None:
    """Print one table a measure: sizes down, shares across."""
    for name, (draw, truth) in MEASURES.items():
        print(f"\n**{name}**\n\n| items | {' | '.join(f'{share:.0%}' for share in SHARES)} |\n|---:|{'---:|' * len(SHARES)}")
        for size in SIZES:
            cells = [f"{100 * coverage(draw, truth(share), size, share, rounds):.1f}" for share in SHARES]
            print(f"| {size:,} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
