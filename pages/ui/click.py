"""HTML whose parts can be clicked.

The one component of the app. It shows HTML that our own code wrote, and
sends back what was clicked. Text from files must pass `esc` first.
"""

from collections.abc import Mapping


def esc(text: object) -> str:
    """Escape a text for HTML, in content and in quoted attributes."""


def clickable(html: str, key: str, keys: Mapping[str, str] | None = None) -> str | None:
    """Show HTML; give the `data-go` of what was clicked since the last run, else None.

    Elements with `data-go` get focus and answer to Enter. `keys` maps
    keyboard keys to targets, such as {"j": state.link("Inspect", item=4)}.
    Rows (`data-row`) are walked with J and K when `keys` does not take these.
    """


def going(html: str, key: str, keys: Mapping[str, str] | None = None) -> None:
    """Show HTML and follow the `data-go` that was clicked, a target of `state.link`."""
