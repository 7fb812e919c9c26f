r"""Extraction of LaTeX boxes: `\boxed{…}` with nested braces, `\boxed 5`, `\fbox{…}`."""

import re

from evalcore.text.extraction.rule import Choice, Extraction, Nothing, Span, trimmed
from evalcore.text.rules import Rule

_BOX = re.compile(r"\\(?:boxed|fbox|framebox)(?![A-Za-z])")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_BARE = re.compile(r"[ \t]+(\\?[^\s${}\\]+)")


def brace_pairs(text: str, start: int = 0) -> dict[int, int]:
    r"""Give the place of the closing brace for every opening one that has one.

    Range: braces escaped as `\{` do not count, nor those before `start`.

    >>> brace_pairs(r"{a{b}\}}{")
    {2: 4, 0: 7}
    """
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACE.finditer(text, start):
        if match.group() == "{":
            opened.append(match.start())
        elif match.group() == "}" and opened:
            pairs[opened.pop()] = match.start()
    return pairs


def _boxes(text: str) -> list[Span]:
    spans: list[Span] = []
    pairs: dict[int, int] | None = None
    for match in _BOX.finditer(text):
        pairs = brace_pairs(text, match.start()) if pairs is None else pairs
        if spans and match.start() < spans[-1][1]:
            continue
        span = _content(text, match.end(), pairs)
        if span is not None:
            spans.append(span)
    return spans


def _content(text: str, position: int, pairs: dict[int, int]) -> Span | None:
    opening = position
    while opening < len(text) and text[opening] in " \t":
        opening += 1
    if text.startswith("{", opening):
        return trimmed(text, opening + 1, pairs[opening]) if opening in pairs else None
    bare = _BARE.match(text, position)
    if bare is None:
        return None
    start, end = bare.span(1)
    while end > start + 1 and text[end - 1] in ".,;:":
        end -= 1
    return start, end


def take_boxed(choice: Choice = "last", nothing: Nothing = "empty", marker: str = "[invalid]") -> Rule:
    r"""Keep what stands in a LaTeX box.

    Range: nested braces are followed; `\boxed 5` takes the word behind; a box inside another one is no candidate of its own.
    Differs: a box that is never closed is none.
    Source: the answer form of the MATH data set.

    >>> take_boxed().apply(r"So $x = \boxed{\frac{1}{2}}$.")
    '\\frac{1}{2}'
    """
    return Extraction(_boxes, choice, nothing, marker, ", ", "\\boxed{}")
