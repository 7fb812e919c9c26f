"""Remove the thinking a model writes before its answer."""

import re
from typing import Literal

from evalcore.text.edits import Edit
from evalcore.text.extraction.rule import Span
from evalcore.text.rules import Function, Rule, StepFailed

TAGS = ("think", "thinking", "thought", "reasoning")
Unclosed = Literal["unscored", "drop", "keep"]


def drop_thinking(tags: tuple[str, ...] = TAGS, unclosed: Unclosed = "unscored", unopened: Literal["drop", "keep"] = "drop") -> Rule:
    """Drop everything between thinking tags, the tags included.

    Range: tags may be nested; `unclosed` is for output that ends within its thinking, `unopened` for a closing tag whose opening one stood in the prompt.
    Raises: ValueError for a tag that is no name.
    Source: the `<think>` blocks of reasoning models.

    >>> drop_thinking().apply("<think>Answer: 12? no.</think> The total is 31.")
    'The total is 31.'
    """
    names = [tag.strip("<>/ ") for tag in tags]
    for name in names:
        if not re.fullmatch(r"[^\s<>]+", name):
            raise ValueError(f"the tag {name!r:.40} is no name; write it without angle brackets, such as think")
    listed = "|".join(map(re.escape, names)) or "(?!)"
    found, match_opening = re.compile(rf"<(/?)((?i:{listed}))>"), re.compile(rf"<(?i:{listed})>").match

    usual, usual_end = (f"<{names[0]}>", f"</{names[0]}>") if names else ("<>", "</>")

    def deleted(text: str) -> list[Span]:
        spans = _thinking(text, found, unopened == "drop")
        if spans and spans[-1][1] < 0:
            start = spans.pop()[0]
            if unclosed == "unscored":
                raise StepFailed(f"unfinished thinking: {text[start : start + 20]!r} is never closed")
            if unclosed == "drop":
                spans.append((start, len(text)))
        return spans

    def without(text: str) -> str:
        start = text.find("<")
        if start < 0:
            return text
        if text.startswith(usual, start):  # Most outputs hold one pair of tags, the first ones.
            inside, closing = start + len(usual), usual_end
        else:
            opening = match_opening(text, start)
            inside, closing = (opening.end(), f"</{text[start + 1 : opening.end()]}") if opening else (-1, "")
        if inside >= 0:
            end = text.find("<", inside)
            if text.startswith(closing, end) and (text.find("<", end + 1) < 0 or not _tags_in(text[end + len(closing) :], found)):
                end += len(closing)
                while text[end : end + 1].isspace():
                    end += 1
                return text[:start] + text[end:] if start else text[end:]
        spans = deleted(text)
        if not spans:
            return text
        ends = [0, *(end for _, end in spans)]
        starts = [*(start for start, _ in spans), len(text)]
        return "".join([text[end:start] for end, start in zip(ends, starts, strict=True)])

    return Function(without, lambda text: tuple(Edit(start, end, "") for start, end in deleted(text)))


def _thinking(text: str, tags: "re.Pattern[str]", drop_unopened: bool) -> list[Span]:
    """Give the spans of thinking in order, with the whitespace behind; a last end of -1 is never closed."""
    spans: list[Span] = []
    open_tags: list[str] = []
    start = 0
    for match in _tags_in(text, tags):
        closing, name = match.groups()
        if not closing:
            start = start if open_tags else match.start()
            open_tags.append(name.lower())
        elif name.lower() in open_tags:
            while open_tags.pop() != name.lower():
                pass
            if not open_tags:
                spans.append((start, _past_whitespace(text, match.end())))
        elif drop_unopened and not open_tags:
            spans = [(0, _past_whitespace(text, match.end()))]
    return [*spans, (start, -1)] if open_tags else spans


def _tags_in(text: str, tags: "re.Pattern[str]") -> list["re.Match[str]"]:
    """Find the matches of a pattern of tags, which begins with `<` and holds no other one; found by looking for that."""
    found: list[re.Match[str]] = []
    place = text.find("<")
    while place >= 0:
        match = tags.match(text, place)
        if match:
            found.append(match)
        place = text.find("<", place + 1)
    return found


def _past_whitespace(text: str, position: int) -> int:
    return len(text) - len(text[position:].lstrip())


def is_unfinished(text: str, tags: tuple[str, ...] = TAGS) -> bool:
    """Tell whether a text ends within its thinking.

    >>> is_unfinished("<think>12 or"), is_unfinished("<think>12</think> 12")
    (True, False)
    """
    spans = _thinking(text, re.compile(rf"<(/?)((?i:{'|'.join(map(re.escape, tags))}))>"), True)
    return bool(spans) and spans[-1][1] < 0
