"""Steps and tokenizers of public scorers: rows that change, that stay, that surprise."""

import pytest
from hypothesis import given

from evalcore.text.catalogue import step
from evalcore.text.edits import apply
from evalcore.text.numerals import value_of
from evalcore.text.resources import MODULES, PACKAGES, PURPOSE, MissingResource, is_available, require
from evalcore.text.tokens import TOKENIZERS, tokenizer
from tests.hostile import texts

ROWS = [
    ("lower_within_length", {}, "İZMİR Straße", "i\u0307zmi\u0307r stra"),
    ("lower_within_length", {}, "ΑΣ", "ας"),
    ("replace_characters", {"characters": "_-", "replacement": " "}, "a_b-c", "a b c"),
    ("replace_characters", {"characters": "0123456789"}, "a7b ７", "ab ７"),
    ("replace_characters", {}, "abc", "abc"),
    ("strip_characters", {"characters": "。", "where": "end"}, "。東京。 。。", "。東京。 "),
    ("strip_characters", {"characters": "\n", "where": "start"}, "\n\nParis\n", "Paris\n"),
    ("strip_characters", {"characters": "ab"}, "aaba", ""),
    ("strip_characters", {}, " a ", " a "),
    ("keep_first_line", {}, "Paris\nLyon", "Paris"),
    ("keep_first_line", {}, "\nParis", ""),
    ("keep_first_line", {}, "Paris\rLyon\u2028", "Paris\rLyon\u2028"),
    ("cut_at_stops", {"stops": ("\n", ".", ",")}, "U.S.", "U"),
    ("cut_at_stops", {"stops": ("Q:", "")}, "yes Q: no", "yes "),
    ("cut_at_stops", {}, "a.b", "a.b"),
    ("drop_articles", {"language": "es"}, "el niño y la luna lo", "  niño y   luna lo"),
    ("drop_articles", {"language": "de"}, "der hund eines kein", "  hund   kein"),
    ("drop_articles", {"language": "vi"}, "của là cái", "     "),
    ("drop_articles", {"language": "vi"}, "cu\u0309a", "cu\u0309a"),
    ("drop_arabic_article", {"where": "anywhere"}, "البيت خيال", " بيت خي "),
    ("drop_arabic_article", {"where": "word_start"}, "البيت الكتاب خيال +ال", " بيت كتاب خيال +ال"),
    ("delete_punctuation_outside_numbers", {}, "3.5 $3.5 -1 1,000 a.m. inf.", "3.5 35 -1 1000 am inf"),
    ("delete_punctuation_outside_numbers", {"numbers": "finite", "trim": True}, "$25.00 (3.14) 3.14. 10:30", "25.00 3.14 3.14 1030"),
    ("delete_punctuation_outside_numbers", {}, "1.5\nx 1.5\n", "15\nx 1.5\n"),
    ("write_numbers_as_floats", {}, "3 007 1e3 1_000 inf ３ ½ 3\n", "3.0 7.0 1000.0 1000.0 inf 3.0 ½ 3.0"),
    ("write_numbers_as_floats", {"numbers": "finite"}, "inf nan infinity 2", "inf nan infinity 2.0"),
    ("fold_width", {}, "ＡＢｃ１２％　～ｶ。", "ABc12% ~ｶ。"),
    ("delete_chinese_punctuation", {}, "《红楼梦》“a.b”—…", "《红楼梦ab"),
    ("delete_chinese_punctuation", {"scorer": "cmrc"}, "《红楼梦》“a.b” (c)", "红楼梦a.b (c)"),
    ("delete_chinese_punctuation", {"scorer": "drcd"}, "《红楼梦》“a.b”！", "红楼梦“ab”！"),
    ("space_out_chinese", {}, "北京abc㐀", " 北  京 abc㐀"),
    ("simplify_chinese", {}, "臺灣大學 ABC", "台湾大学 ABC"),
    ("simplify_chinese", {}, "\ud800漢\x00語", "\ud800汉\x00语"),
    ("write_chinese_numerals_as_digits", {}, "一百零三 十二亿 两千五百", "103 1200000000 2500"),
    ("write_chinese_numerals_as_digits", {}, "二〇〇八年八月八日", "2008年8月8日"),
    ("write_chinese_numerals_as_digits", {}, "万一 统一 一般 千万", "万一 统一 一般 千万"),
    ("write_chinese_numerals_as_digits", {}, "百分之十二点五 第三 三", "12.5% 第3 3"),
    ("write_chinese_numerals_as_digits", {}, "二〇〇 〇〇七", "200 007"),
    ("write_chinese_numerals_as_digits", {}, "壹佰贰拾叁萬", "1230000"),
    ("write_chinese_numerals_as_digits", {}, "百分之百，一百二", "100%，120"),
]


@pytest.mark.parametrize(("name", "parameters", "before", "after"), ROWS)
def test_rows(name, parameters, before, after):
    made = step(name, **parameters)
    assert made.apply(before) == after
    assert apply(before, made.edits(before)) == after


PARAMETERS = sorted({(name, tuple(parameters.items())) for name, parameters, _, _ in ROWS})


@pytest.mark.parametrize(("name", "parameters"), PARAMETERS)
@given(text=texts)
def test_edits_lead_where_the_function_does(name, parameters, text):
    made = step(name, **dict(parameters))
    assert apply(text, made.edits(text)) == made.apply(text)


@pytest.mark.parametrize(
    ("numeral", "value"),
    [
        ("十", 10),
        ("二十", 20),
        ("一百一十", 110),
        ("一万零五", 10005),
        ("一亿二千万", 120000000),
        ("三千零二十一", 3021),
        ("一百零二", 102),
        ("一百二", 120),
        ("三千五", 3500),
        ("一万二", 12000),
        ("二十一", 21),
        ("十十", None),
        ("百", None),
        ("一万亿", 10**12),
        ("一万二千亿", 12000 * 10**8),
        ("万亿", None),
        ("一亿一亿", None),
        ("一" * 60, int("1" * 60)),
        ("一" * 61, None),
        ("一万一亿" * 2000, None),
    ],
)
def test_numerals(numeral, value):
    assert value_of(numeral) == value


@pytest.mark.parametrize("name", sorted(TOKENIZERS))
@given(text=texts)
def test_spans_are_in_order_and_as_many_as_the_tokens(name, text):
    cutter = tokenizer(name)
    spans = cutter.spans(text)
    assert len(spans) == len(cutter.tokens(text))
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
    if cutter.written is None:
        assert [text[start:end] for start, end in spans] == cutter.tokens(text)


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("characters_and_spaces", "北 a", ["北", " ", "a"]),
        ("letter_runs", "U.S. Café-2", ["u", ".", "s", ".", "café", "-", "2"]),
        ("letter_runs", "a\u200bb\t", ["a", "b"]),
        ("jieba_words", "我来到北京清华大学", ["我", "来到", "北京", "清华大学"]),
        ("cmrc_segments", "北京can't", ["北", "京", "ca", "n't"]),
        ("cmrc_segments", 'he said "no". Mr. X left.', ["he", "said", "``", "no", "''", ".", "Mr.", "X", "left", "."]),
    ],
)
def test_tokens(name, text, tokens):
    assert tokenizer(name).tokens(text) == tokens


def test_a_resource_says_what_to_install(monkeypatch):
    assert PACKAGES.keys() == MODULES.keys() == PURPOSE.keys()
    assert all(is_available(name) for name in PACKAGES if name != "math"), "requirements.txt brings every dictionary"
    monkeypatch.setitem(MODULES, "opencc", ("no_such_module",))
    with pytest.raises(MissingResource, match=r"simplify_chinese needs the table of traditional and simplified Chinese.*pip install opencc"):
        require("opencc", "simplify_chinese")
