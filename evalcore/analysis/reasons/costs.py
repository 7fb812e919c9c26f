"""What families and classes of reasons cost."""

from dataclasses import dataclass

from evalcore.analysis.reasons.families import FAMILIES, FAMILY_OF, Family
from evalcore.analysis.reasons.find import Reasons
from evalcore.analysis.reasons.table import Kind


@dataclass(frozen=True)
class FamilyCount:
    """How many items failed for the reasons of a family, and what that costs: EM points, 0..1 of the scored items."""

    family: Family
    items: int
    points: float


def family_counts(reasons: Reasons) -> tuple[FamilyCount, ...]:
    """Count the failed items by family, families of form before those of content; those without items are left out.

    >>> from evalcore.analysis.reasons import find_reasons
    >>> from evalcore.scoring.score import score
    >>> found = find_reasons(score(["STRASSE", "Rome"], [["Straße"], ["Lyon"]]))
    >>> [(group.family.name, group.items, group.points) for group in family_counts(found)]
    [('characters', 1, 0.5), ('content', 1, 0.5)]
    """
    items = {family.name: 0 for family in FAMILIES}
    points = {family.name: 0.0 for family in FAMILIES}
    for entry in reasons.counts():
        family = FAMILY_OF[entry.reason.name]
        items[family.name] += entry.items
        points[family.name] += entry.points
    listed = [FamilyCount(family, items[family.name], points[family.name]) for family in FAMILIES if items[family.name]]
    return tuple(sorted(listed, key=lambda group: (group.family.kind != "surface", -group.items)))


def points_of(reasons: Reasons, kind: Kind) -> float:
    """Give the EM points, 0..1, that a class of reasons costs."""
    return sum(entry.points for entry in reasons.counts() if entry.reason.kind == kind)
