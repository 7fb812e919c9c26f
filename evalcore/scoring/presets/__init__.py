"""All presets, by name."""

from collections.abc import Mapping
from types import MappingProxyType

from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import own, squad
from evalcore.text.names import UnknownName

PRESETS: Mapping[str, Preset] = MappingProxyType({preset.name: preset for preset in (*squad.PRESETS, *own.PRESETS)})


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
    rules = ("tokenizer", "overlap", "empty", "references", "empty_references", "no_references", "missing")
    return tuple(listed + [f"{rule}: {getattr(changed, rule)}" for rule in rules if getattr(changed, rule) != getattr(original, rule)])
