"""Find presets: by family, language, data set, measure or words; and say what to mind of one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import PRESETS, QUESTION_ANSWERING, changes
from evalcore.scoring.presets import preset as preset_named
from evalcore.scoring.presets import presets as all_presets

LANGUAGE_NAMES: dict[str, str] = {
    "ar": "Arabic",
    "bn": "Bengali",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fi": "Finnish",
    "hi": "Hindi",
    "id": "Indonesian",
    "ja": "Japanese",
    "ko": "Korean",
    "ru": "Russian",
    "sw": "Swahili",
    "te": "Telugu",
    "th": "Thai",
    "tr": "Turkish",
    "vi": "Vietnamese",
    "zh": "Chinese",
}
NO_EM = "no exact match"


@dataclass(frozen=True)
class Wanted:
    """What a preset must be like. Empty parts ask for nothing.

    `language`: a preset for any language serves it too. `words`: each
    stands somewhere in its name, title, description or source.
    """

    family: str = ""
    language: str = ""
    dataset: str = ""
    measure: str = ""
    words: str = ""

    @property
    def is_anything(self) -> bool:
        return self == Wanted()

    def fits(self, preset: Preset) -> bool:
        """Tell whether a preset is like that.

        >>> Wanted(language="zh", words="jieba").fits(preset_named("longbench_qa_f1_zh"))
        True
        """
        told = " ".join((preset.name, preset.title, preset.family, preset.summary, preset.differs, preset.source, *preset.datasets)).casefold()
        return (
            self.family in ("", preset.family)
            and (not self.language or not preset.languages or self.language in preset.languages)
            and (not self.dataset or self.dataset in preset.datasets)
            and self.measure in ("", measure_name(preset))
            and all(word in told for word in self.words.casefold().split())
        )


def found(wanted: Wanted, among: Iterable[Preset] | None = None) -> tuple[Preset, ...]:
    """Give the presets that fit, in the order of their families."""
    return tuple(preset for preset in (all_presets() if among is None else among) if wanted.fits(preset))


def measure_name(preset: Preset) -> str:
    """Name what the preset counts as right: exact match, containment, has answer ... or that it has no such number."""
    return preset.measure or NO_EM


def families(among: Sequence[Preset]) -> tuple[str, ...]:
    """Give the families of some presets, in their order."""
    return tuple(dict.fromkeys(preset.family for preset in among))


def languages(among: Sequence[Preset]) -> tuple[str, ...]:
    """Give the languages some presets are made for, by their names."""
    return tuple(sorted({language for preset in among for language in preset.languages}, key=language_name))


def language_name(language: str) -> str:
    """Give the name of a language, the code itself where it is not known.

    >>> language_name("zh"), language_name("xx")
    ('Chinese', 'xx')
    """
    return LANGUAGE_NAMES.get(language, language)


def datasets(among: Sequence[Preset]) -> tuple[str, ...]:
    """Give the data sets some presets are made for, by their names."""
    return tuple(sorted({dataset for preset in among for dataset in preset.datasets}, key=str.casefold))


def measures(among: Sequence[Preset]) -> tuple[str, ...]:
    """Give the measures of some presets, the most frequent first."""
    named = [measure_name(preset) for preset in among]
    return tuple(sorted(set(named), key=lambda name: (-named.count(name), name)))


def question_answering() -> tuple[Preset, ...]:
    """Give the scorers of question answering, without those of model harnesses and own settings."""
    return tuple(preset for family in QUESTION_ANSWERING for preset in family.PRESETS)


def cautions(preset: Preset) -> tuple[str, ...]:
    """Say what a reader of the preset's numbers must know: what EM means here, and which numbers there are not.

    >>> cautions(preset_named("popqa"))[0]
    'Its number is containment, not exact match: an answer that says more than the reference counts as right.'
    """
    said = []
    loose = "an answer that says more than the reference counts as right"
    if not preset.has_em:
        said.append("It has no EM: token F1 is its score." if preset.has_f1 else "It has no score: it shows what is extracted.")
    elif preset.measure != "exact match":
        said.append(f"Its number is {preset.measure}, not exact match: {loose}.")
    if preset.has_em and not preset.has_f1:
        said.append("It has no F1: near misses cannot be told from misses.")
    said += [f"It needs {resource}, which is not installed." for resource in preset.missing_resources]
    if preset.same_as and preset.name in PRESETS and not changes(preset):
        said.append(f"It gives the same numbers as {preset_named(preset.same_as).title}.")
    return tuple(said)
