"""CMRC 2018 in its own form: contexts with their questions."""

from collections.abc import Iterator

from evalcore.data.answers import texts_of
from evalcore.data.errors import quote
from evalcore.data.formats.format import Format
from evalcore.data.formats.rows import Placed, Row, all_rows, first_rows, have
from evalcore.data.formats.told import told
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table


def sniff(source: Source) -> str | None:
    """Tell by entries with context_text and qas."""
    return "its entries have context_text and qas" if have(first_rows(source), "context_text", "qas") else None


def read(source: Source) -> Table:
    """Read one row a question."""
    bad_rows: list[BadRow] = []
    roles = {"id": "query_id", "question": "query_text", "context": "context_text", "references": "answers", "prediction": ()}
    return told(source, CMRC2018.name, _questions(source, bad_rows), roles, bad_rows)  # type: ignore[arg-type]


def _questions(source: Source, bad_rows: list[BadRow]) -> Iterator[Placed]:
    for placed in all_rows(source, bad_rows):
        questions = placed.row.get("qas")
        for number, question in enumerate(questions if isinstance(questions, list) else []):
            place = f"{placed.place}.qas[{number}]"
            answers = texts_of(question.get("answers")) if isinstance(question, dict) else None
            if answers is None:
                bad_rows.append(BadRow(place, f"not a question with answers but {quote(question)}"))
                continue
            row: Row = {**question, "answers": answers, "context_text": placed.row.get("context_text"), "title": placed.row.get("title")}
            yield Placed(place, row)


CMRC2018 = Format("CMRC 2018 dataset", "CMRC 2018: context_text with qas; the SQuAD-style form is read as a SQuAD dataset.", sniff, read)
