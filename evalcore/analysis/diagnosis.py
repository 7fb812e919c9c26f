"""Everything that is known of why a run missed, in one pass with progress."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalcore.analysis.collisions import Collisions, find_collisions
from evalcore.analysis.fixes import Fixes, find_fixes
from evalcore.analysis.reasons import Reasons, find_reasons
from evalcore.scoring.chunks import Progress
from evalcore.scoring.preset import Preset
from evalcore.scoring.scores import Scores
from evalcore.text.steps import Step

SHARES = (0.55, 0.4, 0.05)  # How the time is spent: fixes, reasons, collisions.


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """Fixes, reasons and collisions of the same scores."""

    scores: Scores
    fixes: Fixes
    reasons: Reasons
    collisions: Collisions


def diagnose(scores: Scores, pinned: Preset | None = None, extra: Sequence[Step] = (), progress: Progress | None = None) -> Diagnosis:
    """Find fixes, reasons and collisions of a run.

    `pinned` are settings the merged references are compared with; `extra`
    are steps tried beside the catalogue's. `progress(done, items)` is
    called now and then with growing `done`; what it raises stops the run.

    >>> from evalcore.scoring.score import score
    >>> found = diagnose(score(["STRASSE", "-5"], [["Straße"], ["5"]]))
    >>> found.reasons.counts()[0].reason.name, found.collisions.pairs[0].losses
    ('case', ('sign',))
    """
    report = progress or (lambda done, items: None)
    items = len(scores)
    fixes = find_fixes(scores, extra, _part(report, items, 0.0, SHARES[0]))
    reasons = find_reasons(scores, fixes, _part(report, items, SHARES[0], SHARES[1]))
    collisions = find_collisions(scores, pinned, _part(report, items, SHARES[0] + SHARES[1], SHARES[2]))
    report(items, items)
    return Diagnosis(scores, fixes, reasons, collisions)


def _part(report: Callable[[int, int], None], items: int, begin: float, share: float) -> Progress:
    """Tell the progress of a part as progress of the whole."""
    return lambda done, total: report(int(items * (begin + share * (done / total if total else 1.0))), items)
