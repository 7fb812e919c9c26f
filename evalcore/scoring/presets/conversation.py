"""Presets of conversational question answering, with several human answers."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.scoring.presets.squad import NORMALIZATION
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline

COQA = Preset(
    name="coqa",
    pipeline=NORMALIZATION,
    empty="v2",
    references="leave_one_out",
    title="CoQA",
    family="Conversation",
    languages=("en",),
    datasets=("CoQA",),
    summary="SQuAD's normalization; the mean over all ways to leave one human answer out, of the best of the others.",
    source="stanfordnlp/coqa-baselines scripts/evaluate-v1.0.py",
    version="693d05b39dc0",
    differs="With several answers EM is a fraction: meeting only one of two gives 0.5. The answer `unknown` is a plain text. "
    "The script rounds to one decimal of a percent.",
)

PRESETS = (
    COQA,
    replace(
        COQA,
        name="lm_eval_coqa",
        pipeline=Pipeline((step("strip_whitespace", "prediction"), step("keep_first_line", "prediction"), *NORMALIZATION)),
        scale=1,
        title="CoQA (lm-evaluation-harness)",
        summary="As CoQA, on the first line of the stripped prediction.",
        source="EleutherAI/lm-evaluation-harness lm_eval/tasks/coqa/utils.py",
        version="4e7e0d47f33b",
        differs="The task drops answers equal but for case when it builds the items, and scores the last turn of a story alone; neither is done here.",
    ),
    Preset(
        name="quac",
        pipeline=NORMALIZATION,
        empty="v1",
        references="leave_one_out_f1",
        no_references="zero",
        no_answer_text="CANNOTANSWER",
        title="QuAC",
        family="Conversation",
        languages=("en",),
        datasets=("QuAC",),
        summary="SQuAD's F1, leaving one human answer out in turn; CANNOTANSWER by majority and letter by letter.",
        source="my89/co-squac evals/quac_eval.py",
        version="be80b57e674a",
        differs="The official number is F1 alone, and leaves out items on which people agree less than 0.4; here every item is scored. "
        "EM is the best over the answers, not left out in turn.",
    ),
)
