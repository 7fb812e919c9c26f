"""Steps that fold letter case."""

from evalcore.text.rules import CharacterTable, Rule
from evalcore.text.steps import entries

FINAL_SIGMA = frozenset("Σ")  # Becomes ς at the end of a word, σ elsewhere.


def lower() -> Rule:
    """Turn letters into lower case.

    Source: str.lower of the running Python, the first step of SQuAD's normalization.
    Differs: `ß` and `ss` stay different; casefold makes them equal.

    >>> lower().apply("İSTANBUL ΟΔΟΣ") == "i̇stanbul οδος"
    True
    """
    return CharacterTable(str.lower, odd=FINAL_SIGMA)


def casefold() -> Rule:
    """Fold letters for comparison without case.

    Source: str.casefold of the running Python, Unicode full case folding.

    >>> casefold().apply("Straße")
    'strasse'
    """
    return CharacterTable(str.casefold)


ENTRIES = entries("case", lower, casefold)
