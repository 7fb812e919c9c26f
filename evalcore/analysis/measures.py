"""Other measures beside EM and F1, for when exact match is the wrong question."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import nan
from types import MappingProxyType
from typing import Any

import numpy as np
import regex
from rapidfuzz.distance import Indel, LCSseq, Levenshtein

from evalcore.analysis.comparison import taken
from evalcore.analysis.containment import contained
from evalcore.dataset import Dataset
from evalcore.scoring.chunks import Progress
from evalcore.scoring.metrics import Floats
from evalcore.scoring.scores import Scores
from evalcore.scoring.statistics import Interval, mean_interval
from evalcore.text.names import UnknownName

STRIDE = 200  # Items between two reports of progress.

PairMeasure = Callable[[str, str], float]


@dataclass(frozen=True)
class Measure:
    """One measure of an answer: what it is, and how it is made.

    Range: 0..1, 1 best, except where `lower_is_better`: then from 0, and
    above 1 where the answer is longer than what it should be.
    `pooled`: the aggregate is made of all texts together, not the mean.
    """

    name: str
    title: str
    summary: str
    source: str
    lower_is_better: bool = False
    pooled: bool = False


@dataclass(frozen=True, eq=False)
class Measured:
    """A measure of every item and of all.

    Shape: `values` has one row an item, NaN where the prediction is
    missing or there is no reference. `interval`: their mean. `pooled`: the
    measure's own number for all texts together, where it has one.
    """

    measure: Measure
    values: Floats
    interval: Interval
    pooled: float | None = None


_WORD_CHARACTERS = regex.compile(r"[^a-z0-9]+")


def rouge_tokens(text: str) -> list[str]:
    """Cut a text as ROUGE does: lower case, runs of a-z and 0-9.

    Differs: letters beyond a-z separate words, so ROUGE is of no use there.
    Source: rouge-score 0.1.2, the default tokenizer without stemmer.

    >>> rouge_tokens("The Café, 1990")
    ['the', 'caf', '1990']
    """
    words: list[str] = _WORD_CHARACTERS.sub(" ", text.lower()).split()
    return words


def rouge_l(prediction: str, reference: str) -> float:
    """Give ROUGE-L's F1: of the longest common subsequence of words.

    Empty: a side without words gives 0.
    Source: C.-Y. Lin 2004; rouge-score 0.1.2.

    >>> rouge_l("the black cat", "the cat")
    0.8
    """
    ours, theirs = rouge_tokens(prediction), rouge_tokens(reference)
    if not ours or not theirs:
        return 0.0
    common = LCSseq.similarity(theirs, ours)
    precision, recall = common / len(ours), common / len(theirs)
    return 2 * precision * recall / (precision + recall) if common else 0.0


def edit_similarity(prediction: str, reference: str) -> float:
    """Give the share of characters that stay when one text is made the other by inserting and deleting.

    Empty: two empty texts give 1.
    Source: rapidfuzz, normalized Indel similarity; 2M / T in terms of difflib.

    >>> edit_similarity("colour", "color")
    0.9090909090909091
    """
    return Indel.normalized_similarity(prediction, reference)


def character_error_rate(prediction: str, reference: str) -> float:
    """Give the characters to change, by those of the reference; 0 is best.

    Empty: against an empty reference 0 for an empty prediction, else 1.

    >>> character_error_rate("kitten", "sitting")
    0.42857142857142855
    """
    if not reference:
        return float(bool(prediction))
    return Levenshtein.distance(prediction, reference) / len(reference)


@cache
def _bleu() -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(effective_order=True)


@cache
def _corpus_bleu() -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU()


@cache
def _chrf() -> Any:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF()


MEASURES: Mapping[str, Measure] = MappingProxyType(
    {
        measure.name: measure
        for measure in (
            Measure("containment", "Containment", "A reference stands in the answer, as the settings see both.", ""),
            Measure("rouge_l", "ROUGE-L", "F1 of the longest common subsequence of words; best reference.", "rouge-score 0.1.2, without stemmer"),
            Measure("bleu", "BLEU", "Common runs of one to four words, with a penalty for short answers; all references.", "sacreBLEU 2", pooled=True),
            Measure("chrf", "chrF", "Common runs of one to six characters; works without words; best reference.", "sacreBLEU 2", pooled=True),
            Measure("edit_similarity", "Edit similarity", "Share of characters that stay; best reference.", "rapidfuzz, Indel"),
            Measure("cer", "Character error rate", "Characters to change, by those of the reference; best reference.", "Levenshtein", lower_is_better=True),
        )
    }
)

_PAIRS: Mapping[str, PairMeasure] = MappingProxyType({"rouge_l": rouge_l, "edit_similarity": edit_similarity, "cer": character_error_rate})


def measured(scores: Scores, name: str, progress: Progress | None = None) -> Measured:
    """Measure the raw predictions of a run against the raw references; containment follows the settings.

    Raises: UnknownName listing the measures.
    """
    if name not in MEASURES:
        raise UnknownName("measure", name, MEASURES)
    measure, data = MEASURES[name], scores.dataset
    if name == "containment":
        values = np.where(scores.is_scored, contained(scores), np.nan)
        return Measured(measure, values, mean_interval(values))
    items = list(prediction_items(data))
    values = np.full(len(data), np.nan)
    for done, (row, prediction, references) in enumerate(items):
        if progress is not None and done % STRIDE == 0:
            progress(done, len(items))
        values[row] = _of_item(name, prediction, references)
    return Measured(measure, values, mean_interval(values), _pooled(name, items) if measure.pooled and items else None)


def measured_item(scores: Scores, row: int) -> Mapping[str, float]:
    """Measure one item with every measure; NaN where its prediction is missing or it has no reference.

    >>> from evalcore.scoring.score import score
    >>> measured_item(score(["the black cat"], [["the cat"]]), 0)["rouge_l"]
    0.8
    """
    one = taken(scores, np.array([row]))
    prediction, references = one.dataset.predictions[0], one.dataset.references[0]
    if prediction is None or not references:
        return dict.fromkeys(MEASURES, nan)
    inside = float(contained(one)[0]) if one.is_scored[0] else nan
    return {name: inside if name == "containment" else _of_item(name, prediction, references) for name in MEASURES}


def prediction_items(data: Dataset) -> Iterator[tuple[int, str, list[str]]]:
    """Give row, prediction and references of every item that has both."""
    texts = data.references.texts.to_list()
    offsets = data.references.offsets.tolist()
    for row, prediction in enumerate(data.predictions):
        references = [text or "" for text in texts[offsets[row] : offsets[row + 1]]]
        if prediction is not None and references:
            yield row, prediction, references


def _of_item(name: str, prediction: str, references: Sequence[str]) -> float:
    if name == "bleu":
        return float(_bleu().sentence_score(prediction, list(references)).score) / 100
    if name == "chrf":
        return float(_chrf().sentence_score(prediction, list(references)).score) / 100
    pair = _PAIRS[name]
    choose = min if MEASURES[name].lower_is_better else max
    return choose(pair(prediction, reference) for reference in references)


def _pooled(name: str, items: Sequence[tuple[int, str, list[str]]]) -> float:
    """Give the corpus score; items with fewer references than others leave the further ones open."""
    most = max(len(references) for _, _, references in items)
    streams = [[references[number] if number < len(references) else None for _, _, references in items] for number in range(most)]
    metric = _corpus_bleu() if name == "bleu" else _chrf()
    return float(metric.corpus_score([prediction for _, prediction, _ in items], streams).score) / 100
