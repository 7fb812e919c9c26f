"""Steps for Chinese texts."""

import re
from functools import lru_cache
from typing import Literal

from evalcore.text.edits import Edit, apply, between
from evalcore.text.languages import CHINESE_MARKS, CJK_FIRST, CJK_LAST
from evalcore.text.numerals import numeral_edits
from evalcore.text.resources import require, simplifier
from evalcore.text.rules import CharacterTable, Function, Rule
from evalcore.text.steps import entries

_WIDTHS = {0x3000: " ", **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}}


def fold_width() -> Rule:
    """Turn full-width letters, digits and marks into ASCII.

    Source: Unicode block Halfwidth and Fullwidth Forms, U+FF01 to U+FF5E, and the ideographic space.
    Differs: NFKC folds much more, such as `²`, `ﬁ` and half-width katakana.

    >>> fold_width().apply("ＡＢＣ，１２３ x²")
    'ABC,123 x²'
    """
    return CharacterTable(lambda text: text.translate(_WIDTHS))


@lru_cache(maxsize=8)
def _marks(scorer: str) -> dict[int, None]:
    return dict.fromkeys(map(ord, CHINESE_MARKS[scorer]))


def delete_chinese_punctuation(scorer: Literal["longbench", "cmrc", "drcd"] = "longbench") -> Rule:
    """Delete the marks a Chinese scorer lists.

    Source: the lists of LongBench and InfiniteBench (75 marks beside ASCII), of CMRC 2018, and of DRCD's maintainers.
    Differs: `longbench` has 》 but not 《; `cmrc` keeps the ASCII marks `. , ! ? ( ) " '`.

    >>> delete_chinese_punctuation().apply("《红楼梦》，1.5")
    '《红楼梦15'
    """
    table = _marks(scorer)
    return CharacterTable(lambda text: text.translate(table))


_CJK = re.compile(f"[{CJK_FIRST}-{CJK_LAST}]")


def space_out_chinese() -> Rule:
    """Put spaces around every Chinese character.

    Source: MLQA's mixed segmentation, U+4E00 to U+9FA5.
    Range: whitespace is to be squeezed after it.

    >>> space_out_chinese().apply("北京abc")
    ' 北  京 abc'
    """
    return CharacterTable(lambda text: _CJK.sub(r" \g<0> ", text))


def simplify_chinese() -> Rule:
    """Turn traditional Chinese characters into simplified ones.

    Source: OpenCC, conversion t2s.
    Raises: MissingResource when the package opencc is not installed.
    Differs: Japanese and Korean texts change as well where they share characters.

    >>> simplify_chinese().apply("臺灣大學")
    '台湾大学'
    """
    require("opencc", "simplify_chinese")

    def convert(text: str) -> str:
        return "".join(part if _SURROGATE.match(part) else simplifier()(part) for part in _SURROGATE.split(text) if part)

    def state(text: str) -> tuple[Edit, ...]:
        after = convert(text)
        if len(after) != len(text):
            return between(text, after)
        return tuple(Edit(index, index + 1, new) for index, (old, new) in enumerate(zip(text, after, strict=True)) if old != new)

    return Function(convert, state)


_SURROGATE = re.compile("([\ud800-\udfff\x00])")  # OpenCC takes neither lone surrogates nor NUL.


def write_chinese_numerals_as_digits() -> Rule:
    """Write Chinese numerals as digits.

    Source: the place-value system with 十 百 千 万 亿, decimals after 点, percent after 百分之; plain digits such as years.
    Range: numerals of two or more characters; one alone only as the whole text, after 第, or before a counting word.
    Differs: 万一, 统一 and 一般 stay, and so do rows of more than 60 digits; 三四 (three or four) becomes 34.

    >>> write_chinese_numerals_as_digits().apply("二〇二三年三月，一百二十三人")
    '2023年3月，123人'
    """
    return Function(lambda text: apply(text, numeral_edits(text)), numeral_edits)


ENTRIES = entries("chinese", fold_width, delete_chinese_punctuation, space_out_chinese, simplify_chinese, write_chinese_numerals_as_digits)
