"""Remove the thinking a model writes before its answer."""

import re
from typing import Literal

from evalcore.text.edits import Edit
from evalcore.text.rules import Rule, StepFailed, rewriting

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
    found = re.compile(rf"<(/?)({'|'.join(map(re.escape, names)) or '(?!)'})>", re.IGNORECASE)

    def edits(text: str) -> tuple[Edit, ...]:
        deleted = _thinking(text, found, unopened == "drop")
        if deleted and deleted[-1][1] < 0:
            start = deleted.pop()[0]
            if unclosed == "unscored":
                raise StepFailed(f"unfinished thinking: {text[start : start + 20]!r} is never closed")
            if unclosed == "drop":
                deleted.append((start, len(text)))
        return tuple(Edit(start, end, "") for start, end in deleted)

    return rewriting(edits)


def _thinking(text: str, tags: "re.Pattern[str]", drop_unopened: bool) -> list[tuple[int, int]]:
    """Give the spans of thinking in order, with the whitespace behind; a last end of -1 is never closed."""
    spans: list[tuple[int, int]] = []
    open_tags: list[str] = []
    start = 0
    for match in tags.finditer(text):
        name = match[2].lower()
        if not match[1]:
            start = start if open_tags else match.start()
            open_tags.append(name)
        elif name in open_tags:
            while open_tags.pop() != name:
                pass
            if not open_tags:
                spans.append((start, _past_whitespace(text, match.end())))
        elif drop_unopened and not open_tags:
            spans = [(0, _past_whitespace(text, match.end()))]
    return [*spans, (start, -1)] if open_tags else spans


def _past_whitespace(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def is_unfinished(text: str, tags: tuple[str, ...] = TAGS) -> bool:
    """Tell whether a text ends within its thinking.

    >>> is_unfinished("<think>12 or"), is_unfinished("<think>12</think> 12")
    (True, False)
    """
    spans = _thinking(text, re.compile(rf"<(/?)({'|'.join(map(re.escape, tags))})>", re.IGNORECASE), True)
    return bool(spans) and spans[-1][1] < 0
