"""The official algorithms written out for the settings that are measured: the slow truth."""

import re
import string
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

Normalize = Callable[[str], str]
Cut = Callable[[str], list[str]]

CHINESE = re.compile(r"[\u4e00-\u9fa5]")
ALL_MARKS = {chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)).startswith("P")} | set(string.punctuation)


def without_articles(text: str) -> str:
    """Put a space in place of English articles, as SQuAD's script does."""
    return re.sub(r"\b(a|an|the)\b", " ", text)


def squeezed(text: str) -> str:
    """Split and join, as SQuAD's script does."""
    return " ".join(text.split())


def without_marks(text: str) -> str:
    """Delete ASCII punctuation, with the set made anew for each text as in SQuAD's script."""
    marks = set(string.punctuation)
    return "".join(character for character in text if character not in marks)


def spaced_marks(text: str) -> str:
    """Put a space in place of ASCII punctuation."""
    marks = set(string.punctuation)
    return "".join(" " if character in marks else character for character in text)


def without_all_marks(text: str) -> str:
    """Delete punctuation of any script, with a set made once as in MLQA's script."""
    return "".join(character for character in text if character not in ALL_MARKS)


def without_accents(text: str) -> str:
    """Decompose, delete marks, compose."""
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(character for character in decomposed if unicodedata.category(character) != "Mn"))


def squad(text: str) -> str:
    """SQuAD v1.1: lower, delete punctuation, drop articles, squeeze whitespace."""
    return squeezed(without_articles(without_marks(text.lower())))


def spaced(text: str) -> str:
    """SQuAD with a space in place of punctuation."""
    return squeezed(without_articles(spaced_marks(text.lower())))


def articles_first(text: str) -> str:
    """SQuAD with articles dropped before punctuation."""
    return squeezed(without_marks(without_articles(text.lower())))


def unaccented(text: str) -> str:
    """SQuAD after stripping accents."""
    return squad(without_accents(text))


def unicode_marks(text: str) -> str:
    """SQuAD with punctuation of any script deleted."""
    return squeezed(without_articles(without_all_marks(text.lower())))


def chinese(text: str) -> str:
    """MLQA's normalization for Chinese."""
    return squeezed(without_all_marks(text.lower()))


def chinese_tokens(text: str) -> list[str]:
    """Cut every Chinese character alone and the rest at whitespace, looking at one character at a time."""
    tokens: list[str] = []
    word = ""
    for character in text:
        if CHINESE.search(character):
            tokens.extend(word.split())
            tokens.append(character)
            word = ""
        else:
            word += character
    tokens.extend(word.split())
    return tokens


def exact(prediction: str, reference: str, normalize: Normalize) -> float:
    """EM of a pair."""
    return float(normalize(prediction) == normalize(reference))


def bag_f1(prediction: str, reference: str, normalize: Normalize, cut: Cut) -> float:
    """F1 of a pair, tokens counted as often as they stand; 0 where no token is shared."""
    predicted, gold = cut(normalize(prediction)), cut(normalize(reference))
    common = sum((Counter(predicted) & Counter(gold)).values())
    if common == 0:
        return 0.0
    precision, recall = common / len(predicted), common / len(gold)
    return (2 * precision * recall) / (precision + recall)


def lenient_f1(prediction: str, reference: str, normalize: Normalize, cut: Cut) -> float:
    """F1 of a pair; two empty texts agree."""
    predicted, gold = cut(normalize(prediction)), cut(normalize(reference))
    if not predicted or not gold:
        return float(predicted == gold)
    common = sum((Counter(predicted) & Counter(gold)).values())
    if common == 0:
        return 0.0
    precision, recall = common / len(predicted), common / len(gold)
    return (2 * precision * recall) / (precision + recall)


def set_f1(prediction: str, reference: str, normalize: Normalize, cut: Cut) -> float:
    """F1 of a pair, each token counted once; two empty texts agree."""
    predicted, gold = set(cut(normalize(prediction))), set(cut(normalize(reference)))
    if not predicted or not gold:
        return float(predicted == gold)
    common = len(predicted & gold)
    if common == 0:
        return 0.0
    precision, recall = common / len(predicted), common / len(gold)
    return (2 * precision * recall) / (precision + recall)


F1 = Callable[[str, str, Normalize, Cut], float]


def compute_score(
    predictions: Sequence[str],
    references: Iterable[Sequence[str]],
    normalize: Normalize = squad,
    cut: Cut = str.split,
    f1: F1 = bag_f1,
    drop_empty: bool = False,
) -> tuple[float, float]:
    """Give mean EM and F1, the best reference for each, added from left to right."""
    total_em = total_f1 = 0.0
    for prediction, listed in zip(predictions, references, strict=True):
        gold = ([reference for reference in listed if normalize(reference)] or [""]) if drop_empty else listed
        total_em += max(exact(prediction, reference, normalize) for reference in gold)
        total_f1 += max(f1(prediction, reference, normalize, cut) for reference in gold)
    return total_em / len(predictions), total_f1 / len(predictions)
