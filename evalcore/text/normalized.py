"""A column of texts after a pipeline."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.text.columns import Texts
from evalcore.text.pipeline import Pipeline
from evalcore.text.rules import StepFailed


@dataclass(frozen=True)
class Normalized:
    """The texts of a column after the steps of one side.

    `failed` maps rows that a step could not finish on to its message;
    their text is empty.
    """

    _texts: list[str]
    failed: Mapping[int, str]

    def __len__(self) -> int:
        return len(self._texts)

    def texts(self) -> list[str]:
        """Give Python strings."""
        return self._texts

    def lengths(self) -> npt.NDArray[np.int64]:
        """Give the length of every text in code points."""
        return np.fromiter(map(len, self._texts), dtype=np.int64, count=len(self._texts))


def normalize(texts: Texts, pipeline: Pipeline) -> Normalized:
    """Bring a column through a pipeline; None counts as the empty text."""
    after: list[str] = []
    failed: dict[int, str] = {}
    for row, text in enumerate(texts):
        try:
            after.append(pipeline.apply(text or ""))
        except StepFailed as error:
            failed[row] = str(error)
            after.append("")
    return Normalized(after, failed)
