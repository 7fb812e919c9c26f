"""Presets of HELM."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.scoring.presets.squad import NORMALIZATION
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline

SOURCE = "stanford-crfm/helm src/helm/benchmark/metrics/evaluate_reference_metrics.py"
KEEP_ARTICLES = (step("lower"), step("delete_punctuation"), step("squeeze_whitespace"))

EXACT = Preset(
    name="helm.exact_match",
    pipeline=Pipeline((step("strip_whitespace"),)),
    overlap="none",
    empty_prediction="wrong_if_blank",
    scale=1,
    title="HELM exact_match",
    family="HELM",
    languages=("en",),
    summary="Both sides stripped and compared.",
    source=SOURCE,
    version="63754d05db6f",
    differs="An empty prediction is wrong, even for an empty reference.",
)
QUASI = replace(
    EXACT,
    name="helm.quasi_exact_match",
    pipeline=NORMALIZATION,
    title="HELM quasi_exact_match",
    summary="SQuAD's normalization on both sides.",
    differs="An empty prediction is wrong; one that normalizes to nothing, such as `The`, equals the reference `A`.",
)

PRESETS = (
    EXACT,
    QUASI,
    replace(
        QUASI,
        name="helm.quasi_leave_articles_exact_match",
        pipeline=Pipeline(KEEP_ARTICLES),
        title="HELM quasi_leave_articles_exact_match",
        summary="Lower case, ASCII punctuation deleted, whitespace squeezed; articles stay.",
        differs="An empty prediction is wrong.",
    ),
    replace(
        EXACT,
        name="helm.prefix_exact_match",
        match="starts_with",
        title="HELM prefix_exact_match",
        summary="The prediction begins with the reference.",
        differs="HELM's own description says it the other way round. An empty reference is always met.",
    ),
    replace(
        QUASI,
        name="helm.quasi_prefix_exact_match",
        match="starts_with",
        title="HELM quasi_prefix_exact_match",
        summary="The normalized prediction begins with the normalized reference.",
        differs="`nobody knows` begins with `no`; a reference that normalizes to nothing is always met.",
    ),
    replace(
        QUASI,
        name="helm.f1_score",
        match="none",
        overlap="set",
        empty="v1",
        title="HELM f1_score",
        summary="F1 over sets of normalized words.",
        differs="A reference that is only an article has F1 0 with everything; a repeated word counts once.",
    ),
    replace(
        EXACT,
        name="helm.final_number_exact_match",
        pipeline=Pipeline(
            (
                step("take_match", pattern=r"-?[\d,]+(?:.\d+)?", choice="last", trim=False, engine="re", nothing="marker", marker=""),
                step("replace_characters", "prediction", characters=","),
                step("replace_characters", "reference", characters=","),
                step("strip_whitespace"),
            )
        ),
        empty_prediction="wrong_if_nothing_left",
        title="HELM final_number_exact_match",
        summary="The last number of either side, commas dropped.",
        differs="`10-20` is one number and `07/04/1776` ends in 1776, as the point of the pattern stands for any character; "
        "a lone comma counts as a number; `29.00` differs from `29`.",
    ),
    replace(
        QUASI,
        name="helm.remove_deepseek_r1_thinking+quasi",
        pipeline=Pipeline(
            (
                step("replace_pattern", "prediction", pattern="(?s)<think>.*</think>", engine="re"),
                step("replace_pattern", "prediction", pattern="(?s)<think>.*", engine="re"),
                *NORMALIZATION,
            )
        ),
        empty_prediction="wrong_if_extracted_blank",
        title="HELM quasi_exact_match after thinking",
        summary="Thinking removed, then quasi_exact_match.",
        source="stanford-crfm/helm src/helm/benchmark/metrics/output_processors.py",
        differs="Everything from the first `<think>` to the last `</think>` goes, an answer between two of them too; without an end, all that follows.",
    ),
    replace(
        EXACT,
        name="helm.math_equiv",
        pipeline=Pipeline((step("strip_whitespace", "prediction"), step("hendrycks_latex"))),
        empty_prediction="compare",
        title="HELM math_equiv",
        datasets=("MATH",),
        summary="Both sides in MATH's form, compared.",
        source="stanford-crfm/helm src/helm/benchmark/scenarios/math_scenario.py is_equiv",
        differs="As MATH's own is_equiv.",
    ),
    replace(
        EXACT,
        name="helm.exact_match_indicator",
        pipeline=Pipeline(
            (
                step("strip_whitespace"),
                step("take_match", pattern=r"(?<![^ ])[^ ]*\Z", trim=False, engine="re", nothing="marker", marker=""),
                step("strip_whitespace"),
            )
        ),
        title="HELM exact_match_indicator",
        summary="The last piece behind a space of either side.",
        differs="An empty prediction is wrong.",
    ),
)
