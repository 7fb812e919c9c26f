"""Tables as HTML, with numbers that open what they count."""

from collections.abc import Iterable, Sequence

from pages.ui.click import esc
from pages.ui.unseen import boxed

LINE_END = "\n"
SHORT = 20  # A name of so few characters stays in one line: an id that breaks at its hyphen is hard to read.


class Markup(str):
    """HTML written by our own code; everything else is escaped."""

    __slots__ = ()


def cell(value: object) -> Markup:
    """Give a value as HTML: Markup as it is, a whole number with separators, the rest escaped."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Markup(f"{value:,}")
    return Markup(esc("" if value is None else value))


def goto(label: object, target: str, describe: str = "") -> Markup:
    """Give a label that opens a target when clicked."""
    title = f' aria-label="{esc(describe)}" title="{esc(describe)}"' if describe else ""
    return Markup(f'<span class="wm-go" role="link" tabindex="0" data-go="{esc(target)}"{title}>{cell(label)}</span>')


def count(number: int, target: str = "", describe: str = "") -> Markup:
    """Give a number that opens the items it counts; zero opens nothing."""
    return goto(number, target, describe) if number and target else cell(number)


def text(value: str | None, most: int = 200) -> Markup:
    """Give a text of a file as it is, cut to a length; None and "" are said in words."""
    return _as_it_is(value, most, "wm-text")


def called(value: str | None, most: int = 60) -> Markup:
    """Give the name of something in a file, such as an id or a label, as `text` does, in the type of the words around it."""
    return _as_it_is(value, most, "wm-free wm-short" if value is not None and len(value) <= SHORT else "wm-free")


def _as_it_is(value: str | None, most: int, kind: str) -> Markup:
    if not value:
        return Markup(f'<span class="wm-none">{"none" if value is None else "empty"}</span>')
    cut = value if len(value) <= most else value[: most - 1] + "…"
    return Markup(f'<span class="{kind}" dir="auto">{boxed(cut, quiet=LINE_END)}</span>')


def mark(kind: str) -> Markup:
    """Give the round mark of a row: ok, bad, odd or none."""
    sign, name = {"ok": ("✓", "fine"), "bad": ("✕", "problem"), "odd": ("≋", "suspicious")}.get(kind, ("–", "none"))
    return Markup(f'<span class="wm-mark wm-{esc(kind)}" role="img" aria-label="{name}">{sign}</span>')


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], numbers: Sequence[int] = (), caption: str = "", label: str = "") -> Markup:
    """Give a table; `numbers` are the columns set right, `label` names it for screen readers."""

    def side(column: int) -> str:
        return ' class="wm-n"' if column in numbers else ""

    head = "".join(f"<th{side(column)}>{cell(name)}</th>" for column, name in enumerate(heads))
    body = "".join("<tr>" + "".join(f"<td{side(column)}>{cell(value)}</td>" for column, value in enumerate(row)) + "</tr>" for row in rows)
    under = f"<caption>{esc(caption)}</caption>" if caption else ""
    named = f' aria-label="{esc(label)}"' if label else ""
    return Markup(f'<div class="wm-scroll"><table class="wm-t"{named}>{under}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>')
