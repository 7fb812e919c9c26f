"""The named cells of EM against F1."""

from typing import Literal

import numpy as np
import numpy.typing as npt

from evalcore.scoring.scores import Scores

NEAR_MISS_F1 = 0.8  # From here on most of the words agree, so form is the likely cause; the app lets the user move it.

Bucket = Literal["match", "empty_match", "near_miss", "partial", "miss", "unscored"]
BUCKETS: tuple[Bucket, ...] = ("match", "empty_match", "near_miss", "partial", "miss", "unscored")


def bucket_codes(scores: Scores, near: float = NEAR_MISS_F1) -> npt.NDArray[np.int8]:
    """Give every item's bucket as an index into BUCKETS.

    Match: EM 1, or F1 1 where the scorer has no EM. Empty match: the same
    with nothing left of the prediction.
    Near miss: EM 0 and F1 >= near. Partial: EM 0 and 0 < F1 < near.
    Miss: EM 0 and F1 0. Unscored: no score.
    """
    exact = scores.score == 1
    conditions = [~scores.is_scored, exact & scores.emptied, exact, scores.f1 >= near, scores.f1 > 0]
    chosen: list[Bucket] = ["unscored", "empty_match", "match", "near_miss", "partial"]
    return np.select(conditions, [BUCKETS.index(name) for name in chosen], BUCKETS.index("miss")).astype(np.int8)
