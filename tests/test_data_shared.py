"""Real files load as what they are."""

import json

import numpy as np
import pytest

import evalcore
from evalcore.data import load, read
from tests.shared import shared

XQUAD = ("data", "google-deepmind+xquad", "xquad.en.json")
REGRESSION = ("data", "rajpurkar+SQuAD-explorer", "models", "1.1", "Logistic Regression Baseline (Stanford University).json")
EVOUNA = ("data", "wangcunxiang+QA-Eval", "EVOUNA", "TQ.json")


@pytest.mark.parametrize("order", [1, -1], ids=["predictions first", "references first"])
def test_squad_dataset_and_predictions(order):
    loaded = load(shared(*REGRESSION), references=shared(*XQUAD)) if order == 1 else load(shared(*XQUAD), references=shared(*REGRESSION))
    report = loaded.report
    assert [table.format for table in loaded.tables] == ["JSON by id", "SQuAD dataset"]
    assert (report.how, report.items, report.matched) == ("by id", 1190, 1188)
    assert list(report.references_without_prediction.ids) == ["5726385e271a42140099d799", "5733f309d058e614000b664a"]
    assert len(report.predictions_without_reference) == 10585 - 1188
    summary = evalcore.score(loaded.datasets[0], preset="squad_v1").summary()
    assert (summary.exact, f"{100 * summary.em:.2f}", f"{100 * summary.f1:.2f}") == (411, "34.60", "45.93")


@pytest.mark.parametrize("system", ["fid", "gpt35", "chatgpt", "gpt4", "newbing"])
@pytest.mark.parametrize("preset", ["squad_v1", "squad_v2"])
def test_evouna(system, preset):
    roles = {"prediction": f"answer_{system}", "references": "golden_answer", "separator": "/", "where": {"improper": False}}
    loaded = load(shared(*EVOUNA), mapping=roles)
    assert loaded.systems == (system,)
    assert (loaded.report.items, len(loaded.report.left_out)) == (1938, 62)
    assert_scores(loaded.datasets[0], preset, f"EVOUNA/TQ.json:{system} (not improper)")


def test_evouna_guesses_five_systems_with_their_labels():
    mapping = load(shared(*EVOUNA)).mapping
    assert mapping.predictions == tuple(f"answer_{system}" for system in ("fid", "gpt35", "chatgpt", "gpt4", "newbing"))
    assert mapping.labels == tuple(column.replace("answer", "judge") for column in mapping.predictions)


@pytest.mark.parametrize("name", ["NQ_DPR", "NQ_FiD"])
@pytest.mark.parametrize("preset", ["squad_v1", "squad_v2"])
def test_openqa(name, preset):
    dataset = read(shared("data", "ehsk+OpenQA-eval", "data", "model_outputs", f"{name}.jsonl"))
    assert len(dataset) == 3610
    assert_scores(dataset, preset, f"OpenQA {name}")


@pytest.mark.parametrize("name", ["2wikimqa", "hotpotqa", "multifieldqa_en", "musique", "narrativeqa", "passage_count", "qasper", "trec", "triviaqa"])
@pytest.mark.parametrize("preset", ["squad_v1", "squad_v2"])
def test_longbench(name, preset):
    dataset = read(shared("data", "viridisGreen+LongBench", "pred", "llama2-7b-chat-4k", f"{name}.jsonl"))
    assert_scores(dataset, preset, f"LongBench llama2-7b-chat-4k/{name}.jsonl")


def assert_scores(dataset, preset, key):
    expected = json.loads(shared("data", "reference_scores.json").read_text(encoding="utf-8"))["scores"][key]
    scores = evalcore.score(dataset, preset=preset)
    found = {"em": f"{100 * np.nanmean(scores.em):.2f}", "f1": f"{100 * np.nanmean(scores.f1):.2f}"}
    assert len(dataset) == expected["n"]
    assert found == {name: f"{expected[preset][name]:.2f}" for name in ("em", "f1")}


# folder, file, format, rows, predictions, references, separator
FILES = [
    ("data/OpenBMB+InfiniteBench/results/gpt4", "preds_math_find.jsonl", "InfiniteBench predictions", 350, "prediction", "ground_truth", None),
    ("data/OpenBMB+InfiniteBench/results/gpt4", "preds_longbook_qa_chn.jsonl", "InfiniteBench predictions", 189, "prediction", "ground_truth", None),
    ("data/ehsk+OpenQA-eval/data", "NQ301_BEM.tsv", "TSV", 1490, "Model answer", "Gold answers", "|"),
    ("data/ehsk+OpenQA-eval/data/model_outputs", "NQ301_text-davinci-003_zeroshot.jsonl", "OpenQA-eval outputs", 301, "prediction", "answer", None),
    ("formats/plain", "data.csv", "CSV", 2, "model_output", "gold_answers", "|"),
    ("formats/plain", "data_semicolon.csv", "CSV", 2, "model_output", "gold_answers", "|"),
    ("formats/plain", "data.tsv", "TSV", 2, "model_output", "gold_answers", "|"),
    ("formats/plain", "data.jsonl", "JSONL", 2, "model_output", "gold_answers", None),
    ("formats/plain", "data.parquet", "Parquet", 2, "model_output", "gold_answers", None),
    ("formats/hf_evaluate", "exact_match_lists.json", "JSON rows", 2, "predictions", "references", None),
]


@pytest.mark.parametrize(("folder", "name", "format", "rows", "predictions", "references", "separator"), FILES, ids=[row[1] for row in FILES])
def test_one_file(folder, name, format, rows, predictions, references, separator):
    loaded = load(shared(folder, name))
    assert (loaded.tables[0].format, len(loaded.datasets[0])) == (format, rows)
    assert (loaded.mapping.predictions, loaded.mapping.references, loaded.mapping.separator) == ((predictions,), (references,), separator)
    assert loaded.report.matched == rows
    assert not len(loaded.report.bad_rows)


PAIRS = [
    ("squad/predictions.json", "squad/dev-v2.0.json", 2),
    ("squad/predictions.json", "squad/dev-v1.1.json", 1),
    ("hf_evaluate/squad_predictions.json", "hf_evaluate/squad_references.json", 1),
    ("hf_evaluate/squad_predictions.json", "squad/dev-v1.1.json", 1),
]


@pytest.mark.parametrize(("predictions", "references", "matched"), PAIRS)
def test_two_files(predictions, references, matched):
    loaded = load(shared("formats", predictions), references=shared("formats", references))
    assert loaded.report.matched == matched
    assert loaded.datasets[0].predictions[0] == "Paris"
    assert loaded.datasets[0].references[0] == ["Paris", "Paris"]
