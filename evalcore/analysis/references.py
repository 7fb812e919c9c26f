"""What verdicts say of the references: which are probably wrong, and which lists are too narrow."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evalcore.analysis.verdicts import REFERENCE_WRONG, RIGHT, WRONG, Codes
from evalcore.scoring.scores import Scores

Doubt = Literal["judged wrong", "matches a wrong answer"]


@dataclass(frozen=True)
class DoubtfulReference:
    """An item whose references are probably wrong, and why: a judge said so, or a wrong answer matches them."""

    row: int
    id: str
    references: tuple[str, ...]
    doubt: Doubt


@dataclass(frozen=True)
class Addition:
    """A right answer that no reference covers: what to add to the item's references."""

    row: int
    id: str
    question: str | None
    references: tuple[str, ...]
    answer: str


def doubtful_references(scores: Scores, codes: Codes) -> tuple[DoubtfulReference, ...]:
    """List the probable reference errors: what judges said is wrong first, then matches judged wrong."""
    told = [(int(row), "judged wrong") for row in np.flatnonzero(codes == REFERENCE_WRONG)]
    matched = [(int(row), "matches a wrong answer") for row in np.flatnonzero((codes == WRONG) & (scores.em == 1))]
    data = scores.dataset
    return tuple(DoubtfulReference(row, data.ids[row] or "", tuple(data.references[row]), doubt) for row, doubt in (*told, *matched))  # type: ignore[arg-type]


def additions(scores: Scores, codes: Codes) -> tuple[Addition, ...]:
    """List the right answers without an exact match, the lowest F1 first: the references are too narrow.

    Empty and missing predictions add nothing.
    """
    data = scores.dataset
    rows = np.flatnonzero((codes == RIGHT) & (scores.em == 0))
    rows = rows[np.argsort(scores.f1[rows], kind="stable")]
    found = []
    for row in rows.tolist():
        answer = data.predictions[row]
        if answer and answer.strip():
            found.append(Addition(row, data.ids[row] or "", None if data.questions is None else data.questions[row], tuple(data.references[row]), answer))
    return tuple(found)


def additions_jsonl(found: Sequence[Addition]) -> bytes:
    """Write additions as JSONL: id, question, and all references with the addition last, ready to be loaded as references."""

    def line(row: Addition, plain: bool) -> bytes:
        record = {"id": row.id, "question": row.question, "answers": [*row.references, row.answer]}
        return (json.dumps(record, ensure_ascii=not plain) + "\n").encode()

    lines = []
    for row in found:
        try:
            lines.append(line(row, plain=True))
        except UnicodeEncodeError:
            lines.append(line(row, plain=False))
    return b"".join(lines)
