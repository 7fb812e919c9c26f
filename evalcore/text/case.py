"""Steps that fold letter case."""

from evalcore.text.edits import Edit
from evalcore.text.rules import CharacterTable, Function, Rule
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


def lower_within_length() -> Rule:
    """Turn letters into lower case and cut to the length from before.

    Source: numpy.char.lower, which Hugging Face's exact_match calls; its texts have a fixed width.
    Differs: only `İ` grows in lower case, so `İzmir` loses its last letter; in NumPy the width is that of the longest text of the batch.

    >>> lower_within_length().apply("İZMİR") == "i\u0307zmi"
    True
    """

    def state(text: str) -> tuple[Edit, ...]:
        edits = []
        room = len(text)
        for start, (old, new) in enumerate(zip(text, _lower_letters(text), strict=True)):
            kept = new[: max(room, 0)]
            room -= len(new)
            if kept != old:
                edits.append(Edit(start, start + 1, kept))
        return tuple(edits)

    return Function(lambda text: text.lower()[: len(text)], state)


def _lower_letters(text: str) -> list[str]:
    """Give the lower case of every letter, where each stands."""
    after = text.lower()
    letters = []
    place = 0
    for letter in text:
        width = len(letter.lower())
        letters.append(after[place : place + width])
        place += width
    return letters


ENTRIES = entries("case", lower, casefold, lower_within_length)
