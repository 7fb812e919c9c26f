"""The frame of every page: head, sidebar, and what to say when nothing is loaded."""

from importlib import import_module
from pathlib import Path
from threading import Timer
from time import sleep
from typing import NoReturn

import streamlit as st

from evalcore import warm
from evalcore.scoring.presets import changes
from evalcore.text.amounts import amount
from pages.ui import links, memory, state
from pages.ui.click import clickable, esc
from pages.ui.store import HOURS_KEPT, FolderRun, Run
from pages.ui.tables import LINE_END
from pages.ui.unseen import boxed
from pages.ui.widgets import enter

HERE = Path(__file__).parent
SHEETS = ("style.css", "marks.css", "forest.css", "labels.css")
STYLE = f"<style>{''.join((HERE / name).read_text('utf-8') for name in SHEETS)}</style>"  # In one element: the browser has it after the first page.
WARM_AFTER = 3.0  # Seconds: loading kernels beside the first page would hold it up.
ASIDE_EVERY = 300.0  # Seconds: what was loaded since is set aside too, and what closed sessions left in cycles goes.
ICONS = {
    "Home": "home",
    "Overview": "bar_chart",
    "Failures": "list_alt",
    "Inspect": "search",
    "Normalization": "tune",
    "Presets": "balance",
    "Compare": "compare_arrows",
    "Judge": "gavel",
    "Report": "description",
}


@st.cache_resource(show_spinner=False)
def _prepared() -> bool:
    """Set the server's memory up; once the first page has been drawn, load in the background what others need."""
    memory.set_up()
    later = Timer(WARM_AFTER, _warm)
    later.daemon = True
    later.start()
    return True


def _warm() -> NoReturn:
    load()
    while True:
        memory.set_aside()
        sleep(ASIDE_EVERY)


def load() -> None:
    """Load all that pages load on first use: kernels, dictionaries, and the modules of every page."""
    from evalcore.analysis.fix_effects import load_dictionaries  # The first page does not need them.

    warm().join()
    load_dictionaries()
    for module in sorted(HERE.glob("[a-z]*.py")):
        import_module(f"pages.ui.{module.stem}")


def frame(title: str, answers: str, *, needs_run: bool = True, signature: bool = True, folders: bool = False) -> Run | None:
    """Draw sidebar and head; call it first on every page.

    `answers` is one sentence: the question this page answers. Without a
    loaded run the page ends here with a hint, unless `needs_run` is False.
    While a scored folder is open it ends here too, unless `folders` says
    that the page shows folders.
    """
    st.set_page_config(page_title=f"{title} · Whymiss", page_icon=str(HERE / "favicon.png"), layout="wide", initial_sidebar_state=252)
    st.html(STYLE)
    _prepared()
    enter(title)
    state.restore()
    with st.sidebar:
        _navigation()
    run, loaded = state.active_run(), state.active()
    _head(title, answers, state.settings().signature if loaded is not None and signature else "")
    if state.lost_file() is not None:
        _say_lost(state.lost_file() or "")
    if state.refused():
        problem(f"This link shows a scored folder: {state.refused()}.", "error")
    if loaded is None and needs_run:
        hint("Nothing is loaded yet. Load a file with predictions and references, or try the built-in sample.", "Home", "Go to Home")
        st.stop()
    if run is not None and needs_run:
        state.scores()
    if loaded is not None:
        with st.sidebar:
            _loaded()
    if state.active_folder() is not None and needs_run and not folders:
        _say_folder(title)
    return run


def _say_folder(title: str) -> NoReturn:
    """Say that the page does not work on a scored folder, and offer items that it works on; the page ends here."""
    from pages.ui import folder_sample  # It needs this module first.

    problem(f"{title} looks at all items at once, and those of a scored folder stay in its files. Take some of them as a run of their own.", "info")
    folder_sample.offer()
    st.stop()


def section(title: str, caption: str = "", chip: str = "") -> None:
    """Draw the head of a section; all three are plain text."""
    parts = [f"<h2>{boxed(title)}</h2>", f'<span class="wm-cap">{boxed(caption)}</span>']
    parts += [f'<span class="wm-chip">{esc(chip)}</span>'] if chip else []
    st.html(f'<div class="wm-sec">{"".join(parts)}</div>')


def problem(message: object, kind: str = "error") -> None:
    """Show a message as plain text; kind is error, warning, info or success."""
    role = "alert" if kind in ("error", "warning") else "status"
    st.html(f'<div class="wm-say wm-{esc(kind)}" role="{role}">{boxed(str(message), quiet=LINE_END)}</div>')


def hint(message: str, page: str = "", label: str = "") -> None:
    """Say in one line what to do, with a link to a page."""
    problem(message, "info")
    if page:
        st.page_link(links.page_file(page), label=label or page, icon=":material/arrow_forward:", query_params=state.query() if state.active() else None)


def _head(title: str, answers: str, signature: str) -> None:
    with st.container(key="wm_head", horizontal=True, gap="medium", vertical_alignment="bottom"):
        st.html(f'<div class="wm-head"><h1>{esc(title)}</h1><p>{esc(answers)}</p></div>', width="stretch")
        if signature:
            st.code(signature, language=None, width=560)


def _say_lost(name: str) -> None:
    named = f"the uploaded file “{name}”" if name else "an uploaded file"
    problem(
        f"This link shows {named}, which is not kept any more: uploads are kept for {HOURS_KEPT} hours after their last use. Load the file again on Home.",
        "warning",
    )


def _navigation() -> None:
    st.html('<div class="wm-brand"><span class="wm-bars"><i></i><i></i><i></i></span>Whymiss</div>')
    query = state.query() if state.active() else None
    with st.container(gap="xxsmall"):
        for page, file in links.page_files().items():
            st.page_link(file, label=page, icon=f":material/{ICONS.get(page, 'article')}:", query_params=query, width="stretch")


def _loaded() -> None:
    """Show runs, settings and filter; drawn last, when the scores are there."""
    clicked = clickable(_sidebar_html(), key="wm_side")
    if clicked:
        _act(clicked)


def _act(clicked: str) -> None:
    """Do what a click in the sidebar asks for."""
    what, _, value = clicked.partition(":")
    if what == "run":
        state.choose_run(value)
    elif what == "remove":
        state.remove_run(value)
    elif what == "clear":
        state.clear_selection()
    elif what == "settings":
        state.go("Normalization" if "Normalization" in links.page_files() else "Home")
    st.rerun()


def _sidebar_html() -> str:
    settings, pinned = state.settings(), state.pinned()
    steps = len(changes(settings))
    chip = f' <span class="wm-chip">changed: {steps}</span>' if steps else ""
    compared = "" if pinned.settings == settings.settings else f"<br>compared with {esc(_named(pinned))}"
    shown = state.selection()
    clear = '<br><button class="wm-go" data-go="clear:">clear</button>' if not shown.is_all else ""
    return "".join(
        (
            '<div class="wm-side"><h3>Runs</h3>',
            *(_run_html(run) for run in (*state.runs(), *state.folder_runs())),
            f'<h3>Settings</h3><div class="wm-box" data-go="settings:"><b>{esc(settings.title or settings.name)}{chip}</b>',
            f"{esc('; '.join(changes(settings)[:4]) or 'as published')}{compared}</div>",
            f'<h3>Filter</h3><div class="wm-box">{boxed(shown.words)}{clear}</div></div>',
        )
    )


def _named(preset: object) -> str:
    named = getattr(preset, "title", "") or getattr(preset, "name", "")
    steps = len(changes(preset))  # type: ignore[arg-type]
    return f"{named}, changed: {steps}" if steps else named


def _measures() -> list[tuple[str, str]]:
    """Name the measures the settings in force have."""
    settings = state.settings()
    measures = [(settings.em_name, "em")] if settings.has_em else []
    return measures + ([("F1", "f1")] if settings.has_f1 else [])


def _run_html(run: Run | FolderRun) -> str:
    numbers = amount(len(run) if isinstance(run, FolderRun) else len(run.dataset), "item")
    if isinstance(run, FolderRun) or state.is_scored(run):
        summary = run.folder.summary() if isinstance(run, FolderRun) else state.summary(run)
        numbers += "".join(f" · {name} {percent(getattr(summary, field))}" for name, field in _measures())
    remove = f'<button class="wm-x" data-go="remove:{run.key}" aria-label="Remove {esc(run.title)}" title="Remove">×</button>'
    kind, current = ("wm-active", ' aria-current="true"') if run is state.active() else ("", "")
    said = f'<b>{boxed(run.title)}</b><span class="wm-nums">{numbers}</span>'
    return f'<div class="wm-box wm-has-x {kind}" data-go="run:{run.key}"{current}>{said}{remove}</div>'


def percent(value: float, digits: int = 2) -> str:
    """Show a score of 0..1 times 100; a dash where there is none."""
    return plain_number(100 * value, digits)


def plain_number(value: float, digits: int = 2) -> str:
    """Show a number with a true minus sign; a dash where there is none."""
    return "–" if value != value else f"{value:.{digits}f}".replace("-", "−")
