"""Extraction on texts full of tags, boxes, JSON and numbers: what is fast finds what is thorough."""

import itertools

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.text.catalogue import CATALOGUE, step
from evalcore.text.edits import apply
from evalcore.text.expressions import plain_expression
from evalcore.text.extraction.rule import Extraction
from evalcore.text.numbers import first_number, last_number, numbers_in
from evalcore.text.rules import StepFailed
from tests.counts import examples
from tests.pipelines import steps_of

TAGS = ["<think>", "</think>", "<THINKING>", "</thinking>", "<answer>", "</ANSWER>", "<answer x=1>", "<", ">", "</", "<answers>"]
BOXES = ["\\boxed{", "\\fbox", "\\boxed 5", "{", "}", "\\{", "\\", "$"]
JSON = ['{"answer": 1}', '{"answer": ', '"a"', "[1, 2]", "[", "]", "{", "}", ",", ":", " "]
LINES = ["\n", "\r\n", "\u2028", "\x85", " ", "\t", "a", "é", "。", ".", "Dr", "“", "”", '"', "'", "`", "#### 7", "#### ", "### "]
NUMBERS = [
    "1",
    "42",
    "1,000",
    "3.5",
    "½",
    "%",
    " percent",
    "per",
    "$",
    "USD",
    "EUR ",
    "-",
    "−",
    " ",
    "\n",
    "\u00a0",
    "A1",
    "e5",
    "12:30",
    "1776-07-04",
    "٣",
    "ſ",
]
PIECES = st.one_of([st.lists(st.sampled_from(kind), max_size=12) for kind in (TAGS, BOXES, JSON, LINES, NUMBERS, [*TAGS, *BOXES, *JSON, *LINES, *NUMBERS])])
TEXTS = PIECES.map("".join)
EXTRACTIONS = sorted(name for name, entry in CATALOGUE.items() if entry.group == "extraction")


def _outcome(function, text):
    try:
        return function(text)
    except StepFailed as error:
        return f"failed: {error}"


@pytest.mark.parametrize("name", EXTRACTIONS)
@given(data=st.data(), text=TEXTS)
@settings(max_examples=examples(150))
def test_replaying_the_cut_gives_what_the_step_gives(name, data, text):
    drawn = data.draw(steps_of(CATALOGUE[name]))
    assert _outcome(lambda raw: apply(raw, drawn.edits(raw)), text) == _outcome(drawn.apply, text)


CHOOSING = [name for name in EXTRACTIONS if any(parameter.name == "choice" for parameter in CATALOGUE[name].parameters)]


@pytest.mark.parametrize(("name", "choice"), list(itertools.product(CHOOSING, ("first", "last"))))
@given(text=TEXTS)
@settings(max_examples=examples(150))
def test_the_first_and_the_last_are_candidates(name, choice, text):
    rule = step(name, choice=choice).rule
    assert isinstance(rule, Extraction)
    candidates = rule.candidates(text)
    assert rule.found(text) == (rule.spelled(text, candidates[0 if choice == "first" else -1]) if candidates else None)


PLAIN = ("#### (-?[0-9.,]+)", "<answer>(.*?)</", "a?b", "x: ([^.]+)", r"\\boxed\{(.+)\}", "(?:an)swer", "([0-9])([0-9]?)", "a.c", "[0-9]*", "#### *")


@pytest.mark.parametrize("pattern", PLAIN)
@given(text=TEXTS)
@settings(max_examples=100)
def test_a_plain_pattern_finds_what_the_other_engine_finds(pattern, text):
    assert plain_expression(pattern) is not None
    spans = [match.span() for match in regex.finditer(pattern, text)]
    assert [match.span() for match in plain_expression(pattern).finditer(text)] == spans
    found = {choice: step("take_match", pattern=pattern, choice=choice, trim=False, group="0").rule.chosen(text) for choice in ("first", "last", "all")}
    assert list(found["all"]) == spans
    assert (found["first"], found["last"]) == ((spans[0],), (spans[-1],)) if spans else found["first"] == found["last"] == ()


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(x+x+)+y", "a+b+", "(a|b)", "^a", "a$", r"\w", r"\d", "(a?){9}", "a{3}", "a?a?a?a?a?", "(?i)a", "é", "[[a]]", "[a--b]", "(?=a)", "(a)*", "("],
)
def test_other_patterns_are_not_plain(pattern):
    assert plain_expression(pattern) is None


@given(TEXTS, st.sampled_from(("point", "comma")))
@settings(max_examples=examples(300))
def test_the_first_and_the_last_number_are_among_all(text, marks):
    numbers = numbers_in(text, marks)
    assert first_number(text, marks) == (numbers[0] if numbers else None)
    assert last_number(text, marks) == (numbers[-1] if numbers else None)
