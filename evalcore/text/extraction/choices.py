"""Extraction of a choice: the letter of an option, or one of a list of labels."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from evalcore.text.extraction.markers import matches_at, names_any
from evalcore.text.extraction.rule import Choice, Extraction, Nothing, Span
from evalcore.text.rules import Rule

_NOUNS = ("answer", "choice", "option", "antwort", "réponse", "respuesta", "resposta", "risposta", "答案", "选项", "選項")
_STATED = f"(?:{'|'.join(_NOUNS)})"
_IS = r"(?:\b(?:is|should\s+be|must\s+be|would\s+be|ist|est|es|é|è)\b|是|为|為|应为|應為|应该是|選|选)"
_FILLER = r"(?:definitely|clearly|therefore|thus|simply|option|choice)\b"
_MARKS = r"[\s*_:：\"'“”]*+"  # Possessive: a long row of stars or lines is walked once.
_LINK = rf"{_MARKS}(?:{_IS}{_MARKS})?(?:{_FILLER}[\s*_:：]*+)*+"
_OPEN = r"(?:\\boxed\{|\\text\{|\\mathrm\{|\\\(|[$*_(\[（【「“\"'])*+"
_CHOSEN = r"(?:故选|故選|因此选|因此選|所以选|所以選|应选|應選|选择|選擇|选|選)"


_KEYS = (("选", "選"), ("boxed",))  # What must stand in a text for the other stated forms.


class _Forms(NamedTuple):
    """The patterns of one set of letters, the surest first."""

    stated: tuple["re.Pattern[str]", ...]
    alone: "re.Pattern[str]"
    leading: "re.Pattern[str]"
    standing: "re.Pattern[str]"


@lru_cache(maxsize=128)
def _forms(letters: str) -> _Forms:
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in letters if letter.isascii())
    either = f"[{re.escape(letters)}{re.escape(letters.lower())}{wide}]"
    upper = f"[{re.escape(letters)}{wide}]"
    end = r"(?![A-Za-z0-9_'’])"
    alone = rf"{end}(?!\s+(?!is\s+(?:the\s+)?(?:correct|right|best)\b)[a-z])"
    stated = (
        re.compile(rf"(?i:{_STATED}){_LINK}{_OPEN}(?P<letter>{either}){alone}"),
        re.compile(rf"{_CHOSEN}[项項]?[\s:：]*{_OPEN}(?P<letter>{upper}){end}"),
        re.compile(rf"\\boxed\s*\{{\s*{_OPEN}(?P<letter>{either})\s*[)\]}}]"),
    )
    return _Forms(
        stated,
        re.compile(rf"[\s*_($\[（【「\"'“]*(?P<letter>{either})[\s*_)$\]）】」\"'”.。,:：]*\Z"),
        re.compile(rf"[\s*_(\[（【]*(?P<letter>{upper})(?=[)\].:：、．）】*])"),
        re.compile(rf"(?P<letter>{upper})(?<![A-Za-z0-9_'’].){alone}"),
    )


def _letters_in(text: str, letters: str) -> list[Span]:
    """Give the stated letters; where none is stated the one that opens the text, else letters that stand alone."""
    forms = _forms(letters)
    alone = forms.alone.match(text)
    if alone:
        return [alone.span("letter")]
    stated = {match.span("letter") for match in matches_at(forms.stated[0], text, _NOUNS)}
    stated |= {match.span("letter") for keys, form in zip(_KEYS, forms.stated[1:], strict=True) if names_any(text, keys) for match in form.finditer(text)}
    if stated:
        return sorted(stated)
    leading = forms.leading.match(text)
    if leading:
        return [leading.span("letter")]
    return [match.span("letter") for match in forms.standing.finditer(text)]


def take_choice(letters: str = "ABCD", choice: Choice = "last", nothing: Nothing = "empty", marker: str = "[invalid]") -> Rule:
    r"""Keep the letter of the option that the text chooses.

    Range: a letter that is the whole text; else one that is stated (`Answer: C`, `\boxed{C}`, `答案是C`); else one that opens the text; else ones alone.
    Differs: a small letter counts only where it is stated or the whole text; `A grows` and `I am` choose nothing. The letter comes out as a capital.
    Source: the answer forms of multiple-choice prompts.

    >>> take_choice().apply("Option A is tempting. The correct answer is **D**.")
    'D'
    """
    if not letters or not all(letter.isalpha() and letter.isascii() for letter in letters):
        raise ValueError(f"the letters are {letters!r:.40}; ASCII letters without anything between are needed, such as ABCD")
    upper = "".join(dict.fromkeys(letters.upper()))
    what = f"choice of {upper[0]}-{upper[-1]}"
    return Extraction(lambda text: _letters_in(text, upper), choice, nothing, marker, ", ", what, spell=_plain_capital)


def _plain_capital(letter: str) -> str:
    return unicodedata.normalize("NFKC", letter).upper()


def take_label(labels: tuple[str, ...] = ("yes", "no"), choice: Choice = "first", nothing: Nothing = "empty", marker: str = "[invalid]") -> Rule:
    """Keep the label of an own list that the text names.

    Range: whole words without regard to case; the longest label wins where several begin. The label comes out as it is spelled in the list.
    Source: yes/no questions and classification prompts.

    >>> take_label(("yes", "no")).apply("No, because nobody knows.")
    'no'
    """
    listed = sorted({label.strip() for label in labels} - {""}, key=lambda label: (-len(label), label))
    found = re.compile("|".join(map(_whole, listed)) or r"(?!)", re.IGNORECASE)

    keys = tuple(label.lower() for label in listed)

    def every(text: str) -> list[Span]:
        return [match.span() for match in matches_at(found, text, keys)]

    spelling = {label.casefold(): label for label in reversed(listed)}
    shown = ", ".join(labels)
    return Extraction(
        every,
        choice,
        nothing,
        marker,
        ", ",
        f"label ({shown:.60})",
        spell=lambda label: spelling.get(label.casefold(), label),
    )


def _whole(label: str) -> str:
    before = r"(?<![A-Za-z0-9_])" if re.match(r"[A-Za-z0-9_]", label) else ""
    behind = r"(?![A-Za-z0-9_])" if re.match(r"[A-Za-z0-9_]", label[-1]) else ""
    return before + re.escape(label) + behind
