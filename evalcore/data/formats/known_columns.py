"""Benchmarks whose files are plain rows of known columns."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from evalcore.data.formats.format import Format
from evalcore.data.formats.json_records import RECORDS
from evalcore.data.formats.jsonl import JSONL
from evalcore.data.formats.rows import Row, first_rows
from evalcore.data.formats.told import Roles
from evalcore.data.source import Source
from evalcore.data.table import Kind, Table


@dataclass(frozen=True)
class Benchmark:
    """A benchmark told by the columns of its rows.

    `needed` must be in every row; with `only` no other may be. `also` tells
    more about a row. `roles` names the columns.
    """

    name: str
    summary: str
    needed: frozenset[str]
    roles: Roles
    only: frozenset[str] | None = None
    also: Callable[[Row], bool] = lambda row: True

    def sniff(self, source: Source) -> str | None:
        """Tell by the columns of the first rows."""
        rows = first_rows(source)
        fits = bool(rows) and all(self.needed <= row.keys() and (self.only is None or row.keys() <= self.only) and self.also(row) for row in rows)
        return f"its rows have {', '.join(sorted(self.needed))}" if fits else None

    def read(self, source: Source) -> Table:
        """Read the rows as they are, and say which column is which."""
        table = (RECORDS if source.opening[:1] == b"[" else JSONL).read(source)
        roles = {role: columns for role, columns in self.roles.items() if isinstance(columns, tuple) or columns in table.columns or role == "separator"}
        return replace(table, format=self.name, roles=roles, notes=(*table.notes, *_improper(table)))

    @property
    def format(self) -> Format:
        """Give the entry of the table of formats."""
        return Format(self.name, self.summary, self.sniff, self.read)


def _improper(table: Table) -> list[str]:
    column = table.columns.get("improper")
    marked = sum(cell == "true" for cell in column.texts) if column is not None and len(column.rows_of(Kind.BOOLEAN)) else 0
    return [f"{marked} rows are marked improper and are scored all the same; the condition improper=false leaves them out"] if marked else []


LONGBENCH = Benchmark(
    "LongBench predictions",
    "LongBench, pred/*.jsonl: pred, answers, all_classes, length.",
    frozenset({"pred", "answers", "all_classes", "length"}),
    {"prediction": "pred", "references": "answers", "id": (), "question": (), "context": (), "label": (), "logged": ()},
).format

INFINITEBENCH = Benchmark(
    "InfiniteBench predictions",
    "InfiniteBench, preds_*.jsonl: id, prediction, ground_truth.",
    frozenset({"id", "prediction", "ground_truth"}),
    {"prediction": "prediction", "references": "ground_truth", "id": "id", "label": (), "logged": ()},
    only=frozenset({"id", "prediction", "ground_truth"}),
).format

EVOUNA = Benchmark(
    "EVOUNA",
    "EVOUNA (QA-Eval): answers of several systems with human judgements, golden answers split at /.",
    frozenset({"question", "golden_answer", "improper"}),
    {"references": "golden_answer", "question": "question", "separator": "/"},
).format

OPENQA_EVAL = Benchmark(
    "OpenQA-eval outputs",
    "OpenQA-eval, model_outputs/*.jsonl: question, answer (a list), prediction.",
    frozenset({"question", "answer", "prediction"}),
    {"prediction": "prediction", "references": "answer", "question": "question", "id": (), "label": (), "logged": ()},
    only=frozenset({"question", "answer", "prediction"}),
    also=lambda row: isinstance(row["answer"], list),
).format

MKQA_PREDICTIONS = Benchmark(
    "MKQA predictions",
    "MKQA: example_id, prediction, binary_answer, no_answer_prob.",
    frozenset({"example_id", "prediction", "no_answer_prob"}),
    {"prediction": "prediction", "references": (), "id": "example_id", "label": (), "logged": ()},
).format

BENCHMARKS = (LONGBENCH, INFINITEBENCH, EVOUNA, OPENQA_EVAL, MKQA_PREDICTIONS)
