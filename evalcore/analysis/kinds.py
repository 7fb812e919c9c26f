"""Kinds of texts: what a question asks for, what an answer is, which script it is in."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

import regex

QUESTION_WORDS = frozenset(("how many", "how much", "how long", "how old", "how", "who", "whom", "whose", "what", "which", "when", "where", "why"))
SAME = {"how much": "how many", "whom": "who"}
YES_NO_STARTS = frozenset(
    (
        "is",
        "are",
        "was",
        "were",
        "am",
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
        "can",
        "could",
        "will",
        "would",
        "shall",
        "should",
        "may",
        "might",
        "must",
        "isn't",
        "aren't",
        "wasn't",
        "weren't",
        "don't",
        "doesn't",
        "didn't",
    )
)
CHINESE = (
    ("how many", re.compile("多少|几[个名位年月日次种座部只人岁]|多[大长高久远]")),
    ("who", re.compile("谁|何人|哪位|哪[个名]人|誰")),
    ("when", re.compile("何时|什么时候|哪年|哪一年|哪[天月日]|何時|什麼時候|几[年月]")),
    ("where", re.compile("哪里|哪儿|何处|何地|什么地方|哪[个一]?(?:国|省|市|城|地)|哪裡")),
    ("why", re.compile("为什么|为何|為什麼|為何|何故")),
    ("how", re.compile("怎么|怎样|如何|怎麼|怎樣")),
    ("which", re.compile("哪")),
    ("what", re.compile("什么|什麼|何")),
    ("yes/no", re.compile("[吗嗎]|是否|是不是|有没有")),
)
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
)
NUMBER_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "thousand",
    "million",
    "billion",
)
YES_NO = frozenset(("yes", "no", "true", "false", "是", "否", "对", "不是", "是的", "对的", "正确", "错误"))

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_DIGIT = re.compile(r"\d")
_DATE = re.compile(
    r"\b\d{4}-\d{1,2}(?:-\d{1,2})?\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b|\d{1,4}\s*年|\d{1,2}\s*月\s*\d{0,2}|"
    rf"\b(?:{'|'.join(MONTHS)})\b\.?,?\s+\d|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{'|'.join(MONTHS)})\b|\b\d{{4}}s\b|"
    r"^\s*(?:in\s+)?(?:1[0-9]|20)\d\d\s*$|\b\d+(?:st|nd|rd|th)\s+century\b|\b\d+\s*(?:bc|ad|bce|ce)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    rf"^\W*(?:about |around |over |nearly )?[-+−]?[$€£¥]?(?:\d[\d,.\s]*|(?:{'|'.join(NUMBER_WORDS)})\b)[-\w\s%°$€£¥./,]{{0,20}}$",
    re.IGNORECASE,
)


def question_type(question: str) -> str:
    """Tell what a question asks for.

    Range: one of the question words, yes/no, other.

    >>> question_type("In which year did it end?"), question_type("How many people?"), question_type("谁写了它？"), question_type("Name a river.")
    ('which', 'how many', 'who', 'other')
    """
    lowered = question.casefold()
    words = _WORD.findall(lowered)
    for start, word in enumerate(words):
        first = word[:-2] if word.endswith(("'s", "’s")) else word
        if first in QUESTION_WORDS:
            pair = " ".join(words[start : start + 2])
            asked = pair if pair in QUESTION_WORDS else first
            return SAME.get(asked, asked)
    if words and words[0] in YES_NO_STARTS:
        return "yes/no"
    return next((name for name, pattern in CHINESE if pattern.search(question)), "other")


def answer_type(reference: str | None) -> str:
    """Tell what kind of answer a reference is.

    Range: no answer, yes/no, date, number, name, span.

    >>> [answer_type(text) for text in (None, "Yes", "12 May 1990", "1,200 km", "Marie Curie", "because it rained")]
    ['no answer', 'yes/no', 'date', 'number', 'name', 'span']
    """
    text = (reference or "").strip()
    if not text:
        return "no answer"
    if text.casefold().rstrip(".!。") in YES_NO:
        return "yes/no"
    if _DIGIT.search(text) and _DATE.search(text):  # Every date has a digit, and most answers have none.
        return "date"
    if _NUMBER.match(text):
        return "number"
    words = text.split()
    capitals = sum(word[:1].isupper() for word in words)
    return "name" if words and len(words) <= 6 and 2 * capitals > len(words) else "span"


@lru_cache(maxsize=65536)
def _script_of(letter: str) -> str:
    name = unicodedata.name(letter, "OTHER").split()[0].split("-")[0]
    return {"CJK": "Han", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Hangul", "FULLWIDTH": "Latin"}.get(name, name.capitalize())


def script(text: str) -> str:
    """Name the script most letters of a text are in.

    Range: a script's name, or "no letters".

    >>> script("да, Moscow"), script("北京"), script("東京タワー"), script("42")
    ('Latin', 'Han', 'Japanese', 'no letters')
    """
    if text.isascii():
        return "Latin" if any(map(str.isalpha, text)) else "no letters"
    counts = Counter(_script_of(letter) for letter in text if letter.isalpha())
    if not counts:
        return "no letters"
    return "Japanese" if "Japanese" in counts and counts.keys() <= {"Japanese", "Han"} else counts.most_common(1)[0][0]


_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]")


def word_count(text: str) -> int:
    """Count words; a script written without spaces counts two characters a word.

    >>> word_count("the capital of France"), word_count("北京是首都。")
    (4, 3)
    """
    unspaced = len(_UNSPACED.findall(text))
    return len(_UNSPACED.sub(" ", text).split()) + unspaced // 2
