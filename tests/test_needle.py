"""A text looked for in many: found where Python's str.casefold says so, whatever the texts hold."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalcore.text.columns import Texts
from evalcore.text.folding import LANES, fold
from evalcore.text.needle import Needle
from tests.counts import examples
from tests.hostile import characters, long_texts, texts

CHANGED = [chr(code) for code in range(0x110000) if chr(code).casefold() != chr(code)]


def expected(needle, rows):
    return [row is not None and needle.casefold() in row.casefold() for row in rows]


def found(needle, rows):
    """Look for a needle in texts, and in the same texts folded before."""
    marked = Needle(needle).within(Texts.of(rows)).tolist()
    assert Needle(needle).within_folded(fold(Texts.of(rows))).tolist() == marked
    return marked


@pytest.mark.parametrize(
    ("needle", "text", "holds"),
    [
        ("PARIS", "in comparison", True),
        ("paris", "In PaRiS.", True),
        ("ss", "Straße", True),
        ("ß", "STRASSE", True),
        ("straße", "STRASSE 1", True),
        ("s", "ſ", True),
        ("k", "273 K", True),  # The Kelvin sign.
        ("fi", "ofﬁce", True),
        ("fic", "ofﬁce", True),
        ("i", "İ", True),
        ("İ", "i", False),
        ("σας", "ΣΑΣ", True),
        ("Москва", "В МОСКВЕ, МОСКВА", True),
        ("北", "臺北", True),
        ("京", "北", False),
        ("\ud800", "a\ud800", True),
        ("@", "`", False),  # The case bit tells them apart, and they are no letters.
        ("[", "{", False),
        ("e\u0301", "é", False),
        ("\x00", "a\x00b", True),
        ("a\x1fb", "a", False),
    ],
)
def test_surprising(needle, text, holds):
    assert found(needle, [text, None, text * 30]) == [holds, False, holds]
    assert expected(needle, [text]) == [holds]


@pytest.mark.parametrize("pad", range(2 * LANES + 2))
def test_every_place_is_looked_at(pad):
    for needle in ("q", "Que", "né"):
        rows = ["", "." * pad + needle, None, needle[:-1], needle.upper() + "." * pad, "é" * pad + needle]
        assert found(needle, rows) == expected(needle, rows)


def test_a_hit_lies_within_one_text():
    assert found("ab", ["xa", "bx", "a", "b"]) == [False] * 4
    assert found("éa", ["xé", "ax", "É", "a"]) == [False] * 4


def test_every_character_that_folding_changes():
    rows = [*CHANGED, *(letter.casefold() for letter in CHANGED)]
    for needle in sorted({letter for changed in CHANGED for letter in changed.casefold()}):
        assert found(needle, rows) == expected(needle, rows), repr(needle)


@st.composite
def searches(draw, rows=texts):
    """Give texts, and a needle that is cut out of them or not."""
    listed = draw(st.lists(rows | st.none(), min_size=1, max_size=8))
    text = draw(st.sampled_from([row for row in listed if row] or ["a"]))
    start, size = draw(st.integers(0, len(text) - 1)), draw(st.integers(1, 6))
    cut = text[start : start + size]
    changed = draw(st.sampled_from([str, str.lower, str.upper, str.title, str.swapcase, str.casefold]))
    return draw(st.sampled_from([changed(cut), changed(cut)]) | st.text(characters, min_size=1, max_size=3)), listed


@given(searches())
@example(("n", ["ŉ"]))
@example(("\u0345", ["\u1f80"]))
@settings(max_examples=examples(600))
def test_what_is_found_is_what_casefold_finds(search):
    needle, rows = search
    assert found(needle, rows) == expected(needle, rows)


@given(searches(long_texts))
@settings(max_examples=examples(30), deadline=None)
def test_long_texts(search):
    needle, rows = search
    assert found(needle, rows) == expected(needle, rows)


@given(searches(), st.integers(0, 3), st.integers(0, 3))
@settings(max_examples=examples(60))
def test_part_of_a_column(search, before, after):
    needle, rows = search
    column = Texts.of(["É" + needle] * before + rows + ["É" + needle] * after)[before : before + len(rows)]
    assert Needle(needle).within(column).tolist() == expected(needle, rows)


@given(st.lists(st.binary(max_size=40), max_size=6), texts.filter(bool))
@settings(max_examples=examples(200))
def test_bytes_that_are_no_utf8_stop_nothing(rows, needle):
    assert Needle(needle).within(Texts(pa.array(rows, pa.large_binary()))).shape == (len(rows),)


def test_texts_are_folded_some_at_a_time(monkeypatch):
    rows = [f"{'é' * (row % 40)} Row {row}" for row in range(300)]
    for at_once in (1, 100, 1000):
        monkeypatch.setattr("evalcore.text.needle.AT_ONCE", at_once)
        for needle in ("ROW 7", "é R", "9"):
            assert found(needle, rows) == expected(needle, rows)


def test_a_hit_lies_within_one_of_texts_that_are_parted():
    whole = fold(Texts(pa.array([b"a\xffB", b"x\xffAB", "é\xe9".encode() + b"\xffab"], pa.large_binary())))
    assert Needle("AB").within_folded(whole).tolist() == [False, True, True]


def test_empty():
    assert found("a", []) == []
    assert found("", ["", None, "a"]) == [True, False, True]
    assert found("a", [None, None, ""]) == [False] * 3
    assert Needle("a").within(Texts(pa.nulls(3, pa.large_binary()))).dtype == np.bool_
