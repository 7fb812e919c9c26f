"""Steps that choose one of several Unicode spellings of a text."""

import sys
import unicodedata
from functools import lru_cache
from typing import Literal

from evalcore.text.rules import CharacterTable, Rule, Segments
from evalcore.text.steps import entries

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


@lru_cache(maxsize=1)
def _composing_backward() -> frozenset[str]:
    """Collect the characters that may melt into the one before them."""
    seconds = {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    for code in range(sys.maxunicode + 1):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            seconds.add(chr(int(parts[1], 16)))
    return frozenset(seconds)


@lru_cache(maxsize=65536)
def _looks_back(character: str, form: Form) -> bool:
    first = unicodedata.normalize("NFKD" if "K" in form else "NFD", character)[0]
    return unicodedata.combining(first) != 0 or first in _composing_backward()


def normalize_unicode(form: Form = "NFC") -> Rule:
    """Bring characters that look alike to one spelling.

    Source: Unicode Standard Annex 15, through unicodedata of the running Python.
    Differs: NFKC and NFKD also fold full-width letters, ligatures and superscripts, so `x²` becomes `x2`.

    >>> normalize_unicode("NFKC").apply("ＡＢＣ１２３")
    'ABC123'
    """
    return Segments(lambda text: unicodedata.normalize(form, text), lambda character: _looks_back(character, form))


def _without_marks(text: str) -> str:
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(character for character in decomposed if unicodedata.category(character) != "Mn"))


@lru_cache(maxsize=65536)
def _is_mark_or_looks_back(character: str) -> bool:
    return unicodedata.category(character) == "Mn" or _looks_back(character, "NFC")


def strip_accents() -> Rule:
    """Remove accents and other combining marks.

    Source: decompose, delete Unicode category Mn, compose again.
    Differs: also deletes vowel signs of Arabic, Hebrew, Hindi and Thai, which can merge different words.

    >>> strip_accents().apply("Café Zürich")
    'Cafe Zurich'
    """
    return Segments(_without_marks, _is_mark_or_looks_back)


INVISIBLE = (
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)  # First and last of every run of characters that are drawn as nothing.


@lru_cache(maxsize=1)
def _deleted() -> dict[int, None]:
    return {code: None for first, last in INVISIBLE for code in range(first, last + 1)}


def drop_invisible() -> Rule:
    """Delete characters that are not drawn, such as zero-width spaces.

    Source: Unicode's Default_Ignorable_Code_Point: soft hyphens, zero-width and direction marks, joiners, variation selectors, tags.
    Differs: joiners part letters in Persian and Indic scripts, and bind emoji together; without them these look otherwise.

    >>> drop_invisible().apply("Par\u200bis\ufeff")
    'Paris'
    """
    table = _deleted()
    return CharacterTable(lambda text: text.translate(table))


ENTRIES = entries("unicode", normalize_unicode, strip_accents, drop_invisible)
