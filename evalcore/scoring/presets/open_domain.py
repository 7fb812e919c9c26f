"""Presets of open-domain question answering."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.scoring.presets.squad import NORMALIZATION, SQUAD_V1
from evalcore.text.catalogue import step
from evalcore.text.languages import TRIVIAQA_MARKS
from evalcore.text.pipeline import Pipeline

WITH_REGEX = Pipeline((step("lower"), step("delete_punctuation"), step("drop_articles", engine="regex"), step("squeeze_whitespace")))

DPR = Preset(
    name="dpr_nq_em",
    pipeline=WITH_REGEX,
    overlap="none",
    scale=1,
    title="DPR reader",
    family="Open domain",
    languages=("en",),
    datasets=("NQ-Open", "TriviaQA", "WebQuestions"),
    summary="EM with SQuAD's steps, word boundaries as the regex package sees them; no F1.",
    source="facebookresearch/DPR dpr/data/qa_validation.py",
    version="a31212dc0a54",
    differs="The regex package counts combining marks and joiners as word characters: `the` with an accent after it is an article for re, not for regex.",
)

PRESETS = (
    Preset(
        name="triviaqa",
        pipeline=Pipeline(
            (
                step("replace_characters", characters="_", replacement=" "),
                step("lower"),
                step("space_out_punctuation", add=TRIVIAQA_MARKS),
                step("drop_articles"),
                step("squeeze_whitespace"),
            )
        ),
        empty="v1",
        title="TriviaQA",
        family="Open domain",
        languages=("en",),
        datasets=("TriviaQA",),
        summary="A space in place of ASCII marks and of ‘ ’ ´ `, articles dropped; best alias.",
        source="mandarjoshi90/triviaqa evaluation/triviaqa_evaluation.py",
        version="ca43b5820b10",
        differs="Punctuation is replaced by a space, not deleted: `U.S.` becomes `u s`. The quotation marks “ ” stay.",
    ),
    DPR,
    replace(
        DPR,
        name="fid_nq_em",
        title="Fusion-in-Decoder",
        source="facebookresearch/FiD src/evaluation.py",
        version="fe769f30e371",
        same_as="dpr_nq_em",
    ),
    Preset(
        name="atlas_qa",
        pipeline=WITH_REGEX,
        empty="v1",
        scale=1,
        title="Atlas",
        family="Open domain",
        languages=("en",),
        datasets=("NQ-Open", "TriviaQA"),
        summary="SQuAD's steps with word boundaries as the regex package sees them; EM and F1.",
        source="facebookresearch/atlas src/evaluation.py",
        version="0ec8889492d5",
        differs="As dpr_nq_em around combining marks and joiners; F1 is 0 when both sides are empty.",
    ),
    Preset(
        name="orqa_nq_open",
        pipeline=Pipeline((step("normalize_unicode", form="NFD"), *NORMALIZATION)),
        overlap="none",
        scale=1,
        title="ORQA, NQ-Open",
        family="Open domain",
        languages=("en",),
        datasets=("NQ-Open", "WebQuestions", "CuratedTREC"),
        summary="Characters taken apart (NFD), then SQuAD's steps; EM alone. The reference evaluation of NQ-Open.",
        source="google-research/language language/orqa/utils/eval_utils.py",
        version="865fae65f63e",
        differs="Taking accents off their letters before the article step turns `thé` and `á` into a bare accent each, so they are equal.",
    ),
    Preset(
        name="kilt_downstream",
        pipeline=NORMALIZATION,
        empty="v1",
        empty_references="drop_blank",
        empty_prediction="wrong_if_blank",
        scale=1,
        title="KILT",
        family="Open domain",
        languages=("en",),
        datasets=("KILT", "NaturalQuestions", "HotpotQA", "TriviaQA", "ELI5"),
        summary="SQuAD's normalization; a blank prediction is wrong, blank references are ignored.",
        source="facebookresearch/KILT kilt/eval_downstream.py",
        version="2664322b9a99",
        differs="A blank prediction scores 0 even where no reference is left. KILT's accuracy is another number: equality with a reference as it is written.",
    ),
    replace(
        SQUAD_V1,
        name="selfrag_em_f1",
        title="Self-RAG, EM and F1",
        family="Open domain",
        datasets=("PopQA", "TriviaQA", "ARC-Challenge"),
        summary="SQuAD's normalization, EM and F1 over the best reference.",
        source="AkariAsai/self-rag retrieval_lm/metrics.py",
        version="1fcdc420e48f",
        differs="Most numbers of the paper are containment: see selfrag_match.",
        same_as="squad_v1",
    ),
)
