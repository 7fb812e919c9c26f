"""Presets of frameworks that test prompts and applications: DSPy, ragas, DeepEval, promptfoo."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.scoring.presets.squad import NORMALIZATION
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline

DEEPEVAL = Preset(
    name="deepeval.exact_match_score",
    pipeline=Pipeline((step("strip_whitespace"),)),
    overlap="none",
    empty_prediction="wrong_if_empty",
    scale=1,
    title="DeepEval exact match",
    family="Frameworks",
    languages=("en",),
    summary="Both sides stripped and compared.",
    source="confident-ai/deepeval deepeval/scorer/scorer.py exact_match_score",
    version="a2e0d4cf",
    differs="An empty prediction is wrong, even for an empty reference.",
)
RAGAS = Preset(
    name="ragas.ExactMatch",
    pipeline=Pipeline(),
    overlap="none",
    scale=1,
    title="ragas ExactMatch",
    family="Frameworks",
    summary="Both sides as they are.",
    source="ragas metrics/_string.py ExactMatch",
    version="0.4.3",
    differs="Outer spaces count.",
)
PROMPTFOO = replace(
    RAGAS,
    name="promptfoo.equals",
    pipeline=Pipeline((step("replace_pattern", "prediction", pattern=r"\n\Z", engine="re"),)),
    title="promptfoo equals",
    summary="Both texts as they are.",
    source="promptfoo src/assertions equals",
    version="0.121.20",
    differs="One line break at the end of an output that is passed as a variable is lost.",
)
HOLDS = replace(
    PROMPTFOO,
    name="promptfoo.contains",
    pipeline=Pipeline((*PROMPTFOO.pipeline, step("require_text", "reference"))),
    match="contains",
    title="promptfoo contains",
    summary="The reference stands anywhere in the output.",
    source="promptfoo src/assertions contains",
    differs="No word boundary. An empty reference stops promptfoo, and leaves the item unscored here.",
)
HOLDS_ANY_CASE = replace(
    HOLDS,
    name="promptfoo.icontains",
    pipeline=Pipeline((*HOLDS.pipeline, step("lower"))),
    title="promptfoo icontains",
    summary="The reference stands anywhere in the output, letter case ignored.",
)

PRESETS = (
    replace(DEEPEVAL, same_as="lighteval.exact_match"),
    replace(
        DEEPEVAL,
        name="deepeval.quasi_exact_match_score",
        pipeline=NORMALIZATION,
        title="DeepEval quasi exact match",
        summary="SQuAD's normalization on both sides.",
        source="confident-ai/deepeval deepeval/scorer/scorer.py quasi_exact_match_score",
        differs="An empty prediction is wrong; one that normalizes to nothing can be right.",
    ),
    Preset(
        name="dspy.answer_exact_match",
        pipeline=Pipeline((step("normalize_unicode", form="NFD"), *NORMALIZATION)),
        overlap="bag",
        empty="v1",
        title="DSPy answer_exact_match",
        family="Frameworks",
        languages=("en",),
        summary="Unicode decomposed, then SQuAD's normalization; best reference.",
        source="stanfordnlp/dspy dspy/evaluate/metrics.py",
        version="4ed377ee",
        differs="Accents stay. Both sides empty is EM 1 and F1 0.",
    ),
    RAGAS,
    replace(
        RAGAS,
        name="ragas.StringPresence",
        match="contains",
        title="ragas StringPresence",
        summary="The reference stands anywhere in the output.",
        source="ragas metrics/_string.py StringPresence",
        differs="Letter case counts; no word boundary; an empty reference is always found.",
        same_as="inspect.includes_casesensitive",
    ),
    PROMPTFOO,
    HOLDS,
    HOLDS_ANY_CASE,
    replace(
        HOLDS,
        name="promptfoo.contains-any",
        title="promptfoo contains-any",
        summary="One of the references stands anywhere in the output.",
        source="promptfoo src/assertions contains-any",
        same_as="promptfoo.contains",
    ),
    replace(
        HOLDS_ANY_CASE,
        name="promptfoo.icontains-all",
        references="all",
        title="promptfoo icontains-all",
        summary="Every reference stands somewhere in the output, letter case ignored.",
        source="promptfoo src/assertions icontains-all",
    ),
    replace(
        HOLDS,
        name="promptfoo.starts-with",
        match="starts_with",
        title="promptfoo starts-with",
        summary="The output begins with the reference.",
        source="promptfoo src/assertions starts-with",
    ),
    replace(
        DEEPEVAL,
        name="deepeval.quasi_contains_score",
        pipeline=NORMALIZATION,
        title="DeepEval quasi contains",
        summary="SQuAD's normalization; the prediction is one of the references.",
        source="confident-ai/deepeval deepeval/scorer/scorer.py quasi_contains_score",
        differs="In spite of its name no containment: the whole texts are compared.",
        same_as="deepeval.quasi_exact_match_score",
    ),
)
