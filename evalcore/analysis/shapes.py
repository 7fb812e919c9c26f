"""Shapes of outputs: what they look like when all of them score the same."""

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from evalcore.scoring.scores import Scores

LONGEST = 40  # Characters of a shape that are told apart.

_RUN = re.compile(r"(?P<tag></?[A-Za-z_]\w*>)|(?P<digits>\d+(?:[.,]\d+)*)|(?P<word>[^\W\d_]+)|(?P<space>\s+)|(?P<mark>.)", re.DOTALL)


@dataclass(frozen=True)
class Shape:
    """One shape: how many outputs have it, and the row of the first."""

    shape: str
    count: int
    row: int


def shape_of(text: str) -> str:
    """Write what a text looks like: `word` for words, `9` for numbers, tags and marks as they are.

    Range: a run of words is one `words`; the shape is cut after 40 characters.
    Empty: the empty text has the shape `(empty)`.

    >>> shape_of("<think>So it is 12.5, I guess</think> **42**")
    '<think>words 9, words</think> **9**'
    """
    if not text.strip():
        return "(blank)" if text else "(empty)"
    parts: list[str] = []
    for match in _RUN.finditer(text[: 20 * LONGEST]):
        part = {"digits": "9", "word": "word", "space": "⏎" if "\n" in match.group() else " "}.get(match.lastgroup or "", match.group())
        if part == "word" and parts[-2:] in (["word", " "], ["words", " "]):
            parts[-2:] = ["words"]
        else:
            parts.append(part)
    shape = "".join(parts)
    return shape if len(shape) <= LONGEST else shape[: LONGEST - 1] + "…"


def uniform_total(scores: Scores) -> float | None:
    """Give the total when every scored item has the same headline number 0 or 1, else None.

    Range: such a total is rarely a finding; the shapes of the outputs tell why.
    """
    values = scores.score[scores.is_scored]
    if len(values) and (np.all(values == 0) or np.all(values == 1)):
        return float(values[0])
    return None


def frequent_shapes(scores: Scores, most: int = 10) -> tuple[Shape, ...]:
    """Give the most frequent shapes of the outputs, most frequent first."""
    shapes = [(row, shape_of(text)) for row, text in enumerate(scores.dataset.predictions) if text is not None]
    first: dict[str, int] = {}
    for row, shape in shapes:
        first.setdefault(shape, row)
    return tuple(Shape(shape, count, first[shape]) for shape, count in Counter(shape for _, shape in shapes).most_common(most))
