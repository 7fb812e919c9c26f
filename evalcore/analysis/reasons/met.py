"""What the fixes of an item say, and which reference each makes it match."""

from collections.abc import Sequence

from evalcore.analysis.fixes import Fix
from evalcore.analysis.moves import Move
from evalcore.analysis.reasons.item import DROPPED_UNITS, Fixed
from evalcore.scoring.preset import Preset
from evalcore.text.pipeline import Pipeline
from evalcore.text.rules import StepFailed


class Met:
    """Tells which reference a fix makes a prediction equal to."""

    def __init__(self, preset: Preset) -> None:
        self.preset = preset
        self.sides: dict[tuple[Move, ...], tuple[Pipeline, Pipeline]] = {}

    def fixed(self, found: Sequence[Fix], prediction: str, references: Sequence[str], best: int) -> Fixed:
        """Sum up the smallest fixes of one item; `best` is the reference looked at first."""
        order = sorted(range(len(references)), key=lambda number: (number != best, number))
        alone: dict[str, int] = {}
        removed: int | None = None
        for fix in found:
            if len(fix.moves) > 1:
                return Fixed(jointly=tuple(move.title for move in fix.moves), together=self._reference(fix, prediction, references, order))
            move, met = fix.moves[0], self._reference(fix, prediction, references, order)
            if move.removes:
                removed = met if removed is None else removed
            else:
                alone.setdefault(_step_name(move), met)
        return Fixed(alone, removed)

    def _reference(self, fix: Fix, prediction: str, references: Sequence[str], order: Sequence[int]) -> int:
        if len(set(references)) == 1:
            return order[0]
        if fix.moves not in self.sides:
            pipeline = fix.applied(self.preset).pipeline
            self.sides[fix.moves] = pipeline.on("prediction"), pipeline.on("reference")
        on_prediction, on_reference = self.sides[fix.moves]
        wanted = on_prediction.apply(prediction)
        return next((number for number in order if _after(on_reference, references[number]) == wanted), order[0])


def _after(pipeline: Pipeline, text: str) -> str | None:
    """Give a text after the steps, None where one cannot finish."""
    try:
        return pipeline.apply(text)
    except StepFailed:
        return None


def _step_name(move: Move) -> str:
    drops_units = move.step.name == "canonical_numbers" and dict(move.step.parameters).get("percent") == "drop"
    return DROPPED_UNITS if drops_units else move.step.name
