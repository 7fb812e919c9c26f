"""The list of items as one HTML element."""

from evalcore import Scores
from evalcore.analysis.best_reference import best_reference
from evalcore.analysis.selection import BUCKET_NAMES, Codes
from evalcore.analysis.wording import side_by_side, wording
from evalcore.scoring.buckets import BUCKETS
from evalcore.text.rules import StepFailed
from pages.ui.click import esc
from pages.ui.marks import beside, deletion, inline, insertion, one_line, string, way_of
from pages.ui.reasons import named
from pages.ui.tables import Markup, called, cell
from pages.ui.unseen import spelled

MOST_CHARACTERS = 1500  # Longer texts are compared by their beginning in the list; Inspect has them whole.
EMPTY = '<span class="wm-none">empty</span>'
HEAD = (
    '<div class="wm-li wm-lh"><span>F1</span><span>Prediction against the best reference '
    f'<span class="wm-key wm-str">{insertion("added")} {deletion("lost")} <span class="wm-ign">ignored</span></span></span>'
    '<span>{what}</span><span class="wm-pr">P / R</span><span class="wm-id">Item</span></div>'
)


def item_list(scores: Scores, rows: list[int], codes: list[int], reasons: Codes | None, beside_each_other: bool, opened: int | None) -> Markup:
    """Give one row an item; a click on it gives `item:ROW`.

    `codes` are the buckets of the rows, as indexes into BUCKETS; `reasons`
    the codes of the main reasons of all items, None where they are not known.
    """
    whys = [BUCKET_NAMES[BUCKETS[code]] if reasons is None or reasons[row] < 0 else named(int(reasons[row])) for row, code in zip(rows, codes, strict=True)]
    lines = "".join(_row(scores, row, why, beside_each_other, row == opened) for row, why in zip(rows, whys, strict=True))
    head = HEAD.replace("{what}", "Bucket" if reasons is None else "Reason")
    return Markup(f'<div class="wm-list">{head}{lines}</div>')


def _row(scores: Scores, row: int, shown_why: str, two: bool, opened: bool) -> str:
    data = scores.dataset
    prediction = data.predictions[row]
    asked = data.questions[row] if data.questions is not None else None
    question = f'<span class="wm-ask wm-one" dir="auto">{one_line(asked)}</span>' if asked else ""
    f1, exact, scored = float(scores.f1[row]), scores.em[row] == 1, scores.unscored[row] is None
    shown = f'<b>{f1:.2f}</b><span class="wm-bar"><i style="width:{100 * f1:.0f}%"></i></span>' if f1 == f1 else '<b>–</b><span class="wm-bar"></span>'
    measures = f"P {two_digits(scores.precision[row])}<br>R {two_digits(scores.recall[row])}" if scored else "not<br>scored"
    sign = "✓ " if exact else ""
    why = "" if scored else f'<span class="wm-ask wm-one">{esc(scores.unscored[row])}</span>'
    return (
        f'<div class="wm-li{" wm-open" if opened else ""}" data-row data-go="item:{row}" tabindex="0" role="link">'
        f'<span class="wm-f1{" wm-yes" if exact else ""}">{shown}</span>'
        f"<span>{_strings(scores, row, prediction, two)}{question}{why}</span>"
        f'<span class="wm-why">{sign}{cell(shown_why)}</span><span class="wm-pr">{measures}</span>'
        f'<span class="wm-id" title="{esc(spelled(data.ids[row] or ""))}">{called(data.ids[row])}</span></div>'
    )


def two_digits(value: float) -> str:
    """Show a score of 0..1; a dash where there is none."""
    return "–" if value != value else f"{value:.2f}"


def _strings(scores: Scores, row: int, prediction: str | None, two: bool) -> str:
    """Give prediction and best reference, woven together or side by side."""
    references = scores.dataset.references[row]
    best = best_reference(scores, row)
    reference = references[best if 0 <= best < len(references) else 0] if references else ""
    ours, theirs = (prediction or "")[:MOST_CHARACTERS], reference[:MOST_CHARACTERS]
    to = way_of(theirs, ours)
    try:
        pipeline = scores.preset.pipeline
        left, right = pipeline.on("prediction").trace(ours), pipeline.on("reference").trace(theirs)
    except StepFailed:
        return string(one_line(ours), ours, to, "wm-one")
    nothing = f'<span class="wm-none">{"no prediction" if prediction is None else "empty"}</span> '
    if not two:
        return string(("" if ours else nothing) + inline(wording(left, right, scores.preset)), ours or theirs, to, "wm-one")
    mine, other = (beside(pieces) for pieces in side_by_side(left, right, scores.preset))
    return f'<span class="wm-two">{string(mine or nothing, ours, to, "wm-one")}{string(other or EMPTY, theirs, to, "wm-one")}</span>'


def one_item(scores: Scores, row: int) -> str:
    """Give the prediction of one item woven with its best reference."""
    return _strings(scores, row, scores.dataset.predictions[row], False)
