"""Pipelines: ordered steps, applied to a text or traced on it."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from evalcore.text.catalogue import step_from_json
from evalcore.text.edits import Edit, origin
from evalcore.text.rules import StepFailed
from evalcore.text.settings_json import read_json
from evalcore.text.steps import SIDES, Side, Step


@dataclass(frozen=True)
class Stage:
    """What one step did to one text."""

    step: Step
    before: str
    edits: tuple[Edit, ...]
    after: str

    @property
    def changed(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True)
class Trace:
    """The way of one text through a pipeline, step by step."""

    raw: str
    stages: tuple[Stage, ...]

    @property
    def result(self) -> str:
        """Give the text after the last step."""
        return self.stages[-1].after if self.stages else self.raw

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of the result to the raw text.

        Offsets: half-open, in code points on both sides.
        """
        for stage in reversed(self.stages):
            start, end = origin(stage.edits, start, end)
        return start, end


@dataclass(frozen=True)
class Pipeline:
    """Steps in order. Hashable and equal by value.

    >>> from evalcore.text.catalogue import step
    >>> Pipeline((step("lower"), step("drop_articles"))).apply("The End")
    '  end'
    """

    steps: tuple[Step, ...] = ()

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def on(self, side: Side) -> "Pipeline":
        """Give the steps that act on one side, as a pipeline of their own.

        Raises: ValueError for a side there is not.
        """
        if side not in SIDES:
            raise ValueError(f"the side is {side!r:.80}; one of {', '.join(SIDES)} is needed")
        return Pipeline(tuple(step for step in self.steps if step.acts_on(side)))

    def apply(self, text: str) -> str:
        """Give the text after all steps, whatever their side."""
        for step in self.steps:
            text = step.apply(text)
        return text

    def apply_or_none(self, text: str) -> str | None:
        """Give the text after all steps, None where one of them cannot finish."""
        try:
            return self.apply(text)
        except StepFailed:
            return None

    def trace(self, text: str) -> Trace:
        """Give the text after every step, and how it came about."""
        stages = []
        before = text
        for step in self.steps:
            edits = step.edits(before)
            after = step.apply(before)
            stages.append(Stage(step, before, edits, after))
            before = after
        return Trace(text, tuple(stages))

    @property
    def signature(self) -> str:
        """Give one line that names every step with its parameters."""
        return "+".join(step.signature for step in self.steps) or "nothing"

    def to_json(self) -> str:
        """Give the JSON form: a list of steps."""
        return json.dumps([step.to_json() for step in self.steps], ensure_ascii=False)

    @classmethod
    def from_json(cls, source: str) -> "Pipeline":
        """Read the JSON form.

        Raises: ValueError or UnknownName naming the step that is wrong.
        """
        return cls.from_list(read_json(source))

    @classmethod
    def from_list(cls, values: Iterable[Any]) -> "Pipeline":
        """Make a pipeline from the JSON forms of its steps.

        Raises: ValueError or UnknownName naming the step that is wrong.
        """
        if not isinstance(values, list):
            raise ValueError(f"{values!r:.80} is no pipeline; a list of steps is needed")
        return cls(tuple(map(step_from_json, values)))
