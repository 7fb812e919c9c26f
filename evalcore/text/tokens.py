"""Tokenizers: what token F1 counts."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from evalcore.text.names import UnknownName

Span = tuple[int, int]


@dataclass(frozen=True)
class Tokenizer:
    """A named way to cut a normalized text into tokens.

    `spans` gives half-open offsets in code points, in order.
    """

    name: str
    summary: str
    spans: Callable[[str], list[Span]]

    def tokens(self, text: str) -> list[str]:
        """Cut the text; an empty text has no tokens."""
        return [text[start:end] for start, end in self.spans(text)]


_NON_SPACE = re.compile(r"\S+")


def _whitespace(text: str) -> list[Span]:
    return [match.span() for match in _NON_SPACE.finditer(text)]


def _characters(text: str) -> list[Span]:
    return [(index, index + 1) for index, character in enumerate(text) if not character.isspace()]


TOKENIZERS: Mapping[str, Tokenizer] = MappingProxyType(
    {
        tokenizer.name: tokenizer
        for tokenizer in (
            Tokenizer("whitespace", "Words between whitespace, as str.split() gives them.", _whitespace),
            Tokenizer("characters", "Every character that is no whitespace.", _characters),
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
