"""Reference rules: what several references make of one item.

A rule gets the scored pairs and the groups they belong to, and gives one
row an item. It may look at the texts through the pairs.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from evalcore.scoring.metrics import best_of
from evalcore.scoring.pairs import ItemScores, Pairs, PairScores

Reduce = Callable[[PairScores, Pairs], ItemScores]


def best_reference(scores: PairScores, pairs: Pairs) -> ItemScores:
    """Take the best reference, for EM and for F1 independently; the first of equals."""
    best_em = best_of(scores.em, pairs.starts, pairs.counts)
    best_f1 = best_of(scores.f1, pairs.starts, pairs.counts)
    return ItemScores(
        em=scores.em[best_em],
        f1=scores.f1[best_f1],
        precision=scores.precision[best_f1],
        recall=scores.recall[best_f1],
        em_first=scores.em[pairs.starts],
        common=scores.common[best_f1],
        predicted=scores.predicted[best_f1],
        gold=scores.gold[best_f1],
        best_em=best_em,
        best_f1=best_f1,
    )


REFERENCE_RULES: Mapping[str, Reduce] = MappingProxyType({"max": best_reference})
