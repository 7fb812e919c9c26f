"""Extraction of a field from JSON, also with text or a fence around it."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from evalcore.text.extraction.rule import Choice, Extraction, Nothing, Span
from evalcore.text.rules import Rule

DEEPEST = 100  # Nesting beyond this is no answer, and would exhaust the stack.
DEEPEST_WHOLE = 400  # The same where the whole text is JSON, which Python's reader and comparison follow to some 900 levels.

_OPENING = re.compile(r'\{(?=[ \t\n\r]*["}])|\[(?=[ \t\n\r]*["{\[\]\-0-9tfn])', re.ASCII)  # What follows may be JSON.
_BLANK = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null', re.ASCII)


class Value(NamedTuple):
    """A JSON value as it stands in a text; `members` holds what an object or a list contains."""

    start: int
    end: int
    members: tuple[tuple[str, "Value"], ...] = ()


class _NotJson(Exception):
    """No JSON begins here; `opened` are the places of all brackets that were left open on the way."""

    def __init__(self) -> None:
        self.opened: list[int] = []


def read_value(text: str, start: int, depth: int = 0) -> Value:
    """Read the JSON value that begins at `start`, duplicate keys kept.

    Raises: _NotJson when there is none.
    """
    opening = text[start : start + 1]
    if opening not in ("{", "["):
        match = _SCALAR.match(text, start)
        if match is None:
            raise _NotJson
        return Value(start, match.end())
    if depth == DEEPEST:
        raise _NotJson
    try:
        return _container(text, start, depth)
    except _NotJson as error:
        error.opened.append(start)
        raise


def _container(text: str, start: int, depth: int) -> Value:
    opening = text[start]
    closing = "}" if opening == "{" else "]"
    members: list[tuple[str, Value]] = []
    position = _past_blank(text, start + 1)
    while text[position : position + 1] != closing:
        if members:
            position = _past(text, position, ",")
        key = str(len(members))
        if opening == "{":
            key, position = _key(text, position)
        member = read_value(text, position, depth + 1)
        members.append((key, member))
        position = _past_blank(text, member.end)
    return Value(start, position + 1, tuple(members))


def _key(text: str, position: int) -> tuple[str, int]:
    match = _SCALAR.match(text, position)
    if match is None or text[position] != '"':
        raise _NotJson
    return json.loads(match.group()), _past(text, _past_blank(text, match.end()), ":")


def _past(text: str, position: int, mark: str) -> int:
    if text[position : position + 1] != mark:
        raise _NotJson
    return _past_blank(text, position + 1)


def _past_blank(text: str, position: int) -> int:
    found = _BLANK.match(text, position)
    return found.end() if found else position


def documents(text: str) -> Iterator[Value]:
    """Give the objects and lists in a text, outermost ones only, in order."""
    if "{" not in text and "[" not in text:
        return
    position = min(place for place in (text.find("{"), text.find("[")) if place >= 0)
    hopeless: set[int] = set()
    while (match := _OPENING.search(text, position)) is not None:
        position = match.end()
        if match.start() in hopeless:
            continue
        try:
            value = read_value(text, match.start())
        except _NotJson as error:
            hopeless.update(error.opened)
        else:
            yield value
            position = value.end


def _at(value: Value, path: tuple[str, ...]) -> Iterator[Value]:
    if not path:
        yield value
        return
    for key, member in value.members:
        if path[0] in (key, "*"):
            yield from _at(member, path[1:])


def _written(source: str) -> str:
    if not source.startswith('"'):
        return source
    text = json.loads(source)
    return text if isinstance(text, str) else source


def take_json_field(path: str = "answer", choice: Choice = "last", nothing: Nothing = "unscored", marker: str = "[invalid]") -> Rule:
    """Keep a field of a JSON object that stands in the text.

    Range: `path` names keys and list places with dots between, `*` for any; left empty it is the whole object or list.
    Differs: of a key that stands twice `last` takes the second, as JSON readers do; texts are unquoted, other values are kept as written.
    Source: the JSON answers asked for by prompts.

    >>> take_json_field("answer.city").apply('Sure: {"answer": {"city": "Paris"}} Bye.')
    'Paris'
    """
    keys = tuple(filter(None, path.split(".")))

    def fields(text: str) -> list[Span]:
        if "{" not in text and "[" not in text:
            return []
        return [value[:2] for document in documents(text) for value in _at(document, keys)]

    return Extraction(fields, choice, nothing, marker, ", ", f"JSON with the field {path!r:.40}" if keys else "JSON", spell=_written, trouble=json_trouble)


def take_json(nothing: Nothing = "unscored", marker: str = "[invalid]") -> Rule:
    """Keep the text only where the whole of it is JSON.

    Range: what Python's json.loads reads, a bare number and NaN too, up to 400 levels deep; the text stays as it is.
    Source: json_match of openai/evals.

    >>> take_json("empty").apply(' {"a": 1}'), take_json("empty").apply("Sure: {}")
    (' {"a": 1}', '')
    """

    def cut(text: str) -> str | None:
        return text if is_json(text) else None

    def find(text: str) -> list[Span]:
        return [(0, len(text))] if is_json(text) else []

    return Extraction(find, "first", nothing, marker, what="JSON, as the whole text,", trouble=json_trouble, cut=cut)


_BEGINS = frozenset(' \t\n\r{["-0123456789tfnNI')  # The last five: true, false, null, NaN, Infinity.


def is_json(text: str) -> bool:
    """Tell whether a whole text is JSON for Python's reader."""
    if text[:1] not in _BEGINS:  # To fail on prose takes longer than to see it.
        return False
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return text.count("[") + text.count("{") <= DEEPEST_WHOLE or _levels(value) <= DEEPEST_WHOLE


def _levels(value: Any) -> int:
    """Count how deep lists and objects stand in each other."""
    levels, inside = 0, [value]
    while inside := [each for outer in inside if isinstance(outer, dict | list) for each in (outer.values() if isinstance(outer, dict) else outer)]:
        levels += 1
    return levels


def json_trouble(text: str) -> str:
    """Say why a text holds no JSON; empty where it holds an object or a list.

    >>> json_trouble('{"answer": "Paris"')
    "not JSON: Expecting ',' delimiter at line 1, column 19"
    """
    if next(documents(text), None) is not None:
        return ""
    start = min((place for place in (text.find("{"), text.find("[")) if place >= 0), default=-1)
    if start < 0:
        return "not JSON: no { or [ in the text"
    try:
        json.loads(text[start:], parse_int=str, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        line = text.count("\n", 0, start) + error.lineno
        column = error.colno + (start - text.rfind("\n", 0, start) - 1 if error.lineno == 1 else 0)
        return f"not JSON: {error.msg} at line {line}, column {column}"
    except _NoSuchValue as error:
        return f"not JSON: {error} is no value of JSON"
    except RecursionError:
        pass
    return f"not JSON: nested deeper than {DEEPEST}"


class _NoSuchValue(ValueError):
    """NaN or Infinity, which Python's reader takes and JSON does not know."""


def _refuse_constant(name: str) -> None:
    raise _NoSuchValue(name)
