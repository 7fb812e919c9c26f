"""TriviaQA datasets."""

from evalcore.data.errors import quote
from evalcore.data.formats.format import Format, note_repeated
from evalcore.data.formats.json_document import document
from evalcore.data.formats.rows import Placed, Row, part
from evalcore.data.formats.told import told
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

LEFT_OUT = ("QuestionId", "Question", "Answer", "EntityPages", "SearchResults")


def sniff(source: Source) -> str | None:
    """Tell by Data[] with Question, QuestionId and Answer."""
    first = part(document(source), "Data", 0)
    return "it holds Data[] with QuestionId and Answer" if isinstance(first, dict) and {"QuestionId", "Question"} <= first.keys() else None


def read(source: Source) -> Table:
    """Read one row a question; the aliases are the references, the pages found for it are counted only."""
    data = part(source.json, "Data")
    entries = data if isinstance(data, list) else []
    bad_rows = [BadRow(f"$.Data[{number}]", f"not a question but {quote(entry)}") for number, entry in enumerate(entries) if not isinstance(entry, dict)]
    for number, entry in enumerate(entries):
        note_repeated(source, f"$.Data[{number}]", entry)
    items = [Placed(f"$.Data[{number}]", _item(entry)) for number, entry in enumerate(entries) if isinstance(entry, dict)]
    roles = {"id": "QuestionId", "question": "Question", "references": "Aliases", "prediction": (), "context": ()}
    return told(source, TRIVIAQA.name, items, roles, bad_rows)  # type: ignore[arg-type]


def _item(entry: Row) -> Row:
    answer = entry.get("Answer")
    aliases = part(answer, "Aliases") or [value for value in (part(answer, "Value"),) if value is not None]
    pages = [len(entry[key]) for key in ("EntityPages", "SearchResults") if isinstance(entry.get(key), list)]  # type: ignore[arg-type]
    found: Row = {"QuestionId": entry.get("QuestionId"), "Question": entry.get("Question"), "Aliases": aliases, "Value": part(answer, "Value")}
    return {**found, "Type": part(answer, "Type"), "pages": sum(pages), **{name: value for name, value in entry.items() if name not in LEFT_OUT}}


TRIVIAQA = Format("TriviaQA dataset", "TriviaQA: questions with all aliases of their answer, no predictions.", sniff, read)
