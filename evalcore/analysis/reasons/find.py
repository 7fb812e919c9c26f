"""The reasons of all failed items of a run."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.analysis.fixes import Fixes, find_fixes, listed
from evalcore.analysis.moves import is_cutting
from evalcore.analysis.reasons.answer import Answer
from evalcore.analysis.reasons.item import Item, name_of
from evalcore.analysis.reasons.met import Met
from evalcore.analysis.reasons.pair import Evidence, Question
from evalcore.analysis.reasons.table import CODES, REASONS, SURFACE, Reason
from evalcore.dataset import Dataset, References
from evalcore.scoring.chunks import Progress
from evalcore.scoring.scores import Scores
from evalcore.text.extraction.thinking import drop_thinking

Rows = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int8]
Main = tuple[int, int, int]  # A row, the code of its main reason, the reference that is about.

NONE = -1  # The code of an item that did not fail.
CHUNK = 2048  # Items between two calls of progress.
MAX_LABELS = 12  # More different references than this are answers, not labels.
LABEL_USES = 5  # Every label is the reference of so many items at the least.
ALIAS_OWNERS = 20  # Other items looked at for one name.
ALIAS_LENGTH = 60  # Longer predictions are no names.
_THINKING = drop_thinking(unclosed="keep")


@dataclass(frozen=True)
class Found:
    """One reason of one item: the reference it is about (-1: none in particular) and what shows it."""

    reason: Reason
    reference: int
    evidence: Evidence


@dataclass(frozen=True)
class ReasonCount:
    """How many items failed for a reason mainly, and what that costs: EM points, 0..1 of the scored items."""

    reason: Reason
    items: int
    points: float


@dataclass(frozen=True, eq=False)
class Reasons:
    """The main reason of every failed item.

    Shape: `codes` has one row an item, an index into REASONS, -1 for
    items that did not fail; `reference` the index of the reference the
    reason is about, -1 for none in particular. `surroundings` is what the
    whole run tells about single items.
    """

    scores: Scores
    fixes: Fixes
    codes: Codes
    reference: Rows
    surroundings: "Surroundings"

    def counts(self) -> tuple[ReasonCount, ...]:
        """Count the failed items by main reason, the most frequent first."""
        scored = int(self.scores.is_scored.sum())
        counted = np.bincount(self.codes[self.codes >= 0], minlength=len(REASONS))
        order = sorted(np.flatnonzero(counted).tolist(), key=lambda code: (-counted[code], code))
        return tuple(ReasonCount(REASONS[code], int(counted[code]), int(counted[code]) / scored) for code in order)

    @cached_property
    def is_surface(self) -> npt.NDArray[np.bool_]:
        """Tell for every item whether it failed for its form alone."""
        return np.isin(self.codes, sorted(SURFACE))

    def rows_of(self, *names: str) -> Rows:
        """Give the rows whose main reason is one of these.

        Raises: KeyError for a name that is no reason.
        """
        return np.flatnonzero(np.isin(self.codes, [CODES[name] for name in names]))

    def of(self, row: int) -> tuple[Found, ...]:
        """Give all reasons of one item with their evidence, the main one first.

        Empty: the item did not fail. A reason that only says that nothing
            else was found is left out beside others.
        """
        if self.codes[row] == NONE:
            return ()
        item = next(_Items(self.scores, self.surroundings).items(np.array([row]), self.fixes))[1]
        return all_reasons(item)


def all_reasons(item: Item) -> tuple[Found, ...]:
    """Give every reason that holds for an item, in order."""
    found: list[Found] = []
    for reason in REASONS:
        if found and reason.name in {"different_answer", "partly_shared", "truncated"}:
            break
        if found and reason.name == "several_forms" and not item.fixed.jointly:
            continue
        hit = reason.test(item)
        if hit is not None:
            found.append(Found(reason, hit.reference, hit.evidence))
    return tuple(found)


def find_reasons(scores: Scores, fixes: Fixes | None = None, progress: Progress | None = None) -> Reasons:
    """Find the main reason of every failed item.

    `fixes` are those of the same scores; without them they are searched
    first. `progress(done, items)` is called now and then; what it raises stops the run.

    >>> from evalcore.scoring.score import score
    >>> found = find_reasons(score(["STRASSE", "in Paris, France", "Rome"], [["Straße"], ["Paris"], ["Lyon"]]))
    >>> [REASONS[code].name for code in found.codes]
    ['case', 'extra_words', 'different_answer']
    """
    fixes = fixes or find_fixes(scores)
    return _searched(scores, fixes, ReasonSearch(scores), progress)


def reasons_alone(scores: Scores, languages: Sequence[str]) -> Codes:
    """Find the main reason of every failed item by what that item says alone, so that it does not depend on the others.

    Shape: one row an item, an index into REASONS, -1 for items that did not fail.
    Differs: steps of a language are tried in `languages`, and not in those
    that the run shows; references of other items are no aliases and no
    labels. Where these decide, `find_reasons` gives another reason.
    """
    alone = Surroundings(scores.dataset.references, frozenset(), {})
    return _searched(scores, find_fixes(scores, languages=languages), ReasonSearch(scores, alone)).codes


def _searched(scores: Scores, fixes: Fixes, search: "ReasonSearch", progress: Progress | None = None) -> Reasons:
    report = progress or (lambda done, items: None)
    failed = np.flatnonzero(scores.em == 0)
    found: list[Main] = []
    for start in range(0, len(failed), CHUNK):
        report(start, len(failed))
        found += search.of(failed[start : start + CHUNK], fixes)
    report(len(failed), len(failed))
    return gathered(scores, fixes, found, search.surroundings)


class ReasonSearch:
    """The search for the main reasons of one run, some failed rows at a time."""

    def __init__(self, scores: Scores, surroundings: "Surroundings | None" = None) -> None:
        self.surroundings = surroundings or Surroundings.of(scores)
        self.items = _Items(scores, self.surroundings)

    def of(self, rows: Rows, fixes: Fixes) -> list[Main]:
        """Give the main reasons of some failed rows; `fixes` are theirs."""
        return [(row, *_main(item)) for row, item in self.items.items(rows, fixes)]


def gathered(scores: Scores, fixes: Fixes, found: Iterable[Main], surroundings: "Surroundings") -> Reasons:
    """Put the main reasons of all failed rows together."""
    codes = np.full(len(scores), NONE, dtype=np.int8)
    about = np.full(len(scores), -1, dtype=np.int64)
    for row, code, reference in found:
        codes[row], about[row] = code, reference
    return Reasons(scores, fixes, codes, about, surroundings)


def _main(item: Item) -> tuple[int, int]:
    for code, reason in enumerate(REASONS):
        hit = reason.test(item)
        if hit is not None:
            return code, hit.reference
    raise AssertionError("the last reason always holds")


class _Items:
    """Makes items out of the rows of a run, with one Answer a distinct text."""

    def __init__(self, scores: Scores, surroundings: "Surroundings") -> None:
        self.scores = scores
        self.surroundings = surroundings
        self.extracts = any(is_cutting(step.entry) for step in scores.preset.pipeline)
        self.met = Met(scores.preset)
        self.references: dict[str, Answer] = {}
        self.questions: dict[str, Question] = {}

    def items(self, rows: Rows, fixes: Fixes) -> Iterator[tuple[int, Item]]:
        data = self.scores.dataset.take(rows)
        questions = data.questions.to_list() if data.questions is not None else [None] * len(rows)
        for row, prediction, question, references in zip(rows.tolist(), data.predictions, questions, listed(data.references), strict=True):
            best = int(self.scores.best_f1[row])
            yield (
                row,
                Item(
                    Answer(_said(prediction or "")),
                    [self._reference(text) for text in references],
                    self._question(question or ""),
                    best=best,
                    fixed=self.met.fixed(fixes.of(row), prediction or "", references, best),
                    emptied=bool(self.scores.emptied[row]),
                    extracts=self.extracts,
                    labels=self.surroundings.labels,
                    also=self.surroundings.aliases(row, prediction or ""),
                ),
            )

    def _reference(self, text: str) -> Answer:
        return self.references.setdefault(text, Answer(text)) if text not in self.references else self.references[text]

    def _question(self, text: str) -> Question:
        if text not in self.questions:
            self.questions[text] = Question(text)
        return self.questions[text]


def _said(prediction: str) -> str:
    """Give a prediction without its closed reasoning, which is no part of the answer."""
    return _THINKING.apply(prediction) if "</" in prediction else prediction


def labels_of(dataset: Dataset) -> frozenset[str]:
    """Give the labels of a task whose references are a few words used again and again; nothing for other data.

    >>> labels_of(Dataset.of([""] * 10, [["yes"]] * 5 + [["No"]] * 5)) == {"yes", "no"}
    True
    """
    counts = dataset.references.texts.array.value_counts()
    if not 2 <= len(counts) <= MAX_LABELS or (dataset.references.counts() > 1).any():
        return frozenset()
    used = counts.field("counts").to_pylist()
    if min(used) < LABEL_USES:
        return frozenset()
    return frozenset(Answer(value.decode("utf-8", "surrogatepass")).line.strip() for value in counts.field("values").to_pylist())


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What the other items of a run tell about one of them.

    `labels` are the accepted labels, empty where the data has none;
    `owners` maps a prediction, by `name_of`, to the items that have it
    among several references.
    """

    references: References
    labels: frozenset[str]
    owners: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, scores: Scores) -> "Surroundings":
        """Look at all items of a run."""
        data = scores.dataset
        return cls(data.references, labels_of(data), _owners(data, np.flatnonzero(scores.em == 0)))

    def aliases(self, row: int, prediction: str) -> frozenset[str]:
        """Give the references of other items that have the prediction among theirs."""
        owners = self.owners.get(name_of(prediction), ()) if self.owners and len(prediction) <= ALIAS_LENGTH else ()
        others = [owner for owner in owners if owner != row][:ALIAS_OWNERS]
        return frozenset(name_of(text) for owner in others for text in self.references[owner])


def _owners(dataset: Dataset, failed: Rows) -> dict[str, list[int]]:
    """Map the predictions of failed items to the items that have them among several references."""
    wanted = {name_of(text) for text in dataset.predictions.take(failed) if text is not None and len(text) <= ALIAS_LENGTH}
    several = np.flatnonzero(dataset.references.counts() > 1)
    found: dict[str, list[int]] = defaultdict(list)
    if wanted and len(several):
        chosen = dataset.references.take(several)
        for owner, text in zip(np.repeat(several, chosen.counts()).tolist(), chosen.texts.to_list(), strict=True):
            name = name_of(text or "")
            if name in wanted:
                found[name].append(owner)
    return dict(found)


def names(reasons: Sequence[Found]) -> tuple[str, ...]:
    """Give the names of found reasons."""
    return tuple(found.reason.name for found in reasons)
