"""Whether a reference stands in a prediction, as the settings see both."""

import numpy as np
import numpy.typing as npt

from evalcore.scoring.scores import Scores
from evalcore.text.pipeline import Pipeline
from evalcore.text.rules import StepFailed
from evalcore.text.tokens import tokenizer


def contained(scores: Scores) -> npt.NDArray[np.bool_]:
    """Tell for every item whether the tokens of some reference stand in the prediction, in order and side by side.

    Empty: a reference without tokens stands in nothing.

    >>> from evalcore.scoring.score import score
    >>> contained(score(["It was the Cat!", "concatenate", "a dog"], [["cat"], ["cat"], ["the"]])).tolist()
    [True, False, False]
    """
    data, preset = scores.dataset, scores.preset
    on_prediction, on_reference = preset.pipeline.on("prediction"), preset.pipeline.on("reference")
    cut = tokenizer(preset.tokenizer).tokens

    def tokens(side: Pipeline, text: str) -> tuple[str, ...]:
        try:
            return tuple(cut(side.apply(text)))
        except StepFailed:
            return ()

    found: npt.NDArray[np.bool_] = (scores.em == 1) & ~scores.emptied
    rows = np.flatnonzero(scores.is_scored & (scores.em != 1) & ~(scores.recall == 0))  # Without a common token nothing is contained.
    for row, text in zip(rows.tolist(), data.predictions.take(rows), strict=True):
        here = tokens(on_prediction, text or "")
        found[row] = any(_stands_in(tokens(on_reference, reference), here) for reference in data.references[row])
    return found


def _stands_in(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    size = len(part)
    return size > 0 and any(whole[start : start + size] == part for start in range(len(whole) - size + 1))
