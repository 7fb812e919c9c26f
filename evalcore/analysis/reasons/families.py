"""Families of reasons: few enough for a chart, told apart by what would mend them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from evalcore.analysis.reasons.find import Reasons
from evalcore.analysis.reasons.table import REASONS, Kind
from evalcore.analysis.slices import Slicing


@dataclass(frozen=True)
class Family:
    """Reasons that one kind of change would mend; `kind` is that of every one of them."""

    name: str
    title: str
    kind: Kind
    reasons: tuple[str, ...]


FAMILIES: tuple[Family, ...] = (
    Family("sentence", "In a sentence", "surface", ("explanation", "extra_words", "several_answers", "markup")),
    Family("number", "Number or date", "surface", ("number_format", "number_word", "unit", "date_format", "date_precision", "rounded_number")),
    Family("article", "Article, small words", "surface", ("article", "light_words")),
    Family("marks", "Punctuation, spaces", "surface", ("punctuation", "whitespace", "compound")),
    Family("characters", "Case, characters", "surface", ("case", "width", "unicode_form", "traditional_simplified", "accent")),
    Family(
        "words",
        "Other wording",
        "surface",
        (
            "step_in_the_way",
            "several_forms",
            "word_order",
            "spelling_variant",
            "inflection",
            "typo",
            "abbreviation",
            "alias",
            "partial_name",
            "missing_words",
            "reworded",
        ),
    ),
    Family(
        "content",
        "Another answer",
        "content",
        (
            "telling_mark",
            "yes_no_flipped",
            "negation_flipped",
            "different_date",
            "different_number",
            "incomplete",
            "different_script",
            "partly_shared",
            "different_answer",
        ),
    ),
    Family(
        "nothing",
        "No answer",
        "content",
        ("empty", "extraction_failed", "emptied", "unfinished", "no_answer_mismatch", "refusal", "invalid_label", "truncated"),
    ),
)

FAMILY_OF: Mapping[str, Family] = MappingProxyType({reason: family for family in FAMILIES for reason in family.reasons})
_CODES = np.array([FAMILIES.index(FAMILY_OF[reason.name]) for reason in REASONS], dtype=np.int8)


def family_codes(codes: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Give the index into FAMILIES of every reason's code; -1 stays -1."""
    return np.where(codes >= 0, _CODES[codes], np.int8(-1)).astype(np.int8)


def by_family(reasons: Reasons) -> Slicing:
    """Group items by the family of their main reason."""
    labels = (*(family.title.lower() for family in FAMILIES), "did not fail")
    return Slicing("reason", labels, np.where(reasons.codes >= 0, _CODES[reasons.codes], len(FAMILIES)).astype(np.int64))
