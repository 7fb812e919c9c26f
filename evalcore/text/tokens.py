"""Tokenizers: what token F1 counts."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import regex

from evalcore.text.languages import CJK_FIRST, CJK_LAST
from evalcore.text.names import UnknownName
from evalcore.text.resources import english_words, jieba_cut

Span = tuple[int, int]
REMEMBERED = 65536  # Runs of letters whose words are kept: names and years return.
BETWEEN, JOINS, ALONE = range(3)  # Roles of a character.


@dataclass(frozen=True)
class Tokenizer:
    """A named way to cut a text into tokens.

    `spans` gives half-open offsets in code points, in order. `written`
    gives the tokens where they are not the slices at these offsets (lower
    case, other quotation marks). `needs` names a resource, `slow_because`
    says why no compiled kernel serves it. `role` tells compiled kernels
    what a character is: between tokens, joined to its neighbours of this
    role, or a token alone; without it every distinct text is cut in Python.
    """

    name: str
    summary: str
    spans: Callable[[str], list[Span]]
    written: Callable[[str], list[str]] | None = None
    needs: str = ""
    slow_because: str = ""
    role: Callable[[str], int] | None = None

    def tokens(self, text: str) -> list[str]:
        """Cut the text; an empty text has no tokens."""
        if self.written is not None:
            return self.written(text)
        return [text[start:end] for start, end in self.spans(text)]


_NON_SPACE = re.compile(r"\S+")


def _whitespace(text: str) -> list[Span]:
    return [match.span() for match in _NON_SPACE.finditer(text)]


def _characters(text: str) -> list[Span]:
    return [(index, index + 1) for index, character in enumerate(text) if not character.isspace()]


def _joins_words(character: str) -> int:
    return BETWEEN if character.isspace() else JOINS


def _stands_alone(character: str) -> int:
    return BETWEEN if character.isspace() else ALONE


def _always_alone(character: str) -> int:
    return ALONE


def _every_character(text: str) -> list[Span]:
    return [(index, index + 1) for index in range(len(text))]


def _jieba_words(text: str) -> list[Span]:
    spans = []
    start = 0
    for word in jieba_cut()(text):
        spans.append((start, start + len(word)))
        start += len(word)
    return spans


_CJK_OR_OTHERS = re.compile(rf"[{CJK_FIRST}-{CJK_LAST}]|[^{CJK_FIRST}-{CJK_LAST}]+")


@lru_cache(maxsize=REMEMBERED)
def _english(run: str) -> tuple[str, ...]:
    return tuple(english_words()(run))


def _cmrc_segments(text: str) -> list[str]:
    segments: list[str] = []
    for match in _CJK_OR_OTHERS.finditer(text):
        part = match.group()
        segments.extend((part,) if CJK_FIRST <= part[0] <= CJK_LAST else _english(part))
    return segments


def _spans_of_segments(text: str) -> list[Span]:
    """Find every segment in the text; NLTK writes a quotation mark as two."""
    spans = []
    position = 0
    for segment in _cmrc_segments(text):
        start = text.find(segment, position)
        length = len(segment)
        if segment in ("``", "''") and (start < 0 or 0 <= text.find('"', position) < start):
            start, length = text.find('"', position), 1
        start = position if start < 0 else start
        position = start + length
        spans.append((start, position))
    return spans


_LETTER_RUN_OR_OTHER = regex.compile(r"[\p{L}\p{N}\p{M}]+|[^\p{Z}\p{C}]")


def _letter_runs(text: str) -> list[Span]:
    return [match.span() for match in _LETTER_RUN_OR_OTHER.finditer(text)]


def _letter_runs_in_lower_case(text: str) -> list[str]:
    return [match.group().lower() for match in _LETTER_RUN_OR_OTHER.finditer(text)]


_BETWEEN_ITEMS = re.compile(r"\s*(?:[,;，、；\n]\s*(?:(?:and|or)\s+)?|\s(?:and|or)\s)\s*")


def _list_items(text: str) -> list[Span]:
    places = [0, *(place for match in _BETWEEN_ITEMS.finditer(text) for place in match.span()), len(text)]
    spans = (trimmed(text, start, end) for start, end in zip(places[::2], places[1::2], strict=True))
    return [span for span in spans if span[0] < span[1]]


def trimmed(text: str, start: int, end: int) -> Span:
    """Move both ends of a span past whitespace.

    >>> trimmed("a  b ", 1, 5)
    (3, 4)
    """
    inner = text[start:end]
    start = end - len(inner.lstrip())
    return start, start + len(inner.strip())


TOKENIZERS: Mapping[str, Tokenizer] = MappingProxyType(
    {
        tokenizer.name: tokenizer
        for tokenizer in (
            Tokenizer("whitespace", "Words between whitespace, as str.split() gives them.", _whitespace, role=_joins_words),
            Tokenizer("characters", "Every character that is no whitespace.", _characters, role=_stands_alone),
            Tokenizer("characters_and_spaces", "Every character, whitespace included.", _every_character, role=_always_alone),
            Tokenizer(
                "cmrc_segments",
                "Every Chinese character, and the words NLTK finds between them.",
                _spans_of_segments,
                _cmrc_segments,
                needs="punkt",
                slow_because="NLTK's word and sentence tokenizers cut every run that is not Chinese",
            ),
            Tokenizer(
                "jieba_words",
                "Chinese words as jieba's dictionary cuts them.",
                _jieba_words,
                needs="jieba",
                slow_because="jieba cuts every text into words",
            ),
            Tokenizer(
                "list_items",
                "Items of a list: what stands between commas, semicolons, line breaks, `and` and `or`.",
                _list_items,
                slow_because="a pattern cuts every text",
            ),
            Tokenizer(
                "letter_runs",
                "Runs of letters, digits and marks, and every other character alone, in lower case.",
                _letter_runs,
                _letter_runs_in_lower_case,
                slow_because="a regular expression over Unicode categories cuts every text",
            ),
        )
    }
)


def tokenizer(name: str) -> Tokenizer:
    """Find a tokenizer by name.

    Raises: UnknownName listing near names.

    >>> tokenizer("characters").tokens("北京 市")
    ['北', '京', '市']
    """
    if name not in TOKENIZERS:
        raise UnknownName("tokenizer", name, TOKENIZERS)
    return TOKENIZERS[name]
