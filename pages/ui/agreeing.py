"""Which settings agree best with people: every preset chosen, held against the same verdicts."""

from collections.abc import Sequence
from hashlib import blake2b

import streamlit as st

from evalcore import Preset, Scores
from evalcore.analysis.agreement import Agreement, SettingAgreement, best_first, setting_agreement
from evalcore.analysis.verdicts import RIGHT, WRONG
from evalcore.scoring.presets import changes
from evalcore.text.amounts import amount
from evalcore.text.resources import MissingResource
from evalcore.text.rules import StepFailed
from pages.ui import preset_table, presets, state, work
from pages.ui.click import clickable, esc
from pages.ui.forest import span
from pages.ui.frame import percent, plain_number, problem, section
from pages.ui.judging import Desk
from pages.ui.tables import Markup, goto, table

HEADS = ("Settings", "counts as right", "kappa", "95 %", "Accuracy", "95 %", "F1 from", "kappa", "95 %")
NOTE = (
    "Ordered by kappa of what counts as right, of F1 where nothing else does. Settings whose intervals overlap cannot be told apart by these verdicts, "
    "and the more settings are looked at, the more the first owes to chance. The line on F1 is chosen on these same verdicts."
)
Held = tuple[tuple[SettingAgreement, ...], tuple[str, ...]]


def by_setting(found: Desk) -> None:
    """Choose presets, and show how well each agrees with the verdicts, the best first."""
    if not ((found.codes == RIGHT) | (found.codes == WRONG)).any():
        return
    section("Which settings agree best with people?", "every preset chosen, against the same verdicts")
    chosen = preset_table.chooser(found.run)
    if not st.toggle("Hold them against the verdicts", key=state.keep("judge settings compared", False)):
        return
    name = ("agreement by setting", _digest(found, chosen))
    held = work.finding(name, lambda scores, progress: _held(scores, progress, found, chosen))
    if held is None:
        work.progress(name, "Holding settings against the verdicts")
        return
    rows, left_out = held
    for why in left_out:
        problem(why, "warning")
    if not rows:
        return
    lines = [_line(row, number) for number, row in enumerate(rows)]
    clicked = clickable(table(HEADS, lines, numbers=range(2, 9), caption=NOTE, label="Agreement of settings with people"), key="judge_settings")
    if clicked:
        state.choose_preset(rows[int(clicked)].preset)
        st.rerun()


def _digest(found: Desk, chosen: Sequence[Preset]) -> str:
    """Name what is held against what: the verdicts, the sample, the settings."""
    parts = (found.codes.tobytes(), b"" if found.weighing is None else found.sample.rows.tobytes(), repr([preset.settings for preset in chosen]).encode())
    return blake2b(b"|".join(parts), digest_size=16).hexdigest()


def _held(_: Scores, progress: work.Progress, found: Desk, chosen: Sequence[Preset]) -> Held:
    rows, left_out = [], []
    for number, preset in enumerate(chosen):
        progress(number, len(chosen))
        if preset.missing_resources:
            left_out.append(f"{preset.title} is left out: it needs {', '.join(preset.missing_resources)}, which is not installed.")
            continue
        try:
            rows.append(setting_agreement(found.run.dataset, preset, found.codes, found.weighing))
        except (MissingResource, StepFailed) as error:
            left_out.append(f"{preset.title} is left out: {error}")
    return best_first(rows), tuple(left_out)


def _line(row: SettingAgreement, number: int) -> list[object]:
    preset, current = row.preset, state.settings()
    title = f"{presets.title(preset)}{', changed' if changes(preset) else ''}"
    active = preset.name == current.name and preset.settings == current.settings
    name = Markup(f"<b>{esc(title)}</b>") if active else goto(title, str(number), "score with these settings")
    unscored = Markup(f'{name}<div class="wm-cap">{amount(row.unscored, "judged item")} not scored</div>') if row.unscored else name
    line = [] if row.f1 is None else [f"{row.f1.f1:.2f}", *_kappa(row.f1.agreement)]
    accuracy = ["–", "–"] if row.em is None else [percent(row.em.accuracy.estimate, 1), span(row.em.accuracy)]
    return [unscored, preset.measure, *_kappa(row.em), *accuracy, *(line or ["–", "–", "–"])]


def _kappa(held: Agreement | None) -> list[object]:
    if held is None or held.kappa.estimate != held.kappa.estimate:
        return ["–", "–"]
    return [Markup(f"<b>{plain_number(held.kappa.estimate)}</b>"), f"{plain_number(held.kappa.low)} – {plain_number(held.kappa.high)}"]
