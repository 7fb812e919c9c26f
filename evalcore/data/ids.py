"""Ids of two files that say the same in different words."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from evalcore.text.columns import Texts

SEPARATORS = ("--", "/", ":", "#", "|", "_", "-", ".", " ")
LOOKED_AT = 2000
WHOLE: dict[str, tuple[Callable[[str], str], str]] = {
    "space": (str.strip, "white space around them was cut off"),
    "form": (partial(unicodedata.normalize, "NFC"), "letters were composed with their accents (NFC)"),
    "case": (str.casefold, "capital letters were taken for small ones"),
}  # Changes of an id as a whole, the mildest first.
DIGITS = re.compile(r"0*(\d+)\.?0*")


@dataclass(frozen=True)
class Change:
    """One way to change an id.

    At the first or last separator keep what stands before or after it; or
    keep a plain number, cut white space, compose letters, take small ones.

    >>> Change("--", "before first").apply("tc_33--Andrew.txt"), Change("", "number").apply("0007")
    ('tc_33', '7')
    """

    separator: str
    kept: str

    def apply(self, identity: str) -> str:
        """Cut one id; an id that does not fit stays as it is."""
        if self.kept == "number":
            found = DIGITS.fullmatch(identity)
            return identity if found is None else found.group(1)
        if self.kept in WHOLE:
            return WHOLE[self.kept][0](identity)
        cut = identity.partition(self.separator) if self.kept.endswith("first") else identity.rpartition(self.separator)
        if not cut[1]:
            return identity
        return cut[0] if self.kept.startswith("before") else cut[2]

    def __str__(self) -> str:
        if self.kept in WHOLE:
            return WHOLE[self.kept][1]
        return "zeros around numbers were cut off" if self.kept == "number" else f"only what stands {self.kept} {self.separator!r} was compared"


@dataclass(frozen=True)
class Matching:
    """Changes under which ids of two files meet; None leaves a side as it is."""

    ours: Change | None
    theirs: Change | None

    def told(self, our_name: str, their_name: str) -> str:
        """Say what was done to which ids."""
        parts = [f"of the ids of {name} {change}" for change, name in ((self.ours, our_name), (self.theirs, their_name)) if change is not None]
        return f"no id was equal in both files; {', and '.join(parts)}: check the pairs"


def matching_ids(ours: Texts, theirs: Texts) -> Matching | None:
    """Find changes under which ids meet, where none is equal as it stands.

    A change must leave the ids of a side different from each other, as far
    as they were, and at least half of the smaller side must meet.
    Empty: None where ids are equal already, or no change helps.
    """
    left, right = _distinct(ours), _distinct(theirs)
    if not left or not right or not set(left).isdisjoint(theirs.to_list()) or not set(right).isdisjoint(ours.to_list()):
        return None
    for ours_too, theirs_too in ((True, False), (False, True), (True, True)):
        for change in _changes():
            cut_left = _cut(left, change) if ours_too else left
            cut_right = _cut(right, change) if theirs_too else right
            if cut_left and cut_right and 2 * len(set(cut_left) & set(cut_right)) >= min(len(left), len(right)):
                return Matching(change if ours_too else None, change if theirs_too else None)
    return None


def _distinct(ids: Texts) -> list[str]:
    return list(dict.fromkeys(text for text in ids[:LOOKED_AT] if text))


def _changes() -> Iterable[Change]:
    yield Change("", "space")
    yield Change("", "form")
    yield Change("", "number")
    yield Change("", "case")
    for separator in SEPARATORS:
        for kept in ("before first", "after last", "before last", "after first"):
            yield Change(separator, kept)


def _cut(ids: Sequence[str], change: Change) -> list[str]:
    """Cut all ids; nothing when that makes two of them equal, leaves one empty or changes none."""
    cut = list(map(change.apply, ids))
    return cut if len(set(cut)) == len(ids) and all(cut) and cut != list(ids) else []
