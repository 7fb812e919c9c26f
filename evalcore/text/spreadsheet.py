"""Texts in CSV cells that a spreadsheet must show and never compute."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def guarded(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would compute.

    >>> guarded("=1+1"), guarded("'-5"), guarded("'s Gravenhage")
    ("'=1+1", "''-5", "'s Gravenhage")
    """
    return f"'{text}" if text.lstrip("'").startswith(FORMULA_STARTS) else text


def unguarded(cell: str) -> str:
    """Take off what `guarded` put on.

    >>> unguarded("'=1+1"), unguarded("'s Gravenhage")
    ('=1+1', "'s Gravenhage")
    """
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(FORMULA_STARTS) else cell
