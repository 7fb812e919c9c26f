"""Steps that drop whole words."""

from typing import Literal

from evalcore.text.rules import Engine, Rule, WordFilter
from evalcore.text.steps import entries

ARTICLES: dict[str, tuple[str, ...]] = {
    "en": ("a", "an", "the"),
}


def drop_articles(language: Literal["en"] = "en", engine: Engine = "re") -> Rule:
    r"""Put a space in place of every article.

    Source: SQuAD's remove_articles, `\b(a|an|the)\b`; engine `regex` is what DPR, FiD and Atlas import.
    Range: whole words in lower case only, so it belongs after lower; `Banana` stays.
    Differs: an answer that is only an article becomes empty.

    >>> drop_articles().apply("the an-swer of a theory")
    '  -swer of   theory'
    """
    return WordFilter(ARTICLES[language], engine)


def drop_words(words: tuple[str, ...] = (), engine: Engine = "re") -> Rule:
    """Put a space in place of every word of an own list.

    Range: whole words, compared letter by letter as they are spelled.

    >>> drop_words(("approximately",)).apply("approximately 30")
    '  30'
    """
    return WordFilter(tuple(dict.fromkeys(words)), engine)


ENTRIES = entries("words", drop_articles, drop_words)
