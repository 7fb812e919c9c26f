"""What extraction did to a run, and what another one would have given."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evalcore.dataset import Dataset
from evalcore.scoring.extracted import CUTTING, extraction_of
from evalcore.scoring.preset import Preset
from evalcore.scoring.score import score
from evalcore.scoring.scores import Scores
from evalcore.text.catalogue import step
from evalcore.text.extraction.rule import Extraction
from evalcore.text.extraction.thinking import is_unfinished
from evalcore.text.pipeline import Pipeline
from evalcore.text.rules import Budget, StepFailed
from evalcore.text.steps import Step


@dataclass(frozen=True)
class Setting:
    """One way to extract, as steps that go before the normalization.

    `loose`: it finds something in almost every text, so a hit may be chance.
    """

    name: str
    steps: tuple[Step, ...]
    loose: bool = False


GOLD_NUMBER = (step("take_match", "reference", pattern=r"####\s*(.+)", choice="last", nothing="keep"), step("canonical_numbers", "reference", currency="drop"))


def _number(choice: str) -> tuple[Step, ...]:
    return (step("take_number", "prediction", choice=choice), *GOLD_NUMBER)


SETTINGS = (
    Setting("nothing cut", ()),
    Setting("first line", (step("take_line", "prediction"),)),
    Setting("last line", (step("take_line", "prediction", choice="last"),)),
    Setting("first sentence", (step("take_sentence", "prediction"), step("drop_final_stop", "prediction"))),
    Setting("after a phrase", (step("take_after", "prediction"), step("drop_final_stop", "prediction"))),
    Setting("after ####", (step("take_match", "prediction"), *GOLD_NUMBER)),
    Setting("boxed", (step("take_boxed", "prediction"),)),
    Setting("last quoted text", (step("take_match", "prediction", pattern=r'["“]([^"“”\n]+)["”]', choice="last", engine="re"),)),
    Setting("answer tag", (step("take_tag", "prediction"),)),
    Setting("JSON answer", (step("take_json_field", "prediction", nothing="empty"),)),
    Setting("without thinking", (step("drop_thinking", "prediction", unclosed="keep"),)),
    Setting("choice letter", (step("take_choice", "prediction", letters="ABCDEFGHIJ"),), loose=True),
    Setting("first number", _number("first"), loose=True),
    Setting("last number", _number("last"), loose=True),
)


@dataclass(frozen=True)
class SettingResult:
    """What one setting gives on a run.

    `exact` are the rows with EM 1. `nothing` and `several` count outputs
    with no candidate, and with more than one distinct candidate.
    `rescued` are rows that are wrong now and right under the setting,
    `lost` the other way round.
    """

    setting: Setting
    em: float
    exact: frozenset[int]
    nothing: int
    several: int
    rescued: tuple[int, ...]
    lost: tuple[int, ...]


def try_settings(scores: Scores, settings: Sequence[Setting] = SETTINGS, progress: Callable[[int, int], None] | None = None) -> tuple[SettingResult, ...]:
    """Score the run under each way to extract, the normalization of its preset kept.

    `progress(done, settings)` is called before each; what it raises stops the run.
    """
    now = _hits(scores)
    results = []
    for done, setting in enumerate(settings):
        if progress:
            progress(done, len(settings))
        other = score(scores.dataset, preset=with_extraction(scores.preset, setting.steps))
        hits = _hits(other)
        found = [candidates_of(text, Pipeline(setting.steps)) for text in scores.dataset.predictions if text is not None]
        results.append(
            SettingResult(
                setting,
                other.summary().em,
                frozenset(hits),
                sum(not texts for texts in found if texts is not None),
                sum(len(set(texts)) > 1 for texts in found if texts is not None),
                tuple(sorted(hits - now)),
                tuple(sorted(now - hits)),
            )
        )
    return tuple(results)


def with_extraction(preset: Preset, steps: Iterable[Step]) -> Preset:
    """Give a preset whose own extraction steps are replaced by others.

    Range: a rule about outputs in which nothing was found stays; what the
    number settings do to references goes with them.
    """
    kept = [own for own in preset.pipeline if own.entry.group not in CUTTING and own not in GOLD_NUMBER]
    return preset.with_steps((*steps, *kept))


def _hits(scores: Scores) -> set[int]:
    return set(np.flatnonzero(scores.em == 1).tolist())


def candidates_of(text: str, pipeline: Pipeline, budget: Budget | None = None) -> tuple[str, ...] | None:
    """Give every candidate of the last extraction step that chooses, as it would be written.

    Empty: None where no step chooses, or one before it failed.
    """
    steps = list(extraction_of(pipeline))
    last = max((number for number, own in enumerate(steps) if isinstance(own.rule, Extraction) and own.rule.nothing != "keep"), default=None)
    if last is None:
        return None
    rule = steps[last].rule
    assert isinstance(rule, Extraction)
    try:
        before = Pipeline(tuple(steps[:last])).apply(text)
        return tuple(rule.spelled(before, span) for span in (budget or Budget()).run(rule, rule.candidates, before))
    except StepFailed:
        return None


class Candidates(NamedTuple):
    """The candidates in one output, in order."""

    row: int
    texts: tuple[str, ...]


def found_nothing(scores: Scores) -> tuple[int, ...]:
    """List the rows whose output has no candidate for the preset's extraction."""
    return tuple(found.row for found in _all_candidates(scores) if not found.texts)


def several_candidates(scores: Scores) -> tuple[Candidates, ...]:
    """List the rows whose output has more than one distinct candidate, with all of them."""
    return tuple(found for found in _all_candidates(scores) if len(set(found.texts)) > 1)


def _all_candidates(scores: Scores) -> Iterable[Candidates]:
    known: dict[str, tuple[str, ...] | None] = {}
    budget, slow = Budget(), frozenset(scores.slow)
    for row, text in enumerate(scores.dataset.predictions):
        if text is None or row in slow:
            continue
        if text not in known:
            known[text] = candidates_of(text, scores.preset.pipeline, budget)
        texts = known[text]
        if texts is not None:
            yield Candidates(row, texts)


class Loss(NamedTuple):
    """A reference that stands in the output, but not in what was extracted.

    Offsets: `start` .. `end` is its place in the raw output, in code points.
    """

    row: int
    reference: int
    start: int
    end: int


def lost_references(scores: Scores) -> tuple[Loss, ...]:
    """List the wrong items whose reference was cut away by the extraction.

    Range: whole words, after the normalization of the preset.
    Empty: a reference that normalizes to nothing is never lost.
    """
    return tuple(loss for row in np.flatnonzero(scores.em == 0).tolist() if (loss := loss_of(scores.dataset, row, scores.preset)) is not None)


def loss_of(dataset: Dataset, row: int, preset: Preset) -> Loss | None:
    """Find the first reference of an item that extraction cut away."""
    raw = dataset.predictions[row]
    if not raw:
        return None
    whole = with_extraction(preset, ()).pipeline.on("prediction")
    try:
        trace = whole.trace(raw)
        kept = preset.pipeline.on("prediction").apply(raw)
    except StepFailed:
        return None
    for number, reference in enumerate(dataset.references[row]):
        wanted = _wanted(reference, preset)
        place = place_of_words(trace.result, wanted)
        if place is not None and place_of_words(kept, wanted) is None:
            return Loss(row, number, *trace.origin(*place))
    return None


def _wanted(reference: str, preset: Preset) -> str:
    try:
        return preset.pipeline.on("reference").apply(reference).strip()
    except StepFailed:
        return ""


def place_of_words(text: str, wanted: str) -> tuple[int, int] | None:
    """Find a text as whole words inside another; the last place counts.

    >>> place_of_words("711 and 11", "11"), place_of_words("711", "11"), place_of_words("x", "")
    ((8, 10), None, None)
    """
    if not wanted:
        return None
    place = text.rfind(wanted)
    while place >= 0:
        end = place + len(wanted)
        if not (_joined(text[place - 1 : place], wanted[0]) or _joined(wanted[-1], text[end : end + 1])):
            return place, end
        place = text.rfind(wanted, 0, end - 1)
    return None


def _joined(left: str, right: str) -> bool:
    """Tell whether two neighbours belong to one word; scripts without spaces have no such bond."""
    return bool(re.fullmatch(r"[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}", left + right))


def loose_hits(scores: Scores, results: Sequence[SettingResult]) -> tuple[int, ...]:
    """List the hits that no strict setting makes, so that a loose rule alone decided.

    Empty: none where the preset itself does not cut.
    """
    if not any(own.entry.group in CUTTING for own in scores.preset.pipeline.on("prediction")):
        return ()
    strict = frozenset[int]().union(*(result.exact for result in results if not result.setting.loose))
    return tuple(sorted(_hits(scores) - strict))


def unfinished_thinking(dataset: Dataset) -> tuple[int, ...]:
    """List the rows whose output ends within its thinking."""
    return tuple(row for row, text in enumerate(dataset.predictions) if text is not None and is_unfinished(text))


_OPERATOR = re.compile(r"[=+*/^\\<>≤≥]|(?<=\w)[-−](?=\w)")


def parts_of_formulas(scores: Scores) -> tuple[int, ...]:
    """List the rows whose extracted text is a small part of a formula.

    Range: it stands in a piece between spaces that is at least twice as long and holds an operator.
    """
    return tuple(
        row
        for row, (raw, answer) in enumerate(zip(scores.dataset.predictions, scores.extracted, strict=True))
        if raw and answer and raw != answer and _is_part_of_formula(raw, answer)
    )


def _is_part_of_formula(raw: str, answer: str) -> bool:
    place = raw.rfind(answer)
    if place < 0:
        return False
    start = max((raw.rfind(space, 0, place) for space in " \n\t"), default=-1) + 1
    piece = re.match(r"\S+", raw[start:])
    return piece is not None and len(piece.group()) >= 2 * len(answer) and _OPERATOR.search(piece.group().replace(f"\\boxed{{{answer}}}", "")) is not None
