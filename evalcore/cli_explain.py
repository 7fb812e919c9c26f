"""Why items failed, and what would change it, on the command line: for one pair of texts, one item or a whole file."""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from evalcore import cli_settings
from evalcore.analysis.collisions import CAUTION_TITLES, Collision, Collisions
from evalcore.analysis.diagnosis import Diagnosis, diagnose
from evalcore.analysis.effects import Effect, effects_of
from evalcore.analysis.fix_effects import item_fixes
from evalcore.analysis.fixes import Fix, MoveCount, run_languages
from evalcore.analysis.losses import LOSS_TITLES
from evalcore.analysis.reasons.costs import points_of
from evalcore.analysis.reasons.find import Found
from evalcore.data import DataError, Loaded, only_system
from evalcore.dataset import Dataset, References
from evalcore.scoring.chunks import Progress
from evalcore.scoring.score import score
from evalcore.scoring.scores import Scores
from evalcore.text.amounts import amount
from evalcore.text.columns import Texts

SHOWN = 14  # Sets of changes listed, as many as the page shows.
CUT = 100  # Characters of a text shown as evidence.
NUMBERS = frozenset(("items", "EM points", "alone", "always", "jointly", "gains", "loses", "suspicious"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is particular to explaining."""
    parser.add_argument("predictions", metavar="PREDICTIONS", nargs="?", help="file with the predictions, and maybe the references")
    parser.add_argument("--item", metavar="ID", help="explain the item with this id alone")
    parser.add_argument("--text", metavar="TEXT", help="explain one prediction given here, in place of a file")
    parser.add_argument("--against", action="append", default=[], metavar="TEXT", help="with --text: a reference; may be repeated")
    parser.add_argument("--question", default="", metavar="TEXT", help="with --text: the question both answer")
    parser.add_argument("--json", action="store_true", help="write everything as JSON, one entry a failed item")


def run(options: argparse.Namespace, load: Callable[[str], Loaded], progress: Progress) -> str:
    """Explain what was asked for.

    Raises: DataError when nothing is asked for or no item has the id, and what loading and scoring raise.
    """
    preset = cli_settings.chosen(options)
    if (options.text is None) == (options.predictions is None):
        raise DataError("give either a file, or one prediction with --text and its references with --against")
    if not preset.has_em:
        raise DataError(f"{preset.name} has no exact match, so no item fails by it; choose another preset with --preset")
    if options.text is not None:
        dataset = Dataset(Texts.of(["text"]), Texts.of([options.text]), References.of([options.against]), questions=Texts.of([options.question]))
        return _item(diagnose(score(dataset, preset=preset)), 0, options.json)
    scores = score(only_system(load(options.predictions)).datasets[0], preset=preset, progress=progress)
    found = diagnose(scores, progress=progress)
    if options.item is not None:
        return _item(found, _row_of(scores, options.item), options.json)
    return json.dumps(_as_json(found), ensure_ascii=False, indent=1) if options.json else "\n".join(_lines(found))


def _row_of(scores: Scores, name: str) -> int:
    rows = [row for row, one in enumerate(scores.dataset.ids) if one == name]
    if len(rows) != 1:
        some = ", ".join(repr(one) for one in scores.dataset.ids.take(np.arange(min(3, len(scores)))))
        raise DataError(f"{len(rows)} items have the id {name!r:.80}; give one that stands once, such as {some}")
    return rows[0]


def _lines(found: Diagnosis) -> Iterator[str]:
    """Write what the pages show of a run: reasons, smallest fixes, changes, collisions."""
    reasons, fixes, scores = found.reasons, found.fixes, found.scores
    yield f"{amount(len(fixes.failed), 'item')} of {int(scores.is_scored.sum()):,} scored failed"
    yield ""
    yield from _columns(
        ("reason", "class", "items", "EM points"),
        [(one.reason.title, "form" if one.reason.kind == "surface" else "content", f"{one.items:,}", _points(one.points)) for one in reasons.counts()],
    )
    yield f"form costs {_points(points_of(reasons, 'surface'))} points, content {_points(points_of(reasons, 'content'))}"
    yield ""
    sets = [(f"{len(rows):,}", Fix(moves).title) for moves, rows in fixes.set_counts()]
    yield f"{len(fixes.fixable):,} of {len(fixes.failed):,} failed items have a fix of up to three changes"
    yield from _columns(("items", "smallest set of changes"), sets[:SHOWN])
    yield from [f"and {amount(len(sets) - SHOWN, 'set')} more"] if len(sets) > SHOWN else []
    yield ""
    counts = fixes.counts()
    effects = effects_of(scores, [one.move for one in counts[:SHOWN]])
    yield from _columns(
        ("alone", "always", "jointly", "gains", "loses", "suspicious", "change"),
        [_change(one, effect) for one, effect in zip(counts, effects, strict=False)],
    )
    yield from [f"and {amount(len(counts) - SHOWN, 'change')} more"] if len(counts) > SHOWN else []
    yield ""
    yield from _alarm(found.collisions, scores)
    yield ""
    yield f"signature: {scores.signature}"


def _change(count: MoveCount, effect: Effect) -> tuple[str, ...]:
    """Write what a change helps, what it brings and loses in EM points alone, and how many of its gains match only by a loss."""
    items = (f"{count.alone:,}", f"{count.always:,}", f"{count.jointly:,}")
    return (*items, _points(effect.gained_points), _points(effect.lost_points), f"{len(effect.suspicious):,}", count.move.title)


def _alarm(collisions: Collisions, scores: Scores) -> Iterator[str]:
    if not collisions.is_alarm:
        yield "no pair of different answers is equal under these settings"
    for pair in collisions.pairs:
        yield f"{_id(scores, pair.row)}: {_pair(pair)}"
    for merge in collisions.suspicious_merges:
        yield f"references {' = '.join(f'{text!r:.{CUT}}' for text in merge.texts)} fall together: {_lost(merge.losses)}"
    for name, said in CAUTION_TITLES.items():
        rows = collisions.warnings[name]
        if len(rows):
            yield f"{amount(len(rows), 'item')} match {said}: {', '.join(_id(scores, row) for row in rows[:10].tolist())}"
    yield f"{collisions.distinct:,} different references as raw text, {collisions.merged:,} under these settings"


def _id(scores: Scores, row: int) -> str:
    return f"{scores.dataset.ids[row]!r:.{CUT}}"


def _pair(pair: Collision) -> str:
    return f"{pair.prediction_text!r:.{CUT}} = {pair.reference_text!r:.{CUT}}: {_lost(pair.losses)}"


def _lost(losses: Sequence[Any]) -> str:
    return ", ".join(LOSS_TITLES[loss] for loss in losses)


def _item(found: Diagnosis, row: int, as_json: bool) -> str:
    """Write what Inspect says of one item: score, reasons with evidence, and the changes under which it would match."""
    scores = found.scores
    languages = run_languages(scores)  # An item alone may not show what the run is written in.
    fixes = item_fixes(scores.dataset.predictions[row], scores.dataset.references[row], scores.preset, languages) if scores.em[row] == 0 else ()
    if as_json:
        return json.dumps(_entry(found, row, fixes), ensure_ascii=False, indent=1)
    lines = [f"prediction: {scores.dataset.predictions[row]!r}", *(f"reference: {text!r}" for text in scores.dataset.references[row])]
    lines.append(_numbers(scores, row) if scores.unscored[row] is None else f"not scored: {scores.unscored[row]}")
    for one in found.reasons.of(row):
        lines.append(f"{one.reason.title} ({'form' if one.reason.kind == 'surface' else 'content'}): {one.reason.summary}{_evidence(one)}")
    if scores.em[row] == 0:
        lines += [f"would match if: {fix.title}" for fix in fixes] or ["no set of up to three changes of steps makes both sides equal"]
    lines += [f"suspicious: {_pair(pair)}" for pair in found.collisions.pairs if pair.row == row]
    lines += [f"warning: matches {CAUTION_TITLES[name]}" for name in found.collisions.cautions(row)]
    return "\n".join([*lines, f"signature: {scores.signature}"])


def _numbers(scores: Scores, row: int) -> str:
    """Write the numbers an item has under its preset, by their names there."""
    preset = scores.preset
    named = [(preset.em_name, f"{scores.em[row]:.4g}")] * preset.has_em + [("F1", f"{scores.f1[row]:.4f}")] * preset.has_f1
    return ", ".join(f"{name} {number}" for name, number in named)


def _evidence(found: Found) -> str:
    shown = found.evidence
    parts = [f"prediction {shown.prediction!r:.{CUT}}"] if shown.prediction else []
    parts += [f"reference {shown.reference!r:.{CUT}}"] if shown.reference else []
    return f" [{'; '.join([*parts, *([shown.note] if shown.note else [])])}]" if parts or shown.note else ""


def _as_json(found: Diagnosis) -> dict[str, Any]:
    """Give counts and one entry a failed item."""
    reasons, fixes, collisions = found.reasons, found.fixes, found.collisions
    return {
        "signature": found.scores.signature,
        "failed": len(fixes.failed),
        "reasons": [{"reason": one.reason.name, "class": one.reason.kind, "items": one.items, "points": one.points} for one in reasons.counts()],
        "fixes": [{"changes": [move.title for move in moves], "items": len(rows)} for moves, rows in fixes.set_counts()],
        "changes": [{"change": one.move.title, "alone": one.alone, "always": one.always, "jointly": one.jointly} for one in fixes.counts()],
        "collisions": [{"id": found.scores.dataset.ids[pair.row], "losses": list(pair.losses)} for pair in collisions.pairs],
        "references": {"raw": collisions.distinct, "normalized": collisions.merged},
        "warnings": {name: [found.scores.dataset.ids[row] for row in rows.tolist()] for name, rows in collisions.warnings.items()},
        "items": [_entry(found, int(row), fixes.of(int(row))) for row in fixes.failed],
    }


def _entry(found: Diagnosis, row: int, fixes: Sequence[Fix]) -> dict[str, Any]:
    scores = found.scores
    reasons = [
        {"reason": one.reason.name, "class": one.reason.kind, "about_reference": one.reference, **one.evidence._asdict()} for one in found.reasons.of(row)
    ]
    numbers = {name: None if np.isnan(value := float(getattr(scores, name)[row])) else value for name in ("em", "f1")}
    return {"id": scores.dataset.ids[row], **numbers, "reasons": reasons, "fixes": [[move.title for move in fix.moves] for fix in fixes]}


def _columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Write rows under their heads, numbers set right."""
    widths = [max(map(len, cells)) for cells in zip(heads, *rows, strict=True)]
    sides = [">" if name in NUMBERS else "<" for name in heads]
    for row in (heads, *rows):
        yield "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)).rstrip()


def _points(value: float) -> str:
    return f"{100 * value:.2f}"
