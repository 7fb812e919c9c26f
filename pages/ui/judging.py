"""Judge a sample of answers, one at a time, by keyboard."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import streamlit as st

from evalcore import Preset, Scores
from evalcore.analysis.reasons.families import by_family
from evalcore.analysis.sampling import BUDGET, Sample, strata
from evalcore.analysis.slices import Slicing
from evalcore.analysis.verdicts import NONE, VERDICT_NAMES, Codes, column_verdicts, label_columns, merged
from evalcore.judging import Store, StoreError
from evalcore.judging.files import add_file, to_csv, to_jsonl
from evalcore.judging.store import Judged
from evalcore.scoring.presets import changes
from evalcore.text.amounts import amount
from pages.ui import opening, reasons, state, verdict_form, work
from pages.ui.click import clickable, esc, sendable
from pages.ui.frame import problem, section
from pages.ui.marks import answers, folded, raw
from pages.ui.store import Run, once
from pages.ui.tables import called, goto, table

NO_LABELS = ""
LATELY = 6
MOST_BUDGET = 5_000
AT_ONCE = 250  # Items whose reasons are found before the first answer is shown.


def store() -> Store:
    """Give the database of verdicts; without one the page ends here and says why."""
    try:
        return verdict_form.store()
    except StoreError as error:
        problem(error)
        st.stop()


@dataclass(frozen=True, eq=False)
class Desk:
    """What is judged: a run, the sample drawn from it, and all verdicts in force on it.

    `by_reason`: reasons part the sample's groups too. `begun`: some of it
    was judged before the reasons were known, so they are left out.
    """

    run: Run
    author: str
    preset: Preset
    sample: Sample
    judged: Judged
    labels: Codes | None
    by_reason: bool = False
    begun: bool = False

    @cached_property
    def codes(self) -> Codes:
        """What people say of every item: the verdicts kept, and where there is none the file's label."""
        return self.judged.codes if self.labels is None else merged(self.judged.codes, self.labels)

    @cached_property
    def mine(self) -> Codes:
        """What this author says of every item."""
        codes = np.full(len(self.run.dataset), NONE, dtype=np.int8)
        for row, code in self.judged.by_author.get(self.author, {}).items():
            codes[row] = code
        return codes

    @property
    def weighing(self) -> Sample | None:
        """The sample its verdicts stand for; None where a file's labels cover other items too."""
        return self.sample if self.labels is None else None

    @property
    def scores(self) -> Scores:
        """The scores under the settings in force, which the verdicts are held against."""
        return state.scores(self.run)


def desk(run: Run) -> Desk:
    """Ask who judges and how many items, and find the verdicts there are."""
    store()
    columns = once(("label columns", run.key), lambda: label_columns(run.dataset.metadata))
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        author = verdict_form.author()
        budget = st.number_input("Items to judge", 1, MOST_BUDGET, key=state.keep("judge budget", BUDGET), width=150)
        column = NO_LABELS
        if columns:
            options = [NO_LABELS, *columns]
            key = state.keep("judge labels", NO_LABELS, options)
            column = st.selectbox("Labels in the file", options, format_func=lambda name: sendable(name) or "not used", key=key, width=220)
        if _sampled_under(run).settings != state.settings().settings:
            st.button("Draw anew under the settings in force", key="judge_draw", on_click=_draw, args=(run.key,))
    preset = _sampled_under(run)
    try:
        judged = verdict_form.judged(run)
    except StoreError as error:
        problem(error)
        st.stop()
    labels = column_verdicts(run.dataset.metadata[column]).codes if column else None
    plain = Desk(run, author, preset, _sample(run, preset, int(budget), None), judged, labels)
    split = _by_reason(preset)
    return plain if split is None else _split(plain, _sample(run, preset, int(budget), split))


def _split(plain: Desk, sample: Sample) -> Desk:
    """Take the sample by reason, unless more was judged of the other one before the reasons were known."""
    if len(sample.groups) == len(plain.sample.groups):
        return plain
    longer = len(plain.sample.started(plain.codes).rows) > len(sample.started(plain.codes).rows)
    if longer and not state.kept(f"judge by reason {plain.run.key}", False):
        return replace(plain, begun=True)
    return replace(plain, sample=sample, by_reason=True)


def _by_reason(preset: Preset) -> Slicing | None:
    """Group the items by reason; None while these are being found, and where there are none."""
    if not preset.has_em:
        return None
    found = reasons.diagnosis(preset, AT_ONCE)
    return None if found is None else state.found("family of the reason", lambda _: by_family(found.reasons), 8 * len(found.scores), preset=preset)


def _sampled_under(run: Run) -> Preset:
    """Give the settings the sample is drawn under; they stay while the settings in force change."""
    name = f"judge settings {run.key}"
    if state.kept(name) is None:
        state.seed(name, state.settings())
    preset: Preset = state.kept(name)
    return preset


def _draw(key: str) -> None:
    state.seed(f"judge settings {key}", state.settings())


def _draw_by_reason(key: str) -> None:
    state.seed(f"judge by reason {key}", True)


def _sample(run: Run, preset: Preset, budget: int, split: Slicing | None) -> Sample:
    key = ("sample", run.key, preset.name, preset.settings, budget, split is not None)
    return once(key, lambda: Sample.of(strata(state.scores(run, preset), split, budget), budget), 16 * len(run.dataset))


def item(found: Desk) -> None:
    """Show the next answer, and ask for the verdict."""
    waiting = found.sample.next(found.mine)
    again = state.kept("judge again")
    row = again if isinstance(again, int) and again < len(found.run.dataset) else waiting
    done = int((found.mine[found.sample.rows] != NONE).sum())
    name = f"{found.preset.title or found.preset.name}{', changed' if changes(found.preset) else ''}"
    by = "EM, F1 and reason" if found.by_reason else "EM and F1"
    section("Is this answer right?", f"{done:,} of {len(found.sample.rows):,} judged; sample by {by}, drawn under {name}, seed {found.sample.seed}")
    st.progress(done / max(1, len(found.sample.rows)))
    verdict_form.error()
    if row is None:
        problem("The whole sample is judged. Raise the number of items to go on, or read the results.", "success")
    else:
        _answer(found, row)
        _ask(found, row)
    _reasons(found)
    _lately(found)


def _reasons(found: Desk) -> None:
    """Say whether reasons part the sample, and offer that they do."""
    if found.begun:
        st.html('<div class="wm-cap">The reasons are known by now. A sample by reason tells more; most of what is judged counts there too.</div>')
        st.button("Draw anew by reason", key="judge_draw_by_reason", on_click=_draw_by_reason, args=(found.run.key,))
    elif found.preset.has_em and not found.by_reason:
        work.progress("diagnosis", "Finding reasons, by which the sample is drawn anew unless you begin before", preset=found.preset)


def _answer(found: Desk, row: int) -> None:
    data = found.run.dataset
    asked = data.questions[row] if data.questions is not None else None
    context = data.contexts[row] if data.contexts is not None else None
    parts = [f'<span class="wm-ask-big" dir="auto">{folded(asked)}</span>'] if asked else []
    if context:
        parts.append(f'<span class="wm-context" dir="auto">{answers(context, data.references[row])}</span>')
    references = [["Reference" if number == 0 else "", raw(text)] for number, text in enumerate(data.references[row])] or [["Reference", "there is none"]]
    st.html(
        "".join(parts) + f'<div class="wm-judge">{table(("", ""), [["Answer", raw(data.predictions[row])], *references], label="Answer and references")}</div>'
    )


def _ask(found: Desk, row: int) -> None:
    verdict_form.ask(found.run, row, found.author, int(found.mine[row]), found.judged.tags)
    st.html('<div class="wm-cap">Tag and note first, then the verdict: a key is enough. Scores are not shown, so that they do not lead you.</div>')


def _lately(found: Desk) -> None:
    """List what this author judged last, to look at again."""
    mine = [(told, row) for row, judgements in found.judged.by_row.items() for told in judgements if told.author == found.author]
    lines = []
    for told, row in sorted(mine, key=lambda entry: entry[0].at, reverse=True)[:LATELY]:
        data = found.run.dataset
        verdict = VERDICT_NAMES[told.verdict] if told.verdict else ""
        said = f"{verdict}{f' · {told.tag}' if told.tag else ''}{f' · {told.note[:60]}' if told.note else ''}"
        again = goto("judge again", f"again:{row}", "judge this item again")
        lines.append([goto(called(data.ids[row]), f"item:{row}", "inspect this item"), raw(data.predictions[row], most=80), said, again])
    if not lines:
        return
    clicked = clickable(f'<div class="wm-cap">Judged last</div>{table(("Item", "Answer", "Verdict", ""), lines, label="Judged last")}', key="judge_lately")
    if clicked:
        what, _, number = clicked.partition(":")
        if what == "item":
            opening.item(int(number))
        state.seed("judge again", int(number))
        st.rerun()


def exchange(found: Desk) -> None:
    """Export the verdicts on this run, and import others."""
    standing = [told for row in found.judged.rows for told in found.judged.by_row[row]]
    with st.expander(f"Export and import verdicts ({len(standing):,} on this run)"):
        with st.container(horizontal=True, gap="small"):
            for name, write, kind in (("CSV", to_csv, "text/csv"), ("JSONL", to_jsonl, "application/jsonl")):
                st.download_button(name, lambda write=write: write(standing), f"verdicts.{name.lower()}", kind, disabled=not standing, on_click="ignore")
        file = st.file_uploader("Verdicts from another place", type=["csv", "jsonl"], key="judge_import", max_upload_size=50)
        st.button("Import", disabled=file is None, on_click=_import, args=(None if file is None else file.getvalue(),), key="judge_import_now")
        for message, kind in state.kept("judge imported", ()):
            problem(message, kind)
        place = store().engine.url.render_as_string(hide_password=True)
        st.html(f'<div class="wm-cap">Verdicts are kept in {esc(place)}, and found again by what an item says.</div>')


def _import(content: bytes | None) -> None:
    if content is None:
        return
    try:
        done = add_file(store(), content)
    except StoreError as error:
        state.seed("judge imported", ((str(error), "error"),))
        return
    said: Sequence[tuple[str, str]] = [(f"{amount(done.added, 'verdict is', 'verdicts are')} new, {done.known:,} were there already.", "success")]
    if done.unreadable:
        said = [*said, (f"{amount(done.unreadable, 'line')} could not be read: {'; '.join(done.problems)}", "warning")]
    state.seed("judge imported", tuple(said))
