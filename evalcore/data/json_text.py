"""JSON in and out without changing a literal."""

import json
from collections.abc import Sequence

import orjson

NO_VALUE = ("NaN", "Infinity", "-Infinity")  # What programs write where a number has no value.


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


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_float=Number, parse_int=Number, parse_constant=Number)
_flat_decoder = json.JSONDecoder(parse_float=Number, parse_int=Number, parse_constant=Number)


def decode(text: str) -> object:
    """Read JSON; numbers, NaN and Infinity come as `Number`.

    A key that repeats gives a `Repeated` object, so that none is lost.

    Raises: json.JSONDecodeError.

    >>> decode('[1.0, 1e5, NaN, "007", true, null]')
    ['1.0', '1e5', 'NaN', '007', True, None]
    """
    return _decoder.decode(text)


def decode_line(line: bytes) -> object:
    """Read one line of JSON as `decode` does, faster for an object without objects inside.

    Raises: json.JSONDecodeError, UnicodeDecodeError.
    """
    keys = line.count(b'":')
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
