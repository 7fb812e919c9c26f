"""Steps that bring inflected words to one form."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal

from evalcore.text.edits import Edit
from evalcore.text.rules import Rule, rewriting
from evalcore.text.steps import entries

LemmaLanguage = Literal[
    "en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "fi", "pl", "cs", "sk", "sl", "ro", "hu", "bg", "ru", "uk",
    "el", "tr", "lt", "lv", "et", "ca", "id", "hi", "fa", "ga",
]  # fmt: skip
StemLanguage = Literal[
    "english", "porter", "german", "french", "spanish", "italian", "portuguese", "dutch", "swedish", "danish", "norwegian",
    "finnish", "russian", "romanian", "hungarian", "turkish", "arabic", "greek", "hindi", "indonesian", "irish", "catalan",
]  # fmt: skip

_WORD = re.compile(r"[^\W\d_]+")


def lemmatize(language: LemmaLanguage = "en") -> Rule:
    """Write every word as its dictionary form.

    Differs: words unlike each other become equal, such as `better` and `good`; an unknown word stays.
    Source: the word lists of simplemma for the language.

    >>> lemmatize().apply("two feet, three dogs")
    'two foot, three dog'
    """
    return _each_word(lambda word: _lemma(word, language))


def stem(language: StemLanguage = "english") -> Rule:
    """Cut the endings off every word.

    Differs: a stem is no word, and unlike words can share one: `generous` and `generosity`.
    Source: the Snowball stemmer of the language; `porter` is the older English one.

    >>> stem().apply("running Cats, Generosity")
    'run cat, generos'
    """
    return _each_word(lambda word: _stemmed(word.lower(), language))


def _lemma(word: str, language: str) -> str:
    """Look one word up; the package is imported on use, as its rules for many languages take long to load."""
    from simplemma import lemmatize

    return str(lemmatize(word, lang=language))


def _stemmed(word: str, language: str) -> str:
    """Stem one word with a stemmer of its own, as stemmers keep the word they work on."""
    import snowballstemmer

    stemmer: Any = snowballstemmer.stemmer(language)
    return str(stemmer.stemWord(word))


def _each_word(change: Callable[[str], str]) -> Rule:
    known = lru_cache(maxsize=65536)(change)

    def edits(text: str) -> tuple[Edit, ...]:
        found = ((match.span(), match.group()) for match in _WORD.finditer(text))
        return tuple(Edit(*span, new) for span, word in found if (new := known(word)) != word)

    return rewriting(edits)


ENTRIES = entries("words", lemmatize, stem)
