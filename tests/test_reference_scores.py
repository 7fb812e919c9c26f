"""Figures measured independently on real files: library and command line give the same."""

import contextlib
import io
import itertools
import json

import pytest

import evalcore
from evalcore.cli import main
from tests.shared import shared

OPENQA = "ehsk+OpenQA-eval/data/model_outputs"
SQUAD = "rajpurkar+SQuAD-explorer/models"
LONGBENCH = "viridisGreen+LongBench/pred"
XQUAD = "google-deepmind+xquad/xquad.en.json"
SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
TASKS = ("2wikimqa", "hotpotqa", "multifieldqa_en", "musique", "narrativeqa", "passage_count", "qasper", "trec", "triviaqa")
ELMO = "v2.0/BiDAF + Self Attention + ELMo (single model) (Allen Institute for Artificial Intelligence [modified by Stanford]).json"

# Key in reference_scores.json, predictions file, references file, further command line arguments.
FILES = [
    *(
        (
            f"EVOUNA/TQ.json:{system} (not improper)",
            "wangcunxiang+QA-Eval/EVOUNA/TQ.json",
            None,
            ("--map", f"prediction=answer_{system}", "--map", "references=golden_answer", "--split-references", "/", "--where", "improper=false"),
        )
        for system in SYSTEMS
    ),
    ("OpenQA NQ_DPR", f"{OPENQA}/NQ_DPR.jsonl", None, ()),
    ("OpenQA NQ_FiD", f"{OPENQA}/NQ_FiD.jsonl", None, ()),
    *(
        (f"xquad.en.json x {name}", f"{SQUAD}/{name}", XQUAD, ())
        for name in ("1.1/Logistic Regression Baseline (Stanford University).json", "v2.0/BERT (single model) (Google AI Language).json", ELMO)
    ),
    *((f"LongBench llama2-7b-chat-4k/{task}.jsonl", f"{LONGBENCH}/llama2-7b-chat-4k/{task}.jsonl", None, ()) for task in TASKS),
    ("LongBench llama2-7b/hotpotqa.jsonl", f"{LONGBENCH}/llama2-7b/hotpotqa.jsonl", None, ()),
]


def measured() -> dict:
    return json.loads(shared("data", "reference_scores.json").read_text(encoding="utf-8"))["scores"]


def test_every_measured_file_is_looked_at():
    assert {key for key, *_ in FILES} == set(measured())


@pytest.mark.parametrize("preset", ["squad_v1", "squad_v2"])
@pytest.mark.parametrize(("key", "predictions", "references", "arguments"), FILES, ids=[key for key, *_ in FILES])
def test_figures_of_the_command_line(key, predictions, references, arguments, preset):
    given = ["--references", str(shared("data", references))] if references else []
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = main(["score", str(shared("data", predictions)), *given, *arguments, "--preset", preset, "--json"])
    assert status == 0
    summary = json.loads(printed.getvalue())["summary"]
    expected = measured()[key]
    assert summary["scored"] == expected["n"]
    assert (f"{100 * summary['em']:.2f}", f"{100 * summary['f1']:.2f}") == (f"{expected[preset]['em']:.2f}", f"{expected[preset]['f1']:.2f}")


@pytest.mark.parametrize(("key", "predictions", "references", "arguments"), FILES, ids=[key for key, *_ in FILES])
def test_figures_of_the_library(key, predictions, references, arguments):
    roles = dict(pair.split("=") for option, pair in itertools.pairwise(arguments) if option == "--map")
    mapping = {**roles, "separator": "/", "where": {"improper": "false"}} if roles else None
    dataset = evalcore.read(shared("data", predictions), references=shared("data", references) if references else None, mapping=mapping)
    for preset in ("squad_v1", "squad_v2"):
        summary = evalcore.score(dataset, preset=preset).summary()
        expected = measured()[key]
        assert (summary.scored, f"{100 * summary.em:.2f}", f"{100 * summary.f1:.2f}") == (
            expected["n"],
            f"{expected[preset]['em']:.2f}",
            f"{expected[preset]['f1']:.2f}",
        )


def test_missing_predictions_counted_as_wrong_give_the_official_figures():
    name = "1.1/Logistic Regression Baseline (Stanford University).json"
    dataset = evalcore.read(shared("data", SQUAD, name), references=shared("data", XQUAD))
    left_out = evalcore.score(dataset, preset="squad_v1")
    assert (left_out.summary().exact, left_out.summary().scored, left_out.summary().missing) == (411, 1188, 2)
    wrong = evalcore.score(dataset, preset=evalcore.preset("squad_v1").with_rules(missing="wrong")).summary()
    assert (wrong.scored, f"{100 * wrong.em:.2f}", f"{100 * wrong.f1:.2f}") == (1190, "34.54", "45.85")
    without = evalcore.preset("squad_v1").with_steps(step for step in evalcore.preset("squad_v1").pipeline if step.name != "drop_articles")
    comparison = evalcore.compare(left_out, evalcore.score(dataset, preset=without))
    assert (comparison.after.summary().exact, len(comparison.fixed), len(comparison.broken)) == (387, 0, 24)
    assert f"{100 * comparison.after.summary().em:.2f}" == "32.58"
