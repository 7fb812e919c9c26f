"""Time the diagnosis of a run, in seconds of one processor: reasons, fixes and collisions.

    python -m benchmarks.analysis [items]

The items are made here: answers of one to five words, numbers, dates and
places, some of them right, some in another form, some inside a sentence,
most of the rest wrong; every text is different, so nothing is known twice.
"""

import random
import sys
import time
from itertools import pairwise

from evalcore.analysis.collisions import find_collisions
from evalcore.analysis.fixes import find_fixes
from evalcore.analysis.reasons import find_reasons
from evalcore.dataset import Dataset, References
from evalcore.scoring.score import score
from evalcore.text.columns import Texts

ONSETS = tuple("bcdfghklmnprstvw")
VOWELS = tuple("aeiou")
CODAS = ("", *"nrstlm")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")


def word(dice: random.Random) -> str:
    """Make up a word."""
    return "".join(dice.choice(ONSETS) + dice.choice(VOWELS) + dice.choice(CODAS) for _ in range(dice.randint(1, 3)))


def answer(dice: random.Random) -> str:
    """Make up an answer."""
    kind = dice.random()
    if kind < 0.15:
        return str(dice.randint(1, 99999))
    if kind < 0.25:
        return f"{dice.randint(1, 28)} {dice.choice(MONTHS)} {dice.randint(1800, 2020)}"
    return " ".join(word(dice).title() for _ in range(dice.choice((1, 1, 2, 2, 2, 3, 4))))


def prediction(dice: random.Random, right: str) -> str:
    """Make up what a system says."""
    kind = dice.random()
    if kind < 0.35:
        return right
    if kind < 0.45:
        return dice.choice((right.upper() + "!", f"the {right}.", right.replace(" ", "-"), right.replace("e", "é"), f"**{right}**"))
    if kind < 0.65:
        return f"The {word(dice)} of the {word(dice)} was {right}, as the {word(dice)} {word(dice)} in {answer(dice)}."
    if kind < 0.75:
        return " ".join(right.split()[:1])
    return answer(dice)


def made(items: int) -> Dataset:
    """Make up a run with its questions."""
    dice = random.Random(7)
    right = [[answer(dice) for _ in range(dice.choice((1, 1, 1, 2, 3)))] for _ in range(items)]
    return Dataset(
        Texts.of([str(number) for number in range(items)]),
        Texts.of([prediction(dice, references[0]) for references in right]),
        References.of(right),
        questions=Texts.of([f"who was the {word(dice)} of {word(dice).title()} in the {word(dice)}" for _ in range(items)]),
    )


def main() -> None:
    """Print the seconds every part takes."""
    items = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    find_fixes(score(["mice"], [["mouse"]]))  # Word lists are loaded once a process.
    scores = score(made(items))
    failed = int((scores.em == 0).sum())
    marks = [time.process_time()]
    fixes = find_fixes(scores)
    marks.append(time.process_time())
    find_reasons(scores, fixes)
    marks.append(time.process_time())
    find_collisions(scores)
    marks.append(time.process_time())
    spent = [after - before for before, after in pairwise(marks)]
    print(f"{items} items, {failed} failed: fixes {spent[0]:.1f} s, reasons {spent[1]:.1f} s, collisions {spent[2]:.1f} s, together {sum(spent):.1f} s")


if __name__ == "__main__":
    main()
