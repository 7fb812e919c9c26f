"""Extraction by place: a line, a sentence, what stands between the outer marks."""

import re
from collections.abc import Iterator

from evalcore.text.extraction.rule import Choice, Extraction, Nothing, Span, trimmed
from evalcore.text.rules import Rule

_BREAKS = "\n\r\u2028\u2029\x85"
_FROM_TEXT = re.compile(r"\S[^\n\r\u2028\u2029\x85]*")
_LINE = re.compile(r"[^\n\r\u2028\u2029\x85]+")
_FULL_STOPS = ".!?"
_WIDE_STOPS = "。！？"
_CLOSING = "\"'”’」』）)]*_"
_SENTENCE_END = re.compile(
    rf"[{_FULL_STOPS}{_WIDE_STOPS}{_BREAKS}]"
    rf"(?:(?<=[{_WIDE_STOPS}])[{_WIDE_STOPS}]*[{re.escape(_CLOSING)}]*"
    rf"|(?<=[{_FULL_STOPS}])[{_FULL_STOPS}]*[{re.escape(_CLOSING)}]*(?=\s|$)"
    rf"|(?<=[{_BREAKS}])[{_BREAKS}]*)"
)
_ABBREVIATION = re.compile(r"(?:\b(?:\w\.)+\w|\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|vs|approx|ca|cf|Fig|Jr|Sr|Inc|Ltd|e\.g|i\.e))$")


def _lines(text: str) -> list[Span]:
    spans = (trimmed(text, *match.span()) for match in _LINE.finditer(text))
    return [span for span in spans if span[0] < span[1]]


def _first_line(text: str) -> Span | None:
    match = _FROM_TEXT.search(text)
    return None if match is None else (match.start(), match.start() + len(match.group().rstrip()))


def _first_line_text(text: str) -> str | None:
    end = text.find("\n")
    line = text[:end].strip() if end >= 0 else text.strip()
    if line and "\r" not in line and (line.isascii() or line.isprintable()):  # No line break beyond ASCII is printable.
        return line
    span = _first_line(text)
    return None if span is None else text[span[0] : span[1]]


def _last_line(text: str) -> Span | None:
    end = len(text.rstrip())
    if end == 0:
        return None
    start = max(text.rfind(mark, 0, end) for mark in _BREAKS) + 1
    return trimmed(text, start, end)


def take_line(choice: Choice = "first", nothing: Nothing = "empty", marker: str = "[invalid]") -> Rule:
    r"""Keep the first or the last line that is not blank.

    Source: what harnesses do with the stop string `\n`.
    Differs: blank lines do not count; outer whitespace of the line goes too.

    >>> take_line("last").apply("Let me see.\n\nParis\n")
    'Paris'
    """
    one = {"first": _first_line, "last": _last_line, "all": None}[choice]
    return Extraction(_lines, choice, nothing, marker, "\n", "line", one=one, cut=_first_line_text if choice == "first" else None)


def _sentences(text: str, start: int = 0) -> Iterator[Span]:
    for match in _SENTENCE_END.finditer(text, start):
        if text[match.start()] == "." and match.end() < len(text) and _is_abbreviation(text, match):
            continue
        span = trimmed(text, start, match.end())
        if span[0] < span[1]:
            yield span
        start = match.end()
    span = trimmed(text, start, len(text))
    if span[0] < span[1]:
        yield span


def _first_sentence(text: str) -> Span | None:
    return next(_sentences(text), None)


def _first_sentence_text(text: str) -> str | None:
    match = _SENTENCE_END.search(text)
    if match is not None and (text[match.start()] != "." or match.end() == len(text) or not _is_abbreviation(text, match)):
        sentence = text[: match.end()].strip()
        if sentence:
            return sentence
    span = _first_sentence(text)
    return None if span is None else text[span[0] : span[1]]


def _last_sentence(text: str) -> Span | None:
    line = _last_line(text)
    return None if line is None else list(_sentences(text, line[0]))[-1]


def _is_abbreviation(text: str, stop: "re.Match[str]") -> bool:
    """Tell whether a full stop inside the text belongs to a word such as `U.S.` or to a list number."""
    head = text[max(0, stop.start() - 12) : stop.start()]
    listed = re.search(r"(?:^|[\n\r])\s*\d{1,2}$", head) is not None
    return listed or len(head.strip()) == 1 or _ABBREVIATION.search(head) is not None or re.search(r"\b[A-Z]$", head) is not None


def take_sentence(choice: Choice = "first", nothing: Nothing = "empty", marker: str = "[invalid]") -> Rule:
    """Keep the first or the last sentence.

    Range: a sentence ends at `.`, `!` or `?` before whitespace, at `。！？`, or with its line.
    Differs: the stop of `U.S.`, `Dr.`, a single capital or a list number ends none; the closing stop is kept.
    Source: the first-sentence cut of short-answer evaluations.

    >>> take_sentence().apply("It is the U.S. dollar. It costs 3.5 euro.")
    'It is the U.S. dollar.'
    """
    one = {"first": _first_sentence, "last": _last_sentence, "all": None}[choice]
    return Extraction(
        lambda text: list(_sentences(text)), choice, nothing, marker, " ", "sentence", one=one, cut=_first_sentence_text if choice == "first" else None
    )


def require_text(nothing: Nothing = "unscored", marker: str = "[empty]") -> Rule:
    """Say what stands for an empty text, or leave it unscored.

    Source: scorers that stop at an empty expected value.

    >>> require_text().apply(" ")
    ' '
    """
    return Extraction(lambda text: [(0, len(text))] if text else [], "first", nothing, marker, what="text", cut=lambda text: text or None)


def strip_quotes() -> Rule:
    """Take the quotation marks off that enclose the whole answer.

    Range: `"…"`, `'…'`, `“…”`, `‘…’`, `«…»`, `「…」`, `『…』`, `《…》` and backticks, one pair after the other.
    Source: answers that are returned as they would stand in code or prose.
    Differs: marks inside stay, so `"A" or "B"` is unchanged.

    >>> strip_quotes().apply('“Hamlet”'), strip_quotes().apply('"A" or "B"')
    ('Hamlet', '"A" or "B"')
    """
    return Extraction(_unquoted, nothing="keep", cut=_text_unquoted)


_PAIRS = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "„": "“", "«": "»", "「": "」", "『": "』", "《": "》"}


_MAY_OPEN = frozenset((*_PAIRS, *filter(str.isspace, map(chr, range(0x3001)))))


def _text_unquoted(text: str) -> str | None:
    if text[:1] not in _MAY_OPEN:
        return None
    span = next(iter(_unquoted(text)), None)
    return None if span is None else text[span[0] : span[1]]


def _unquoted(text: str) -> list[Span]:
    if text[:1] not in _MAY_OPEN:
        return []
    start, end = trimmed(text, 0, len(text))
    whole = True
    while end - start >= 2 and (closing := _PAIRS.get(text[start])) is not None and text[end - 1] == closing:
        inner = text[start + 1 : end - 1]
        if closing in inner or text[start] in inner:
            break
        start, end = trimmed(text, start + 1, end - 1)
        whole = False
    return [] if whole else [(start, end)]


def drop_final_stop() -> Rule:
    """Drop the full stop at the very end of the answer.

    Source: answers written as a sentence.
    Differs: `U.S.A.` and an ellipsis keep their stops, `3.` does not.

    >>> drop_final_stop().apply("Paris."), drop_final_stop().apply("the U.S.A.")
    ('Paris', 'the U.S.A.')
    """
    return Extraction(_without_final_stop, nothing="keep")


def _without_final_stop(text: str) -> list[Span]:
    end = len(text.rstrip())
    if end == 0 or text[end - 1] not in ".。．" or text[:end].endswith("..") or re.search(r"(?:\b[^\W\d_]\.){2,}$", text[max(0, end - 40) : end]):
        return []
    return [(0, len(text[: end - 1].rstrip()))]
