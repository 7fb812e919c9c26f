"""The kinds of step: one rule has one function and one edits form.

Every kind states its edits from the same data its function uses, so that
`apply(text, rule.edits(text)) == rule.apply(text)` for every text.
"""

import re
import time
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol, TypeVar

import regex

from evalcore.text.edits import Edit, apply, between
from evalcore.text.expressions import PatternError, compile_expression

RUN_SECONDS = 20.0  # What a user's pattern may take on all texts of a column; built-in ones have no such limit.
PATTERN_SECONDS = 1.0  # A user's pattern that needs longer on one text is stopped; built-in ones need microseconds.

Engine = Literal["re", "regex"]
Result = TypeVar("Result")


class Rule(Protocol):
    """What every kind of step can do."""

    def apply(self, text: str) -> str:
        """Give the text after the step."""
        ...

    def edits(self, text: str) -> tuple[Edit, ...]:
        """Give the edits that lead there."""
        ...


class StepFailed(RuntimeError):
    """A step could not finish on one text; the row is unscored with this message."""


@dataclass(frozen=True)
class CharacterTable:
    """Replace every character by a text of its own, which may be empty.

    `function` maps a whole text. `odd` holds the characters whose
    replacement looks at their neighbours (final sigma); its length must
    not depend on them.
    Range: for all other characters, function(a + b) = function(a) + function(b).
    """

    function: Callable[[str], str]
    odd: frozenset[str] = frozenset()

    def apply(self, text: str) -> str:
        return self.function(text)

    def is_odd(self, character: str) -> bool:
        return character in self.odd

    def edits(self, text: str) -> tuple[Edit, ...]:
        after = self.function(text)
        if after == text:
            return ()
        lengths: dict[str, int] = {}
        edits = []
        position = 0
        for index, character in enumerate(text):
            length = lengths.get(character)
            if length is None:
                length = lengths[character] = len(self.function(character))
            new = after[position : position + length]
            position += length
            if new != character:
                edits.append(Edit(index, index + 1, new))
        return tuple(edits)


@dataclass(frozen=True)
class Segments:
    """Replace every segment of characters that belong together.

    A segment is a character and the odd ones that follow it (combining
    marks, joining jamo); `function` treats segments one by one.
    Range: function(text) is the join of function(segment).
    """

    function: Callable[[str], str]
    odd: Callable[[str], bool]

    def apply(self, text: str) -> str:
        return self.function(text)

    def is_odd(self, character: str) -> bool:
        return self.odd(character)

    def edits(self, text: str) -> tuple[Edit, ...]:
        edits: list[Edit] = []
        for start, end in self._spans(text):
            before = text[start:end]
            edits.extend(Edit(start + a, start + b, new) for a, b, new in between(before, self.function(before)))
        return tuple(edits)

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        start = 0
        for index in range(1, len(text)):
            if not self.odd(text[index]):
                yield start, index
                start = index
        if text:
            yield start, len(text)


@dataclass(frozen=True)
class WordFilter:
    """Replace whole words of a list, found between word boundaries.

    Every word consists of word characters of the engine; `regex` counts
    combining marks and joiners among them, `re` does not.
    Raises: ValueError when a word holds a character that is none.
    """

    words: tuple[str, ...]
    engine: Engine = "re"
    replacement: str = " "

    def __post_init__(self) -> None:
        for word in self.words:
            if not word or not all(self.is_word_character(character) for character in word):
                raise ValueError(f"{word!r} is not one word; words are letters, digits and _ without spaces")

    def is_word_character(self, character: str) -> bool:
        """Tell what the engine's word boundary looks at."""
        return bool(re.match(r"\w", character) if self.engine == "re" else regex.match(r"\w", character))

    @cached_property
    def pattern(self) -> "re.Pattern[str]":
        module = re if self.engine == "re" else regex
        listed = "|".join(re.escape(word) for word in self.words)
        return module.compile(rf"\b(?:{listed})\b" if self.words else r"(?!)")  # type: ignore[no-any-return]

    def apply(self, text: str) -> str:
        return self.pattern.sub(lambda match: self.replacement, text)

    def edits(self, text: str) -> tuple[Edit, ...]:
        return tuple(Edit(match.start(), match.end(), self.replacement) for match in self.pattern.finditer(text))


@dataclass(frozen=True)
class Whitespace:
    """Squeeze, strip or remove whitespace as `str.split()` sees it.

    `squeeze` turns inner runs into one space and strips both ends, `strip`
    keeps inner runs, `remove` leaves none.
    """

    mode: Literal["squeeze", "strip", "remove"]

    def apply(self, text: str) -> str:
        if self.mode == "strip":
            return text.strip()
        return (" " if self.mode == "squeeze" else "").join(text.split())

    def edits(self, text: str) -> tuple[Edit, ...]:
        edits = []
        for start, end in _whitespace_runs(text):
            at_end = start == 0 or end == len(text)
            if self.mode == "strip" and not at_end:
                continue
            new = " " if self.mode == "squeeze" and not at_end else ""
            if text[start:end] != new:
                edits.append(Edit(start, end, new))
        return tuple(edits)


def _whitespace_runs(text: str) -> Iterator[tuple[int, int]]:
    start = None
    for index, character in enumerate(text):
        if character.isspace():
            start = index if start is None else start
        elif start is not None:
            yield start, index
            start = None
    if start is not None:
        yield start, len(text)


@dataclass(frozen=True)
class Pattern:
    r"""Replace every match of a regular expression.

    `replacement` may name groups (`\1`, `\g<name>`). With the engine
    `regex` a time limit holds for every text.
    Raises: ValueError when pattern or replacement are malformed.
    """

    pattern: str
    replacement: str = ""
    engine: Engine = "regex"

    @property
    def limited(self) -> bool:
        """Tell whether a run has a budget for this rule."""
        return self.engine == "regex"

    def __post_init__(self) -> None:
        try:
            compiled = compile_expression(self.pattern, self.engine)
            compiled.sub(self.replacement, "")
            _template_is_valid(compiled, self.replacement)
        except (PatternError, re.error, regex.error, IndexError) as error:
            raise ValueError(f"the pattern {self.pattern!r:.100} with replacement {self.replacement!r:.100} cannot be used: {error}") from error

    def apply(self, text: str) -> str:
        if self.engine == "re":
            return str(compile_expression(self.pattern, "re").sub(self.replacement, text))
        with TimeLimit(self.pattern):
            return str(compile_expression(self.pattern, "regex").sub(self.replacement, text, timeout=PATTERN_SECONDS, concurrent=True))

    def edits(self, text: str) -> tuple[Edit, ...]:
        compiled = compile_expression(self.pattern, self.engine)
        if self.engine == "re":
            matches = list(compiled.finditer(text))
        else:
            with TimeLimit(self.pattern):
                matches = list(compiled.finditer(text, timeout=PATTERN_SECONDS, concurrent=True))
        found = (Edit(match.start(), match.end(), match.expand(self.replacement)) for match in matches)
        return tuple(edit for edit in found if edit.new != text[edit.start : edit.end])


class TimeLimit:
    """Turn the regex package's time-out into a failed step that says what to do."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def __enter__(self) -> None:
        self.start = time.monotonic()

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, TimeoutError):
            raise out_of_time(self.pattern) from None


def out_of_time(pattern: str) -> StepFailed:
    """Give the failure of a pattern that needs too long on one text."""
    return StepFailed(f"the pattern {pattern!r:.100} did not finish within {PATTERN_SECONDS:g} s; simplify it")


def ran_out(reason: str | None) -> bool:
    """Tell whether an item is unscored because a pattern needed too long; to try it again would take as long."""
    return reason is not None and ((reason.startswith("the pattern ") and " did not finish within " in reason) or reason.startswith(NOT_TRIED))


NOT_TRIED = "not tried: the pattern"


class Budget:
    """The time that rules with a user's pattern may take on all texts of a column."""

    def __init__(self, seconds: float = RUN_SECONDS) -> None:
        self.seconds = self.left = seconds

    def run(self, rule: Rule, function: Callable[[str], Result], text: str) -> Result:
        """Call a function of the rule.

        Raises: StepFailed once the time is used up.
        """
        if not getattr(rule, "limited", False):
            return function(text)
        if self.left <= 0:
            raise StepFailed(f"{NOT_TRIED} had used up the {self.seconds:g} s it has for a run; simplify it")
        start = time.monotonic()
        try:
            return function(text)
        finally:
            self.left -= time.monotonic() - start


def _template_is_valid(compiled: Any, replacement: str) -> None:
    """Check group names even when nothing matches the empty text."""
    for match in re.finditer(r"\\(?:g<([^>]*)>|(\d+)|.)", replacement, re.DOTALL):
        name = match.group(1) or match.group(2)
        if name is None:
            continue
        if name.isdecimal():
            if int(name) > compiled.groups:
                raise PatternError(f"the replacement is malformed: there is no group {name}")
        elif name not in compiled.groupindex:
            raise PatternError(f"the replacement is malformed: there is no group {name!r}")


@dataclass(frozen=True)
class Function:
    """Change a whole text by a function of ours.

    `state` gives the edits; where it is None the one edit between the
    common ends is stated.
    """

    function: Callable[[str], str]
    state: Callable[[str], tuple[Edit, ...]] | None = None

    def apply(self, text: str) -> str:
        return self.function(text)

    def edits(self, text: str) -> tuple[Edit, ...]:
        return self.state(text) if self.state else between(text, self.function(text))


def category_is(character: str, *starts: str) -> bool:
    """Tell whether a character's Unicode category begins with one of the letters."""
    return unicodedata.category(character).startswith(starts)


def rewriting(state: Callable[[str], tuple[Edit, ...]]) -> Function:
    """Make a rule of the function that states its edits; the text after is their replay."""
    return Function(lambda text: apply(text, state(text)), state)
