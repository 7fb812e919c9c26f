"""The search for the smallest sets of moves that make one pair of texts equal.

Only a step that changes a text can matter, so a set is a path: the text
goes through all places in order, and wherever a move would change it, the
path forks. Prediction and reference are walked apart, and paths that end
in the same text are joined. Sets that hold a smaller working one are left
out, so every set returned is minimal.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

from evalcore.analysis.moves import Move
from evalcore.scoring.preset import Preset
from evalcore.text.rules import StepFailed
from evalcore.text.steps import Side, Step

MAX_MOVES = 3  # A person can still follow three changes at once; larger sets would explain almost any pair.
MAX_STATES = 400  # Distinct texts a walk may hold at one place: bounds long outputs that nearly every step touches.
MAX_KEPT = 20_000  # References whose ways are kept at a time.

Set = frozenset[int]
Ends = dict[str, list[Set]]


class Hopeful(Protocol):
    """Tells of a text whether it may become equal to a reference without a further cut, and which references one may."""

    def __call__(self, text: str) -> bool: ...
    def reached(self, reference: str) -> bool: ...
    def suits(self, step: str) -> bool: ...


@dataclass(frozen=True)
class Slot:
    """One place of a walk: what happens to a text there, and which move it is (-1: none)."""

    name: str
    apply: Callable[[str], str]
    move: int
    adds: bool
    only_wide: bool


class Walks:
    """All ways of texts through a preset and up to three moves, for one side each."""

    def __init__(self, preset: Preset, moves: Sequence[Move]) -> None:
        self.moves = moves
        self.rival = [_rival(move) for move in moves]
        self.slots = {side: _slots(preset, moves, side) for side in ("prediction", "reference")}
        self.kept: dict[tuple[str, int], Ends] = {}
        self.uncut: dict[str, int] = {side: _after_cuts(slots, moves) for side, slots in self.slots.items()}

    def ends(self, start: Ends, side: Side, most: int, cut: bool = False) -> Ends:
        """Lead texts through all places with at most so many moves; of cut ones only those after the cuts.

        Shape: `start` and the result hold texts with the sets that lead to them.
        """
        states = {text: kept for text, sets in start.items() if (kept := [chosen for chosen in sets if len(chosen) <= most])}
        for slot in self.slots[side][self.uncut[side] if cut else 0 :]:
            states = self._step(states, slot, most)
        return states

    def reference_ends(self, reference: str, most: int) -> Ends:
        """Give where a reference can end; kept, as many predictions may share it."""
        ends = self.kept.get((reference, most))
        if ends is None:
            if len(self.kept) >= MAX_KEPT:
                self.kept.clear()
            ends = self.kept[reference, most] = self.ends({reference: [frozenset()]}, "reference", most)
        return ends

    def cut_forms(self, prediction: str, hopeful: Hopeful | None) -> Ends:
        """Give what the cutting moves can make of a prediction.

        `hopeful` tells of a text whether it may still become what it
        should; the others are not followed.
        """
        states: Ends = {prediction: [frozenset()]}
        for slot in self.slots["prediction"][: self.uncut["prediction"]]:
            if slot.adds and hopeful is not None and not hopeful.suits(slot.name):
                continue
            states = self._step(states, slot, MAX_MOVES)
        return states if hopeful is None else {text: sets for text, sets in states.items() if hopeful(text)}

    def _step(self, states: Ends, slot: Slot, most: int) -> Ends:
        after: Ends = {}
        for before, sets in states.items():
            free = [chosen for chosen in sets if len(chosen) < most and self.fits(slot.move, chosen)] if slot.move >= 0 else []
            if (slot.adds and not free) or (slot.only_wide and before.isascii()):
                _merge(after, before, sets)
                continue
            changed = slot.apply(before)
            _merge(after, before if slot.adds else changed, sets)
            other = changed if slot.adds else before
            if free and changed != before and other and len(after) < MAX_STATES:
                _merge(after, other, [chosen | {slot.move} for chosen in free])
        return after

    def apply(self, text: str, side: Side, chosen: Set) -> str:
        """Give the text after the preset with the chosen moves."""
        for slot in self.slots[side]:
            if slot.move < 0 or (slot.move in chosen) == slot.adds:
                text = slot.apply(text)
        return text

    def makes_equal(self, prediction: str, references: Sequence[str], chosen: Set) -> bool:
        """Tell whether the prediction equals a reference after the preset with the moves, and is not empty."""
        if not all(self.fits(move, chosen - {move}) for move in chosen):
            return False
        after = self.apply(prediction, "prediction", chosen)
        return bool(after.strip()) and any(after == self.apply(reference, "reference", chosen) for reference in references)

    def fits(self, move: int, chosen: Set) -> bool:
        """Tell whether no other variant of the same step is chosen."""
        name = self.rival[move]
        return not name or all(self.rival[other] != name for other in chosen)


def _merge(states: Ends, text: str, sets: Iterable[Set]) -> None:
    """Add sets to a text's, without those that hold another one."""
    present = states.get(text)
    if present is None:
        states[text] = list(sets)
        return
    for new in sets:
        if not any(old <= new for old in present):
            present[:] = [old for old in present if not new <= old]
            present.append(new)


def _rival(move: Move) -> str:
    """Name what at most one move of a set may be: a variant of one step, or a cut beside the removal of thinking."""
    if move.removes:
        return ""
    return "cut" if move.cuts and move.step.name != "drop_thinking" else move.step.name


def _slots(preset: Preset, moves: Sequence[Move], side: Side) -> list[Slot]:
    slots: list[Slot] = []
    for place in range(len(preset.pipeline) + 1):
        for number, move in enumerate(moves):
            if move.place == place and not move.removes and move.step.acts_on(side):
                slots.append(Slot(move.step.name, applied(move.step), number, True, is_idle_on_ascii(move.step)))
        if place < len(preset.pipeline) and preset.pipeline.steps[place].acts_on(side):
            removal = next((number for number, move in enumerate(moves) if move.removes and move.place == place), -1)
            slots.append(Slot(preset.pipeline.steps[place].name, applied(preset.pipeline.steps[place]), removal, False, False))
    return slots


def is_idle_on_ascii(step: Step) -> bool:
    """Tell whether the step never changes plain ASCII, judged by its group."""
    return step.entry.group == "unicode" or step.name in IDLE_ON_ASCII


IDLE_ON_ASCII = frozenset({"fold_width", "simplify_chinese", "space_out_chinese", "write_chinese_numerals_as_digits", "drop_arabic_article"})


def applied(step: Step) -> Callable[[str], str]:
    """Give the step as a function; a text it cannot finish on becomes empty, which never counts as equal."""
    rule = step.rule

    def apply(text: str) -> str:
        try:
            return rule.apply(text)
        except StepFailed:
            return ""

    return apply


def _after_cuts(slots: Sequence[Slot], moves: Sequence[Move]) -> int:
    """Give the first place of a walk behind which nothing is cut any more."""
    return max((number + 1 for number, slot in enumerate(slots) if slot.move >= 0 and moves[slot.move].cuts), default=0)


def minimal_sets(
    walks: Walks, prediction: str, references: Sequence[str], most: int = MAX_MOVES, sizes: int = 1, hopeful: Hopeful | None = None
) -> tuple[Set, ...]:
    """Give the smallest sets of moves after which the prediction equals a reference.

    `sizes` is how many sizes are given: 1 the smallest, 2 the next as well.
    Range: no set holds another one that works; two texts that become empty do not count as equal.
    Empty: no set of at most `most` moves works.
    """
    start = walks.cut_forms(prediction, hopeful)
    references = [reference for reference in references if hopeful is None or hopeful.reached(reference)]
    for size in range(1, most + 1) if start else ():
        found = _working(walks, prediction, start, references, size)
        if found:
            wider = _working(walks, prediction, start, references, min(size + sizes - 1, most)) if sizes > 1 else found
            return tuple(sorted(wider, key=lambda chosen: (len(chosen), sorted(chosen))))
    return ()


def _working(walks: Walks, prediction: str, start: Ends, references: Sequence[str], most: int) -> list[Set]:
    ours = walks.ends(start, "prediction", most, cut=True)
    candidates: set[Set] = set()
    for reference in dict.fromkeys(references):
        theirs = walks.reference_ends(reference, most)
        for text in ours.keys() & theirs.keys():
            if text.strip():
                candidates.update(first | second for first in ours[text] for second in theirs[text] if len(first | second) <= most)
    working: list[Set] = []
    for chosen in sorted(candidates, key=lambda chosen: (len(chosen), sorted(chosen))):
        for subset in _subsets(chosen):
            if any(smaller <= subset for smaller in working):
                break
            if walks.makes_equal(prediction, references, subset):
                working.append(subset)
                break
    return working


def _subsets(chosen: Set) -> list[Set]:
    """Give all subsets but the empty one, small ones first."""
    return [frozenset(part) for size in range(1, len(chosen) + 1) for part in combinations(sorted(chosen), size)]
