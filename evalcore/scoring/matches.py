"""Matches: what the scorers of language-model harnesses call a hit.

Each is a function of the two sides of a pair, raw and normalized.
"""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from evalcore.scoring.numeric_match import ANSWERS as NUMERIC_ANSWERS
from evalcore.scoring.numeric_match import MATCHES as NUMERIC_MATCHES
from evalcore.scoring.pairs import Side

SideMatch = Callable[[Side, Side], bool]


def _one_holds_the_other(prediction: Side, reference: Side) -> bool:
    """Tell whether either text stands in the other; an empty one only meets an empty one."""
    left, right = prediction.normalized, reference.normalized
    return left == right if not left or not right else left in right or right in left


def _equal_to_either(prediction: Side, reference: Side) -> bool:
    return prediction.normalized in (reference.normalized, reference.raw)


def same_json(first: Any, second: Any) -> bool:
    """Tell whether two JSON values are equal; null equals nothing, not even itself.

    Source: json_match of openai/evals: a key that is missing counts as null, `1` equals `1.0` and `true`.
    """
    waiting = [(first, second)]
    while waiting:
        one, other = waiting.pop()
        if one is None or other is None:
            return False
        if isinstance(one, dict) and isinstance(other, dict):
            waiting += [(one.get(key), other.get(key)) for key in {**one, **other}]
        elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            waiting += zip(one, other, strict=True)
        elif isinstance(one, dict | list) or one != other:
            return False
    return True


def _same_json_texts(prediction: Side, reference: Side) -> bool:
    return same_json(json.loads(prediction.normalized), json.loads(reference.normalized))


def _close_to_whole(prediction: Side, reference: Side) -> bool:
    """Tell whether both are equal as texts, or within a millionth where the reference is a whole number."""
    try:
        return prediction.normalized == reference.normalized or abs(float(prediction.normalized) - int(reference.normalized)) < 1e-6
    except (ValueError, OverflowError):
        return False


SIDE_MATCHES: Mapping[str, SideMatch] = MappingProxyType(
    {
        "starts_with": lambda prediction, reference: prediction.normalized.startswith(reference.normalized),
        "ends_with": lambda prediction, reference: prediction.normalized.endswith(reference.normalized),
        "either_contains": _one_holds_the_other,
        "equal_or_raw": _equal_to_either,
        "json": _same_json_texts,
        "whole_number": _close_to_whole,
        **NUMERIC_MATCHES,
    }
)
ANSWERS: Mapping[str, Callable[[str, str], str]] = NUMERIC_ANSWERS
