"""Presets of Chinese question answering."""

from dataclasses import replace

from evalcore.scoring.preset import Preset
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline

LONGBENCH = Preset(
    name="longbench_qa_f1_zh",
    pipeline=Pipeline((step("lower"), step("delete_chinese_punctuation", scorer="longbench"), step("remove_whitespace"))),
    tokenizer="jieba_words",
    match="none",
    tokens_from="raw",
    empty="v1",
    no_references="zero",
    title="LongBench QA F1, Chinese",
    family="Chinese",
    languages=("zh",),
    datasets=("MultiFieldQA-zh", "DuReader"),
    summary="jieba cuts the raw text into words, each is cleaned on its own; F1 alone, best reference.",
    source="THUDM/LongBench LongBench/metrics.py",
    version="2e00731f8d0b",
    differs="The list of marks has 》 but not 《, so a title keeps its opening mark. The cut depends on jieba's dictionary (0.42.1).",
)

PRESETS = (
    Preset(
        name="cmrc2018",
        pipeline=Pipeline((step("lower"), step("strip_whitespace"), step("delete_chinese_punctuation", scorer="cmrc"))),
        tokenizer="cmrc_segments",
        overlap="run",
        empty="v1",
        title="CMRC 2018",
        family="Chinese",
        languages=("zh",),
        datasets=("CMRC 2018", "DRCD"),
        summary="F1 of the longest run of segments both sides share; a segment is a Chinese character or an English word.",
        source="ymcui/cmrc2018 baseline/cmrc2018_evaluate.py",
        version="c0eb1b6ba219",
        differs="Words in another order do not add up: one run counts. Spaces inside stay in EM. The list of marks lacks ASCII `. , ! ?` and 【】; "
        "the BERT-wwm papers score DRCD with it.",
    ),
    Preset(
        name="drcd",
        pipeline=Pipeline((step("lower"), step("delete_chinese_punctuation", scorer="drcd"), step("drop_articles"), step("squeeze_whitespace"))),
        tokenizer="characters_and_spaces",
        empty="v1",
        title="DRCD",
        family="Chinese",
        languages=("zh",),
        datasets=("DRCD",),
        summary="SQuAD v1.1 with nine Chinese marks deleted too, F1 over characters.",
        source="DRCKnowledgeTeam/DRCD issue 6 (described, no script)",
        version="b944790de5af",
        differs="Reconstructed from the maintainers' description. Spaces count as characters in F1; traditional and simplified characters differ.",
    ),
    LONGBENCH,
    replace(
        LONGBENCH,
        name="infinitebench_qa_f1_zh",
        tokenizer="characters",
        tokens_from="normalized",
        scale=1,
        title="InfiniteBench QA F1, Chinese",
        datasets=("InfiniteBench",),
        summary="LongBench's cleaning, F1 over characters.",
        source="OpenBMB/InfiniteBench src/compute_scores.py",
        version="88b3daa6989d",
        differs="Characters where LongBench takes words, so numbers of the two do not compare. The opening mark 《 stays.",
    ),
)
