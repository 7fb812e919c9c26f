"""Tell when answers look paired with the wrong rows, or with the wrong file."""

import re
from collections import Counter

from evalcore.data.join_report import count
from evalcore.dataset import References
from evalcore.text.columns import Texts

ROWS_LOOKED_AT = 5000
SHIFTS = (-2, -1, 1, 2)
FEWEST = 3
FEWEST_STRANGERS = 30
WORD = re.compile(r"[a-z0-9]+|[^\W\x00-\x7f]")


def misalignment(predictions: Texts, references: References, how: str = "by position") -> str | None:
    """Say that another pairing matches far better than the given one, or None.

    Answers are compared in lower case and without outer spaces; it looks
    at the first 5,000 rows.
    """
    rows = min(len(predictions), ROWS_LOOKED_AT)
    answers = [(text or "").strip().casefold() for text in predictions[:rows]]
    golds = [{text.strip().casefold() for text in references[row]} for row in range(rows)]
    here = sum(answer in gold for answer, gold in zip(answers, golds, strict=True) if answer)
    for shift in SHIFTS:
        there = sum(answer in golds[row + shift] for row, answer in enumerate(answers) if answer and 0 <= row + shift < rows)
        if there >= FEWEST and there > 2 * here:
            direction = "later" if shift > 0 else "earlier"
            found = f"{count(there)} predictions equal the reference {abs(shift)} row {direction}, only {count(here)} the one of their own row"
            move = "check for a missing row, or join by id" if how == "by position" else "check whether one file counts from 0 and the other from 1"
            return f"the pairing {how} looks shifted: {found}; {move}"
    anywhere = _anywhere(answers, golds)
    if anywhere >= FEWEST and anywhere > 2 * here and anywhere * 2 > rows:
        found = f"{count(anywhere)} of {count(rows)} predictions equal some reference, only {count(here)} the one of their own row"
        move = "sort both files alike, or join by id" if how == "by position" else "check that both files number the same items alike"
        return f"the pairing {how} looks out of order: {found}; {move}"
    return None


def strangers(predictions: Texts, references: References) -> str | None:
    """Say that no prediction shares a word with its references, as in two files that do not belong together, or None.

    It looks at the first 5,000 rows; a letter outside of ASCII counts as a word.
    Empty: None where fewer than 30 items have both.
    """
    both = 0
    for row, text in enumerate(predictions[:ROWS_LOOKED_AT]):
        golds = [gold for gold in references[row] if gold.strip()]
        if text and text.strip() and golds:
            both += 1
            if _words(text) & set().union(*map(_words, golds)):
                return None
    if both < FEWEST_STRANGERS:
        return None
    return f"none of the first {count(both)} predictions shares a word with its references; check that the two files belong together"


def _words(text: str) -> set[str]:
    return set(WORD.findall(text.casefold()))


def _anywhere(answers: list[str], golds: list[set[str]]) -> int:
    """Count answers that equal a reference of some row, each row used as often as it stands."""
    available = Counter(text for gold in golds for text in gold)
    wanted = Counter(answer for answer in answers if answer)
    return sum(min(number, available[answer]) for answer, number in wanted.items())
