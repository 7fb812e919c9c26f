"""Two sides compared: the sentence, the tests, the slices, and all runs in one table."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import streamlit as st

from evalcore import Comparison, Preset, compare
from evalcore.analysis import aggregates
from evalcore.analysis.differences import sentence, strip
from evalcore.analysis.effect import Effect, p_value, points, signed
from evalcore.analysis.runs import RunTable, cluster_labels, compare_runs
from evalcore.analysis.slices import SliceEffect, effects_by_slice
from evalcore.scoring.presets import changes
from evalcore.scoring.statistics import Interval
from evalcore.text.amounts import amount
from pages.ui import clusters, opening, state
from pages.ui.click import clickable, esc, sendable
from pages.ui.forest import Line, forest, span
from pages.ui.frame import percent, problem, section
from pages.ui.store import Run, once
from pages.ui.tables import Markup, called, goto, table

Found = TypeVar("Found")

SETTINGS = {"force": "settings in force", "pinned": "pinned settings"}
MEASURES = ("em", "f1", "precision", "recall")
SHOWN = 20
PERCENT = 0.95


@dataclass(frozen=True)
class Side:
    """One side of the comparison: a run under settings."""

    run: Run
    preset: Preset

    @property
    def key(self) -> tuple[object, ...]:
        return (self.run.key, self.preset.name, self.preset.settings)


@dataclass(frozen=True, eq=False)
class Sides:
    """Both sides with what came of comparing them."""

    before: Side
    after: Side
    comparison: Comparison
    together: str = ""

    def found(self, name: Hashable, make: Callable[[Comparison], Found], size: int = 2_000) -> Found:
        """Give what `make` finds in the comparison, found once; `size` is about its bytes."""
        return once((name, self.before.key, self.after.key, self.together), lambda: make(self.comparison), size)


def sides(run: Run) -> tuple[Side, Side]:
    """Ask what to compare: two runs, or two settings of one run; after stands the active run until another one is chosen."""
    runs = {each.key: each for each in state.runs()}
    other = next((key for key in runs if key != run.key), run.key)
    start = "force" if other != run.key else "pinned"
    if state.kept("compare for") != (run.key, tuple(runs)):
        state.seed("compare for", (run.key, tuple(runs)))
        for name, value in {"before run": other, "after run": run.key, "before settings": start, "after settings": "force"}.items():
            state.seed(f"compare {name}", value)
    with st.container(key="wm_page_sides"):
        left, right = st.columns(2, gap="large")
    with left:
        before = _side("Before", runs, other, start)
    with right:
        after = _side("After", runs, run.key, "force")
    return before, after


def _side(label: str, runs: dict[str, Run], run: str, settings: str) -> Side:
    """Ask for a run and for settings; the defaults follow the active run."""
    name = label.lower()
    first, second = st.columns([3, 2], gap="small")
    with first:
        key = state.keep(f"compare {name} run", run, runs)
        titles = _titles(runs)
        chosen = st.selectbox(label, list(runs), format_func=titles.__getitem__, key=key)
    with second:
        key = state.keep(f"compare {name} settings", settings, SETTINGS)
        kind = st.selectbox("under the", list(SETTINGS), format_func=SETTINGS.__getitem__, key=key)
    preset = state.pinned() if kind == "pinned" else state.settings()
    st.html(f'<div class="wm-cap">{esc(_named(preset))}</div>')
    return Side(runs[chosen], preset)


def _titles(runs: dict[str, Run]) -> dict[str, str]:
    """Name every run so that no two share a name: a box tells its options apart by what is shown."""
    plain = [sendable(run.title) for run in runs.values()]
    named = (f"{title} ({plain[: place + 1].count(title)})" if plain.count(title) > 1 else title for place, title in enumerate(plain))
    return dict(zip(runs, named, strict=True))


def _named(preset: Preset) -> str:
    changed = changes(preset)
    return f"{preset.title or preset.name}, {'; '.join(changed) if changed else 'as published'}"


def compared(before: Side, after: Side) -> Sides | None:
    """Compare the two sides; say why where they cannot be."""
    if before.key == after.key:
        problem(
            "Both sides are the same run under the same settings. Choose another run, or turn a step on Normalization: "
            "the pinned settings, at first the preset as published, are then the side to compare with.",
            "info",
        )
        return None
    scores = state.scores(before.run, before.preset), state.scores(after.run, after.preset)
    try:
        found = once(("compare", before.key, after.key), lambda: compare(*scores), 64 * sum(map(len, scores)))
    except ValueError as error:
        problem(error)
        return None
    return _together(Sides(before, after, found))


def _together(both: Sides) -> Sides:
    """Draw whole clusters where items of one text belong together."""
    column = clusters.chosen()
    if not column:
        return both
    try:
        labels = both.found(("cluster labels", column), lambda found: cluster_labels(found.after, column), 8 * len(both.comparison.after))
    except ValueError as error:
        problem(f"Every item stands for itself here: {error}", "info")
        return both
    return replace(both, comparison=replace(both.comparison, clusters=labels), together=column)


def verdict(comparison: Comparison) -> None:
    """Say the difference in one sentence, and what to know before believing it."""
    problem(sentence(comparison), "success" if comparison.headline.is_clear else "info")
    if comparison.cautions:
        problem("\n".join(comparison.cautions), "warning")
    before, after = (state.kept(f"compare {name} settings") for name in ("before", "after"))
    if comparison.settings_differ and before != after and state.kept("compare before run") != state.kept("compare after run"):
        st.button("Score both under the settings in force", icon=":material/balance:", key="compare_same", on_click=_same_settings)


def _same_settings() -> None:
    for name in ("before", "after"):
        state.seed(f"compare {name} settings", "force")


def _effects(comparison: Comparison) -> tuple[Effect, ...]:
    """Give the effect in every measure both sides have."""
    numbers = [measure for measure in MEASURES if measure in comparison.before.preset.numbers and measure in comparison.after.preset.numbers]
    return tuple(comparison.effect(measure) for measure in numbers)


def effects(both: Sides) -> None:
    """Show every measure before and after, the difference with its interval, and the test."""
    section("Differences", "points of 100, on the items scored on both sides")
    comparison, found = both.comparison, both.found("effects", _effects)
    rows = [_effect(effect, comparison) for effect in found]
    html = table(["", "before", "after", "difference", "95 % interval", "p", "could show"], rows, numbers=range(1, 7), label="Differences with tests")
    ways: dict[str, list[str]] = {}
    for effect in found:
        ways.setdefault(f"{effect.test.method}, interval {effect.difference.method}", []).append(_measure(effect, comparison))
    told = "; ".join(f"{', '.join(names)}: {way}" for way, names in ways.items())
    note = "Could show: the smallest difference that so many items, as unlike as these, show in four of five samples."
    st.html(f'{html}<div class="wm-cap">{esc(note)}</div><div class="wm-cap">{esc(told)}</div>')


def _effect(effect: Effect, comparison: Comparison) -> list[object]:
    name = _measure(effect, comparison)
    side = effect.difference
    least = points(effect.detectable).removesuffix(" points").removesuffix(" point") if effect.detectable < 1 else "–"
    clear = Markup(f"<b>{esc(signed(side.estimate))}</b>") if effect.is_clear else signed(side.estimate)
    shown = f"{signed(side.low)} to {signed(side.high)}" if effect.count else "–"
    return [name, percent(effect.before), percent(effect.after), clear if effect.count else "–", shown, p_value(effect.test.p).removeprefix("= "), least]


def _measure(effect: Effect, comparison: Comparison) -> str:
    return comparison.after.preset.em_name if effect.measure == "em" else effect.name


def moved(both: Sides) -> None:
    """Draw the items whose F1 changed, sorted from the largest loss to the largest gain."""
    found = both.found("strip", strip)
    if not found.heights:
        return
    bars = "".join(f'<i class="{"wm-up" if height > 0 else "wm-dn"}" style="height:{abs(height) / 2:.1%}"></i>' for height in found.heights)
    said = f"F1 is lower on {amount(found.worse, 'item')}, higher on {found.better:,}, the same on {found.same:,}"
    section("F1 of every item that moved", "sorted, from the largest loss to the largest gain")
    st.html(f'<div class="wm-moves" role="img" aria-label="{esc(said)}">{bars}</div><div class="wm-cap">{esc(said)}.</div>')


def slices(both: Sides) -> None:
    """Compare within groups of items."""
    section("Slices", "the difference within groups of items, p corrected by Holm's method for their number")
    comparison, data = both.comparison, both.comparison.before.dataset
    ways = both.found("ways", lambda found: aggregates.ways(found.before.dataset))
    names = list(ways)
    measures = [measure for measure in ("em", "f1") if measure in comparison.before.preset.numbers and measure in comparison.after.preset.numbers]
    if not measures:
        problem("The two sides have no measure in common.", "info")
        return
    shown = {"em": comparison.after.preset.em_name, "f1": "F1"}
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        way = st.selectbox("Group by", names, format_func=sendable, key=state.keep("compare way", aggregates.first_way(data), names), width=260)
        key = state.keep("compare measure", measures[0], measures)
        measure = st.segmented_control("Measure", measures, format_func=shown.__getitem__, key=key, required=True) or measures[0]
    slicing = both.found(("slicing", way), lambda _: ways[way](), 8 * len(data))
    if slicing is None:
        problem(f"The column {way} has too many different values to group by; choose another one.", "info")
        return
    rows = both.found(("slice effects", way, measure), lambda found: effects_by_slice(found, slicing, measure), 16 * len(data))
    everything = bool(state.kept("compare all slices", False))
    listed = rows if everything else rows[:SHOWN]
    lines = [_slice(row, number) for number, row in enumerate(listed)]
    heads = ("items", "before", "after", "difference", "95 %", "p")
    clicked = clickable(forest(lines, heads, f"{way}: difference in {shown[measure]} of every group", way, 0.0, "difference"), key="compare_slices")
    if clicked:
        row = listed[int(clicked)]
        state.choose_run(both.after.run.key)
        opening.failures(comparison.after_rows[row.rows].tolist(), f"{way}: {row.label}")
    if len(rows) > SHOWN:
        st.toggle(f"Show all {amount(len(rows), 'group')}", key=state.keep("compare all slices", False))


def _slice(row: SliceEffect, number: int) -> Line:
    effect, side = row.effect, row.effect.difference
    there = effect.count > 0
    cells: list[object] = [goto(len(row.rows), str(number), "list these items") if len(row.rows) else 0, percent(effect.before, 1), percent(effect.after, 1)]
    cells += [Markup(f"<b>{esc(signed(side.estimate))}</b>") if row.is_clear else signed(side.estimate) if there else "–"]
    cells += [Markup(f'<span class="wm-cap">{esc(signed(side.low))} to {esc(signed(side.high))}</span>') if there else "–"]
    cells += [p_value(row.corrected).removeprefix("= ") if there else "–"]
    label = called(row.label, 120)
    return Line(label, side, None, cells, side.small, row.label)


def all_runs() -> None:
    """Show more than two runs in one table, every pair tested with the number of pairs in mind."""
    runs = state.runs()
    if len(runs) < 3:
        return
    settings = state.settings()
    section("All runs", "under the settings in force, on the items all of them have; p corrected by Holm's method for the number of pairs")
    measure, column = settings.headline, clusters.chosen()
    try:
        found = once(("all runs", column, tuple(run.key for run in runs), settings.name, settings.settings), lambda: _table(runs, measure, column), 5_000)
    except ValueError as error:
        problem(error)
        return
    lines = [Line(called(row[0], 120), row[1], None, [percent(row[1].estimate), span(row[1]), row[2]]) for row in found[0]]
    name = settings.em_name or "F1"
    st.html(forest(lines, (name, "95 %", "not shared"), f"{name} of all runs", "run", None, name))
    st.html(table(["Before", "After", "difference", "95 % interval", "p", ""], found[1], numbers=(2, 3, 4), label="Every pair of runs"))


def _table(runs: Sequence[Run], measure: str, column: str) -> tuple[list[tuple[str, Interval, int]], list[list[object]]]:
    """Compare all runs, and keep what is shown of them."""
    names = list(_titles({run.key: run for run in runs}).values())
    made: RunTable = compare_runs([state.scores(run) for run in runs], measure, names, column or None)
    listed = [(row.name, row.interval, row.unmatched) for row in made.runs]
    pairs: list[list[object]] = []
    for pair in made.pairs:
        side = pair.effect.difference
        claim = "clear" if pair.is_clear else "may be chance"
        shown = [signed(side.estimate), f"{signed(side.low)} to {signed(side.high)}", p_value(pair.corrected).removeprefix("= "), claim]
        pairs.append([made.runs[pair.before].name, made.runs[pair.after].name, *shown])
    return listed, pairs
