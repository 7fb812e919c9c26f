"""Presets of OpenCompass."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline

ACCURACY = Preset(
    name="opencompass.answer_letter_pattern",
    pipeline=Pipeline((step("take_match", "prediction", pattern=r"(?i)ANSWER\s*:\s*([A-P])", trim=False, engine="re", nothing="marker", marker=""),)),
    overlap="none",
    title="OpenCompass, letter behind ANSWER:",
    family="OpenCompass",
    languages=("en", "zh"),
    summary="The letter A to P behind the first `ANSWER:`.",
    source="open-compass/opencompass utils/text_postprocessors.py match_answer_pattern",
    version="a5acc4bb",
    differs="The letter is compared as it is written: `answer: c` is wrong for C.",
)

PRESETS = (
    ACCURACY,
    Preset(
        name="opencompass.EMEvaluator",
        pipeline=Pipeline(
            (
                step("replace_pattern", pattern=r"(?s)[\n.,].*", engine="re"),
                step("replace_pattern", pattern=r"[^\w\s]", engine="re"),
                step("replace_pattern", pattern=r"\b(?:[aA]|[aA][nN]|[tT][hH][eE])\b", engine="re"),
                step("squeeze_whitespace"),
            )
        ),
        match="equal_or_raw",
        overlap="none",
        title="OpenCompass EMEvaluator",
        family="OpenCompass",
        languages=("en",),
        summary="Cut at the first line break, point or comma; punctuation and articles dropped; equal to the reference normalized or raw.",
        source="open-compass/opencompass openicl/icl_evaluator/icl_em_evaluator.py",
        version="a5acc4bb",
        differs="Letter case is kept. `3.14159` equals `3.14`, and `U.S.A.` becomes `U`.",
    ),
    replace(
        ACCURACY,
        name="opencompass.last_option_AD",
        pipeline=Pipeline((step("take_match", "prediction", pattern="[ABCD]", choice="last", engine="re", nothing="marker", marker=""),)),
        title="OpenCompass last_option, A to D",
        summary="The last capital A, B, C or D anywhere in the output.",
        source="open-compass/opencompass utils/text_postprocessors.py last_option_postprocess",
        differs="Letters inside words count: of `Answer: Berlin` it takes B.",
    ),
    replace(
        ACCURACY,
        name="opencompass.xml_answer_tag",
        pipeline=Pipeline(
            (
                step(
                    "take_match",
                    "prediction",
                    pattern="(?s)<answer>(.*?)</answer>",
                    choice="last",
                    engine="re",
                    nothing="marker",
                    marker="NO ANSWER FOUND",
                ),
            )
        ),
        title="OpenCompass xml_tag, <answer>",
        summary="What stands in the last `<answer>` tag.",
        source="open-compass/opencompass utils/text_postprocessors.py xml_tag_postprocessor",
        differs="The tag is found in lower case only.",
    ),
    replace(
        ACCURACY,
        name="opencompass.extract_non_reasoning",
        pipeline=Pipeline(
            (
                step("replace_pattern", "prediction", pattern=r"(?s)\A(?!.*<think>).*</think>", engine="re"),
                step("replace_pattern", "prediction", pattern="(?s)<think>.*?</think>", engine="re"),
                step("strip_whitespace", "prediction"),
            )
        ),
        title="OpenCompass extract_non_reasoning_content",
        summary="Thinking removed, stripped, compared.",
        source="open-compass/opencompass utils/text_postprocessors.py extract_non_reasoning_content",
        differs="With a closing tag alone, what follows the last one counts; thinking that is never closed stays.",
    ),
    replace(
        ACCURACY,
        name="opencompass.gsm8k",
        pipeline=Pipeline(
            (
                step("cut_at_stops", "prediction", stops=("Question:",)),
                step("take_match", "prediction", pattern=r"\-?\d+\.\d+|\-?\d+", choice="last", engine="re", nothing="marker", marker="NULL"),
            )
        ),
        match="whole_number",
        title="OpenCompass GSM8K",
        languages=("en",),
        datasets=("GSM8K",),
        summary="The last number before `Question:`; equal as text, or within a millionth of a whole reference.",
        source="open-compass/opencompass datasets/gsm8k.py",
        differs="`1,234` is read as 234. A reference with decimals is compared as text, so `3.50` differs from `3.5`.",
    ),
    replace(
        ACCURACY,
        name="opencompass.first_capital",
        pipeline=Pipeline((step("take_match", "prediction", pattern=r"\p{Uppercase}", nothing="marker", marker=""),)),
        title="OpenCompass first_capital",
        summary="The first capital letter anywhere in the output.",
        source="open-compass/opencompass utils/text_postprocessors.py first_capital_postprocess",
        differs="Any capital counts: of `The answer is C` it takes T.",
    ),
    replace(
        ACCURACY,
        name="opencompass.last_capital",
        pipeline=Pipeline((step("take_match", "prediction", pattern=r"\p{Uppercase}", choice="last", nothing="marker", marker=""),)),
        title="OpenCompass last_capital",
        summary="The last capital letter anywhere in the output.",
        source="open-compass/opencompass utils/text_postprocessors.py last_capital_postprocess",
        differs="Any capital counts, also one inside a word.",
    ),
    replace(
        ACCURACY,
        name="opencompass.bbh_mcq",
        pipeline=Pipeline(
            (
                step("take_match", "prediction", pattern=r"(?s)answer is (.*?)(?=answer is |\Z)", engine="re", nothing="keep"),
                step("take_match_in_turn", "prediction", patterns=(r"\(([A-Z])\)*", "([A-Z])"), engine="re", nothing="keep"),
            )
        ),
        title="OpenCompass BBH, multiple choice",
        summary="The letter in parentheses behind the first `answer is`, else its first ASCII capital.",
        source="open-compass/opencompass datasets/bbh.py bbh_mcq_postprocess",
        differs="Any capital counts: of `Answer: C` it takes A.",
    ),
)
