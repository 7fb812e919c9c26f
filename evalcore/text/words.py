"""Steps that drop whole words."""

from typing import Literal

from evalcore.text.languages import ARABIC_ARTICLE, ARTICLES
from evalcore.text.rules import Engine, Pattern, Rule, WordFilter
from evalcore.text.steps import entries

Language = Literal["en", "es", "de", "vi"]


def drop_articles(language: Language = "en", engine: Engine = "re") -> Rule:
    r"""Put a space in place of every article.

    Source: SQuAD's remove_articles, `\b(a|an|the)\b`, and MLQA's lists; engine `regex` is what DPR, FiD and Atlas import.
    Range: whole words in lower case only, so it belongs after lower; `Banana` stays.
    Differs: an answer that is only an article becomes empty.

    >>> drop_articles().apply("the an-swer of a theory")
    '   -swer of   theory'
    """
    return WordFilter(ARTICLES[language], engine)


def drop_words(words: tuple[str, ...] = (), engine: Engine = "re") -> Rule:
    """Put a space in place of every word of an own list.

    Range: whole words, compared letter by letter as they are spelled.

    >>> drop_words(("approximately",)).apply("approximately 30")
    '  30'
    """
    return WordFilter(tuple(dict.fromkeys(words)), engine)


def drop_arabic_article(where: Literal["word_start", "anywhere"] = "word_start") -> Rule:
    """Put a space in place of the Arabic article at a word.

    Source: MLQA's script for `anywhere`, its copy in lm-evaluation-harness for `word_start`.
    Differs: `anywhere` also cuts words that merely hold these two letters, such as خيال.

    >>> drop_arabic_article("anywhere").apply("البيت"), drop_arabic_article().apply("خيال")
    (' بيت', 'خيال')
    """
    return Pattern(ARABIC_ARTICLE if where == "anywhere" else rf"(?:^|\s){ARABIC_ARTICLE}", " ", "re")


ENTRIES = entries("words", drop_articles, drop_arabic_article, drop_words)
