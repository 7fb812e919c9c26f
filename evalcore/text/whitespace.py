"""Steps that treat whitespace."""

from evalcore.text.rules import Rule, Whitespace
from evalcore.text.steps import entries


def squeeze_whitespace() -> Rule:
    """Turn runs of whitespace into one space and strip the ends.

    Source: SQuAD's white_space_fix, `" ".join(text.split())`.
    Differs: a zero-width space is no whitespace for Python and stays; a no-break space is.

    >>> squeeze_whitespace().apply(" New\\u00a0 York ")
    'New York'
    """
    return Whitespace("squeeze")


def strip_whitespace() -> Rule:
    """Strip whitespace from both ends.

    Source: str.strip of the running Python.

    >>> strip_whitespace().apply(" a  b\\n")
    'a  b'
    """
    return Whitespace("strip")


def remove_whitespace() -> Rule:
    """Remove all whitespace, also between words.

    Source: the comparison of Chinese scorers, where spaces carry no meaning.

    >>> remove_whitespace().apply("北 京 ")
    '北京'
    """
    return Whitespace("remove")


ENTRIES = entries("whitespace", squeeze_whitespace, strip_whitespace, remove_whitespace)
