"""Surface reasons of numbers and dates, as predicates over a pair."""

from collections.abc import Sequence

from evalcore.analysis.reasons.answer import Answer
from evalcore.analysis.reasons.pair import Evidence, Pair, is_amount

SIGNIFICANT_DIGITS = 2  # A number rounded to one digit is a guess.
ROUNDED_LENGTH = 5  # Whole numbers of fewer digits are years and counts, and exact.
LONGEST_NUMBER = 300  # Longer ones are no counts of anything, and Python reads numbers of up to 4,300 digits.
ROUNDED_WORDS = 12  # In longer predictions some number is near by chance.


def number_spelled_otherwise(pair: Pair) -> Evidence | None:
    """The same number stands in another form, or with another unit word."""
    if pair.is_quantity and pair.reference.numbers == pair.prediction.numbers and is_amount(pair.prediction):
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


def within_span(pair: Pair) -> Evidence | None:
    """One side gives a year, the other the decade or the century around it."""
    if not (pair.is_date or pair.is_quantity or pair.reference.spans) or pair.reference.content_line in pair.prediction.content_line:
        return None
    for exact, coarse in ((pair.reference, pair.prediction), (pair.prediction, pair.reference)):
        for first, last in coarse.spans:
            years = [number for number in exact.numbers if first <= number <= last and number.is_integer()]
            if years and not exact.spans and (first, last) not in pair.question.answer.spans:
                said, asked = f"{years[0]:g}", f"{first} - {last}"
                return Evidence(said, asked) if exact is pair.prediction else Evidence(asked, said)
    return None


def _date(date: Sequence[int]) -> str:
    return "-".join(f"{part:02d}" if part else "?" for part in date)


def rounded(pair: Pair) -> Evidence | None:
    """The number is rounded, or lies in the range that is asked for."""
    theirs, ours = pair.reference, pair.prediction
    if not pair.is_quantity or not ours.numbers or len(ours.content) > ROUNDED_WORDS:
        return None
    for low, high in theirs.ranges if not set(theirs.numbers) <= set(ours.numbers) else ():
        for number in ours.numbers:
            if low <= number <= high and not (number > 1000 and number.is_integer()):
                return Evidence(f"{number:g}", f"{low:g} - {high:g}")
    if len(theirs.numbers) != 1:
        return None
    expected = next((word for word in theirs.words if _is_decimal(word)), "")
    for word in ours.words:
        if _is_decimal(word) and _rounds(word, expected) and _scales(ours) == _scales(theirs):
            return Evidence(word, expected)
    return None


def _scales(answer: Answer) -> list[str]:
    return [word for word in answer.words if word in {"thousand", "million", "billion", "trillion", "percent"}]


def _is_decimal(word: str) -> bool:
    return word.replace(",", "").replace(".", "", 1).isdecimal()


def _rounds(said: str, expected: str) -> bool:
    """Tell whether two decimals are one number, written to different digits.

    Range: at least one has a point, or both are too large to be years and
        one of them ends in zeros.
    """
    if not expected or said == expected:
        return False
    if "." not in said and "." not in expected:
        return _rounds_to_zeros(said.replace(",", ""), expected.replace(",", ""))
    coarse, fine = sorted((said, expected), key=lambda text: len(text.partition(".")[2]))
    digits = len(coarse.partition(".")[2])
    if len(coarse.replace(".", "").lstrip("0")) < SIGNIFICANT_DIGITS:
        return False
    step = 10.0**-digits
    return abs(float(coarse.replace(",", "")) - float(fine.replace(",", ""))) < step and coarse != fine.rstrip("0").rstrip(".")


def _rounds_to_zeros(said: str, expected: str) -> bool:
    """Tell whether one whole number is the other to fewer digits: 56,000 for 55,646."""
    coarse, fine = sorted((said, expected), key=lambda text: len(text.rstrip("0")))
    zeros = len(coarse) - len(coarse.rstrip("0"))
    lengths = sorted((len(said), len(expected)))
    if lengths[0] < ROUNDED_LENGTH or lengths[1] > LONGEST_NUMBER or not zeros or len(coarse) - zeros < SIGNIFICANT_DIGITS:
        return False
    return 0 < abs(int(coarse) - int(fine)) <= int(10**zeros) // 2
