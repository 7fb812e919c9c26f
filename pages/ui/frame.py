"""The frame of every page: head, sidebar, and what to say when nothing is loaded."""

from pages.ui.store import Run


def frame(title: str, answers: str, *, needs_run: bool = True, signature: bool = True) -> Run | None:
    """Draw sidebar and head; call it first on every page.

    `answers` is one sentence: the question this page answers. Without a
    loaded run the page ends here with a hint, unless `needs_run` is False.
    """


def section(title: str, caption: str = "", chip: str = "") -> None:
    """Draw the head of a section; all three are plain text."""


def problem(message: str, kind: str = "error") -> None:
    """Show a message as plain text; kind is error, warning, info or success."""


def hint(message: str, page: str = "", label: str = "") -> None:
    """Say in one line what to do, with a link to a page."""
