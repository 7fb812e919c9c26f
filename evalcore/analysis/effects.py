"""Effects: what one move does to all items of a run, for good and for bad."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.analysis.moves import Move, apply_moves
from evalcore.scoring.chunks import Progress
from evalcore.scoring.score import score
from evalcore.scoring.scores import Scores

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Effect:
    """What one move changes: the rows that would match, and those that would no longer.

    `gained_points` and `lost_points` are EM points, 0..1 of the scored items.
    """

    move: Move
    gained: Rows
    lost: Rows
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
        after = score(scores.dataset, preset=apply_moves(scores.preset, [move])).em == 1
        gained, lost = np.flatnonzero((scores.em == 0) & after), np.flatnonzero((scores.em == 1) & ~after)
        found.append(Effect(move, gained, lost, len(gained) / scored, len(lost) / scored))
    report(len(moves), len(moves))
    return tuple(found)
