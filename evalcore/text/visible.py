"""Name the characters one cannot see, and tell which way a text runs."""

import re
import unicodedata
from functools import lru_cache
from typing import Literal, NamedTuple

Direction = Literal["ltr", "rtl"]
Kind = Literal["space", "control", "bidi", "combining", "surrogate"]

LABELS = {
    "\t": "TAB",
    "\n": "LF",
    "\r": "CR",
    "\x00": "NUL",
    "\x0b": "VT",
    "\x0c": "FF",
    "\x1b": "ESC",
    "\x7f": "DEL",
    "\x85": "NEL",
    "\u00a0": "NBSP",
    "\u00ad": "SHY",
    "\u034f": "CGJ",
    "\u061c": "ALM",
    "\u180e": "MVS",
    "\u2002": "ENSP",
    "\u2003": "EMSP",
    "\u2007": "FIGSP",
    "\u2008": "PUNCSP",
    "\u2009": "THINSP",
    "\u200a": "HAIRSP",
    "\u200b": "ZWSP",
    "\u200c": "ZWNJ",
    "\u200d": "ZWJ",
    "\u200e": "LRM",
    "\u200f": "RLM",
    "\u2028": "LSEP",
    "\u2029": "PSEP",
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u202f": "NNBSP",
    "\u205f": "MMSP",
    "\u2060": "WJ",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
    "\u3000": "IDSP",
    "\u3164": "HF",
    "\ufeff": "BOM",
}
BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
STEERING = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f" + "".join(BIDI) + "]")
BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")  # Letters and symbols that draw nothing.


class Visible(NamedTuple):
    """How to show a character that shows nothing by itself.

    `label` is a short name (`NBSP`), `name` code point and Unicode name.
    """

    label: str
    name: str
    kind: Kind


@lru_cache(maxsize=8192)
def visible(character: str) -> Visible | None:
    """Name a character that cannot be seen; None for all others and the plain space.

    >>> visible("\\u200b")
    Visible(label='ZWSP', name='U+200B ZERO WIDTH SPACE', kind='control')
    >>> visible("a"), visible(" ")
    (None, None)
    """
    if " " <= character <= "~":
        return None
    category = unicodedata.category(character)
    if category in ("Mn", "Me"):
        return Visible(LABELS.get(character, f"◌{character}"), describe(character), "combining")
    if category == "Cs":
        return Visible(code_point(character), describe(character), "surrogate")
    if character in BIDI:
        return Visible(LABELS[character], describe(character), "bidi")
    if category in ("Cc", "Cf") or character in BLANK_LETTERS:
        return Visible(LABELS.get(character, code_point(character)), describe(character), "control")
    if category in ("Zs", "Zl", "Zp"):
        return Visible(LABELS.get(character, code_point(character)), describe(character), "space")
    return None


def inert(text: str) -> str:
    """Spell the characters that would steer a terminal: controls, but for tab and line feed, and marks of direction.

    They are spelled as JSON does, so a JSON document stays one.

    >>> print(inert("a\\x1b[31m\\u202eb"))
    a\\u001b[31m\\u202eb
    """
    return STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def code_point(character: str) -> str:
    """Write a character as U+XXXX."""
    return f"U+{ord(character):04X}"


def describe(character: str) -> str:
    """Give code point and name of any character.

    >>> describe("ß")
    'U+00DF LATIN SMALL LETTER SHARP S'
    """
    fallback = {"Cc": f"control {LABELS.get(character, '')}".strip(), "Cs": "lone surrogate", "Co": "private use"}
    return f"{code_point(character)} {unicodedata.name(character, fallback.get(unicodedata.category(character), 'unassigned'))}"


def direction(text: str) -> Direction:
    """Tell which way most letters of a text run.

    The first strong letter decides nothing: "Answer:" before an Arabic
    answer leaves it right to left.
    Empty: left to right, as for a tie and for texts without letters.

    >>> direction("Answer: \\u0646\\u062c\\u064a\\u0628 \\u0645\\u062d\\u0641\\u0648\\u0638")
    'rtl'
    """
    if text.isascii():
        return "ltr"
    balance = 0
    for character in text:
        strong = unicodedata.bidirectional(character)
        balance += 1 if strong in ("R", "AL") else -1 if strong == "L" else 0
    return "rtl" if balance > 0 else "ltr"
