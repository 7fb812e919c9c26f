"""The catalogue: every step there is, by name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from evalcore.text import (
    aliases,
    case,
    characters,
    chinese,
    cuts,
    dates,
    drop,
    extraction,
    latex,
    lemmas,
    markup,
    number_words,
    numbers,
    patterns,
    punctuation,
    unicode,
    whitespace,
    words,
)
from evalcore.text.names import UnknownName
from evalcore.text.steps import Entry, Side, Step, Value

CATALOGUE: Mapping[str, Entry] = MappingProxyType(
    {
        entry.name: entry
        for entry in (
            *extraction.ENTRIES,
            *markup.ENTRIES,
            *latex.ENTRIES,
            *unicode.ENTRIES,
            *aliases.ENTRIES,
            *case.ENTRIES,
            *punctuation.ENTRIES,
            *characters.ENTRIES,
            *number_words.ENTRIES,
            *numbers.ENTRIES,
            *dates.ENTRIES,
            *words.ENTRIES,
            *lemmas.ENTRIES,
            *drop.ENTRIES,
            *chinese.ENTRIES,
            *cuts.ENTRIES,
            *patterns.ENTRIES,
            *whitespace.ENTRIES,
        )
    }
)


def step(name: str, side: Side = "both", **parameters: Value) -> Step:
    """Make a step of the catalogue.

    Raises: UnknownName listing near names, ValueError for a bad parameter.

    >>> step("delete_punctuation", which="unicode").signature
    'delete_punctuation:unicode'
    """
    return _made(name, side, parameters)


def _made(name: str, side: Side, parameters: Mapping[str, Value]) -> Step:
    if name not in CATALOGUE:
        raise UnknownName("step", name, CATALOGUE)
    return Step(CATALOGUE[name], tuple(parameters.items()), side)


def step_from_json(value: Any) -> Step:
    """Make a step from its JSON form.

    Raises: ValueError or UnknownName saying which part is wrong.
    """
    if not isinstance(value, dict) or not isinstance(value.get("step"), str):
        raise ValueError(f"{value!r:.80} is no step; an object with the key 'step' is needed")
    parameters = value.get("parameters", {})
    extra = set(value) - {"step", "side", "parameters"}
    if extra or not isinstance(parameters, dict):
        raise ValueError(
            f"step {value['step']!r}: {', '.join(sorted(extra)) or 'parameters'} is not understood; the keys are step, side, parameters (an object)"
        )
    return _made(value["step"], value.get("side", "both"), parameters)
