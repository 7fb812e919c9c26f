"""The reference an item's score comes from."""

from evalcore.scoring.scores import Scores


def best_reference(scores: Scores, row: int) -> int:
    """Give the index of the reference an item is shown against, -1 for "no answer" or none.

    The one that EM matches, else the best for F1; under settings without
    F1 the best for EM.

    >>> from evalcore.scoring.score import score
    >>> best_reference(score(["the cat"], [["dog", "cat"]]), 0)
    1
    """
    if scores.em[row] == 1 or not scores.preset.has_f1:
        return int(scores.best_em[row])
    return int(scores.best_f1[row])
