"""Exact chances of drawing few."""

import numpy as np


def lower_tail(drawn: int, size: int, hits: int, total: int) -> float:
    """Give the chance that `size` items out of `total`, of which `hits` are right, hold at most `drawn` right ones.

    Source: the hypergeometric distribution, as in R. A. Fisher's exact test.

    >>> f"{lower_tail(0, 2, 2, 4):.4f}"
    '0.1667'
    """
    least, most = max(0, size + hits - total), min(size, hits)
    if drawn >= most:
        return 1.0
    if drawn < least:
        return 0.0
    counts = np.arange(least, most, dtype=np.float64)
    ratios = np.log(hits - counts) + np.log(size - counts) - np.log(counts + 1) - np.log(total - hits - size + counts + 1)
    logs = np.concatenate(([0.0], np.cumsum(ratios)))
    weights = np.exp(logs - logs.max())
    return float(min(1.0, weights[: drawn - least + 1].sum() / weights.sum()))
