"""Tables of other tools: which column is which is told by the format."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from evalcore.data.formats.format import table_of
from evalcore.data.formats.rows import Placed, Row
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

Roles = dict[str, str | tuple[str, ...]]


def told(source: Source, format: str, items: Iterable[Placed], roles: Roles, bad_rows: Sequence[BadRow] = (), notes: Sequence[str] = ()) -> Table:
    """Build a table whose roles are known; a role whose column holds nothing is told as having none.

    `items` may still add to `bad_rows` while it is gone through.
    """
    placed = list(items)
    table = table_of(source, format, [item.row for item in placed], [item.place for item in placed], bad_rows)
    filled = {name for name, column in table.columns.items() if bool((column.kinds != 0).any())}
    kept = {role: _inside(columns, filled) if role not in ("prediction", "separator") else columns for role, columns in roles.items()}
    if "prediction" in kept:
        kept["prediction"] = _inside(kept["prediction"], set(table.names))
    return replace(table, roles=kept, notes=(*table.notes, *notes))


def _inside(columns: str | tuple[str, ...], names: set[str]) -> str | tuple[str, ...]:
    if isinstance(columns, str):
        return columns if columns in names else ()
    return tuple(name for name in columns if name in names)


def unique(name: str, taken: Iterable[str]) -> str:
    """Give a column name that is not taken.

    >>> unique("question", ["question"])
    'question (2)'
    """
    names = set(taken)
    return name if name not in names else next(f"{name} ({number})" for number in range(2, len(names) + 3) if f"{name} ({number})" not in names)


def wide(rows: Iterable[tuple[str, str, Placed]], shared: Sequence[str], first: Sequence[str]) -> tuple[list[Placed], list[str]]:
    """Lay rows of (id, system, values) side by side: one row an id, the own columns of each system under its name.

    `shared` columns are the same for all systems and are taken from the
    first row; the column "prediction" gets the name of the system, any
    other NAME becomes "NAME,system" where there are several systems.
    Gives the rows and the systems.
    A row whose id and system stood before gets a row of its own.
    """
    items: dict[tuple[str, int], Placed] = {}
    seen: dict[tuple[str, str], int] = {}
    systems: dict[str, str] = {}
    for identity, system, placed in rows:
        if system not in systems:
            systems[system] = unique(system, (*first, *shared, *systems.values()))
        turn = seen[identity, system] = seen.get((identity, system), -1) + 1
        item = items.get((identity, turn))
        if item is None:
            item = items[identity, turn] = Placed(placed.place, {name: placed.row[name] for name in shared if name in placed.row})
        own: Row = {systems[system] if name == "prediction" else f"{name},{systems[system]}": value for name, value in placed.row.items() if name not in shared}
        item.row.update(own)
    names = list(systems.values())
    if len(names) == 1:
        ending = f",{names[0]}"
        return [Placed(item.place, {name.removesuffix(ending): value for name, value in item.row.items()}) for item in items.values()], names
    return list(items.values()), names
