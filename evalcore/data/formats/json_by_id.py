"""JSON objects of id to answer, as SQuAD predictions are written."""

from evalcore.data.answers import texts_of
from evalcore.data.errors import quote
from evalcore.data.formats.format import Format, table_of
from evalcore.data.formats.json_document import document
from evalcore.data.json_text import Number, pairs_of
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table


def sniff(source: Source) -> str | None:
    """Tell by an object whose values are answers; fractions alone are scores, not answers."""
    value = document(source)
    if not isinstance(value, dict):
        return None
    shape = _shape(value)
    return None if shape is None else f"it is an object of id to {shape}"


def read(source: Source) -> Table:
    """Read one row a key; a key that stands twice gives two rows."""
    value: dict[str, object] = source.json  # type: ignore[assignment]
    shape = _shape(value)
    role = "references" if shape == "references" else "prediction"
    rows: list[dict[str, object]] = []
    places: list[str] = []
    bad_rows: list[BadRow] = []
    for key, part in pairs_of(value):
        place = f"$[{quote(key)}]"
        if shape == "rows" and not isinstance(part, dict):
            bad_rows.append(BadRow(place, f"not an object but {quote(part)}"))
            continue
        rows.append({"id": key, **part} if shape == "rows" else {"id": key, role: part})  # type: ignore[dict-item]
        places.append(place)
    return table_of(source, BY_ID.name, rows, places, bad_rows, {"id": "id"} if shape == "rows" else {"id": "id", role: role})


def _shape(value: dict[str, object]) -> str | None:
    parts = list(value.values())
    if not parts:
        return "answer"
    texts = sum(isinstance(part, str) and not isinstance(part, Number) for part in parts)
    scalars = sum(part is None or isinstance(part, str | bool) for part in parts)
    if scalars == len(parts) and all(isinstance(part, Number) and not part.lstrip("-").isdigit() for part in parts):
        return None
    if scalars == len(parts) or texts * 2 > len(parts):
        return "answer"
    if all(isinstance(part, list) and texts_of(part) is not None for part in parts):
        return "references"
    objects = [set(part) for part in parts if isinstance(part, dict)]
    return "rows" if len(objects) * 2 > len(parts) and objects[0].intersection(*objects) else None


BY_ID = Format("JSON by id", "JSON: an object of id to answer.", sniff, read)
