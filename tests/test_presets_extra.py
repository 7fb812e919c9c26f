"""SQuAD v2's thresholds, DROP's lists of spans, exact_match's options, and published numbers."""

import json
import math

import numpy as np
import pytest

import evalcore
from evalcore import cli
from evalcore.scoring import spans, squad_v2
from evalcore.scoring.presets import document
from evalcore.scoring.presets.exact_match import IGNORE_CASE, IGNORE_NUMBERS, IGNORE_PUNCTUATION, ignoring, removing
from tests.restated.others import drop_spans
from tests.restated.pairs import hostile_items
from tests.shared import shared


def extra(name):
    return json.loads(shared("scorers", "qa-extra", name).read_text(encoding="utf-8"))


def items_of(entry, preset="squad_v2"):
    items = entry["items"]
    columns = ([item[key] for item in items] for key in ("prediction", "references", "id"))
    scores = evalcore.score(evalcore.Dataset.of(*columns), preset=preset)
    return scores, squad_v2.probabilities_by_id(scores, {item["id"]: item["na_prob"] for item in items})


def test_thresholds_are_those_of_the_official_script():
    for entries in extra("squad_v2_thresholds.json").values():
        for entry in entries:
            scores, probabilities = items_of(entry)
            assert squad_v2.figures(scores, probabilities, entry["threshold"]).as_script() == {**entry["official"], **entry["official_pr"]}


def test_thresholds_are_those_of_hugging_face():
    for entries in extra("squad_v2_thresholds.json").values():
        for entry in entries:
            scores, probabilities = items_of(entry, "hf_squad_v2")
            named = squad_v2.figures(scores, probabilities, entry["threshold"], "hugging_face").as_script()
            assert {name: value for name, value in named.items() if not name.startswith("pr_")} == entry["hf"]


def test_items_under_a_threshold_are_those_of_the_script():
    for entries in extra("squad_v2_thresholds.json").values():
        for entry in entries:
            scores, probabilities = items_of(entry)
            after = squad_v2.apply_threshold(scores, probabilities, entry["threshold"])
            for values, key in ((scores, "per_item_raw"), (after, "per_item_thresholded")):
                ids = values.dataset.ids.to_list()
                assert dict(zip(ids, values.em, strict=True)) == entry[key]["exact"]
                assert dict(zip(ids, values.f1, strict=True)) == entry[key]["f1"]


def test_figures_without_probabilities():
    scores = evalcore.score(["cat", "", "x", None], [["cat"], [], ["y"], ["z"]], preset="squad_v2")
    official = squad_v2.figures(scores)
    assert (official.all.total, official.has_answer.total, official.no_answer.total, official.best_exact) == (3, 2, 1, None)
    assert official.all.exact == pytest.approx(2 / 3)
    assert squad_v2.figures(scores, variant="hugging_face").as_script()["best_exact_thresh"] == 0.0


def test_probabilities_must_cover_the_scored_items():
    scores = evalcore.score(["cat", "dog"], [["cat"], []], preset="squad_v2")
    with pytest.raises(ValueError, match=r"1 of 2 scored items have no no-answer probability: '1'"):
        squad_v2.probabilities_by_id(scores, {"0": 0.5})
    with pytest.raises(ValueError, match="1 no-answer probabilities for 2 items"):
        squad_v2.figures(scores, [0.5])


def run(capsys, *arguments):
    status = cli.main(list(arguments))
    return status, *capsys.readouterr()


def test_the_command_line_gives_the_figures_of_files(tmp_path, capsys):
    entry = extra("squad_v2_thresholds.json")["mixed"][0]
    rows = [{"id": item["id"], "prediction": item["prediction"], "references": item["references"]} for item in entry["items"]]
    with_odds = [{**row, "no_answer_probability": item["na_prob"]} for row, item in zip(rows, entry["items"], strict=True)]
    named = {**entry["official"], **entry["official_pr"]}
    for content, expected in ((with_odds, named), (rows, {name: named[name] for name in named if not name.startswith(("best", "pr"))})):
        path = tmp_path / "answers.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in content), encoding="utf-8")
        status, out, _ = run(capsys, "score", str(path), "--preset", "squad_v2", "--json")
        assert (status, json.loads(out)["squad_v2"]) == (0, expected)
        _, table, _ = run(capsys, "score", str(path), "--preset", "squad_v2")
        assert f"{'HasAns_exact':30}" in table
    broken = [{**row, "no_answer_probability": "high"} if row["id"] == "b" else row for row in with_odds]
    path.write_text("".join(json.dumps(row) + "\n" for row in broken), encoding="utf-8")
    status, _, err = run(capsys, "score", str(path), "--preset", "squad_v2")
    assert status == 2
    assert "1 of 6 scored items have no no-answer probability: 'b'" in err


def test_the_command_line_describes_presets(capsys):
    status, out, _ = run(capsys, "presets", "cmrc2018", "quac")
    assert status == 0
    assert out == "\n\n".join(document.plain_text(evalcore.preset(name)) for name in ("cmrc2018", "quac")) + "\n"
    assert run(capsys, "presets", "--markdown")[1] == document.markdown()
    assert run(capsys, "presets", "cmrc")[0] == 2


def test_a_containment_is_not_called_em(tmp_path, capsys):
    path = tmp_path / "answers.jsonl"
    path.write_text('{"prediction": "It is Paris", "references": ["Paris"]}\n', encoding="utf-8")
    lines = run(capsys, "score", str(path), "--preset", "asqa_str_em")[1].split("\n")
    assert lines[0].split() == ["containment", "100.00"]
    assert not any(line.startswith(("EM", "F1", "recall")) for line in lines)


def test_lists_of_spans_are_those_of_drop():
    preset = evalcore.preset("drop_allennlp")
    for line in shared("scorers", "qa-extra", "drop_lists.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n"):
        row = json.loads(line)
        scored = spans.score_spans(row["predictions"], row["gold_spans"], preset)
        for name in ("allennlp", "lm_eval"):
            assert scored.em == row[name]["em"]
            assert math.isnan(scored.f1) if row[name]["f1"] is None else scored.f1 == row[name]["f1"]
        assert [preset.pipeline.apply(text) for text in row["predictions"]] == row["normalized_predictions"]


def test_spans_are_aligned_as_by_trying_every_order():
    preset = evalcore.preset("drop_allennlp")
    predictions, references = hostile_items(400, seed=2)
    for start in range(0, 400, 2):
        predicted, gold = [*references[start], predictions[start]][:4], references[start + 1]
        scored, (em, f1) = spans.score_spans(predicted, gold, preset), drop_spans(predicted, gold)
        assert scored.em == em
        assert scored.f1 == f1 or (math.isnan(scored.f1) and math.isnan(f1))


def test_one_span_through_the_preset_is_a_list_of_one():
    predictions, references = hostile_items(300, seed=3)
    scores = evalcore.score(predictions, references, preset="drop_allennlp_multispan")
    for row, (prediction, gold) in enumerate(zip(predictions, references, strict=True)):
        expected = spans.score_spans([prediction], gold, evalcore.preset("drop_allennlp_multispan")) if gold else (0.0, 0.0)
        assert (scores.em[row], scores.f1[row]) == tuple(expected)


def with_options(regexes_to_ignore=(), ignore_case=False, ignore_punctuation=False, ignore_numbers=False):
    """Build exact_match with its own options, in its own order."""
    chosen = [(ignore_case, IGNORE_CASE), (ignore_punctuation, IGNORE_PUNCTUATION), (ignore_numbers, IGNORE_NUMBERS)]
    steps = [*map(removing, regexes_to_ignore), *(step for wanted, step in chosen if wanted)]
    return evalcore.preset("hf_exact_match").with_steps(ignoring(*steps).steps)


def test_options_of_exact_match():
    for row in extra("hf_exact_match_options.json"):
        scores = evalcore.score([row["prediction"]], [[row["reference"]]], preset=with_options(**row["kwargs"]))
        assert scores.em[0] == row["exact_match"], row


def test_batches_of_exact_match_agree_unless_neighbours_matter():
    for row in extra("hf_exact_match_batches.json"):
        pairs = row["predictions"], [[reference] for reference in row["references"]]
        assert evalcore.score(*pairs, preset="hf_exact_match").em.mean() == row["default"]
        widths_matter = len(row["predictions"]) > 1
        assert (evalcore.score(*pairs, preset="hf_exact_match.ignore_case").em.mean() == row["ignore_case"]) is not widths_matter


LONGBENCH = {"multifieldqa_zh": "longbench_qa_f1_zh", "triviaqa": "longbench_triviaqa"}
QA_SETS = ("narrativeqa", "qasper", "multifieldqa_en", "multifieldqa_zh", "hotpotqa", "2wikimqa", "musique", "triviaqa")


@pytest.mark.parametrize("model", ["llama2-7b-chat-4k", "llama2-7b"])
def test_published_numbers_of_longbench(model):
    folder = shared("data", "viridisGreen+LongBench", "pred", model)
    published = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    reproduced = {}
    for name in QA_SETS:
        if (folder / f"{name}.jsonl").exists() and name in published:
            rows = [json.loads(line) for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n")]
            scores = evalcore.score([row["pred"] for row in rows], [row["answers"] for row in rows], preset=LONGBENCH.get(name, "longbench_qa_f1"))
            reproduced[name] = round(100 * float(np.sum(scores.score)) / len(rows), 2)
    assert len(reproduced) >= 2
    assert reproduced == {name: published[name] for name in reproduced}
