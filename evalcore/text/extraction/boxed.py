r"""Extraction of LaTeX boxes: `\boxed{…}` with nested braces, `\boxed 5`, `\fbox{…}`."""

import re
from typing import Literal

from evalcore.text.extraction.rule import Choice, Extraction, Nothing, Span, trimmed
from evalcore.text.rules import Rule

_BOX = re.compile(r"\\(?:boxed|fbox|framebox)(?![A-Za-z])")
_ANY_BRACE = re.compile("[{}]")
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
    place = text.find("\\")
    while place >= 0:
        match = _BOX.match(text, place)
        place = text.find("\\", place + 1)
        if match is None:
            continue
        pairs = brace_pairs(text, match.start()) if pairs is None else pairs
        if spans and match.start() < spans[-1][1]:
            continue
        span = _content(text, match.end(), pairs)
        if span is not None:
            spans.append(span)
    return spans


def _text_of_last_box(text: str) -> str | None:
    """Give the content of the last box that stands in no other one."""
    spans = _boxes(text) if "\\" in text else []
    return text[spans[-1][0] : spans[-1][1]] if spans else None


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
    return Extraction(_boxes, choice, nothing, marker, ", ", "\\boxed{}", cut=_text_of_last_box if choice == "last" else None)


def take_last_box(bare: Literal["refuse", "to_dollar"] = "refuse", nothing: Nothing = "empty", marker: str = "[invalid]") -> Rule:
    r"""Keep the content of the last `\boxed`, as MATH does.

    Range: only the last one is looked at; with `to_dollar`, `\boxed 5` gives what stands before the next dollar sign.
    Differs: an `\fbox` is found but not opened; escaped braces count like others; text between `\boxed` and `{` leaves nothing.
    Source: hendrycks/math, last_boxed_only_string and remove_boxed; `to_dollar` is lm-evaluation-harness.

    >>> take_last_box().apply(r"\boxed{3} or \boxed{\frac12}")
    '\\frac12'
    """

    def last(text: str) -> list[Span]:
        start = text.rfind("\\boxed")
        if start >= 0 and bare == "to_dollar" and text.startswith("\\boxed ", text.rfind("\\boxed ")):
            start = text.rfind("\\boxed ") + len("\\boxed ")
            dollar = text.find("$", start)
            return [(start, len(text) if dollar < 0 else dollar)]
        if not text.startswith("\\boxed{", max(start, 0)):
            return []
        closing = _closing_unescaped(text, start)
        return [(start + len("\\boxed{"), closing)] if closing >= 0 else []

    def cut(text: str) -> str | None:
        if "\\" not in text:  # One character is looked for much faster than several.
            return None
        spans = last(text)
        return text[spans[0][0] : spans[0][1]] if spans else None

    return Extraction(last, "last", nothing, marker, " ", "\\boxed{}", cut=cut)


def _closing_unescaped(text: str, start: int) -> int:
    """Find where as many braces are closed as were opened, escaped or not; -1 where that never happens."""
    depth = 0
    for match in _ANY_BRACE.finditer(text, start):
        depth += 1 if match.group() == "{" else -1
        if depth == 0 and match.group() == "}":
            return match.start()
    return -1
