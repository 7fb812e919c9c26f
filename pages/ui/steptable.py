"""One item as HTML: the pair of strings, the steps, the tokens, the references."""

from collections.abc import Sequence

from evalcore.analysis.explain import Explanation, ReferenceScore, StepRow, TokenRow
from evalcore.analysis.extraction_report import cuts, extracted_text
from evalcore.analysis.moves import Role
from evalcore.text.amounts import amount
from evalcore.text.diff import Unit
from evalcore.text.pipeline import Stage, Trace
from evalcore.text.steps import Step
from pages.ui.click import esc
from pages.ui.marks import compared, fated, folded, kind_of, raw, string, touched, way_of
from pages.ui.tables import Markup, table

UNITS: dict[str, Unit | None] = {"None": None, "Word": "word", "Character": "character"}
MOST_TOKENS = 60


def way(found: Explanation) -> str:
    """Give the direction in which both sides are set."""
    return way_of(found.reference.raw, found.prediction.raw)


def pair(found: Explanation, view: str, head: str = "Best reference", tried: Explanation | None = None) -> Markup:
    """Give both sides raw, extracted where the settings cut, normalized, and as a change on trial makes them."""
    to = way(found)
    cells = [
        "<span></span>",
        '<span class="wm-label">Prediction</span>',
        f'<span class="wm-label">{esc(head)}</span>',
        '<span class="wm-label">Raw</span>',
        _cell(fated(found.prediction, to)),
        _cell(fated(found.reference, to)),
        "<hr>",
        *_extracted_row(found, view, to),
        *_row("Normalized", found.prediction.result, found.reference.result, view, to),
    ]
    if tried is not None:
        chip = '<span class="wm-badge wm-hit">✓ EM 1</span>' if tried.em == 1 else '<span class="wm-badge wm-off">✕ EM 0</span>'
        label, ours, theirs = _row("If tried", tried.prediction.result, tried.reference.result, view, to)
        cells += [f'<div class="wm-try">{label}{ours.replace("</div>", f" {chip}</div>")}{theirs}</div>']
    return Markup(f'<div class="wm-card"><div class="wm-pair">{"".join(cells)}</div>{_legend(found.prediction, found.reference)}</div>')


def _row(label: str, ours: str, theirs: str, view: str, to: str) -> tuple[str, str, str]:
    """Give one state of both sides, each marked against the other."""
    unit = UNITS[view]
    left, right = _result(compared(theirs, ours, unit, "after"), ours, to), _result(compared(theirs, ours, unit, "before"), theirs, to)
    return f'<span class="wm-label">{esc(label)}</span>', _cell(left), _cell(right)


def _extracted_row(found: Explanation, view: str, to: str) -> tuple[str, ...]:
    """Give both sides after the extraction; nothing where the settings do not cut."""
    if not cuts(found.preset):
        return ()
    return _row("Extracted", extracted_text(found.prediction, found.preset, "prediction"), extracted_text(found.reference, found.preset, "reference"), view, to)


def _cell(html: str) -> str:
    return f'<div class="wm-cell">{html}</div>'


def _result(html: str, text: str, to: str) -> str:
    return string(html, text, to, "wm-big") if text else '<span class="wm-none">nothing left</span>'


def _legend(*traces: Trace) -> str:
    """Name the steps that changed one of the texts."""
    chips: dict[str, str] = {}
    for trace in traces:
        for number, stage in enumerate(trace.stages):
            if stage.changed:
                chips[stage.step.title] = f'<span class="{kind_of(number, trace.stages)}">{esc(stage.step.title)}</span>'
    if not chips:
        return '<div class="wm-legend">No step changed either side.</div>'
    return f'<div class="wm-legend">Removed or changed by {"".join(chips.values())}</div>'


def steps(found: Explanation, roles: Sequence[tuple[Step, Role]] = ()) -> Markup:
    """Give the table of steps; those that touched neither side are folded.

    `roles`: what a change on trial does to the steps; `found` is under that change.
    """
    if not found.steps and not roles:
        return Markup('<span class="wm-cap">These settings have no steps: the strings are compared as they are.</span>')
    to = way(found)
    shown: list[Sequence[object]] = []
    quiet: list[str] = []
    rows = iter(enumerate(found.steps))
    number = 0
    for step, role in roles or [(row.step, "kept") for row in found.steps]:
        number += role != "added"
        if role == "left_out":
            shown.append((Markup("<span class='wm-trial'>−</span>"), _named(step, "left out on trial"), "", "", ""))
            continue
        place, row = next(rows)
        if role == "added" or row.touched or row.decides:
            mark = Markup("<span class='wm-trial'>+</span>") if role == "added" else number
            shown.append((mark, *_step(place, row, found, to, "on trial" if role == "added" else "")))
        else:
            quiet.append(f"{number} {row.step.title}")
    made = table(("", "Step", "Prediction", "Reference", ""), shown, label="Steps") if shown else ""
    count = amount(len(quiet), "step") + " did nothing here"
    more = f'<details class="wm-more"><summary>{count}</summary><span class="wm-cap">{esc("; ".join(quiet))}</span></details>' if quiet else ""
    return Markup(f'<div class="wm-card wm-steps">{made}{more}</div>')


def _named(step: Step, note: str = "", swatch: str = "") -> Markup:
    """Give the name of a step with its side, and what a trial does to it."""
    side = "" if step.side == "both" else f' <span class="wm-badge wm-line">{esc(step.side)} only</span>'
    trial = f' <span class="wm-state">· {esc(note)}</span>' if note else ""
    return Markup(f'<span title="{esc(step.summary)}">{swatch}{esc(step.title)}</span>{trial}{side}')


def _step(place: int, row: StepRow, found: Explanation, to: str, note: str = "") -> Sequence[object]:
    stages = _all_stages(found)
    swatch = f'<span class="wm-swatch {kind_of(place, stages)}"></span>' if stages else ""
    return _named(row.step, note, swatch), _touched(row.prediction, to), _touched(row.reference, to), _state(row)


def _all_stages(found: Explanation) -> list[Stage]:
    """Give one stage a step, whatever side it acts on."""
    return [stage for row in found.steps if (stage := row.prediction or row.reference) is not None]


def _touched(stage: Stage | None, to: str) -> Markup:
    if stage is None:
        return Markup('<span class="wm-state">not on this side</span>')
    if not stage.changed:
        return Markup('<span class="wm-state">unchanged</span>')
    return string(touched(stage), stage.before, to)


def _state(row: StepRow) -> Markup:
    if row.decides:
        return Markup('<span class="wm-made">✓ made equal<span class="wm-by"> by this step</span></span>')
    if row.equal:
        return Markup('<span class="wm-state wm-eq">✓ equal here</span>')
    return Markup('<span class="wm-state">≠ still different</span>')


def tokens(found: Explanation) -> Markup:
    """Give every distinct token with its counts, and the sum written out."""
    rows = [_token(row) for row in found.tokens[:MOST_TOKENS]]
    left = len(found.tokens) - len(rows)
    caption = f"{amount(left, 'more distinct token is', 'more distinct tokens are')} counted and not listed." if left > 0 else ""
    made = table(("", "token", "pred.", "ref.", ""), rows, numbers=(2, 3), caption=caption, label="Tokens") if rows else ""
    return Markup(made + _sum(found))


def _token(row: TokenRow) -> Sequence[object]:
    shown = folded(row.token)
    if row.matched:
        kind, sign, say = "ok", "✓", "matched" if row.predicted == row.gold == row.matched else f"{row.matched} matched"
    elif row.predicted:
        kind, sign, say, shown = "bad", "+", "extra", f'<ins class="wm-ins">{shown}</ins>'
    else:
        kind, sign, say, shown = "bad", "−", "missing", f'<del class="wm-del">{shown}</del>'
    mark = Markup(f'<span class="wm-mark wm-{kind}" role="img" aria-label="{say}">{sign}</span>')
    return mark, string(shown, row.token), row.predicted, row.gold, Markup(f'<span class="wm-state">{say}</span>')


def _sum(found: Explanation) -> str:
    """Write the arithmetic of precision, recall and F1."""
    common, ours, gold, rules = found.common, found.predicted, found.gold, found.preset
    if not rules.has_f1:
        return f'<div class="wm-sum"><small>These settings have no F1; EM alone is their score ({esc(rules.match)}).</small></div>'
    if ours == gold == 0:
        value = 1.0 if rules.empty == "v2" else 0.0
        return _written("", value, f"Both sides have no tokens; the rule for empties ({rules.empty}) says {value:.0f}.", found)
    if ours == 0 or gold == 0:
        return _written("", 0.0, f"The {'prediction' if ours == 0 else 'reference'} has no tokens and the other side has; F1 is 0 under every rule.", found)
    precision, recall = common / ours, common / gold
    head = f"P = {common}/{ours} = {precision:.3g} &nbsp; R = {common}/{gold} = {recall:.3g}"
    if common == 0:
        return _written(head, 0.0, "No token in common.", found)
    f1 = 2 * precision * recall / (precision + recall)
    note = "Each distinct token counts once." if rules.overlap == "set" else ""
    return _written(head, f1, note, found, f"2·{common}/({ours}+{gold}) = ")


def _written(head: str, f1: float, note: str, found: Explanation, formula: str = "") -> str:
    """Give the sum, and say where another rule of the settings makes the reference's score differ from it."""
    scored = next((row.f1 for row in found.references if row.index == found.best), f1)
    notes = [note] if note else []
    if scored == scored and abs(scored - f1) > 1e-9:
        notes.append(f"Under all rules of these settings the F1 against this reference is {scored:.3g}.")
    said = f"<small>{esc(' '.join(notes))}</small>" if notes else ""
    return f'<div class="wm-sum">{head}<b>F1 = {formula}{f1:.3g}</b>{said}</div>'


def ordered(found: Explanation) -> list[ReferenceScore]:
    """Give the references, best first; a number the settings do not have decides nothing."""
    return sorted(found.references, key=lambda row: (-row.em if row.em == row.em else 0.0, -row.f1 if row.f1 == row.f1 else 0.0, row.index))


def references(found: Explanation, best: int) -> Markup:
    """Give all references, best first; a click traces against another one."""
    if not found.references:
        return Markup('<span class="wm-cap">This item has no reference.</span>')
    rows = []
    for row in ordered(found):
        star = '<span role="img" aria-label="the one that counted">★</span>' if row.index == best else "<span></span>"
        kind = "wm-hit" if row.em == 1 else "wm-dim"
        em = "–" if row.em != row.em else f"{'✓ ' if row.em == 1 else ''}EM {row.em:.0f}"
        f1 = "–" if row.f1 != row.f1 else f"{row.f1:.2f}"
        opened = " wm-open" if row.index == found.best else ""
        rows.append(
            f'<div class="wm-ref{opened}" data-go="ref:{row.index}" tabindex="0" role="link" title="trace against this reference">'
            f'{star}{raw(row.text, most=300)}<span class="wm-badge {kind}">{em}</span><b>{f1}</b></div>'
        )
    return Markup(f'<div class="wm-refs">{"".join(rows)}</div>')
