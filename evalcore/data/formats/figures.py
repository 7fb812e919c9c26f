"""Files that hold figures of whole runs and no answers: told as such."""

from evalcore.data.errors import FormatError, listed
from evalcore.data.formats.format import Format
from evalcore.data.formats.json_document import document
from evalcore.data.json_text import Number
from evalcore.data.source import Source
from evalcore.data.table import Table

DEEPEST = 5


def sniff(source: Source) -> str | None:
    """Tell by an object whose values are numbers, however deep, some of them fractions."""
    value = document(source)
    leaves = _leaves(value, 0) if isinstance(value, dict) and value else None
    numbers = [leaf for leaf in leaves or () if isinstance(leaf, Number)]
    fractions = any("." in number for number in numbers)
    return "its values are numbers, not answers" if leaves is not None and fractions and len(numbers) * 4 >= 3 * len(leaves) else None


def refuse(source: Source) -> Table:
    """Say what was found and what is needed instead.

    Raises: FormatError, always.
    """
    keys = list(source.json) if isinstance(source.json, dict) else []
    raise FormatError(
        f"{source.label} is JSON whose {len(keys)} keys ({listed(keys, 8)}) hold no answers, only figures of whole runs; "
        f"give the file with the answers of every item, which usually stands beside it"
    )


def _leaves(value: object, depth: int) -> list[object] | None:
    """Give all values inside; None when lists are among them, or it is too deep."""
    if isinstance(value, dict):
        inner = [_leaves(part, depth + 1) for part in value.values()] if depth < DEEPEST else [None]
        return None if None in inner else [leaf for part in inner for leaf in part or ()]
    return None if isinstance(value, list) else [value]


FIGURES = Format("figures", "Scores of whole runs (result.json of many tools): no answers, so they are refused.", sniff, refuse)
