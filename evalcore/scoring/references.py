"""Reference rules: what several references make of one item.

A rule gets the scored pairs and the groups they belong to, and gives one
row an item. It may look at the texts through the pairs.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from evalcore.scoring.metrics import Floats, best_of
from evalcore.scoring.pairs import ItemScores, Pairs, PairScores

Reduce = Callable[[PairScores, Pairs], ItemScores]


def best_reference(scores: PairScores, pairs: Pairs) -> ItemScores:
    """Take the best reference, for EM and for F1 independently; the first of equals.

    Empty: where a scorer has no EM or no F1, the other one decides.
    """
    has_em, has_f1 = not np.isnan(scores.em).any(), not np.isnan(scores.f1).any()
    deciding = scores.em if has_em else scores.f1 if has_f1 else np.zeros(len(pairs))
    best_em = best_of(deciding, pairs.starts, pairs.counts)
    best_f1 = best_of(scores.f1, pairs.starts, pairs.counts) if has_f1 else best_em
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


def best_of_each(scores: PairScores, pairs: Pairs) -> ItemScores:
    """Take the best reference for EM, F1, precision and recall, each on its own.

    Source: the scripts of 2WikiMultihopQA v1.1 and FlashRAG.
    """
    precision, recall = (np.maximum.reduceat(values, pairs.starts) for values in (scores.precision, scores.recall))
    return replace(best_reference(scores, pairs), precision=precision, recall=recall)


def leave_one_out(scores: PairScores, pairs: Pairs) -> ItemScores:
    """Take the mean over all ways to leave one reference out, of the best of the others.

    Precision, recall and counts are those of the best reference.
    Source: CoQA's script; a single reference is compared as it is.
    """
    return replace(leave_one_out_f1(scores, pairs), em=_mean_without_each(scores.em, pairs))


def leave_one_out_f1(scores: PairScores, pairs: Pairs) -> ItemScores:
    """Leave one reference out in turn for F1; EM takes the best one.

    Source: QuAC's script, which has no EM.
    """
    return replace(best_reference(scores, pairs), f1=_mean_without_each(scores.f1, pairs))


def _mean_without_each(values: Floats, pairs: Pairs) -> Floats:
    """Add from left to right, as the scripts do; the best value is missed only where it is left out."""
    best = best_of(values, pairs.starts, pairs.counts)
    others = values.copy()
    others[best] = -1.0
    second = np.maximum.reduceat(others, pairs.starts)
    total = np.zeros(len(best))
    for place in range(int(pairs.counts.max(initial=0))):
        there = np.flatnonzero(pairs.counts > place)
        left_out = pairs.starts[there] + place
        total[there] += np.where(left_out == best[there], second[there], values[best[there]])
    several = pairs.counts > 1
    means: Floats = np.where(several, total / pairs.counts, values[best])
    return means


def spans(scores: PairScores, pairs: Pairs) -> ItemScores:
    """Take all references as one answer of several spans, the prediction as one span.

    F1 is that of the best span over the number of spans; EM needs the
    prediction to be the only span.
    Source: the alignment of DROP's script, for a prediction of one span.
    """
    best = best_reference(scores, pairs)
    several = (pairs.counts > 1) & ~np.isnan(best.em)
    return replace(best, em=np.where(several, 0.0, best.em), em_first=np.where(several, 0.0, best.em_first), f1=best.f1 / pairs.counts)


def all_references(scores: PairScores, pairs: Pairs) -> ItemScores:
    """Ask for every reference; the one that fails first decides. F1 is that of the best.

    Source: promptfoo's contains-all.
    """
    best = best_reference(scores, pairs)
    worst = best_of(-scores.em, pairs.starts, pairs.counts)
    return replace(best, em=scores.em[worst], best_em=worst)


def rounded(scores: ItemScores, rounding: str) -> ItemScores:
    """Round F1 as the scorer does, in every item.

    Source: Python's round on a binary float, half to even.
    """
    if rounding == "none":
        return scores
    scale = 100 if rounding == "hundredths_of_percent" else 1
    return replace(scores, f1=np.array([round(value * scale, 2) / scale for value in scores.f1.tolist()], dtype=np.float64))


REFERENCE_RULES: Mapping[str, Reduce] = MappingProxyType(
    {
        "max": best_reference,
        "max_each": best_of_each,
        "all": all_references,
        "leave_one_out": leave_one_out,
        "leave_one_out_f1": leave_one_out_f1,
        "spans": spans,
    }
)
