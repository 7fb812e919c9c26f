"""A text under change that remembers where its characters came from."""

import re
from collections.abc import Callable, Iterable

from evalcore.text.edits import Edit, apply


class Draft:
    """Several rounds of changes to one text, stated as one round of edits.

    >>> draft = Draft("a b")
    >>> draft.replace(" ", "")
    >>> draft.replace("b", "bb")
    >>> draft.text, draft.edits()
    ('abb', (Edit(start=1, end=3, new='bb'),))
    """

    def __init__(self, text: str) -> None:
        self.text = self.before = text
        self._origins: list[int] | None = None

    def make(self, edits: Iterable[Edit]) -> None:
        """Carry out one round of edits on the text as it stands."""
        made = [edit for edit in edits if self.text[edit.start : edit.end] != edit.new]
        if not made:
            return
        origins = self._origins if self._origins is not None else list(range(len(self.text)))
        after: list[int] = []
        position = 0
        for edit in made:
            after += origins[position : edit.start] + [-1] * len(edit.new)
            position = edit.end
        self._origins = after + origins[position:]
        self.text = apply(self.text, made)

    def replace(self, old: str, new: str) -> None:
        """Replace every occurrence of a text."""
        if old in self.text:
            self.make(Edit(match.start(), match.end(), new) for match in re.finditer(re.escape(old), self.text))

    def sub(self, pattern: "re.Pattern[str]", new: str | Callable[["re.Match[str]"], str]) -> None:
        """Replace every match of a pattern."""
        self.make(Edit(match.start(), match.end(), match.expand(new) if isinstance(new, str) else new(match)) for match in pattern.finditer(self.text))

    def edits(self) -> tuple[Edit, ...]:
        """Give all changes so far as edits of the text before them.

        Range: the smallest ones that keep every character which was never touched.
        """
        if self._origins is None:
            return ()
        made: list[Edit] = []
        kept, inserted = -1, ""
        for character, origin in zip([*self.text, ""], [*self._origins, len(self.before)], strict=True):
            if origin < 0:
                inserted += character
                continue
            if inserted != self.before[kept + 1 : origin]:
                made.append(Edit(kept + 1, origin, inserted))
            kept, inserted = origin, ""
        return tuple(made)
