"""Presets of language-model harnesses give the numbers of the scorer they name, on every vector."""

import csv
import json
import math
import time

import pytest

import evalcore
from evalcore.scoring.matches import same_json
from evalcore.scoring.numeric_match import compare, number_of
from evalcore.scoring.presets import MODEL_OUTPUTS
from evalcore.scoring.score import NO_SCORE
from tests.shared import shared

NAMES = [preset.name for family in MODEL_OUTPUTS for preset in family.PRESETS if not preset.compares_formulas]
PERCENT = {"simple_evals.drop"}  # Vectors that hold F1 as 0..100.


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def test_every_preset_of_the_group_is_there():
    with shared("scorers", "PRESETS.tsv").open(encoding="utf-8") as file:
        listed = [row["preset"] for row in csv.DictReader(file, delimiter="\t") if row["group"] == "llm"]
    assert len(listed) == 82
    assert set(listed) <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_agrees_with_its_scorer(name):
    rows = [json.loads(line) for line in shared("scorers", "llm", f"{name}.jsonl").open(encoding="utf-8")]
    scores = evalcore.score([row["output"] for row in rows], [row["references"] for row in rows], preset=name)
    has_answer = any(isinstance(row.get("extracted"), str) for row in rows)
    differences = []
    for row, score, f1, unscored, answer in zip(rows, scores.score, scores.f1, scores.unscored, scores.extracted, strict=True):
        if "error" in row or (unscored is not None and unscored != NO_SCORE):
            found, wanted = [unscored is not None], ["error" in row]
        else:
            expected = row["f1"] / 100 if name in PERCENT else row["f1"]
            found, wanted = [_number(score), _number(f1)], [pytest.approx(row["score"], abs=1e-9), pytest.approx(expected, abs=1e-9)]
            if has_answer and not isinstance(row["extracted"], list | float):
                found, wanted = [*found, answer], [*wanted, row["extracted"]]
        if found != wanted:
            differences.append((row["case"], row["output"], found, wanted))
    assert differences == []


ANSWERS = [
    ("lm_eval.gsm8k.strict-match", "#### 7 no, #### 19", ["7"], 1.0, "7"),
    ("lm_eval.gsm8k.flexible-extract", "It is 18, or $29.", ["29"], 1.0, "$29."),
    ("lm_eval.gsm8k_cot.strict-match", "The answer is 42", ["4"], 1.0, "4"),
    ("lm_eval.exact_match_default", "a\0", ["a"], 1.0, "a\0"),
    ("helm.f1_score", "A", ["A"], 0.0, "A"),
    ("helm.quasi_prefix_exact_match", "nobody knows", ["no"], 1.0, "nobody knows"),
    ("lighteval.quasi_exact_match_helm", "3.14", ["314"], 1.0, "3.14"),
    ("lighteval.quasi_exact_match_math", "\\boxed{\\text{ a}\\text{ b}}", ["a"], math.nan, "\\text{ a}\\text{ b}"),
    ("opencompass.gsm8k", "1,234.0", ["234"], 1.0, "234.0"),
    ("opencompass.EMEvaluator", "The U.S.A.", ["U"], 1.0, "The U.S.A."),
    ("inspect.match_end_numeric", "123456", ["123457"], 1.0, "1.2346e+05"),
    ("inspect.match_end_numeric", "60%", ["60"], 0.0, ""),
    ("inspect.match_end", "711", ["11"], 1.0, "711"),
    ("inspect.exact", "A", ["A"], 0.0, "A"),
    ("openai_evals.match", "Nobody", ["No", "Nob"], 1.0, "No"),
    ("openai_evals.json_match", '{"a": null}', ['{"a": null}'], 0.0, '{"a": null}'),
    ("openai_evals.json_match", "{", ["1"], 0.0, None),
    ("openai_evals.json_match", "1", ["x"], math.nan, "1"),
    ("simple_evals.mgsm_en", "Answer: -1,234.50", ["1234.5"], 1.0, "1234.50"),
    ("simple_evals.math_extract", "Answer: 5\nbye", ["5"], math.nan, "5"),
    ("promptfoo.icontains-all", "red and green", ["Red", "blue"], 0.0, "red and green"),
    ("promptfoo.contains", "x", [""], math.nan, "x"),
    ("mmlu_pro.l2", "I'm sorry", ["I"], 1.0, "I"),
    ("hendrycks_math.boxed_is_equiv", "no box", [""], 0.0, None),
    ("hendrycks_math.boxed_is_equiv", "\\boxed{}", [""], 1.0, ""),
]


@pytest.mark.parametrize(("name", "output", "references", "score", "answer"), ANSWERS)
def test_what_the_facts_say(name, output, references, score, answer):
    scores = evalcore.score([output], [references], preset=name)
    assert scores.score.tolist() == pytest.approx([score], nan_ok=True)
    assert scores.extracted == [answer]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("½", 0.5),
        ("−2½", -2.5),
        ("3²", 9.0),
        ("1.5⁻¹", 1 / 1.5),
        ("²", 2.0),
        ("五十", 50.0),
        ("十二万三千", 123000.0),
        ("三点五", 3.5),
        ("二〇二五", 2025.0),
        ("负五", -5.0),
        ("１，２３４", 1234.0),
        ("1.234,5", 1234.5),
        ("6.02e23", 6.02e23),
        ("Ⅻ", 12.0),
        ("60%", None),
        ("inf", None),
        ("1.2.3", None),
        ("", None),
        ("abc", None),
        ("9⁹⁹⁹⁹⁹", None),
    ],
)
def test_numbers_as_inspect_reads_them(text, value):
    assert number_of(text) == (None if value is None else pytest.approx(value))


def test_a_place_decides():
    assert compare("1 and 2", "1", "begin", numeric=True) == ("1", True)
    assert compare("1 and 2", "2", "exact", numeric=True) == ("1 and 2", False)
    assert compare("Say YES.", "yes", "end") == ("Say YES.", True)
    assert compare("Say YES.", "yes", "end", ignore_case=False) == ("Say YES.", False)


@pytest.mark.parametrize("level", ["[{}]", '{{"a": {}}}'])
def test_json_is_compared_however_deep_it_is_nested(level):
    deep = {}
    for levels in (300, 390, 500):
        deep[levels] = "1"
        for _ in range(levels):
            deep[levels] = level.format(deep[levels])
    other = deep[300].replace("1", "2")
    scores = evalcore.score([deep[300], deep[390], other, deep[500]], [[deep[300]], [deep[390]], [deep[300]], [deep[300]]], preset="openai_evals.json_match")
    assert scores.em.tolist() == [1.0, 1.0, 0.0, 0.0]
    assert scores.extracted[3] is None


@pytest.mark.parametrize("output", ["The answer is 42. " * 5000, "x" * 90_000 + " b", "答" * 90_000, "Answer: " * 10_000, "<think>" * 2_000])
def test_a_long_output_is_scored_in_time_that_grows_with_its_length(output):
    for name in NAMES:
        before = time.process_time()
        scores = evalcore.score([output], [["42"]], preset=name)
        assert len(scores.extracted) == 1
        assert time.process_time() - before < 20, name


def test_null_equals_nothing():
    assert not same_json(None, None)
    assert not same_json({"a": 1}, {"a": 1, "b": 2})
    assert same_json([1, {"a": "x"}], [1.0, {"a": "x"}])
    assert not same_json([1], {"0": 1})
