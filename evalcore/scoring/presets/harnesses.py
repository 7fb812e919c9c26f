"""Presets of evaluation harnesses and long-context benchmarks."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.scoring.presets.inspect_ai import NORMALIZER
from evalcore.scoring.presets.squad import NORMALIZATION
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline

LONGBENCH = Preset(
    name="longbench_qa_f1",
    pipeline=NORMALIZATION,
    match="none",
    empty="v1",
    no_references="zero",
    title="LongBench QA F1",
    family="Long context",
    languages=("en",),
    datasets=("NarrativeQA", "Qasper", "MultiFieldQA-en", "HotpotQA", "2WikiMultihopQA", "MuSiQue"),
    summary="SQuAD's F1 alone, best reference, 0 without any.",
    source="THUDM/LongBench LongBench/metrics.py",
    version="2e00731f8d0b",
    differs="No EM. Few-shot tasks (TriviaQA) are cut to their first line before: see longbench_triviaqa. The result file rounds the mean to two decimals.",
)

PRESETS = (
    LONGBENCH,
    replace(
        LONGBENCH,
        name="longbench_triviaqa",
        pipeline=Pipeline((step("strip_characters", "prediction", characters="\n", where="start"), step("keep_first_line", "prediction"), *NORMALIZATION)),
        title="LongBench TriviaQA",
        datasets=("TriviaQA",),
        summary="LongBench's F1 on the first line of the prediction, leading line breaks stripped.",
        source="THUDM/LongBench LongBench/eval.py",
        differs="A prediction that goes on with the next example is not punished for it.",
    ),
    Preset(
        name="helm",
        pipeline=NORMALIZATION,
        overlap="set",
        empty="v1",
        empty_prediction="wrong_if_empty",
        scale=1,
        title="HELM, quasi exact match and F1",
        family="Harnesses",
        languages=("en",),
        datasets=("NaturalQuestions", "NarrativeQA", "QuAC"),
        summary="SQuAD's normalization; F1 over sets of words.",
        source="stanford-crfm/helm src/helm/benchmark/metrics/evaluate_reference_metrics.py",
        version="63754d05db6f",
        differs="An empty prediction is never right, but one that normalizes to nothing can be. F1 counts a repeated word once, and `a` against `a` is 0.",
    ),
    Preset(
        name="inspect_ai",
        pipeline=NORMALIZER,
        overlap="set",
        empty="v2",
        empty_references="drop_blank",
        no_references="zero",
        rounding="hundredths",
        scale=1,
        title="Inspect AI, exact and f1",
        family="Harnesses",
        languages=("en",),
        summary="DROP's normalization with case folding; words counted once, F1 rounded to two decimals an item.",
        source="UKGovernmentBEIS/inspect_ai src/inspect_ai/scorer/_classification.py",
        version="499e6152e7b8",
        differs="No rule about numbers, unlike DROP; `$25.00` is read as the number 25.0. "
        "Later versions count repeated words and skip references that normalize to nothing.",
    ),
)
