"""The raw prediction as its F1 saw it: which words counted, which were extra, which are missing."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from evalcore.analysis.attribution import attribute
from evalcore.scoring.preset import Preset
from evalcore.text.diff import blocks
from evalcore.text.pipeline import Trace
from evalcore.text.tokens import tokenizer

Role = Literal["same", "added", "lost", "ignored"]


class Piece(NamedTuple):
    """A stretch of raw text: in both, in the prediction only, in the reference only, or not looked at."""

    role: Role
    text: str


def wording(prediction: Trace, reference: Trace, preset: Preset) -> tuple[Piece, ...]:
    """Lay the prediction against the reference, word by word as the settings compare them.

    Range: without the lost pieces, the texts joined are the raw
        prediction; every lost piece is a stretch of the raw reference.

    >>> from evalcore.scoring.presets import preset
    >>> settings = preset("squad_v1")
    >>> wording(settings.pipeline.trace("The cat."), settings.pipeline.trace("black cat"), settings)[2:]
    (Piece(role='lost', text='black'), Piece(role='same', text='cat'), Piece(role='ignored', text='.'))
    """
    ours, theirs = _Tokens(prediction, preset), _Tokens(reference, preset)
    pieces = _Pieces(prediction.raw)
    for block in blocks(theirs.tokens, ours.tokens):
        if block.end > block.start and block.change != "equal":
            first, last = theirs.extents[block.start][0], theirs.extents[block.end - 1][1]
            if block.new_start < len(ours.extents):
                pieces.skip_to(ours.extents[block.new_start][0])
            pieces.add("lost", reference.raw[first:last])
        pieces.tokens(ours.extents[block.new_start : block.new_end], "same" if block.change == "equal" else "added")
    return pieces.finished()


def side_by_side(prediction: Trace, reference: Trace, preset: Preset) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Give both raw texts under one alignment: what only the prediction has is added, what only the reference has is lost.

    Range: the texts of either side, joined, are its raw text.
    """
    ours, theirs = _Tokens(prediction, preset), _Tokens(reference, preset)
    left, right = _Pieces(prediction.raw), _Pieces(reference.raw)
    for block in blocks(theirs.tokens, ours.tokens):
        left.tokens(ours.extents[block.new_start : block.new_end], "same" if block.change == "equal" else "added")
        right.tokens(theirs.extents[block.start : block.end], "same" if block.change == "equal" else "lost")
    return left.finished(), right.finished()


class _Tokens:
    """The tokens of a result with their extents in the raw text, in order and without overlap."""

    def __init__(self, trace: Trace, preset: Preset) -> None:
        spans = tokenizer(preset.tokenizer).spans(trace.result)
        starts, ends = attribute(trace).origins
        self.tokens = [trace.result[start:end] for start, end in spans]
        self.extents = list(_in_order([(min(starts[start:end]), max(ends[start:end])) for start, end in spans]))


def _in_order(extents: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    ordered = []
    position = 0
    for start, end in extents:
        start = max(start, position)
        position = max(start, end)
        ordered.append((start, position))
    return ordered


class _Pieces:
    """Pieces of a raw text, collected from left to right."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.position = 0
        self.found: list[Piece] = []

    def add(self, role: Role, text: str) -> None:
        if text and self.found and self.found[-1].role == role:
            text = self.found.pop().text + text
        if text:
            self.found.append(Piece(role, text))

    def skip_to(self, position: int, role: Role = "same") -> None:
        """Add what lies before the next token: spaces stay as they are, all else is ignored."""
        between = self.raw[self.position : max(position, self.position)]
        core = between.strip()
        head = between[: len(between) - len(between.lstrip())] if core else between
        inside = not core and bool(self.found) and self.found[-1].role == role
        self.add(role if inside else "same", head)
        self.add("ignored", core)
        self.add("same", between[len(head) + len(core) :])
        self.position += len(between)

    def tokens(self, extents: Sequence[tuple[int, int]], role: Role) -> None:
        """Add tokens of one role."""
        for start, end in extents:
            self.upto(start, end, role)

    def finished(self) -> tuple[Piece, ...]:
        """Give all pieces, what is left of the text among them."""
        self.skip_to(len(self.raw))
        return tuple(self.found)

    def upto(self, start: int, end: int, role: Role) -> None:
        """Add a token, and what lies before it."""
        self.skip_to(start, role)
        self.add(role, self.raw[self.position : end])
        self.position = max(self.position, end)
