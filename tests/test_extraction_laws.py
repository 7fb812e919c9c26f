"""Extraction on texts full of tags, boxes, JSON and numbers: what is fast finds what is thorough."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.text.catalogue import CATALOGUE, step
from evalcore.text.edits import apply
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


@given(TEXTS, st.sampled_from(("point", "comma")))
@settings(max_examples=examples(300))
def test_the_first_and_the_last_number_are_among_all(text, marks):
    numbers = numbers_in(text, marks)
    assert first_number(text, marks) == (numbers[0] if numbers else None)
    assert last_number(text, marks) == (numbers[-1] if numbers else None)
