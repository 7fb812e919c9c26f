"""How cells with several references are split, shown before anything is scored."""

import numpy as np
import streamlit as st

from evalcore.data import Loaded
from evalcore.data.cells import references_of
from evalcore.text.amounts import amount
from pages.ui.frame import section
from pages.ui.tables import Markup, table, text

LOOKED_AT = 2_000
SHOWN = 5


def preview(loaded: Loaded) -> None:
    """Show the first cells that hold several references, and what they become."""
    roles = loaded.references_mapping or loaded.mapping
    if roles.separator is None:
        return
    side = loaded.tables[-1]
    rows: list[list[object]] = []
    several = cells = 0
    for name in roles.references:
        head = side.columns[name].take(np.arange(min(LOOKED_AT, len(side))))
        references, _ = references_of([head], roles.separator, side.has_null)
        written, split = head.as_texts(), np.flatnonzero(references.counts() > 1).tolist()
        several, cells = several + len(split), cells + len(head)
        rows += [[text(written[row], 120), _parts(references[row])] for row in split[: SHOWN - len(rows)]]
    first = "" if len(side) <= LOOKED_AT else "first "
    section("References as split", f"{several:,} of the {first}{amount(cells, 'cell')} hold several")
    if rows:
        st.html(table(["In the cell", "References"], rows, label="References as split"))


def _parts(references: list[str]) -> Markup:
    more = f" <span class='wm-cap'>and {len(references) - 8} more</span>" if len(references) > 8 else ""
    return Markup(" <span class='wm-cap'>or</span> ".join(text(reference, 80) for reference in references[:8]) + more)
