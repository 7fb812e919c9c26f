"""Surface reasons: the same answer in another form, as predicates over a pair."""

import re
from collections.abc import Sequence

from evalcore.analysis.reasons.answer import Answer, stem
from evalcore.analysis.reasons.lexicon import LIGHT_WORDS, SPELLINGS, SUFFIXES, TITLES
from evalcore.analysis.reasons.pair import Evidence, Pair, is_given_name, is_quantity_word, is_typo
from evalcore.analysis.reasons.quantities import number_of

MISSING_SHARE = 0.3  # Less than this share of the letters that count names a part, not the whole.
REWORDED_SHARE = 0.5  # Half of the news of both sides in common: less is a shared topic.
COVERED_SHARE = 2 / 3  # Of a reference of three words two are enough, wherever they stand.
WINDOW = 3  # So many words may stand between the words of a reference inside a prediction.
SIGNIFICANT_DIGITS = 2  # A number rounded to one digit is a guess.
ROUNDED_WORDS = 12  # In longer predictions some number is near by chance.
ACRONYM_LENGTH = (2, 7)
SPELLED_OUT_WORDS = 10  # Two initials in a row happen by chance in longer texts.
COMPOUND_LENGTH = 3  # Shorter texts without their spaces stand in others by chance.

_SPELLINGS = tuple((re.compile(pattern), new) for pattern, new in SPELLINGS)


def other_spelling(pair: Pair) -> Evidence | None:
    """The words are spelling variants of one another."""
    return _word_by_word(pair, lambda first, second: _spelled(first) == _spelled(second))


def inflected(pair: Pair) -> Evidence | None:
    """The words are other forms of the same words."""
    return _word_by_word(pair, lambda first, second: stem(first) == stem(second))


def mistyped(pair: Pair) -> Evidence | None:
    """A letter or two are wrong."""
    return _word_by_word(pair, is_typo)


def _word_by_word(pair: Pair, alike: "object") -> Evidence | None:
    ours, theirs = pair.prediction.content, pair.reference.content
    if len(ours) != len(theirs) or ours == theirs:
        return None
    differing = [(first, second) for first, second in zip(ours, theirs, strict=True) if first != second]
    if not all(alike(first, second) for first, second in differing):  # type: ignore[operator]
        return None
    return Evidence(" ".join(first for first, _ in differing), " ".join(second for _, second in differing))


def _spelled(word: str) -> str:
    for pattern, new in _SPELLINGS:
        word = pattern.sub(new, word)
    return word


def same_words(pair: Pair) -> Evidence | None:
    """Everything but grammar, hedges, spaces and marks is the same."""
    if pair.prediction.joined == pair.reference.joined:
        return Evidence(pair.prediction.line.strip(), pair.reference.line.strip())
    return None


def reordered(pair: Pair) -> Evidence | None:
    """The same words stand in another order."""
    ours, theirs = pair.prediction.content, pair.reference.content
    if len(ours) == len(theirs) > 1 and ours != theirs and sorted(ours) == sorted(theirs) and not pair.prediction.is_cjk:
        return Evidence(" ".join(ours), " ".join(theirs))
    return None


def light_words_differ(pair: Pair) -> Evidence | None:
    """Only grammar or hedges such as "about" differ."""
    if pair.prediction.content == pair.reference.content:
        extra = [word for word in pair.prediction.words if word not in pair.reference.words]
        lost = [word for word in pair.reference.words if word not in pair.prediction.words]
        return Evidence(" ".join(extra), " ".join(lost))
    return None


def abbreviated(pair: Pair) -> Evidence | None:
    """One side is the initials of the other."""
    for short, long in ((pair.prediction, pair.reference), (pair.reference, pair.prediction)):
        letters = short.joined
        if ACRONYM_LENGTH[0] <= len(letters) <= ACRONYM_LENGTH[1] and letters.isalpha() and len(short.words) == 1 and _may_spell_out(letters, long):
            for words in (long.words, [word for word in long.words if word not in LIGHT_WORDS]):
                if letters in "".join(word[0] for word in words) and len(words) >= len(letters):
                    return Evidence(pair.prediction.raw.strip()[:60], pair.reference.raw.strip()[:60])
    return None


def _may_spell_out(letters: str, long: Answer) -> bool:
    """Tell whether initials found in a text are no chance: the text is short, or the letters are three and more."""
    return len(long.words) <= (SPELLED_OUT_WORDS if len(letters) == 2 else 4 * SPELLED_OUT_WORDS)


def number_spelled_otherwise(pair: Pair) -> Evidence | None:
    """The same number stands in another form, or with another unit word."""
    if pair.is_quantity and pair.reference.numbers == pair.prediction.numbers and all(map(is_quantity_word, pair.prediction.content)):
        return Evidence(" ".join(pair.prediction.content), " ".join(pair.reference.content))
    return None


def date_spelled_otherwise(pair: Pair) -> Evidence | None:
    """The same date stands in another form, or more or less exactly."""
    ours, theirs = pair.prediction, pair.reference
    for date in theirs.dates:
        if any(date.agrees(other) and (not date.year or not other.year or date.year == other.year) for other in ours.dates):
            shared = [other for other in ours.dates if date.agrees(other)]
            if any(other.year == date.year for other in shared) or not (date.year and any(other.year for other in shared)):
                return Evidence(_date(shared[0]), _date(date))
        if date.year and not ours.dates and [number for number in ours.numbers if 1000 <= number <= 2199] == [float(date.year)]:
            return Evidence(str(date.year), _date(date), "the year alone")
    return None


def _date(date: Sequence[int]) -> str:
    return "-".join(f"{part:02d}" if part else "?" for part in date)


def rounded(pair: Pair) -> Evidence | None:
    """The number is rounded, or lies in the range that is asked for."""
    theirs, ours = pair.reference, pair.prediction
    if not pair.is_quantity or not ours.numbers or len(ours.content) > ROUNDED_WORDS:
        return None
    for low, high in theirs.ranges:
        for number in ours.numbers:
            if low <= number <= high and not (number > 1000 and number == int(number)):
                return Evidence(f"{number:g}", f"{low:g} - {high:g}")
    if len(theirs.numbers) != 1:
        return None
    expected = next((word for word in theirs.words if _is_decimal(word)), "")
    for word in ours.words:
        if _is_decimal(word) and _rounds(word, expected) and _scales(ours) == _scales(theirs):
            return Evidence(word, expected)
    return None


def _scales(answer: Answer) -> list[str]:
    return [word for word in answer.words if word in {"thousand", "million", "billion", "trillion", "percent"} or word == "%"]


def _is_decimal(word: str) -> bool:
    return word.replace(",", "").replace(".", "", 1).isdecimal()


def _rounds(said: str, expected: str) -> bool:
    """Tell whether two decimals are one number, written to different digits.

    Range: at least one has a point; a whole number rounds only from a decimal.
    """
    if not expected or ("." not in said and "." not in expected) or said == expected:
        return False
    coarse, fine = sorted((said, expected), key=lambda text: len(text.partition(".")[2]))
    digits = len(coarse.partition(".")[2])
    if len(coarse.replace(".", "").lstrip("0")) < SIGNIFICANT_DIGITS:
        return False
    step = 10.0**-digits
    return abs(float(coarse.replace(",", "")) - float(fine.replace(",", ""))) < step and coarse != fine.rstrip("0").rstrip(".")


def contained(pair: Pair) -> Evidence | None:
    """The whole reference stands in the prediction, between further words."""
    ours, theirs = pair.prediction, pair.reference
    if theirs.content_line in ours.content_line and theirs.content_line != ours.content_line:
        return Evidence(ours.raw.strip()[:200], theirs.line.strip())
    if theirs.bare is not None and theirs.bare.content_line in ours.content_line:
        return Evidence(ours.raw.strip()[:200], theirs.bare.line.strip())
    if len(theirs.joined) >= COMPOUND_LENGTH and _joined_at_word_ends(ours.words, theirs.joined):
        return Evidence(ours.raw.strip()[:200], theirs.raw.strip())
    if pair.is_quantity and set(theirs.numbers) <= set(ours.numbers):
        return Evidence(ours.raw.strip()[:200], " ".join(theirs.words), "the number")
    return None


def _joined_at_word_ends(words: Sequence[str], joined: str) -> bool:
    """Tell whether a text without spaces is made of whole words of another."""
    whole = "".join(words)
    at = whole.find(joined)
    if at < 0:
        return False
    ends, position = {0}, 0
    for word in words:
        position += len(word)
        ends.add(position)
    while at >= 0:
        if at in ends and at + len(joined) in ends:
            return True
        at = whole.find(joined, at + 1)
    return False


def nearly_contained(pair: Pair) -> Evidence | None:
    """All words of the reference stand in the prediction, inflected, mistyped or with words between."""
    wanted, ours = pair.reference.content, pair.prediction.content
    if not wanted or len(wanted) > len(ours) or pair.reference.is_cjk:
        return None
    for start in range(len(ours) - len(wanted) + 1):
        if _alike(ours[start], wanted[0]) and (found := _follows(ours, start, wanted)):
            return Evidence(" ".join(found), " ".join(wanted))
    return None


def _alike(first: str, second: str) -> bool:
    return first == second or (first[0] == second[0] and (stem(first) == stem(second) or is_typo(first, second) or _spelled(first) == _spelled(second)))


def scattered(pair: Pair) -> Evidence | None:
    """All words of the reference stand close together in the prediction, in another order."""
    wanted, ours = pair.reference.stems, pair.prediction.stems
    if len(wanted) < 2 or len(wanted) >= len(ours) or pair.reference.is_cjk or not set(wanted) <= set(ours):
        return None
    places = [at for at, root in enumerate(ours) if root in wanted]
    reach = 2 * len(wanted) + WINDOW
    if any(set(wanted) <= set(ours[start : start + reach]) for start in places):
        return Evidence(" ".join(pair.prediction.content[places[0] : places[-1] + 1])[:200], " ".join(pair.reference.content))
    return None


def head_contained(pair: Pair) -> Evidence | None:
    """The prediction has the reference's first part, up to a comma or bracket; the explanation after it is missing."""
    head = pair.reference.head
    if head is None:
        return None
    if head.content_line in pair.prediction.content_line and any(root not in pair.question.stems for root in head.stems):
        return Evidence(head.line.strip(), pair.reference.raw.strip()[:200])
    return None


def _follows(ours: Sequence[str], start: int, wanted: Sequence[str]) -> list[str] | None:
    found, place = [ours[start]], start
    for word in wanted[1:]:
        place = next((at for at in range(place + 1, min(len(ours), place + 2 + WINDOW)) if _alike(ours[at], word)), -1)
        if place < 0:
            return None
        found.append(ours[place])
    return found


def partial_name(pair: Pair) -> Evidence | None:
    """The name is given by its last word, by initials, or without a middle part."""
    name = pair.name
    if not name:
        return None
    said = [word for word in pair.prediction.words if word not in SUFFIXES]
    for place in (at for at, word in enumerate(said) if word == name[-1] or is_typo(word, name[-1])):
        before = [word for word in said[max(0, place - 4) : place] if word not in TITLES]
        if any(is_given_name(word, name[0]) for word in before[-3:] if word not in LIGHT_WORDS) or (before and _are_initials(before[-1], name)):
            return Evidence(" ".join([*before[-2:], said[place]]), " ".join(name))
    if name[-1] in pair.news and stem(name[-1]) not in pair.question.stems and set(pair.news) <= {*name, *TITLES}:
        return Evidence(name[-1], " ".join(name))
    return None


def _are_initials(word: str, name: Sequence[str]) -> bool:
    return bool(word) and word == "".join(part[0] for part in name[:-1])


def missing_words(pair: Pair) -> Evidence | None:
    """What is said stands in the reference; only closer words are missing."""
    said, wanted = list(dict.fromkeys(pair.news)), pair.expected
    roots = set(map(stem, wanted))
    if not said or not all(stem(word) in roots for word in said) or len(said) > len(wanted):
        return None
    if pair.name and said[-1] != pair.name[-1]:
        return None
    lost = [word for word in wanted if stem(word) not in set(map(stem, said))]
    if not lost:
        return None
    if any(number_of(word) is not None for word in lost) and not pair.reference.dates:
        return None
    if sum(map(len, said)) < MISSING_SHARE * sum(map(len, wanted)):
        return None
    return Evidence(" ".join(said), " ".join(lost))


def reworded(pair: Pair) -> Evidence | None:
    """Half of the words that count are the same, the others are not."""
    if pair.name or pair.is_quantity or pair.is_date or pair.reference.is_list or not pair.shared:
        return None
    said, wanted = set(map(stem, pair.news)), set(map(stem, pair.expected))
    alike = 2 * len(pair.shared) >= REWORDED_SHARE * (len(said) + len(wanted))
    covered = len(pair.shared) >= max(2, COVERED_SHARE * len(wanted))
    if not (alike or covered) or _numbers_conflict(pair):
        return None
    return Evidence(" ".join(pair.news), " ".join(pair.expected))


def _numbers_conflict(pair: Pair) -> bool:
    return bool(pair.reference.numbers or pair.prediction.numbers) and not set(pair.reference.numbers) & set(pair.prediction.numbers)


def offers_alternatives(pair: Pair) -> Evidence | None:
    """The reference is one of several answers given."""
    parts = pair.prediction.alternatives
    if parts and len(pair.prediction.content) <= 3 * len(pair.reference.content) + 6:
        holding = sum(pair.reference.line in part.line for part in parts)
        if 0 < holding < len(parts):
            return Evidence(" | ".join(part.raw.strip()[:40] for part in parts[:5]), pair.reference.line.strip())
    return None
