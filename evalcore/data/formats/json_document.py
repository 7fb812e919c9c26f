"""What every format that is one JSON document needs."""

import json

from evalcore.data.errors import FormatError, quote
from evalcore.data.source import Source

NOTHING = object()


def document(source: Source) -> object:
    """Give the content as JSON, or `NOTHING` when it is none."""
    return source.once("document", _document)


def _document(source: Source) -> object:
    if source.opening[:1] not in (b"{", b"[") or _goes_on_after_a_document(source.text):
        return NOTHING
    try:
        return source.json
    except (json.JSONDecodeError, RecursionError):
        return NOTHING


def _goes_on_after_a_document(text: bytes) -> bool:
    """Tell whether the first line is a document of its own and more follows, so that the whole is none."""
    first, _, second = text.lstrip()[: 1 << 20].partition(b"\n")
    if not second.strip():
        return False
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return True


def explain_failure(source: Source) -> FormatError:
    """Say where a document stops being JSON, and whether it was cut off."""
    text = source.text.decode("utf-8", "surrogatepass")
    try:
        source.json  # noqa: B018
    except RecursionError:
        return FormatError(f"{source.label} is JSON nested too deeply to be answers; give a list of objects, or an object of id to answer")
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")
        place = f"line {error.lineno}, column {error.colno}"
        if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
            end = quote(text[max(0, error.pos - 30) :][:60])
            return FormatError(f"{source.label} is JSON that stops in the middle: {what} at {place}, at the end {end}; it was cut off: copy or write it again")
        found = quote(text[error.pos : error.pos + 60])
        return FormatError(f"{source.label} is no valid JSON: {what} at {place}, before {found}; repair this place, or export the file again")
    return FormatError(f"{source.label} is JSON, but {_shape(source.json)}; {SHAPES}")


SHAPES = 'accepted are a list of objects, an object of id to answer, a SQuAD dataset, {"predictions": […], "references": […]}, or one object a line (JSONL)'


def _shape(value: object) -> str:
    if isinstance(value, dict):
        keys = ", ".join(quote(key) for key in list(value)[:8])
        return f"an object with {len(value)} keys ({keys or 'none'}) that hold no answers"
    if isinstance(value, list):
        return f"a list of {len(value)} entries" + (f", the first of which is {quote(value[0])}" if value else "")
    return f"only {quote(value)}"
