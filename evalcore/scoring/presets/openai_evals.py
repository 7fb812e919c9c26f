"""Presets of OpenAI's evals and simple-evals."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.scoring.presets.drop import NORMALIZATION as DROP_STEPS
from evalcore.scoring.presets.squad import NORMALIZATION
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline

EVALS = Preset(
    name="openai_evals.match",
    pipeline=Pipeline(),
    match="starts_with",
    overlap="none",
    scale=1,
    title="OpenAI evals match",
    family="OpenAI",
    languages=("en",),
    summary="The output begins with a reference.",
    source="openai/evals evals/elsuite/basic/match.py",
    version="4bfc1f58",
    differs="Letter case and spaces count; `Nobody` begins with `No`.",
    answer="met",
)
ANSWER = step("take_match", "prediction", pattern=r"(?i)Answer\s*:\s*([^\n]+)", trim=False, engine="re")


def mgsm(language: str, prefix: str) -> Preset:
    """Give the preset of MGSM for one language and its answer prefix."""
    return Preset(
        name=f"simple_evals.mgsm_{language}",
        pipeline=Pipeline(
            (
                step("take_match", "prediction", pattern=rf"(?s)\A.*{prefix}(.*)", trim=False, engine="re", nothing="marker", marker=""),
                step("replace_characters", "prediction", characters=","),
                step("take_match", "prediction", pattern=r"(\d+(?:\.\d+)?)\.?", choice="last", engine="re", nothing="marker", marker=""),
                step("replace_pattern", "prediction", pattern=r"(?<=\d)\.0*\Z|(\.\d*?[1-9])0+\Z", replacement=r"\1", engine="re"),
                step("replace_characters", "reference", characters=","),
            )
        ),
        overlap="none",
        scale=1,
        title=f"simple-evals MGSM, {language}",
        family="OpenAI",
        languages=(language,),
        datasets=("MGSM",),
        summary=f"The last number behind the last `{prefix}`, commas and needless zeros dropped.",
        source="openai/simple-evals mgsm_eval.py",
        version="ee3b0318",
        differs="The sign is lost, so no negative answer can be right. Without the prefix the answer is empty.",
    )


PRESETS = (
    EVALS,
    replace(
        EVALS,
        name="openai_evals.includes",
        match="contains",
        title="OpenAI evals includes",
        summary="A reference stands anywhere in the output.",
        source="openai/evals evals/elsuite/basic/includes.py",
        differs="Letter case counts; no word boundary; an empty reference is always found.",
        same_as="inspect.includes_casesensitive",
    ),
    replace(
        EVALS,
        name="openai_evals.includes_ignorecase",
        pipeline=Pipeline((step("lower"),)),
        match="contains",
        title="OpenAI evals includes, ignore_case",
        summary="A reference stands anywhere in the output, letter case ignored.",
        source="openai/evals evals/elsuite/basic/includes.py",
        differs="No word boundary; an empty reference is always found.",
    ),
    replace(
        EVALS,
        name="openai_evals.fuzzy_match",
        pipeline=NORMALIZATION,
        match="either_contains",
        overlap="bag",
        empty="v1",
        title="OpenAI evals fuzzy_match",
        summary="SQuAD's normalization; one text stands in the other.",
        source="openai/evals evals/elsuite/basic/fuzzy_match.py",
        differs="`42` is found in `I paid 142`, and a prediction that is part of the reference is right.",
        answer="cut",
    ),
    replace(
        EVALS,
        name="openai_evals.json_match",
        pipeline=Pipeline((step("take_json", "prediction", nothing="empty"), step("take_json", "reference", nothing="unscored"))),
        match="json",
        empty_prediction="wrong_if_nothing_found",
        title="OpenAI evals json_match",
        summary="The whole output is the same JSON value as the reference.",
        source="openai/evals evals/elsuite/basic/json_match.py",
        differs="null equals nothing, not even null; `true` equals 1. A reference that is no JSON leaves the item unscored.",
        answer="cut",
    ),
    Preset(
        name="simple_evals.drop",
        pipeline=Pipeline((step("take_match", "prediction", pattern=r"(?i)Answer\s*:\s*([^\n]+)", trim=False, engine="re", nothing="keep"), *DROP_STEPS)),
        overlap="set",
        gate="numbers",
        empty_references="drop_blank",
        rounding="hundredths_of_percent",
        title="simple-evals DROP",
        family="OpenAI",
        languages=("en",),
        datasets=("DROP",),
        summary="DROP's EM and F1 on the line behind the first `Answer:`, on the whole output without one.",
        source="openai/simple-evals drop_eval.py",
        version="ee3b0318",
        differs="The script's headline is a looser match, where either text stands in the other. An item whose references are all blank is unscored.",
    ),
    Preset(
        name="simple_evals.math_extract",
        pipeline=Pipeline((ANSWER,)),
        match="none",
        overlap="none",
        scale=1,
        title="simple-evals MATH, extraction only",
        family="OpenAI",
        languages=("en",),
        datasets=("MATH",),
        summary="The line behind the first `Answer:`.",
        source="openai/simple-evals math_eval.py",
        version="ee3b0318",
        differs="No score: the script asks a language model whether both are equal.",
    ),
    mgsm("en", "Answer"),
    mgsm("zh", "答案"),
    Preset(
        name="simple_evals.gpqa",
        pipeline=Pipeline((step("take_match", "prediction", pattern=r"(?i)Answer[ \t]*:[ \t]*\$?([A-D])\$?", trim=False, engine="re"),)),
        overlap="none",
        empty_prediction="wrong_if_nothing_found",
        scale=1,
        title="simple-evals GPQA",
        family="OpenAI",
        languages=("en",),
        datasets=("GPQA",),
        summary="The letter behind the first `Answer:`.",
        source="openai/simple-evals gpqa_eval.py",
        version="ee3b0318",
        differs="The letter is compared as it is written, so `answer: c` is wrong; `Answer: (C)` and `Answer: **C**` give nothing.",
    ),
)
