"""What differs between two settings, part by part."""

from dataclasses import dataclass
from difflib import SequenceMatcher

from evalcore.scoring.preset import RULES, Preset


@dataclass(frozen=True)
class SettingDifference:
    """One part that differs: its name, and how it stands on either side; "" where it is absent.

    >>> str(SettingDifference("step", "", "drop_articles"))
    'step drop_articles only after'
    """

    part: str
    before: str
    after: str

    def __str__(self) -> str:
        if not self.before or not self.after:
            return f"{self.part} {self.before or self.after} only {'after' if not self.before else 'before'}"
        return f"{self.part} {self.before} before, {self.after} after"


def setting_differences(before: Preset, after: Preset) -> tuple[SettingDifference, ...]:
    """Name every part of the settings that differs, steps first.

    Empty: settings that give the same numbers, whatever their names.

    >>> from evalcore.scoring.presets import preset
    >>> [str(part) for part in setting_differences(preset("squad_v1"), preset("squad_v1").with_rules(missing="wrong"))]
    ['rule missing leave_out before, wrong after']
    """
    found = list(_steps([step.signature for step in before.pipeline], [step.signature for step in after.pipeline]))
    for name in ("tokenizer", *RULES):
        was, now = str(getattr(before, name)), str(getattr(after, name))
        if was != now:
            found.append(SettingDifference(f"rule {name}", was, now))
    if not found and before.settings != after.settings:
        found.append(SettingDifference("settings", before.signature, after.signature))
    return tuple(found)


def _steps(before: list[str], after: list[str]) -> "list[SettingDifference]":
    found = []
    for change, start, end, new_start, new_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if change != "equal":
            found += [SettingDifference("step", name, "") for name in before[start:end]]
            found += [SettingDifference("step", "", name) for name in after[new_start:new_end]]
    return found
