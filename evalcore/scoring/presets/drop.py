"""Presets of DROP: numbers, sets of words, and answers of several spans."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline

NORMALIZATION = Pipeline(
    (
        step("replace_characters", characters="-", replacement=" "),
        step("lower"),
        step("delete_punctuation_outside_numbers"),
        step("write_numbers_as_floats"),
        step("drop_articles"),
        step("squeeze_whitespace"),
    )
)

DROP = Preset(
    name="drop_allennlp",
    pipeline=NORMALIZATION,
    overlap="set",
    empty="v2",
    gate="numbers",
    empty_references="drop_blank",
    no_references="zero",
    rounding="hundredths",
    scale=1,
    title="DROP",
    family="DROP",
    languages=("en",),
    datasets=("DROP",),
    summary="Numbers written alike, words counted once; F1 is 0 where the prediction shares none of the reference's numbers.",
    source="allenai/allennlp-reading-comprehension allennlp_rc/eval/drop_eval.py",
    version="14fc0a424441",
    differs="Every hyphen parts words, so `-5` loses its sign. F1 is rounded to two decimals an item, and repeated words do not count. "
    "A number before a line break is no number.",
)

PRESETS = (
    DROP,
    replace(
        DROP,
        name="drop_allennlp_multispan",
        references="spans",
        empty_references="keep",
        title="DROP, several spans",
        summary="As DROP; all references together are one answer of several spans.",
        differs="The spans are aligned one to one; F1 is the sum over the longer side. "
        "`tin, tin, lead` equals `tin, lead, lead` in EM, as only set and number of spans count.",
    ),
    replace(
        DROP,
        name="drop_lm_eval",
        title="DROP (lm-evaluation-harness)",
        source="EleutherAI/lm-evaluation-harness lm_eval/tasks/drop/utils.py",
        version="4e7e0d47f33b",
        differs="Generation stops at `.`, so decimals are cut before scoring.",
        same_as="drop_allennlp",
    ),
    replace(
        DROP,
        name="drop_simple_evals",
        no_references="unscored",
        rounding="hundredths_of_percent",
        scale=100,
        title="DROP (simple-evals)",
        summary="As DROP, F1 rounded to two decimals of a percent; the best single reference.",
        source="openai/simple-evals drop_eval.py",
        version="ee3b0318d8d1",
        differs="F1 is finer than DROP's own. An item whose references are all blank is unscored here; the script fails on it.",
    ),
)
