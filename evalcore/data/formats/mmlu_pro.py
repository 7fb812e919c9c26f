"""MMLU-Pro: model outputs with the letter that was extracted."""

from evalcore.data.formats.format import Format
from evalcore.data.formats.rows import all_rows, first_rows, have
from evalcore.data.formats.told import told
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table


def sniff(source: Source) -> str | None:
    """Tell by rows with question_id, options, answer, pred and model_outputs."""
    return "its rows have question_id, answer, pred and model_outputs" if have(first_rows(source), "question_id", "answer", "pred", "model_outputs") else None


def read(source: Source) -> Table:
    """Read one row a question: `pred` is the letter taken from `model_outputs`, `answer` the right one."""
    bad_rows: list[BadRow] = []
    roles = {"id": "question_id", "prediction": "pred", "references": "answer", "question": "question", "context": (), "label": ()}
    return told(source, MMLU_PRO.name, all_rows(source, bad_rows), roles, bad_rows)  # type: ignore[arg-type]


MMLU_PRO = Format("MMLU-Pro outputs", "MMLU-Pro, model_outputs: options, the right letter and the extracted one.", sniff, read)
