"""KILT: id, input and output; gold and guesses are written alike."""

from pathlib import PurePath

from evalcore.data.formats.format import Format
from evalcore.data.formats.rows import Placed, Row, all_rows, first_rows, have, part
from evalcore.data.formats.told import Roles, told
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

GUESSES = ("guess", "pred", "output", "answers_of")


def sniff(source: Source) -> str | None:
    """Tell by rows with id, input and a list under output whose objects have an answer or a provenance."""
    rows = first_rows(source)
    if not have(rows, "id", "input", "output"):
        return None
    known = all(isinstance(row["output"], list) and all(isinstance(e, dict) and ("answer" in e or "provenance" in e) for e in row["output"]) for row in rows)
    return "its rows have id, input and output with answers" if known else None


def read(source: Source) -> Table:
    """Read one row a line: a file named as guesses gives the first answer of each, any other all answers as references."""
    bad_rows: list[BadRow] = []
    guesses = any(word in PurePath(source.name).stem.casefold() for word in GUESSES)
    items = [Placed(placed.place, _item(placed.row, guesses)) for placed in all_rows(source, bad_rows)]
    role: Roles = {"prediction": "prediction", "references": ()} if guesses else {"prediction": (), "references": "answers"}
    return told(source, KILT.name, items, {"id": "id", "question": "input", "context": (), **role}, bad_rows)


def _item(row: Row, guesses: bool) -> Row:
    output = row.get("output")
    answers = [part(entry, "answer") for entry in output if isinstance(part(entry, "answer"), str)] if isinstance(output, list) else []
    own: Row = {"prediction": answers[0] if answers else None} if guesses else {"answers": answers}
    if guesses and len(answers) > 1:
        own["answers"] = answers
    pages = [page for entry in (output if isinstance(output, list) else []) for page in _listed(part(entry, "provenance"))]
    named = list(dict.fromkeys(title for title in (part(page, "title") for page in pages) if isinstance(title, str)))
    rest = {name: value for name, value in row.items() if name not in ("id", "input", "output")}
    return {"id": row.get("id"), "input": row.get("input"), **own, **({"provenance": named} if named else {}), **rest}


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


KILT = Format("KILT", "KILT, JSON lines: id, input, output with answers; guesses are told by the file's name.", sniff, read)
