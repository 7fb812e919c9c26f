"""JSON in and out without changing a literal."""

import json
import re
from collections.abc import Sequence

import numpy as np
import orjson

from evalcore.data import json_scan

NO_VALUE = ("NaN", "Infinity", "-Infinity")  # What programs write where a number has no value.
MOST_DEEP = 100  # Levels of lists and objects; what reads and writes them calls itself, and deeper ones hold no answers.
SPACED_KEY = re.compile(rb'"\s+:')


class Number(str):
    """The literal of a JSON number, as written: 1e5 stays "1e5"."""

    __slots__ = ()


class Repeated(dict[str, object]):
    """An object in which a key stands more than once; `pairs` has them all."""

    pairs: list[tuple[str, object]]


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    repeated = Repeated(plain)
    repeated.pairs = pairs
    return repeated


def pairs_of(value: dict[str, object]) -> list[tuple[str, object]]:
    """Give all keys with their values, also one that stands more than once.

    >>> pairs_of(decode('{"q": "a", "q": "b"}'))
    [('q', 'a'), ('q', 'b')]
    """
    return value.pairs if isinstance(value, Repeated) else list(value.items())


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_float=Number, parse_int=Number, parse_constant=Number)
_flat_decoder = json.JSONDecoder(parse_float=Number, parse_int=Number, parse_constant=Number)


def decode(text: str) -> object:
    """Read JSON; numbers, NaN and Infinity come as `Number`.

    A key that repeats gives a `Repeated` object, so that none is lost.

    Raises: json.JSONDecodeError; RecursionError where it nests more than 100 deep.

    >>> decode('[1.0, 1e5, NaN, "007", true, null]')
    ['1.0', '1e5', 'NaN', '007', True, None]
    """
    if text.count("[") + text.count("{") > MOST_DEEP:
        require_shallow(text.encode("utf-8", "surrogatepass"))
    return _decoder.decode(text)


def require_shallow(source: bytes) -> None:
    """Check how deep lists and objects nest.

    Raises: RecursionError where that is more than 100.
    """
    if source.count(b"[") + source.count(b"{") > MOST_DEEP and json_scan.deepest(np.frombuffer(source, dtype=np.uint8)) > MOST_DEEP:
        raise RecursionError(f"JSON nests more than {MOST_DEEP} deep")


def decode_line(line: bytes) -> object:
    """Read one line of JSON as `decode` does, faster for an object without objects inside.

    Raises: json.JSONDecodeError, UnicodeDecodeError; RecursionError where it nests more than 100 deep.
    """
    require_shallow(line)
    keys = -1 if SPACED_KEY.search(line) else line.count(b'":')  # As many as there are keys at least; -1 for not counted.
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        value = None
    if type(value) is dict and len(value) == keys:
        if not any(map(_has_literal, value.values())):
            return value
        return _flat_decoder.decode(line.decode("utf-8", "surrogatepass"))
    return decode(line.decode("utf-8", "surrogatepass"))


def _has_literal(value: object) -> bool:
    """Tell whether a value may have been written in another way: a fraction, an exponent, a negative zero."""
    kind = type(value)
    if kind is list:
        return any(type(part) is not str for part in value)  # type: ignore[attr-defined]
    return kind is float or kind is dict or (kind is int and value == 0)


def source_of(value: object) -> str:
    """Write a decoded value as JSON; a number alone gives its literal.

    >>> source_of({"a": [Number("1.0"), None, True, "x"]})
    '{"a": [1.0, null, true, "x"]}'
    """
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, Repeated):
        return "{" + ", ".join(f"{_text(key)}: {source_of(part)}" for key, part in value.pairs) + "}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(str(key))}: {source_of(part)}" for key, part in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return "[" + ", ".join(map(source_of, value)) + "]"
    return _text(value)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
