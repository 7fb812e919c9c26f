"""Every extraction step: what it keeps, what it must not keep, and what stands for nothing."""

import contextlib
import re
import time

import pytest

from evalcore.text.catalogue import CATALOGUE, step
from evalcore.text.columns import Texts
from evalcore.text.edits import apply
from evalcore.text.extraction.json_field import json_trouble
from evalcore.text.normalized import Room, normalize
from evalcore.text.pipeline import Pipeline
from evalcore.text.program import program_of
from evalcore.text.rules import Budget, StepFailed

ROWS = [
    ("take_line", {}, "\n  Paris \nis it", "Paris"),
    ("take_line", {"choice": "last"}, "Well.\r\nParis\r\n \n", "Paris"),
    ("take_line", {"choice": "all"}, "a\n\n b\u2028c", "a\nb\nc"),
    ("take_line", {}, " \n\t", ""),
    ("take_sentence", {}, "It is 3.5 km. Or so.", "It is 3.5 km."),
    ("take_sentence", {}, "Dr. No lives in the U.S. now. Really.", "Dr. No lives in the U.S. now."),
    ("take_sentence", {}, "是北京。不是上海。", "是北京。"),
    ("take_sentence", {}, "1. Green Shore\n2. Red", "1. Green Shore"),
    ("take_sentence", {"choice": "last"}, "No! Yes?", "Yes?"),
    ("take_after", {}, "The answer is 42.", "42."),
    ("take_after", {}, "ANSWER: C", "C"),
    ("take_after", {}, "**Answer:** C", "C"),
    ("take_after", {}, "**Answer: Paris**", "Paris"),
    ("take_after", {}, "Final answer:\nC", "C"),
    ("take_after", {}, "Answer: 42\nAnswer: 43", "43"),
    ("take_after", {"choice": "first"}, "Answer: 42\nAnswer: 43", "42"),
    ("take_after", {"choice": "all"}, "Answer: 42\nAnswer: 43", "42 43"),
    ("take_after", {}, "#### -6", "-6"),
    ("take_after", {}, "答案是C。", "C。"),
    ("take_after", {}, "答案：42。", "42。"),
    ("take_after", {"until": "sentence"}, "The answer is 3.5. It is so.", "3.5"),
    ("take_after", {"until": "text"}, "Answer: a\nb", "a\nb"),
    ("take_after", {"ignore_case": False}, "ANSWER: C", ""),
    ("take_after", {"phrases": ("reply",)}, "replying: x reply: y", "y"),
    ("take_after", {}, "no phrase at all", ""),
    ("take_after", {"phrases": ()}, "Answer: C", ""),
    ("take_after", {"phrases": (" ",)}, "Answer: C", ""),
    ("take_after", {"phrases": ("  my   reply ",)}, "Well, my\nreply: C", "C"),
    ("take_match", {}, "As in the example #### 7 ... now mine #### 19", "7"),
    ("take_match", {"choice": "last"}, "As in the example #### 7 ... now mine #### 19", "19"),
    ("take_match", {"pattern": r"(\d+) (\w+)", "group": "2"}, "5 km", "km"),
    ("take_match", {"pattern": r"(?P<n>\d+) (\w+)", "group": "n"}, "5 km", "5"),
    ("take_match", {"pattern": r"(a)|(b)"}, "xb", "b"),
    ("take_match", {"pattern": r"b+"}, "xbby", "bb"),
    ("take_match", {"pattern": "paris", "ignore_case": True}, "in PARIS", "PARIS"),
    ("take_match", {"nothing": "marker"}, "####42", "[invalid]"),
    ("take_match", {"trim": False, "pattern": r"(?s)\$(.*)\$"}, "a $ x $ b", " x "),
    ("take_match", {"engine": "re", "pattern": r"\w+"}, " a\u200db", "a"),
    ("take_match_in_turn", {}, "B or so; the answer is (C)", "C"),
    ("take_match_in_turn", {}, "B or so, or C", "B"),
    ("take_match_in_turn", {"nothing": "marker"}, "none", "[invalid]"),
    ("take_last_box", {}, r"\boxed{3} or \boxed{\frac12}", r"\frac12"),
    ("take_last_box", {}, r"\boxed 5", ""),
    ("take_last_box", {"bare": "to_dollar"}, r"$\boxed 5$ is it", "5"),
    ("take_last_box", {}, r"\fbox{5}", ""),
    ("take_last_box", {}, r"\boxed{5", ""),
    ("take_json", {}, ' {"a": 1}\n', ' {"a": 1}\n'),
    ("take_json", {"nothing": "empty"}, "Sure: {}", ""),
    ("require_text", {}, " ", " "),
    ("take_tag", {}, "<answer>\nParis\n</answer>", "Paris"),
    ("take_tag", {}, "<ANSWER lang='en'>Paris</ANSWER>", "Paris"),
    ("take_tag", {"ignore_case": False}, "<ANSWER>Paris</ANSWER>", ""),
    ("take_tag", {"choice": "first"}, "<answer>Lyon</answer> wait <answer>Paris</answer>", "Lyon"),
    ("take_tag", {}, "<answer>Paris", ""),
    ("take_tag", {"unclosed": "to_end"}, "<answer>Paris", "Paris"),
    ("take_tag", {"tag": "final"}, "<final>a</final> <finals>b</finals>", "a"),
    ("take_boxed", {}, r"so \boxed{615}. Check. Final \boxed{615}", "615"),
    ("take_boxed", {}, r"\boxed{\frac{1}{2}}", r"\frac{1}{2}"),
    ("take_boxed", {}, r"\boxed{\{1, 2\}}", r"\{1, 2\}"),
    ("take_boxed", {}, r"$\boxed 5$ is the answer", "5"),
    ("take_boxed", {}, r"\boxed 5.", "5"),
    ("take_boxed", {}, r"\fbox{9}", "9"),
    ("take_boxed", {}, r"\boxed{42", ""),
    ("take_boxed", {"choice": "first"}, r"\boxed{3}, no, \boxed{4}", "3"),
    ("take_boxed", {"choice": "all"}, r"\boxed{3} and \boxed{4}", "3, 4"),
    ("take_boxed", {}, r"\boxed{a\boxed{b}}", r"a\boxed{b}"),
    ("take_json_field", {}, '{"answer": 42}', "42"),
    ("take_json_field", {}, '```json\n{"answer": "Paris", "confidence": 0.9}\n```', "Paris"),
    ("take_json_field", {}, '{"answer": "Paris"} is my final reply', "Paris"),
    ("take_json_field", {}, '{"answer": "a", "answer": "b"}', "b"),
    ("take_json_field", {"choice": "first"}, '{"answer": "a", "answer": "b"}', "a"),
    ("take_json_field", {}, r'{"answer": "l\u00edne\n\"x\""}', 'líne\n"x"'),
    ("take_json_field", {}, '{"answer": [1, {"x": 2}]}', '[1, {"x": 2}]'),
    ("take_json_field", {"path": "answer.*", "choice": "all"}, '{"answer": ["Paris", "Lyon"]}', "Paris, Lyon"),
    ("take_json_field", {"path": "a.1"}, '{"a": [1, true]}', "true"),
    ("take_json_field", {"path": ""}, "so [1, 2] it is", "[1, 2]"),
    ("take_json_field", {"nothing": "empty"}, '{"answer": "Paris"', ""),
    ("take_choice", {}, "C", "C"),
    ("take_choice", {}, "c", "C"),
    ("take_choice", {}, "(C)", "C"),
    ("take_choice", {}, "C. Mitochondria", "C"),
    ("take_choice", {}, "The answer is (c).", "C"),
    ("take_choice", {}, "**Answer:** C", "C"),
    ("take_choice", {}, "Answer: $C$", "C"),
    ("take_choice", {}, r"The correct option is: \boxed{B}", "B"),
    ("take_choice", {}, r"\boxed{\text{(C)}}", "C"),
    ("take_choice", {}, "The answer is definitely B", "B"),
    ("take_choice", {}, "Option A is tempting. However, B is wrong too. The correct answer is D.", "D"),
    ("take_choice", {}, "Choice (D) - none of the above", "D"),
    ("take_choice", {}, "Final answer:\nC", "C"),
    ("take_choice", {}, "答案是C。", "C"),
    ("take_choice", {}, "故选Ｄ。", "D"),
    ("take_choice", {}, "只有选项C是对的，A和B都不对", "C"),
    ("take_choice", {}, "I'm sorry, but I can't help with that.", ""),
    ("take_choice", {"letters": "ABCDEFGHIJ"}, "I am not sure.", ""),
    ("take_choice", {}, "A grows in the dark", ""),
    ("take_choice", {}, "None of the options are correct.", ""),
    ("take_choice", {}, "Option B is correct.", "B"),
    ("take_choice", {}, "C is the right answer", "C"),
    ("take_choice", {}, "A is a letter", ""),
    ("take_choice", {}, "Option B is wrong.", ""),
    ("take_label", {}, "No, because nobody knows.", "no"),
    ("take_label", {}, "nobody knows", ""),
    ("take_label", {"labels": ("New York", "York")}, "in new york", "New York"),
    ("take_label", {"labels": ("正", "负")}, "情感为负。", "负"),
    ("strip_quotes", {}, "“Hamlet”", "Hamlet"),
    ("strip_quotes", {}, " '\"x\"' ", "x"),
    ("strip_quotes", {}, "《红楼梦》", "红楼梦"),
    ("strip_quotes", {}, '"A" or "B"', '"A" or "B"'),
    ("strip_quotes", {}, '"', '"'),
    ("strip_quotes", {}, "it's", "it's"),
    ("drop_final_stop", {}, "Paris.", "Paris"),
    ("drop_final_stop", {}, "北京。", "北京"),
    ("drop_final_stop", {}, "3.", "3"),
    ("drop_final_stop", {}, "U.S.A.", "U.S.A."),
    ("drop_final_stop", {}, "well...", "well..."),
    ("drop_final_stop", {}, "3.14", "3.14"),
    ("take_fenced", {}, "Here:\n```json\n{}\n```\nBye", "{}"),
    ("take_fenced", {}, "no fence", "no fence"),
    ("take_fenced", {"choice": "first"}, "```\na\n```\n~~~\nb\n~~~", "a"),
    ("drop_emphasis", {}, "**42**", "42"),
    ("drop_emphasis", {}, "The final answer is **42**.", "The final answer is 42."),
    ("drop_emphasis", {}, "*The Hobbit* and `code` and ~~old~~", "The Hobbit and code and old"),
    ("drop_emphasis", {}, "**bold and *both* here**", "bold and both here"),
    ("drop_emphasis", {}, "# Answer\n\nParis", "Answer\n\nParis"),
    ("drop_emphasis", {}, "#### 42", "#### 42"),
    ("drop_emphasis", {}, "2*3*4 and 2 * 3 * 4 and snake_case_name", "2*3*4 and 2 * 3 * 4 and snake_case_name"),
    ("drop_emphasis", {}, "答案是**42**。", "答案是42。"),
    ("drop_thinking", {}, "<think>Answer: 12? no.</think> The total is 31.", "The total is 31."),
    ("drop_thinking", {}, "<think>a</think>Lyon<think>b</think>Paris", "LyonParis"),
    ("drop_thinking", {}, "Maybe 12? Or 15.</think>\n42", "42"),
    ("drop_thinking", {"unopened": "keep"}, "Maybe 12?</think>\n42", "Maybe 12?</think>\n42"),
    ("drop_thinking", {"unclosed": "drop"}, "Hm <think>still", "Hm "),
    ("drop_thinking", {"unclosed": "keep"}, "Hm <think>still", "Hm <think>still"),
    ("drop_thinking", {}, "<think>a <think>b</think> c</think>d", "d"),
    ("drop_thinking", {"tags": ("scratchpad",)}, "<Scratchpad>x</scratchpad>y<think>", "y<think>"),
]


@pytest.mark.parametrize(("name", "parameters", "before", "after"), ROWS)
def test_rows(name, parameters, before, after):
    made = step(name, **parameters)
    assert made.apply(before) == after
    assert apply(before, made.edits(before)) == after


def test_there_are_rows_for_every_step():
    assert {name for name, entry in CATALOGUE.items() if entry.group == "extraction"} <= {row[0] for row in ROWS} | {"take_number"}


@pytest.mark.parametrize(("nothing", "after"), [("empty", ""), ("marker", "[none]"), ("keep", "no box")])
def test_what_stands_for_nothing(nothing, after):
    assert step("take_boxed", nothing=nothing, marker="[none]").apply("no box") == after


@pytest.mark.parametrize("name", [name for name, entry in CATALOGUE.items() if any(p.name == "nothing" for p in entry.parameters)])
def test_nothing_found_can_leave_an_item_unscored(name):
    with pytest.raises(StepFailed, match=r"no .* in an empty text"):
        step(name, nothing="unscored").apply("")


def test_unfinished_thinking_is_no_answer():
    with pytest.raises(StepFailed, match="unfinished thinking: '<think>Still thinkin' is never closed"):
        step("drop_thinking").apply("<think>Still thinking about 12")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"answer": 1}', ""),
        ("Paris", "not JSON: no { or [ in the text"),
        ('Sure:\n{"answer": "Paris"', "not JSON: Expecting ',' delimiter at line 2, column 19"),
        ("x {'a': 1}", "not JSON: Expecting property name enclosed in double quotes at line 1, column 4"),
        ("[" * 20_000, "not JSON: "),
        ('{"answer": NaN}', "not JSON: NaN is no value of JSON"),
        ('{"answer": ' + "1" * 5000, "not JSON: Expecting ',' delimiter at line 1, column 5012"),
        ("[" * 200 + "]" * 200, ""),
    ],
)
def test_trouble_with_json_is_named(text, says):
    assert json_trouble(text).startswith(says)
    assert bool(json_trouble(text)) == bool(says)


@pytest.mark.parametrize(
    ("text", "says"), [('{"answer": "Paris"', "not JSON: Expecting"), ("Paris", "not JSON: no {"), ('{"a": 1}', "no JSON with the field 'answer'")]
)
def test_an_output_without_the_field_says_why(text, says):
    with pytest.raises(StepFailed, match=re.escape(says)):
        step("take_json_field").apply(text)


def test_a_trace_shows_what_was_cut_from_where():
    text = "It costs $52,000 in total."
    trace = Pipeline((step("take_number"),)).trace(text)
    assert trace.result == "52000"
    start, end = trace.origin(0, 5)
    assert text[start:end] in ("52,000", "$52,000")
    assert [text[edit.start : edit.end] for edit in trace.stages[0].edits] == ["It costs ", "$", ",", " in total."]


def test_all_candidates_are_counted():
    rule = step("take_match", pattern=r"#### (\d+)").rule
    text = "#### 7 ... #### 19"
    assert [text[start:end] for start, end in rule.candidates(text)] == ["7", "19"]


@pytest.mark.parametrize(
    ("name", "parameters", "says"),
    [
        ("take_match", {"pattern": "("}, "cannot be used"),
        ("take_match", {"pattern": "a", "group": "1"}, "no group 1"),
        ("take_match", {"pattern": "(?P<x>a)", "group": "y"}, "no group y; it has 1 groups, x"),
        ("take_tag", {"tag": "a b"}, "is no name"),
        ("drop_thinking", {"tags": ("a b",)}, "is no name"),
        ("take_choice", {"letters": "A,B"}, "ASCII letters"),
    ],
)
def test_bad_parameters_are_refused(name, parameters, says):
    with pytest.raises(ValueError, match=says):
        step(name, **parameters)


def test_a_catastrophic_pattern_stops_with_a_message():
    with pytest.raises(StepFailed, match="did not finish within"):
        step("take_match", pattern=r"(a|aa)+$").apply("a" * 60 + "b")


def test_a_run_stops_trying_a_pattern_that_used_up_its_time():
    column = Texts.of(["a" * 60 + "b" + str(number) for number in range(200)])
    room = Room(budget=Budget(1.5))
    pipeline = Pipeline((step("take_match", "prediction", pattern=r"(a|aa)+$"),))
    failed = normalize(column, program_of(pipeline, "whitespace"), room).failed
    assert len(failed) == 200
    tried = [message for message in failed.values() if not message.startswith("not tried: ")]
    assert 1 <= len(tried) <= 2


UNITS = ["{", "[", "<think>", "**a ", "`", '{"a":', "\\boxed{", "9", "9,", "1.", "Answer: ", "\\frac", "\\text{", "$", "- ", "_a", "A. ", "一", "一万一亿", " "]
BEHIND = [("Answer:", "*"), ("Answer:", "_"), ("Answer:", '"'), ("4 July", " "), ("July 4", " "), ("1", " "), ('{"a": ', "1")]
CHINESE = ("write_chinese_numerals_as_digits", "fold_width")


@pytest.mark.parametrize(
    "name", [name for name, entry in CATALOGUE.items() if entry.group in ("extraction", "markup", "latex", "numbers", "dates")] + [*CHINESE]
)
@pytest.mark.parametrize(("start", "unit"), [*(("", unit) for unit in UNITS), *BEHIND])
def test_a_long_repetition_comes_to_an_end(name, start, unit):
    before = time.process_time()
    for end in ("", "x"):
        with contextlib.suppress(StepFailed):
            step(name).apply(start + unit * (20_000 // len(unit)) + end)
    assert time.process_time() - before < 10
