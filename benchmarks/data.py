"""Answers made up for measuring: their lengths and characters are what matters."""

import random
from typing import NamedTuple

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
ACCENTED = "éèüöñçåøıŁžß"
CJK = "".join(map(chr, range(0x4E00, 0x4E00 + 2500)))


class Answers(NamedTuple):
    """Predictions and their references, one list an item."""

    predictions: list[str]
    references: list[list[str]]


def short_answers(items: int, seed: int = 1) -> Answers:
    """Make English-like answers: 2.45 references an item, 20 % sentences, 5 % non-ASCII."""
    chance = random.Random(seed)
    words = _words(chance, 20_000)
    return _answers(items, chance, lambda: _short(chance, words))


def chinese_answers(items: int, seed: int = 2) -> Answers:
    """Make Chinese answers of 2 to 40 characters with Chinese and ASCII marks and some Latin words."""
    chance = random.Random(seed)
    words = _words(chance, 500)
    return _answers(items, chance, lambda: _chinese(chance, words))


def long_answers(items: int, seed: int = 3) -> Answers:
    """Make answers of 500 to 5,000 characters."""
    chance = random.Random(seed)
    words = _words(chance, 20_000)

    def make() -> str:
        length, parts = chance.randint(500, 5_000), []
        while length > 0:
            parts.append(_sentence(chance, words))
            length -= len(parts[-1]) + 1
        return " ".join(parts)

    return _answers(items, chance, make)


def _answers(items: int, chance: random.Random, make) -> Answers:
    predictions, references = [], []
    for _ in range(items):
        listed = [make() for _ in range(chance.choices((1, 2, 3, 4, 5), (25, 30, 25, 15, 5))[0])]
        references.append(listed)
        predictions.append(_near(chance, chance.choice(listed)) if chance.random() < 0.6 else make())
    return Answers(predictions, references)


def _words(chance: random.Random, count: int) -> list[str]:
    return ["".join(chance.choices(ALPHABET, k=chance.randint(2, 11))) for _ in range(count)]


def _short(chance: random.Random, words: list[str]) -> str:
    if chance.random() < 0.2:
        text = _sentence(chance, words)
    else:
        text = " ".join(chance.choices(words, k=chance.randint(1, 4)))
        text = chance.choice((text, text.title(), f"the {text}", f"{chance.randint(1, 3000)}"))
    if chance.random() < 0.05:
        place = chance.randint(0, len(text))
        text = text[:place] + chance.choice(ACCENTED) + text[place:]
    return text


def _sentence(chance: random.Random, words: list[str]) -> str:
    parts = chance.choices(words, k=chance.randint(8, 20))
    for _ in range(3):
        parts.insert(chance.randrange(len(parts)), chance.choice(("the", "a", "an", "of", "in")))
    return (" ".join(parts[:5]) + ", " + " ".join(parts[5:]) + ".").capitalize()


def _chinese(chance: random.Random, words: list[str]) -> str:
    text = "".join(chance.choices(CJK, k=chance.randint(2, 40)))
    if chance.random() < 0.3:
        place = chance.randint(0, len(text))
        text = f"{text[:place]}{chance.choice('，、《》')}{text[place:]}。"
    if chance.random() < 0.2:
        text += f" {chance.choice(words).title()} {chance.randint(1, 2030)}"
    return text


def _near(chance: random.Random, text: str) -> str:
    """Say the same a little differently."""
    changed = (text, text.upper(), f"{text}.", f"The {text}", text.replace(" ", "  "), f"{text} {text[:5]}", text[: len(text) // 2])
    return chance.choice(changed)
