"""HELM runs: scenario_state.json, per_instance_stats.json, display_predictions.json."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePath

from evalcore.data.errors import FormatError, quote
from evalcore.data.formats.format import Format
from evalcore.data.formats.json_document import document
from evalcore.data.formats.rows import Placed, Row, all_rows, first_rows, flat, have, part
from evalcore.data.formats.told import Roles, told, unique
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

NAMES = ("id", "question", "references", "completion", "completions", "split", "choices")


def sniff_state(source: Source) -> str | None:
    """Tell by an object with adapter_spec and request_states."""
    value = document(source)
    return "it has adapter_spec and request_states" if isinstance(value, dict) and {"adapter_spec", "request_states"} <= value.keys() else None


def read_state(source: Source) -> Table:
    """Read one row a request; references are those tagged correct, a letter is read through the output mapping."""
    states = part(source.json, "request_states")
    placed = [(f"$.request_states[{number}]", state) for number, state in enumerate(states if isinstance(states, list) else [])]
    model = part(source.json, "adapter_spec", "model") or part(source.json, "request_states", 0, "request", "model")
    system = unique(model if isinstance(model, str) and model else PurePath(source.name).stem, NAMES)
    bad_rows = [BadRow(place, f"not a request with an instance but {quote(state)}") for place, state in placed if not isinstance(part(state, "instance"), dict)]
    usable = [(place, state) for place, state in placed if isinstance(part(state, "instance"), dict)]
    ids = _ids((part(state, "instance", "id"), part(state, "instance", "perturbation", "name"), part(state, "train_trial_index")) for _, state in usable)
    items = [Placed(place, _item(state, identity, system)) for (place, state), identity in zip(usable, ids, strict=True)]
    return told(source, STATE.name, items, {"id": "id", "prediction": (system,), "references": "references", "question": "question", "context": ()}, bad_rows)


def _item(state: object, identity: str, system: str) -> Row:
    references = part(state, "instance", "references")
    listed = references if isinstance(references, list) else []
    right = [part(entry, "output", "text") for entry in listed if "correct" in _tags(entry)]
    completion = part(state, "result", "completions", 0, "text")
    mapped = part(state, "output_mapping", completion.strip()) if isinstance(completion, str) else None
    row: Row = {"id": identity, "question": part(state, "instance", "input", "text"), "references": right, system: completion if mapped is None else mapped}
    row |= {"completion": completion, "split": part(state, "instance", "split"), "request_mode": part(state, "request_mode")}
    completions = part(state, "result", "completions")
    if isinstance(completions, list) and len(completions) > 1:
        row["completions"] = [part(entry, "text") for entry in completions]
    if len(right) < len(listed):
        row["choices"] = [part(entry, "output", "text") for entry in listed]
    return {name: value for name, value in row.items() if value is not None or name in (system, "id", "question")}


def _tags(reference: object) -> list[object]:
    tags = part(reference, "tags")
    return tags if isinstance(tags, list) else []


def _ids(parts: Iterable[tuple[object, object, object]]) -> list[str]:
    """Name instances; perturbation and training trial are told where an id alone stands more than once."""
    found = list(parts)
    counts = Counter(str(identity) for identity, _, _ in found)
    trials = {str(trial) for _, _, trial in found}
    return [_identity(str(identity), perturbation, trial if len(trials) > 1 else None, counts[str(identity)] > 1) for identity, perturbation, trial in found]


def _identity(identity: str, perturbation: object, trial: object, ambiguous: bool) -> str:
    more = [str(part) for part in (perturbation, None if trial is None else f"trial {trial}") if part is not None] if ambiguous else []
    return f"{identity} ({', '.join(more)})" if more else identity


STATE = Format("HELM scenario state", "HELM, scenario_state.json: requests with their instance and completions.", sniff_state, read_state)


def sniff_stats(source: Source) -> str | None:
    """Tell by a list of objects with instance_id and a list of stats."""
    rows = first_rows(source)
    return "its entries have instance_id and stats" if have(rows, "instance_id", "stats") and isinstance(rows[0]["stats"], list) else None


def read_stats(source: Source) -> Table:
    """Read the scores of every instance, to be joined to its scenario state by id."""
    bad_rows: list[BadRow] = []
    rows = list(all_rows(source, bad_rows))
    items = [Placed(placed.place, {"id": identity, **_means(placed.row)}) for placed, identity in zip(rows, _ids(map(_named, rows)), strict=True)]
    logged = tuple(dict.fromkeys(name for item in items for name in item.row if name != "id"))
    return replace(told(source, STATS.name, items, {"id": "id", "prediction": (), "references": (), "logged": logged}, bad_rows), adds=True)


def _named(placed: Placed) -> tuple[object, object, object]:
    """Give the instance, its perturbation and its trial, as `_ids` takes them."""
    return placed.row.get("instance_id"), part(placed.row, "perturbation", "name"), placed.row.get("train_trial_index")


def _means(row: Row) -> Row:
    stats = row.get("stats")
    found = ((part(stat, "name", "name"), stat) for stat in (stats if isinstance(stats, list) else []))
    return {str(name): part(stat, "mean") if part(stat, "mean") is not None else part(stat, "sum") for name, stat in found if name is not None}


STATS = Format("HELM instance stats", "HELM, per_instance_stats.json: scores by instance, added to a scenario state.", sniff_stats, read_stats)


def sniff_display(source: Source) -> str | None:
    """Tell by a list of objects with instance_id and predicted_text."""
    return "its entries have instance_id and predicted_text" if have(first_rows(source), "instance_id", "predicted_text") else None


def read_display(source: Source) -> Table:
    """Read predictions and scores; references are in scenario_state.json or instances.json."""
    bad_rows: list[BadRow] = []
    rows = list(all_rows(source, bad_rows))
    items = [
        Placed(
            placed.place,
            {
                "id": identity,
                "prediction": placed.row.get("mapped_output") or placed.row.get("predicted_text"),
                **{key: value for key, value in placed.row.items() if key not in ("instance_id", "stats", "mapped_output")},
                **flat("", placed.row.get("stats") or {}),
            },
        )
        for placed, identity in zip(rows, _ids(map(_named, rows)), strict=True)
    ]
    logged = tuple(dict.fromkeys(str(name) for placed in rows for name in _keys(placed.row.get("stats"))))
    roles: Roles = {"id": "id", "prediction": "prediction", "references": (), "question": (), "context": (), "logged": logged}
    return told(source, DISPLAY.name, items, roles, bad_rows)


def _keys(value: object) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, dict) else ()


DISPLAY = Format("HELM display predictions", "HELM, display_predictions.json: predictions and scores, without references.", sniff_display, read_display)


def sniff_spec(source: Source) -> str | None:
    """Tell by an object with scenario_spec and adapter_spec."""
    value = document(source)
    return "it has scenario_spec and adapter_spec" if isinstance(value, dict) and {"scenario_spec", "adapter_spec"} <= value.keys() else None


def refuse_spec(source: Source) -> Table:
    """Say that the file holds settings, and which file has the answers.

    Raises: FormatError, always.
    """
    raise FormatError(f"{source.label} holds the settings of a HELM run, no answers; give the scenario_state.json that stands beside it")


SPEC = Format("HELM run spec", "HELM, run_spec.json: settings, no answers.", sniff_spec, refuse_spec)
