"""Extraction by what stands around the answer: a phrase, a pattern, a tag."""

import re
from string import ascii_letters
from typing import Any, Literal

from evalcore.text.expressions import PatternError, compile_expression, plain_expression
from evalcore.text.extraction.rule import Choice, Extraction, Nothing, Span, trimmed
from evalcore.text.rules import PATTERN_SECONDS, Engine, Rule, out_of_time

PHRASES = ("The answer is", "answer:", "answer is", "####", "答案是", "答案：", "答案:")
_SKIPPED = ":：*_"
PLAIN_CHARACTERS = 5_000  # A plain pattern is done with so many characters in less than a tenth of a second.


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
    Any whitespace may stand between the words of a phrase.
    Source: the answer lines asked for by GSM8K, simple-evals and Inspect prompts.

    >>> take_after().apply("**Answer:** Paris\nAnything else?")
    'Paris'
    """
    listed = sorted(filter(None, (" ".join(phrase.split()) for phrase in phrases)), key=len, reverse=True)
    found = re.compile("|".join(map(_phrase, listed)) or r"(?!)", re.IGNORECASE if ignore_case else 0)
    stop = {"line": re.compile(r"[\n\r]"), "sentence": re.compile(r"[.!?](?=\s|$)|[。！？\n\r]"), "text": re.compile(r"\Z")}[until]

    keys = tuple({phrase.split()[0].lower() for phrase in listed})

    def after(text: str) -> list[Span]:
        matches = matches_at(found, text, keys)
        limits = [*(match.start() for match in matches[1:]), len(text)][: len(matches)]
        spans = [_answer(text, match.end(), limit, stop) for match, limit in zip(matches, limits, strict=True)]
        return [span for span in spans if span[0] < span[1]]

    return Extraction(after, choice, nothing, marker, " ", "phrase with an answer after it")


def names_any(text: str, keys: tuple[str, ...]) -> bool:
    """Tell whether one of some texts in lower case may stand in a text, letter case ignored."""
    lowered = text.lower()
    return any(key in lowered for key in keys)


def matches_at(pattern: "re.Pattern[str]", text: str, keys: tuple[str, ...]) -> list["re.Match[str]"]:
    """Find the matches of a pattern that ignores letter case and begins with one of the keys, which are in lower case.

    Range: the same as finditer, found by looking for the keys.
    """
    lowered = text.lower()
    if len(lowered) != len(text):
        return list(pattern.finditer(text))
    places = set()
    for key in keys:
        place = lowered.find(key)
        while place >= 0:
            places.add(place)
            place = lowered.find(key, place + 1)
    found: list[re.Match[str]] = []
    for place in sorted(places):
        if not found or place >= found[-1].end():
            match = pattern.match(text, place)
            if match:
                found.append(match)
    return found


def _phrase(phrase: str) -> str:
    """Give a phrase as a pattern that does not start or end within a word."""
    ascii_word = re.compile(r"[A-Za-z0-9_]")
    before = r"(?<![A-Za-z0-9_])" if ascii_word.match(phrase[0]) else ""
    behind = r"(?![A-Za-z0-9_])" if ascii_word.match(phrase[-1]) else ""
    return before + r"\s+".join(map(re.escape, phrase.split())) + behind


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
    trim: bool = True,
    engine: Engine = "regex",
    nothing: Nothing = "empty",
    marker: str = "[invalid]",
) -> Rule:
    r"""Keep what an own regular expression matches.

    Range: `group` is a number or a name; left empty it is the first group that matched text, without groups the whole match. With `trim` outer whitespace goes.
    Raises: ValueError for a malformed pattern or an unknown group. With the engine `regex` a text on which the pattern takes longer than a second is unscored.
    Source: the regex filters of evaluation harnesses.

    >>> take_match(r"#### (-?[0-9.,]+)", choice="last").apply("#### 7 and #### 19")
    '19'
    """
    search = _Search(pattern or "(?!)", group, ignore_case, trim, engine)
    one, initial = {"first": search.first, "last": search.last}.get(choice), search.initial

    def cut(text: str) -> str | None:
        if one is None or initial not in text:
            return None
        span = one(text)
        return None if span is None else text[span[0] : span[1]]

    taken = cut if one is not None else None
    return Extraction(search.all, choice, nothing, marker, " ", f"match of {pattern!r:.60}", one=one, limited=engine == "regex", cut=taken)


def take_match_in_turn(
    patterns: tuple[str, ...] = (r"answer is \(?([A-J])\)?", r"\b([A-J])\b"),
    ignore_case: bool = False,
    trim: bool = True,
    engine: Engine = "regex",
    nothing: Nothing = "empty",
    marker: str = "[invalid]",
) -> Rule:
    """Keep the first match of the first of several patterns that has one.

    Range: the first group that matched text, without groups the whole match.
    Raises: ValueError for a malformed pattern.
    Source: harnesses that fall back from a strict pattern to looser ones.

    >>> take_match_in_turn().apply("B or so; the answer is (C)"), take_match_in_turn().apply("B or so")
    ('C', 'B')
    """
    searches = [_Search(pattern, "", ignore_case, trim, engine) for pattern in patterns if pattern]

    def first(text: str) -> Span | None:
        return next((span for search in searches if (span := search.first(text)) is not None), None)

    def every(text: str) -> list[Span]:
        return next((spans for search in searches if (spans := search.all(text))), [])

    return Extraction(every, "first", nothing, marker, " ", "match of any pattern", one=first, limited=engine == "regex")


class _Search:
    """A pattern, its group, and how far it may look."""

    def __init__(self, pattern: str, group: str, ignore_case: bool, trim: bool, engine: Engine) -> None:
        try:
            self.compiled = compile_expression(pattern, engine, ignore_case)
            self.number = _group_of(self.compiled, group)
        except (PatternError, IndexError) as error:
            raise ValueError(f"the pattern {pattern!r:.100} with group {group!r:.40} cannot be used: {error}") from error
        self.pattern = pattern
        self.trim = trim
        self.prefix = "" if ignore_case else literal_prefix(pattern)
        self.initial = self.prefix[:1]
        self.limit = {} if engine == "re" else {"timeout": PATTERN_SECONDS, "concurrent": True}
        self.plain = plain_expression(pattern) if self.limit and not ignore_case else None
        self.only = (
            self.number if self.number is not None else 1 if self.compiled.groups == 1 else None
        )  # The group that is taken, where it is always the same.

    def all(self, text: str) -> list[Span]:
        """Give the span of every match."""
        if self.initial not in text:
            return []
        compiled, limit = self._way(text)
        try:
            return [self._span(text, match) for match in compiled.finditer(text, self._start(text), **limit)]
        except TimeoutError:
            raise out_of_time(self.pattern) from None

    def first(self, text: str) -> Span | None:
        """Give the span of the first match."""
        if self.initial not in text:
            return None
        return self._from(text, self._start(text))

    def last(self, text: str) -> Span | None:
        """Give the span of the last match."""
        if self.initial not in text:
            return None
        start = self._start(text)
        if self.prefix and text.find(self.prefix, start + 1) < 0:
            return self._from(text, start)
        return next(reversed(self.all(text)), None)

    def _from(self, text: str, start: int) -> Span | None:
        if self.plain is not None and len(text) <= PLAIN_CHARACTERS:
            match = self.plain.search(text, start)
        else:
            try:
                match = self.compiled.search(text, start, **self.limit)
            except TimeoutError:
                raise out_of_time(self.pattern) from None
        return None if match is None else self._span(text, match)

    def _way(self, text: str) -> tuple[Any, dict[str, Any]]:
        """Give the engine to search with, and its limits: measuring the time of one short search takes longer than the search."""
        return (self.plain, {}) if self.plain is not None and len(text) <= PLAIN_CHARACTERS else (self.compiled, self.limit)

    def _start(self, text: str) -> int:
        """Find where the first match can begin, the end of the text where none can; one character is looked for much faster than several."""
        start = text.find(self.prefix, text.find(self.initial))
        return start if start >= 0 else len(text)

    def _span(self, text: str, match: Any) -> Span:
        if self.only is not None:
            start, end = match.span(self.only)
            if start < 0 or (start == end and self.number is None):
                start = end = match.end()
        else:
            taken = (match.span(index) for index in range(1, match.re.groups + 1))
            start, end = next((span for span in taken if span[0] < span[1]), (match.end(), match.end()))
        return trimmed(text, start, end) if self.trim and start < end and (text[start].isspace() or text[end - 1].isspace()) else (start, end)


def literal_prefix(pattern: str) -> str:
    """Give the plain characters every match begins with; empty where the pattern has alternatives.

    >>> literal_prefix(r"#### (-?[0-9.,]+)"), literal_prefix("ab?c"), literal_prefix("a|b")
    ('#### ', 'a', '')
    """
    if "|" in pattern:
        return ""
    plain = re.match(r"[^\\^$.|?*+()\[\]{}]*", pattern)
    prefix = plain.group() if plain else ""
    return prefix[:-1] if pattern[len(prefix) : len(prefix) + 1] in ("?", "*", "{") and prefix else prefix


def _group_of(compiled: Any, group: str) -> int | None:
    if not group:
        return 0 if compiled.groups == 0 else None
    number = int(group) if group.isdecimal() else compiled.groupindex.get(group)
    if number is None or number > compiled.groups:
        raise IndexError(f"no group {group}; it has {compiled.groups} groups{''.join(', ' + name for name in compiled.groupindex)}")
    return int(number)


def _never_first_in(name: str) -> frozenset[str]:
    """Give the ASCII letters, and the slash, with which no opening tag of a name begins."""
    initials = name[0].lower() + name[0].upper()
    return frozenset("/" + ascii_letters) - set(initials.lower() + initials.upper())


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
    others = _never_first_in(name)  # Looked at first, as that is fast.
    written = f"(?i:{re.escape(name)})" if ignore_case else re.escape(name)
    tags = re.compile(rf"<(/?+){written}(?:\s[^<>]*)?>")
    match_tag, bare, bare_end = tags.match, f"<{name}>", f"</{name}>"

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

    def cut(text: str) -> str | None:
        start = end = opened = -1
        place = text.find("<")
        while place >= 0:
            if opened < 0 and text[place + 1 : place + 2] in others:
                pass
            elif text.startswith(bare, place):  # Most tags are written as asked for.
                opened = place + len(bare)
            else:
                is_end = opened >= 0 and text.startswith(bare_end, place)
                match = None if is_end else match_tag(text, place)
                if match is not None and not match[1]:
                    opened = match.end()
                elif opened >= 0 and (is_end or match is not None):
                    start, end, opened = opened, place, -1
                    place = place if choice == "last" else len(text)
            place = text.find("<", place + 1)
        if opened >= 0 and unclosed == "to_end":
            start, end = opened, len(text)
        return text[start:end].strip() if start >= 0 else None

    return Extraction(inside, choice, nothing, marker, " ", f"<{name}> tag", cut=cut if choice != "all" else None)
