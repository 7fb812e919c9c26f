"""Alias tables: other names of an answer, written as one."""

import csv
import io
import re
from collections.abc import Sequence
from functools import lru_cache

from evalcore.text.amounts import amount
from evalcore.text.edits import Edit
from evalcore.text.rules import Function, Rule
from evalcore.text.steps import Table, entries

HEADERS = ("canonical", "alias")
SHOWN_ERRORS = 10


class AliasError(ValueError):
    """An alias table that cannot be used; the message lists the lines."""


def replace_aliases(table: Table = (), ignore_case: bool = True) -> Rule:
    """Write every alias of an own table as the name it stands for.

    Source: Whymiss; the table is the user's own.
    Range: whole words, the longest alias first; a name is left as it is where it stands already.
    Empty: an empty table changes nothing.
    Raises: AliasError when one alias stands for two names, or a cell is empty.

    >>> replace_aliases((("United States", "USA"), ("United States", "US"))).apply("made in USA")
    'made in United States'
    """
    if not table:
        return Function(lambda text: text, lambda text: ())
    aliases = _Aliases(table, ignore_case)
    return Function(aliases.apply, aliases.edits)


class _Aliases:
    """A compiled alias table."""

    def __init__(self, table: Table, ignore_case: bool) -> None:
        self.ignore_case = ignore_case
        self.names: dict[str, str] = {}
        conflicts = []
        for number, (canonical, alias) in enumerate(table, 1):
            if not canonical or not alias:
                conflicts.append(f"row {number}: {canonical!r:.60} and {alias!r:.60}; both must be filled")
                continue
            before = self.names.setdefault(self._key(alias), canonical)
            if before != canonical:
                conflicts.append(f"row {number}: {alias!r:.60} stands for {canonical!r:.60}, but before it stands for {before!r:.60}")
        if conflicts:
            raise AliasError(_listed("the alias table cannot be used", conflicts))
        for canonical, _ in table:
            self.names.setdefault(self._key(canonical), canonical)
        unlike = {name for row in table for name in row if len(self._key(name)) != len(name)}  # Folded, `Straße` is no longer spelled as in texts.
        self.pattern = _compiled(tuple(sorted({*self.names, *unlike})), ignore_case)

    def _key(self, text: str) -> str:
        return text.casefold() if self.ignore_case else text

    def edits(self, text: str) -> tuple[Edit, ...]:
        found = (Edit(match.start(), match.end(), self.names.get(self._key(match[0]), match[0])) for match in self.pattern.finditer(text))
        return tuple(edit for edit in found if text[edit.start : edit.end] != edit.new)

    def apply(self, text: str) -> str:
        return self.pattern.sub(lambda match: self.names.get(self._key(match[0]), match[0]), text)


@lru_cache(maxsize=32)
def _compiled(names: tuple[str, ...], ignore_case: bool) -> "re.Pattern[str]":
    """Compile many names to one pattern, which looks at every character of a text once a name's beginning."""
    longest = sorted(names, key=lambda name: (-len(name), name))
    return re.compile("|".join(_bounded(part) for part in _by_beginning(longest)), re.IGNORECASE if ignore_case else 0)


def _by_beginning(names: Sequence[str]) -> list[list[str]]:
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name[:1], []).append(name)
    return list(groups.values())


def _bounded(names: Sequence[str]) -> str:
    """Write names of one first character as a pattern that ends and begins at words."""
    first, rests = re.escape(names[0][0]), "|".join(re.escape(name[1:]) + _end(name) for name in names)
    return f"{_start(names[0])}{first}(?:{rests})"


def _start(name: str) -> str:
    return r"(?<!\w)" if _is_spaced(name[0]) else ""


def _end(name: str) -> str:
    return r"(?!\w)" if _is_spaced(name[-1]) else ""


def _is_spaced(character: str) -> bool:
    """Tell whether words of the character's script stand between spaces."""
    return (character.isalnum() or character == "_") and not "\u3040" <= character <= "\u9fff" and not "\u0e00" <= character <= "\u0eff"


def read_aliases(source: str | bytes) -> Table:
    """Read an alias table from CSV with the columns canonical and alias.

    Empty: blank lines are left out; a table without rows is an error.
    Raises: AliasError listing every line that is wrong: too few or many
        cells, an empty cell, an alias that stands for two names, or a name
        that is itself an alias of another one.

    >>> read_aliases("canonical,alias\\nUnited States,USA\\n")
    (('United States', 'USA'),)
    """
    text = _decoded(source) if isinstance(source, bytes) else source.removeprefix("\ufeff")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if "\t" in text.partition("\n")[0] else ",")
    header = [cell.strip().casefold() for cell in next(reader, [])]
    if header != list(HEADERS):
        raise AliasError(f"line 1 is {','.join(header)!r:.80}; the header canonical,alias is needed")
    rows: list[tuple[int, str, str]] = []
    wrong: list[str] = []
    for row in reader:
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        if len(cells) != 2 or not all(cells):
            wrong.append(f"line {reader.line_num}: {','.join(row)!r:.60} has {amount(len(cells), 'cell')}; two filled ones are needed")
        else:
            rows.append((reader.line_num, cells[0], cells[1]))
    wrong += _conflicts(rows)
    if wrong:
        raise AliasError(_listed("the alias table cannot be used", wrong))
    if not rows:
        raise AliasError("the alias table has no rows; write one alias a line, such as United States,USA")
    return tuple(dict.fromkeys((canonical, alias) for _, canonical, alias in rows))


def _decoded(source: bytes) -> str:
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise AliasError(f"the alias table is no UTF-8: line {line} holds the byte 0x{source[error.start]:02x}. Save it as UTF-8 and load it again") from None


def write_aliases(table: Table) -> str:
    """Write a table as the CSV it is read from.

    >>> write_aliases((("Washington, D.C.", "DC"),))
    'canonical,alias\\n"Washington, D.C.",DC\\n'
    """
    target = io.StringIO(newline="")
    csv.writer(target, lineterminator="\n").writerows([HEADERS, *table])
    return target.getvalue()


def _conflicts(rows: Sequence[tuple[int, str, str]]) -> list[str]:
    """Find aliases of two names, and names that are aliases of other ones, letter case aside."""
    wrong = []
    stands_for: dict[str, tuple[int, str]] = {}
    for line, canonical, alias in rows:
        before = stands_for.setdefault(alias.casefold(), (line, canonical))
        if before[1].casefold() != canonical.casefold():
            wrong.append(f"line {line}: {alias!r:.60} stands for {canonical!r:.60}, but for {before[1]!r:.60} in line {before[0]}")
    for line, canonical, _ in rows:
        other = stands_for.get(canonical.casefold())
        if other is not None and other[1].casefold() != canonical.casefold():
            wrong.append(f"line {line}: the name {canonical!r:.60} is itself an alias of {other[1]!r:.60} in line {other[0]}")
    return wrong


def _listed(what: str, lines: Sequence[str]) -> str:
    more = f"; and {len(lines) - SHOWN_ERRORS} more" if len(lines) > SHOWN_ERRORS else ""
    return f"{what}: {'; '.join(lines[:SHOWN_ERRORS])}{more}. Correct these lines and load the table again"


ENTRIES = entries("aliases", replace_aliases)
