r"""The form in which Minerva's evaluation compares answers to quantitative questions."""

import re
from typing import Literal

from evalcore.text.draft import Draft
from evalcore.text.edits import Edit
from evalcore.text.rules import Rule, rewriting
from evalcore.text.steps import entries

_RESPELLED = (("an ", ""), ("a ", ""), (".$", "$"), ("\\$", ""), ("\\ ", ""), (" ", ""), ("mbox", "text"))
_RESPELLED_TEXTS = ((",\\text{and}", ","), ("\\text{and}", ","), ("\\text{m}", "\\text{}"))
_WORDS_BEFORE_DOTS = ("dollars", "ft", "hours", "inches", "integers", "km", "mph", "square", "units", "ways")
_WORDS_AFTER_DOTS = (
    *("cents", "childrentickets", "cm", "degrees", "digits", "edges", "feet", "gm", "meals"),
    *("meters", "minutes", "multiples", "points", "pounds", "students", "sue"),
)  # Only these go where they stand behind dots.
_DROPPED_TEXTS = tuple(f"\\text{{{inner}" for inner in ("s}", ".}", "\ns}", "}^2", "}^3", "\n}", "}"))
_DROPPED_MARKS = (*_DROPPED_TEXTS, "\\mathrm{th}", "^\\circ", "^{\\circ}", "\\;", ",\\!", "{,}", '"', "\\dots")
_COMMAND = re.compile(r"\\[a-zA-Z]+")
_WRAPPED = tuple(re.compile(pattern) for pattern in (r"\\text\{(.*?)\}", r"\\textbf\{(.*?)\}", r"\\overline\{(.*?)\}", r"\\boxed\{(.*)\}"))
_GROUPS = re.compile(r"-?\d{1,3}(,\d{3})+")


def minerva_latex(version: Literal["2026", "2022"] = "2026") -> Rule:
    r"""Bring a formula to the form Minerva's evaluation compares.

    Range: what follows the last `=`; spaces, units, `\text{}` and its kin go, of several formulas between dollar signs the first of a line stays.
    Differs: `2022` deletes unit words inside commands and other words too, such as the `ft` of `\left`, and all commas of `3,5`.
    Source: Lewkowycz et al. (2022), appendix D; `2026` as lm-evaluation-harness 0.4.13 has it.

    >>> minerva_latex().apply(r"x = \frac12\text{ cm}"), minerva_latex().apply("3, 5"), minerva_latex("2022").apply("3, 5")
    ('\\frac{1}{2}', '3,5', '35')
    """
    form = _careful if version == "2026" else _plain
    return rewriting(lambda text: form(text).edits())


def _careful(text: str) -> Draft:
    draft = _after_equals(text)
    for word in (*_WORDS_BEFORE_DOTS, *_WORDS_AFTER_DOTS):
        draft.sub(re.compile(rf"(?<!\\)\b{word}\b"), "")
    _respell(draft)
    for word in _WORDS_BEFORE_DOTS:
        _drop_outside_commands(draft, word)
    draft.replace("\\ldots", "")
    for word in _WORDS_AFTER_DOTS:
        _drop_outside_commands(draft, word)
    _drop_marks(draft)
    _open(draft)
    draft.sub(re.compile(r"sqrt(\[[^\]]*\])(\w)"), r"sqrt\1{\2}")
    draft.sub(re.compile(r"sqrt(?!\[)([^{])"), r"sqrt{\1}")
    draft.replace("$", "")
    if _GROUPS.fullmatch(draft.text):
        draft.replace(",", "")
    return draft


def _plain(text: str) -> Draft:
    draft = _after_equals(text)
    _respell(draft)
    for word in (*_WORDS_BEFORE_DOTS, "\\ldots", *_WORDS_AFTER_DOTS):
        draft.replace(word, "")
    _drop_marks(draft)
    _open(draft)
    draft.sub(re.compile(r"sqrt([^{])"), r"sqrt{\1}")
    draft.replace("$", "")
    if draft.text.replace(",", "").isdigit():
        draft.replace(",", "")
    return draft


def _after_equals(text: str) -> Draft:
    draft = Draft(text)
    draft.make([Edit(0, text.rfind("=") + 1, "")])
    return draft


def _respell(draft: Draft) -> None:
    for old, new in (*_RESPELLED, *_RESPELLED_TEXTS):
        draft.replace(old, new)


def _drop_outside_commands(draft: Draft, word: str) -> None:
    """Delete a word wherever it stands, but not in the name of a command nor across one."""
    spans = [match.span() for match in _COMMAND.finditer(draft.text)]
    places = [match.start() for match in re.finditer(word, _COMMAND.sub(lambda match: "\\" * len(match[0]), draft.text))] if word in draft.text else []
    draft.make([Edit(place, place + len(word), "") for place in places if not any(start <= place < end for start, end in spans)])


def _drop_marks(draft: Draft) -> None:
    for mark in _DROPPED_MARKS:
        draft.replace(mark, "")


def _open(draft: Draft) -> None:
    """Keep the first formula between dollar signs, and what is wrapped; write fractions with braces."""
    _keep(draft, re.compile(r".*?(\$.*?\$).*"))
    for wrapped in _WRAPPED:
        _keep(draft, wrapped)
    draft.sub(re.compile(r"frac([^{])(.)"), r"frac{\1}{\2}")


def _keep(draft: Draft, pattern: "re.Pattern[str]") -> None:
    """Keep of every match its group alone."""
    edits: list[Edit] = []
    for match in pattern.finditer(draft.text):
        edits += [Edit(match.start(), match.start(1), ""), Edit(match.end(1), match.end(), "")]
    draft.make(edits)


ENTRIES = entries("latex", minerva_latex)
