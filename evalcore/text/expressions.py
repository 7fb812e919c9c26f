"""Compile a user's regular expression without letting it take the machine."""

import re
from functools import lru_cache
from typing import Any, Literal

import regex

MOST_PARTS = 20_000  # A part takes some 260 bytes once compiled; no pattern for answers needs five megabytes.
MOST_CHARACTERS = 10_000  # Longer patterns are word lists, which have steps of their own.
DEEPEST = 100  # Python's own stack ends at some hundreds of nested groups.
_COUNT = re.compile(r"\{(\d*),?(\d*)\}")
MOST_OPTIONAL = 4  # Every part that may be left out doubles the ways to try.
_LITERAL = r"[A-Za-z0-9 \n\"'#%&,/:;<=>@_`~!-]|\\[\\#$()*+,./:<=>?\[\]^{|}-]"
_SET = r"\[\^?(?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9 .,:;$%_/+*()])+-?\]"
_PLAIN = re.compile(rf"(?:(?:{_LITERAL}|\.|{_SET})[?+*]?\??|\((?!\?)|\(\?:|\)(?![?+*{{]))*")


class PatternError(ValueError):
    """A regular expression that cannot be used; the message says why and what to do."""


@lru_cache(maxsize=256)
def compile_expression(pattern: str, engine: Literal["re", "regex"] = "regex", ignore_case: bool = False) -> Any:
    """Compile a pattern with one of the two engines.

    Raises: PatternError when it is malformed, nested too deeply, unfolds to too many parts, or searches from the end.

    >>> compile_expression("(a{1000}){1000}")
    Traceback (most recent call last):
    evalcore.text.expressions.PatternError: its repeats unfold to 1,000,000 parts, 20,000 are accepted; write them with * or +
    """
    if len(pattern) > MOST_CHARACTERS:
        raise PatternError(f"it has {len(pattern):,} characters, {MOST_CHARACTERS:,} are accepted; use a list of words")
    parts, depth = _unfolded(pattern)
    if depth > DEEPEST:
        raise PatternError(f"its groups are nested {depth:,} deep, {DEEPEST} are accepted; simplify it")
    if parts > MOST_PARTS:
        raise PatternError(f"its repeats unfold to {parts:,} parts, {MOST_PARTS:,} are accepted; write them with * or +")
    try:
        compiled: Any = re.compile(pattern, re.I if ignore_case else 0) if engine == "re" else regex.compile(pattern, regex.I if ignore_case else 0)
    except (re.error, regex.error, RecursionError, OverflowError) as error:
        raise PatternError(f"it is malformed: {error}") from None
    if engine == "regex" and compiled.flags & regex.REVERSE:
        raise PatternError("its flag (?r) searches from the end, and matches are taken in reading order; leave the flag out, and choose the last match")
    return compiled


def _unfolded(pattern: str) -> tuple[int, int]:
    """Count the parts a pattern has once its counted repeats are written out, and how deep its groups nest."""
    totals, last, depth, position = [0], 0, 0, 0
    while position < len(pattern):
        character = pattern[position]
        position += 1
        count = _COUNT.match(pattern, position - 1) if character == "{" else None
        if character == "\\":
            position += 1
            last = 1
        elif character == "[":
            position = _end_of_set(pattern, position)
            last = 1
        elif character == "(":
            totals.append(0)
            depth = max(depth, len(totals) - 1)
            continue
        elif character == ")" and len(totals) > 1:
            last = max(1, totals.pop())
        elif count and (count[1] or count[2]):
            position = count.end()
            times = max(1, *(int(number[:12]) for number in count.groups() if number))
            totals[-1] += last * (times - 1)
            last *= times
            continue
        else:
            last = 1
        totals[-1] += last
    return sum(totals), depth


def _end_of_set(pattern: str, position: int) -> int:
    """Give the place behind the bracket that closes a set of characters."""
    if pattern[position : position + 1] == "^":
        position += 1
    position += pattern[position : position + 1] == "]"
    while position < len(pattern) and pattern[position] != "]":
        position += 2 if pattern[position] == "\\" else 1
    return position + 1


@lru_cache(maxsize=256)
def plain_expression(pattern: str) -> "re.Pattern[str] | None":
    """Compile a pattern that both engines read alike and that is soon done; None where that is not sure.

    Range: ASCII letters, sets and groups, with one repeat without an end
    at most, none of a group; its time is at most the square of the text's length.

    >>> plain_expression(r"#### (-?[0-9.,]+)") is None, plain_expression("(a+)+$") is None, plain_expression("a+b+") is None
    (False, True, True)
    """
    bare = re.sub(r"\\.|\[[^]]*\]", "x", pattern)
    if not _PLAIN.fullmatch(pattern) or len(re.findall(r"[+*]", bare)) > 1 or len(re.findall(r"(?<![+*(])\?", bare)) > MOST_OPTIONAL:
        return None
    try:
        return re.compile(pattern)
    except re.error:
        return None
