"""Every step: rows that must change, rows that must not, and surprises."""

import pickle
import sys

import pytest
import regex

from evalcore.text.catalogue import CATALOGUE, step, step_from_json
from evalcore.text.names import UnknownName
from evalcore.text.rules import StepFailed
from evalcore.text.steps import Step
from evalcore.text.unicode import INVISIBLE

ROWS = [
    ("lower", {}, "The END", "the end"),
    ("lower", {}, "ΟΔΟΣ Σ ΑΣ.", "οδος σ ας."),
    ("lower", {}, "İ", "i\u0307"),
    ("lower", {}, "straße", "straße"),
    ("casefold", {}, "STRASSE Straße", "strasse strasse"),
    ("casefold", {}, "ΟΔΟΣ", "οδοσ"),
    ("normalize_unicode", {"form": "NFC"}, "e\u0301", "é"),
    ("normalize_unicode", {"form": "NFC"}, "２", "２"),
    ("normalize_unicode", {"form": "NFD"}, "한", "\u1112\u1161\u11ab"),
    ("normalize_unicode", {"form": "NFKC"}, "２００８ｶﾞ ﬁ x²", "2008ガ fi x2"),
    ("normalize_unicode", {"form": "NFKD"}, "\u00e9\u00bd", "e\u03011\u20442"),
    ("strip_accents", {}, "Café São Tomé", "Cafe Sao Tome"),
    ("strip_accents", {}, "한국 ガ", "한국 カ"),
    ("strip_accents", {}, "ø ł ı", "ø ł ı"),
    ("drop_invisible", {}, "\ufeffPar\u200bis\u00ad \u202ea\u202c", "Paris a"),
    ("drop_invisible", {}, "a b\u00a0c\u3000-\u2013\u0301", "a b\u00a0c\u3000-\u2013\u0301"),
    ("drop_invisible", {}, "❤\ufe0f 👩\u200d🚀 می\u200cخواهم", "❤ 👩🚀 میخواهم"),
    ("delete_punctuation", {}, "U.S. “x” 3.5", "US “x” 35"),
    ("delete_punctuation", {"which": "unicode"}, "U.S. “x” $5 《书》", "US x $5 书"),
    ("delete_punctuation", {"which": "both"}, "$5 “x” € ～", "5 x € ～"),
    ("delete_punctuation", {"keep": "-"}, "-5 a-b!", "-5 a-b"),
    ("delete_punctuation", {"add": "´‘"}, "l´a ‘b’", "la b’"),
    ("space_out_punctuation", {}, "well-known.", "well known "),
    ("drop_articles", {}, "the theory of a man", "  theory of   man"),
    ("drop_articles", {}, "Banana The", "Banana The"),
    ("drop_articles", {}, "the_night A股 a股", "the_night A股 a股"),
    ("drop_articles", {}, "the\u0301", " \u0301"),
    ("drop_articles", {"engine": "regex"}, "the\u0301", "the\u0301"),
    ("drop_articles", {"engine": "re"}, "a\u200db", " \u200db"),
    ("drop_words", {"words": ("of", "von")}, "of course von off", "  course   off"),
    ("drop_words", {}, "of", "of"),
    ("replace_pattern", {"pattern": r"(\w+), (\w+)", "replacement": r"\2 \1"}, "Curie, Marie", "Marie Curie"),
    ("replace_pattern", {}, "abc", "abc"),
    ("squeeze_whitespace", {}, " a \t\n b\u00a0c\u3000", "a b c"),
    ("squeeze_whitespace", {}, "a\u200bb", "a\u200bb"),
    ("strip_whitespace", {}, "\u2028 a  b ", "a  b"),
    ("remove_whitespace", {}, " 北 京\n", "北京"),
]


@pytest.mark.parametrize(("name", "parameters", "before", "after"), ROWS)
def test_rows(name, parameters, before, after):
    assert step(name, **parameters).apply(before) == after


@pytest.mark.parametrize("name", sorted(CATALOGUE))
def test_every_entry_says_what_it_is(name):
    entry = CATALOGUE[name]
    assert entry.summary.endswith(".")
    assert len(entry.summary) < 72
    assert entry.title[0].isupper()
    made = step(name)
    assert made == step_from_json(made.to_json()) == pickle.loads(pickle.dumps(made))
    assert made.signature.startswith(name)


def test_what_is_invisible_is_what_unicode_ignores_by_default():
    ignorable = regex.compile(r"\p{Default_Ignorable_Code_Point}")
    deleted = {code for first, last in INVISIBLE for code in range(first, last + 1)}
    assert deleted == {code for code in range(sys.maxunicode + 1) if ignorable.match(chr(code))}


def test_every_step_has_a_source():
    assert {name for name, entry in CATALOGUE.items() if not entry.note("Source")} <= {"drop_words", "replace_pattern"}


@pytest.mark.parametrize(
    ("name", "parameters", "error", "says"),
    [
        ("lowr", {}, UnknownName, "lower"),
        ("lower", {"language": "en"}, UnknownName, "parameter of lower"),
        ("delete_punctuation", {"which": "all"}, ValueError, "ascii, unicode, both"),
        ("delete_punctuation", {"keep": 3}, ValueError, "keep is 3"),
        ("drop_words", {"words": "of"}, ValueError, "list of words is needed"),
        ("drop_words", {"words": ("New York",)}, ValueError, "'New York' is not one word"),
        ("replace_pattern", {"pattern": "("}, ValueError, "malformed"),
        ("replace_pattern", {"pattern": "(a)", "replacement": r"\2"}, ValueError, "malformed"),
        ("replace_pattern", {"pattern": "(a)", "replacement": r"\g<x>"}, ValueError, "malformed"),
    ],
)
def test_bad_steps_are_refused(name, parameters, error, says):
    with pytest.raises(error, match=says.replace("(", r"\(")):
        step(name, **parameters)


def test_a_bad_side_is_refused():
    with pytest.raises(ValueError, match="both, prediction, reference"):
        Step(CATALOGUE["lower"], side="left")


@pytest.mark.parametrize("value", [None, "lower", {}, {"step": 3}, {"step": "lower", "colour": 1}, {"step": "lower", "parameters": []}])
def test_json_that_is_no_step_is_refused(value):
    with pytest.raises(ValueError, match="step"):
        step_from_json(value)


@pytest.mark.parametrize("name", ["name", "side", "parameters"])
def test_a_parameter_there_is_not_is_named_whatever_it_is_called(name):
    with pytest.raises(UnknownName, match=f"parameter of lower named '{name}'"):
        step_from_json({"step": "lower", "parameters": {name: "x"}})


@pytest.mark.parametrize(
    ("name", "parameter", "one", "other"),
    [
        ("take_label", "labels", ("a,b", "c"), ("a", "b", "c")),
        ("cut_at_stops", "stops", (",",), ("", "")),
        ("take_after", "phrases", ("x,y",), ("x", "y")),
    ],
)
def test_lists_that_differ_have_signatures_that_differ(name, parameter, one, other):
    assert step(name, **{parameter: one}).signature != step(name, **{parameter: other}).signature


def test_a_catastrophic_pattern_stops_with_a_message():
    evil = step("replace_pattern", pattern=r"(a|aa)+$")
    with pytest.raises(StepFailed, match="did not finish within"):
        evil.apply("a" * 60 + "b")
    with pytest.raises(StepFailed, match="did not finish within"):
        evil.edits("a" * 60 + "b")
