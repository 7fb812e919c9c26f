"""Say how many of what."""


def amount(number: int, one: str, many: str = "") -> str:
    """Write a count and its noun, which is in the plural unless the count is 1.

    `many` is needed where the plural is more than an added s.

    >>> amount(1, "item"), amount(1190, "item"), amount(0, "item is", "items are")
    ('1 item', '1,190 items', '0 items are')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def these(number: int, one: str) -> str:
    """Point at so many things.

    >>> these(1, "item"), these(41, "item")
    ('this item', 'these 41 items')
    """
    return f"this {one}" if number == 1 else f"these {amount(number, one)}"
