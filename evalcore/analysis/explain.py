"""Explain one item: both sides traced, the arithmetic of its F1, why it failed, and what would make it match."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING

from evalcore.analysis.best_reference import best_reference
from evalcore.dataset import Dataset
from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import settings_of
from evalcore.scoring.score import score
from evalcore.scoring.token_lists import common_run
from evalcore.text.columns import Texts
from evalcore.text.pipeline import Stage, Trace
from evalcore.text.steps import Step

if TYPE_CHECKING:
    from evalcore.analysis.fixes import Fix
    from evalcore.analysis.reasons import Found


@dataclass(frozen=True)
class TokenRow:
    """One distinct token: how often it stands on either side, and how often it is matched."""

    token: str
    predicted: int
    gold: int
    matched: int


@dataclass(frozen=True)
class StepRow:
    """One step of the settings on both sides; None where it does not act.

    `equal` tells whether both sides are equal after it; `decides` whether
    this step made them equal for good.
    """

    step: Step
    prediction: Stage | None
    reference: Stage | None
    equal: bool
    decides: bool

    @property
    def touched(self) -> bool:
        return any(stage is not None and stage.changed for stage in (self.prediction, self.reference))


@dataclass(frozen=True)
class ReferenceScore:
    """One reference of the item with its own scores; index -1 is "no answer"."""

    index: int
    text: str
    normalized: str
    em: float
    f1: float


@dataclass(frozen=True)
class Explanation:
    """All that decided one item, against its best reference; reasons and fixes are searched when first asked for."""

    preset: Preset
    question: str
    prediction: Trace
    reference: Trace
    best: int
    em: float
    f1: float
    precision: float
    recall: float
    unscored: str | None
    references: tuple[ReferenceScore, ...]
    steps: tuple[StepRow, ...]
    tokens: tuple[TokenRow, ...]
    common: int
    predicted: int
    gold: int

    @cached_property
    def reasons(self) -> "tuple[Found, ...]":
        """Why the item failed, the main reason first; nothing for an item that did not fail."""
        from evalcore.analysis.reasons import find_reasons  # Whoever only traces need not wait for its word lists.

        item = replace(Dataset.of([self.prediction.raw], [self._texts]), questions=Texts.of([self.question]))
        return find_reasons(score(item, preset=self.preset)).of(0) if self.em == 0 else ()

    @cached_property
    def fixes(self) -> "tuple[Fix, ...]":
        """The smallest changes of settings that would make a failed item match, and for a short prediction those of the next size."""
        from evalcore.analysis.fix_effects import item_fixes

        return item_fixes(self.prediction.raw, self._texts, self.preset) if self.em == 0 else ()

    @property
    def _texts(self) -> list[str]:
        return [row.text for row in sorted(self.references, key=lambda row: row.index)]


def explain(
    prediction: str | None, references: Sequence[str], preset: str | Preset = "squad_v1", reference: int | None = None, question: str = ""
) -> Explanation:
    """Trace both sides of one item, lay out its score, and say why it failed.

    `reference` picks the reference to trace against, by default the best
    one; `question` is what both sides answer, for the reasons.
    Raises: UnknownName for the preset; TypeError for what is no text or no list; StepFailed when a step cannot finish on the traced texts.

    >>> found = explain("STRASSE", ["Straße"])
    >>> found.reasons[0].reason.name, [fix.title for fix in found.fixes][:1]
    ('case', ['Casefold'])
    """
    settings = settings_of(preset)
    scores = score([prediction], [references], settings)
    listed = _references(prediction, references, settings)
    best = best_reference(scores, 0) if reference is None else reference
    gold_text = references[best] if 0 <= best < len(references) else ""
    left = settings.pipeline.on("prediction").trace(prediction or "")
    right = settings.pipeline.on("reference").trace(gold_text)
    tokens = _token_rows(left.raw, right.raw, settings)
    return Explanation(
        preset=settings,
        question=question,
        prediction=left,
        reference=right,
        best=best,
        em=float(scores.em[0]),
        f1=float(scores.f1[0]),
        precision=float(scores.precision[0]),
        recall=float(scores.recall[0]),
        unscored=scores.unscored[0],
        references=listed,
        steps=_step_rows(left, right, settings),
        tokens=tokens,
        common=sum(row.matched for row in tokens),
        predicted=sum(row.predicted for row in tokens),
        gold=sum(row.gold for row in tokens),
    )


def _references(prediction: str | None, references: Sequence[str], settings: Preset) -> tuple[ReferenceScore, ...]:
    """Score every reference on its own, best first."""
    single = score([prediction] * len(references), [[text] for text in references], settings)
    rows = [
        ReferenceScore(index, text, settings.pipeline.on("reference").apply(text), float(single.em[index]), float(single.f1[index]))
        for index, text in enumerate(references)
    ]
    return tuple(sorted(rows, key=lambda row: (*(0.0 if isnan(value) else -value for value in (row.em, row.f1)), row.index)))


def _step_rows(left: Trace, right: Trace, settings: Preset) -> tuple[StepRow, ...]:
    stages_left, stages_right = iter(left.stages), iter(right.stages)
    before, after = left.raw, right.raw
    rows: list[StepRow] = []
    for step in settings.pipeline:
        stage_left = next(stages_left) if step.acts_on("prediction") else None
        stage_right = next(stages_right) if step.acts_on("reference") else None
        before = stage_left.after if stage_left else before
        after = stage_right.after if stage_right else after
        rows.append(StepRow(step, stage_left, stage_right, before == after, False))
    last_different = max((number for number, row in enumerate(rows) if not row.equal), default=-1 if left.raw != right.raw else None)
    if last_different is not None and last_different + 1 < len(rows):
        chosen = rows[last_different + 1]
        rows[last_different + 1] = StepRow(chosen.step, chosen.prediction, chosen.reference, True, True)
    return tuple(rows)


def _token_rows(prediction: str, reference: str, settings: Preset) -> tuple[TokenRow, ...]:
    """Count every distinct token of two raw texts, matched ones first, in reading order."""
    left, right = settings.tokens(prediction, "prediction"), settings.tokens(reference, "reference")
    predicted, gold = Counter(left), Counter(right)
    if settings.overlap == "set":
        predicted, gold = Counter(dict.fromkeys(predicted, 1)), Counter(dict.fromkeys(gold, 1))
    matched = Counter(common_run(left, right)) if settings.overlap == "run" else predicted & gold
    rows = [TokenRow(token, predicted[token], gold[token], matched[token]) for token in {**predicted, **gold}]
    return tuple(sorted(rows, key=lambda row: (row.matched == 0, row.predicted == 0)))
