"""docs/formats.md is current; settings of an lm-eval results file are replayed."""

import json

import pytest

import evalcore
from evalcore.data import FORMATS, FormatError, load
from evalcore.data.formats import document
from evalcore.data.lm_eval_settings import presets_of_results
from evalcore.data.logged import compare_logged
from tests.shared import ROOT, shared

RUN = ("formats", "lm_eval", "replay__model")
RESULTS, SAMPLES = "results_2026-11-30T05-13-54.239292.json", "samples_tiny_gsm_2026-11-30T05-13-54.239292.jsonl"


def test_the_page_is_current():
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    assert page == document.markdown(), "run: python -m evalcore.data.formats.document > docs/formats.md"
    assert sum(len(formats) for _, formats in document.GROUPS) == len(FORMATS)


def test_replayed_settings_give_the_logged_scores_and_the_published_means():
    published = json.loads(shared(*RUN, RESULTS).read_text(encoding="utf-8"))["results"]["tiny_gsm"]
    presets, left = presets_of_results(shared(*RUN, RESULTS))
    assert (list(presets), left) == ([("tiny_gsm", "strict-match"), ("tiny_gsm", "flexible-extract")], ())
    dataset = load(shared(*RUN, SAMPLES), mapping={"prediction": "response"}).datasets[0]
    for (_, name), preset in presets.items():
        scores = evalcore.score(dataset, preset=preset)
        assert compare_logged(scores, f"exact_match,{name}").equal == 3
        assert scores.summary().em == published[f"exact_match,{name}"]
        assert preset.name in scores.signature


EXACT = {"metric_list": [{"metric": "exact_match"}]}
CONFIGS = [
    ({"filter_list": [{"name": "x", "filter": [{"function": "majority_vote"}]}], **EXACT}, "no step for the filter 'majority_vote'"),
    ({"metric_list": [{"metric": "acc"}]}, "its metrics are 'acc', not exact_match"),
    ({"filter_list": [{"name": "x", "filter": [{"function": "regex", "group_select": 3}]}], **EXACT}, "selects group 3"),
]


@pytest.mark.parametrize(("config", "words"), CONFIGS, ids=[words for _, words in CONFIGS])
def test_what_cannot_be_replayed_is_told(config, words):
    presets, left = presets_of_results(json.dumps({"configs": {"t": config}}).encode())
    assert (presets, len(left)) == ({}, 1)
    assert words in left[0]


def test_settings_without_filters_and_with_all_ignored():
    config = {"metric_list": [{"metric": "exact_match", "ignore_case": True, "ignore_punctuation": True, "ignore_numbers": True, "regexes_to_ignore": ["x+"]}]}
    (preset,) = presets_of_results(json.dumps({"configs": {"t": config}}).encode())[0].values()
    assert evalcore.score(["A.1xx", "b"], [["a"], ["c"]], preset=preset).em.tolist() == [1.0, 0.0]


def test_a_file_without_settings_is_refused():
    with pytest.raises(FormatError, match="has no configs"):
        presets_of_results(b"[]", "x.json")
