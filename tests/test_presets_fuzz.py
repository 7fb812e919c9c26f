"""Every preset against a slow restatement of its rule, and its traced path against its fast one."""

import math

import pytest

import evalcore
from evalcore.text.columns import Texts
from evalcore.text.edits import apply
from evalcore.text.normalized import normalize
from evalcore.text.program import program_of
from tests.restated import UNSCORED, others, words
from tests.restated.pairs import hostile_items
from tests.shared import shared

RESTATED = {**words.SCORERS, **others.SCORERS}


def differences(name, count):
    predictions, references = hostile_items(count)
    scores = evalcore.score(predictions, references, preset=name)
    found = []
    for row, (prediction, gold) in enumerate(zip(predictions, references, strict=True)):
        expected = RESTATED[name](prediction, gold)
        got = UNSCORED if scores.unscored[row] else (scores.em[row], scores.f1[row])
        if (expected == UNSCORED) != (got == UNSCORED) or (expected != UNSCORED and not all(map(same, got, expected))):
            found.append((prediction, gold, expected, got))
    return found


def same(number, expected):
    return math.isnan(number) if expected is None else abs(number - expected) <= 1e-9


def test_every_public_qa_scorer_is_restated():
    lines = shared("scorers", "PRESETS.tsv").read_text(encoding="utf-8").splitlines()
    assert {line.split("\t")[0] for line in lines if line.endswith("\tqa")} <= set(RESTATED)


@pytest.mark.parametrize("name", sorted(RESTATED))
def test_it_agrees_with_its_restatement(name):
    assert differences(name, 200) == []


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(RESTATED))
def test_it_agrees_with_its_restatement_at_length(name):
    assert differences(name, 2000) == []


@pytest.mark.parametrize("name", sorted(RESTATED))
@pytest.mark.parametrize("side", ["prediction", "reference"])
def test_the_traced_path_is_the_fast_path(name, side):
    preset = evalcore.preset(name)
    texts, _ = hostile_items(200, seed=1)
    column = normalize(Texts.of(texts), program_of(preset.pipeline.on(side), preset.tokenizer))
    for row, text in enumerate(texts):
        trace = evalcore.trace(text, name, side)
        assert trace.result == column.texts()[row]
        assert [apply(stage.before, stage.edits) for stage in trace.stages] == [stage.after for stage in trace.stages]
        if preset.tokens_from == "normalized" and preset.tokens(text, side) != column.tokens(row):
            pytest.fail(f"tokens of {text!r}: {preset.tokens(text, side)} traced, {column.tokens(row)} fast")


@pytest.mark.parametrize("name", sorted(name for name in RESTATED if evalcore.preset(name).has_f1))
def test_an_explanation_counts_what_the_score_counts(name):
    predictions, references = hostile_items(40, seed=4)
    scores = evalcore.score(predictions, references, preset=name)
    for row, (prediction, gold) in enumerate(zip(predictions, references, strict=True)):
        if scores.best_f1[row] >= 0:
            found = evalcore.explain(prediction, gold, name, reference=int(scores.best_f1[row]))
            assert (found.common, found.predicted, found.gold) == (scores.common[row], scores.predicted[row], scores.gold[row])
