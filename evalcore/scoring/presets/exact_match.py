"""Presets of Hugging Face's exact_match and of the tasks that configure it."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.text.catalogue import step
from evalcore.text.languages import DIGITS
from evalcore.text.pipeline import Pipeline
from evalcore.text.steps import Step

WITHOUT_TRAILING_NUL = step("strip_characters", characters="\0", where="end")  # NumPy's fixed-width texts lose it.
IGNORE_CASE, IGNORE_PUNCTUATION = step("lower_within_length"), step("delete_punctuation")
IGNORE_NUMBERS = step("replace_characters", characters=DIGITS)
BATCH = (
    "NumPy cuts a text that grows in lower case (İ) to the longest of its batch, so the metric's result depends on the neighbours; "
    "here every item is its own batch, as when the metric is called on it alone."
)


def ignoring(*steps: Step) -> Pipeline:
    """Give the metric's steps, and what NumPy does to every text."""
    return Pipeline((*steps, WITHOUT_TRAILING_NUL))


def removing(pattern: str) -> Step:
    """Give one of the metric's regexes_to_ignore."""
    return step("replace_pattern", pattern=pattern, engine="re")


DEFAULT = Preset(
    name="hf_exact_match",
    pipeline=ignoring(),
    overlap="none",
    scale=1,
    title="Exact match (Hugging Face evaluate)",
    family="Exact match",
    summary="The texts as they are; no F1.",
    source="huggingface/evaluate metrics/exact_match/exact_match.py",
    version="a7dd338386a4",
    differs="Not even outer spaces are stripped; only NUL characters at the end are lost. The metric takes one reference; here the best one counts.",
)

TRIVIAQA = replace(
    DEFAULT,
    name="lm_eval_triviaqa",
    pipeline=ignoring(IGNORE_CASE, IGNORE_PUNCTUATION),
    title="TriviaQA (lm-evaluation-harness)",
    languages=("en",),
    datasets=("TriviaQA",),
    summary="Case and ASCII punctuation ignored; right when any alias is met.",
    source="EleutherAI/lm-evaluation-harness lm_eval/api/metrics.py, lm_eval/tasks/triviaqa",
    version="4e7e0d47f33b",
    differs="No articles and no whitespace step. Generation stops at a line break, `.` or `,`, so `U.S.` and `1,000` are cut before scoring: add "
    "cut_at_stops to see it.",
)

PRESETS = (
    DEFAULT,
    replace(
        DEFAULT,
        name="hf_exact_match.ignore_case",
        pipeline=ignoring(IGNORE_CASE),
        title="Exact match, case ignored",
        summary="Lower case, nothing else.",
        differs=BATCH,
    ),
    replace(
        DEFAULT,
        name="hf_exact_match.ignore_punctuation",
        pipeline=ignoring(IGNORE_PUNCTUATION),
        title="Exact match, punctuation ignored",
        summary="The 32 ASCII marks deleted, nothing else.",
        differs="Spaces stay: `copper - tin` becomes `copper  tin` with two of them. Marks of other scripts, such as 。, stay too.",
    ),
    replace(
        DEFAULT,
        name="hf_exact_match.ignore_numbers",
        pipeline=ignoring(IGNORE_NUMBERS),
        title="Exact match, digits ignored",
        summary="The digits 0 to 9 deleted, nothing else.",
        differs="`a 7` equals `a ` with its space; full-width digits stay.",
    ),
    replace(
        DEFAULT,
        name="hf_exact_match.ignore_case_punctuation",
        pipeline=ignoring(IGNORE_CASE, IGNORE_PUNCTUATION),
        title="Exact match, case and punctuation ignored",
        summary="Lower case and ASCII marks deleted.",
        differs=BATCH,
    ),
    replace(
        DEFAULT,
        name="hf_exact_match.all",
        pipeline=ignoring(IGNORE_CASE, IGNORE_PUNCTUATION, IGNORE_NUMBERS),
        title="Exact match, case, punctuation and digits ignored",
        summary="Lower case, ASCII marks and digits deleted; no articles and no whitespace step, so it is not SQuAD's EM.",
        differs=BATCH,
    ),
    replace(
        DEFAULT,
        name="hf_exact_match.regex_articles",
        pipeline=ignoring(removing(r"\b(?:a|an|the)\b "), IGNORE_CASE, IGNORE_PUNCTUATION),
        title="Exact match, articles removed by a pattern",
        languages=("en",),
        summary="Lower-case articles with the space after them removed, then case and punctuation ignored.",
        differs="The pattern runs before lower case, so `The` stays, and before punctuation, so `th-e` does. " + BATCH,
    ),
    replace(
        TRIVIAQA,
        name="lm_eval_nq_open",
        pipeline=ignoring(removing(r"\b(?:The |the |An |A |a |an )"), IGNORE_CASE, IGNORE_PUNCTUATION),
        title="NQ-Open (lm-evaluation-harness)",
        datasets=("NQ-Open",),
        summary="Articles before a space removed, case and ASCII punctuation ignored; right when any reference is met.",
        source="EleutherAI/lm-evaluation-harness lm_eval/api/metrics.py, lm_eval/tasks/nq_open",
        differs="THE and an article at the very end stay. Generation stops at a line break, `.` or `,`: add cut_at_stops to see it.",
    ),
    replace(TRIVIAQA, same_as="hf_exact_match.ignore_case_punctuation"),
)
