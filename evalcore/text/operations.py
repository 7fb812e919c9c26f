"""Steps as operations of the kernels."""

from dataclasses import dataclass

from evalcore.text.character_tables import CharacterTable, CompleteTable, MapsCharacters, table_of, whitespace_table, word_roles_of
from evalcore.text.kernels import MAP, REMOVE, SQUEEZE, STRIP, WORDS
from evalcore.text.rules import CharacterTable as CharacterRule
from evalcore.text.rules import Rule, Segments, Whitespace, WordFilter

WHITESPACE = {"squeeze": SQUEEZE, "strip": STRIP, "remove": REMOVE}


@dataclass(frozen=True)
class Operation:
    """One operation of a kernel and the data it reads."""

    kind: int
    table: CharacterTable | CompleteTable
    rule: MapsCharacters | None = None
    words: tuple[str, ...] = ()
    replacement: str = ""


def operation_of(rule: Rule) -> Operation | None:
    """Give the compiled form of a rule, None where it has to run in Python."""
    if isinstance(rule, CharacterRule | Segments):
        return Operation(MAP, table_of(rule), rule)
    if isinstance(rule, WordFilter):
        return Operation(WORDS, word_roles_of(rule), words=rule.words, replacement=rule.replacement)
    if isinstance(rule, Whitespace):
        return Operation(WHITESPACE[rule.mode], whitespace_table(1, 0))
    return None
