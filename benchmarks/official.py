"""The official SQuAD algorithm, written out: the slow truth to measure against."""

import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

Normalize = Callable[[str], str]
Cut = Callable[[str], list[str]]


def normalize_v1(text: str) -> str:
    """Lower, delete punctuation, drop articles, squeeze whitespace; each a pass of its own."""

    def without_articles(text: str) -> str:
        return re.sub(r"\b(a|an|the)\b", " ", text)

    def squeezed(text: str) -> str:
        return " ".join(text.split())

    def without_marks(text: str) -> str:
        marks = set(string.punctuation)
        return "".join(character for character in text if character not in marks)

    return squeezed(without_articles(without_marks(text.lower())))


def exact(prediction: str, reference: str, normalize: Normalize) -> float:
    return float(normalize(prediction) == normalize(reference))


def f1(prediction: str, reference: str, normalize: Normalize, cut: Cut) -> float:
    predicted, gold = cut(normalize(prediction)), cut(normalize(reference))
    common = sum((Counter(predicted) & Counter(gold)).values())
    if common == 0:
        return 0.0
    precision, recall = common / len(predicted), common / len(gold)
    return (2 * precision * recall) / (precision + recall)


def compute_score(
    predictions: Sequence[str], references: Iterable[Sequence[str]], normalize: Normalize = normalize_v1, cut: Cut = str.split
) -> tuple[float, float]:
    """Give mean EM and F1, the best reference for each, added from left to right."""
    total_em = total_f1 = 0.0
    for prediction, listed in zip(predictions, references, strict=True):
        total_em += max(exact(prediction, reference, normalize) for reference in listed)
        total_f1 += max(f1(prediction, reference, normalize, cut) for reference in listed)
    return total_em / len(predictions), total_f1 / len(predictions)
