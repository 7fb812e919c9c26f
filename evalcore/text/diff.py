"""Diffs: where two texts differ, by word or by character."""

from collections.abc import Hashable, Sequence
from typing import Literal, NamedTuple

import regex
from rapidfuzz.distance import Indel

Unit = Literal["word", "character"]
Change = Literal["equal", "insert", "delete", "replace"]
MAX_CELLS = 60_000_000  # Units times units that are compared: bounds the matrix behind the diff to some 8 MB.
LIKE = 0.5  # Words with a smaller share of common characters differ as a whole.

_UNITS = regex.compile(
    r"\s+|[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]\p{M}*|[\w\p{M}]+?(?=[\p{Han}\p{Hiragana}\p{Katakana}])|[\w\p{M}]+|.",
    regex.DOTALL,
)


class Span(NamedTuple):
    """One stretch of a diff.

    `before` and `after` are the stretch in either text; both are the same
    for `equal`, one is "" for `insert` and `delete`.
    """

    change: Change
    before: str
    after: str


class Block(NamedTuple):
    """One stretch of a diff of two sequences, as half-open indexes."""

    change: Change
    start: int
    end: int
    new_start: int
    new_end: int


def words(text: str) -> list[str]:
    """Cut a text into words, marks, runs of whitespace, and single characters where a script has no spaces.

    Range: joined, the parts are the text again.

    >>> words("The cat: 2008年8月")
    ['The', ' ', 'cat', ':', ' ', '2008', '年', '8', '月']
    """
    return [match[0] for match in _UNITS.finditer(text)]


def blocks(before: Sequence[Hashable], after: Sequence[Hashable]) -> list[Block]:
    """Compare two sequences by their longest common subsequence.

    Range: sequences whose sizes multiply to more than MAX_CELLS, once
        their common ends are cut off, differ as a whole between those ends.
    """
    head = 0
    shortest = min(len(before), len(after))
    while head < shortest and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shortest - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    found = [Block("equal", 0, head, 0, head)] if head else []
    if len(old) * len(new) > MAX_CELLS or not (old and new):
        inner = [(0, len(old), 0, len(new), False)]
    else:
        inner = [(op.src_start, op.src_end, op.dest_start, op.dest_end, op.tag == "equal") for op in Indel.opcodes(old, new)]
    for start, end, new_start, new_end, equal in inner:
        _add(found, start + head, end + head, new_start + head, new_end + head, equal)
    _add(found, len(before) - tail, len(before), len(after) - tail, len(after), True)
    return found


def _add(found: list[Block], start: int, end: int, new_start: int, new_end: int, equal: bool) -> None:
    """Append a stretch, melting it into the last one when both are equal or both are not."""
    if start == end and new_start == new_end:
        return
    if found and (found[-1].change == "equal") == equal:
        last = found.pop()
        start, new_start = last.start, last.new_start
    change: Change = "equal" if equal else "insert" if start == end else "delete" if new_start == new_end else "replace"
    found.append(Block(change, start, end, new_start, new_end))


def diff(before: str, after: str, unit: Unit = "word") -> tuple[Span, ...]:
    """Compare two texts.

    By character, words are compared first and characters only within
    words that have enough in common (LIKE), so that unrelated words do not
    share stray letters. A lone space between two changes belongs to them.
    Range: the `before` of all spans, joined, is the first text, the
        `after` the second. Very long texts are compared more coarsely,
        see `blocks`.
    Empty: no span for two empty texts.

    >>> diff("the red cat", "red cats", "character")
    (Span(change='delete', before='the ', after=''), Span(change='equal', before='red cat', after='red cat'), Span(change='insert', before='', after='s'))
    """
    if before == after:
        return (Span("equal", before, after),) if before else ()
    old, new = words(before), words(after)
    spans: list[Span] = []
    for block in blocks(old, new):
        _append(spans, Span(block.change, "".join(old[block.start : block.end]), "".join(new[block.new_start : block.new_end])))
    if unit == "word":
        return tuple(spans)
    fine: list[Span] = []
    for span in spans:
        for part in _by_character(span) if span.change == "replace" else (span,):
            if fine and part.change == "equal" == fine[-1].change:
                part = Span("equal", *(fine.pop().before + part.before,) * 2)
            fine.append(part)
    return tuple(fine)


def _append(spans: list[Span], span: Span) -> None:
    """Append, melting a lone space between two changes into one change."""
    if span.change != "equal" and len(spans) > 1 and spans[-1].before.isspace() and spans[-1].change == "equal":
        gap, last = spans.pop(), spans.pop()
        span = _changed(last.before + gap.before + span.before, last.after + gap.after + span.after)
    spans.append(span)


def _changed(before: str, after: str) -> Span:
    return Span("insert" if not before else "delete" if not after else "replace", before, after)


def _by_character(span: Span) -> list[Span]:
    found = blocks(span.before, span.after)
    common = sum(block.end - block.start for block in found if block.change == "equal")
    if 2 * common < LIKE * (len(span.before) + len(span.after)):
        return [span]
    return [Span(block.change, span.before[block.start : block.end], span.after[block.new_start : block.new_end]) for block in found]
