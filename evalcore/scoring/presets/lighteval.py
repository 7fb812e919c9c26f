"""Presets of lighteval."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline
from evalcore.text.steps import Side, Step

STRIP = (step("strip_whitespace"),)


def quasi(side: Side = "both") -> tuple[Step, ...]:
    """Give the steps of lighteval's helm_normalizer, which is not HELM's."""
    return (
        step("replace_characters", side, characters="-", replacement=" "),
        step("lower", side),
        step("delete_punctuation", side),
        step("write_numbers_as_floats", side),
        step("drop_articles", side),
        step("squeeze_whitespace", side),
    )


EXACT = Preset(
    name="lighteval.exact_match",
    pipeline=Pipeline(STRIP),
    overlap="none",
    empty_prediction="wrong_if_empty",
    scale=1,
    title="lighteval exact_match",
    family="lighteval",
    languages=("en",),
    summary="Both sides stripped and compared.",
    source="huggingface/lighteval metrics/metrics_sample.py ExactMatches",
    version="3fd15266",
    differs="An empty prediction is wrong, even for an empty reference.",
)
QUASI = replace(
    EXACT,
    name="lighteval.quasi_exact_match_helm",
    pipeline=Pipeline(quasi()),
    title="lighteval quasi_exact_match (helm_normalizer)",
    summary="Lower case, ASCII punctuation deleted, numbers as floats, articles dropped.",
    source="huggingface/lighteval metrics/normalizations.py helm_normalizer",
    differs="Punctuation goes before numbers are read: `3.14` equals `314`, `1.0` equals `10` and not `1`.",
)

PRESETS = (
    EXACT,
    replace(EXACT, name="lighteval.exact_match_nostrip", pipeline=Pipeline(), title="lighteval exact_match, not stripped", summary="Both sides as they are."),
    replace(
        EXACT,
        name="lighteval.prefix_exact_match",
        match="starts_with",
        title="lighteval prefix_exact_match",
        summary="The prediction begins with the reference.",
        differs="An empty reference is always met, unless the prediction is empty.",
    ),
    replace(
        EXACT,
        name="lighteval.suffix_exact_match",
        match="ends_with",
        title="lighteval suffix_exact_match",
        summary="The prediction ends with the reference.",
        differs="An empty reference is always met, unless the prediction is empty.",
    ),
    QUASI,
    replace(
        QUASI,
        name="lighteval.prefix_quasi_exact_match",
        match="starts_with",
        title="lighteval prefix_quasi_exact_match",
        summary="The normalized prediction begins with the normalized reference.",
    ),
    replace(
        EXACT,
        name="lighteval.quasi_exact_match_gsm8k",
        pipeline=Pipeline(
            (
                *STRIP,
                step("take_match", "prediction", pattern=r"#### (\-?[0-9\.\,]+)", engine="re", nothing="marker"),
                step("replace_characters", "prediction", characters=","),
            )
        ),
        title="lighteval quasi_exact_match (gsm8k_normalizer)",
        datasets=("GSM8K",),
        summary="The number behind the first `#### ` of the prediction, commas dropped.",
        source="huggingface/lighteval metrics/normalizations.py gsm8k_normalizer",
        differs="The reference is compared as it is, with its commas.",
    ),
    replace(
        EXACT,
        name="lighteval.quasi_exact_match_math",
        pipeline=Pipeline(
            (*STRIP, step("take_last_box", "prediction", nothing="marker", marker=""), step("hendrycks_latex", "prediction", unreadable="unscored"))
        ),
        title="lighteval quasi_exact_match (math_normalizer)",
        datasets=("MATH",),
        summary="The last box of the prediction in MATH's form.",
        source="huggingface/lighteval metrics/normalizations.py math_normalizer",
        differs="The reference is compared as it is; a prediction without a box equals an empty reference.",
    ),
    replace(
        EXACT,
        name="lighteval.quasi_exact_match_triviaqa",
        pipeline=Pipeline((*STRIP, step("lower"), step("delete_punctuation"))),
        title="lighteval quasi_exact_match (harness_triviaqa_normalizer)",
        datasets=("TriviaQA",),
        summary="Both sides stripped, lower case, ASCII punctuation deleted.",
        source="huggingface/lighteval metrics/normalizations.py harness_triviaqa_normalizer",
        differs="Inner whitespace and articles stay.",
    ),
    replace(
        EXACT,
        name="lighteval.remove_reasoning_tags+exact_match",
        pipeline=Pipeline((step("replace_pattern", "prediction", pattern="(?s)<think>.*?</think>", engine="re"), *STRIP)),
        title="lighteval exact_match after thinking",
        summary="What stands between `<think>` and `</think>` removed, then stripped and compared.",
        source="huggingface/lighteval utils/utils.py remove_reasoning_tags",
        differs="Thinking that is never closed stays.",
    ),
    replace(
        EXACT,
        name="lighteval.f1_score",
        pipeline=Pipeline(),
        match="none",
        overlap="set",
        empty="v1",
        empty_prediction="compare",
        title="lighteval f1_score",
        summary="F1 over sets of words as they are.",
        source="huggingface/lighteval metrics/metrics_sample.py F1_score",
        differs="Case and punctuation count; a repeated word counts once.",
    ),
    replace(
        QUASI,
        name="lighteval.f1_score_quasi",
        match="none",
        overlap="set",
        empty="v1",
        empty_prediction="compare",
        title="lighteval f1_score_quasi",
        summary="F1 over sets of words after helm_normalizer.",
        source="huggingface/lighteval metrics/metrics_sample.py F1_score",
    ),
)
