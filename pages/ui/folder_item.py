"""One item of a scored folder, open on Inspect as a run of its own."""

import numpy as np

from pages.ui import folder_sample, state
from pages.ui.patience import PATIENCE
from pages.ui.session import session
from pages.ui.store import Run, Scored, kept_scores, scores_nbytes


def opened() -> tuple[Run | None, int | None, int | None, int, bool]:
    """Read the open item, the first of the filter when none is open.

    Gives the run of this one item, its row there, its place among the items
    shown, their number, and whether these are only those found so far.
    Raises: SelectionError for a filter that cannot be applied.
    """
    folder, chosen = state.active_folder(), state.selection()
    assert folder is not None
    is_ready = folder.browser.is_ready(chosen, PATIENCE)
    items = folder.browser.count(chosen, patience=0)
    if not is_ready and not items:
        is_ready, items = True, folder.browser.count(chosen)
    if state.item() is None and items:
        state.open_item(int(folder.browser.page(chosen, 0, 1, patience=0)[0]))
    position = state.item()
    if position is None:
        return None, None, None, items, not is_ready
    scores = folder.folder.scores(np.array([position]))
    run = folder_sample.as_run(scores.dataset, f"{folder.key}-{position}", folder.name)
    if state.kept("inspect of folder") != run.key:  # What is on trial was so on another item.
        state.seed("inspect of folder", run.key)
        state.seed("inspect tried", None)
        state.seed("inspect reference", None)
    session()["one"] = run  # The rest of the page works on this item as on a run.
    kept_scores().put((run.key, scores.preset.name, scores.preset.settings), Scored(scores, scores.summary()), scores_nbytes(scores))
    return run, 0, folder.browser.place(chosen, position, patience=0), items, not is_ready
