"""An answer as the reasons see it: folded, cut into words, with its numbers and dates."""

import re
import unicodedata
from functools import lru_cache

from evalcore.analysis.reasons.lazy import lazy
from evalcore.analysis.reasons.lexicon import ARTICLES, HEDGES, LIGHT_WORDS, SAME_UNITS
from evalcore.analysis.reasons.periods import spans
from evalcore.analysis.reasons.quantities import Date, dates_in, numbers_in, ranges_in, with_digits
from evalcore.text.numbers import numbers_in as signed_numbers_in
from evalcore.text.numbers import value_of

_CJK = "぀-ヿ㐀-鿿豈-﫿"
_LETTER = rf"[^\W\d_{_CJK}]"
_NUMBER = r"\d+(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+\.\d+(?!\.?\d)|\d+(?:st|nd|rd|th)\b|\d+"
_CODE = rf"(?<![^\W_])(?!c\d{{4}}\b){_LETTER}\d[^\W_{_CJK}]*(?:\.\d+)*"  # B12, v1.2; c1920 is about 1920, and digits behind more letters may be footnotes.
_WORDS = re.compile(rf"{_NUMBER}|[{_CJK}]|{_CODE}|{_LETTER}+")
_PARTS = re.compile(rf"{_NUMBER}|{_LETTER}+")
_SPACE = re.compile(r"\s")
_MOJIBAKE = re.compile("[ÂÃâÅ][\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]")
_ACUTE_TO_DIAERESIS = re.compile("[\u0300-\u036f]")
_FOLDED_MARKS = str.maketrans({**dict.fromkeys("‐‑‒–—−﹣－", "-"), **dict.fromkeys("‘’‚‛`´ʼ", "'"), **dict.fromkeys("“”„«»", '"')})
_INITIALS = re.compile(r"\b((?:[^\W\d_]\.){2,}|(?:[^\W\d_]\.)+[^\W\d_](?![\w']))")
_POSSESSIVE = re.compile(r"(?<=\w)'s?\b")
_ALTERNATIVES = re.compile(r"\bor\b|/|;|\boder\b|\bou\b|或者?|\n")
_HEAD = re.compile(r"[,;:(\[]| - | – |\. ")
_LIST = re.compile(r", and |, |;| and | & |、|和")
_BRACKETS = re.compile(r"\s*[(\[（][^()\[\]（）]*[)\]）]")
LONG_ANSWER = 4  # From so many content words on, what follows a comma explains the answer.
LISTED_WORDS = 4  # Parts of a list are names; longer ones are clauses.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def repaired(text: str) -> str:
    """Undo UTF-8 that was read as Windows-1252, where that gives valid text.

    >>> repaired("10â€“12 years")
    '10–12 years'
    """
    if text.isascii() or not _MOJIBAKE.search(text):
        return text
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return _MOJIBAKE_RUN.sub(lambda match: _decoded(match[0]), text)


_MOJIBAKE_RUN = re.compile("[ÂÃâÅ][\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]{1,2}")


def _decoded(run: str) -> str:
    raw = b"".join(character.encode("latin-1") if ord(character) < 256 else character.encode("cp1252", "ignore") for character in run)
    return raw.decode("utf-8", "ignore") or run


def fold(text: str) -> str:
    """Fold case, width, Latin accents, dashes, quotes and invisible characters.

    >>> fold("Ｃafé\\u200b – “X”")
    'cafe - "x"'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", repaired(text)))
        text = _ACUTE_TO_DIAERESIS.sub("", unicodedata.normalize("NFD", text)).translate(_FOLDED_MARKS)
        text = unicodedata.normalize("NFC", text)
    return text.casefold()


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Cut a word to the part inflection leaves alone, roughly.

    >>> [stem(word) for word in ("lacteals", "countries", "environmental", "based", "bus")]
    ['lacteal', 'countri', 'environment', 'bas', 'bus']
    """
    for ending, shortest in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= shortest:
            return word[: len(word) - len(ending)] + ("i" if ending in {"ies", "y"} else "")
    return word


_ENDINGS = (("ational", 5), ("ation", 5), ("ing", 4), ("ies", 3), ("al", 6), ("es", 5), ("ed", 3), ("ly", 5), ("y", 4), ("s", 3), ("e", 4))


class Answer:
    """One text, looked at from every side; everything is worked out when first asked for."""

    def __init__(self, raw: str) -> None:
        self.raw = raw

    @lazy
    def folded(self) -> str:
        return fold(self.raw)

    @lazy
    def words(self) -> list[str]:
        """Words in order: numbers keep their point, digits a single letter before them, letters with full stops melt, CJK goes by character."""
        text = self.folded
        if "." in text:
            text = _INITIALS.sub(lambda match: match[1].replace(".", "") + " ", text)
        if "'" in text:
            text = _POSSESSIVE.sub("", text)
        return _WORDS.findall(text)

    @lazy
    def line(self) -> str:
        """Words without articles between single spaces, with one at both ends."""
        return f" {' '.join([word for word in self.words if word not in ARTICLES] or self.words)} "

    @lazy
    def joined(self) -> str:
        return self.line.replace(" ", "")

    @lazy
    def letters(self) -> str:
        """Letters and digits of the line alone."""
        return "".join(filter(str.isalnum, self.line))

    @lazy
    def content(self) -> list[str]:
        """Words without grammar and hedges; all words when nothing else is there."""
        return [word for word in self.words if word not in LIGHT_WORDS and word not in HEDGES] or self.words

    @lazy
    def content_line(self) -> str:
        """Content words between single spaces, with one at both ends."""
        return f" {' '.join(self.content)} "

    @lazy
    def stems(self) -> list[str]:
        return [stem(word) for word in self.content]

    @lazy
    def numbers(self) -> list[float]:
        """All numbers in order, those of codes such as B12 too."""
        if self.has_digit:
            return numbers_in([part for word in self.words for part in (_PARTS.findall(word) if len(word) > 1 and word[0].isalpha() else (word,))])
        return numbers_in(_WORDS.findall(with_digits(self.folded)) if self.is_cjk else self.words)

    @lazy
    def units(self) -> frozenset[int]:
        """The units named, as places in SAME_UNITS; a name of two units gives both."""
        named = {*self.content, *filter(self.raw.__contains__, "%$€£")}
        if self.is_cjk:
            named.add("".join(word for word in self.content if not word[0].isdigit()))
        return frozenset(place for place, names in enumerate(SAME_UNITS) if not named.isdisjoint(names))

    @lazy
    def signed(self) -> frozenset[tuple[float, bool]]:
        """Numbers without their sign, each with whether a minus stands right before it: a dash and a space are a bullet, or a pause."""
        return frozenset(
            (float(abs(value_of(self.raw[slice(*number.digits)]))), number.negative and not _SPACE.search(self.raw, number.start, number.digits[0]))
            for number in signed_numbers_in(self.raw)
        )

    @lazy
    def dates(self) -> list[Date]:
        return dates_in(with_digits(self.folded) if self.is_cjk else self.folded, self.words)

    @lazy
    def ranges(self) -> list[tuple[float, float]]:
        return ranges_in(self.folded) if self.has_digit else []

    @lazy
    def spans(self) -> list[tuple[int, int]]:
        """Decades and centuries, as first and last year."""
        return spans(self.folded) if ("s" in self.folded and self.has_digit) or "century" in self.folded or "世" in self.folded else []

    @lazy
    def has_digit(self) -> bool:
        return any(character.isdigit() for character in self.raw)

    @lazy
    def is_cjk(self) -> bool:
        return not self.raw.isascii() and bool(re.search("[぀-ヿ㐀-鿿]", self.raw))

    @lazy
    def bare(self) -> "Answer | None":
        """The answer without what stands in brackets; None when it has none, or nothing else."""
        if not any(mark in self.raw for mark in "([（"):
            return None
        bare = Answer(_BRACKETS.sub("", self.raw))
        return bare if any(word not in LIGHT_WORDS for word in bare.words) else None

    @lazy
    def is_list(self) -> bool:
        """Whether the answer lists several short parts."""
        parts = _LIST.split(self.folded)
        return len(parts) > 2 and max(len(part.split()) for part in parts) <= LISTED_WORDS

    @lazy
    def head(self) -> "Answer | None":
        """What stands before the first comma, bracket, dash or colon of a long answer; None for a short one."""
        if len(self.content) < LONG_ANSWER or self.is_list:
            return None
        head = Answer(_HEAD.split(self.raw.strip(), maxsplit=1)[0])
        telling = any(word not in LIGHT_WORDS and not word.isdigit() for word in head.words)
        return head if telling and len(head.words) < len(self.words) else None

    @lazy
    def alternatives(self) -> "list[Answer]":
        """The parts between "or", slashes, semicolons and line breaks; nothing when there is one part."""
        parts = _ALTERNATIVES.split(self.folded)
        return [Answer(part) for part in parts] if len(parts) > 1 else []
