"""Which column plays which role."""

import difflib
from collections.abc import Mapping as Pairs
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from evalcore.data.errors import MappingError, listed, quote
from evalcore.data.table import Table

ROLES = ("id", "prediction", "references", "question", "context", "label", "logged", "ignore")
FIELDS = {
    "id": "id",
    "prediction": "predictions",
    "references": "references",
    "question": "question",
    "context": "context",
    "label": "labels",
    "logged": "logged",
    "ignore": "ignored",
}
SPELLINGS = {"predictions": "prediction", "reference": "references", "gold": "references", "labels": "label", "ignored": "ignore"}
SINGLE = ("id", "question", "context")
SEVERAL = ("predictions", "references", "labels", "logged", "ignored")

Roles = Pairs[str, Any]


@dataclass(frozen=True)
class Mapping:
    """The role of each column of a file.

    Every prediction column is one system. Reference columns add up when
    there are several. `separator` splits a reference cell: None keeps the
    text as one reference, "json" reads a list written in the cell,
    anything else splits there and drops the spaces around each part.
    `labels` are columns with human verdicts, one a system or one for all.
    `logged` are columns with the scores another tool gave, kept to compare.
    Every column without a role becomes metadata, `ignored` ones do not.
    `where` keeps the rows whose column has exactly this value ("true" and
    "false" for truth values); the rows left out are counted and listed.
    """

    predictions: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    id: str | None = None
    question: str | None = None
    context: str | None = None
    labels: tuple[str, ...] = ()
    logged: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    separator: str | None = None
    where: tuple[tuple[str, str], ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """Roles that must have a column and have none."""
        needed = (("prediction", self.predictions), ("references", self.references))
        return tuple(role for role, columns in needed if not columns)

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that has a role."""
        single = tuple(name for name in (self.id, self.question, self.context) if name)
        return tuple(dict.fromkeys((*single, *self.predictions, *self.references, *self.labels, *self.logged, *self.ignored)))

    def with_roles(self, roles: Roles) -> "Mapping":
        """Give columns other roles; a column keeps no older role beside, None takes a role's column away.

        Raises: MappingError for a role that does not exist.

        >>> Mapping(references=("answer",)).with_roles({"prediction": "answer"})
        Mapping(predictions=('answer',), references=(), id=None, question=None, context=None, labels=(), logged=(), ignored=(), separator=None, where=())
        """
        given = {_role(role): _several(columns) for role, columns in roles.items()}
        taken = {column for columns in given.values() for column in columns}
        changes: dict[str, Any] = {FIELDS[role]: next(iter(columns), None) if role in SINGLE else columns for role, columns in given.items()}
        return replace(self.without(taken), **changes)

    def without(self, columns: set[str]) -> "Mapping":
        """Take the roles from these columns."""
        changes: dict[str, Any] = {name: tuple(column for column in getattr(self, name) if column not in columns) for name in SEVERAL}
        changes |= {name: None for name in SINGLE if getattr(self, name) in columns}
        return replace(self, **changes)

    def within(self, names: Sequence[str]) -> "Mapping":
        """Keep the roles and conditions whose column is one of these names."""
        kept = self.without(set(self.columns) - set(names))
        return replace(kept, where=tuple(condition for condition in self.where if condition[0] in names))


def laid_over(mapping: Mapping, roles: Roles, names: Sequence[str] | None = None) -> Mapping:
    """Lay roles, "separator" and "where" over a mapping, as far as their columns are among `names`.

    `where` is a dictionary or pairs of column and value; True is "true".
    """
    columns = {role: _several(given) for role, given in roles.items() if role not in ("separator", "where")}
    inside = {role: tuple(name for name in given if names is None or name in names) for role, given in columns.items()}
    conditions = roles.get("where", ())
    pairs = conditions.items() if isinstance(conditions, Pairs) else conditions
    where = tuple((column, _condition(value)) for column, value in pairs if names is None or column in names)
    changed = mapping.with_roles({role: given for role, given in inside.items() if given or not columns[role]})
    return replace(changed, where=where, separator=roles.get("separator", mapping.separator))


def _condition(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _several(columns: str | Sequence[str] | None) -> tuple[str, ...]:
    return (columns,) if isinstance(columns, str) else tuple(columns or ())


def _role(role: str) -> str:
    known = SPELLINGS.get(role, role)
    if known not in FIELDS:
        near = difflib.get_close_matches(role, ROLES, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise MappingError(f"there is no role {quote(role)}; roles are {', '.join(ROLES)}{hint}")
    return known


def require_columns(names: Sequence[str], tables: Sequence[Table]) -> None:
    """Check that columns exist in one of the tables.

    Raises: MappingError naming those that do not, and the columns there are.
    """
    there = list(dict.fromkeys(name for table in tables for name in table.names))
    unknown = [name for name in names if name not in there]
    if unknown:
        near = difflib.get_close_matches(unknown[0], there, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        files = " and ".join(table.name for table in tables)
        raise MappingError(f"there is no column {listed(unknown)} in {files}; its columns are {listed(there)}{hint}", guess=None, tables=tables)


def rows_fitting(table: Table, where: Sequence[tuple[str, str]]) -> npt.NDArray[np.bool_]:
    """Tell which rows fit every condition.

    Raises: MappingError when a column is not there.
    """
    kept = np.ones(len(table), dtype=np.bool_)
    require_columns([column for column, _ in where], [table])
    for column, value in where:
        cells = table.columns[column].as_texts().array
        kept &= np.asarray(pc.fill_null(pc.equal(cells, value.encode("utf-8", "surrogatepass")), False))
    return kept


def rows_kept(table: Table, where: Sequence[tuple[str, str]]) -> npt.NDArray[np.bool_]:
    """Tell which rows every condition keeps.

    Raises: MappingError when a column is not there, or a condition keeps no row.
    """
    kept = rows_fitting(table, where)
    for column, value in where:
        if not rows_fitting(table, [(column, value)]).any():
            cells = table.columns[column].as_texts().array
            counted = sorted(pc.value_counts(cells).to_pylist(), key=lambda entry: -entry["counts"])
            shown = ", ".join(f"{quote(_shown(entry['values']))} ({entry['counts']})" for entry in counted[:5])
            raise MappingError(
                f"no row of {table.name} has {column}={quote(value)}; the values there are {shown}{' and others' if len(counted) > 5 else ''}", tables=[table]
            )
    if not kept.any():
        raise MappingError(
            f"no row of {table.name} fits all of {', '.join(f'{column}={value}' for column, value in where)}; drop one of these conditions", tables=[table]
        )
    return kept


def _shown(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")
