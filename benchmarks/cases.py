"""What is measured against the official algorithms, and what it has to reach."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import evalcore
from benchmarks import algorithms
from benchmarks.data import Answers, chinese_answers, long_answers, short_answers
from evalcore.scoring.preset import Preset
from evalcore.text.catalogue import step

SQUAD = evalcore.preset("squad_v1")
LOWER, MARKS, ARTICLES, SQUEEZE = SQUAD.pipeline.steps


@dataclass(frozen=True)
class Case:
    """Settings, data of a kind, and the algorithm written out for both.

    `lists` and `arrow` are the goals: how many times the official speed, from Python lists and from Arrow.
    `share` is how much of the items is measured, for data whose items are large.
    """

    name: str
    preset: Preset
    make: Callable[[int], Answers]
    lists: float
    arrow: float
    official: Mapping[str, Any] = field(default_factory=dict)
    share: float = 1.0


CASES = (
    Case("squad_v1", SQUAD, short_answers, 30, 35),
    Case("squad_v2", evalcore.preset("squad_v2"), short_answers, 25, 25, {"f1": algorithms.lenient_f1, "drop_empty": True}),
    Case("squad_spaced", evalcore.preset("squad_spaced"), short_answers, 25, 25, {"normalize": algorithms.spaced, "f1": algorithms.set_f1}),
    Case(
        "articles before punctuation",
        SQUAD.with_steps([LOWER, ARTICLES, MARKS, SQUEEZE]),
        short_answers,
        25,
        25,
        {"normalize": algorithms.articles_first},
    ),
    Case("accents stripped", SQUAD.with_steps([step("strip_accents"), *SQUAD.pipeline]), short_answers, 25, 25, {"normalize": algorithms.unaccented}),
    Case(
        "Unicode punctuation",
        SQUAD.with_steps([LOWER, MARKS.with_parameters(which="both"), ARTICLES, SQUEEZE]),
        short_answers,
        25,
        25,
        {"normalize": algorithms.unicode_marks},
    ),
    Case("Chinese answers", evalcore.preset("mlqa_zh"), chinese_answers, 30, 30, {"normalize": algorithms.chinese, "cut": algorithms.chinese_tokens}),
    Case("long answers", SQUAD, long_answers, 10, 10, share=0.02),
)
