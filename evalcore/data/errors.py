"""What stops a file from being used: found, where, accepted, next move."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalcore.data.mapping import Mapping
    from evalcore.data.table import Table


class DataError(ValueError):
    """Input that cannot be used; the message is written for the user.

    `missing` names the roles without a column ("prediction",
    "references"), `guess` is what was understood so far, `tables` are
    the files as read, so that a page can ask for the rest.
    """

    def __init__(self, message: str, missing: Sequence[str] = (), guess: "Mapping | None" = None, tables: "Sequence[Table]" = ()) -> None:
        super().__init__(message)
        self.missing = tuple(missing)
        self.guess = guess
        self.tables = tuple(tables)


class FormatError(DataError):
    """A file that cannot be read as any known format."""


class MappingError(DataError):
    """A table whose columns do not say which is which."""


class JoinError(DataError):
    """Two tables that share nothing; the message shows three ids of each."""


def quote(value: object, length: int = 60) -> str:
    """Show a value as found, cut to a length.

    >>> quote("x" * 100, 10)
    "'xxxxxxxx…"
    """
    shown = repr(value if not isinstance(value, str | bytes) else value[: length + 1])
    return shown if len(shown) <= length else shown[: length - 1] + "…"


def listed(names: Sequence[str], most: int = 20) -> str:
    """List names in one line, with a count of those left out.

    >>> listed(["a", "b", "c"], 2)
    "'a', 'b' and 1 more"
    """
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(quote(name) for name in names[:most]) + rest
