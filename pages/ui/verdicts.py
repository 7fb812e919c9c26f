"""What the verdicts say: of the answers, of the score, of the references."""

import streamlit as st

from evalcore.analysis.agreement import Agreement, agreement, best_threshold, between_judges, reliability
from evalcore.analysis.references import additions, additions_jsonl, doubtful_references
from evalcore.analysis.sampling import estimate
from evalcore.analysis.verdicts import RIGHT, WRONG
from evalcore.scoring.buckets import NEAR_MISS_F1
from pages.ui import opening, state
from pages.ui.click import clickable, esc
from pages.ui.forest import Line, forest, span
from pages.ui.frame import percent, plain_number, problem, section
from pages.ui.judging import Desk
from pages.ui.marks import raw
from pages.ui.tables import Markup, called, goto, table

LISTED = 50


def share(found: Desk) -> None:
    """Estimate the share of right answers from the sample; EM stands beside it."""
    section("Right answers", "estimated for all scored items, from the sample alone")
    told = estimate(found.sample, found.codes, found.scores.em)
    if not told.judged:
        problem("No verdict yet. After a few the share of right answers stands here, with an interval that shrinks as you go.", "info")
        return
    side = told.interval
    measure = found.scores.preset.em_name or "EM"
    figures = (
        f'<div><div class="wm-label">Right</div><div class="wm-fig">{percent(side.estimate, 1)}</div><div class="wm-under">{esc(span(side))} · 95 %</div></div>'
    )
    figures += (
        f'<div><div class="wm-label">{esc(measure)}</div><div class="wm-fig">{percent(told.em, 1)}</div><div class="wm-under">all scored items</div></div>'
    )
    figures += f'<div><div class="wm-label">Judged</div><div class="wm-fig">{told.judged:,}</div><div class="wm-under">{told.undecided:,} undecided</div></div>'
    st.html(f'<div class="wm-strip">{figures}</div>')
    rows = [[group.name, group.items, group.judged, group.right] for group in told.strata]
    st.html(table(["Stratum", "Items", "Judged", "Right"], rows, numbers=(1, 2, 3), caption=f"Interval: {side.method}.", label="Verdicts by stratum"))
    pairs = between_judges(found.judged.by_author)
    if pairs:
        lines = [[pair.first or "(no name)", pair.second or "(no name)", pair.shared, pair.same, plain_number(pair.kappa.estimate)] for pair in pairs]
        st.html(table(["Judge", "and", "Both judged", "Same", "kappa"], lines, numbers=(2, 3, 4), label="Agreement between judges"))


def agreement_with(found: Desk) -> None:
    """Hold EM and F1 from a line on against the verdicts."""
    scores, codes = found.scores, found.codes
    if not ((codes == RIGHT) | (codes == WRONG)).any():
        return
    section("Does the score agree?", "under the settings in force, against verdicts of right and wrong")
    rows = []
    if scores.preset.has_em:
        rows.append(_agreement(scores.preset.em_name, agreement(scores.em == 1, codes, found.weighing)))
    best = None
    if scores.preset.has_f1:
        near = st.slider("Count F1 as right from", 0.05, 1.0, step=0.05, key=state.keep("judge near", NEAR_MISS_F1), width=320)
        rows.append(_agreement(f"F1 ≥ {near:g}", agreement(scores.f1 >= near, codes, found.weighing)))
        best = best_threshold(scores.f1, codes, found.weighing)
        if best is not None:
            rows.append(_agreement(f"F1 ≥ {best.f1:.2f}, best", best.agreement))
    heads = ["Measure", "Precision", "", "Recall", "", "Accuracy", "", "kappa", ""]
    note = "Precision: of what the measure calls right, the share people do. Recall: of what people call right, the share the measure does."
    chosen = " The best line is chosen on these same verdicts, so its agreement is on the bright side." if best is not None else ""
    st.html(table(heads, rows, numbers=range(1, 9), caption=note + chosen, label="Agreement of the score with people"))


def _agreement(name: str, told: Agreement) -> list[object]:
    cells: list[object] = [name]
    for side in (told.precision, told.recall, told.accuracy):
        cells += [Markup(f"<b>{percent(side.estimate, 1)}</b>"), span(side)]
    kappa = told.kappa
    return [
        *cells,
        Markup(f"<b>{plain_number(kappa.estimate)}</b>"),
        "–" if kappa.low != kappa.low else f"{plain_number(kappa.low)} – {plain_number(kappa.high)}",
    ]


def reliability_of(found: Desk) -> None:
    """Show how often answers are right at every F1."""
    if not found.scores.preset.has_f1:
        return
    bins = [each for each in reliability(found.scores.f1, found.codes) if each.right.count]
    if not bins:
        return
    section("How often is an answer right at this F1?", "share judged right, with 95 % intervals; exactly 0 and exactly 1 stand apart")
    lines = []
    for each in bins:
        label = f"F1 = {each.low:g}" if each.low == each.high else f"{each.low:g} – {each.high:g}"
        lines.append(Line(Markup(esc(label)), each.right, None, [each.right.count, percent(each.right.estimate, 1), span(each.right)], each.right.small))
    st.html(forest(lines, ("judged", "right", "95 %"), "Share right at every F1", "F1", None, "right"))


def references_of(found: Desk) -> None:
    """List references that are probably wrong or too narrow, with an export."""
    doubts, missing = doubtful_references(found.scores, found.codes), additions(found.scores, found.codes)
    if not doubts and not missing:
        return
    section("References to look at", "wrong ones, and right answers no reference covers")
    rows = [
        [goto(called(each.id), f"{each.row}", "inspect this item"), each.doubt, Markup("<br>".join(raw(text, most=120) for text in each.references[:3])), ""]
        for each in doubts[:LISTED]
    ]
    rows += [
        [
            goto(called(each.id), f"{each.row}", "inspect this item"),
            "too narrow",
            Markup("<br>".join(raw(text, most=120) for text in each.references[:3])),
            raw(each.answer, most=120),
        ]
        for each in missing[:LISTED]
    ]
    clicked = clickable(table(["Item", "Doubt", "References", "To add"], rows, label="Probable reference errors"), key="judge_references")
    if clicked:
        opening.item(int(clicked))
    name = f"Right answers to add to the references ({len(missing):,}), JSONL"
    st.download_button(name, lambda: additions_jsonl(missing), "additions.jsonl", "application/jsonl", disabled=not missing, on_click="ignore")
