"""All that is told of a run's extraction: what others give, what was lost, what was chance."""

from collections.abc import Callable
from dataclasses import dataclass

from evalcore.analysis.attribution import attribute
from evalcore.analysis.extraction import (
    SETTINGS,
    Candidates,
    Loss,
    SettingResult,
    found_nothing,
    loose_hits,
    lost_references,
    parts_of_formulas,
    several_candidates,
    try_settings,
    unfinished_thinking,
    with_extraction,
)
from evalcore.scoring.extracted import CUTTING, extraction_of
from evalcore.scoring.preset import Preset
from evalcore.scoring.scores import Scores
from evalcore.text.pipeline import Trace
from evalcore.text.steps import Side

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class ExtractionReport:
    """What the extraction of a run's settings does, and what others would do.

    `nothing`, `loose`, `unfinished` and `formulas` are rows: no candidate;
    right only by a setting that finds something in almost every text; an
    output that ends within its thinking; an extracted part of a formula.
    """

    scores: Scores
    results: tuple[SettingResult, ...]
    nothing: tuple[int, ...]
    several: tuple[Candidates, ...]
    lost: tuple[Loss, ...]
    loose: tuple[int, ...]
    unfinished: tuple[int, ...]
    formulas: tuple[int, ...]


def extraction_report(scores: Scores, progress: Progress | None = None) -> ExtractionReport:
    """Find all of it; `progress(done, parts)` is called before each part, what it raises stops the run.

    >>> from evalcore.scoring.score import score
    >>> found = extraction_report(score(["it is 4", "5"], [["4"], ["5"]]))
    >>> [(result.setting.name, result.rescued) for result in found.results if result.rescued]
    [('first number', (0,)), ('last number', (0,))]
    """
    report = progress or (lambda done, parts: None)
    parts = len(SETTINGS) + 4
    results = try_settings(scores, progress=lambda done, _: report(done, parts))
    report(parts - 4, parts)
    lost = lost_references(scores)
    report(parts - 3, parts)
    nothing = found_nothing(scores)
    report(parts - 2, parts)
    several = several_candidates(scores)
    report(parts - 1, parts)
    return ExtractionReport(
        scores, results, nothing, several, lost, loose_hits(scores, results), unfinished_thinking(scores.dataset), parts_of_formulas(scores)
    )


def cuts(preset: Preset) -> bool:
    """Tell whether the settings cut an answer out of the prediction."""
    return any(step.entry.group in CUTTING for step in preset.pipeline.on("prediction"))


def in_force(preset: Preset, result: SettingResult) -> bool:
    """Tell whether the settings extract in the way of a result."""
    return with_extraction(preset, result.setting.steps).settings == preset.settings


def extraction_trace(text: str, preset: Preset) -> Trace:
    """Trace a prediction through the steps that cut the answer out.

    Raises: StepFailed where one cannot finish.
    """
    return extraction_of(preset.pipeline).trace(text)


def kept_spans(trace: Trace) -> tuple[tuple[int, int], ...]:
    """Give the stretches of the raw text that are in the result.

    Offsets: half-open, in code points of the raw text.

    >>> from evalcore.text.catalogue import step
    >>> from evalcore.text.pipeline import Pipeline
    >>> kept_spans(Pipeline((step("take_line", choice="last"),)).trace("so\\n4"))
    ((3, 4),)
    """
    if not trace.result:
        return ()
    spans: list[tuple[int, int]] = []
    for fate in attribute(trace).fates:
        if fate.removed:
            continue
        if spans and spans[-1][1] == fate.start:
            spans[-1] = (spans[-1][0], fate.end)
        else:
            spans.append((fate.start, fate.end))
    return tuple(spans)


def extracted_text(trace: Trace, preset: Preset, side: Side) -> str:
    """Give one side of a trace as it is after the extraction, before it is normalized.

    >>> from evalcore.scoring.presets import preset
    >>> from evalcore.text.catalogue import step
    >>> settings = preset("squad_v1").with_steps([step("take_line", "prediction"), step("lower")])
    >>> extracted_text(settings.pipeline.on("prediction").trace("Paris\\nFrance"), settings, "prediction")
    'Paris'
    """
    if side == "prediction":
        end = len(extraction_of(preset.pipeline)) if cuts(preset) else 0
    else:
        cutting = [number for number, step in enumerate(preset.pipeline.on(side)) if step.entry.group in CUTTING]
        end = cutting[-1] + 1 if cutting else 0
    return trace.stages[end - 1].after if end else trace.raw
