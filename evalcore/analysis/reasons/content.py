"""Content reasons: another answer, or none, as predicates over a pair or a prediction."""

import re
import unicodedata

from evalcore.analysis.kinds import question_type
from evalcore.analysis.losses import LOSS_TITLES, losses
from evalcore.analysis.reasons.answer import Answer, stem
from evalcore.analysis.reasons.lexicon import CHINESE_NEGATIONS, JAPANESE_DENIALS, LIGHT_WORDS, NEGATIONS, NO, REFUSALS, YES
from evalcore.analysis.reasons.pair import Evidence, Pair, runs
from evalcore.analysis.reasons.quantities import number_of
from evalcore.text.extraction.thinking import is_unfinished

NEGATION_REACH = 3  # A negation this many words before the reference denies it.
REFUSAL_LENGTH = 400  # Longer texts that say "I don't know" somewhere go on to answer.
TRUNCATED_LENGTH = 200  # Shorter texts without a final stop are answers, not cut outputs.
TELLING = frozenset(("sign", "decimal_point", "plus_or_hash", "combining_mark"))  # The losses that leave all letters and digits.
WHERE = frozenset(["wo", "où", "ou", "dónde", "dove", "onde", "где"])  # Beside what question_type reads.
_REFUSAL = re.compile("|".join(f"(?:{pattern})" for pattern in REFUSALS), re.IGNORECASE)
_NO_ANSWER = re.compile(
    r"\s*|\W*(?:no answer|noanswer|cannotanswer|unanswerable|not answerable|n/?a|none|unknown|无答案|無答案|keine antwort|sans réponse)\W*", re.IGNORECASE
)  # Marks alone are an answer: "+", "?" and "😀" are asked for, too.
_FINAL = tuple(".!?。！？…)]}\"'”’」』»")
_NOT_ONLY = re.compile(r"\bnot only\b|\bnicht nur\b|\bnon seulement\b|不仅|不僅")


def refuses(prediction: Answer) -> Evidence | None:
    """The prediction says that it does not know or cannot answer."""
    text = prediction.raw
    if len(text) > REFUSAL_LENGTH:
        text = text[:REFUSAL_LENGTH]
    match = _REFUSAL.search(text.strip())
    return Evidence(match[0]) if match else None


def is_no_answer(text: str) -> bool:
    """Tell whether a text stands for "there is no answer".

    >>> is_no_answer(""), is_no_answer("CANNOTANSWER"), is_no_answer("Nina"), is_no_answer("+")
    (True, True, False, False)
    """
    return len(text) <= 40 and _NO_ANSWER.fullmatch(text) is not None


def unfinished(prediction: Answer) -> Evidence | None:
    """The output ends inside its reasoning."""
    text = prediction.raw.rstrip()
    return Evidence(text[-40:], note="the reasoning is never closed") if "<" in text and is_unfinished(text) else None


def cut_off(prediction: Answer) -> Evidence | None:
    """A long output ends without a final mark."""
    text = prediction.raw.rstrip()
    return Evidence(text[-40:], note="no mark ends the text") if len(text) >= TRUNCATED_LENGTH and not text.endswith(_FINAL) else None


def same_letters(prediction: Answer, reference: Answer) -> bool:
    """Tell whether only marks, spaces, case and articles differ."""
    return bool(prediction.letters) and prediction.letters == reference.letters


def telling_mark(prediction: Answer, reference: Answer) -> Evidence | None:
    """A mark that tells answers apart stands on one side alone: "C" for "C++". The letters and digits are the same."""
    lost = [LOSS_TITLES[loss] for loss in losses(prediction.raw, reference.raw) if loss in TELLING]
    return Evidence(prediction.raw.strip()[:60], reference.raw.strip()[:60], ", ".join(lost)) if lost else None


def _verdict(pair: Pair) -> tuple[str, frozenset[str]] | None:
    """Give a reference that says yes or no, with all words that say the same."""
    said = "".join(pair.reference.words) if pair.reference.is_cjk else pair.reference.line.strip()
    return next(((said, verdict) for verdict in (YES, NO) if said in verdict), None)


def same_verdict(pair: Pair) -> Evidence | None:
    """Both say yes, or both say no, in other words: "No, it is not" for false."""
    expected = _verdict(pair)
    if expected is None or pair.prediction.is_cjk or not pair.prediction.words:
        return None
    said = pair.prediction.words[0]
    return Evidence(said, expected[0]) if said in expected[1] and said != expected[0] else None


def yes_no_flipped(pair: Pair) -> Evidence | None:
    """The reference is yes and the prediction no, or the other way round."""
    verdict = _verdict(pair)
    if verdict is None:
        return None
    theirs, expected = verdict
    opposite = NO if expected is YES else YES
    if pair.prediction.is_cjk:
        said = next(
            (
                word
                for word in ("不是", "不对", "不對", "错误", "錯誤", "是", "对", "對", "否", "不", "正确", "正確")
                if pair.prediction.joined.startswith(word)
            ),
            "",
        )
    else:
        said = next((word for word in pair.prediction.words if word in YES or word in NO), "")
    return Evidence(said, theirs) if said and said in opposite and said not in expected else None


def negation_flipped(pair: Pair) -> Evidence | None:
    """One side denies what the other says: "it was not Marie Curie" for Marie Curie."""
    ours, theirs = pair.prediction, pair.reference
    if theirs.is_cjk:
        return _negation_in_chinese(ours.joined, theirs.joined)
    denied = NEGATIONS & set(ours.words)
    if not NEGATIONS.isdisjoint(pair.question.answer.words):
        return None
    if bool(denied) == bool(NEGATIONS & set(theirs.words)):
        return None
    if not denied:
        return Evidence(theirs.line.strip(), theirs.line.strip()) if [word for word in theirs.content if word not in NEGATIONS] == ours.content else None
    words = ours.line.split()
    places = list(runs(ours.line, theirs.line.split()))
    if not places or _NOT_ONLY.search(ours.folded):
        return None
    near = [_denial(words[max(0, place - NEGATION_REACH) : place]) for place in places]
    return Evidence(f"{near[0]} {theirs.line.strip()}", theirs.line.strip()) if all(near) else None


def _denial(before: list[str]) -> str:
    """Give the negation that nothing but grammar parts from what follows."""
    for word in reversed(before):
        if word in NEGATIONS:
            return word
        if word not in LIGHT_WORDS:
            return ""
    return ""


def _negation_in_chinese(ours: str, theirs: str) -> Evidence | None:
    at = ours.find(theirs)
    if not theirs or at < 0 or any(theirs.startswith(word) for word in CHINESE_NEGATIONS):
        return None
    denied = next((word for word in CHINESE_NEGATIONS if ours[:at].endswith(word)), "")
    denied = denied or next((word for word in JAPANESE_DENIALS if ours[at + len(theirs) :].startswith(word)), "")
    return Evidence(denied + theirs, theirs) if denied and ours.count(theirs) == 1 else None


def different_date(pair: Pair) -> Evidence | None:
    """Both sides give a date, and no two of them agree."""
    ours, theirs = pair.prediction, pair.reference
    if not pair.is_date:
        return None
    years = [number for number in ours.numbers if number_is_year(number)]
    if ours.dates and not any(date.agrees(other) for date in theirs.dates for other in ours.dates):
        return Evidence(_shown(ours.dates[0]), _shown(theirs.dates[0]))
    if ours.dates or not years:
        return None
    return Evidence(f"{years[0]:g}", _shown(theirs.dates[0]))


def number_is_year(number: float) -> bool:
    """Tell whether a number can be a year."""
    return 1000 <= number <= 2199 and number.is_integer()


def _shown(date: tuple[int, int, int]) -> str:
    return "-".join(f"{part:02d}" if part else "?" for part in date)


def different_number(pair: Pair) -> Evidence | None:
    """The reference is a number, and the prediction gives another one, another sign, order or unit."""
    if not pair.is_quantity:
        return None
    ours, theirs = pair.prediction.numbers, pair.reference.numbers
    if ours != theirs and sorted(ours) == sorted(theirs):
        return Evidence(" ".join(pair.prediction.words), " ".join(pair.reference.words), "in another order")
    if pair.signs_differ or pair.units_differ:
        return Evidence(pair.prediction.raw.strip()[:80], pair.reference.raw.strip()[:80], "with the other sign" if pair.signs_differ else "in another unit")
    if set(theirs) & set(ours):
        return None
    new = [number for number in pair.prediction.numbers if number not in pair.question.answer.numbers]
    return Evidence(f"{new[0]:g}", f"{pair.reference.numbers[0]:g}") if new else None


def incomplete(pair: Pair) -> Evidence | None:
    """Everything said stands in the reference, but too little to be the answer."""
    said, wanted = list(dict.fromkeys(pair.prediction.stems)), pair.reference.stems
    if not said or len(said) >= len(wanted) or not set(said) <= set(wanted):
        return None
    return Evidence(" ".join(said), " ".join(word for word in wanted if word not in said))


def shares_words(pair: Pair) -> Evidence | None:
    """Some words that count are in both, but fewer than half."""
    if pair.reference.is_cjk:
        return _shares_characters(pair)
    shared = {root for root in pair.shared if root not in pair.question.stems and (len(root) > 1 or pair.reference.is_cjk) and number_of(root) is None}
    return Evidence(" ".join(word for word in pair.news if stem(word) in shared), " ".join(pair.expected)) if shared else None


def _shares_characters(pair: Pair) -> Evidence | None:
    """Two characters in a row that are not in the question stand in both: one alone is in many words."""
    ours, theirs, asked = pair.prediction.joined, pair.reference.joined, pair.question.answer.joined
    runs_of_two = (theirs[at : at + 2] for at in range(len(theirs) - 1))
    shared = next((run for run in runs_of_two if run in ours and run not in asked), "")
    return Evidence(shared, theirs) if shared else None


def script_of(text: str) -> str:
    """Name the script most letters of a text belong to, "" without letters.

    >>> script_of("Paris"), script_of("北京"), script_of("Москва"), script_of("42")
    ('LATIN', 'CJK', 'CYRILLIC', '')
    """
    if text.isascii():
        return "LATIN" if any(map(str.isalpha, text)) else ""
    counts: dict[str, int] = {}
    for character in text[:200]:
        if character.isalpha():
            name = unicodedata.name(character, "").split(" ")[0]
            name = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "FULLWIDTH": "LATIN"}.get(name, name)
            counts[name] = counts.get(name, 0) + 1
    return max(counts, key=lambda script: counts[script]) if counts else ""


def different_script(pair: Pair) -> Evidence | None:
    """Prediction and reference are written in different scripts."""
    if pair.prediction.raw.isascii() and pair.reference.raw.isascii():
        return None
    ours, theirs = script_of(pair.prediction.raw), script_of(pair.reference.raw)
    return Evidence(ours.title(), theirs.title()) if ours and theirs and ours != theirs else None


def expected_kind(pair: Pair) -> str:
    """Say what kind of answer is expected, as far as reference or question show it.

    Range: a date, a number, yes or no, a person, a place, a name; "" where nothing shows.
    """
    reference = pair.reference
    if pair.is_date or (len(reference.numbers) == 1 == len(reference.content) and number_is_year(reference.numbers[0])):
        return "a date"
    if pair.is_quantity:
        return "a number"
    if _verdict(pair) is not None:
        return "yes or no"
    asked = question_type(pair.question.answer.raw)
    if pair.question.asks_who or asked == "who":
        return "a person"
    if asked == "where" or pair.question.first & WHERE:
        return "a place"
    return "a name" if pair.name else ""
