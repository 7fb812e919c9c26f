"""Whymiss core: exact match, token F1, and a trace of every step."""

from evalcore.analysis.comparison import Comparison, compare
from evalcore.analysis.explain import Explanation, explain
from evalcore.data import FormatError, JoinError, Mapping, MappingError, read
from evalcore.dataset import Dataset, References
from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import preset, presets, settings_of
from evalcore.scoring.score import score
from evalcore.scoring.scores import Scores, Summary
from evalcore.scoring.warm import warm
from evalcore.text.catalogue import CATALOGUE, step
from evalcore.text.edits import Edit
from evalcore.text.names import UnknownName
from evalcore.text.pipeline import Pipeline, Stage, Trace
from evalcore.text.steps import Side, Step
from evalcore.version import VERSION

__version__ = VERSION


def trace(text: str, preset: "str | Preset" = "squad_v1", side: Side = "prediction") -> Trace:
    """Trace one text through the steps of a preset.

    Raises: UnknownName for the preset, ValueError for the side, TypeError for what is no text, StepFailed when a step cannot finish.

    >>> trace("The End.").result
    'end'
    """
    given: object = text
    if not isinstance(given, str):
        raise TypeError(f"the text is {given!r:.80} ({type(given).__name__}); a text is needed")
    return settings_of(preset).pipeline.on(side).trace(text)


__all__ = [
    "CATALOGUE",
    "Comparison",
    "Dataset",
    "Edit",
    "Explanation",
    "FormatError",
    "JoinError",
    "Mapping",
    "MappingError",
    "Pipeline",
    "Preset",
    "References",
    "Scores",
    "Side",
    "Stage",
    "Step",
    "Summary",
    "Trace",
    "UnknownName",
    "__version__",
    "compare",
    "explain",
    "preset",
    "presets",
    "read",
    "score",
    "step",
    "trace",
    "warm",
]
