"""The compiled path says what the steps say, text by text, and the numbers are those of plain Python."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.scoring.chunks import ITEMS
from evalcore.scoring.preset import Preset
from evalcore.text import decoding, kernels, overlap_kernels
from evalcore.text.catalogue import CATALOGUE, step
from evalcore.text.columns import Texts
from evalcore.text.normalized import normalize
from evalcore.text.operations import operation_of
from evalcore.text.pipeline import Pipeline
from evalcore.text.program import program_of
from evalcore.text.rules import CharacterTable, Segments, StepFailed
from evalcore.text.tokens import TOKENIZERS, tokenizer
from tests.counts import LONG, examples
from tests.hostile import long_texts, texts
from tests.pipelines import pipelines, steps_of
from tests.slow import slow_score

COMPILED_TOKENIZERS = sorted(name for name, cutter in TOKENIZERS.items() if cutter.role is not None)
SQUAD = evalcore.preset("squad_v1").pipeline
columns = st.lists(texts, max_size=12)


def applied(pipeline, text):
    """Give the text after all steps, and the message where one failed."""
    try:
        return pipeline.apply(text), None
    except StepFailed as error:
        return "", str(error)


def assert_column_agrees(pipeline, rows, tokenizer_name="whitespace"):
    column = normalize(Texts.of(rows), program_of(pipeline, tokenizer_name))
    expected = [applied(pipeline, row) for row in rows]
    assert column.texts() == [text for text, _ in expected]
    assert dict(column.failed) == {row: message for row, (_, message) in enumerate(expected) if message is not None}
    assert [column.tokens(row) for row in range(len(rows))] == [tokenizer(tokenizer_name).tokens(text) for text, _ in expected]
    assert column.lengths().tolist() == [len(text) for text, _ in expected]


@given(pipelines, columns, st.sampled_from(COMPILED_TOKENIZERS))
def test_a_column_goes_through_any_pipeline_as_its_texts_do(pipeline, rows, tokenizer_name):
    assert_column_agrees(pipeline, rows, tokenizer_name)


@pytest.mark.parametrize("name", sorted(CATALOGUE))
@given(data=st.data(), rows=columns)
@settings(max_examples=examples(40))
def test_a_column_goes_through_every_step_as_its_texts_do(name, data, rows):
    assert_column_agrees(Pipeline((data.draw(steps_of(CATALOGUE[name])),)), rows)


CHINESE = evalcore.preset("mlqa_zh").pipeline


@pytest.mark.parametrize("tokenizer_name", COMPILED_TOKENIZERS)
@pytest.mark.parametrize(
    "steps",
    [(), (step("lower"),), (step("normalize_unicode", form="NFKC"),), (step("lower"), step("remove_whitespace")), tuple(CHINESE), tuple(CHINESE)[:-1]],
    ids=lambda steps: "+".join(drawn.signature for drawn in steps),
)
@given(rows=columns)
@settings(max_examples=examples(60))
@example(rows=["", " ", "中", "中 文", "a中b", "a 中\u3000b\t", "中ab文", "。", "a。b", "\U00020000x", "é中", "ß", "Σ中ς", "\ud800中", "한국 中"])
def test_one_pass_over_any_characters_agrees(steps, tokenizer_name, rows):
    assert_column_agrees(Pipeline(steps), rows, tokenizer_name)


def test_chinese_texts_need_no_other_pass(monkeypatch):
    monkeypatch.setattr(kernels, "normalize_texts", None)
    column = normalize(Texts.of(["《中文》A 1", "中", "b，", ""]), program_of(CHINESE, "whitespace"))
    assert [column.tokens(row) for row in range(4)] == [["中", "文", "a", "1"], ["中"], ["b"], []]
    assert column.texts() == ["中 文 a 1", "中", "b", ""]


@given(st.permutations([*SQUAD.steps, step("strip_accents")]), st.integers(0, 5), columns)
@example([*SQUAD.steps], 0, ["the", "-the-", "a the an", "The\x1cEnd", "a", "", "the_end", "theory  x", "(a)b", "x the", "THE.A.AN"])
def test_the_usual_steps_agree_in_any_order(steps, dropped, rows):
    assert_column_agrees(Pipeline((*steps[:dropped], *steps[dropped + 1 :])), rows)


@pytest.mark.parametrize("tokenizer_name", sorted(set(TOKENIZERS) - {"cmrc_segments", "jieba_words"}))
@given(rows=columns)
@settings(max_examples=examples(40))
def test_tokens_of_a_column_are_those_of_its_texts(tokenizer_name, rows):
    assert_column_agrees(SQUAD, rows, tokenizer_name)


@given(st.lists(long_texts, min_size=1, max_size=3), st.sampled_from(["NFKC", "NFD"]))
@settings(max_examples=examples(10))
def test_long_texts_outgrow_every_buffer_and_agree(rows, form):
    assert_column_agrees(Pipeline((step("normalize_unicode", form=form), step("lower"), step("drop_articles"))), [*rows, "ﷺ" * 5000], "characters")


def test_a_word_longer_than_the_request_buffer_is_answered():
    assert_column_agrees(Pipeline((step("normalize_unicode", form="NFC"),)), ["e\u0301" * 20_000, "x", "e\u0301"])


@pytest.mark.parametrize("code_points", [range(0x3000), pytest.param(range(sys.maxunicode + 1), marks=pytest.mark.long)], ids=["first", "all"])
@pytest.mark.parametrize(
    "drawn",
    [
        step("lower"),
        step("casefold"),
        *(step("normalize_unicode", form=form) for form in ("NFC", "NFD", "NFKC", "NFKD")),
        step("strip_accents"),
        step("delete_punctuation", which="both"),
        step("drop_words", words=("x",), engine="re"),
        step("drop_words", words=("x",), engine="regex"),
        step("squeeze_whitespace"),
        step("strip_whitespace"),
    ],
    ids=lambda drawn: drawn.signature,
)
def test_every_character_agrees(drawn, code_points):
    rows = [f"{chr(code)}x{chr(code)} x{chr(code)}" for code in code_points]
    column = normalize(Texts.of(rows), program_of(Pipeline((drawn,)), "whitespace"))
    assert [row for row, (before, after) in enumerate(zip(rows, column.texts(), strict=True)) if drawn.apply(before) != after] == []


@pytest.mark.parametrize("name", sorted(CATALOGUE))
@given(data=st.data(), first=texts, second=texts)
def test_words_between_spaces_do_not_look_at_each_other(name, data, first, second):
    rule = data.draw(steps_of(CATALOGUE[name])).rule
    if isinstance(rule, CharacterTable | Segments):
        assert rule.apply(f"{first} {second}") == f"{rule.apply(first)} {rule.apply(second)}"


def test_compiled_kinds_are_recognized():
    in_python = {name for name in CATALOGUE if operation_of(step(name).rule) is None}
    assert not in_python & {"lower", "casefold", "normalize_unicode", "strip_accents", "delete_punctuation", "drop_articles", "squeeze_whitespace"}
    assert "replace_pattern" in in_python


def test_a_failed_step_is_told_and_leaves_the_others_alone():
    slow = step("replace_pattern", pattern=r"(x|xx)+$", replacement="")
    rows = ["x" * 60 + "!", "xx", "x" * 60 + "!", "the cat"]
    column = normalize(Texts.of(rows), program_of(Pipeline((step("lower"), slow, step("drop_articles"))), "whitespace"))
    assert column.texts() == ["", "", "", "  cat"]
    assert sorted(column.failed) == [0, 2]
    assert "did not finish" in column.failed[0]


def test_bytes_that_are_no_text_are_an_error():
    import pyarrow as pa

    for wrong in (b"\xff", b"a\xc3", b"\xc0\x80", b"\xe0\x80\x80", b"\xf4\x90\x80\x80", b"\x80", b"\xf0\x9f\x98"):
        with pytest.raises(UnicodeDecodeError):
            normalize(Texts.from_arrow(pa.array([b"fine", wrong])), program_of(SQUAD, "whitespace"))


def test_tokens_of_equal_hash_are_told_apart():
    first, second = "ndimonb", "vvuynwj"
    column = normalize(Texts.of([first, second]), program_of(Pipeline(()), "whitespace"))
    assert column.output.hashes[0] == column.output.hashes[1], "a pair that shares its hash is needed"
    scores = evalcore.score([first, f"{first} {second}", second], [[second], [f"{second} {second}"], [second]], preset="raw")
    assert scores.common.tolist() == [0, 1, 1]
    assert evalcore.score([f"{first} {second} {first}"], [[second]], preset=evalcore.preset("raw").with_rules(overlap="set")).predicted.tolist() == [2]


plain_presets = st.builds(
    Preset,
    name=st.just("own"),
    pipeline=st.sampled_from([SQUAD, Pipeline(()), Pipeline((step("remove_whitespace"),)), Pipeline(SQUAD.steps[::-1])]) | pipelines,
    tokenizer=st.sampled_from(COMPILED_TOKENIZERS),
    overlap=st.sampled_from(["bag", "set"]),
    empty=st.sampled_from(["v1", "v2"]),
    empty_references=st.sampled_from(["keep", "drop"]),
    no_references=st.sampled_from(["unscored", "no_answer"]),
    missing=st.sampled_from(["leave_out", "wrong"]),
)
items = st.tuples(st.none() | texts, st.lists(texts, max_size=4)).flatmap(
    lambda item: st.just(item) | st.sampled_from(item[1] or [""]).map(lambda reference: (reference + " the cat", item[1]))
)


@given(plain_presets, st.lists(items, max_size=8))
@settings(max_examples=examples(150))
def test_scores_are_those_of_plain_python(preset, rows):
    scores = evalcore.score([prediction for prediction, _ in rows], [references for _, references in rows], preset=preset)
    for row, (prediction, references) in enumerate(rows):
        expected = slow_score(prediction, references, preset)
        assert scores.unscored[row] == expected.unscored
        if expected.unscored is None:
            assert [float(getattr(scores, name)[row]) for name in ("em", "f1", "precision", "recall")] == list(expected[:4])
            assert (int(scores.common[row]), int(scores.predicted[row]), int(scores.gold[row])) == expected.counts


def many_items(count):
    words = ["the", "cat", "a", "Dog.", "ΟΔΟΣ", "e\u0301", "1,000", "北京", "-"]
    lists = [[" ".join(words[(row * 7 + place * 3 + part) % len(words)] for part in range(row % 5)) for place in range(1 + row % 3)] for row in range(count)]
    return [listed[row % len(listed)] + " cat" * (row % 2) for row, listed in enumerate(lists)], lists


def test_threads_do_not_change_a_number():
    predictions, references = many_items(ITEMS * 3 + 17)
    one, two = (evalcore.score(predictions, references, preset="squad_v2", threads=threads) for threads in (1, 2))
    for name in ("em", "f1", "precision", "recall", "em_first", "common", "predicted", "gold", "best_em", "best_f1", "emptied"):
        assert np.array_equal(getattr(one, name), getattr(two, name)), name
    assert one.summary() == two.summary()


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_rises_to_the_end_and_can_stop_the_run(threads):
    predictions, references = many_items(ITEMS * 6)
    seen = []
    evalcore.score(predictions, references, progress=lambda done, total: seen.append((done, total)), threads=threads)
    assert seen == [(done, ITEMS * 6) for done in range(0, ITEMS * 6 + 1, ITEMS)]

    def stop(done, total):
        if done >= 2 * ITEMS:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evalcore.score(predictions, references, progress=stop, threads=threads)


def test_no_thread_is_an_error():
    with pytest.raises(ValueError, match="threads is 0"):
        evalcore.score(["a"], [["a"]], threads=0)


def test_chunks_are_bounded_by_bytes_too():
    long = ["word " * 60_000, "x"]
    scores = evalcore.score(long * 4, [long] * 8)
    assert scores.em.tolist() == [1.0] * 8


def test_aggregates_add_from_left_to_right():
    predictions, references = many_items(5000)
    summary = evalcore.score(predictions, references, preset="squad_v1").summary()
    preset = evalcore.preset("squad_v1")
    slow = [slow_score(prediction, listed, preset) for prediction, listed in zip(predictions, references, strict=True)]
    total_em = total_f1 = 0.0
    for item in slow:
        total_em += item.em
        total_f1 += item.f1
    assert (summary.em, summary.f1) == (total_em / 5000, total_f1 / 5000)


WITHOUT_COMPILER = """
import json, sys, evalcore
predictions, references = json.load(open(sys.argv[1]))
for name in ("squad_v1", "squad_v2", "squad_spaced", "raw"):
    scores = evalcore.score(predictions, references, preset=name)
    print(json.dumps([scores.em.tolist(), scores.f1.tolist(), scores.common.tolist(), repr(scores.summary())]))
"""


def test_numbers_are_the_same_without_the_compiler(tmp_path):
    predictions, references = many_items(1500 if LONG else 60)
    source = tmp_path / "items.json"
    source.write_text(json.dumps([predictions, references]), encoding="utf-8")
    root = Path(evalcore.__file__).parents[1]
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "error::RuntimeWarning", "-c", WITHOUT_COMPILER, str(source)],
            env={**os.environ, "PYTHONPATH": str(root), "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count("\n") == 4


def test_every_space_of_the_running_python_parts_tokens():
    spaces = [chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()]
    column = normalize(Texts.of([f"a{space}b" for space in spaces]), program_of(Pipeline(()), "whitespace"))
    assert all(column.tokens(row) == ["a", "b"] for row in range(len(spaces)))


UNWRITABLE = """
import evalcore
print(evalcore.score(["the cat"], [["cat"]]).f1.tolist(), evalcore.__file__)
"""


def test_an_install_that_cannot_be_written_compiles_into_the_users_cache(tmp_path):
    root, package = Path(evalcore.__file__).parents[1], tmp_path / "install"
    shutil.copytree(root / "evalcore", package / "evalcore", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [package / "evalcore", *(path for path in (package / "evalcore").rglob("*") if path.is_dir())]:
        (folder / "__pycache__").write_text("a file in the folder's place keeps even root from writing there", encoding="utf-8")
    cache = tmp_path / "cache"
    output = subprocess.run(
        [sys.executable, "-c", UNWRITABLE],
        env={**os.environ, "PYTHONPATH": str(package), "XDG_CACHE_HOME": str(cache), "NUMBA_CACHE_DIR": ""},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert output.startswith("[1.0] ")
    assert str(package) in output
    assert list(cache.rglob("*.nbi"))


def test_warming_takes_every_kernel():
    evalcore.warm().join(timeout=120)
    compiled = [
        kernels.normalize_fused,
        kernels.normalize_texts,
        decoding.decode_rows,
        decoding.normalize_direct,
        overlap_kernels.count_common,
        overlap_kernels.keep_distinct,
    ]
    before = [len(getattr(kernel, "signatures", ())) for kernel in compiled]
    evalcore.score([None, "", "É"], [["a"], [], ["é", "the É"]], preset="squad_v2")
    evalcore.score(["x y"], [["y x"]], preset=evalcore.preset("raw").with_steps([step("replace_pattern", pattern="x")]).with_rules(overlap="set"))
    assert [len(getattr(kernel, "signatures", ())) for kernel in compiled] == before
