"""All presets, by name."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from evalcore.scoring.preset import RULES, Preset
from evalcore.scoring.presets import (
    chinese,
    containment,
    conversation,
    drop,
    exact_match,
    exams,
    frameworks,
    harnesses,
    helm,
    inspect_ai,
    korean_japanese,
    lighteval,
    lm_eval,
    math_verify,
    multihop,
    multilingual,
    open_domain,
    openai_evals,
    opencompass,
    own,
    squad,
)
from evalcore.text.names import UnknownName
from evalcore.text.steps import Step

QUESTION_ANSWERING = (squad, open_domain, multihop, conversation, drop, exact_match, containment, multilingual, chinese, korean_japanese, harnesses)
MODEL_OUTPUTS = (lm_eval, helm, lighteval, opencompass, inspect_ai, openai_evals, frameworks, exams, math_verify)
FAMILIES = (*QUESTION_ANSWERING, *MODEL_OUTPUTS, own)
PRESETS: Mapping[str, Preset] = MappingProxyType({preset.name: preset for family in FAMILIES for preset in family.PRESETS})


def preset(name: str) -> Preset:
    """Find a preset by name.

    Raises: UnknownName listing near names.
    """
    return PRESETS[_known(name)]


def _known(name: str) -> str:
    if name not in PRESETS:
        raise UnknownName("preset", name, PRESETS)
    return name


def settings_of(preset: str | Preset) -> Preset:
    """Give the settings that are meant: a preset as it is, or the one of a name.

    Raises: UnknownName listing near names.
    """
    return preset if isinstance(preset, Preset) else PRESETS[_known(preset)]


def presets() -> tuple[Preset, ...]:
    """Give all presets, in the order of their families."""
    return tuple(PRESETS.values())


@lru_cache(maxsize=1)
def _built_in_patterns() -> frozenset[str]:
    return frozenset(pattern for preset in presets() for step in preset.pipeline for pattern in _without_limit(step))


def _without_limit(step: Step) -> tuple[str, ...]:
    """Give the patterns of a step that Python's re runs, which nothing can stop."""
    given: dict[str, Any] = dict(step.parameters)
    return (*given.get("patterns", ()), *filter(None, [given.get("pattern")])) if given.get("engine") == "re" else ()


def require_limit(step: Step) -> None:
    """Make sure that nothing in a user's step can run without end.

    Raises: ValueError for an own pattern under the engine `re`, which is for the patterns of presets.
    """
    for pattern in _without_limit(step):
        if pattern not in _built_in_patterns():
            raise ValueError(
                f"{step.name}: the engine re has no time limit and runs the patterns of presets alone; choose the engine regex for {pattern!r:.100}"
            )


def changes(changed: Preset) -> tuple[str, ...]:
    """Name what was changed against the preset of that name.

    Empty: no change.
    """
    original = preset(changed.name)
    before, after = list(original.pipeline), list(changed.pipeline)
    added = [step for step in after if step not in before]
    removed = [step for step in before if step not in after]
    listed = [f"+ {step.title}" for step in added] + [f"- {step.title}" for step in removed]
    if not listed and before != after:
        listed.append("order of steps")
    return tuple(listed + [f"{rule}: {getattr(changed, rule)}" for rule in ("tokenizer", *RULES) if getattr(changed, rule) != getattr(original, rule)])
