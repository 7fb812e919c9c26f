"""Every shared file: recognised as what it is and loaded, or refused with what to do."""

import pytest

import evalcore
from evalcore.data import DataError, FormatError, load, read_table
from tests.shared import shared

# file, format, rows, systems, unscored items of each system, rows that could not be read
LOADED = [
    ("data/OpenBMB+InfiniteBench/results/gpt4/preds_kv_retrieval.jsonl", "InfiniteBench predictions", 500, ("preds_kv_retrieval",), (0,), 0),
    ("data/OpenBMB+InfiniteBench/results/gpt4/preds_longbook_qa_chn.jsonl", "InfiniteBench predictions", 189, ("preds_longbook_qa_chn",), (0,), 0),
    ("data/OpenBMB+InfiniteBench/results/gpt4/preds_longbook_qa_eng.jsonl", "InfiniteBench predictions", 351, ("preds_longbook_qa_eng",), (0,), 0),
    ("data/OpenBMB+InfiniteBench/results/gpt4/preds_longdialogue_qa_eng.jsonl", "InfiniteBench predictions", 200, ("preds_longdialogue_qa_eng",), (0,), 0),
    ("data/OpenBMB+InfiniteBench/results/gpt4/preds_math_find.jsonl", "InfiniteBench predictions", 350, ("preds_math_find",), (0,), 0),
    (
        "data/UKGovernmentBEIS+inspect_ai/tests/analysis/test_logs/2025-05-12T20-28-13-04-00_popularity.json",
        "Inspect log (.json)",
        3,
        ("openai/gpt-4o-mini",),
        (0,),
        0,
    ),
    (
        "data/UKGovernmentBEIS+inspect_ai/tests/analysis/test_logs/2025-05-12T20-28-26-04-00_security-guide.json",
        "Inspect log (.json)",
        3,
        ("openai/gpt-4o-mini",),
        (0,),
        0,
    ),
    ("data/UKGovernmentBEIS+inspect_ai/tests/log/test_eval_log/log_formats.eval", "Inspect log (.eval)", 1, ("ollama/llama3.1",), (0,), 0),
    ("data/UKGovernmentBEIS+inspect_ai/tests/log/test_eval_log/log_formats.json", "Inspect log (.json)", 1, ("ollama/llama3.1",), (0,), 0),
    ("data/UKGovernmentBEIS+inspect_ai/tests/log/test_eval_log/log_read_sample.eval", "Inspect log (.eval)", 1, ("ollama/gemma3",), (0,), 0),
    ("data/UKGovernmentBEIS+inspect_ai/tests/log/test_eval_log/log_read_sample.json", "Inspect log (.json)", 1, ("ollama/gemma3",), (0,), 0),
    ("data/UKGovernmentBEIS+inspect_ai/tests/log/test_eval_log/log_tool_call_error.json", "Inspect log (.json)", 1, ("...",), (1,), 0),
    (
        "data/UKGovernmentBEIS+inspect_ai/tests/log/test_list_logs/2024-11-05T13-31-45-05-00_input-task_8zXjbRzCWrL9GXiXo2vus9.json",
        "Inspect log (.json)",
        1,
        ("openai/gpt-4o-mini",),
        (0,),
        0,
    ),
    (
        "data/UKGovernmentBEIS+inspect_ai/tests/log/test_list_logs/2024-11-05T13-32-37-05-00_input-task_hxs4q9azL3ySGkjJirypKZ.eval",
        "Inspect log (.eval)",
        1,
        ("openai/gpt-4o-mini",),
        (0,),
        0,
    ),
    (
        "data/UKGovernmentBEIS+inspect_ai/tests/scorer/logs/2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval",
        "Inspect log (.eval)",
        10,
        ("openai/gpt-4o-mini",),
        (0,),
        0,
    ),
    (
        "data/UKGovernmentBEIS+inspect_ai/tests/scorer/logs/2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval",
        "Inspect log (.eval)",
        10,
        ("openai/gpt-4o-mini",),
        (0,),
        0,
    ),
    ("data/ehsk+OpenQA-eval/data/NQ301_BEM.tsv", "TSV", 1490, ("NQ301_BEM",), (0,), 0),
    (
        "data/ehsk+OpenQA-eval/data/model_outputs/NQ301_text-davinci-003_zeroshot.jsonl",
        "OpenQA-eval outputs",
        301,
        ("NQ301_text-davinci-003_zeroshot",),
        (0,),
        0,
    ),
    ("data/ehsk+OpenQA-eval/data/model_outputs/NQ_DPR.jsonl", "OpenQA-eval outputs", 3610, ("NQ_DPR",), (0,), 0),
    ("data/ehsk+OpenQA-eval/data/model_outputs/NQ_FiD.jsonl", "OpenQA-eval outputs", 3610, ("NQ_FiD",), (0,), 0),
    ("data/open-compass+opencompass/opencompass/datasets/leval/claude-100k.pred.jsonl", "JSONL", 96, ("claude-100k",), (0,), 0),
    ("data/open-compass+opencompass/opencompass/datasets/leval/turbo-16k-0613.pred.jsonl", "JSONL", 96, ("turbo-16k-0613",), (0,), 0),
    ("data/viridisGreen+LongBench/pred/llama2-7b/hotpotqa.jsonl", "LongBench predictions", 200, ("hotpotqa",), (0,), 0),
    ("data/viridisGreen+LongBench/pred/llama2-7b/multifieldqa_zh.jsonl", "LongBench predictions", 200, ("multifieldqa_zh",), (0,), 0),
    ("data/viridisGreen+LongBench/pred/llama2-7b-chat-4k/2wikimqa.jsonl", "LongBench predictions", 200, ("2wikimqa",), (0,), 0),
    ("data/viridisGreen+LongBench/pred/llama2-7b-chat-4k/hotpotqa.jsonl", "LongBench predictions", 200, ("hotpotqa",), (0,), 0),
    ("data/viridisGreen+LongBench/pred/llama2-7b-chat-4k/multifieldqa_en.jsonl", "LongBench predictions", 150, ("multifieldqa_en",), (0,), 0),
    ("data/viridisGreen+LongBench/pred/llama2-7b-chat-4k/multifieldqa_zh.jsonl", "LongBench predictions", 200, ("multifieldqa_zh",), (0,), 0),
    ("data/viridisGreen+LongBench/pred/llama2-7b-chat-4k/musique.jsonl", "LongBench predictions", 200, ("musique",), (0,), 0),
    ("data/viridisGreen+LongBench/pred/llama2-7b-chat-4k/narrativeqa.jsonl", "LongBench predictions", 200, ("narrativeqa",), (0,), 0),
    ("data/viridisGreen+LongBench/pred/llama2-7b-chat-4k/passage_count.jsonl", "LongBench predictions", 200, ("passage_count",), (0,), 0),
    ("data/viridisGreen+LongBench/pred/llama2-7b-chat-4k/passage_retrieval_zh.jsonl", "LongBench predictions", 200, ("passage_retrieval_zh",), (0,), 0),
    ("data/viridisGreen+LongBench/pred/llama2-7b-chat-4k/qasper.jsonl", "LongBench predictions", 200, ("qasper",), (0,), 0),
    ("data/viridisGreen+LongBench/pred/llama2-7b-chat-4k/trec.jsonl", "LongBench predictions", 200, ("trec",), (0,), 0),
    ("data/viridisGreen+LongBench/pred/llama2-7b-chat-4k/triviaqa.jsonl", "LongBench predictions", 200, ("triviaqa",), (0,), 0),
    (
        "data/visioninhope+promptfoo/examples/simple-cli/output.json",
        "promptfoo results",
        4,
        ("openai:gpt-4.1-mini Rephrase this in {{language}}: {{body}}", "openai:gpt-4.1-mini Translate this to conversational {{language}}: {{body}}"),
        (4, 4),
        0,
    ),
    (
        "data/visioninhope+promptfoo/examples/simple-test/output.json",
        "promptfoo results",
        2,
        ("Rephrase this from English to Pirate: {{body}}", "Pretend you're a pirate and speak these words: {{body}}"),
        (2, 2),
        0,
    ),
    ("data/wangcunxiang+QA-Eval/EVOUNA/TQ.json", "EVOUNA", 2000, ("fid", "gpt35", "chatgpt", "gpt4", "newbing"), (0, 0, 0, 0, 0), 0),
    ("formats/braintrust/experiment.csv", "Braintrust experiment", 1, ("experiment",), (0,), 0),
    ("formats/braintrust/experiment.jsonl", "Braintrust experiment", 1, ("experiment",), (0,), 0),
    ("formats/dspy/evaluate_results.csv", "DSPy evaluation", 1, ("evaluate_results",), (0,), 0),
    ("formats/dspy/evaluate_results.json", "DSPy evaluation", 1, ("evaluate_results",), (0,), 0),
    ("formats/dspy/evaluate_results_nooverlap.json", "DSPy evaluation", 1, ("evaluate_results_nooverlap",), (0,), 0),
    ("formats/helm/scenario_state.json", "HELM scenario state", 2, ("demo/model",), (0,), 0),
    ("formats/hf_evaluate/exact_match_lists.json", "JSON rows", 2, ("exact_match_lists",), (0,), 0),
    ("formats/inspect/eval/2026-11-30T05-16-27-00-00_tiny_XESgYaX68V7VQqnUuVkSzR.eval", "Inspect log (.eval)", 3, ("mockllm/model",), (0,), 0),
    ("formats/inspect/json/2026-11-30T05-16-27-00-00_tiny_Z7v86NB2m7cZdUttUYBpUg.json", "Inspect log (.json)", 3, ("mockllm/model",), (0,), 0),
    ("formats/langsmith/experiment.csv", "LangSmith export", 1, ("experiment",), (0,), 0),
    (
        "formats/lighteval/details/demo-model/2025-01-01T00-00-00/details_gsm8k|0_2025-01-01T00-00-00.parquet",
        "lighteval details",
        2,
        ("details_gsm8k|0_2025-01-01T00-00-00",),
        (0,),
        0,
    ),
    ("formats/lighteval/legacy_details.parquet", "lighteval details", 1, ("legacy_details",), (0,), 0),
    ("formats/lm_eval/replay__model/samples_tiny_gsm_2026-11-30T05-13-54.239292.jsonl", "lm-eval samples", 3, ("strict-match", "flexible-extract"), (0, 0), 0),
    ("formats/lm_eval_legacy/pretrained__m_gsm8k.jsonl", "lm-eval samples", 1, ("pretrained__m_gsm8k",), (0,), 0),
    ("formats/mmlu_pro/model_outputs.json", "MMLU-Pro outputs", 1, ("model_outputs",), (0,), 0),
    ("formats/openai_evals/240101000000ABCDEFGH_gpt-demo_demo.jsonl", "OpenAI evals log", 2, ("gpt-demo",), (0,), 0),
    ("formats/opencompass/predictions/demo-model/gsm8k.json", "OpenCompass predictions", 2, ("gsm8k",), (0,), 0),
    ("formats/opencompass/predictions/demo-model/ppl_task.json", "OpenCompass predictions", 1, ("ppl_task",), (0,), 0),
    ("formats/opencompass/predictions/demo-model/tmp_gsm8k.jsonl", "OpenCompass predictions", 1, ("tmp_gsm8k",), (0,), 0),
    ("formats/opencompass/results/demo-model/gsm8k.json", "OpenCompass results", 2, ("gsm8k",), (0,), 0),
    ("formats/plain/data.csv", "CSV", 2, ("data",), (0,), 0),
    ("formats/plain/data.jsonl", "JSONL", 2, ("data",), (0,), 0),
    ("formats/plain/data.parquet", "Parquet", 2, ("data",), (0,), 0),
    ("formats/plain/data.tsv", "TSV", 2, ("data",), (0,), 0),
    ("formats/plain/data.xlsx", "Excel", 2, ("data",), (0,), 0),
    ("formats/plain/data_semicolon.csv", "CSV", 2, ("data_semicolon",), (0,), 0),
    ("formats/promptfoo/results.json", "promptfoo results", 3, ("echo",), (1,), 0),
    ("formats/promptfoo/results.jsonl", "promptfoo results", 3, ("echo",), (1,), 0),
    ("formats/weave/eval_calls.jsonl", "Weave evaluation", 1, ("eval_calls",), (0,), 0),
]
# file, format, rows, what is asked for
ASKING = [
    ("data/OpenStellarTeam+ChineseSimpleQA/data/chinese_simpleqa.jsonl", "JSONL", 3000, ("prediction",)),
    ("data/QwenLM+Qwen2.5-Math/evaluation/data/cmath/test.jsonl", "JSONL", 600, ("prediction",)),
    ("data/QwenLM+Qwen2.5-Math/evaluation/data/gaokao_math_cloze/test.jsonl", "JSONL", 118, ("prediction",)),
    ("data/UKGovernmentBEIS+inspect_ai/src/inspect_ai/dataset/_examples/biology_qa.jsonl", "JSONL", 20, ("prediction",)),
    ("data/UKGovernmentBEIS+inspect_ai/src/inspect_ai/dataset/_examples/popularity.jsonl", "JSONL", 100, ("prediction", "references")),
    ("data/UKGovernmentBEIS+inspect_ai/src/inspect_ai/dataset/_examples/security_guide.jsonl", "JSONL", 16, ("prediction",)),
    ("data/apple+ml-mkqa/tests/testdata/en_prediction.jsonl", "MKQA predictions", 6, ("references",)),
    ("data/apple+ml-mkqa/tests/testdata/test_mkqa.jsonl.gz", "MKQA dataset", 6, ("prediction",)),
    ("data/chrischute+squad/data/dev-v2.0.json", "SQuAD dataset", 6078, ("prediction",)),
    ("data/ehsk+OpenQA-eval/data/NQ301_human.tsv", "TSV", 1490, ("references",)),
    ("data/explodinggradients+ragas/examples/ragas_examples/improve_rag/datasets/hf_doc_qa_eval.csv", "CSV", 66, ("prediction",)),
    ("data/google-deepmind+xquad/CC-BY-SA4.0.txt", "CSV", 52, ("prediction", "references")),
    ("data/google-deepmind+xquad/xquad.en.json", "SQuAD dataset", 1190, ("prediction",)),
    ("data/google-deepmind+xquad/xquad.zh.json", "SQuAD dataset", 1190, ("prediction",)),
    ("data/mandarjoshi90+triviaqa/samples/sample_predictions.json", "JSON by id", 1, ("references",)),
    ("data/mandarjoshi90+triviaqa/samples/triviaqa_sample.json", "TriviaQA dataset", 1, ("prediction",)),
    ("data/manifest.tsv", "TSV", 89, ("prediction", "references")),
    ("data/neulab+ExplainaBoard/data/system_outputs/squad/squad_mini-dataset.json", "JSON rows", 5, ("prediction",)),
    ("data/neulab+ExplainaBoard/data/system_outputs/squad/squad_mini-example-output.json", "JSON rows", 5, ("references",)),
    ("data/nkmk+python-snippets/notebook/data/src/sample_header_shift_jis.csv", "CSV", 3, ("prediction", "references")),
    ("data/rajpurkar+SQuAD-explorer/models/1.1/Logistic Regression Baseline (Stanford University).json", "JSON by id", 10585, ("references",)),
    ("data/rajpurkar+SQuAD-explorer/models/v2.0/BERT (single model) (Google AI Language).json", "JSON by id", 11873, ("references",)),
    (
        "data/rajpurkar+SQuAD-explorer/models/v2.0/BiDAF + Self Attention + ELMo (single model) (Allen Institute for Artificial Intelligence [modified by Stanford]).json",  # noqa: E501
        "JSON by id",
        11873,
        ("references",),
    ),
    ("data/visioninhope+promptfoo/examples/simple-cli/output.csv", "promptfoo CSV", 4, ("references",)),
    ("data/visioninhope+promptfoo/examples/simple-test/output.csv", "promptfoo CSV", 5, ("references",)),
    ("data/visioninhope+promptfoo/examples/standalone-assertions/outputs.json", "JSON rows", 3, ("references",)),
    ("data/wenhuchen+Program-of-Thoughts/outputs/gsm8K_s0_e-1_11_17_10_20.jsonl", "JSONL", 1320, ("prediction",)),
    ("data/ymcui+cmrc2018/squad-style-data/cmrc2018_trial.json", "SQuAD dataset", 1002, ("prediction",)),
    ("formats/helm/display_predictions.json", "HELM display predictions", 2, ("references",)),
    ("formats/helm/per_instance_stats.json", "HELM instance stats", 2, ("prediction", "references")),
    ("formats/hf_evaluate/squad_predictions.json", "JSON rows", 1, ("references",)),
    ("formats/hf_evaluate/squad_references.json", "JSON rows", 1, ("prediction",)),
    ("formats/hf_evaluate/squad_v2_predictions.json", "JSON rows", 1, ("references",)),
    ("formats/kilt/gold.jsonl", "KILT", 1, ("prediction",)),
    ("formats/kilt/guess.jsonl", "KILT", 1, ("references",)),
    ("formats/langfuse/observations.jsonl", "Langfuse export", 1, ("references",)),
    ("formats/langfuse/traces.csv", "Langfuse export", 1, ("references",)),
    ("formats/langsmith/dataset.csv", "LangSmith export", 1, ("prediction",)),
    ("formats/langsmith/dataset.jsonl", "LangSmith export", 1, ("prediction",)),
    ("formats/openai_evals/samples.jsonl", "OpenAI evals samples", 2, ("prediction",)),
    ("formats/promptfoo/results.csv", "promptfoo CSV", 3, ("references",)),
    ("formats/squad/dev-v1.1.json", "SQuAD dataset", 1, ("prediction",)),
    ("formats/squad/dev-v2.0.json", "SQuAD dataset", 2, ("prediction",)),
    ("formats/squad/na_prob.json", "SQuAD no-answer probabilities", 2, ("prediction", "references")),
    ("formats/squad/nbest_predictions.json", "SQuAD n-best predictions", 1, ("references",)),
    ("formats/squad/predictions.json", "JSON by id", 2, ("references",)),
]
# file, words of the message
REFUSED = [
    ("data/README.md", "cannot be read: line 1 begins with"),
    ("data/UKGovernmentBEIS+inspect_ai/tests/analysis/test_logs/2025-05-12T20-28-13-04-00_no-samples.json", "is an Inspect log without samples"),
    ("data/ehsk+OpenQA-eval/README.md", "cannot be read: line 1 begins with"),
    ("data/reference_scores.json", "only figures of whole runs"),
    ("data/viridisGreen+LongBench/pred/llama2-7b/result.json", "only figures of whole runs"),
    ("data/viridisGreen+LongBench/pred/llama2-7b-chat-4k/result.json", "only figures of whole runs"),
    ("data/wangcunxiang+QA-Eval/README.md", "cannot be read: line 1 begins with"),
    ("data/ymcui+cmrc2018/README.md", "is no valid JSON"),
    ("formats/README.md", "cannot be read: line 1 begins with"),
    ("formats/helm/run_spec.json", "settings of a HELM run"),
    ("formats/lm_eval/replay__model/results_2026-11-30T05-13-54.239292.json", "an lm-eval results file"),
    ("formats/simple_evals/allresults.json", "hold no answers"),
]


@pytest.mark.parametrize(("file", "format", "rows", "systems", "unscored", "bad"), LOADED, ids=[row[0][-60:] for row in LOADED])
def test_a_file_that_loads(file, format, rows, systems, unscored, bad):
    loaded = load(shared(*file.split("/")))
    table = loaded.tables[0]
    assert (table.format, len(table), loaded.systems, len(table.bad_rows)) == (format, rows, systems, bad)
    assert tuple(int(sum(reason is not None for reason in evalcore.score(dataset).unscored)) for dataset in loaded.datasets) == unscored
    assert all(len(dataset) == rows for dataset in loaded.datasets)


@pytest.mark.parametrize(("file", "format", "rows", "missing"), ASKING, ids=[row[0][-60:] for row in ASKING])
def test_a_file_that_asks_for_another(file, format, rows, missing):
    table = read_table(shared(*file.split("/")))
    assert (table.format, len(table)) == (format, rows)
    with pytest.raises(DataError) as raised:
        load(shared(*file.split("/")))
    assert raised.value.missing == missing


@pytest.mark.parametrize(("file", "words"), REFUSED, ids=[row[0][-60:] for row in REFUSED])
def test_a_file_that_is_refused(file, words):
    with pytest.raises(FormatError) as raised:
        load(shared(*file.split("/")))
    assert words in str(raised.value)


def test_no_shared_file_is_left_out():
    root = shared()
    there = {path.relative_to(root).as_posix() for folder in ("formats", "data") for path in (root / folder).rglob("*") if path.is_file()}
    assert {file for file in there if "LICEN" not in file} == {row[0] for row in (*LOADED, *ASKING, *REFUSED)}
