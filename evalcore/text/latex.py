"""Steps that bring the forms of one LaTeX formula together."""

import re
from typing import Literal

from evalcore.text.draft import Draft
from evalcore.text.edits import Edit
from evalcore.text.extraction.boxed import brace_pairs
from evalcore.text.rules import Rule, StepFailed, rewriting
from evalcore.text.steps import entries

_DELIMITERS = re.compile(r"(?<!\\)\$\$?|\\[()\[\]]|\\(?:left|right)(?![A-Za-z])\.?|\\(?:displaystyle|limits|quad|qquad)(?![A-Za-z])|\\[,;:!]|\\ |(?<!\\)~")
_WRAPPED = re.compile(r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|mbox|operatorname|boxed|fbox)\s*\{")
_SHORT_FRACTION = re.compile(r"\\frac\s*(?:(\d)\s*(\d)|(\d)\s*(?=\{)|(?<=\\frac)\s+(?=\{))")
_SHORT_ROOT = re.compile(r"\\sqrt\s*([A-Za-z0-9])(?![A-Za-z])")
_LOOSE_SPACE = re.compile(r"(?<=[-+*/=<>≤≥≠|(){}\[\],^_])\s+|(?<!\s)\s+(?=[-+*/=<>≤≥≠|(){}\[\],^_])|^\s+|(?<!\s)\s+$")


def simplify_latex() -> Rule:
    r"""Write a formula without what only changes its looks.

    Range: dollar signs, `\left`, `\right` and spacing commands go; `\text{}` and its kin give their content; `\dfrac`, `\frac12` and `\sqrt3` get one form.
    Differs: nothing is computed, so `0.5` and `\frac{1}{2}` stay different.
    Source: the commands of LaTeX and amsmath that set the same formula in another way.

    >>> simplify_latex().apply(r"$\left(5,\, \dfrac{\pi}{4}\right)$")
    '(5,\\frac{\\pi}{4})'
    """
    return rewriting(_simplified)


def _simplified(text: str) -> tuple[Edit, ...]:
    draft = Draft(text)
    draft.sub(_DELIMITERS, "")
    for _ in range(4):
        draft.make(_unwrapped(draft.text))
    draft.sub(re.compile(r"\\[dtc]frac(?![A-Za-z])"), lambda match: r"\frac")
    draft.sub(_SHORT_FRACTION, _full_fraction)
    draft.sub(_SHORT_ROOT, lambda match: rf"\sqrt{{{match[1]}}}")
    draft.sub(re.compile(r"\^\s*(?:\{\s*\\circ\s*\}|\\circ(?![A-Za-z]))|\\degree(?![A-Za-z])"), "°")
    for command, mark in (("{,}", ","), (r"\%", "%"), (r"\$", "$"), (r"\{", "{"), (r"\}", "}")):
        draft.replace(command, mark)
    draft.sub(re.compile(r"\\(?:le|leq|leqslant)(?![A-Za-z])"), "≤")
    draft.sub(re.compile(r"\\(?:ge|geq|geqslant)(?![A-Za-z])"), "≥")
    draft.sub(re.compile(r"\\(?:ne|neq)(?![A-Za-z])"), "≠")
    draft.sub(_LOOSE_SPACE, "")
    return draft.edits()


def _unwrapped(text: str) -> list[Edit]:
    edits: list[Edit] = []
    pairs = brace_pairs(text)
    for match in _WRAPPED.finditer(text):
        closing = pairs.get(match.end() - 1, -1)
        if closing >= 0 and (not edits or match.start() >= edits[-1].end):
            edits += [Edit(match.start(), match.end(), ""), Edit(closing, closing + 1, "")]
    return edits


def _full_fraction(match: "re.Match[str]") -> str:
    if match[1]:
        return rf"\frac{{{match[1]}}}{{{match[2]}}}"
    return rf"\frac{{{match[3]}}}" if match[3] else r"\frac"


def hendrycks_latex(unreadable: Literal["keep", "unscored"] = "keep") -> Rule:
    r"""Bring a formula to the form the MATH data set compares.

    Range: units after `\text{ `, `x=` with one or two letters before the sign, degrees, percent, dollar signs and spaces go; `0.5` becomes `\frac{1}{2}`.
    Differs: thousands commas and `\text{}` stay; a formula the rules cannot read, such as one with two units, stays as it is or leaves the item unscored.
    Source: the rules of hendrycks/math, modeling/math_equivalence.py.

    >>> hendrycks_latex().apply(r"x = \dfrac12\text{ cm}")
    '\\frac{1}{2}'
    """

    def edits(text: str) -> tuple[Edit, ...]:
        made = hendrycks_edits(text)
        if made is None and unreadable == "unscored":
            raise StepFailed(f"the rules of MATH cannot read {text!r:.60}")
        return made or ()

    return rewriting(edits)


def hendrycks_form(text: str) -> str | None:
    """Give the form in which MATH compares an answer, None where its rules fail."""
    draft = _hendrycks(text)
    return None if draft is None else draft.text


def hendrycks_edits(text: str) -> tuple[Edit, ...] | None:
    """Give the edits to that form, None where the rules fail."""
    draft = _hendrycks(text)
    return None if draft is None else draft.edits()


_DROPPED = ("\\left", "\\right", "^{\\circ}", "^\\circ", "\\$")


def _hendrycks(text: str) -> Draft | None:
    draft = Draft(text)
    for old, new in (("\n", ""), ("\\!", ""), ("\\\\", "\\"), ("tfrac", "frac"), ("dfrac", "frac"), *((old, "") for old in _DROPPED)):
        draft.replace(old, new)
    unit = draft.text.find("\\text{ ")
    if unit >= 0:
        if draft.text.count("\\text{ ") > 1:
            return None
        draft.make([Edit(unit, len(draft.text), "")])
    for old, new in (("\\%", ""), (" .", " 0."), ("{.", "{0.")):
        draft.replace(old, new)
    if not draft.text:
        return draft
    if draft.text.startswith("."):
        draft.make([Edit(0, 0, "0")])
    equals = draft.text.find("=")
    if 0 <= equals <= 2 and draft.text.count("=") == 1:
        draft.make([Edit(0, equals + 1, "")])
    if re.search(r"\\sqrt(?=\\sqrt|\Z)", draft.text):
        return None
    draft.sub(re.compile(r"(?<=\\sqrt)([^{])", re.DOTALL), lambda match: f"{{{match[1]}}}")
    draft.replace(" ", "")
    if re.search(r"\\frac(?=\\frac|\Z)", draft.text) and not _gives_up_first(draft.text):
        return None
    draft.make(_fraction_braces(draft.text))
    if draft.text == "0.5":
        draft.make([Edit(0, 3, "\\frac{1}{2}")])
    draft.make(_slash(draft.text))
    return draft


def _gives_up_first(text: str) -> bool:
    r"""Tell whether a `\frac` with one character behind comes before one with none, which ends the rule for all."""
    for piece in text.split("\\frac")[1:]:
        if len(piece) == 1 and piece != "{":
            return True
        if not piece:
            return False
    return False


def _fraction_braces(text: str) -> list[Edit]:
    r"""Put braces around the two characters behind `\frac`, and none at all where one of them is missing."""
    edits: list[Edit] = []
    position = text.find("\\frac")
    while position >= 0:
        start = position + len("\\frac")
        position = text.find("\\frac", start)
        piece = text[start : len(text) if position < 0 else position]
        if piece.startswith("{"):
            continue
        if len(piece) < 2:
            return []
        edits.append(Edit(start, start + 1, f"{{{piece[0]}}}"))
        if piece[1] != "{":
            edits.append(Edit(start + 1, start + 2, f"{{{piece[1]}}}"))
    return edits


def _slash(text: str) -> list[Edit]:
    upper, slash, lower = text.partition("/")
    try:
        plain = bool(slash) and "/" not in lower and text == f"{int(upper)}/{int(lower)}"
    except ValueError:
        plain = False
    return [Edit(0, len(text), f"\\frac{{{upper}}}{{{lower}}}")] if plain else []


ENTRIES = entries("latex", simplify_latex, hendrycks_latex)
