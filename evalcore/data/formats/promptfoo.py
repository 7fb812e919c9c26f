"""promptfoo results: JSON of every version, JSON lines, and CSV."""

import re
from collections.abc import Iterator

from evalcore.data.errors import quote
from evalcore.data.formats.delimited import csv_header, csv_rows
from evalcore.data.formats.format import Format
from evalcore.data.formats.json_document import document
from evalcore.data.formats.rows import Placed, Row, all_rows, first_rows, have, part, value_in
from evalcore.data.formats.told import told, unique, wide
from evalcore.data.guess import QUESTIONS
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

PROMPT = re.compile(r"\[[^\]]*\] .*", re.DOTALL)
GRADED = re.compile(r"\[(PASS|FAIL|ERROR)\](?: \((-?[0-9.]+)\))? ?(.*)", re.DOTALL)
REASON = "\n\nPass Reason: "
OWN = ("Status", "Score", "Named Scores", "Grader Reason", "Comment")


def sniff(source: Source) -> str | None:
    """Tell by results with vars and a response, in one document or a line each."""
    value = document(source)
    rows = part(value, "results", "results") or part(value, "results")
    first = part(rows, 0)
    if isinstance(first, dict) and "vars" in first and ("response" in first or "error" in first):
        return "it has results with vars and a response"
    return "its lines have testIdx, testCase and gradingResult" if have(first_rows(source), "testIdx", "testCase") else None


def read(source: Source) -> Table:
    """Read one row a test and one system a provider and prompt; references are what `equals` asserts."""
    bad_rows: list[BadRow] = []
    value = document(source)
    rows = (part(value, "results", "results") or part(value, "results")) if isinstance(value, dict) else None
    if isinstance(rows, list):
        placed = [Placed(f"$.results[{number}]", row) for number, row in enumerate(rows) if isinstance(row, dict)]
        bad_rows += [BadRow(f"$.results[{number}]", f"not an object but {quote(row)}") for number, row in enumerate(rows) if not isinstance(row, dict)]
    else:
        placed = list(all_rows(source, bad_rows))
    return _table(source, placed, bad_rows)


def _table(source: Source, placed: list[Placed], bad_rows: list[BadRow]) -> Table:
    variables = list(dict.fromkeys(f"vars.{name}" for item in placed for name in _variables(item.row)))
    shared = ("id", "question", "references", "assertions", *variables)
    items, systems = wide(_results(placed), shared, ())
    logged = tuple(dict.fromkeys(name for item in items for name in item.row if name.split(",")[0] in ("score", "success")))
    roles = {"id": "id", "prediction": tuple(systems), "references": "references", "question": "question", "context": (), "label": (), "logged": logged}
    return told(source, PROMPTFOO.name, items, roles, bad_rows)  # type: ignore[arg-type]


def _results(placed: list[Placed]) -> Iterator[tuple[str, str, Placed]]:
    prompts = {str(_prompt(item.row)) for item in placed}
    providers = {_provider(item.row) for item in placed}
    for item in placed:
        row = item.row
        test = row.get("testIdx")
        identity = str(test) if test is not None else str(sorted(map(str, _variables(row).items())))
        provider = _provider(row)
        system = provider if len(prompts) == 1 else f"{provider} {_prompt(row)}" if len(providers) > 1 or provider != "output" else str(_prompt(row))
        yield identity, system, Placed(item.place, _item(row))


def _item(row: Row) -> Row:
    variables = _variables(row)
    asserted = part(row, "testCase", "assert") or part(row, "gradingResult", "componentResults")
    listed = [part(entry, "assertion") or entry for entry in asserted] if isinstance(asserted, list) else []
    equal = [part(entry, "value") for entry in listed if part(entry, "type") == "equals"]
    question = next((value for name, value in variables.items() if name.casefold() in QUESTIONS and isinstance(value, str)), part(row, "prompt", "raw"))
    found: Row = {"question": question, "references": equal, "prediction": part(row, "response", "output")}
    if row.get("testIdx") is not None:
        found["id"] = row["testIdx"]
    if listed:
        found["assertions"] = [
            f"{part(entry, 'type')}: {part(entry, 'value')}" if part(entry, "value") is not None else str(part(entry, "type")) for entry in listed
        ]
    score = row.get("score", part(row, "gradingResult", "score"))
    found |= {"score": score, "success": row.get("success"), "error": row.get("error") or part(row, "response", "error")}
    return {**{name: value for name, value in found.items() if value is not None or name == "prediction"}, **{f"vars.{k}": v for k, v in variables.items()}}


def _variables(row: Row) -> Row:
    variables = row.get("vars")
    return variables if isinstance(variables, dict) else {}


def _provider(row: Row) -> str:
    provider = row.get("provider")
    named = (part(provider, "label") or part(provider, "id")) if isinstance(provider, dict) else provider
    return str(named or "output")


def _prompt(row: Row) -> object:
    return part(row, "prompt", "label") or part(row, "prompt", "display") or row.get("promptIdx") or ""


PROMPTFOO = Format("promptfoo results", "promptfoo, JSON or JSON lines: tests, outputs and assertions.", sniff, read)


def sniff_csv(source: Source) -> str | None:
    """Tell by a column named after provider and prompt with Status and Score beside it, or by graded cells."""
    header = csv_header(source)
    if any(PROMPT.fullmatch(name) for name in header) and {"Status", "Score"} <= set(header):
        return "a column is named after a provider and a prompt, with Status and Score beside it"
    if any(PROMPT.fullmatch(name) or _is_raw_prompt(name) for name in header):
        first = next(csv_rows(source, []), None)
        if first is not None and any(GRADED.match(str(cell)) for cell in first.row.values()):
            return "its cells begin with [PASS] or [FAIL]"
    return None


def read_csv(source: Source) -> Table:
    """Read one row a test and one system a prompt column; there is no column of references."""
    header = csv_header(source)
    prompts = [name for name in header if PROMPT.fullmatch(name) or _is_raw_prompt(name)]
    systems = _system_names(prompts, header)
    bad_rows: list[BadRow] = []
    items = [Placed(placed.place, _cells(placed.row, prompts, systems)) for placed in csv_rows(source, bad_rows)]
    logged = tuple(dict.fromkeys(name for item in items for name in item.row if name.split(",")[0] in ("Score", "Status") or name.startswith("Score (")))
    roles = {"prediction": tuple(systems.values()), "references": (), "context": (), "label": (), "logged": logged}
    return told(source, CSV.name, items, roles, bad_rows, ["promptfoo's CSV holds no references; its JSON does"])  # type: ignore[arg-type]


def _system_names(prompts: list[str], header: tuple[str, ...]) -> dict[str, str]:
    names: dict[str, str] = {}
    for prompt in prompts:
        raw = value_in(prompt)
        names[prompt] = unique(str(part(raw, "display") or part(raw, "raw") or prompt), [*names.values(), *(name for name in header if name not in prompts)])
    return names


def _cells(row: Row, prompts: list[str], systems: dict[str, str]) -> Row:
    found: Row = {}
    for name, cell in row.items():
        if name not in prompts:
            found[name] = cell
            continue
        graded = GRADED.fullmatch(str(cell))
        if graded is None:
            found[systems[name]] = cell
            continue
        status, score, rest = graded.groups()
        reason, output = rest.split("\n---\n", 1) if status == "FAIL" and "\n---\n" in rest else ("", rest.removeprefix("\n\n").split(REASON)[0])
        found |= {systems[name]: output, f"Status,{systems[name]}": status, f"Score,{systems[name]}": score or "", f"reason,{systems[name]}": reason}
    return found


def _is_raw_prompt(name: str) -> bool:
    return name[:1] == "{" and isinstance(part(value_in(name), "raw"), str)


CSV = Format("promptfoo CSV", "promptfoo, CSV: one column of outputs a provider and prompt.", sniff_csv, read_csv)
