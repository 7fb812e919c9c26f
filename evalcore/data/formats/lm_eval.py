"""lm-evaluation-harness: one row a document and filter."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from evalcore.data.errors import FormatError, listed
from evalcore.data.formats.format import Format
from evalcore.data.formats.json_document import document
from evalcore.data.formats.rows import Placed, Row, all_rows, first_rows, have, is_score, part
from evalcore.data.formats.told import told, unique, wide
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

KEYS = ("doc_id", "doc", "target", "resps", "filtered_resps")
KNOWN = (*KEYS, "arguments", "filter", "metrics", "doc_hash", "prompt_hash", "target_hash")
QUESTIONS = ("question", "query", "problem", "input", "text", "goal", "ctx", "prompt")
SHARED = ("id", "question", "prompt", "references", "target", "response")


def sniff(source: Source) -> str | None:
    """Tell by rows with doc_id, doc, target, resps and filtered_resps."""
    return "its rows have doc_id, target, resps and filtered_resps" if have(first_rows(source), *KEYS) else None


def read(source: Source) -> Table:
    """Read one row a document and one system a filter: what the filter left is the prediction, the raw output is `response`."""
    bad_rows: list[BadRow] = []
    rows = list(all_rows(source, bad_rows))
    metrics = list(dict.fromkeys(name for placed in rows for name in _metrics(placed.row)))
    documents = list(dict.fromkeys(f"doc.{key}" for placed in rows for key in _document(placed.row)))
    items, systems = wide(_items(source, rows, bad_rows), (*SHARED, *documents), ("filter",))
    logged = tuple(name for name in dict.fromkeys(name for item in items for name in item.row) if name.split(",")[0] in metrics)
    roles: dict[str, str | tuple[str, ...]] = {"id": "id", "prediction": tuple(systems), "references": "references", "question": "question", "logged": logged}
    return told(source, SAMPLES.name, items, {**roles, "context": (), "label": ()}, bad_rows)


def _items(source: Source, rows: Sequence[Placed], bad_rows: list[BadRow]) -> Iterator[tuple[str, str, Placed]]:
    seen: dict[str, int] = {}
    repeated = _has_repeats(rows)
    for placed in rows:
        row = placed.row
        if not set(KEYS) <= row.keys():
            bad_rows.append(BadRow(placed.place, f"it has no {', '.join(key for key in KEYS if key not in row)}"))
            continue
        identity = str(row["doc_id"])
        seen[identity] = seen.get(identity, 0) + 1
        system = str(row["filter"]) if isinstance(row.get("filter"), str) else f"filter {seen[identity]}" if repeated else _stem(source)
        yield identity, system, Placed(placed.place, _item(row))


def _has_repeats(rows: Sequence[Placed]) -> bool:
    ids = [str(placed.row.get("doc_id")) for placed in rows]
    return len(set(ids)) < len(ids)


def _item(row: Row) -> Row:
    doc = _document(row)
    prompt = _argument(row, 0, 0)
    question = next((doc[key] for key in QUESTIONS if isinstance(doc.get(key), str)), prompt)
    found: Row = {"id": row["doc_id"], "question": question, "prompt": prompt, **_answers(row)}
    return {**found, **{name: row.get(name) for name in _metrics(row)}, **{f"doc.{key}": value for key, value in doc.items()}}


def _answers(row: Row) -> Row:
    """Give prediction and references; of several choices the likeliest one, as its text."""
    resps, filtered, target = row["resps"], row["filtered_resps"], row["target"]
    choices = _choices(row)
    if choices is not None:
        best = max(range(len(choices)), key=lambda number: _likelihood(part(filtered, number, 0)))
        right = [choices[int(str(index))] for index in (target if isinstance(target, list) else [target]) if _is_index(index, len(choices))]
        return {"prediction": choices[best], "references": right or target, "target": target, "response": resps}
    only = resps[0] if isinstance(resps, list) and len(resps) == 1 else None
    raw = only[0] if isinstance(only, list) and len(only) == 1 else resps
    return {"prediction": filtered[0] if isinstance(filtered, list) and len(filtered) == 1 else filtered, "references": target, "response": raw}


def _choices(row: Row) -> list[str] | None:
    """Give the texts of the choices when the answer is chosen by likelihood."""
    filtered = row["filtered_resps"]
    if not (isinstance(filtered, list) and len(filtered) > 1 and all(isinstance(entry, list) and len(entry) == 2 for entry in filtered)):
        return None
    texts = [_argument(row, number, 1) for number in range(len(filtered))]
    return texts if all(isinstance(text, str) for text in texts) else None  # type: ignore[return-value]


def _argument(row: Row, number: int, position: int) -> object:
    """Give an argument of a request: objects by name in new files, lists in old ones."""
    arguments = row.get("arguments")
    return part(arguments, f"gen_args_{number}", f"arg_{position}") if isinstance(arguments, dict) else part(arguments, number, position)


def _likelihood(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        return float("-inf")


def _is_index(value: object, choices: int) -> bool:
    return isinstance(value, str | int) and str(value).isdecimal() and int(value) < choices


def _document(row: Row) -> Row:
    doc = row.get("doc")
    return doc if isinstance(doc, dict) else {}


def _metrics(row: Row) -> list[str]:
    named = row.get("metrics")
    if isinstance(named, list):
        return [name for name in named if isinstance(name, str) and name in row]
    return [name for name, value in row.items() if name not in KNOWN and is_score(value)]


def _stem(source: Source) -> str:
    return unique(PurePath(source.name).stem or "prediction", SHARED)


SAMPLES = Format("lm-eval samples", "lm-evaluation-harness, samples_*.jsonl: one row a document and filter, new and old.", sniff, read)


def sniff_results(source: Source) -> str | None:
    """Tell by an object with results, configs, versions and n-shot."""
    value = document(source)
    return "it has results, configs, versions and n-shot" if isinstance(value, dict) and {"results", "configs", "versions", "n-shot"} <= value.keys() else None


def refuse_results(source: Source) -> Table:
    """Say that the file has figures and settings only, and which file has the answers.

    Raises: FormatError, always.
    """
    results = part(source.json, "results")
    tasks = list(results) if isinstance(results, dict) else []
    raise FormatError(
        f"{source.label} is an lm-eval results file: figures and settings of {listed(tasks, 8)}, no answers; "
        f"give the samples_*.jsonl that stands beside it (written with --log_samples)"
    )


RESULTS = Format("lm-eval results", "lm-evaluation-harness, results_*.json: figures and settings, no answers.", sniff_results, refuse_results)
