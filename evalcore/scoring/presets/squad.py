"""Presets of the SQuAD family."""

from evalcore.scoring.preset import Preset
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline

NORMALIZATION = Pipeline((step("lower"), step("delete_punctuation"), step("drop_articles"), step("squeeze_whitespace")))

PRESETS = (
    Preset(
        name="squad_v1",
        pipeline=NORMALIZATION,
        empty="v1",
        title="SQuAD v1.1",
        family="SQuAD",
        languages=("en",),
        summary="Lower case, ASCII punctuation deleted, English articles dropped, whitespace squeezed; best reference.",
        source="allenai/bi-att-flow squad/evaluate-v1.1.py",
        version="49004549e9a8",
        differs="When both sides normalize to nothing, EM is 1 and F1 is 0.",
    ),
    Preset(
        name="squad_v2",
        pipeline=NORMALIZATION,
        empty="v2",
        empty_references="drop",
        no_references="no_answer",
        title="SQuAD v2.0",
        family="SQuAD",
        languages=("en",),
        summary="As SQuAD v1.1; an item without references has no answer, and the empty prediction is right there.",
        source="rajpurkar/SQuAD-explorer evaluate-v2.0.py",
        version="eee5fdbf62f8",
        differs="References that normalize to nothing are dropped, so `A` is not accepted for the reference `A` and another one.",
    ),
    Preset(
        name="squad_spaced",
        pipeline=Pipeline((step("lower"), step("space_out_punctuation"), step("drop_articles"), step("squeeze_whitespace"))),
        overlap="set",
        empty="v2",
        scale=1,
        title="SQuAD, punctuation spaced",
        family="SQuAD",
        languages=("en",),
        summary="A space in place of every ASCII mark, tokens counted once.",
        source="a widely copied variant of SQuAD's normalization",
        differs="`well-known` equals `well known`, not `wellknown`; repeated words do not count.",
    ),
)
