"""Presets of the SQuAD family."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline

NORMALIZATION = Pipeline((step("lower"), step("delete_punctuation"), step("drop_articles"), step("squeeze_whitespace")))

SQUAD_V1 = Preset(
    name="squad_v1",
    pipeline=NORMALIZATION,
    empty="v1",
    title="SQuAD v1.1",
    family="SQuAD",
    languages=("en",),
    datasets=("SQuAD 1.1", "Adversarial SQuAD", "NewsQA"),
    summary="Lower case, ASCII punctuation deleted, English articles dropped, whitespace squeezed; best reference.",
    source="allenai/bi-att-flow squad/evaluate-v1.1.py",
    version="49004549e9a8",
    differs="When both sides normalize to nothing, EM is 1 and F1 is 0. The script counts a missing prediction as wrong; here it is left out unless asked for.",
)

SQUAD_V2 = Preset(
    name="squad_v2",
    pipeline=NORMALIZATION,
    empty="v2",
    empty_references="drop",
    no_references="no_answer",
    title="SQuAD v2.0",
    family="SQuAD",
    languages=("en",),
    datasets=("SQuAD 2.0", "Quoref"),
    summary="As SQuAD v1.1; an item without references has no answer, and the empty prediction is right there.",
    source="rajpurkar/SQuAD-explorer evaluate-v2.0.py",
    version="eee5fdbf62f8",
    differs="References that normalize to nothing are dropped, so `A` is not accepted for the reference `A` and another one. "
    "Its best_exact can be lower than exact: a prediction that normalizes to nothing counts as an answer in that search.",
)

PRESETS = (
    SQUAD_V1,
    SQUAD_V2,
    replace(
        SQUAD_V1,
        name="hf_squad",
        title="SQuAD v1.1 (Hugging Face evaluate)",
        summary="The v1.1 script behind evaluate.load('squad').",
        source="huggingface/evaluate metrics/squad/compute_score.py",
        version="a7dd338386a4",
        differs="Unequal lengths of predictions and references are refused instead of counted.",
        same_as="squad_v1",
    ),
    replace(
        SQUAD_V2,
        name="hf_squad_v2",
        title="SQuAD v2.0 (Hugging Face evaluate)",
        summary="The v2.0 script behind evaluate.load('squad_v2').",
        source="huggingface/evaluate metrics/squad_v2/compute_score.py",
        version="a7dd338386a4",
        differs="Items score as in squad_v2; best_exact and best_f1 are always given, and probabilities pass through float32, "
        "so a threshold of 0.1 comes back as 0.10000000149011612.",
        same_as="squad_v2",
    ),
    replace(
        SQUAD_V2,
        name="transformers_squad_metrics",
        title="SQuAD metrics of transformers",
        summary="The v2.0 rules in the data processors of transformers.",
        source="huggingface/transformers src/transformers/data/metrics/squad_metrics.py",
        version="4.9.2",
        differs="Items score as in squad_v2, also for v1.1 data: both sides empty is F1 1.",
        same_as="squad_v2",
    ),
    replace(
        SQUAD_V1,
        name="torchmetrics_squad",
        empty="v2",
        title="SQuAD (torchmetrics)",
        summary="The v1.1 metric of torchmetrics, with the empty rule of v2.0.",
        source="Lightning-AI/torchmetrics src/torchmetrics/functional/text/squad.py",
        version="dab033394560",
        differs="F1 is 1 where both sides normalize to nothing, unlike every other v1.1 metric. It adds in float32; "
        "here the numbers are float64, equal within 1e-6.",
        same_as="musique",
    ),
    replace(
        SQUAD_V1,
        name="mrqa",
        title="MRQA 2019",
        datasets=("MRQA 2019", "NewsQA", "SearchQA", "NaturalQuestions"),
        summary="The shared task's script, with the rules of SQuAD v1.1.",
        source="mrqa/MRQA-Shared-Task-2019 mrqa_official_eval.py",
        version="b86bbcc63352",
        differs="Its --skip-no-answer leaves out items without references.",
        same_as="squad_v1",
    ),
    replace(
        SQUAD_V1,
        name="hf_super_glue_record",
        title="ReCoRD (SuperGLUE)",
        datasets=("ReCoRD", "SuperGLUE"),
        summary="The ReCoRD script behind evaluate.load('super_glue', 'record').",
        source="huggingface/evaluate metrics/super_glue/record_evaluation.py",
        version="a7dd338386a4",
        same_as="squad_v1",
    ),
    Preset(
        name="squad_spaced",
        pipeline=Pipeline((step("lower"), step("space_out_punctuation"), step("drop_articles"), step("squeeze_whitespace"))),
        overlap="set",
        empty="v2",
        scale=1,
        title="SQuAD, punctuation spaced",
        family="SQuAD",
        languages=("en",),
        summary="A space in place of every ASCII mark, tokens counted once.",
        source="a widely copied variant of SQuAD's normalization",
        differs="`well-known` equals `well known`, not `wellknown`; repeated words do not count.",
    ),
)
