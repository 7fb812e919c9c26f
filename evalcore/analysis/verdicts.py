"""What people said of the answers: right, wrong, unsure, or the reference is wrong."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from evalcore.text.columns import Texts

Verdict = Literal["wrong", "right", "unsure", "reference_wrong"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
NONE, WRONG, RIGHT, UNSURE, REFERENCE_WRONG = -1, 0, 1, 2, 3
VERDICT_NAMES: Mapping[Verdict, str] = MappingProxyType({"right": "Right", "wrong": "Wrong", "unsure": "Unsure", "reference_wrong": "Reference is wrong"})
Codes = npt.NDArray[np.int8]

WORDS: Mapping[str, Verdict] = MappingProxyType(
    {
        **dict.fromkeys(("right", "correct", "true", "yes", "1", "1.0", "acceptable", "accepted", "pass", "正确", "对", "是"), "right"),
        **dict.fromkeys(("wrong", "incorrect", "false", "no", "0", "0.0", "unacceptable", "rejected", "fail", "错误", "错", "否"), "wrong"),
        **dict.fromkeys(("unsure", "unclear", "maybe", "ambiguous", "partial", "0.5"), "unsure"),
        **dict.fromkeys(("reference_wrong", "reference is wrong", "reference wrong", "bad reference"), "reference_wrong"),
    }
)
ABSENT = frozenset(("", "nan", "none", "null", "n/a", "na"))


@dataclass(frozen=True, eq=False)
class ColumnVerdicts:
    """A column of labels as verdicts.

    Shape: `codes` has one row an item: an index into VERDICTS, or NONE.
    `absent` counts cells without a label; `unknown` counts labels that are
    no verdict, by what they say.
    """

    codes: Codes
    absent: int
    unknown: Mapping[str, int]


def column_verdicts(column: Texts, words: Mapping[str, Verdict] | None = None) -> ColumnVerdicts:
    """Read a column of labels as verdicts, without regard to case; `words` says what further labels mean.

    >>> column_verdicts(Texts.of(["True", "false", "nan", "perhaps"])).unknown
    {'perhaps': 1}
    """
    meaning = {**WORDS, **{word.strip().casefold(): verdict for word, verdict in (words or {}).items()}}
    labels = [(text or "").strip().casefold() for text in column]
    codes = np.array([VERDICTS.index(meaning[label]) if label in meaning else NONE for label in labels], dtype=np.int8)
    absent = [label in ABSENT and label not in meaning for label in labels]
    unknown = Counter(label for label, is_absent in zip(labels, absent, strict=True) if label not in meaning and not is_absent)
    return ColumnVerdicts(codes, sum(absent), dict(unknown.most_common()))


def label_columns(metadata: Mapping[str, Texts]) -> tuple[str, ...]:
    """Name the columns that look like verdicts: at least half of their cells, and both right and wrong among them."""
    found = []
    for name, column in metadata.items():
        read = column_verdicts(column)
        labelled = int((read.codes != NONE).sum())
        if labelled and 2 * labelled >= len(column) and not read.unknown and {WRONG, RIGHT} <= set(read.codes.tolist()):
            found.append(name)
    return tuple(found)


def consensus(verdicts: Iterable[Verdict]) -> Verdict | None:
    """Give what most judges said; unsure where no verdict leads, None without any.

    >>> consensus(["right", "right", "wrong"]), consensus(["right", "wrong"])
    ('right', 'unsure')
    """
    counts = Counter(verdicts).most_common(2)
    if not counts:
        return None
    return counts[0][0] if len(counts) == 1 or counts[0][1] > counts[1][1] else "unsure"


def codes_of(verdicts: Sequence[Verdict | None]) -> Codes:
    """Give verdicts as codes; None is NONE."""
    return np.array([NONE if verdict is None else VERDICTS.index(verdict) for verdict in verdicts], dtype=np.int8)


def merged(first: Codes, second: Codes) -> Codes:
    """Give the first verdict of every item where there is one, else the second, such as that of a file's column."""
    return np.where(first != NONE, first, second).astype(np.int8)
