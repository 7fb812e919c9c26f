"""Trouble that was reported in public with extraction, numbers and thinking: the expected value for each."""

import pytest

import evalcore
from evalcore import step
from evalcore.analysis.extraction import (
    SETTINGS,
    found_nothing,
    loose_hits,
    loss_of,
    lost_references,
    parts_of_formulas,
    place_of_words,
    several_candidates,
    try_settings,
    unfinished_thinking,
    with_extraction,
)
from evalcore.analysis.shapes import Shape, frequent_shapes, uniform_total
from evalcore.dataset import Dataset
from evalcore.text.rules import Budget, ran_out
from tests.shared import shared

TRIMMED = evalcore.preset("trimmed")


def scored(output, references, *steps):
    """Score one output under trimmed strings with extraction steps before them."""
    return evalcore.score([output], [references], preset=with_extraction(TRIMMED, steps))


def on_prediction(name, **parameters):
    return step(name, "prediction", **parameters)


GOLD = step("take_match", "reference", pattern=r"#### (.+)", nothing="keep")
ROWS = [
    ("Q06", "It is about (2.71).", ["2.71"], (on_prediction("take_number"),), "2.71", 1.0),
    ("Q07", "−8", ["-8"], (step("canonical_numbers"),), None, 1.0),
    ("Q07 sign", "-8", ["8"], (step("canonical_numbers"),), None, 0.0),
    ("Q09 second reference", "ANSWER: 45%", ["45", "45%"], (on_prediction("take_number"),), "45%", 1.0),
    ("Q09 unit", "ANSWER: 45%", ["45"], (on_prediction("take_number"),), "45%", 0.0),
    ("Q09 unit ignored", "ANSWER: 45%", ["45"], (on_prediction("take_number", percent="drop"),), "45", 1.0),
    ("Q10", "ANSWER: 937", ["37"], (on_prediction("take_number"),), "937", 0.0),
    ("Q12", "The profit is $52,000.", ["52000"], (on_prediction("take_number"),), "52000", 1.0),
    ("Q13", "The answer is 64, in all, for both.", ["64"], (on_prediction("take_number"),), "64", 1.0),
    ("Q15", "-6", ["He ends at minus six.\n#### -6"], (GOLD,), None, 1.0),
    ("Q16 range", "1911-1925", ["1911–1925"], (step("canonical_numbers"),), None, 1.0),
    ("Q39 last", "As in the example #### 7 ... now mine #### 19", ["19"], (on_prediction("take_match", choice="last"),), "19", 1.0),
    ("Q39 first", "As in the example #### 7 ... now mine #### 19", ["19"], (on_prediction("take_match", choice="first"),), "7", 0.0),
    ("Q40", "<think>Answer: 12? no.</think> The total is 31.", ["31"], (on_prediction("drop_thinking"), on_prediction("take_number")), "31", 1.0),
    ("Q42", "The plan named there is:\n\n1. Green Shore", ["Green Shore"], (on_prediction("take_line"),), "The plan named there is:", 0.0),
    ("Q43", "so \\boxed{615}. Check. Final \\boxed{615}", ["615"], (on_prediction("take_boxed"),), "615", 1.0),
    ("Q45", "2x-5y+1=0", ["2x+9y+4=0"], (on_prediction("take_number"),), "0", 0.0),
    ("Q46", "(5, \\frac{\\pi}{4})", ["\\left(5, \\frac{\\pi}{3}\\right)"], (step("simplify_latex"),), None, 0.0),
]


@pytest.mark.parametrize(("output", "references", "steps", "extracted", "em"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_reported_cases(output, references, steps, extracted, em):
    scores = scored(output, references, *steps)
    assert scores.em.tolist() == [em]
    if extracted is not None:
        assert scores.extracted == [extracted]


def test_a_list_is_compared_as_a_set():
    boxed = with_extraction(TRIMMED, (on_prediction("take_boxed", nothing="keep"),)).with_rules(tokenizer="list_items", overlap="set", match="same_items")
    scores = evalcore.score(["\\boxed{64}", "64, 27", "27 and 64"], [["27 and 64"]] * 3, preset=boxed)
    assert scores.em.tolist() == [0.0, 1.0, 1.0]
    assert scores.f1.tolist() == pytest.approx([2 / 3, 1.0, 1.0])


@pytest.mark.parametrize(
    ("prediction", "reference", "tolerance", "em"),
    [
        ("3.0", "3", "0", 1.0),
        ("3.14", "3.14159", "0", 0.0),
        ("3.14", "3.14159", "0.01", 1.0),
        ("0.3", "0.1", "0.2", 1.0),
        ("99", "100", "1%", 1.0),
        ("98", "100", "1%", 0.0),
        ("-5", "5", "0.5", 0.0),
        ("50%", "50", "1", 0.0),
        ("five", "five", "0", 1.0),
        ("5 km", "5", "1", 0.0),
    ],
)
def test_numbers_within_a_tolerance(prediction, reference, tolerance, em):
    preset = TRIMMED.with_rules(match="number", tolerance=tolerance)
    assert evalcore.score([prediction], [[reference]], preset=preset).em.tolist() == [em]
    assert (f"tolerance:{tolerance}" in preset.signature) == (tolerance != "0")


@pytest.mark.parametrize("tolerance", ["-1", "a", "", "nan", "inf%"])
def test_a_bad_tolerance_is_refused(tolerance):
    with pytest.raises(ValueError, match="a number from 0 up is needed"):
        TRIMMED.with_rules(tolerance=tolerance)


def test_the_winning_reference_is_named():
    assert scored("ANSWER: 45%", ["45", "45%"], on_prediction("take_number")).best_em.tolist() == [1]


def test_the_strict_preset_keeps_its_number_for_a_range():
    assert evalcore.score(["1911-1925"], [["1911–1925"]], preset="squad_v1").em.tolist() == [0.0]


def test_several_matches_are_counted_and_shown():
    scores = scored("As in the example #### 7 ... now mine #### 19", ["19"], on_prediction("take_match"))
    assert several_candidates(scores) == ((0, ("7", "19")),)


def test_two_identical_boxes_are_one_candidate():
    assert several_candidates(scored("so \\boxed{615}. Final \\boxed{615}", ["615"], on_prediction("take_boxed"))) == ()


def test_unfinished_thinking_is_unscored_and_listed():
    scores = scored("<think>Answer: 12? no.", ["31"], on_prediction("drop_thinking"), on_prediction("take_number"))
    assert scores.unscored[0].startswith("unfinished thinking")
    assert unfinished_thinking(scores.dataset) == (0,)


def test_a_reference_in_the_removed_part_is_found():
    output = "The plan named there is:\n\n1. Green Shore"
    scores = scored(output, ["Blue Shore", "Green Shore"], on_prediction("take_line"))
    (loss,) = lost_references(scores)
    assert (loss.row, loss.reference, output[loss.start : loss.end]) == (0, 1, "Green Shore")


def test_what_was_kept_is_not_lost():
    assert lost_references(scored("It is Green Shore.\nOr not.", ["Green Shore"], on_prediction("take_line"))) == ()
    assert loss_of(Dataset.of([None], [["x"]]), 0, TRIMMED) is None


def test_a_small_part_of_a_formula_is_flagged():
    assert parts_of_formulas(scored("2x-5y+1=0", ["2x+9y+4=0"], on_prediction("take_number"))) == (0,)
    assert parts_of_formulas(scored("\\boxed{615}", ["615"], on_prediction("take_boxed"))) == ()
    assert parts_of_formulas(scored("It is 5 km", ["5"], on_prediction("take_number"))) == ()


def test_a_number_is_found_as_a_whole_word():
    assert place_of_words("the 711th", "11") is None
    assert place_of_words("是北京。", "北京") == (1, 3)


OUTPUTS = ["#### 5", "It is 5.", "5", "no idea", "First 7, then \\boxed{5}"]


def runs(preset="lm_eval.gsm8k.strict-match"):
    return evalcore.score(OUTPUTS, [["5"]] * len(OUTPUTS), preset=preset)


def test_every_setting_says_what_it_rescues():
    results = {result.setting.name: result for result in try_settings(runs())}
    assert set(results) == {setting.name for setting in SETTINGS}
    assert results["last number"].rescued == (1, 2, 4)
    assert results["last number"].lost == ()
    assert results["last number"].em == pytest.approx(4 / 5)
    assert results["last number"].nothing == 1
    assert results["last number"].several == 1
    assert results["boxed"].rescued == (4,)
    assert results["boxed"].lost == (0,)
    assert results["first number"].rescued == (1, 2)


def test_hits_of_a_loose_rule_alone_are_listed():
    flexible = runs("lm_eval.gsm8k.flexible-extract")
    assert loose_hits(flexible, try_settings(flexible)) == (1,)
    plain = runs("trimmed")
    assert loose_hits(plain, try_settings(plain)) == ()


def test_outputs_without_a_candidate_are_listed():
    assert found_nothing(runs()) == (1, 2, 3, 4)
    assert found_nothing(runs("trimmed")) == ()


LONGBENCH = ("data", "viridisGreen+LongBench", "pred", "llama2-7b-chat-4k")
REAL = [
    ((*LONGBENCH, "trec.jsonl"), "first line", 129),
    ((*LONGBENCH, "passage_count.jsonl"), "last number", 5),
    (("data", "OpenBMB+InfiniteBench", "results", "gpt4", "preds_math_find.jsonl"), "last number", 11),
    (("data", "OpenBMB+InfiniteBench", "results", "gpt4", "preds_kv_retrieval.jsonl"), "last quoted text", 352),
]


@pytest.mark.parametrize(("path", "setting", "rescued"), REAL, ids=[row[0][-1] for row in REAL])
def test_real_files_show_what_an_extraction_rescues(path, setting, rescued):
    scores = evalcore.score(evalcore.read(shared(*path)), preset="squad_v1")
    (result,) = try_settings(scores, [setting_ for setting_ in SETTINGS if setting_.name == setting])
    assert len(result.rescued) == rescued


def test_program_outputs_of_gsm8k_load_and_score():
    mapping = {"prediction": "executed", "references": "answer"}
    dataset = evalcore.read(shared("data", "wenhuchen+Program-of-Thoughts", "outputs", "gsm8K_s0_e-1_11_17_10_20.jsonl"), mapping=mapping)
    (result,) = try_settings(evalcore.score(dataset, preset="trimmed"), [setting for setting in SETTINGS if setting.name == "last number"])
    assert len(result.exact) > 900


def test_a_total_of_zero_is_explained_by_the_shapes_of_the_outputs():
    scores = evalcore.score(["<think>Maybe Lima?", "<think>In 1969, I guess", "<think>Or Cuzco?"], [["Peru"], ["1969"], ["Lima"]])
    assert uniform_total(scores) == 0.0
    assert frequent_shapes(scores)[0] == Shape("<think>words?", 2, 0)


def test_a_mixed_total_needs_no_explanation():
    assert uniform_total(evalcore.score(["a", "b"], [["x"], ["b"]])) is None
    assert uniform_total(evalcore.score(["b"], [["b"]])) == 1.0
    assert uniform_total(evalcore.score([None], [["b"]])) is None


def test_what_a_pattern_needs_too_long_for_is_not_tried_again(monkeypatch):
    slow = "a" * 2_000 + "b"
    scores = evalcore.score([slow, "is ab", "no"], [["ab"]] * 3, preset=with_extraction(TRIMMED, (on_prediction("take_match", pattern="(?:a+)+$|ab$"),)))
    assert scores.slow == (0,)
    tried = []
    monkeypatch.setattr(Budget, "run", lambda self, rule, function, text: (tried.append(text), function(text))[1])
    assert found_nothing(scores) == (2,)
    assert scores.extracted == [None, "ab", None]
    assert slow not in tried
    assert "is ab" in tried


@pytest.mark.parametrize(
    ("reason", "slow"),
    [
        ("the pattern '(a+)+$' did not finish within 1 s; simplify it", True),
        ("not tried: the pattern had used up the 20 s it has for a run; simplify it", True),
        ("no references", False),
        (None, False),
    ],
)
def test_an_unscored_reason_tells_whether_time_ran_out(reason, slow):
    assert ran_out(reason) == slow
