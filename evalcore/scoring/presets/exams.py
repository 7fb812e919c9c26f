"""Presets of the scripts that come with MATH and MMLU-Pro."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline
from evalcore.text.steps import Step

MATH = Preset(
    name="hendrycks_math.is_equiv_raw",
    pipeline=Pipeline((step("hendrycks_latex"),)),
    overlap="none",
    scale=1,
    title="MATH is_equiv",
    family="Exams",
    datasets=("MATH",),
    summary="Both sides in MATH's form, compared.",
    source="hendrycks/math modeling/math_equivalence.py",
    version="985bdc16",
    differs="`1,000` differs from `1000`, and of all fractions only 0.5 equals its form as one.",
)


# The script searches for `.*[aA]nswer:\s*([A-J])`, whose time grows with the square of a line; this finds the same, the last one of the first line with one.
LAST_OF_ITS_LINE = r"[aA]nswer:(?=\s*[A-J])(?!.*[aA]nswer:\s*[A-J])\s*([A-J])"


def _letter(name: str, patterns: tuple[str, ...], summary: str, differs: str) -> Preset:
    take: Step = step("take_match_in_turn", "prediction", patterns=patterns, trim=False, engine="re")
    return Preset(
        name=f"mmlu_pro.{name}",
        pipeline=Pipeline((take,)),
        overlap="none",
        empty_prediction="wrong_if_nothing_found",
        scale=1,
        title=f"MMLU-Pro, level {name}",
        family="Exams",
        languages=("en",),
        datasets=("MMLU-Pro",),
        summary=summary,
        source="TIGER-AI-Lab/MMLU-Pro compute_accuracy.py",
        version="f418b116",
        differs=differs + " Where no letter is found the script guesses at random; here the answer is wrong.",
    )


PRESETS = (
    MATH,
    replace(
        MATH,
        name="hendrycks_math.boxed_is_equiv",
        pipeline=Pipeline((step("take_last_box", "prediction"), *MATH.pipeline)),
        empty_prediction="wrong_if_nothing_found",
        title="MATH is_equiv on the last box",
        summary="The last box of the output in MATH's form.",
        differs="`\\boxed 5` and `\\fbox{5}` are no box.",
    ),
    _letter("l1", (r"answer is \(?([A-J])\)?",), "The letter behind the first `answer is`.", "Only capitals count."),
    _letter(
        "l2",
        (r"answer is \(?([A-J])\)?", LAST_OF_ITS_LINE, r"(?s)\b[A-J]\b(?!.*\b[A-J]\b)"),
        "The letter behind `answer is`, else behind `Answer:`, else the last one that stands alone.",
        "`I'm sorry` chooses I.",
    ),
)
