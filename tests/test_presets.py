"""Every public QA scorer against vectors measured with its own code."""

import json
import math
import re
from collections import Counter
from dataclasses import dataclass

import pytest

import evalcore
from evalcore.scoring.preset import RULES
from evalcore.scoring.presets import document
from evalcore.text.catalogue import CATALOGUE
from tests.shared import ROOT, shared

CUTS = ("strip_whitespace", "keep_first_line", "replace_pattern", "replace_characters", "strip_characters")
CUT_BEFORE = {"alce_str_em": 7, "lm_eval_coqa": 2}  # Their normalized text in the vectors leaves out these first steps, which cut the output.


@dataclass(frozen=True)
class Case:
    """One line of PRESETS.tsv."""

    preset: str
    vectors: str
    tolerance: float


def cases():
    lines = shared("scorers", "PRESETS.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return [Case(name, vectors, float(tolerance)) for name, vectors, tolerance, group in (line.split("\t") for line in lines) if group == "qa"]


def rows_of(case):
    return [json.loads(line) for line in shared("scorers", case.vectors).read_text(encoding="utf-8").split("\n") if line]


def compared(case):
    """Count the rows whose EM, F1, normalized text or unscored state differ."""
    rows = rows_of(case)
    scores = evalcore.score([row["prediction"] for row in rows], [row["references"] for row in rows], preset=case.preset)
    wrong = Counter(rows=len(rows), em=0, f1=0, text=0, unscored=0)
    for number, row in enumerate(rows):
        wrong["unscored"] += bool(row.get("error")) != (scores.unscored[number] is not None)
        if not row.get("error"):
            wrong["em"] += not near(scores.em[number], row["em"], case.tolerance)
            wrong["f1"] += not near(scores.f1[number], row["f1"], case.tolerance)
            wrong["text"] += not same_text(case.preset, row)
    return wrong


def near(number, expected, tolerance):
    return math.isnan(number) if expected is None else abs(number - expected) <= tolerance


def same_text(name, row):
    if row["normalized_prediction"] is None:
        return True
    preset = evalcore.preset(name)
    whole = preset.with_steps(preset.pipeline.steps[CUT_BEFORE.get(name, 0) :])
    prediction = whole.pipeline.on("prediction").trace(row["prediction"]).result
    references = [preset.pipeline.on("reference").trace(text).result for text in row["references"]]
    return prediction == row["normalized_prediction"] and references == row["normalized_references"]


def test_no_vector_differs(capsys):
    table = {case.preset: compared(case) for case in cases()}
    with capsys.disabled():
        print(f"\n{'preset':42}{'rows':>6}{'EM':>4}{'F1':>4}{'text':>6}{'unscored':>10}   differences")
        for name, wrong in table.items():
            print(f"{name:42}{wrong['rows']:6}{wrong['em']:4}{wrong['f1']:4}{wrong['text']:6}{wrong['unscored']:10}")
        print(f"{len(table)} presets, {sum(wrong['rows'] for wrong in table.values())} rows")
    assert len(table) == 59
    assert {name: dict(wrong) for name, wrong in table.items() if sum(wrong.values()) != wrong["rows"]} == {}


def test_the_cut_steps_are_the_first_ones():
    for name, count in CUT_BEFORE.items():
        steps = evalcore.preset(name).pipeline.steps
        assert all(step.name in CUTS and step.side == "prediction" for step in steps[:count])
        assert steps[count].name == "lower"


PRESETS = {preset.name: preset for preset in evalcore.presets()}


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_describes_itself(name):
    preset = PRESETS[name]
    assert preset.title
    assert preset.family
    assert preset.summary.endswith(".")
    assert preset.differs.endswith(".")
    assert preset.scale in (1, 100)
    assert preset.source
    assert preset.version or "/" not in preset.source.split()[0]
    assert len(preset.described()["name"]) > 0


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_steps_named_in_a_text_exist(name):
    assert all(named in CATALOGUE for named in re.findall(r"\b(?:cut|keep)_[a-z_]+", PRESETS[name].differs))


@pytest.mark.parametrize("name", sorted(name for name, preset in PRESETS.items() if preset.same_as))
def test_an_alias_has_the_rules_it_names(name):
    preset, other = PRESETS[name], PRESETS[PRESETS[name].same_as]
    assert preset.settings == other.settings
    assert preset.name != other.name


def test_presets_that_name_no_other_do_differ():
    settings = Counter(preset.settings for preset in PRESETS.values() if not preset.same_as)
    assert {preset.name for preset in PRESETS.values() if settings[preset.settings] > 1} == set()


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_settings_survive_json(name):
    preset = PRESETS[name]
    assert preset.from_json(preset.to_json()).settings == preset.settings


@pytest.mark.parametrize(
    ("name", "measure", "headline", "numbers"),
    [
        ("squad_v1", "exact match", "em", ("em", "f1")),
        ("asqa_str_em", "containment", "em", ("em",)),
        ("dpr_fid_has_answer", "has answer", "em", ("em",)),
        ("longbench_qa_f1", "", "f1", ("f1",)),
        ("dpr_nq_em", "exact match", "em", ("em",)),
    ],
)
def test_numbers_a_scorer_has_not_are_nan(name, measure, headline, numbers):
    preset = PRESETS[name]
    scores = evalcore.score(["the cat sat", "dog"], [["cat"], ["dog"]], preset=name)
    assert (preset.measure, preset.headline) == (measure, headline)
    assert {column for column in ("em", "f1") if not math.isnan(getattr(scores, column)[0])} == set(numbers)
    assert scores.is_scored.all()
    assert scores.score[1] == 1.0
    assert math.isnan(scores.summary().f1) == ("f1" not in numbers)


def test_the_docs_page_is_current():
    page = (ROOT / "docs" / "presets.md").read_text(encoding="utf-8")
    assert page == document.markdown(), "run: python -m evalcore.scoring.presets.document > docs/presets.md"
    assert all(f"### `{name}`" in page for name in PRESETS)


def test_every_rule_is_put_into_words():
    silent = {("tokens_from", "normalized"), ("gate", "none"), ("empty_references", "keep"), ("no_answer_text", "none")}
    silent |= {("empty_prediction", "compare"), ("missing", "leave_out"), ("rounding", "none"), ("tolerance", "0")}
    used = {(rule, getattr(preset, rule)) for preset in PRESETS.values() for rule in RULES}
    assert used - silent - set(document.RULE_TEXTS) == set()
    assert {rule for rule, _ in document.RULE_TEXTS} <= set(RULES)


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_reads_in_plain_text(name):
    text = document.plain_text(PRESETS[name])
    assert text.startswith(name)
    assert text.count("\n  - ") == len(document.rule_texts(PRESETS[name]))
    assert len(document.row(PRESETS[name])) == len(document.COLUMNS)
    assert document.differences(PRESETS[name], PRESETS[name]) == ()


def test_a_missing_dictionary_is_named_before_the_run(monkeypatch):
    import importlib.util

    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "jieba" else found(name, *rest))
    with pytest.raises(RuntimeError, match=r"the preset longbench_qa_f1_zh needs the Chinese word dictionary.*pip install jieba"):
        evalcore.score(["北京"], [["北京"]], preset="longbench_qa_f1_zh")
    assert evalcore.score(["北京"], [["北京"]], preset="infinitebench_qa_f1_zh").f1[0] == 1.0
