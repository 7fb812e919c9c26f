"""Steps given by a regular expression."""

from evalcore.text.rules import Engine, Pattern, Rule
from evalcore.text.steps import entries


def replace_pattern(pattern: str = "", replacement: str = "", engine: Engine = "regex") -> Rule:
    r"""Replace every match of an own regular expression.

    Range: engine `regex` stops after one second on a text and the item is unscored; `re` has no limit and is for the patterns of presets.
    Empty: an empty pattern changes nothing.
    Raises: ValueError when the pattern is malformed.

    >>> replace_pattern(r"\s*\([^)]*\)").apply("Paris (France)")
    'Paris'
    """
    return Pattern(pattern or "(?!)", replacement, engine)


ENTRIES = entries("patterns", replace_pattern)
