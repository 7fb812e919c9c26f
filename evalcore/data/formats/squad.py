"""SQuAD datasets, v1.1 and v2.0, and those written like them."""

from collections.abc import Iterator

from evalcore.data.answers import texts_of
from evalcore.data.errors import quote
from evalcore.data.formats.format import Format, note_repeated, table_of
from evalcore.data.formats.json_document import document
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

ROLES: dict[str, str | tuple[str, ...]] = {"id": "id", "question": "question", "context": "context", "references": "answers"}


def sniff(source: Source) -> str | None:
    """Tell by data[].paragraphs[].qas[]."""
    value = document(source)
    articles = value.get("data") if isinstance(value, dict) else None
    if not isinstance(articles, list) or not articles or not all(isinstance(article, dict) for article in articles):
        return None
    return "it holds data[].paragraphs[].qas[]" if any(isinstance(article.get("paragraphs"), list) for article in articles) else None


def read(source: Source) -> Table:
    """Read one row a question; `is_impossible` without answers gives the empty reference."""
    rows: list[dict[str, object]] = []
    places: list[str] = []
    bad_rows: list[BadRow] = []
    for place, article, paragraph, question in _questions(source.json):
        row = _row(article, paragraph, question)
        note_repeated(source, place, question)
        if isinstance(row, str):
            bad_rows.append(BadRow(place, row))
        else:
            rows.append(row)
            places.append(place)
    return table_of(source, SQUAD.name, rows, places, bad_rows, ROLES)


def _questions(value: object) -> Iterator[tuple[str, dict[str, object], dict[str, object], object]]:
    for number, article in enumerate(_parts(value, "data")):
        for inner, paragraph in enumerate(_parts(article, "paragraphs")):
            for innermost, question in enumerate(_parts(paragraph, "qas")):
                yield f"$.data[{number}].paragraphs[{inner}].qas[{innermost}]", article, paragraph, question  # type: ignore[misc]


def _parts(value: object, key: str) -> list[object]:
    part = value.get(key) if isinstance(value, dict) else None
    return part if isinstance(part, list) else []


def _row(article: dict[str, object], paragraph: dict[str, object], question: object) -> dict[str, object] | str:
    if not isinstance(question, dict):
        return f"not a question but {quote(question)}"
    given = question.get("answers", question.get("answer"))
    answers = texts_of(given)
    if answers is None:
        return f"answers are {quote(given)}, but a list of objects with a text is needed"
    if not answers and question.get("is_impossible") is True:
        answers = [""]
    rest = {key: value for key, value in question.items() if key not in (*ROLES.values(), "answer")}
    return {
        "id": question.get("id"),
        "question": question.get("question"),
        "context": paragraph.get("context"),
        "answers": answers,
        "title": article.get("title"),
        **rest,
    }


SQUAD = Format(
    "SQuAD dataset",
    "SQuAD dataset, also as CMRC 2018, DRCD, KorQuAD, JSQuAD and XQuAD write it: questions with answers under data, paragraphs, qas.",
    sniff,
    read,
)
