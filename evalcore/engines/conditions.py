"""A selection as SQL over the files of a scored folder; what a user typed is a bound value, never a part of the SQL."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from evalcore.analysis.selection import EM_0, Selection, SelectionError
from evalcore.engines.scored_folder import Part
from evalcore.engines.searchable import TEXTS
from evalcore.scoring.buckets import BUCKETS, NEAR_MISS_F1, Bucket


@dataclass(frozen=True)
class Query:
    """SQL with the values of its named parameters."""

    sql: str
    values: dict[str, Any]


def without_buckets(wanted: Selection) -> Selection:
    """Give the part of a selection that decides which items are counted, whatever bucket is chosen."""
    return Selection(em=wanted.em, f1=wanted.f1, text=wanted.text, pattern=wanted.pattern, reasons=wanted.reasons, rows=wanted.rows)


def check(parts: Sequence[Part], wanted: Selection) -> None:
    """Make sure that a selection can be asked of files.

    Raises: SelectionError saying what cannot, and what to do.
    """
    if wanted.rows is not None:
        raise SelectionError("a list of chosen items does not fit a scored folder; clear the filter in the sidebar")
    if wanted.reasons and any("reason" not in part.columns for part in parts):
        raise SelectionError("the reasons of this folder were not looked for; clear the filter, or score it with --reasons")


def over(parts: Sequence[Part], numbers: Sequence[int], columns: str, wanted: Selection, more: str = "", values: dict[str, Any] | None = None) -> Query:
    """Give the rows of some parts that fulfil a selection, buckets and a pattern included, a plain text apart.

    Shape: `part` and `row` of every item, then `columns`. `more` is a further condition on
    `part`, `row` and the columns of the files; `values` are its parameters.
    Raises: SelectionError for a selection that cannot be asked of files.
    """
    check(parts, wanted)
    bound: dict[str, Any] = dict(values or {})
    sections = []
    for place, (shape, group) in enumerate(groupby(sorted(numbers, key=lambda number: _shape(parts[number])), key=lambda number: _shape(parts[number]))):
        own = list(group)
        bound |= {f"files{place}": [str(parts[number].file) for number in own], f"parts{place}": own}
        holds = " AND ".join(filter(None, [_holds(wanted, shape, bound), more])) or "true"
        source = (
            f"SELECT *, list_extract($parts{place}::INTEGER[], (file_index + 1)::BIGINT) AS part, file_row_number AS row "
            f"FROM read_parquet($files{place}, file_row_number = true)"
        )
        sections.append(f"SELECT part, row{columns} FROM ({source}) WHERE {holds}")
    return Query(" UNION ALL ".join(sections), bound)


def _shape(part: Part) -> tuple[tuple[str, bool], ...]:
    """Give the text columns of a part, and whether each is kept as bytes."""
    return tuple((name, name in part.bytes_in) for name in TEXTS if name in part.columns)


def _holds(wanted: Selection, shape: tuple[tuple[str, bool], ...], bound: dict[str, Any]) -> str:
    """Give the conditions of a selection; their values are added to `bound`.

    Only failed items have a reason: what every one of them fulfils is not asked, and costs no column.
    """
    parts = [_in_buckets(wanted, bound)] if wanted.buckets and not (wanted.reasons and set(EM_0) <= set(wanted.buckets)) else []
    if wanted.em is not None and not (wanted.reasons and wanted.em == 0):
        bound["em"] = float(wanted.em)
        parts.append("em = $em")
    if wanted.f1 is not None:
        bound |= {"low": wanted.f1.low, "high": wanted.f1.high}
        parts.append(f"f1 {'>' if wanted.f1.low_open else '>='} $low AND f1 {'<' if wanted.f1.high_open else '<='} $high")
    if wanted.reasons:
        names = {f"reason{place}": name for place, name in enumerate(wanted.reasons)}
        bound |= names
        parts.append(f"reason IN ({', '.join(f'${name}' for name in names)})")
    if wanted.text and wanted.pattern:
        bound["text"] = wanted.text
        parts.append(f"({' OR '.join(f'coalesce({_matches(name, in_bytes)}, false)' for name, in_bytes in shape)})")
    return " AND ".join(parts)


def _in_buckets(wanted: Selection, bound: dict[str, Any]) -> str:
    """Say which buckets, near misses by the threshold of the selection.

    The files name buckets by the usual threshold: another one matters only where near misses and partial ones are parted.
    A comparison with names alone is one that DuckDB makes while it decodes.
    """
    if wanted.near == NEAR_MISS_F1 or ("near_miss" in wanted.buckets) == ("partial" in wanted.buckets):
        return _named(wanted.buckets, bound)
    bound["near"] = float(wanted.near)
    split = f"({_named(('near_miss', 'partial'), bound)} AND f1 {'>=' if 'near_miss' in wanted.buckets else '<'} $near)"
    whole = [bucket for bucket in wanted.buckets if bucket not in ("near_miss", "partial")]
    return f"({split} OR {_named(whole, bound)})" if whole else split


def _named(buckets: Sequence[Bucket], bound: dict[str, Any]) -> str:
    bound |= {f"bucket{BUCKETS.index(bucket)}": bucket for bucket in buckets}
    return f"bucket IN ({', '.join(f'$bucket{BUCKETS.index(bucket)}' for bucket in buckets)})"


def _matches(name: str, in_bytes: bool) -> str:
    """Look for a regular expression, case as written."""
    if name == "references":
        return f"len(list_filter({_texts(in_bytes)}, lambda text: regexp_matches(text, $text))) > 0"
    return f"regexp_matches({_text(name, in_bytes)}, $text)"


def _texts(in_bytes: bool) -> str:
    return f'list_transform("references", lambda one: {_text("one", True)})' if in_bytes else '"references"'


def _text(name: str, in_bytes: bool) -> str:
    """Give a column as text; in one that is kept as bytes, a lone surrogate becomes U+FFFD."""
    if not in_bytes:
        return name
    apart = f"regexp_replace(hex({name}), '(..)', '\\1 ', 'g')"
    whole = f"regexp_replace({apart}, 'ED [AB][0-9A-F] .. ', 'EF BF BD ', 'g')"
    return f"decode(unhex(replace({whole}, ' ', '')))"
