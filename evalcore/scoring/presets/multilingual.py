"""Presets of question answering in several languages."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.scoring.presets.squad import SQUAD_V1
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline
from evalcore.text.steps import Step


def normalization(*language_steps: Step) -> Pipeline:
    """Give MLQA's steps, with those of one language before whitespace."""
    return Pipeline((step("lower"), step("delete_punctuation", which="both"), *language_steps, step("squeeze_whitespace")))


MLQA = Preset(
    name="mlqa_en",
    pipeline=normalization(step("drop_articles", language="en")),
    empty="v1",
    title="MLQA, English",
    family="Multilingual",
    languages=("en",),
    datasets=("MLQA",),
    summary="Punctuation of every script deleted, English articles dropped.",
    source="facebookresearch/MLQA mlqa_evaluation_v1.py",
    version="24bf470b2e68",
    differs="Deletes “ ” and 。 where SQuAD keeps them; symbols such as € and ° stay. Which marks count follows the Unicode version of the running Python.",
)


def _mlqa(language: str, name: str, summary: str, differs: str, *steps: Step) -> Preset:
    return replace(
        MLQA,
        name=f"mlqa_{language}",
        pipeline=normalization(*steps),
        languages=(language,),
        title=f"MLQA, {name}",
        summary=f"Punctuation of every script deleted, {summary}.",
        differs=differs,
    )


ARABIC = _mlqa(
    "ar",
    "Arabic",
    "every ال replaced by a space",
    "The pattern meant for the article deletes ال anywhere, so خيال becomes خي; lm-evaluation-harness corrected it.",
    step("drop_arabic_article", where="anywhere"),
)

PRESETS = (
    MLQA,
    _mlqa("es", "Spanish", "Spanish articles dropped", "Articles are those of MLQA's list; `lo` and `al` stay.", step("drop_articles", language="es")),
    _mlqa("de", "German", "German articles dropped", "Articles are those of MLQA's list; `kein` and `im` stay.", step("drop_articles", language="de")),
    _mlqa(
        "vi",
        "Vietnamese",
        "Vietnamese classifiers dropped",
        "The words must be spelled with composed letters (NFC); decomposed ones stay.",
        step("drop_articles", language="vi"),
    ),
    _mlqa("hi", "Hindi", "nothing dropped, as Hindi has no articles", "The danda । is punctuation and goes."),
    ARABIC,
    replace(
        ARABIC,
        name="mlqa_ar_lm_eval",
        pipeline=Pipeline((step("strip_whitespace", "prediction"), *normalization(step("drop_arabic_article", where="word_start")))),
        scale=1,
        title="MLQA, Arabic (lm-evaluation-harness)",
        summary="As MLQA, with ال replaced only where a word begins.",
        source="EleutherAI/lm-evaluation-harness lm_eval/tasks/mlqa/utils.py",
        version="4e7e0d47f33b",
        differs="A word begins after whitespace or at the start of the text, so ال after a symbol stays.",
    ),
    _mlqa(
        "zh",
        "Chinese",
        "every Chinese character a word of its own",
        "Characters are those from U+4E00 to U+9FA5; rarer ones stay with their neighbours as one word.",
        step("space_out_chinese"),
    ),
    replace(
        SQUAD_V1,
        name="xtreme_xquad_tydiqa",
        title="XQuAD and TyDiQA in XTREME",
        family="Multilingual",
        languages=("en", "ar", "de", "el", "es", "hi", "ru", "th", "tr", "vi", "zh", "bn", "fi", "id", "ko", "sw", "te"),
        datasets=("XQuAD", "TyDiQA-GoldP"),
        summary="SQuAD v1.1 for every language, English articles and whitespace words included.",
        source="google-research/xtreme third_party/evaluate_squad.py",
        version="838c13b69daa",
        differs="A Chinese or Thai answer is one token, so F1 is 0 or 1 there.",
        same_as="squad_v1",
    ),
)
