"""Which step a raw character was lost to, and where a result came from."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalcore.text.edits import Edit, between
from evalcore.text.pipeline import Trace


class Fate(NamedTuple):
    """What became of a run of raw characters.

    Offsets: half-open, in code points of the raw text. `stage` is the
    index of the stage in the trace, None where nothing touched the run.
    """

    start: int
    end: int
    stage: int | None
    removed: bool


class Origins(NamedTuple):
    """Where every character of a result came from.

    Shape: character i came from raw[starts[i]:ends[i]]; an inserted one
    from an empty stretch.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]


class Attribution(NamedTuple):
    """The fate of every raw character, and the origin of every result character."""

    fates: tuple[Fate, ...]
    origins: Origins


def attribute(trace: Trace) -> Attribution:
    """Blame the steps: a raw character belongs to the step that removed it, else to the first that changed it.

    A word that gives way to a space counts as removed. The `T` of "The"
    thus belongs to the articles, not to lower case.
    Shape: fates follow one another and cover the raw text.

    >>> from evalcore.text.catalogue import step
    >>> from evalcore.text.pipeline import Pipeline
    >>> attribute(Pipeline((step("lower"), step("drop_articles"))).trace("The X")).fates
    (Fate(start=0, end=3, stage=1, removed=True), Fate(start=3, end=4, stage=None, removed=False), Fate(start=4, end=5, stage=0, removed=False))
    """
    walk = _Walk(len(trace.raw))
    for number, stage in enumerate(trace.stages):
        if stage.changed:
            walk.step(number, stage.before, stage.edits)
    return Attribution(tuple(walk.fates()), Origins(tuple(walk.starts), tuple(walk.ends)))


class _Walk:
    """The characters of a text on their way through the stages."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.starts: list[int] = list(range(length))
        self.ends: list[int] = list(range(1, length + 1))
        self.stands_in: list[bool] = [False] * length  # A space that took the place of a removed word.
        self.removed_by = np.full(length, -1, dtype=np.int64)
        self.changed_by = np.full(length, -1, dtype=np.int64)

    def step(self, number: int, before: str, edits: Sequence[Edit]) -> None:
        """Move on by the edits of one stage."""
        starts: list[int] = []
        ends: list[int] = []
        stands_in: list[bool] = []
        position = 0
        for edit in _tight(before, edits):
            starts += self.starts[position : edit.start]
            ends += self.ends[position : edit.start]
            stands_in += self.stands_in[position : edit.start]
            first, last = self._raw_span(edit)
            filler = edit.new.isspace() and not before[edit.start : edit.end].isspace()
            if edit.new and not filler:
                fresh = self.changed_by[first:last]
                fresh[fresh < 0] = number
            starts += [first] * len(edit.new)
            ends += [last] * len(edit.new)
            stands_in += [filler] * len(edit.new)
            position = edit.end
        self.starts = starts + self.starts[position:]
        self.ends = ends + self.ends[position:]
        self.stands_in = stands_in + self.stands_in[position:]
        gone = ~self._covered() & (self.removed_by < 0)
        self.removed_by[gone] = number

    def _raw_span(self, edit: Edit) -> tuple[int, int]:
        if edit.start == edit.end:
            place = self.starts[edit.start] if edit.start < len(self.starts) else self.length
            return place, place
        return min(self.starts[edit.start : edit.end]), max(self.ends[edit.start : edit.end])

    def _covered(self) -> npt.NDArray[np.bool_]:
        """Tell for every raw character whether something of it is left."""
        real = ~np.array(self.stands_in, dtype=bool)
        steps = np.zeros(self.length + 1, dtype=np.int64)
        np.add.at(steps, np.array(self.starts, dtype=np.int64)[real], 1)
        np.add.at(steps, np.array(self.ends, dtype=np.int64)[real], -1)
        return np.asarray(np.cumsum(steps)[:-1] > 0)

    def fates(self) -> list[Fate]:
        """Melt raw characters of one fate into runs."""
        removed = self.removed_by >= 0
        stage = np.where(removed, self.removed_by, self.changed_by)
        bounds = np.flatnonzero((np.diff(stage) != 0) | (np.diff(removed.astype(np.int8)) != 0)) + 1
        cuts = [0, *bounds.tolist(), self.length] if self.length else []
        return [Fate(start, end, int(stage[start]) if stage[start] >= 0 else None, bool(removed[start])) for start, end in pairwise(cuts)]


def _tight(before: str, edits: Sequence[Edit]) -> list[Edit]:
    """Cut the common ends off every edit, so that what stays is not blamed."""
    tight = []
    for edit in edits:
        if edit.end - edit.start == 1 == len(edit.new) or not edit.new:
            tight.append(edit)
        else:
            tight += [Edit(edit.start + start, edit.start + end, new) for start, end, new in between(before[edit.start : edit.end], edit.new)]
    return tight
