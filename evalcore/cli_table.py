"""The table that the command line prints of a score."""

from collections.abc import Mapping, Sequence

import numpy as np

from evalcore.scoring.preset import Preset
from evalcore.scoring.scores import Summary


def lines(summary: Summary, preset: Preset, figures: Mapping[str, float], below: Sequence[str]) -> list[str]:
    """Write aggregates and SQuAD v2's own figures one a line, then the lines below them, and the signature."""
    treated = "counted as wrong" if preset.missing == "wrong" else "left out"
    named = {"em": preset.em_name, "f1": "F1", "precision": "precision", "recall": "recall"}
    rows = [
        *((label, _percent(getattr(summary, name))) for name, label in named.items() if name in preset.numbers),
        ("items", f"{summary.items:,}"),
        ("scored", f"{summary.scored:,}"),
        *((f"unscored: {reason}", f"{number:,}") for reason, number in summary.unscored.items()),
        (f"missing predictions ({treated})", f"{summary.missing:,}"),
        ("empty predictions", f"{summary.empty:,}"),
        ("nothing left after normalization", f"{summary.emptied:,}"),
        *((name, _figure(name, value)) for name, value in figures.items()),
    ]
    width = max(len(name) for name, _ in rows)
    return [*(f"{name:{width}}  {value:>10}" for name, value in rows), *below, "", f"signature: {preset.signature}"]


def _figure(name: str, value: float) -> str:
    return f"{value:,}" if name.endswith("total") else f"{value:.4g}" if name.endswith("thresh") else f"{value:.2f}"


def _percent(value: float) -> str:
    return "n/a" if np.isnan(value) else f"{100 * value:.2f}"
