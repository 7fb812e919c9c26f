"""Fixes of one item, and what a change of settings brings and loses over a whole run."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.analysis.collisions import suspicious_among
from evalcore.analysis.comparison import compare
from evalcore.analysis.fixes import Fix, find_fixes, fixes_for
from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import preset as preset_named
from evalcore.scoring.score import score
from evalcore.scoring.scores import Scores

Rows = npt.NDArray[np.int64]
EVERY_DICTIONARY = (("STRASSE", "Straße"), ("the third of May 1990", "3 May 1990"), ("臺灣三百", "台湾300"))
SHORT = 300  # Characters of a prediction whose fixes of the next size are quick to find, too.


@dataclass(frozen=True, eq=False)
class FixEffect:
    """The rows that match under the change and did not before, the other way round, and the gains that are suspicious."""

    gained: Rows
    lost: Rows
    suspicious: Rows


def fix_effect(scores: Scores, changed: Preset) -> FixEffect:
    """Score the run under the changed settings and compare.

    >>> effect = fix_effect(score(["-5", "5."], [["5"], ["5"]], "raw"), preset_named("squad_v1"))
    >>> effect.gained.tolist(), effect.suspicious.tolist()
    ([0, 1], [0])
    """
    after = score(scores.dataset, preset=changed)
    comparison = compare(scores, after)
    gained = comparison.after_rows[comparison.fixed]
    suspicious = np.array([pair.row for pair in suspicious_among(after, gained)], dtype=np.int64)
    return FixEffect(gained, comparison.after_rows[comparison.broken], suspicious)


def item_fixes(prediction: str | None, references: Sequence[str], preset: Preset, languages: Sequence[str] = ()) -> tuple[Fix, ...]:
    """Give the smallest fixes of one item, quickly; for a short prediction those of the next size as well.

    `languages` are those of its run: the dictionary of another one takes seconds to load.

    >>> [fix.title for fix in item_fixes("STRASSE", ["Straße"], preset_named("squad_v1"))][:1]
    ['Casefold']
    """
    text = prediction or ""
    if len(text) <= SHORT:
        return fixes_for(text, references, preset, languages=languages)
    return find_fixes(score([text], [list(references)], preset)).of(0)


def load_dictionaries() -> None:
    """Load what the search for an English item's fixes reads, so that the first item opened need not wait for it."""
    for prediction, reference in EVERY_DICTIONARY:
        item_fixes(prediction, [reference], preset_named("squad_v1"), ("en",))
