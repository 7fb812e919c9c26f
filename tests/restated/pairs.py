"""Hostile predictions with references near them, the same in every run."""

import random

from tests.hostile import ASTRAL, CHARACTERS, INVISIBLE, MARKS, SURROGATES, WORDS

PHRASES = (
    *WORDS,
    "yes",
    "no",
    "noanswer",
    "CANNOTANSWER",
    "cannotanswer",
    "unanswerable",
    "New York",
    "the United States of America",
    "3.5 million",
    "3.50",
    "12-13",
    "$25.00",
    "(3.14)",
    "1e3",
    "inf",
    "nan",
    "1_000",
    "twenty five",
    "Mr. Smith went home. He slept.",
    'he said "no"',
    "can't",
    "[12][3] |",
    "<|im_end|>",
    "Paris\nLyon",
    "\nParis",
    "北京大学位于北京市海淀区",
    "《红楼梦》的作者是曹雪芹。",
    "臺灣",
    "이순신 장군",
    "「東京」。",
    "الكتاب خيال",
    "el niño",
    "der Hund",
    "của là",
    "\u0301the\u0301",
    "copper\0",
    "ΟΔΥΣΣΕΥΣ",
    "İzmir",
    "_snake_case_",
    "a.m.",
    "U.S.A.",
)
LETTERS = CHARACTERS + INVISIBLE + MARKS + ASTRAL + SURROGATES


def hostile_items(count, seed=0):
    """Give predictions, and for each of them up to four references."""
    chance = random.Random(seed)
    items = [_item(chance) for _ in range(count)]
    return [prediction for prediction, _ in items], [references for _, references in items]


def _item(chance):
    prediction = _text(chance)
    references = [_near(chance, prediction) if chance.random() < 0.7 else _text(chance) for _ in range(chance.choice((0, 1, 1, 1, 2, 3, 4)))]
    return prediction, references


def _text(chance):
    parts = [
        chance.choice(PHRASES) if chance.random() < 0.75 else "".join(chance.choices(LETTERS, k=chance.randint(0, 4))) for _ in range(chance.randint(0, 3))
    ]
    return chance.choice((" ", " ", "", "\n", "-", "  ")).join(parts)


def _near(chance, text):
    changes = (
        lambda: text,
        text.upper,
        text.lower,
        text.title,
        lambda: " ".join(reversed(text.split())),
        lambda: f"the {text}.",
        lambda: f" {text} ",
        lambda: text.replace(" ", "-"),
        lambda: text.replace(".", ""),
        lambda: f"{text} {text}",
        lambda: text[: len(text) // 2],
        lambda: text + chance.choice(LETTERS),
        lambda: chance.choice(("", "...", " ", "the", "CANNOTANSWER")),
    )
    return chance.choice(changes)()
