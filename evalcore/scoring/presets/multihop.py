"""Presets of multi-hop question answering."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.scoring.presets.squad import NORMALIZATION

HOTPOTQA = Preset(
    name="hotpotqa",
    pipeline=NORMALIZATION,
    empty="v1",
    gate="yes_no",
    scale=1,
    title="HotpotQA",
    family="Multi-hop",
    languages=("en",),
    datasets=("HotpotQA",),
    summary="SQuAD's normalization; F1 is 0 when one side is yes, no or noanswer and the other is not the same.",
    source="hotpotqa/hotpot hotpot_evaluate_v1.py",
    version="3635853403a8",
    differs="`yes it is` against `yes` has F1 0 where SQuAD gives 0.5; EM knows nothing of this rule. The script takes one reference; "
    "here the best one counts.",
)

TWO_WIKI = replace(
    HOTPOTQA,
    name="2wikimultihop_v1_1",
    references="max_each",
    no_references="zero",
    scale=100,
    title="2WikiMultihopQA v1.1",
    datasets=("2WikiMultihopQA",),
    summary="As HotpotQA, over the answer and its aliases.",
    source="Alab-NII/2wikimultihop 2wikimultihop_evaluate_v1.1.py",
    version="13800e5be57d",
    differs="An item without references scores 0 instead of failing. EM, F1, precision and recall may each come from another alias.",
)

PRESETS = (
    HOTPOTQA,
    TWO_WIKI,
    replace(
        TWO_WIKI,
        name="flashrag",
        scale=1,
        title="FlashRAG",
        family="Open domain",
        datasets=("NQ-Open", "TriviaQA", "HotpotQA", "2WikiMultihopQA"),
        summary="SQuAD's normalization with HotpotQA's rule for yes, no and noanswer; best reference, 0 without any.",
        source="RUC-NLPIR/FlashRAG flashrag/evaluator/metrics.py",
        version="1ee524901aa3",
        differs="Scores as 2wikimultihop_v1_1. Its `acc` is containment of the normalized reference, which `a` meets in nearly every text.",
        same_as="2wikimultihop_v1_1",
    ),
    Preset(
        name="musique",
        pipeline=NORMALIZATION,
        empty="v2",
        scale=1,
        title="MuSiQue",
        family="Multi-hop",
        languages=("en",),
        datasets=("MuSiQue",),
        summary="SQuAD's normalization over the answer and its aliases; both sides empty is F1 1.",
        source="StonyBrookNLP/musique metrics/answer.py",
        version="922ac98f19a2",
        differs="Unlike squad_v2 it keeps references that normalize to nothing. The script prints three decimals.",
    ),
)
