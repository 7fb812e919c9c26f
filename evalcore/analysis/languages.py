"""Which languages a run is written in, as far as its small words show."""

import re
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from evalcore.text.columns import Texts


def words(listed: str) -> frozenset[str]:
    """Make a word list of words between spaces."""
    return frozenset(listed.split())


SAMPLED = 400  # Texts looked at of each column; more do not change the order of languages.
SHARE = 0.1  # A language with a smaller share of the small words found is a quotation.
SMALL_WORDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "en": words("the of and in to is was by for with that on at from are an"),
        "de": words("der die das und ist nicht ein eine den dem von zu mit auf für"),
        "fr": words("le les des et est une dans du que pour qui sur au avec"),
        "es": words("el los las y es una del que por con para en su"),
        "it": words("il gli di è una che per con della del nel sono"),
        "pt": words("os é uma da que por com para em não na ao foi são pelo"),
        "nl": words("het een van en is niet op voor dat met zijn te"),
    }
)
SCRIPTS = (("ru", re.compile("[а-яА-Я]{2}")), ("ar", re.compile("[\u0621-\u064a]{2}")), ("hi", re.compile("[\u0900-\u097f]{2}")))
_WORD = re.compile(r"[^\W\d_]+")


def languages_of(*columns: Texts) -> tuple[str, ...]:
    """Give the languages of some columns, the most frequent first; English where nothing shows.

    >>> languages_of(Texts.of(["Der Hund ist nicht groß", "das Haus und die Katze"]))
    ('de',)
    """
    found: Counter[str] = Counter()
    for column in columns:
        rows = np.linspace(0, len(column) - 1, min(SAMPLED, len(column))).astype(np.int64)
        for text in column.take(rows):
            words = _WORD.findall((text or "")[:500].casefold())
            found.update({language: sum(word in small for word in words) for language, small in SMALL_WORDS.items()})
            found.update(language for language, letters in SCRIPTS if letters.search(text or ""))
    total = sum(found.values())
    kept = tuple(language for language, count in found.most_common() if count and count >= SHARE * total)
    return kept or ("en",)
