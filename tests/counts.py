"""How many examples a property is tried on: a third in the gate, all under WHYMISS_LONG=1."""

import os

LONG = os.environ.get("WHYMISS_LONG") == "1"
FEWEST = 5


def examples(full: int) -> int:
    """Give the examples to try, out of those of the long run."""
    return full if LONG else min(full, max(FEWEST, full // 3))
