"""Moves: the single changes of settings that are tried on a failed item."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from evalcore.scoring.preset import Preset
from evalcore.text.catalogue import CATALOGUE
from evalcore.text.steps import Entry, Side, Step, Value

GROUP_ORDER = (
    "extraction",
    "cuts",
    "markup",
    "latex",
    "unicode",
    "width",
    "aliases",
    "case",
    "chinese",
    "numbers",
    "dates",
    "drop",
    "patterns",
    "punctuation",
    "words",
    "lemmas",
    "whitespace",
)  # Where a step stands in a pipeline: what cuts comes first, what reads marks before they go, spaces last.
TRIED: Mapping[str, tuple[Mapping[str, Value], ...]] = MappingProxyType(
    {
        "take_line": ({"choice": "first"}, {"choice": "last"}),
        "take_sentence": ({"choice": "first"}, {"choice": "last"}),
        "take_after": ({"choice": "first"}, {"choice": "last"}),
        "take_boxed": ({"choice": "last"}, {"choice": "first"}),
        "take_choice": ({"choice": "last"}, {"choice": "first"}),
        "take_number": ({"choice": "first"}, {"choice": "last"}),
        "take_match": (),
        "take_match_in_turn": (),
        "take_last_box": (),
        "take_json": (),
        "require_text": (),
        "replace_aliases": (),
        "keep_first_line": (),
        "cut_at_stops": (),
        "hendrycks_latex": (),
        "normalize_unicode": ({"form": "NFC"}, {"form": "NFKC"}),
        "lower": (),
        "lower_within_length": (),
        "canonical_numbers": ({"marks": "point"}, {"marks": "comma"}, {"marks": "point", "currency": "drop", "percent": "drop"}),
        "write_numbers_as_floats": (),
        "delete_punctuation_outside_numbers": (),
        "dates_to_iso": ({"order": "day_first"}, {"order": "month_first"}),
        "delete_chinese_punctuation": ({"scorer": "longbench"},),
        "space_out_chinese": (),
        "delete_punctuation": ({"which": "ascii"}, {"which": "both"}),
        "space_out_punctuation": ({"which": "ascii"}, {"which": "both"}),
        "replace_characters": (),
        "strip_characters": (),
        "replace_pattern": (),
        "drop_words": (),
    }
)  # Parameters worth a try, once a language; a step that is not listed is tried with its defaults.
# The last variant reaches furthest.
# No variants: it does nothing without a user's own parameter, or what another step here does.
STEMMERS: Mapping[str, str] = MappingProxyType(
    {"en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese", "nl": "dutch", "ru": "russian", "ar": "arabic"}
)
TRIMMING = frozenset({"strip_quotes", "drop_final_stop"})  # Extraction steps that only take marks off the ends: tried on both sides.
UNKNOWN_RANK = GROUP_ORDER.index("patterns")


@dataclass(frozen=True)
class Move:
    """One change of settings: a step put in at its place, or taken out.

    `place` is an index into the preset's steps: an added step stands
    before that one, a removed step is that one.
    """

    step: Step
    place: int
    removes: bool = False

    @property
    def title(self) -> str:
        return f"without {self.step.title}" if self.removes else self.step.title

    @property
    def cuts(self) -> bool:
        """Tell whether the move takes an answer out of an output."""
        return not self.removes and is_cutting(self.step.entry)


def is_cutting(entry: Entry) -> bool:
    """Tell whether a step takes an answer out of an output, so that it is tried on the prediction alone."""
    return (entry.group in ("extraction", "cuts") and entry.name not in TRIMMING) or entry.name == "take_fenced"


def rank_of(entry: Entry) -> int:
    """Give the place of an entry's group in a pipeline."""
    return GROUP_ORDER.index(entry.group) if entry.group in GROUP_ORDER else UNKNOWN_RANK


def moves_for(preset: Preset, extra: Iterable[Step] = (), languages: Sequence[str] = ("en",)) -> tuple[Move, ...]:
    """List all moves from the preset's settings, in the order of their places.

    Every catalogue entry is tried with the parameters that are worth it, in
    the languages given; `extra` are further steps, such as an alias table.
    A step the settings hold already is not added again.

    >>> from evalcore.scoring.presets import preset
    >>> [move.title for move in moves_for(preset("squad_v1")) if move.removes][:2]
    ['without Lower', 'without Delete punctuation: ascii']
    """
    present = preset.pipeline.steps
    candidates = [step for step in (*_tried_steps(tuple(languages)), *extra) if step not in present]
    added = [Move(step, _place(step, present)) for step in candidates]
    removed = [Move(step, number, removes=True) for number, step in enumerate(present)]
    return tuple(sorted((*added, *removed), key=lambda move: (move.place, move.removes, 0 if move.removes else rank_of(move.step.entry))))


def _place(step: Step, present: tuple[Step, ...]) -> int:
    """Find the first step of a later group; the new one goes before it."""
    rank = rank_of(step.entry)
    return next((number for number, other in enumerate(present) if rank_of(other.entry) > rank), len(present))


@lru_cache(maxsize=64)
def _tried_steps(languages: tuple[str, ...]) -> tuple[Step, ...]:
    return tuple(dict.fromkeys(step for entry in CATALOGUE.values() for step in _variants(entry, languages)))


def _variants(entry: Entry, languages: tuple[str, ...]) -> Iterator[Step]:
    side: Side = "prediction" if is_cutting(entry) else "both"
    spoken = next((parameter for parameter in entry.parameters if parameter.name == "language"), None)
    for chosen in TRIED.get(entry.name, ({},)):
        if spoken is None:
            if entry.name != "drop_arabic_article" or "ar" in languages:
                yield Step(entry, tuple(chosen.items()), side)
            continue
        for language in languages:
            value = language if language in spoken.choices else STEMMERS.get(language, "")
            if value in spoken.choices:
                yield Step(entry, (*chosen.items(), ("language", value)), side)


Role = Literal["kept", "added", "left_out"]


def laid_out(preset: Preset, moves: Iterable[Move]) -> tuple[tuple[Step, Role], ...]:
    """Give all steps of the preset and of the moves, in order, and what the moves do to each."""
    chosen = list(moves)
    removed = {move.place for move in chosen if move.removes}
    steps: list[tuple[Step, Role]] = []
    for place in range(len(preset.pipeline) + 1):
        added = sorted((move for move in chosen if not move.removes and move.place == place), key=lambda move: rank_of(move.step.entry))
        steps += [(move.step, "added") for move in added]
        if place < len(preset.pipeline):
            steps.append((preset.pipeline.steps[place], "left_out" if place in removed else "kept"))
    return tuple(steps)


def apply_moves(preset: Preset, moves: Iterable[Move]) -> Preset:
    """Give the preset after the moves.

    >>> from evalcore.scoring.presets import preset
    >>> move = next(move for move in moves_for(preset("raw")) if move.step.name == "casefold")
    >>> apply_moves(preset("raw"), [move]).pipeline.signature
    'casefold'
    """
    return preset.with_steps(step for step, role in laid_out(preset, moves) if role != "left_out")
