"""Characters that cannot be seen, as small boxes with their names."""

from typing import Literal

import regex

from evalcore.text.visible import visible
from pages.ui.click import esc

Tips = Literal["focus", "hover"]

_UNSEEN = regex.compile(r"(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800]")


def unseen(character: str, tips: Tips = "focus") -> str:
    """Give the box of a character that cannot be seen."""
    shown = visible(character)
    if shown is None:
        return esc(character)
    named = f'title="{esc(shown.name)}"' if tips == "hover" else f'tabindex="0" data-tip="{esc(shown.name)}"'
    return f'<span class="wm-inv wm-inv-{shown.kind}" {named} role="img" aria-label="{esc(shown.name)}">{esc(shown.label)}</span>'


def boxed(text: str, tips: Tips = "hover", quiet: str = "") -> str:
    """Escape a text and box what cannot be seen, apart from the characters in `quiet`."""
    pieces = []
    position = 0
    for match in _UNSEEN.finditer(text):
        if match[0] in quiet:
            continue
        pieces += [esc(text[position : match.start()]), unseen(match[0], tips)]
        pieces += ["\n"] if match[0] == "\n" and tips == "focus" else []
        position = match.end()
    return "".join([*pieces, esc(text[position:])])


def spelled(text: str) -> str:
    """Give a text for a tip, which takes no boxes: what cannot be seen is written as [NBSP]."""
    return _UNSEEN.sub(lambda match: f"[{shown.label}]" if (shown := visible(match[0])) else match[0], text)
