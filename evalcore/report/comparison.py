"""A comparison to hand on: plain text, Markdown for a pull request, JUnit XML, JSON."""

import json
import re
import unicodedata
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from math import isnan
from typing import Any

from evalcore.analysis.comparison import Comparison
from evalcore.analysis.differences import sentence
from evalcore.analysis.effect import Effect, p_value, signed
from evalcore.analysis.gate import MEASURES, Finding
from evalcore.analysis.runs import RunTable
from evalcore.scoring.metrics import Counts
from evalcore.scoring.statistics import Interval
from evalcore.text.amounts import amount

LISTED = 10
TEXT_SHOWN = 200
_NOT_XML = re.compile("[^\t\n\r\\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def effects(comparison: Comparison) -> list[Effect]:
    """Give the effect in every measure the two sides have."""
    found = [comparison.effect(measure) for measure in MEASURES]
    return [effect for effect in found if effect.count] or found[:1]


def as_text(comparison: Comparison, names: Sequence[str], findings: Sequence[Finding] = ()) -> str:
    """Write the comparison for a terminal."""
    rows = [(named(effect, comparison), percent(effect.before), percent(effect.after), signed(effect.difference.estimate)) for effect in effects(comparison)]
    cells = [("", *(name[:30] for name in names), "difference"), *rows]
    widths = [max(len(row[column]) for row in cells) for column in range(4)]
    lines = ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) for row in cells]
    lines += ["", f"both right {len(comparison.both_right):,}, fixed {len(comparison.fixed):,}, broken {len(comparison.broken):,}"]
    lines[-1] += f", both wrong {len(comparison.both_wrong):,}"
    lines += [sentence(comparison), *(f"caution: {caution}" for caution in comparison.cautions), *map(str, findings)]
    return "\n".join([*lines, "", *signature_lines(comparison)])


def named(effect: Effect, comparison: Comparison) -> str:
    """Name what was compared."""
    return (comparison.after.preset.em_name or "EM") if effect.measure == "em" else effect.name


def signature_lines(comparison: Comparison) -> list[str]:
    """Give one signature, or both where they differ."""
    before, after = comparison.before.signature, comparison.after.signature
    return [f"signature: {before}"] if before == after else [f"signature before: {before}", f"signature after: {after}"]


def as_markdown(comparison: Comparison, names: Sequence[str], findings: Sequence[Finding] = ()) -> str:
    """Write the comparison as a summary for a pull request.

    Texts of the items are code spans, so nothing in them is interpreted.
    """
    lines = [f"### {code(names[0])} → {code(names[1])}", "", sentence(comparison), ""]
    lines += ["| | before | after | difference | 95 % interval | p |", "|---|---:|---:|---:|---:|---:|"]
    for effect in effects(comparison):
        low, high = signed(effect.difference.low), signed(effect.difference.high)
        shown = (
            percent(effect.before),
            percent(effect.after),
            signed(effect.difference.estimate),
            f"{low} to {high}",
            p_value(effect.test.p).removeprefix("= "),
        )
        lines.append(f"| {named(effect, comparison)} | {' | '.join(shown)} |")
    became = [("both right", comparison.both_right), ("fixed", comparison.fixed), ("broken", comparison.broken), ("both wrong", comparison.both_wrong)]
    lines += ["", ", ".join(f"{len(rows):,} {name}" for name, rows in became) + f", of {comparison.compared:,} compared", ""]
    lines += [f"> {code(caution)}" for caution in comparison.cautions]
    lines += [f"- {'❌' if finding.stops else '✅'} {code(str(finding))}" for finding in findings]
    for name, rows in (("Broken", comparison.broken), ("Fixed", comparison.fixed)):
        lines += _items(comparison, name, rows)
    return "\n".join([*lines, "", *(code(line) for line in signature_lines(comparison)), ""])


def _items(comparison: Comparison, name: str, rows: Counts) -> list[str]:
    if not len(rows):
        return []
    before, after = comparison.before.dataset.take(rows[:LISTED]), comparison.after.dataset.take(rows[:LISTED])
    title = f"{name}: {len(rows):,}" if len(rows) <= LISTED else f"{name}: the first {LISTED} of {len(rows):,}"
    lines = ["", f"<details><summary>{title}</summary>", "", "| id | references | before | after |", "|---|---|---|---|"]
    for row in range(len(before)):
        references = ", ".join(_cell(text) for text in before.references[row][:3])
        lines.append(f"| {_cell(before.ids[row])} | {references} | {_cell(before.predictions[row])} | {_cell(after.predictions[row])} |")
    return [*lines, "", "</details>"]


def code(text: str | None, most: int = TEXT_SHOWN) -> str:
    """Write a text as one Markdown code span that shows it as typed.

    Line breaks and control characters show as escapes; a text is cut after `most` characters.

    >>> code("a|b `c`"), code(""), code(None)
    ('`` a|b `c` ``', '(empty)', '(missing)')
    """
    if text is None:
        return "(missing)"
    if not text:
        return "(empty)"
    shown = text if len(text) <= most else text[:most] + "…"
    shown = "".join(f"\\u{ord(letter):04x}" if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") else letter for letter in shown)
    fence = "`" * (max((len(run) for run in re.findall("`+", shown)), default=0) + 1)
    padding = " " if "`" in shown or shown.startswith(" ") or shown.endswith(" ") else ""
    return f"{fence}{padding}{shown}{padding}{fence}"


def _cell(text: str | None) -> str:
    """Write a code span inside a table, where a bar ends a cell even in code."""
    return code(text).replace("|", "\\|")


def as_junit(comparison: Comparison, names: Sequence[str], findings: Sequence[Finding]) -> str:
    """Write one test case a gate as JUnit XML; the sentence and cautions are its output."""
    failed = sum(finding.stops for finding in findings)
    suite = ElementTree.Element("testsuite", name="whymiss compare", tests=str(len(findings)), failures=str(failed), errors="0", skipped="0")
    for finding in findings:
        case = ElementTree.SubElement(suite, "testcase", classname="whymiss.compare", name=_xml(str(finding.gate)))
        if finding.stops:
            ElementTree.SubElement(case, "failure", message=_xml(str(finding))).text = _xml(sentence(comparison))
    output = [f"{names[0]} -> {names[1]}", sentence(comparison), *comparison.cautions, *signature_lines(comparison)]
    ElementTree.SubElement(suite, "system-out").text = _xml("\n".join(output))
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _xml(text: str) -> str:
    return _NOT_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def as_json(comparison: Comparison, names: Sequence[str], findings: Sequence[Finding] = ()) -> str:
    """Write all figures unrounded, and the ids of every list."""
    ids = comparison.before.dataset.ids
    rows = {name: getattr(comparison, name) for name in ("fixed", "broken", "only_before", "only_after", "references_differ")}
    content = {
        "before": {"name": names[0], "signature": comparison.before.signature},
        "after": {"name": names[1], "signature": comparison.after.signature},
        "compared": comparison.compared,
        "both_right": len(comparison.both_right),
        "both_wrong": len(comparison.both_wrong),
        "effects": {effect.measure: _effect(effect) for effect in effects(comparison)},
        "sentence": sentence(comparison),
        "cautions": list(comparison.cautions),
        "gates": [{"gate": str(finding.gate), "failed": finding.stops, "values": {k: _number(v) for k, v in finding.values}} for finding in findings],
        **{name: ids.take(chosen).to_list() for name, chosen in rows.items()},
    }
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1)


def _effect(effect: Effect) -> dict[str, Any]:
    figures = {"before": effect.before, "after": effect.after, "difference": effect.difference.estimate, "p": effect.test.p, "detectable": effect.detectable}
    found: dict[str, Any] = {name: _number(value) for name, value in figures.items()}
    return found | {"interval": _interval(effect.difference), "test": effect.test.method, "items": effect.count, "fixed": effect.fixed, "broken": effect.broken}


def _interval(interval: Interval) -> dict[str, Any]:
    return {"low": _number(interval.low), "high": _number(interval.high), "level": interval.level, "method": interval.method}


def _number(value: float) -> float | None:
    return None if isnan(value) else value


def percent(value: float) -> str:
    """Write a 0..1 score out of 100.

    >>> percent(0.81234), percent(float("nan"))
    ('81.23', 'n/a')
    """
    return "n/a" if isnan(value) else f"{100 * value:.2f}"


def table_text(table: RunTable) -> str:
    """Write more than two runs for a terminal: every run, then every pair."""
    names = [row.name for row in table.runs]
    width = max(map(len, names))
    lines = [f"{table.measure} on the {amount(table.shared, 'item')} all runs have"]
    for name, row in zip(names, table.runs, strict=True):
        rest = f"  ({amount(row.unmatched, 'item')} not shared)" if row.unmatched else ""
        lines.append(f"{name:{width}}  {percent(row.interval.estimate):>6}  [{percent(row.interval.low)}, {percent(row.interval.high)}]{rest}")
    lines += ["", "pairs, p corrected by Holm's method"]
    for pair in table.pairs:
        both = f"{names[pair.before]} -> {names[pair.after]}"
        difference = pair.effect.difference
        claim = "" if pair.is_clear else "  may be chance"
        lines.append(f"{both}  {signed(difference.estimate)}  [{signed(difference.low)}, {signed(difference.high)}]  p {p_value(pair.corrected)}{claim}")
    for pair in table.pairs:
        lines += [f"caution, {names[pair.before]} -> {names[pair.after]}: {caution}" for caution in pair.comparison.cautions]
    return "\n".join([*lines, "", *(f"signature: {signature}" for signature in table.settings)])
