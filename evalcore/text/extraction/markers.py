"""Extraction by what stands around the answer: a phrase, a pattern, a tag."""

import re
from typing import Any, Literal

import regex

from evalcore.text.extraction.rule import Choice, Extraction, Nothing, Span, trimmed
from evalcore.text.rules import PATTERN_SECONDS, Rule, StepFailed

PHRASES = ("The answer is", "answer:", "answer is", "####", "答案是", "答案：", "答案:")
_SKIPPED = ":：*_"


def take_after(
    phrases: tuple[str, ...] = PHRASES,
    choice: Choice = "last",
    until: Literal["line", "sentence", "text"] = "line",
    ignore_case: bool = True,
    nothing: Nothing = "empty",
    marker: str = "[invalid]",
) -> Rule:
    r"""Keep what follows a phrase such as `The answer is`.

    Range: up to the end of the line, the sentence or the text, or to the next phrase; a colon, `*` and whitespace after the phrase are skipped.
    Source: the answer lines asked for by GSM8K, simple-evals and Inspect prompts.

    >>> take_after().apply("**Answer:** Paris\nAnything else?")
    'Paris'
    """
    listed = sorted(filter(None, phrases), key=len, reverse=True)
    found = re.compile("|".join(map(_phrase, listed)) or r"(?!)", re.IGNORECASE if ignore_case else 0)
    stop = {"line": re.compile(r"[\n\r]"), "sentence": re.compile(r"[.!?](?=\s|$)|[。！？\n\r]"), "text": re.compile(r"\Z")}[until]

    def after(text: str) -> list[Span]:
        matches = list(found.finditer(text))
        limits = [*(match.start() for match in matches[1:]), len(text)][: len(matches)]
        spans = [_answer(text, match.end(), limit, stop) for match, limit in zip(matches, limits, strict=True)]
        return [span for span in spans if span[0] < span[1]]

    return Extraction(after, choice, nothing, marker, " ", "phrase with an answer after it")


def _phrase(phrase: str) -> str:
    """Give a phrase as a pattern that does not start or end within a word."""
    ascii_word = re.compile(r"[A-Za-z0-9_]")
    before = r"(?<![A-Za-z0-9_])" if ascii_word.match(phrase[0]) else ""
    behind = r"(?![A-Za-z0-9_])" if ascii_word.match(phrase[-1]) else ""
    return before + re.escape(phrase).replace(r"\ ", r"\s+") + behind


def _answer(text: str, start: int, limit: int, stop: "re.Pattern[str]") -> Span:
    while start < limit and (text[start].isspace() or text[start] in _SKIPPED):
        start += 1
    ending = stop.search(text, start, limit)
    span = trimmed(text, start, ending.start() if ending else limit)
    return trimmed(text, span[0], span[1] - 2) if text.startswith("**", max(span[0], span[1] - 2)) else span


def take_match(
    pattern: str = r"#### (-?[0-9.,]+)",
    group: str = "",
    choice: Choice = "first",
    ignore_case: bool = False,
    nothing: Nothing = "empty",
    marker: str = "[invalid]",
) -> Rule:
    r"""Keep what an own regular expression matches.

    Range: `group` is a number or a name; left empty it is the first group that matched text, without groups the whole match. Outer whitespace goes.
    Raises: ValueError for a malformed pattern or an unknown group; a text on which the pattern takes longer than a second is unscored.
    Source: the regex filters of evaluation harnesses.

    >>> take_match(r"#### (-?[0-9.,]+)", choice="last").apply("#### 7 and #### 19")
    '19'
    """
    try:
        compiled = regex.compile(pattern or "(?!)", regex.IGNORECASE if ignore_case else 0)
        number = _group_of(compiled, group)
    except (regex.error, IndexError) as error:
        raise ValueError(f"the pattern {pattern!r:.100} with group {group!r:.40} cannot be used: {error}") from error

    def spans(text: str, only_first: bool) -> list[Span]:
        found: list[Span] = []
        try:
            for match in compiled.finditer(text, timeout=PATTERN_SECONDS, concurrent=True):
                found.append(_span_of(text, match, number))
                if only_first:
                    break
        except TimeoutError:
            raise StepFailed(f"the pattern {pattern!r:.100} did not finish within {PATTERN_SECONDS:g} s; simplify it") from None
        return found

    def first(text: str) -> Span | None:
        return next(iter(spans(text, True)), None)

    what = f"match of {pattern!r:.60}"
    return Extraction(lambda text: spans(text, False), choice, nothing, marker, " ", what, one=first if choice == "first" else None)


def _group_of(compiled: Any, group: str) -> int | None:
    if not group:
        return 0 if compiled.groups == 0 else None
    number = int(group) if group.isdecimal() else compiled.groupindex.get(group)
    if number is None or number > compiled.groups:
        raise IndexError(f"no group {group}; it has {compiled.groups} groups{''.join(', ' + name for name in compiled.groupindex)}")
    return int(number)


def _span_of(text: str, match: Any, number: int | None) -> Span:
    if number is None:
        taken = (match.span(index) for index in range(1, match.re.groups + 1))
        return next((trimmed(text, *span) for span in taken if span[0] < span[1]), (match.end(), match.end()))
    span = match.span(number)
    return trimmed(text, *span) if span[0] >= 0 else (match.end(), match.end())


def take_tag(
    tag: str = "answer",
    choice: Choice = "last",
    unclosed: Literal["ignore", "to_end"] = "ignore",
    ignore_case: bool = True,
    nothing: Nothing = "empty",
    marker: str = "[invalid]",
) -> Rule:
    """Keep the content of a tag such as `<answer>`.

    Range: attributes are allowed; outer whitespace goes; `to_end` also takes a last tag that is never closed.
    Raises: ValueError for a tag that is no name.
    Source: the answer tags asked for by prompts.

    >>> take_tag().apply("<answer>Lyon</answer> wait <answer>Paris</answer>")
    'Paris'
    """
    name = tag.strip("<>/ ")
    if not re.fullmatch(r"[^\s<>/]+", name):
        raise ValueError(f"the tag {tag!r:.40} is no name; write it without angle brackets, such as answer")
    tags = re.compile(rf"<(/?){re.escape(name)}(?:\s[^<>]*)?>", re.IGNORECASE if ignore_case else 0)

    def inside(text: str) -> list[Span]:
        spans: list[Span] = []
        opened = -1
        for match in tags.finditer(text):
            if not match[1]:
                opened = match.end()
            elif opened >= 0:
                spans.append(trimmed(text, opened, match.start()))
                opened = -1
        if opened >= 0 and unclosed == "to_end":
            spans.append(trimmed(text, opened, len(text)))
        return spans

    return Extraction(inside, choice, nothing, marker, " ", f"<{name}> tag")
