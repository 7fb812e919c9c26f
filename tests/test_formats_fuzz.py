"""Files of tools with a value that is of another type, or missing: the rows or a clear error, never a crash."""

import copy
import json
import random
from contextlib import suppress
from functools import cache

import pytest

from evalcore.data import DataError, load
from tests.counts import examples
from tests.shared import shared

VALUES = (
    None,
    True,
    0,
    1.5,
    float("nan"),
    "",
    "x",
    "attachment://x",
    [],
    [None],
    ["a"],
    [[1, 2]],
    [{}],
    {},
    {"a": 1},
    {"text": None},
    {"content": [1]},
    "[",
    10**30,
)
LARGEST = 300_000  # Bytes: a variant of a larger file takes too long.
ENTRIES = 5


@cache
def documents():
    """Give the JSON files of tools, those of JSON lines as lists."""
    found = {}
    for path in sorted(shared("formats").rglob("*.json*")):
        if path.stat().st_size < LARGEST:
            text = path.read_text(encoding="utf-8-sig")
            try:
                found[path.name] = (False, json.loads(text))
            except ValueError:
                found[path.name] = (True, [json.loads(line) for line in text.splitlines() if line.strip()])
    return found


def places(value, path=()):
    """Give the way to every value inside, of long lists to the first ones."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value[:ENTRIES]) if isinstance(value, list) else ()
    for key, part in inner:
        yield from places(part, (*path, key))


def changed(document, chance):
    """Put another value in some places, or take them out."""
    value = copy.deepcopy(document[:ENTRIES] if isinstance(document, list) else document)
    for _ in range(chance.choice((1, 1, 2, 3))):
        *way, last = chance.choice(list(places(value)) or [(None,)])
        holder = value
        for key in way:
            holder = holder[key]
        if last is None:
            return value
        if chance.random() < 0.1:
            del holder[last]
        else:
            holder[last] = copy.deepcopy(chance.choice(VALUES))
    return value


@pytest.mark.parametrize("seed", range(12))
def test_a_value_of_another_type_costs_its_row_or_is_told(seed):
    chance = random.Random(seed)
    names = list(documents())
    for _ in range(examples(300)):
        name = chance.choice(names)
        by_lines, document = documents()[name]
        value = changed(document, chance)
        as_lines = isinstance(value, list) and by_lines != (chance.random() < 0.2)
        content = "\n".join(map(json.dumps, value)) if as_lines else json.dumps(value)
        with suppress(DataError):
            load(content.encode(), name)
