"""MKQA datasets: one question in many languages."""

import re
from collections.abc import Iterator

from evalcore.data.answers import texts_of
from evalcore.data.formats.format import Format
from evalcore.data.formats.rows import Placed, Row, all_rows, first_rows, have
from evalcore.data.formats.told import told
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

LANGUAGE = re.compile(r"[a-z]{2}(_[a-z]{2})?")
MOST_USUAL = "en"


def sniff(source: Source) -> str | None:
    """Tell by rows with query, queries and answers by language."""
    rows = first_rows(source)
    if not have(rows, "query", "answers", "example_id"):
        return None
    by_language = all(isinstance(row["answers"], dict) and all(map(LANGUAGE.fullmatch, row["answers"])) for row in rows)
    return "its rows have query, example_id and answers by language" if by_language else None


def read(source: Source) -> Table:
    """Read one row a question: English is taken, the other languages stand in columns beside it."""
    bad_rows: list[BadRow] = []
    roles = {"id": "example_id", "question": "query", "references": f"answers.{MOST_USUAL}", "prediction": (), "context": ()}
    note = "the answers in English are the references; map another column answers.LANGUAGE to references for another language"
    return told(source, MKQA.name, _items(source, bad_rows), roles, bad_rows, [note])  # type: ignore[arg-type]


def _items(source: Source, bad_rows: list[BadRow]) -> Iterator[Placed]:
    for placed in all_rows(source, bad_rows):
        row: Row = {name: value for name, value in placed.row.items() if name not in ("answers", "queries")}
        answers, queries = placed.row.get("answers"), placed.row.get("queries")
        for language, listed in answers.items() if isinstance(answers, dict) else ():
            usable = [entry for entry in listed if not isinstance(entry, dict) or entry.get("text") is not None] if isinstance(listed, list) else listed
            row[f"answers.{language}"] = texts_of(usable) or []
        row |= {f"queries.{language}": text for language, text in queries.items()} if isinstance(queries, dict) else {}
        yield Placed(placed.place, row)


MKQA = Format("MKQA dataset", "MKQA: a question with answers in many languages, no predictions; English is taken.", sniff, read)
