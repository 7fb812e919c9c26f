"""Steps: catalogue entries with chosen parameters."""

import hashlib
import inspect
import json
import re
import typing
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Literal
from urllib.parse import quote

from evalcore.text.edits import Edit
from evalcore.text.names import UnknownName
from evalcore.text.rules import Rule

Side = Literal["both", "prediction", "reference"]
SIDES: tuple[Side, ...] = ("both", "prediction", "reference")
KINDS = {
    "choice": "choice",
    "text": "text",
    "flag": "true or false",
    "number": "whole number",
    "words": "list of words",
    "table": "list of pairs (name, alias)",
}
Table = tuple[tuple[str, str], ...]
Value = str | bool | int | tuple[str, ...] | Table


@dataclass(frozen=True)
class Parameter:
    """One setting of a step: its kind decides how the app asks for it."""

    name: str
    kind: Literal["choice", "text", "flag", "number", "words", "table"]
    default: Value
    choices: tuple[str, ...] = ()

    def check(self, value: object, step: str) -> Value:
        """Give the value in its hashable form.

        Raises: ValueError naming step, parameter and what is accepted.
        """
        if self.kind == "words" and isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
            return tuple(value)
        if self.kind == "table" and _is_table(value):
            return tuple((str(name), str(alias)) for name, alias in typing.cast(Table, value))
        expected = {"flag": bool, "number": int, "words": tuple, "table": type(None)}.get(self.kind, str)
        if not isinstance(value, expected) or (self.kind == "number" and isinstance(value, bool)):
            raise ValueError(f"{step}: {self.name} is {value!r:.80}; {KINDS[self.kind]} is needed")
        if self.choices and value not in self.choices:
            raise ValueError(f"{step}: {self.name} is {value!r:.80}; one of {', '.join(self.choices)} is needed")
        return typing.cast(Value, value)


@dataclass(frozen=True)
class Entry:
    """One line of the catalogue: a named way to build a rule.

    `title` and `summary` are the texts in the app. `notes` holds the
    labelled lines of the builder's docstring (`Source`, `Differs` ...).
    """

    name: str
    group: str
    summary: str
    parameters: tuple[Parameter, ...]
    build: Callable[..., Rule]
    notes: tuple[tuple[str, str], ...] = ()

    @property
    def title(self) -> str:
        return self.name.replace("_", " ").capitalize()

    def note(self, label: str) -> str:
        """Give one labelled line of the docstring, empty when there is none."""
        return dict(self.notes).get(label, "")


def entries(group: str, *builders: Callable[..., Rule]) -> tuple[Entry, ...]:
    """Make catalogue entries from builder functions.

    The name, the parameters with their defaults and choices, the summary
    and the notes are read off the function itself.
    """
    return tuple(_entry(group, builder) for builder in builders)


def _entry(group: str, builder: Callable[..., Rule]) -> Entry:
    hints = typing.get_type_hints(builder)
    parameters = tuple(_parameter(p.name, p.default, hints[p.name]) for p in inspect.signature(builder).parameters.values())
    summary, notes = parse_docstring(builder.__doc__ or "")
    return Entry(builder.__name__, group, summary, parameters, builder, notes)


def _parameter(name: str, default: Any, hint: Any) -> Parameter:
    if typing.get_origin(hint) is Literal:
        return Parameter(name, "choice", default, tuple(typing.get_args(hint)))
    kinds: dict[Any, Literal["flag", "number", "text", "words", "table"]] = {
        bool: "flag",
        int: "number",
        str: "text",
        tuple[str, ...]: "words",
        Table: "table",
    }
    return Parameter(name, kinds[hint], default)


def parse_docstring(docstring: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Split a docstring into its first line and its labelled notes.

    >>> parse_docstring("Do it.\\n\\nSource: a paper,\\n    page 2.\\n")
    ('Do it.', (('Source', 'a paper, page 2.'),))
    """
    lines = inspect.cleandoc(docstring).split("\n")
    notes: list[tuple[str, str]] = []
    for line in lines[1:]:
        label = re.match(r"(Range|Offsets|Shape|Empty|Raises|Source|Differs): (.*)", line)
        if label:
            notes.append((label[1], label[2]))
        elif line.strip() == "" or line.startswith(">>>"):
            notes.append(("", ""))
        elif notes and notes[-1][0]:
            notes[-1] = (notes[-1][0], f"{notes[-1][1]} {line.strip()}")
    return lines[0], tuple(note for note in notes if note[0])


@dataclass(frozen=True)
class Step:
    """One step of a pipeline: an entry, its parameters, and its sides.

    Equal by value: name, parameters and side.
    """

    entry: Entry
    parameters: tuple[tuple[str, Value], ...] = ()
    side: Side = "both"

    def __post_init__(self) -> None:
        """Check the parameters and fill in the defaults, in the entry's order.

        Raises: UnknownName for a parameter the step does not have, ValueError for a bad value or side.
        """
        given = dict(self.parameters)
        known = {parameter.name for parameter in self.entry.parameters}
        for name in given:
            if name not in known:
                raise UnknownName(f"parameter of {self.entry.name}", name, known)
        if self.side not in SIDES:
            raise ValueError(f"{self.entry.name}: side is {self.side!r}; one of {', '.join(SIDES)} is needed")
        full = tuple((p.name, p.check(given.get(p.name, p.default), self.entry.name)) for p in self.entry.parameters)
        object.__setattr__(self, "parameters", full)
        _ = self.rule

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Step) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[Any, ...]:
        from evalcore.text.catalogue import step

        return (_rebuild, (step, self.name, self.parameters, self.side))

    @property
    def _key(self) -> tuple[Any, ...]:
        return (self.entry.name, self.parameters, self.side)

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def title(self) -> str:
        """Give the app's short name: the entry's, its first parameter, and others that were changed."""
        chosen = zip(self.entry.parameters, self.parameters, strict=True)
        shown = [_shown(value) for number, (parameter, (_, value)) in enumerate(chosen) if number == 0 or value != parameter.default]
        return ": ".join([self.entry.title, *filter(None, [", ".join(filter(None, shown))])])

    @property
    def summary(self) -> str:
        return self.entry.summary

    @cached_property
    def rule(self) -> Rule:
        return _built(self.entry, self.parameters)

    def with_parameters(self, **changes: Value) -> "Step":
        """Give the same step with other parameters."""
        return replace(self, parameters=tuple({**dict(self.parameters), **changes}.items()))

    def on(self, side: Side) -> "Step":
        """Give the same step for another side."""
        return replace(self, side=side)

    def acts_on(self, side: Side) -> bool:
        """Tell whether the step changes texts of this side."""
        return self.side in ("both", side)

    def apply(self, text: str) -> str:
        return self.rule.apply(text)

    def edits(self, text: str) -> tuple[Edit, ...]:
        return self.rule.edits(text)

    @property
    def signature(self) -> str:
        """Give the step's part of a signature, free of `|`, `+` and spaces."""
        shown = [_signed(parameter, value) for parameter, (_, value) in zip(self.entry.parameters, self.parameters, strict=True)]
        side = "" if self.side == "both" else f"@{self.side}"
        return ":".join([self.name, *(part for part in shown if part)]) + side

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form: name, side and every parameter."""
        parameters = {name: list(value) if isinstance(value, tuple) else value for name, value in self.parameters}
        return {"step": self.name, "side": self.side, **({"parameters": parameters} if parameters else {})}


def _rebuild(step: Callable[..., Step], name: str, parameters: Iterable[tuple[str, Value]], side: Side) -> Step:
    return step(name, side, **dict(parameters))


@lru_cache(maxsize=1024)
def _built(entry: Entry, parameters: tuple[tuple[str, Value], ...]) -> Rule:
    return entry.build(**dict(parameters))


SHOWN_WORDS = 3  # A title with more of a list's words is no title.


def _shown(value: Value) -> str:
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return f"{len(value)} rows"
    if not isinstance(value, tuple):
        return str(value)
    listed = value if len(value) <= SHOWN_WORDS else (*value[: SHOWN_WORDS - 1], f"and {len(value) - SHOWN_WORDS + 1} more")
    return ", ".join(map(str, listed))


def _is_table(value: object) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(row, list | tuple) and len(row) == 2 and all(isinstance(cell, str) for cell in row) for row in value
    )


def table_hash(table: Table) -> str:
    """Give 16 hexadecimal digits that name a table; the order of rows counts, as it is part of the settings."""
    content = json.dumps(table)
    return hashlib.sha256(content.encode("utf-8")).hexdigest()[:16]


def _signed(parameter: Parameter, value: Value) -> str:
    if parameter.kind == "choice":
        return str(value)
    if value == parameter.default and not value:
        return ""
    if isinstance(value, bool):
        return parameter.name if value else f"no_{parameter.name}"
    if parameter.kind == "table":
        return f"{parameter.name}={table_hash(typing.cast(Table, value))}"
    written = ",".join(_quoted(str(word), ".-_") for word in value) if isinstance(value, tuple) else _quoted(str(value), ",.-_")
    return f"{parameter.name}={written}"


def _quoted(text: str, kept: str) -> str:
    return quote(text, safe=kept, errors="surrogatepass")
