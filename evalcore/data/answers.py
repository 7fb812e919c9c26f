"""What counts as a text where an answer stands."""

from evalcore.data.json_text import NO_VALUE, Number, source_of
from evalcore.data.table import Kind, kind_of

TEXT_KEYS = ("text", "answer", "value", "Value")
MORE_KEYS = ("aliases", "Aliases")


def texts_of(value: object) -> list[str] | None:
    """Turn references of any usual shape into texts; None when they are of no such shape.

    Numbers and truth values give their literal, null and a bare NaN give nothing, lists
    may nest, and objects are read by their text, answer or value (with
    aliases), as SQuAD, KILT and TriviaQA write them.

    >>> texts_of([{"text": "Paris"}, {"text": "City of Paris"}])
    ['Paris', 'City of Paris']
    >>> texts_of({"start": 3}) is None
    True
    """
    if value is None or (isinstance(value, Number) and value in NO_VALUE):
        return []
    if isinstance(value, list):
        parts = [texts_of(part) for part in value]
        return None if None in parts else [text for part in parts for text in part or ()]
    if isinstance(value, dict):
        key = next((key for key in TEXT_KEYS if key in value), None)
        more = [value[name] for name in MORE_KEYS if name in value]
        return None if key is None else texts_of([value[key], *more])
    return [value] if kind_of(value) == Kind.TEXT else [source_of(value)]  # type: ignore[list-item]
