"""Chinese numerals: where they stand in a text, and what they are worth."""

import re

from evalcore.text.edits import Edit

_DIGIT_ROWS = ("〇零", "一壹", "二贰貳两兩", "三叁參", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖")
_DIGITS = {character: value for value, row in enumerate(_DIGIT_ROWS) for character in row}
_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_HUNDREDS = "百佰"  # 百分之百 is the whole.
_GROUPS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_NUMERAL = "".join((*_DIGITS, *_UNITS, *_GROUPS))
_COUNTED = "年月日号號时時点點分秒岁歲个個人名位次届屆级級元块塊米吨噸公里章节節页頁卷集季天周周代世度倍岛島座本只隻条條件台臺篇部场場"

MOST_DIGITS = 60  # A longer row of digits is an identifier, or an output that repeats itself.
LARGEST = 10**24  # Nothing is counted so high with 万 and 亿.

_FOUND = re.compile(rf"(?P<percent>百分之)?(?P<whole>[{_NUMERAL}]+)(?:点|點)?(?P<fraction>(?<=[点點])[{''.join(_DIGITS)}]+)?")
_HAN = re.compile("[\u3400-\u9fff]")


def value_of(numeral: str) -> int | None:
    """Read a numeral, None where the characters do not form one, or one beyond MOST_DIGITS or LARGEST.

    A last digit counts the next lower unit, unless 零 stands before it.

    >>> value_of("一百零三"), value_of("一百三"), value_of("十二亿"), value_of("二〇二三"), value_of("万一")
    (103, 130, 1200000000, 2023, None)
    """
    if all(character in _DIGITS for character in numeral):
        return int(_as_digits(numeral)) if 0 < len(numeral) <= MOST_DIGITS else None
    total, group, digit, last_unit, last_group = 0, 0, None, 10**5, 10**17
    for position, character in enumerate(numeral):
        if character in _DIGITS:
            if digit not in (None, 0):
                return None
            digit = _DIGITS[character]
        elif character in _UNITS:
            unit = _UNITS[character]
            if not digit and not (unit == 10 and group == 0 and (position == 0 or numeral[position - 1] in _GROUPS)):
                return None
            if unit >= last_unit:
                return None
            group, digit, last_unit = group + (digit or 1) * unit, None, unit
        else:
            size = _GROUPS[character]
            part = group + (digit or 0)
            if size > last_group:  # 一万二千亿: the larger unit multiplies all before it.
                total = (total + part) * size
            elif part == 0 or size == last_group:
                return None
            else:
                total += part * size
            group, digit, last_unit, last_group = 0, None, 10**5, size
            if total >= LARGEST:
                return None
    if digit == 0:
        return None
    before = (_UNITS | _GROUPS).get(numeral[-2:-1]) if digit else None
    return total + group + (digit or 0) * (before // 10 if before else 1)


def _as_digits(numeral: str) -> str:
    return "".join(str(_DIGITS[character]) for character in numeral)


def numeral_edits(text: str) -> tuple[Edit, ...]:
    """Give the edits that write every numeral as digits.

    >>> numeral_edits("第三，百分之五十")
    (Edit(start=1, end=2, new='3'), Edit(start=3, end=8, new='50%'))
    """
    edits = []
    for match in _FOUND.finditer(text):
        whole, fraction = match["whole"], match["fraction"]
        end = match.end() if fraction else match.end("whole")
        value = 100 if match["percent"] and whole in _HUNDREDS else value_of(whole)
        if value is None or not (match["percent"] or fraction or _stands_as_number(text, match.start(), end, whole)):
            continue
        plain = all(character in _DIGITS for character in whole)
        digits = _as_digits(whole) if plain else str(value)
        decimals = "." + _as_digits(fraction) if fraction else ""
        edits.append(Edit(match.start(), end, digits + decimals + ("%" if match["percent"] else "")))
    return tuple(edits)


def _stands_as_number(text: str, start: int, end: int, whole: str) -> bool:
    """Tell a numeral from a character that is part of a word."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if len(whole) > 1 or before == "第" or after in set(_COUNTED):
        return True
    return not _HAN.match(before or " ") and not _HAN.match(after or " ")
