"""Edits: what a step did to one text, as values that can be replayed."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Edit(NamedTuple):
    """Replace `before[start:end]` by `new`.

    Offsets: half-open, in code points of the text before the step.
    """

    start: int
    end: int
    new: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Replay edits on the text they were stated for.

    Offsets: edits are sorted by start and do not overlap.
    Raises: ValueError when they are not, or reach past the text.

    >>> apply("The cat.", [Edit(0, 3, ""), Edit(7, 8, "")])
    ' cat'
    """
    pieces: list[str] = []
    position = 0
    for edit in edits:
        if not position <= edit.start <= edit.end <= len(text):
            raise ValueError(f"{edit} does not follow position {position} in a text of {len(text)} characters")
        pieces.append(text[position : edit.start])
        pieces.append(edit.new)
        position = edit.end
    pieces.append(text[position:])
    return "".join(pieces)


def origin(edits: Sequence[Edit], start: int, end: int) -> tuple[int, int]:
    """Map a span of the text after the edits to the text before them.

    Offsets: half-open code points on both sides.
    Range: a span that touches inserted text widens to the whole edit.
    Empty: an empty span maps to an empty span, or to the edit it lies in.

    >>> origin([Edit(0, 4, "")], 0, 3)
    (4, 7)
    """
    return _origin_of_boundary(edits, start, left=True), _origin_of_boundary(edits, max(start, end), left=start >= end)


def _origin_of_boundary(edits: Sequence[Edit], position: int, left: bool) -> int:
    """Map one boundary: a left one moves past deletions before it, a right one stays before them."""
    shift = 0
    for edit in edits:
        new_start = edit.start + shift
        new_end = new_start + len(edit.new)
        if position < new_start or (position == new_start and not left):
            break
        if new_start < position < new_end:
            return edit.start if left else edit.end
        if position == new_start and edit.new:
            return edit.start
        if position == new_end and edit.new and not left:
            return edit.end
        shift += len(edit.new) - (edit.end - edit.start)
    return position - shift


def between(before: str, after: str) -> tuple[Edit, ...]:
    """State the one edit that remains when the common ends are cut off.

    Empty: no edit when the texts are equal.

    >>> between("3.0 kg", "3 kg")
    (Edit(start=1, end=3, new=''),)
    """
    if before == after:
        return ()
    shortest = min(len(before), len(after))
    head = 0
    while head < shortest and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shortest - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return (Edit(head, len(before) - tail, after[head : len(after) - tail]),)
