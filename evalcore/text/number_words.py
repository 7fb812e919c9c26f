"""The step that reads numbers written in words."""

import re
from decimal import Decimal
from typing import Literal

from text_to_num import find_numbers

from evalcore.text.edits import Edit
from evalcore.text.numbers import plain, value_of
from evalcore.text.rules import Rule, rewriting
from evalcore.text.steps import entries

Language = Literal["en", "fr", "es", "pt", "de", "nl", "it", "da"]

_MINUS: dict[Language, str] = {
    "en": "minus|negative",
    "fr": "moins",
    "es": "menos",
    "pt": "menos",
    "de": "minus",
    "nl": "min",
    "it": "meno",
    "da": "minus",
}
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*|\d[\d.,]*\d|\w|[^\s\w]")
_DIGITS_BEFORE = re.compile(r"(?<![\w.,])(\d[\d.,]*)\s+$")


class _Word:
    """A word of the text, in the form the number reader asks for."""

    def __init__(self, match: "re.Match[str]") -> None:
        self.start, self.end = match.span()
        self.written = match.group()

    def text(self) -> str:
        return self.written if self.written.isprintable() else "\ufffd"

    def nt_separated(self, previous: "_Word") -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return False


def read_number_words(language: Language = "en") -> Rule:
    """Write numbers given in words as digits.

    Range: `twenty-five` becomes `25`, `minus six` `-6`, `third` `3rd`, `1.5 million` `1500000`; also `one`, wherever it stands.
    Differs: a number word inside a name changes too, so both sides need the step.
    Source: the number reader of text2num for the language.

    >>> read_number_words().apply("one hundred and two cows, minus six")
    '102 cows, -6'
    """
    minus = re.compile(rf"\b(?:{_MINUS[language]})\s+$", re.IGNORECASE)

    def edits(text: str) -> tuple[Edit, ...]:
        words = [_Word(match) for match in _WORD.finditer(text)]
        made: list[Edit] = []
        for found in find_numbers(words, language, 0.0) if words else ():
            start, end, new = words[found.start].start, words[found.end - 1].end, found.text
            head = text[max(0, start - 40) : start]
            factor = _DIGITS_BEFORE.search(head)
            before = minus.search(head)
            if factor:
                if found.value < 1000:
                    continue
                start -= len(head) - factor.start()
                new = _product(factor[1], found.value, "point" if language == "en" else "comma")
            elif before and new[:1].isdigit():
                start, new = start - len(head) + before.start(), f"-{new}"
            if text[start:end] != new and (not made or start >= made[-1].end):
                made.append(Edit(start, end, new))
        return tuple(made)

    return rewriting(edits)


def _product(digits: str, value: float, marks: Literal["point", "comma"]) -> str:
    return plain(value_of(digits.rstrip(".,"), marks) * Decimal(int(value)))


ENTRIES = entries("numbers", read_number_words)
