"""Inspect AI logs: .eval archives and .json."""

import json
from collections.abc import Iterator
from pathlib import PurePath

from evalcore.data.archive import ZIP, keeps_its_members, member_names, members
from evalcore.data.errors import FormatError, quote
from evalcore.data.formats.format import Format
from evalcore.data.formats.json_document import document
from evalcore.data.formats.rows import Placed, Row, flat, part
from evalcore.data.formats.told import told, unique
from evalcore.data.json_text import decode
from evalcore.data.messages import answer_in, question_in
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

ATTACHMENT = "attachment://"
NAMES = ("id", "question", "target", "choices", "epoch", "error")


def sniff_archive(source: Source) -> str | None:
    """Tell by a zip archive with samples or a journal."""
    if source.data[:4] not in ZIP:
        return None
    names = member_names(source.data, source.label)
    inside = any(name == "header.json" or name.startswith(("samples/", "_journal/")) for name in names)
    return "it is an archive with header.json, samples or _journal" if inside and keeps_its_members(names) else None


def read_archive(source: Source) -> Table:
    """Read one row a sample and epoch; an interrupted log gives the samples that were written."""
    found = members(source.data, source.label, lambda name: name == "header.json" or name.startswith(("samples/", "_journal/")))
    samples: list[tuple[str, object]] = []
    bad_rows: list[BadRow] = []
    for name, content in found.items():
        if name.startswith("samples/") and name.endswith(".json"):
            try:
                samples.append((name, decode(content.decode("utf-8", "surrogatepass"))))
            except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
                bad_rows.append(BadRow(name, f"no valid JSON ({error})"))
    header = _json(found.get("header.json")) or _json(found.get("_journal/start.json"))
    notes = [] if "header.json" in found else [f"{source.label} has no header.json: the run was interrupted, and only the samples written until then are here"]
    bad_rows += _summaries_alone(found, samples)
    return _table(source, ARCHIVE.name, header, samples, bad_rows, notes)


def sniff_json(source: Source) -> str | None:
    """Tell by an object with version, eval and plan or samples."""
    value = document(source)
    if not (isinstance(value, dict) and "version" in value and isinstance(value.get("eval"), dict)):
        return None
    return "it has version, eval and samples" if "samples" in value or "plan" in value else None


def read_json(source: Source) -> Table:
    """Read one row a sample and epoch."""
    value = source.json
    samples = part(value, "samples")
    placed = [(f"$.samples[{number}]", sample) for number, sample in enumerate(samples if isinstance(samples, list) else [])]
    status = part(value, "status")
    notes = [f"{source.label} says that the run was {status}: samples may be missing"] if status in ("cancelled", "error", "started") else []
    return _table(source, JSON_LOG.name, value, placed, [], notes)


def _table(source: Source, format: str, header: object, samples: list[tuple[str, object]], bad_rows: list[BadRow], notes: list[str]) -> Table:
    if not samples:
        raise FormatError(
            f"{source.label} is an Inspect log without samples (status {quote(part(header, 'status'))}); "
            f"run the evaluation with log_samples on, or give a log of a run that got further"
        )
    model = part(header, "eval", "model")
    system = unique(model if isinstance(model, str) and model else PurePath(source.name).stem, NAMES)
    epochs = len({str(part(sample, "epoch")) for _, sample in samples}) > 1
    items = [Placed(place, _item(sample, system, epochs)) for place, sample in _usable(samples, bad_rows)]
    logged = tuple(dict.fromkeys(name for item in items for name in item.row if name.startswith("score.")))
    roles: dict[str, str | tuple[str, ...]] = {"id": "id", "prediction": (system,), "references": "target", "question": "question", "context": (), "label": ()}
    return told(source, format, items, {**roles, "logged": logged}, bad_rows, notes)


def _usable(samples: list[tuple[str, object]], bad_rows: list[BadRow]) -> Iterator[tuple[str, Row]]:
    for place, sample in samples:
        if isinstance(sample, dict) and "id" in sample:
            attachments = sample.get("attachments")
            yield place, {key: _resolved(sample.get(key), attachments) for key in sample if key not in ("events", "messages", "attachments", "events_data")}
        else:
            bad_rows.append(BadRow(place, f"not a sample but {quote(sample)}"))


def _item(sample: Row, system: str, epochs: bool) -> Row:
    identity = f"{sample['id']} (epoch {sample.get('epoch')})" if epochs else sample["id"]
    completion = part(sample, "output", "completion")
    if not isinstance(completion, str):
        completion = answer_in(part(sample, "output", "choices", 0, "message"))
    error = sample.get("error")
    row: Row = {"id": identity, "question": question_in(sample.get("input")), "target": sample.get("target")}
    row[system] = completion if completion or error is None else None
    if sample.get("choices"):
        row["choices"] = sample["choices"]
    row |= {"epoch": sample.get("epoch"), **flat("metadata", sample.get("metadata") or None)}
    if error is not None:
        row["error"] = part(error, "message") or error
    return {**{name: value for name, value in row.items() if name != "metadata"}, **_scores(sample.get("scores"))}


def _scores(scores: object) -> Row:
    """Give each scorer's value and what it took for the answer."""
    found: Row = {}
    for name, score in scores.items() if isinstance(scores, dict) else ():
        value = score.get("value") if isinstance(score, dict) else score
        found |= flat(f"score.{name}", value)
        answer = part(score, "answer")
        if answer is not None:
            found[f"answer.{name}"] = answer
    return found


def _resolved(value: object, attachments: object) -> object:
    """Put attachments where the log refers to them."""
    if isinstance(value, str):
        return part(attachments, value.removeprefix(ATTACHMENT)) or value if value.startswith(ATTACHMENT) else value
    if isinstance(value, list):
        return [_resolved(entry, attachments) for entry in value]
    return {key: _resolved(entry, attachments) for key, entry in value.items()} if isinstance(value, dict) else value


def _summaries_alone(found: dict[str, bytes], samples: list[tuple[str, object]]) -> list[BadRow]:
    """List samples of an interrupted log of which only the summary was written."""
    written = {(str(part(sample, "id")), str(part(sample, "epoch"))) for _, sample in samples}
    alone: list[BadRow] = []
    for name, content in found.items():
        summaries = _json(content) if name.startswith("_journal/summaries/") else None
        for summary in summaries if isinstance(summaries, list) else []:
            if (str(part(summary, "id")), str(part(summary, "epoch"))) not in written:
                alone.append(BadRow(name, f"sample {quote(part(summary, 'id'))} has a summary only, its answer was not written"))
    return alone


def _json(content: bytes | None) -> object:
    try:
        return None if content is None else decode(content.decode("utf-8", "surrogatepass"))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        return None


ARCHIVE = Format("Inspect log (.eval)", "Inspect AI, *.eval: an archive of samples, zstd or deflate, also of an interrupted run.", sniff_archive, read_archive)
JSON_LOG = Format("Inspect log (.json)", "Inspect AI, *.json: one document with all samples.", sniff_json, read_json)
