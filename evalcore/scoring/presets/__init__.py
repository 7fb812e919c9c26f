"""All presets, by name."""

from collections.abc import Mapping
from types import MappingProxyType

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

QUESTION_ANSWERING = (squad, open_domain, multihop, conversation, drop, exact_match, containment, multilingual, chinese, korean_japanese, harnesses)
MODEL_OUTPUTS = (lm_eval, helm, lighteval, opencompass, inspect_ai, openai_evals, frameworks, exams, math_verify)
FAMILIES = (*QUESTION_ANSWERING, *MODEL_OUTPUTS, own)
PRESETS: Mapping[str, Preset] = MappingProxyType({preset.name: preset for family in FAMILIES for preset in family.PRESETS})


def preset(name: str) -> Preset:
    """Find a preset by name.

    Raises: UnknownName listing near names.
    """
    if name not in PRESETS:
        raise UnknownName("preset", name, PRESETS)
    return PRESETS[name]


def presets() -> tuple[Preset, ...]:
    """Give all presets, in the order of their families."""
    return tuple(PRESETS.values())


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
