"""One item of a scored folder, open on Inspect as a run of its own."""

import numpy as np

from pages.ui import folder_sample, state
from pages.ui.session import session
from pages.ui.store import Run, Scored, kept_scores, scores_nbytes


def opened() -> tuple[Run | None, int | None, int | None, int]:
    """Read the open item, the first of the filter when none is open.

    Gives the run of this one item, its row there, its place among the items shown, and their number.
    Raises: SelectionError for a filter that cannot be applied.
    """
    folder, chosen = state.active_folder(), state.selection()
    assert folder is not None
    items = folder.browser.count(chosen)
    if state.item() is None and items:
        state.open_item(int(folder.browser.page(chosen, 0, 1)[0]))
    position = state.item()
    if position is None:
        return None, None, None, items
    scores = folder.folder.scores(np.array([position]))
    run = folder_sample.as_run(scores.dataset, f"{folder.key}-{position}", folder.name)
    if state.kept("inspect of folder") != run.key:  # What is on trial was so on another item.
        state.seed("inspect of folder", run.key)
        state.seed("inspect tried", None)
        state.seed("inspect reference", None)
    session()["one"] = run  # The rest of the page works on this item as on a run.
    kept_scores().put((run.key, scores.preset.name, scores.preset.settings), Scored(scores, scores.summary()), scores_nbytes(scores))
    return run, 0, folder.browser.place(chosen, position), items
