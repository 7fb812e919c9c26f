"""Steps that treat characters one by one, chosen by the user."""

from typing import Literal

from evalcore.text.edits import Edit
from evalcore.text.rules import CharacterTable, Function, Rule
from evalcore.text.steps import entries

Where = Literal["both", "start", "end"]


def replace_characters(characters: str = "", replacement: str = "") -> Rule:
    """Put one text in place of every listed character.

    Source: str.translate of the running Python, with an own table.
    Empty: without characters nothing changes; without a replacement they are deleted.

    >>> replace_characters("_/", " ").apply("km/h snake_case")
    'km h snake case'
    """
    table = str.maketrans(dict.fromkeys(characters, replacement))
    return CharacterTable(lambda text: text.translate(table))


def strip_characters(characters: str = "", where: Where = "both") -> Rule:
    """Strip listed characters from the ends of the text.

    Source: str.strip, str.lstrip and str.rstrip of the running Python.
    Differs: what stands inside stays; a space at the end protects the mark before it.

    >>> strip_characters("。", "end").apply("東京。都。。")
    '東京。都'
    """

    def ends(text: str) -> tuple[int, int]:
        start = 0 if where == "end" else len(text) - len(text.lstrip(characters))
        end = len(text) if where == "start" else start + len(text[start:].rstrip(characters))
        return start, end

    def cut(text: str) -> str:
        start, end = ends(text)
        return text[start:end]

    def state(text: str) -> tuple[Edit, ...]:
        start, end = ends(text)
        return tuple(Edit(a, b, "") for a, b in ((0, start), (end, len(text))) if a < b)

    return Function(cut, state) if characters else CharacterTable(lambda text: text)


ENTRIES = entries("characters", replace_characters, strip_characters)
