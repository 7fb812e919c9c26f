"""A prediction beside one reference, with what both share."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from rapidfuzz.distance import OSA

from evalcore.analysis.reasons.answer import Answer, stem
from evalcore.analysis.reasons.lazy import lazy
from evalcore.analysis.reasons.lexicon import LIGHT_WORDS, MONTHS, PARTICLES, SCALES, SUFFIXES, TITLES, UNITS
from evalcore.analysis.reasons.quantities import number_of
from evalcore.text.numbers import MINUS

TYPO_LENGTH = 5  # Shorter words are often one letter apart and different: Iran, Iraq.
LONG_TYPO_LENGTH = 9  # From here on two wrong letters still leave most of the word.
NICKNAME_LENGTH = 3  # "Will" for William; two letters alone begin too many names.
NAME_WORDS = (2, 6)  # A person's or place's full name has so many words.


class Evidence(NamedTuple):
    """What shows a reason: the words on either side, and a remark."""

    prediction: str = ""
    reference: str = ""
    note: str = ""


class Question:
    """What a question says already: its words carry no news in an answer."""

    def __init__(self, text: str) -> None:
        self.answer = Answer(text)
        self.stems = frozenset(map(stem, self.answer.words))
        self.first = frozenset(self.answer.words[:3])

    @property
    def asks_who(self) -> bool:
        return bool(self.first & {"who", "whose", "whom", "wer", "qui", "quién", "谁"})


class Pair:
    """One prediction, one reference, and the question they answer; `is_bare`: what the reference has in brackets is left out."""

    def __init__(self, prediction: Answer, reference: Answer, question: Question, is_bare: bool = False) -> None:
        self.is_bare = is_bare
        self.prediction = prediction
        self.reference = reference
        self.question = question

    @lazy
    def news(self) -> list[str]:
        """Content words of the prediction that are not in the question; all when every one is."""
        return news(self.prediction, self.question)

    @lazy
    def expected(self) -> list[str]:
        """Content words of the reference that are not in the question; all when every one is."""
        return news(self.reference, self.question)

    @lazy
    def shared(self) -> frozenset[str]:
        """Stems both sides bring that the question does not."""
        return frozenset(map(stem, self.news)) & frozenset(map(stem, self.expected))

    @lazy
    def is_quantity(self) -> bool:
        """Tell whether the reference is a number with at most its unit."""
        return bool(self.reference.numbers) and not self.reference.dates and is_amount(self.reference)

    @lazy
    def signs_differ(self) -> bool:
        """Tell whether a number of the reference stands in the prediction with the other sign alone."""
        ours, theirs = self.prediction, self.reference
        if not (theirs.has_digit and any(mark in ours.raw or mark in theirs.raw for mark in MINUS)):
            return False
        return any((value, negative) not in ours.signed and (value, not negative) in ours.signed for value, negative in theirs.signed)

    @lazy
    def units_differ(self) -> bool:
        """Tell whether a number of the reference has another unit in the prediction; nothing is said where one side has none."""
        if not self.is_quantity or not self.reference.units:
            return False
        return bool(self.prediction.units) and self.prediction.units.isdisjoint(self.reference.units)

    @lazy
    def is_date(self) -> bool:
        """Tell whether the reference is a date with at most its weekday."""
        return bool(self.reference.dates) and all(map(is_quantity_word, self.reference.content))

    @lazy
    def name(self) -> list[str]:
        """Words of the reference when it looks like a person's name, title and suffix cut off; else nothing."""
        words = [word for word in self.reference.words if word not in TITLES and word not in SUFFIXES]
        if not NAME_WORDS[0] <= len(words) <= NAME_WORDS[1] or self.reference.is_cjk or any(mark in self.reference.raw for mark in ",(["):
            return []
        if any(not word.isalpha() or (word in LIGHT_WORDS and word not in PARTICLES) for word in words):
            return []
        return words if self.question.asks_who or _is_capitalized(self.reference.raw) else []


def as_measured(predicate: Callable[[Pair], Evidence | None]) -> Callable[[Pair], Evidence | None]:
    """Let a predicate hold only where no number has the other sign or another unit."""
    return lambda pair: None if pair.signs_differ or pair.units_differ else predicate(pair)


def news(answer: Answer, question: Question) -> list[str]:
    """Give the content words of an answer that the question does not hold; all of them when it holds every one."""
    return [word for word, root in zip(answer.content, answer.stems, strict=False) if root not in question.stems] or answer.content


def is_quantity_word(word: str) -> bool:
    """Tell whether a word is a number, a scale, a unit or a month."""
    return number_of(word) is not None or word in UNITS or word in SCALES or word in MONTHS


def is_amount(answer: Answer) -> bool:
    """Tell whether an answer is made of numbers, units and months alone."""
    if all(map(is_quantity_word, answer.content)):
        return True
    return answer.is_cjk and "".join(word for word in answer.content if number_of(word) is None) in UNITS


def _is_capitalized(text: str) -> bool:
    words = [word for word in text.replace("-", " ").split() if word[0].isalpha() and word.casefold() not in PARTICLES]
    return bool(words) and all(word[0].isupper() for word in words)


def is_typo(first: str, second: str) -> bool:
    """Tell whether two words differ by a slip of the finger.

    >>> is_typo("nicolas", "nicholas"), is_typo("austria", "australia"), is_typo("iran", "iraq"), is_typo("million", "billion")
    (True, False, False, False)
    """
    shortest = min(len(first), len(second))
    if first == second or shortest < TYPO_LENGTH or abs(len(first) - len(second)) > 2 or not (first.isalpha() and second.isalpha()):
        return False
    if is_quantity_word(first) and is_quantity_word(second):
        return False
    allowed = 2 if shortest >= LONG_TYPO_LENGTH else 1
    return OSA.distance(first, second, score_cutoff=allowed) <= allowed


def is_given_name(said: str, name: str) -> bool:
    """Tell whether a word can stand for a given name: the same, its initial, a short form, or with a typo.

    >>> is_given_name("will", "william"), is_given_name("b", "bhimrao"), is_given_name("emmitt", "timmy")
    (True, True, False)
    """
    if said == name or (len(said) == 1 and name.startswith(said)) or (len(name) == 1 and said.startswith(name)):
        return True
    shorter, longer = sorted((said, name), key=len)
    return (len(shorter) >= NICKNAME_LENGTH and longer.startswith(shorter)) or is_typo(said, name)


def runs(line: str, words: Sequence[str]) -> Iterator[int]:
    """Give the positions at which words stand one after the other in a line of words, as word counts before them."""
    needle = f" {' '.join(words)} "
    at = line.find(needle)
    while at >= 0:
        yield line.count(" ", 1, at + 1) if at else 0
        at = line.find(needle, at + 1)
