"""Presets of Korean and Japanese question answering."""

from evalcore.scoring.preset import Preset
from evalcore.text.catalogue import step
from evalcore.text.languages import JAPANESE_FULL_STOP, KORQUAD_MARKS
from evalcore.text.pipeline import Pipeline

PRESETS = (
    Preset(
        name="korquad_v1",
        pipeline=Pipeline(
            (
                step("replace_characters", characters=KORQUAD_MARKS, replacement=" "),
                step("lower"),
                step("delete_punctuation"),
                step("squeeze_whitespace"),
            )
        ),
        tokenizer="characters",
        empty="v1",
        title="KorQuAD 1.0",
        family="Korean and Japanese",
        languages=("ko",),
        datasets=("KorQuAD 1.0",),
        summary="A space in place of quotes and brackets, other ASCII marks deleted; F1 over characters.",
        source="graykode/KorQuAD-beginner evaluate-v1.0.py",
        version="66df51db26ac",
        differs="Two treatments of punctuation in one scorer. Spaces count in EM, not in F1. Decomposed Hangul differs from composed.",
    ),
    Preset(
        name="jglue_jsquad",
        pipeline=Pipeline((step("lower"), step("strip_characters", characters=JAPANESE_FULL_STOP, where="end"), step("squeeze_whitespace"))),
        tokenizer="characters_and_spaces",
        empty="v2",
        empty_references="drop",
        no_references="no_answer",
        title="JSQuAD (JGLUE)",
        family="Korean and Japanese",
        languages=("ja",),
        datasets=("JSQuAD", "JGLUE"),
        summary="Lower case and full stops 。 stripped from the end; F1 over characters.",
        source="yahoojapan/JGLUE fine-tuning/patch/transformers-4.9.2_jglue-1.3.0.patch",
        version="6f071c09316b",
        differs="A space after 。 protects it. No other punctuation goes. Spaces inside count as characters in F1.",
    ),
)
