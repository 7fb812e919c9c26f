"""Collisions: different answers that the settings make equal, and matches to be looked at."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from evalcore.analysis.losses import Loss, cut_letters, losses
from evalcore.scoring.chunks import Progress
from evalcore.scoring.preset import Preset
from evalcore.scoring.scores import Scores
from evalcore.text.columns import Texts
from evalcore.text.normalized import normalize
from evalcore.text.pipeline import Pipeline
from evalcore.text.program import program_of

Rows = npt.NDArray[np.int64]
Caution = Literal["suspicious_deletion", "empty_match", "short_reference"]
CAUTION_TITLES: dict[Caution, str] = {
    "suspicious_deletion": "only by a loss",
    "empty_match": "though nothing is left of either side",
    "short_reference": "because a reference of one or two characters stands in the prediction",
}  # How an item with EM 1 matches, as the pages and the command line say it.

CHUNK = 8192  # Items between two calls of progress.
SHORT_REFERENCE = 2  # A reference of so many characters stands in nearly every longer prediction by chance.
LOOSE_MATCHES = ("contains", "token_run", "spelling")
MAX_MEMBERS = 50  # Different spellings of one normalized reference that are compared with one another.
CUTTING_GROUPS = ("patterns", "characters", "words")  # Groups whose steps delete what they match, whatever it stands in.


@dataclass(frozen=True)
class Collision:
    """One matched item whose raw texts are different answers."""

    row: int
    reference: int
    prediction_text: str
    reference_text: str
    normalized: str
    losses: tuple[Loss, ...]


@dataclass(frozen=True)
class Merge:
    """References of different items that are one text under the settings.

    `texts` are the different raw texts, `rows` the items that have them.
    `losses` tells what was lost; without any the texts differ in form alone.
    """

    normalized: str
    texts: tuple[str, ...]
    rows: tuple[int, ...]
    losses: tuple[Loss, ...]


@dataclass(frozen=True, eq=False)
class Collisions:
    """What the settings merge.

    `pairs`: matched items that match only by a loss. `merges`: references
    of different items that fall together, the suspicious ones first.
    `distinct`: different references as they came, `merged`: after the
    settings, `pinned`: after the settings they are compared with, -1
    without. `warnings` maps a warning to the rows that carry it.
    """

    pairs: tuple[Collision, ...]
    merges: tuple[Merge, ...]
    distinct: int
    merged: int
    pinned: int
    warnings: dict[Caution, Rows]

    @property
    def suspicious_merges(self) -> tuple[Merge, ...]:
        return tuple(merge for merge in self.merges if merge.losses)

    @property
    def is_alarm(self) -> bool:
        """Tell whether anything different became equal, or a match has nothing left to compare."""
        return bool(self.pairs or self.suspicious_merges) or any(len(rows) for rows in self.warnings.values())

    def among(self, rows: Rows) -> tuple[int, ...]:
        """Give those of some rows that match only by a loss, in order."""
        wanted = set(rows.tolist())
        return tuple(sorted(pair.row for pair in self.pairs if pair.row in wanted))

    def cautions(self, row: int) -> tuple[Caution, ...]:
        """Give the warnings a matched item carries."""
        return tuple(name for name in CAUTION_TITLES if row in self.warnings[name])

    @cached_property
    def counts(self) -> dict[Loss, int]:
        """Count pairs and merges by what was lost."""
        found: dict[Loss, int] = {}
        for lost in (*(pair.losses for pair in self.pairs), *(merge.losses for merge in self.suspicious_merges)):
            for loss in lost:
                found[loss] = found.get(loss, 0) + 1
        return found


def find_collisions(scores: Scores, pinned: Preset | None = None, progress: Progress | None = None) -> Collisions:
    """Find the matches and references that became equal by losing something.

    `progress(done, items)` is called now and then; what it raises stops the run.

    >>> from evalcore.scoring.score import score
    >>> [pair.losses for pair in find_collisions(score(["-5", "Paris."], [["5"], ["Paris"]])).pairs]
    [('sign',)]
    """
    report = progress or (lambda done, items: None)
    matched = np.flatnonzero((scores.em == 1) & (scores.best_em >= 0))
    tester = _Losses(scores.preset)
    pairs: list[Collision] = []
    for start in range(0, len(matched), CHUNK):
        report(start, len(scores))
        pairs += _suspicious(scores, matched[start : start + CHUNK], tester)
    report(len(matched), len(scores))
    merges, distinct, merged = _merges(scores, tester)
    kept = -1 if pinned is None else references_apart(scores, pinned)
    report(len(scores), len(scores))
    warnings: dict[Caution, Rows] = {
        "suspicious_deletion": np.array([pair.row for pair in pairs], dtype=np.int64),
        "empty_match": np.flatnonzero((scores.em == 1) & scores.emptied),
        "short_reference": _short_references(scores, matched),
    }
    return Collisions(tuple(pairs), merges, distinct, merged, kept, warnings)


def suspicious_among(scores: Scores, rows: Rows) -> tuple[Collision, ...]:
    """Find those of some matched rows that match only by a loss."""
    matched = rows[(scores.em[rows] == 1) & (scores.best_em[rows] >= 0)]
    return tuple(_suspicious(scores, matched, _Losses(scores.preset)))


class _Losses:
    """Tells what two raw texts lost that are equal under a preset."""

    def __init__(self, preset: Preset) -> None:
        self.preset = preset
        self.on_prediction = preset.pipeline.on("prediction")
        self.on_reference = preset.pipeline.on("reference")
        self.cuts = any(step.entry.group in CUTTING_GROUPS for step in preset.pipeline)
        self.known: dict[tuple[str, str], tuple[Loss, ...]] = {}

    def __call__(self, first: str, second: str, normalized: str, first_pipeline: Pipeline | None = None) -> tuple[Loss, ...]:
        found = self.known.get((first, second))
        if found is None:
            found = self.known[first, second] = self._losses(first, second, normalized, first_pipeline or self.on_prediction)
        return found

    def _losses(self, first: str, second: str, normalized: str, first_pipeline: Pipeline) -> tuple[Loss, ...]:
        if not normalized:
            return ("everything",) if first.strip() or second.strip() else ()
        found = losses(first, second)
        if self.cuts and first.casefold() != second.casefold():
            sides = ((first_pipeline, first), (self.on_reference, second))
            if any(self._cuts_letters(pipeline, text) for pipeline, text in sides):
                found = (*found, "letters")
        return found

    def _cuts_letters(self, pipeline: Pipeline, text: str) -> bool:
        return any(
            stage.step.entry.group in CUTTING_GROUPS and stage.changed and cut_letters(stage.before, stage.edits) for stage in pipeline.trace(text).stages
        )


def _suspicious(scores: Scores, rows: Rows, tester: _Losses) -> list[Collision]:
    """Look at the matched items of a chunk whose raw texts differ."""
    if scores.preset.match != "equal":
        return []
    data = scores.dataset.take(rows)
    best = scores.best_em[rows]
    references = data.references.texts.take(data.references.offsets[:-1] + best)
    differing = [
        number
        for number, (ours, theirs) in enumerate(zip(data.predictions, references, strict=True))
        if ours != theirs and ours is not None and theirs is not None
    ]
    normalized = _after(references.take(differing), tester.on_reference)
    found = []
    for number, text in zip(differing, normalized, strict=True):
        ours, theirs = data.predictions[number] or "", references[number] or ""
        lost = tester(extracted(tester.on_prediction, ours), theirs, text)
        if lost:
            found.append(Collision(int(rows[number]), int(best[number]), ours, theirs, text, lost))
    return found


def extracted(pipeline: Pipeline, text: str) -> str:
    """Give a prediction after the extraction steps: what they leave out is no part of the answer."""
    for step in pipeline:
        if step.entry.group in ("extraction", "cuts", "markup"):
            text = step.apply(text)
    return text


def _merges(scores: Scores, tester: _Losses) -> tuple[tuple[Merge, ...], int, int]:
    """Group the references of all items by what is left of them."""
    raw = scores.dataset.references
    texts = [text or "" for text in raw.texts]
    after = _after(raw.texts, tester.on_reference)
    distinct: dict[str, str] = dict(zip(texts, after, strict=True))
    groups: dict[str, list[str]] = defaultdict(list)
    for text, result in distinct.items():
        groups[result].append(text)
    several = {result: members for result, members in groups.items() if len(members) > 1}
    holders = _holders(raw.counts(), texts, {member for members in several.values() for member in members})
    found = [merge for result, members in several.items() if (merge := _merge(result, members, holders, tester))]
    return tuple(sorted(found, key=lambda merge: (not merge.losses, -len(merge.rows)))), len(distinct), len(groups)


def _holders(counts: Rows, texts: Sequence[str], wanted: set[str]) -> dict[str, set[int]]:
    owners = np.repeat(np.arange(len(counts)), counts).tolist()
    holders: dict[str, set[int]] = defaultdict(set)
    for owner, text in zip(owners, texts, strict=True):
        if text in wanted:
            holders[text].add(owner)
    return holders


def _merge(result: str, members: Sequence[str], holders: dict[str, set[int]], tester: _Losses) -> Merge | None:
    """Make a merge of references no single item holds together."""
    chosen = list(members)[:MAX_MEMBERS]
    apart = [member for member in chosen if any(not holders[member] & holders[other] for other in chosen if other != member)]
    if len(apart) < 2:
        return None
    rows = sorted(set().union(*(holders[member] for member in apart)))
    lost: dict[Loss, None] = {}
    for member in apart[1:]:
        lost.update(dict.fromkeys(tester(apart[0], member, result, tester.on_reference)))
    return Merge(result, tuple(apart), tuple(rows), tuple(lost))


def references_apart(scores: Scores, preset: Preset) -> int:
    """Count the different references of a run that are left under some settings."""
    return len(set(_after(scores.dataset.references.texts, preset.pipeline.on("reference"))))


def _short_references(scores: Scores, matched: Rows) -> Rows:
    """Give the rows that match a reference of a character or two by a rule looser than equality."""
    if scores.preset.match not in LOOSE_MATCHES or not len(matched):
        return matched[:0]
    data = scores.dataset.references
    texts = data.texts.take(data.offsets[:-1][matched] + scores.best_em[matched])
    lengths = np.fromiter(map(len, _after(texts, scores.preset.pipeline.on("reference"))), dtype=np.int64, count=len(matched))
    return matched[lengths <= SHORT_REFERENCE]


def _after(texts: Texts, pipeline: Pipeline) -> list[str]:
    """Bring a column through the steps of one side."""
    return normalize(texts, program_of(pipeline, "whitespace")).texts()
