"""Read settings that were saved as JSON, or written by hand."""

import json
from typing import Any


def read_json(source: str) -> Any:
    """Read the JSON of settings.

    Raises: ValueError saying what is wrong, and where.

    >>> read_json("{")
    Traceback (most recent call last):
    ValueError: the settings are no JSON: line 1, column 2: Expecting property name enclosed in double quotes
    """
    try:
        return json.loads(source)
    except json.JSONDecodeError as error:
        raise ValueError(f"the settings are no JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise ValueError("the settings are nested too deeply; a list of steps and an object of rules are needed") from None
    except ValueError:  # What is left is Python's own limit for the digits of a number.
        raise ValueError("the settings hold a number of thousands of digits; a step has no such parameter") from None
