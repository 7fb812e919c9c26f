"""Strings as HTML: as they are, against one another, and as the steps touched them.

Everything that comes from a file is escaped here; what cannot be seen is
shown as a small box with its code point. Tips are CSS only, and repeated
in `aria-label`.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Literal, NamedTuple

import regex

from evalcore import Stage, Trace
from evalcore.analysis.attribution import Fate, attribute
from evalcore.analysis.wording import Piece
from evalcore.text.diff import Span, Unit, diff
from evalcore.text.visible import direction, visible
from pages.ui.click import esc
from pages.ui.tables import Markup
from pages.ui.unseen import Tips, boxed, unseen

FOLD_AT = 240  # An untouched stretch that is longer is folded to its two ends.
FOLD_KEEPS = 90
MOST_MARKS = 120  # A string with more marks shows the first ones and the last ones.
LAST_MARKS = 30
MOST_ANSWERS = 12

Side = Literal["both", "before", "after"]

_LANGUAGES = ((r"[\p{Hiragana}\p{Katakana}]", "ja"), (r"\p{Hangul}", "ko"), (r"\p{Han}", "zh"), (r"\p{Arabic}", "ar"), (r"\p{Hebrew}", "he"))


def plain(text: str, tips: Tips = "focus") -> str:
    """Give a text that is not marked: line ends break the line, other unseen characters are boxed."""
    return boxed(text, tips, quiet="\n")


def marked(text: str, tips: Tips = "focus") -> str:
    """Give a text inside a mark: line ends and leading combining marks are boxed, and lone spaces show as dots."""
    if text and not text.strip(" "):
        return '<span class="wm-sp"> </span>' * len(text)
    head = 0
    while head < len(text) and (shown := visible(text[head])) is not None and shown.kind == "combining":
        head += 1
    return "".join(unseen(character, tips) for character in text[:head]) + boxed(text[head:], tips, quiet="")


def language(text: str) -> str:
    """Guess the `lang` that picks the right font; "" where the script does not tell."""
    if text.isascii():
        return ""
    return next((code for pattern, code in _LANGUAGES if regex.search(pattern, text)), "")


def string(html: str, text: str, way: str = "", kind: str = "") -> Markup:
    """Put the HTML of a string into its frame: direction, language, mono face.

    `text` is what the string says; `way` its direction, by default that of
    most letters of the text.
    """
    lang = language(text)
    named = f' lang="{lang}"' if lang else ""
    return Markup(f'<span class="wm-str {kind}" dir="{way or direction(text)}"{named}>{html}</span>')


def raw(text: str | None, way: str = "", most: int = 20_000) -> Markup:
    """Give a text as it is; None and "" are said in words."""
    if text is None:
        return Markup('<span class="wm-none">no prediction</span>')
    if text == "":
        return Markup('<span class="wm-none">empty</span>')
    return string(folded(text[:most]) + ("…" if len(text) > most else ""), text[:most], way)


def way_of(reference: str, prediction: str = "") -> str:
    """Give the direction in which a pair of texts is set: that of the reference, where it has letters."""
    return direction(reference if regex.search(r"\p{L}", reference) else prediction)


def folded(text: str) -> str:
    """Give an untouched text, its middle folded away when it is long."""
    return _folded(text, plain)


def _folded(text: str, shown: Callable[[str], str]) -> str:
    if len(text) <= FOLD_AT:
        return shown(text)
    middle = text[FOLD_KEEPS:-FOLD_KEEPS]
    opener = f'<details class="wm-fold"><summary>… {len(middle):,} characters …</summary>{shown(middle)}</details>'
    return shown(text[:FOLD_KEEPS]) + opener + shown(text[-FOLD_KEEPS:])


def insertion(text: str, tips: Tips = "focus") -> str:
    """Give what only the second text has."""
    return f'<ins class="wm-ins">{_folded(text, lambda part: marked(part, tips))}</ins>'


def deletion(text: str, tips: Tips = "focus") -> str:
    """Give what only the first text has."""
    return f'<del class="wm-del{_slash(text)}">{_folded(text, lambda part: marked(part, tips))}</del>'


def _slash(text: str) -> str:
    """Tell whether a strike would look like another sign: short runs of marks get a slash."""
    return " wm-slash" if len(text) <= 3 and not any(character.isalnum() for character in text) else ""


class Part(NamedTuple):
    """A stretch of a string; `html` makes its mark, None where it is untouched."""

    text: str
    html: Callable[[], str] | None = None


def compared(before: str, after: str, unit: Unit | None, side: Side = "both") -> str:
    """Give the diff of two texts as HTML: both woven together, or one side alone with its own marks.

    `unit` None marks nothing.
    """
    if unit is None:
        return folded(before if side == "before" else after)
    return joined([_span(span, side) for span in diff(before, after, unit)])


def _span(span: Span, side: Side) -> Part:
    if span.change == "equal":
        return Part(span.before)
    old, new = "" if side == "after" else span.before, "" if side == "before" else span.after
    return Part(new or old, lambda: (deletion(old) if old else "") + (insertion(new) if new else ""))


def joined(parts: Sequence[Part]) -> str:
    """Join parts; when too many are marks, the middle ones are folded into plain text."""
    marks = [number for number, part in enumerate(parts) if part.html]
    if len(marks) <= MOST_MARKS:
        return "".join(map(_drawn, parts))
    first, last = marks[MOST_MARKS - LAST_MARKS], marks[-LAST_MARKS]
    middle = "".join(part.text for part in parts[first:last])
    changes = sum(part.html is not None for part in parts[first:last])
    note = f'<details class="wm-fold"><summary>… {len(middle):,} characters with {changes:,} more changes …</summary>{plain(middle)}</details>'
    return "".join([*map(_drawn, parts[:first]), note, *map(_drawn, parts[last:])])


def _drawn(part: Part) -> str:
    return part.html() if part.html else folded(part.text)


# What the settings compare


def inline(pieces: Iterable[Piece], most: int = 400) -> str:
    """Give the wording of a prediction in one line: lost, added, ignored."""
    shown = list(_shortened(pieces, most))
    parts = []
    for number, piece in enumerate(shown):
        before, after = (shown[number - 1].text if number else " "), (shown[number + 1].text if number + 1 < len(shown) else " ")
        lost = piece.role == "lost"
        parts += [" " if lost and not before[-1:].isspace() else "", _piece(piece), " " if lost and not after[:1].isspace() else ""]
    return "".join(parts)


def beside(pieces: Iterable[Piece], most: int = 400) -> str:
    """Give one side of a pair: what only it has is marked, as added or as lost."""
    return "".join(_piece(piece) for piece in _shortened(pieces, most))


def one_line(text: str, most: int = 300) -> str:
    """Give the beginning of a text without line ends."""
    return boxed(text[:most].replace("\n", " "), "hover", quiet="") + ("…" if len(text) > most else "")


def _piece(piece: Piece) -> str:
    text = _clipped(piece.text)
    if piece.role == "added":
        return insertion(text, "hover")
    if piece.role == "lost":
        return deletion(text, "hover")
    return f'<span class="wm-ign">{one_line(text)}</span>' if piece.role == "ignored" else one_line(text)


def _clipped(text: str, most: int = 90) -> str:
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"


def _shortened(pieces: Iterable[Piece], most: int) -> Iterable[Piece]:
    length = 0
    for piece in pieces:
        if length > most:
            yield Piece("same", " …")
            return
        length += min(len(piece.text), 90)
        yield piece


# What the steps touched


def kind_of(stage: int, stages: Sequence[Stage]) -> str:
    """Give the class of a step: its group, and whether an earlier step has the same."""
    group = stages[stage].step.entry.group
    return f"wm-k wm-k-{esc(group)}" + (" wm-again" if any(other.step.entry.group == group for other in stages[:stage]) else "")


def fated(trace: Trace, way: str = "") -> Markup:
    """Give the raw text with every removed or changed character marked by its step."""
    if not trace.raw:
        return raw(trace.raw)
    return string(joined([_fate(trace, fate) for fate in attribute(trace).fates]), trace.raw, way, "wm-big")


def _fate(trace: Trace, fate: Fate) -> Part:
    text, stage = trace.raw[fate.start : fate.end], fate.stage
    if stage is None:
        return Part(text)
    tag, verb, slash = ("del", "removed", _slash(text)) if fate.removed else ("span", "changed", "")

    def html() -> str:
        tip = esc(f"{verb} by {trace.stages[stage].step.title}")
        kind = f"{kind_of(stage, trace.stages)} wm-{verb}{slash}"
        return f'<{tag} class="{kind}" tabindex="0" data-tip="{tip}" aria-label="{esc(_clipped(text))}, {tip}">{_folded(text, marked)}</{tag}>'

    return Part(text, html)


def touched(stage: Stage) -> str:
    """Give the text before a step with its edits: what it took struck out, what it put underlined."""
    parts: list[Part] = []
    position = 0
    for edit in stage.edits:
        old = stage.before[edit.start : edit.end]
        parts += [Part(stage.before[position : edit.start])] if edit.start > position else []
        parts.append(Part(edit.new, partial(_edit, old, edit.new)))
        position = edit.end
    return joined([*parts, Part(stage.before[position:])])


def _edit(old: str, new: str) -> str:
    lost = f'<del class="wm-out{_slash(old)}">{_folded(old, marked)}</del>' if old else ""
    return lost + (f'<ins class="wm-in">{_folded(new, marked)}</ins>' if new else "")


def answers(context: str, texts: Sequence[str], most: int = 1200) -> str:
    """Give a context with the first places marked where an answer stands, folded around them when it is long."""
    spans = _places(context, texts)
    parts = []
    position = 0
    for start, end in spans[:MOST_ANSWERS]:
        parts.append(folded(context[position:start]) if len(context) > most else plain(context[position:start]))
        parts.append(f'<mark class="wm-answer">{plain(context[start:end])}</mark>')
        position = end
    rest = context[position:]
    return "".join([*parts, folded(rest) if len(context) > most else plain(rest)])


def _places(context: str, texts: Sequence[str]) -> list[tuple[int, int]]:
    """Find the answers as whole words, longest first, without overlap."""
    wanted = sorted({text for text in texts if text.strip()}, key=len, reverse=True)
    if not wanted:
        return []
    listed = "|".join(regex.escape(text) for text in wanted)
    return [match.span() for match in regex.finditer(rf"(?<![\p{{Latin}}\d])(?:{listed})(?![\p{{Latin}}\d])", context)]
