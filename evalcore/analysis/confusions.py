"""Confusions: which words of the references the predictions have as other words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Indel

from evalcore.scoring.chunks import Progress
from evalcore.scoring.scores import Scores
from evalcore.text.columns import Texts
from evalcore.text.diff import blocks
from evalcore.text.normalized import normalize
from evalcore.text.program import program_of
from evalcore.text.tokens import tokenizer

Rows = npt.NDArray[np.int64]

CHUNK = 4096  # Items between two calls of progress.
LONGEST = 60  # Tokens; a longer prediction is prose around an answer, and its words are no confusions.
MAX_RUN = 6  # Tokens; runs of more differ as a whole and say nothing that would come again.
LIKE = 0.5  # Two words of like spelling belong together; from here on more letters agree than not.


@dataclass(frozen=True)
class Confusion:
    """One replacement: what the reference says and what the prediction says in its place.

    Empty: `predicted` is "" where a word is missing, `reference` "" where
        one is added.
    `rows` are the items it happens in; `sole` counts those in which
    nothing else differs: they would match without it. `points` is that
    count as EM points, 0..1 of the scored items.
    """

    reference: str
    predicted: str
    rows: tuple[int, ...]
    sole: int
    points: float

    @property
    def count(self) -> int:
        return len(self.rows)

    @property
    def example(self) -> int:
        """Give the row of an item it happens in, one in which nothing else differs if there is any."""
        return self.rows[0]


def find_confusions(scores: Scores, most: int = 100, progress: Progress | None = None) -> tuple[Confusion, ...]:
    """Find the replacements that cost most, from the failed items and their references best for F1.

    Both sides are aligned word by word as the settings compare them; inside
    a stretch that differs, words of like spelling are put together first.
    `progress(done, items)` is called now and then; what it raises stops the run.

    >>> from evalcore.scoring.score import score
    >>> found = find_confusions(score(["grey cat", "grey dog"], [["gray cat"], ["gray dog"]]))
    >>> [(one.reference, one.predicted, one.count, one.sole) for one in found]
    [('gray', 'grey', 2, 2)]
    """
    report = progress or (lambda done, items: None)
    failed = np.flatnonzero((scores.em == 0) & (scores.best_f1 >= 0))
    found: dict[tuple[str, str], list[tuple[int, bool]]] = {}
    for start in range(0, len(failed), CHUNK):
        report(start, len(failed))
        part = failed[start : start + CHUNK]
        for row, ours, theirs in zip(part.tolist(), *_tokens(scores, part), strict=True):
            changes = list(aligned(theirs, ours)) if ours and theirs and len(ours) <= LONGEST and len(theirs) <= LONGEST else []
            for change in dict.fromkeys(changes):
                found.setdefault(change, []).append((row, len(changes) == 1))
    report(len(failed), len(failed))
    scored = max(1, int(scores.is_scored.sum()))
    listed = [_confusion(reference, predicted, places, scored) for (reference, predicted), places in found.items()]
    return tuple(sorted(listed, key=lambda one: (-one.sole, -one.count, one.reference, one.predicted))[:most])


def _confusion(reference: str, predicted: str, places: Iterable[tuple[int, bool]], scored: int) -> Confusion:
    ordered = sorted(places, key=lambda place: (not place[1], place[0]))
    sole = sum(alone for _, alone in ordered)
    return Confusion(reference, predicted, tuple(row for row, _ in ordered), sole, sole / scored)


def _tokens(scores: Scores, rows: Rows) -> tuple[list[list[str]], list[list[str]]]:
    """Give the tokens of predictions and their best references, as the settings cut them."""
    data = scores.dataset.take(rows)
    references = data.references.texts.take(data.references.offsets[:-1] + scores.best_f1[rows])
    cut = tokenizer(scores.preset.tokenizer).tokens
    both: tuple[tuple[Texts, str], ...] = ((data.predictions, "prediction"), (references, "reference"))
    ours, theirs = (
        [cut(text) for text in normalize(texts, program_of(scores.preset.pipeline.on(side), "whitespace")).texts()]  # type: ignore[arg-type]
        for texts, side in both
    )
    return ours, theirs


def aligned(reference: Sequence[str], predicted: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Give what stands in the reference and what stands in its place, for every stretch that differs.

    >>> list(aligned(["the", "color", "red"], ["colour", "deep", "red"]))
    [('the', ''), ('color', 'colour'), ('', 'deep')]
    """
    for block in blocks(reference, predicted):
        if block.change == "equal":
            continue
        theirs, ours = reference[block.start : block.end], predicted[block.new_start : block.new_end]
        if len(theirs) > MAX_RUN or len(ours) > MAX_RUN:
            continue
        yield from _paired(theirs, ours)


def _paired(theirs: Sequence[str], ours: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Put words of like spelling together, in order; what lies between two such pairs is one replacement."""
    if not theirs or not ours:
        yield " ".join(theirs), " ".join(ours)
        return
    anchors = [(-1, -1), *_anchors(theirs, ours), (len(theirs), len(ours))]
    for (first, second), (next_first, next_second) in pairwise(anchors):
        if first >= 0:
            yield theirs[first], ours[second]
        left, right = " ".join(theirs[first + 1 : next_first]), " ".join(ours[second + 1 : next_second])
        if left or right:
            yield left, right


def _anchors(theirs: Sequence[str], ours: Sequence[str]) -> list[tuple[int, int]]:
    """Find the pairs of like words with the largest sum of likeness that do not cross."""
    best = np.zeros((len(theirs) + 1, len(ours) + 1))
    like = np.array([[_likeness(first, second) for second in ours] for first in theirs])
    for row in range(len(theirs) - 1, -1, -1):
        for column in range(len(ours) - 1, -1, -1):
            best[row, column] = max(best[row + 1, column], best[row, column + 1], best[row + 1, column + 1] + like[row, column])
    found, row, column = [], 0, 0
    while row < len(theirs) and column < len(ours):
        if like[row, column] and best[row, column] == best[row + 1, column + 1] + like[row, column]:
            found.append((row, column))
            row, column = row + 1, column + 1
        elif best[row, column] == best[row + 1, column]:
            row += 1
        else:
            column += 1
    return found


def _likeness(first: str, second: str) -> float:
    """Give the share of common letters where it says that both are one word, else 0."""
    share = Indel.normalized_similarity(first, second)
    return share if share > LIKE else 0.0
