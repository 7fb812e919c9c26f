"""Surface reasons: the same answer in another form, as predicates over a pair."""

import math
import re
import unicodedata
from collections.abc import Callable, Sequence

from evalcore.analysis.reasons.answer import Answer, stem
from evalcore.analysis.reasons.forms import ROMAN, alike, same_number, spelled
from evalcore.analysis.reasons.lexicon import LIGHT_WORDS, SUFFIXES, TITLES
from evalcore.analysis.reasons.pair import Evidence, Pair, is_amount, is_given_name, is_typo
from evalcore.analysis.reasons.quantities import number_of

MISSING_SHARE = 0.3  # Less than this share of the letters that count names a part, not the whole.
REWORDED_SHARE = 0.5  # Half of the news of both sides in common: less is a shared topic.
REWORDED_CJK_SHARE = 0.7  # Characters are no words: half of them are common to most names of one kind, such as universities.
REWORDED_LENGTH = 6  # Shorter Chinese answers with another character are other names.
COVERED_SHARE = 2 / 3  # Of a reference of three words two are enough, wherever they stand.
WINDOW = 3  # So many words may stand between the words of a reference inside a prediction.
ACRONYM_LENGTH = (2, 7)
CHINESE_SHORT, CHINESE_LONG = 3, 4  # 北大 for 北京大学; a person's name has three characters and is not cut like that.
SPELLED_OUT_WORDS = 10  # Two initials in a row happen by chance in longer texts.
COMPOUND_LENGTH = 3  # Shorter texts without their spaces stand in others by chance.

_NAME_OF_PLACE = re.compile(r"((?:[A-Z]\w+ ){1,3})of (?:the )?[A-Z][\w -]+")


def other_spelling(pair: Pair) -> Evidence | None:
    """The words are spelling variants of one another."""
    return _word_by_word(pair, lambda first, second: spelled(first) == spelled(second))


def inflected(pair: Pair) -> Evidence | None:
    """The words are other forms of the same words."""
    return _word_by_word(pair, lambda first, second: stem(first) == stem(second))


def mistyped(pair: Pair) -> Evidence | None:
    """A letter or two are wrong."""
    return _word_by_word(pair, is_typo)


def other_numeral(pair: Pair) -> Evidence | None:
    """A number is a numeral on one side, the other words are the same."""
    return _word_by_word(pair, same_number)


def otherwise_formed(pair: Pair) -> Evidence | None:
    """Every word is another form of its counterpart, not all in the same way: a variant here, a slip there."""
    if pair.reference.is_cjk or any(same(pair) for same in (other_spelling, inflected, mistyped, other_numeral)):
        return None
    return _word_by_word(pair, alike)


def _word_by_word(pair: Pair, same: Callable[[str, str], bool]) -> Evidence | None:
    ours, theirs = pair.prediction.content, pair.reference.content
    if len(ours) != len(theirs) or ours == theirs:
        return None
    differing = [(first, second) for first, second in zip(ours, theirs, strict=True) if first != second]
    if not all(same(first, second) for first, second in differing):
        return None
    return Evidence(" ".join(first for first, _ in differing), " ".join(second for _, second in differing))


def same_words(pair: Pair) -> Evidence | None:
    """Everything but grammar, hedges, spaces and marks is the same."""
    if pair.prediction.joined and pair.prediction.joined == pair.reference.joined and not pair.is_bare:
        return Evidence(pair.prediction.line.strip(), pair.reference.line.strip())
    return None


def lost_letters(pair: Pair) -> Evidence | None:
    """One side is the other after its letters beyond ASCII were dropped: "Gtterdmmerung"."""
    return _lost(pair, lambda damaged, kept: damaged.joined == kept.joined)


def lost_letters_within(pair: Pair) -> Evidence | None:
    """The reference stands in the prediction, and lost its letters beyond ASCII."""
    return _lost(pair, lambda damaged, kept: damaged is pair.reference and damaged.content_line in kept.content_line)


def _lost(pair: Pair, found: Callable[[Answer, Answer], bool]) -> Evidence | None:
    for damaged, whole in ((pair.reference, pair.prediction), (pair.prediction, pair.reference)):
        if damaged.raw.isascii() and not whole.raw.isascii() and len(damaged.joined) >= COMPOUND_LENGTH and damaged.joined not in whole.joined:
            kept = Answer("".join(one for one in unicodedata.normalize("NFC", whole.raw) if one.isascii() or not one.isalpha()))
            if found(damaged, kept):
                return Evidence(pair.prediction.raw.strip()[:200], pair.reference.raw.strip()[:200])
    return None


def quoted(pair: Pair) -> Evidence | None:
    """The reference is grammar alone, such as "of", and stands in quotes in the prediction."""
    said = pair.reference.line.strip()
    if said and all(word in LIGHT_WORDS for word in pair.reference.words) and re.search(rf"[\"'] ?{re.escape(said)}[.,]? ?[\"']", pair.prediction.folded):
        return Evidence(pair.prediction.raw.strip()[:200], said)
    return None


def reordered(pair: Pair) -> Evidence | None:
    """The same words stand in another order."""
    ours, theirs = pair.prediction.content, pair.reference.content
    if len(ours) == len(theirs) > 1 and ours != theirs and sorted(ours) == sorted(theirs) and not (pair.prediction.is_cjk or _other_order_of_numbers(pair)):
        return Evidence(" ".join(ours), " ".join(theirs))
    return None


def _other_order_of_numbers(pair: Pair) -> bool:
    """Tell whether numbers stand in another order, which makes another score, range or ratio; dates are read as a whole."""
    return pair.prediction.numbers != pair.reference.numbers and not pair.reference.dates


def light_words_differ(pair: Pair) -> Evidence | None:
    """Only grammar or hedges such as "about" differ."""
    if pair.prediction.content == pair.reference.content and pair.prediction.words != pair.reference.words and not pair.is_bare:
        extra = [word for word in pair.prediction.words if word not in pair.reference.words]
        lost = [word for word in pair.reference.words if word not in pair.prediction.words]
        return Evidence(" ".join(extra), " ".join(lost))
    return None


def abbreviated(pair: Pair) -> Evidence | None:
    """One side is the initials of the other, or in Chinese some of its characters, the first among them."""
    if pair.reference.is_cjk and pair.prediction.is_cjk:
        return _abbreviated_in_chinese(pair.prediction.joined, pair.reference.joined)
    for short, long in ((pair.prediction, pair.reference), (pair.reference, pair.prediction)):
        letters = short.joined
        if ACRONYM_LENGTH[0] <= len(letters) <= ACRONYM_LENGTH[1] and letters.isalpha() and len(short.words) == 1 and _may_spell_out(letters, long):
            for words in (long.words, [word for word in long.words if word not in LIGHT_WORDS]):
                if letters in "".join(word[0] for word in words) and len(words) >= len(letters):
                    return Evidence(pair.prediction.raw.strip()[:60], pair.reference.raw.strip()[:60])
    return None


def _abbreviated_in_chinese(ours: str, theirs: str) -> Evidence | None:
    short, long = sorted((ours, theirs), key=len)
    if not (2 <= len(short) <= CHINESE_SHORT and len(long) >= max(CHINESE_LONG, 2 * len(short)) and short[0] == long[0] and short not in long):
        return None
    rest = iter(long)
    return Evidence(ours, theirs) if all(character in rest for character in short) else None


def _may_spell_out(letters: str, long: Answer) -> bool:
    """Tell whether initials found in a text are no chance: the text is short, or the letters are three and more."""
    return len(long.words) <= (SPELLED_OUT_WORDS if len(letters) == 2 else 4 * SPELLED_OUT_WORDS)


def contained(pair: Pair) -> Evidence | None:
    """The whole reference stands in the prediction, between further words."""
    ours, theirs = pair.prediction, pair.reference
    if ours.joined == theirs.joined:
        return None
    if theirs.content_line in ours.content_line and theirs.content_line != ours.content_line:
        return Evidence(ours.raw.strip()[:200], theirs.line.strip())
    if len(theirs.joined) >= COMPOUND_LENGTH and _joined_at_word_ends(ours.words, theirs.joined):
        return Evidence(ours.raw.strip()[:200], theirs.raw.strip())
    if pair.is_quantity and _in_order(theirs.numbers, ours.numbers) and not (ours.numbers == theirs.numbers and is_amount(ours)):
        return Evidence(ours.raw.strip()[:200], " ".join(theirs.words), "the number")
    return None


def _in_order(part: Sequence[float], whole: Sequence[float]) -> bool:
    rest = iter(whole)
    return all(number in rest for number in part)


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
    """All words of the reference stand in the prediction, inflected, mistyped or with words between; others do, too."""
    wanted, ours = pair.reference.content, pair.prediction.content
    if not wanted or len(wanted) >= len(ours) or pair.reference.is_cjk:
        return None
    for start in range(len(ours) - len(wanted) + 1):
        if alike(ours[start], wanted[0]) and (found := _follows(ours, start, wanted)):
            return Evidence(" ".join(found), " ".join(wanted))
    return None


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
        place = next((at for at in range(place + 1, min(len(ours), place + 2 + WINDOW)) if alike(ours[at], word)), -1)
        if place < 0:
            return None
        found.append(ours[place])
    return found


def partial_name(pair: Pair) -> Evidence | None:
    """The name is given by its last word, by initials, or without a middle part."""
    name = pair.name
    if not name or pair.prediction.joined == pair.reference.joined or _numerals_conflict(pair):
        return None
    said = [word for word in pair.prediction.words if word not in SUFFIXES]
    for place in (at for at, word in enumerate(said) if word == name[-1] or is_typo(word, name[-1])):
        before = [word for word in said[max(0, place - 4) : place] if word not in TITLES]
        if any(is_given_name(word, name[0]) for word in before[-3:] if word not in LIGHT_WORDS) or (before and _are_initials(before[-1], name)):
            return Evidence(" ".join([*before[-2:], said[place]]), " ".join(name))
    if name[-1] in pair.news and stem(name[-1]) not in pair.question.stems and set(pair.news) <= {*name, *TITLES}:
        return Evidence(name[-1], " ".join(name))
    return None


def name_and_place(pair: Pair) -> Evidence | None:
    """A name of the form "Joan of Arc" is given by its first word, or with a title."""
    match = _NAME_OF_PLACE.fullmatch(pair.reference.raw.strip())
    if match is None:
        return None
    name = [word for word in Answer(match[1]).words if word not in TITLES]
    if len(name) != 1 or stem(name[0]) in pair.question.stems:
        return None
    if name[0] in pair.news and set(pair.news) <= {*name, *TITLES}:
        return Evidence(name[0], pair.reference.raw.strip())
    return None


def _are_initials(word: str, name: Sequence[str]) -> bool:
    return bool(word) and word == "".join(part[0] for part in name[:-1])


def missing_words(pair: Pair) -> Evidence | None:
    """What is said stands in the reference; only closer words are missing."""
    if pair.is_bare and pair.prediction.joined == pair.reference.joined:
        return Evidence(pair.prediction.raw.strip(), note="what stands in brackets is missing")
    if pair.reference.is_cjk:
        return _missing_characters(pair)
    said, wanted = list(dict.fromkeys(pair.news)), pair.expected
    roots = set(map(stem, wanted))
    if not said or not all(stem(word) in roots for word in said) or len(said) > len(wanted):
        return None
    if pair.name and said[-1] != pair.name[-1]:
        return None
    lost = [word for word in wanted if stem(word) not in set(map(stem, said))]
    if not lost:
        return None
    if any(number_of(word) is not None or any(map(str.isdigit, word)) for word in lost) and not pair.reference.dates:
        return None
    if sum(map(len, said)) < MISSING_SHARE * sum(map(len, wanted)):
        return None
    return Evidence(" ".join(said), " ".join(lost))


def _missing_characters(pair: Pair) -> Evidence | None:
    """What is said begins the reference, or makes most of it: characters elsewhere are part of other words."""
    said, whole = pair.prediction.joined, pair.reference.joined
    begins = whole.startswith(said) and len(said) >= MISSING_SHARE * len(whole)
    if len(said) < 2 or said == whole or not (begins or (said in whole and len(said) >= COVERED_SHARE * len(whole))):
        return None
    if set(pair.reference.numbers) - set(pair.prediction.numbers) and not pair.reference.dates:
        return None
    return Evidence(said, whole.replace(said, "", 1))


def reworded(pair: Pair) -> Evidence | None:
    """Half of the words that count are the same, the others are not."""
    if pair.name or pair.is_quantity or pair.is_date or pair.reference.is_list or not pair.shared or pair.prediction.joined == pair.reference.joined:
        return None
    said, wanted = set(map(stem, pair.news)), set(map(stem, pair.expected))
    if pair.reference.is_cjk:
        close = min(len(said), len(wanted)) >= REWORDED_LENGTH and 2 * len(pair.shared) >= REWORDED_CJK_SHARE * (len(said) + len(wanted))
        return Evidence("".join(pair.news), "".join(pair.expected)) if close and not _numbers_conflict(pair) else None
    alike = 2 * len(pair.shared) >= REWORDED_SHARE * (len(said) + len(wanted))
    covered = len(pair.shared) >= max(2, COVERED_SHARE * len(wanted))
    if not (alike or covered or _has_run(pair)) or _numbers_conflict(pair):
        return None
    return Evidence(" ".join(pair.news), " ".join(pair.expected))


def _has_run(pair: Pair) -> bool:
    """Tell whether most of the reference stands in the prediction word after word, something new among it."""
    wanted = pair.reference.stems
    length = max(2, math.ceil(COVERED_SHARE * len(wanted)))
    line = f" {' '.join(pair.prediction.stems)} "
    grams = [wanted[start : start + length] for start in range(len(wanted) - length + 1)]
    return any(not pair.shared.isdisjoint(gram) and not pair.question.stems.issuperset(gram) and f" {' '.join(gram)} " in line for gram in grams)


def _numbers_conflict(pair: Pair) -> bool:
    ours, theirs = set(pair.prediction.numbers), set(pair.reference.numbers)
    return (bool(theirs) and not ours & theirs) or _numerals_conflict(pair)


def _numerals_conflict(pair: Pair) -> bool:
    """Tell whether each side has Roman numerals, and none in common: World War I, World War II."""
    ours, theirs = ({word for word in answer.words[1:] if word in ROMAN} for answer in (pair.prediction, pair.reference))
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def offers_alternatives(pair: Pair) -> Evidence | None:
    """The reference is one of several answers given."""
    parts = pair.prediction.alternatives
    if parts and len(pair.prediction.content) <= 3 * len(pair.reference.content) + 6:
        holding = sum(pair.reference.line in part.line for part in parts)
        if 0 < holding < len(parts):
            return Evidence(" | ".join(part.raw.strip()[:40] for part in parts[:5]), pair.reference.line.strip())
    return None
