"""Steps that take Markdown off a text."""

import re

from evalcore.text.edits import Edit
from evalcore.text.extraction.rule import Choice, Extraction, Nothing, Span, trimmed
from evalcore.text.rules import Rule, rewriting
from evalcore.text.steps import entries

_FENCE = re.compile(r"^[ ]{0,3}(?P<fence>`{3,}|~{3,})(?P<language>[^\n`]*)$", re.MULTILINE)
_EMPHASIS = re.compile(
    r"(?<![A-Za-z0-9*`~])(?P<open>\*{1,3}|`{1,3}|~~)(?=[^\s*`~])(?P<inner>[^\n]{0,500}?[^\s*`~])(?P=open)(?![A-Za-z0-9*`~])"
    r"|(?<![A-Za-z0-9_])(?P<line>_{1,2})(?=[^\s_])(?P<under>[^\n]{0,500}?[^\s_])(?P=line)(?![A-Za-z0-9_])"
)
_HEADING = re.compile(r"^[ ]{0,3}#{1,6}[ \t]+(?=\S)(?![-+]?[\d$.,]+[ \t]*$)", re.MULTILINE)
_QUOTE = re.compile(r"^[ ]{0,3}>[ ]?", re.MULTILINE)


def _fenced(text: str) -> list[Span]:
    if "```" not in text and "~~~" not in text:
        return []
    spans: list[Span] = []
    opening: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opening is None:
            opening = match
        elif match["fence"].startswith(opening["fence"]) and not match["language"].strip():
            spans.append(trimmed(text, opening.end(), match.start()))
            opening = None
    return spans


def take_fenced(choice: Choice = "last", nothing: Nothing = "keep", marker: str = "[invalid]") -> Rule:
    r"""Keep what stands in a fenced code block.

    Range: fences of three or more backticks or tildes on lines of their own; the language behind the opening fence goes.
    Differs: a fence that is never closed opens nothing.
    Source: CommonMark, fenced code blocks.

    >>> take_fenced().apply("Here:\n```json\n{}\n```\n")
    '{}'
    """
    return Extraction(_fenced, choice, nothing, marker, "\n", "fenced block")


def drop_emphasis() -> Rule:
    """Drop the marks of Markdown emphasis, inline code, headings and quotes.

    Range: `**x**`, `*x*`, `_x_`, `~~x~~` and backticks in pairs on one line; `# ` and `> ` at the start of a line.
    Differs: `snake_case`, `2 * 3 * 4` and GSM8K's `#### 42` stay as they are.
    Source: CommonMark, read with care rather than in full.

    >>> drop_emphasis().apply("# Answer: **42** in `km`, not snake_case")
    'Answer: 42 in km, not snake_case'
    """
    return rewriting(_emphasis_edits)


def _emphasis_edits(text: str) -> tuple[Edit, ...]:
    marks = [match.span() for pattern in (_HEADING, _QUOTE) for match in pattern.finditer(text)]
    marks += _pairs(text, 0, len(text))
    edits: list[Edit] = []
    for start, end in sorted(marks):
        if not edits or start >= edits[-1].end:
            edits.append(Edit(start, end, ""))
    return tuple(edits)


def _pairs(text: str, start: int, end: int, depth: int = 0) -> list[Span]:
    """Give the spans of opening and closing marks, also of those inside others."""
    spans: list[Span] = []
    for match in _EMPHASIS.finditer(text, start, end):
        name, inner = ("open", "inner") if match["open"] else ("line", "under")
        mark = match[name]
        spans += [match.span(name), (match.end() - len(mark), match.end())]
        if not mark.startswith("`") and depth < 3:
            spans += _pairs(text, *match.span(inner), depth + 1)
    return spans


ENTRIES = entries("markup", take_fenced, drop_emphasis)
