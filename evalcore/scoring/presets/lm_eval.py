"""Presets of lm-evaluation-harness: filters, then its exact match."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline
from evalcore.text.steps import Step

FAMILY = "lm-evaluation-harness"
VERSION = "0.4.13"
METRIC = "EleutherAI/lm-evaluation-harness lm_eval/api/metrics.py exact_match"
GSM8K_IGNORED = (",", r"\$", "(?s).*#### ", r"\.$")
GSM8K_STOPS = ("Question:", "</s>", "<|im_end|>")
ARTICLES = r"\b(?:The |the |An |A |The |a |an )"
BBH = "(" + "|".join(rf"(?<={phrase} )(.*)(?=.)" for phrase in ("The answer is", "the answer is", "The answer:", "The final answer:")) + ")"
THINKING = step("replace_pattern", "prediction", pattern=r"(?s)\A.*</think>\s*", engine="re")  # Keeps what follows the last closing tag.


def compared(*ignored: str, case: bool = False, punctuation: bool = False, numbers: bool = False) -> tuple[Step, ...]:
    """Give the steps of exact_match for what it is told to ignore, in its order."""
    steps = [step("replace_pattern", pattern=pattern, engine="re") for pattern in ignored]
    steps += [step("lower")] * case + [step("delete_punctuation")] * punctuation
    steps += [step("replace_characters", characters="0123456789")] * numbers
    return (*steps, step("strip_characters", characters="\0", where="end"))


def taken(pattern: str, choice: str = "first") -> Step:
    """Give the regex filter: the first group that matched text, trimmed, else `[invalid]`."""
    return step("take_match", "prediction", pattern=pattern, choice=choice, engine="re", nothing="marker")


def _preset(name: str, title: str, steps: tuple[Step, ...], summary: str, differs: str, source: str = METRIC, datasets: tuple[str, ...] = ()) -> Preset:
    return Preset(
        name=f"lm_eval.{name}",
        pipeline=Pipeline(steps),
        overlap="none",
        scale=1,
        title=title,
        family=FAMILY,
        languages=("en",),
        datasets=datasets,
        summary=summary,
        source=source,
        version=VERSION,
        differs=differs,
    )


STRIP = step("strip_whitespace", "prediction")

PRESETS = (
    replace(
        _preset("exact_match_default", "exact_match", compared(), "Both texts as they are.", "Outer spaces count; a NUL at the end does not."),
        same_as="hf_exact_match",
    ),
    _preset("exact_match_ignore_case", "exact_match, ignore_case", compared(case=True), "Lower case, nothing else.", "`lower`, not case folding."),
    _preset(
        "exact_match_ic_ip",
        "exact_match, ignore_case and ignore_punctuation",
        compared(case=True, punctuation=True),
        "Lower case, ASCII punctuation deleted.",
        "Whitespace and articles stay; `a。` differs from `a`; `3.14` equals `314`.",
    ),
    _preset(
        "exact_match_ic_ip_in",
        "exact_match, all ignored",
        compared(case=True, punctuation=True, numbers=True),
        "Lower case, ASCII punctuation and ASCII digits deleted.",
        "`1/2` equals `0.5`, as nothing is left of either.",
    ),
    _preset(
        "gsm8k.strict-match",
        "GSM8K, strict-match",
        (taken(r"#### (\-?[0-9\.\,]+)"), *compared(*GSM8K_IGNORED, case=True)),
        "The number behind the first `#### `; commas, dollar signs and a final point ignored.",
        "The first `####` counts, also where the output repeats an example. `18.00` differs from `18`.",
        "EleutherAI/lm-evaluation-harness lm_eval/tasks/gsm8k v3",
        ("GSM8K",),
    ),
    _preset(
        "gsm8k.flexible-extract",
        "GSM8K, flexible-extract",
        (taken(r"(-?[$0-9.,]{2,})|(-?[0-9]+)", "last"), *compared(*GSM8K_IGNORED, case=True)),
        "The last number, commas, dollar signs and a final point ignored.",
        "The pattern takes lone marks for numbers, so a comma at the end can be the last one. `29.00` differs from `29`.",
        "EleutherAI/lm-evaluation-harness lm_eval/tasks/gsm8k v3",
        ("GSM8K",),
    ),
    _preset(
        "gsm8k.flexible-extract.after_think",
        "GSM8K, flexible-extract after thinking",
        (THINKING, step("cut_at_stops", "prediction", stops=GSM8K_STOPS), taken(r"(-?[$0-9.,]{2,})|(-?[0-9]+)", "last"), *compared(*GSM8K_IGNORED, case=True)),
        "As flexible-extract, on what follows the last `</think>` up to a stop string.",
        "Thinking that is never closed stays in the text.",
        "EleutherAI/lm-evaluation-harness lm_eval/tasks/gsm8k v3, think_end_token",
        ("GSM8K",),
    ),
    _preset(
        "gsm8k_cot.strict-match",
        "GSM8K with reasoning, strict-match",
        (taken(r"The answer is (\-?[0-9\.\,]+)."), *compared(*GSM8K_IGNORED, case=True)),
        "The number behind the first `The answer is`.",
        "The pattern needs one more character: of `The answer is 42` it takes `4`.",
        "EleutherAI/lm-evaluation-harness lm_eval/tasks/gsm8k gsm8k-cot v3",
        ("GSM8K",),
    ),
    _preset(
        "mmlu_pro.custom-extract",
        "MMLU-Pro, custom-extract",
        (taken(r"answer is \(?([ABCDEFGHIJ])\)?"), *compared(case=True, punctuation=True)),
        "The letter behind the first `answer is`.",
        "Only capitals count, and only this phrase.",
        "EleutherAI/lm-evaluation-harness lm_eval/tasks/mmlu_pro v3.1",
        ("MMLU-Pro",),
    ),
    _preset(
        "bbh_cot_zeroshot.strict-match",
        "BIG-Bench Hard with reasoning, strict-match",
        (taken(BBH), *compared()),
        "What follows `The answer is` on its line, without its last character.",
        "Meant for answers with a final point: of `The answer is 42` it takes `4`. Letter case and parentheses count.",
        "EleutherAI/lm-evaluation-harness lm_eval/tasks/bbh/cot_zeroshot",
        ("BIG-Bench Hard",),
    ),
    _preset(
        "nq_open",
        "NQ-Open",
        (STRIP, *compared(ARTICLES, case=True, punctuation=True)),
        "Articles before a space dropped, lower case, ASCII punctuation deleted.",
        "Articles are dropped before lower case, inside the text too. Generation stops at `.` and `,`, which is not repeated here.",
        "EleutherAI/lm-evaluation-harness lm_eval/tasks/nq_open v4",
        ("NQ-Open",),
    ),
    _preset(
        "triviaqa",
        "TriviaQA",
        (STRIP, *compared(case=True, punctuation=True)),
        "Prediction stripped; lower case, ASCII punctuation deleted.",
        "Articles stay. Generation stops at `.` and `,`, which is not repeated here: see lm_eval.triviaqa_until.",
        "EleutherAI/lm-evaluation-harness lm_eval/tasks/triviaqa v3",
        ("TriviaQA",),
    ),
    _preset(
        "triviaqa_until",
        "TriviaQA, cut at its stop strings",
        (step("cut_at_stops", "prediction", stops=("\n", ".", ",")), STRIP, *compared(case=True, punctuation=True)),
        "As lm_eval.triviaqa, on the text before the first line break, point or comma.",
        "`U.S.A.` becomes `U`.",
        "EleutherAI/lm-evaluation-harness lm_eval/tasks/triviaqa v3, until",
        ("TriviaQA",),
    ),
    _preset(
        "think_strip.exact_match",
        "exact_match after thinking",
        (THINKING, step("replace_pattern", "prediction", pattern=r"\A\s+", engine="re"), *compared()),
        "What follows the last `</think>`, left end stripped.",
        "Thinking that is never closed stays in the text; spaces at the right end count.",
        "EleutherAI/lm-evaluation-harness lm_eval/models/utils.py, think_end_token",
    ),
    _preset(
        "hendrycks_math",
        "MATH (hendrycks_math)",
        (
            step("take_match", "prediction", pattern=r"(?s)\$(.*)\$", trim=False, engine="re", nothing="keep"),
            step("replace_pattern", "reference", pattern=r"(?s)\A(.*)\Z", replacement=r"\\boxed{\1}", engine="re"),
            step("take_last_box", "reference", bare="to_dollar", nothing="unscored"),
            step("hendrycks_latex"),
        ),
        "What stands between the first and the last dollar sign, compared by the rules of MATH.",
        "A `\\boxed{}` is never opened, so `$\\boxed{42}$` is wrong for 42. The reference is put in a box first, as the data set has it.",
        "EleutherAI/lm-evaluation-harness lm_eval/tasks/hendrycks_math/utils.py",
        ("MATH",),
    ),
)
