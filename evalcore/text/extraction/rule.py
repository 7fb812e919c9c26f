"""The rule of an extraction step: find candidates, choose, cut the rest off."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from evalcore.text.edits import Edit, between
from evalcore.text.rules import StepFailed

Span = tuple[int, int]
Choice = Literal["first", "last", "all"]
Nothing = Literal["empty", "marker", "keep", "unscored"]
Find = Callable[[str], Sequence[Span]]


@dataclass(frozen=True)
class Extraction:
    """Cut a text down to what `find` finds in it.

    `choice` takes the first or last candidate, or all of them joined by
    `separator`. `nothing` says what stands for a text without candidates:
    the empty text, `marker`, the whole text, or a failed step, which
    leaves the item unscored. `spell` rewrites a chosen candidate. `one` is
    a faster way to the chosen candidate, None where there is none; `cut` one to its text as the step writes it.
    `limited`: it runs a pattern of the user, which has a budget in a run. `trouble` says more of why nothing was found.
    Offsets: candidates are half-open, in order, and do not overlap.
    """

    find: Find
    choice: Choice = "first"
    nothing: Nothing = "empty"
    marker: str = ""
    separator: str = " "
    what: str = "answer"
    spell: Callable[[str], str] | None = None
    one: Callable[[str], Span | None] | None = None
    limited: bool = False
    trouble: Callable[[str], str] | None = None
    cut: Callable[[str], str | None] | None = None

    def candidates(self, text: str) -> tuple[Span, ...]:
        """Give the spans of all candidates, in order."""
        return tuple(self.find(text))

    def chosen(self, text: str) -> tuple[Span, ...]:
        """Give the spans that are kept; empty where nothing was found."""
        if self.one is not None:
            span = self.one(text)
            return () if span is None else (span,)
        spans = self.find(text)
        if not spans:
            return ()
        return tuple(spans) if self.choice == "all" else (spans[0 if self.choice == "first" else -1],)

    def spelled(self, text: str, span: Span) -> str:
        """Give a candidate as the step writes it."""
        found = text[span[0] : span[1]]
        return found if self.spell is None else self.spell(found)

    def found(self, text: str) -> str | None:
        """Give what the step cuts out, None where it finds nothing."""
        if self.cut is not None:
            return self.cut(text)
        if self.one is not None:
            span = self.one(text)
        else:
            spans = self.find(text)
            if self.choice == "all":
                return self.separator.join(self.spelled(text, span) for span in spans) if spans else None
            span = None if not spans else spans[0] if self.choice == "first" else spans[-1]
        return None if span is None else self.spelled(text, span)

    def apply(self, text: str) -> str:
        cut = self.cut
        found = self.found(text) if cut is None else cut(text)
        if found is not None:
            return found
        if self.nothing == "keep":
            return text
        return "" if self.nothing == "empty" else self._without_candidates(text)

    def edits(self, text: str) -> tuple[Edit, ...]:
        spans = self.chosen(text)
        if not spans:
            after = self._without_candidates(text)
            return () if after == text else (Edit(0, len(text), after),)
        edits: list[Edit] = []
        position = 0
        for start, end in spans:
            edits.append(Edit(position, start, "" if position == 0 and not edits else self.separator))
            inner = _changes(text[start:end], self.spelled(text, (start, end)))
            edits.extend(Edit(start + a, start + b, new) for a, b, new in inner)
            position = end
        edits.append(Edit(position, len(text), ""))
        return tuple(edit for edit in edits if text[edit.start : edit.end] != edit.new)

    def _without_candidates(self, text: str) -> str:
        if self.nothing == "empty":
            return ""
        if self.nothing == "unscored":
            more = self.trouble(text) if self.trouble else ""
            if more and text:
                raise StepFailed(more)
            raise StepFailed(f"no {self.what} in the text: {text!r:.60}" if text else f"no {self.what} in an empty text")
        return text if self.nothing == "keep" else self.marker


def _changes(before: str, after: str) -> tuple[Edit, ...]:
    """State the single deletions that lead to the text after; one edit where it takes more than deletions."""
    edits: list[Edit] = []
    position = 0
    for place, character in enumerate(before):
        if position < len(after) and character == after[position]:
            position += 1
        elif edits and edits[-1].end == place:
            edits[-1] = edits[-1]._replace(end=place + 1)
        else:
            edits.append(Edit(place, place + 1, ""))
    return tuple(edits) if position == len(after) else between(before, after)


def trimmed(text: str, start: int, end: int, marks: str = "") -> Span:
    """Move both ends of a span past whitespace and the given marks.

    >>> trimmed("a = ( b )", 3, 9, "()")
    (6, 7)
    """
    inner = text[start:end]
    while inner:
        stripped = inner.lstrip().lstrip(marks) if marks else inner.lstrip()
        if stripped == inner:
            break
        start, inner = end - len(stripped), stripped
    while inner:
        stripped = inner.rstrip().rstrip(marks) if marks else inner.rstrip()
        if stripped == inner:
            break
        inner = stripped
    return start, start + len(inner)
