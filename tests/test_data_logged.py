"""Scores that the tools logged agree with ours under the preset of the same scorer; where they do not, both are listed."""

import numpy as np
import pytest

import evalcore
from evalcore import Dataset
from evalcore.data import load
from evalcore.data.logged import compare_all, compare_logged
from tests.shared import shared

INSPECT = "formats/inspect/json/2026-11-30T05-16-27-00-00_tiny_Z7v86NB2m7cZdUttUYBpUg.json"
SAMPLES = "formats/lm_eval/replay__model/samples_tiny_gsm_2026-11-30T05-13-54.239292.jsonl"
LOGS = "data/UKGovernmentBEIS+inspect_ai/tests"
STATE, STATS = "formats/helm/scenario_state.json", "formats/helm/per_instance_stats.json"

# file, added file, mapping, preset, logged column, items
SAME = [
    (SAMPLES, None, {"prediction": "response"}, "lm_eval.gsm8k.strict-match", "exact_match,strict-match", 3),
    (SAMPLES, None, {"prediction": "response"}, "lm_eval.gsm8k.flexible-extract", "exact_match,flexible-extract", 3),
    (INSPECT, None, None, "inspect.exact", "score.exact", 3),
    (INSPECT, None, None, "inspect.f1", "score.f1", 3),
    (INSPECT, None, None, "inspect.match_end_numeric", "score.match", 3),
    (f"{LOGS}/scorer/logs/2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval", None, None, "inspect.match_end", "score.match", 10),
    (f"{LOGS}/analysis/test_logs/2025-05-12T20-28-13-04-00_popularity.json", None, None, "inspect.match_end", "score.match", 3),
    (STATE, STATS, None, "helm.exact_match", "exact_match", 2),
    (STATE, STATS, None, "helm.quasi_exact_match", "quasi_exact_match", 2),
    (STATE, STATS, None, "helm.f1_score", "f1_score", 2),
    ("formats/promptfoo/results.json", None, None, "promptfoo.equals", "success", 2),
    ("formats/dspy/evaluate_results.json", None, None, "dspy.answer_exact_match", "answer_exact_match", 1),
]


@pytest.mark.parametrize(("file", "added", "mapping", "preset", "column", "items"), SAME, ids=[f"{row[3]} {row[4]}" for row in SAME])
def test_the_tools_own_scores(file, added, mapping, preset, column, items):
    loaded = load(shared(*file.split("/")), references=shared(*added.split("/")) if added else None, mapping=mapping)
    assert column in loaded.logged[0]
    found = compare_logged(evalcore.score(loaded.datasets[0], preset=preset), column)
    assert (found.compared, found.equal, found.rows.tolist(), found.unread) == (items, items, [], 0)


def test_differences_are_listed_with_both_numbers():
    dataset = Dataset.of(["a", "b", None, "d"], [["a"], ["x"], ["c"], ["d"]], em=["1", "100", "100", "?"], f1=["0.5", "0", "1", None])
    by_em, by_f1 = compare_all(evalcore.score(dataset), ("em", "f1"))
    assert (by_em.measure, by_em.scale, by_em.compared, by_em.equal, by_em.unread) == ("em", 100.0, 2, 0, 1)
    assert (by_em.rows.tolist(), by_em.logged.tolist(), by_em.ours.tolist()) == ([0, 1], [0.01, 1.0], [1.0, 0.0])
    assert (by_f1.rows.tolist(), by_f1.scale, by_f1.compared) == ([0], 1.0, 2)


def test_a_column_without_any_number():
    found = compare_logged(evalcore.score(Dataset.of(["a"], [["a"]], em=[None])), "em")
    assert (found.compared, found.equal, found.unread) == (0, 0, 0)
    assert not np.isnan(found.scale)
