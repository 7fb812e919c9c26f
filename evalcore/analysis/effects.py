"""Effects: what one move does to all items of a run, for good and for bad."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.analysis.collisions import suspicious_among
from evalcore.analysis.moves import Move, apply_moves
from evalcore.scoring.chunks import Progress
from evalcore.scoring.score import score
from evalcore.scoring.scores import Scores

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Effect:
    """What one move changes: the rows that would match, and those that would no longer.

    `suspicious` are the gains that match only by a loss; `gained_points`
    and `lost_points` are EM points, 0..1 of the scored items.
    """

    move: Move
    gained: Rows
    lost: Rows
    suspicious: Rows
    gained_points: float
    lost_points: float


def effects_of(scores: Scores, moves: Sequence[Move], progress: Progress | None = None) -> tuple[Effect, ...]:
    """Score the run again under every move alone.

    `progress(done, moves)` is called before every move; what it raises stops the run.

    >>> from evalcore.analysis.moves import moves_for
    >>> scores = score(["STRASSE", "the end"], [["Straße"], ["end"]])
    >>> moves = [move for move in moves_for(scores.preset) if move.title in ("Casefold", "without Drop articles: en")]
    >>> [(effect.move.title, effect.gained_points, effect.lost_points) for effect in effects_of(scores, moves)]
    [('Casefold', 0.5, 0.0), ('without Drop articles: en', 0.0, 0.5)]
    """
    report = progress or (lambda done, total: None)
    scored = max(1, int(scores.is_scored.sum()))
    found = []
    for number, move in enumerate(moves):
        report(number, len(moves))
        changed = score(scores.dataset, preset=apply_moves(scores.preset, [move]))
        gained, lost = np.flatnonzero((scores.em == 0) & (changed.em == 1)), np.flatnonzero((scores.em == 1) & (changed.em != 1))
        odd = np.array([pair.row for pair in suspicious_among(changed, gained)], dtype=np.int64)
        found.append(Effect(move, gained, lost, odd, len(gained) / scored, len(lost) / scored))
    report(len(moves), len(moves))
    return tuple(found)


def taken_from(scores: Scores, least: float) -> Rows:
    """Give the rows with EM 0 that a match from this F1 on would take.

    >>> taken_from(score(["the big apple", "Rome"], [["big apple pie"], ["Paris"]], "squad_v1"), 0.8).tolist()
    [0]
    """
    return np.flatnonzero((scores.em == 0) & (scores.f1 >= least))
