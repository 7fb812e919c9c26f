"""One verdict on one answer, and what it is a verdict on."""

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import NamedTuple

from evalcore.analysis.verdicts import VERDICTS, Verdict
from evalcore.dataset import Dataset
from evalcore.text.names import UnknownName

TAGS = (
    "extra words",
    "missing words",
    "other form of the same answer",
    "more precise than the reference",
    "less precise than the reference",
    "another right answer",
    "wrong answer",
    "right answer, wrong reasoning",
    "does not answer",
    "refuses to answer",
    "question is unclear",
)


class ItemKey(NamedTuple):
    """What identifies an answer, whatever file it comes from.

    `item`: of question, context, prediction and references. `answer`: of
    question and prediction alone, so that a verdict outlives an addition
    to the references; the same as `item` where there is no question.
    """

    item: str
    answer: str


@dataclass(frozen=True)
class Judgement:
    """One verdict, as it is kept: never changed, only followed by a later one.

    `verdict` None withdraws the author's earlier verdict. `at` is the time
    in UTC; `signature` the settings in force; `tag` one of TAGS or a
    user's own. The texts judged are kept with it.
    """

    item_key: str
    answer_key: str
    verdict: Verdict | None
    author: str = ""
    tag: str = ""
    note: str = ""
    signature: str = ""
    system: str = ""
    item_id: str = ""
    question: str | None = None
    prediction: str | None = None
    references: tuple[str, ...] = ()
    at: datetime = field(default_factory=lambda: datetime.now(UTC))
    id: str = field(default_factory=lambda: uuid.uuid4().hex)

    def __post_init__(self) -> None:
        """Check the verdict and the time.

        Raises: UnknownName for a verdict there is not, ValueError for a time without zone.
        """
        if self.verdict is not None and self.verdict not in VERDICTS:
            raise UnknownName("verdict", self.verdict, VERDICTS)
        if self.at.tzinfo is None:
            raise ValueError(f"the time {self.at.isoformat()} of a judgement has no zone; give it in UTC, such as {self.at.isoformat()}+00:00")

    def revised(self, **changes: object) -> "Judgement":
        """Give a later judgement on the same answer, with its own id and time."""
        return replace(self, **{"id": uuid.uuid4().hex, "at": datetime.now(UTC), **changes})  # type: ignore[arg-type]


def item_key(question: str | None, context: str | None, prediction: str | None, references: Sequence[str]) -> ItemKey:
    """Give the keys of one answer; the order of the references does not matter.

    >>> item_key(None, None, "a", ["x", "y"]) == item_key(None, None, "a", ["y", "x"])
    True
    """
    item = _digest([question, context, prediction, *sorted(references)])
    return ItemKey(item, _digest([question, prediction]) if question else item)


def _digest(parts: Sequence[str | None]) -> str:
    found = hashlib.sha256()
    for part in parts:
        encoded = b"" if part is None else part.encode("utf-8", "surrogatepass")
        found.update(f"{-1 if part is None else len(encoded)}:".encode() + encoded)
    return found.hexdigest()


def key_of(dataset: Dataset, row: int) -> ItemKey:
    """Give the keys of an item of a dataset."""
    question = None if dataset.questions is None else dataset.questions[row]
    context = None if dataset.contexts is None else dataset.contexts[row]
    return item_key(question, context, dataset.predictions[row], dataset.references[row])


def judgement_of(dataset: Dataset, row: int, verdict: Verdict | None, *, author: str = "", tag: str = "", note: str = "", signature: str = "") -> Judgement:
    """Make a judgement on an item of a dataset."""
    key = key_of(dataset, row)
    return Judgement(
        key.item,
        key.answer,
        verdict,
        author,
        tag,
        note,
        signature,
        dataset.system,
        dataset.ids[row] or "",
        None if dataset.questions is None else dataset.questions[row],
        dataset.predictions[row],
        tuple(dataset.references[row]),
    )
