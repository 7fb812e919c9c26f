"""What is exported loads again: every answer as it was, and the same scores."""

import csv
import io
import json

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from python_calamine import CalamineWorkbook

import evalcore
from evalcore import Dataset
from evalcore.analysis.reasons import REASONS, find_reasons
from evalcore.data import load
from evalcore.report.export import to_csv, to_jsonl
from evalcore.report.parquet import to_parquet
from evalcore.report.workbook import MOST_CHARACTERS, UNHOLDABLE, to_excel
from tests.counts import examples

HOSTILE = [
    "",
    " ",
    "=1+1",
    "'=1",
    "'",
    "007",
    "NA",
    "null",
    "1e5",
    "2020-01-01",
    "true",
    "a\r\nb",
    "\n",
    "\t",
    "a\x00b",
    '"',
    ",",
    "|",
    "[]",
    '["a"]',
    "\ud800",
]
LETTERS = st.one_of(st.sampled_from("aZ9=+-@'\"\t\r\n,;| \\_x{}[]\x00\x0b\u2028\u202e\u00a0中😀\ufeff"), st.characters())
TEXT = st.sampled_from(HOSTILE) | st.text(LETTERS, max_size=8)
ITEM = st.tuples(st.none() | TEXT, st.lists(TEXT, max_size=3), st.none() | TEXT)
WRITERS = {"jsonl": to_jsonl, "parquet": to_parquet, "csv": to_csv, "xlsx": to_excel}


def dataset(items):
    predictions, references, notes = zip(*items, strict=True)
    return Dataset.of(list(predictions), list(references), [f"q{number}" for number in range(len(items))], note=list(notes))


def reloaded(scores, kind, **more):
    loaded = load(WRITERS[kind](scores, range(len(scores)), **more), f"items.{kind}")
    assert loaded.tables[0].format == "Whymiss export"
    assert loaded.tables[0].bad_rows == ()
    return loaded


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
@settings(deadline=None, max_examples=examples(60))
@given(items=st.lists(ITEM, min_size=1, max_size=5))
@example(items=[("a\ud800", ["\udfff", "x"], "\ud800"), (None, [], None), ("", [""], "")])
def test_jsonl_and_parquet_keep_everything(kind, items):
    scores = evalcore.score(dataset(items))
    again = reloaded(scores, kind).datasets[0]
    assert list(again.ids) == list(scores.dataset.ids)
    assert list(again.predictions) == [item[0] for item in items]
    assert [again.references[row] for row in range(len(items))] == [item[1] for item in items]
    assert list(again.metadata["note"]) == [item[2] for item in items]
    assert same_scores(evalcore.score(again), scores)


@settings(deadline=None, max_examples=examples(60))
@given(items=st.lists(ITEM, min_size=1, max_size=5))
def test_csv_keeps_all_but_lone_surrogates_and_null_metadata(items):
    scores = evalcore.score(dataset(items))
    again = reloaded(scores, "csv").datasets[0]
    assert list(again.predictions) == [None if item[0] is None else spelled(item[0]) for item in items]
    assert [again.references[row] for row in range(len(items))] == [item[1] for item in items]
    assert list(again.metadata["note"]) == [spelled(item[2] or "") for item in items]


@settings(deadline=None, max_examples=examples(60))
@given(items=st.lists(ITEM, min_size=1, max_size=5))
def test_excel_keeps_what_a_cell_can_hold(items):
    scores = evalcore.score(dataset(items))
    again = reloaded(scores, "xlsx").datasets[0]
    for row, (prediction, references, note) in enumerate(items):
        if prediction is None or (not UNHOLDABLE.search(prediction) and "_x" not in prediction):
            assert again.predictions[row] == prediction
        if not any(UNHOLDABLE.search(text) or "_x" in text for text in references):
            assert again.references[row] == references
        if not UNHOLDABLE.search(note or "") and "_x" not in (note or ""):
            assert again.metadata["note"][row] == (note or "")


@pytest.mark.parametrize("preset", ["squad_v1", "squad_v2", "lm_eval.gsm8k.strict-match"])
@pytest.mark.parametrize("kind", list(WRITERS))
def test_the_scores_are_the_same(kind, preset):
    items = [("The #### 42", ["42", "forty two"], "x"), ("=2", ["2"], "y"), ("", [""], None), (None, ["z"], "w"), ("a b c", ["a b"], "007")]
    scores = evalcore.score(dataset(items), preset=preset)
    loaded = reloaded(scores, kind)
    assert same_scores(evalcore.score(loaded.datasets[0], preset=preset), scores)
    has_f1 = not np.isnan(scores.f1).all()
    assert loaded.logged == (("em", "f1") if has_f1 else ("em",),)
    assert loaded.warnings == (f"items.{kind} was exported under {scores.signature}",)
    for name in loaded.logged[0]:
        np.testing.assert_array_equal([float(cell) if cell else np.nan for cell in loaded.datasets[0].metadata[name]], getattr(scores, name))


@pytest.mark.parametrize("preset", ["squad_v1", "squad_v2"])
@pytest.mark.parametrize("kind", list(WRITERS))
def test_what_could_not_be_scored_stays_unscored(kind, preset):
    written = ['["a", "b"]', '{"x": [1.0]}', "NaN", "-Infinity", '"NaN"', "7", "null"]
    lines = [f'{{"id": "{number}", "prediction": {value}, "answer": "a"}}' for number, value in enumerate(written)]
    lines += ['{"id": "r1", "prediction": "x", "answer": {"x": 1}}', '{"id": "r2", "prediction": "x", "answer": NaN}']
    scores = evalcore.score(load("\n".join(lines).encode(), "a.jsonl").datasets[0], preset=preset)
    again = reloaded(scores, kind).datasets[0]
    assert list(again.predictions) == list(scores.dataset.predictions)
    found = evalcore.score(again, preset=preset)
    np.testing.assert_array_equal(found.em, scores.em)
    assert [reason is None for reason in found.unscored] == [False, False, False, False, True, True, False, False, False]
    assert list(found.unscored)[:7] == list(scores.unscored)[:7]


@pytest.mark.parametrize("kind", list(WRITERS))
def test_questions_contexts_and_metadata_come_back(kind):
    given = load(b'[{"id": "1", "question": "Q?", "context": "C", "prediction": "p", "answer": "a", "em": 0, "note.deep": "n"}]', "a.json")
    again = reloaded(evalcore.score(given.datasets[0]), kind).datasets[0]
    assert (again.questions[0], again.contexts[0], again.metadata["note.deep"][0]) == ("Q?", "C", "n")
    assert again.metadata["metadata.em"][0] == "0"


@pytest.mark.parametrize("kind", list(WRITERS))
def test_reasons_and_traces_are_written_where_asked_for(kind):
    scores = evalcore.score(["The Cat!", "cat", None], [["dog"], ["cat"], ["x"]])
    reasons = find_reasons(scores)
    content = WRITERS[kind](scores, range(3), reasons=reasons, trace=True)
    rows = {"jsonl": _from_lines, "parquet": _from_parquet, "csv": _from_csv, "xlsx": _from_excel}[kind](content)
    assert [row["reason"] or None for row in rows] == [REASONS[reasons.codes[0]].name, None, None]
    assert [step["step"] for step in rows[0]["trace"]] == ["lower", "delete_punctuation", "drop_articles", "squeeze_whitespace"]
    assert rows[0]["trace"][0] == {"step": "lower", "edits": [[0, 1, "t"], [4, 5, "c"]], "after": "the cat!"}
    assert reloaded(scores, kind, reasons=reasons, trace=True).datasets[0].predictions[0] == "The Cat!"


def test_a_workbook_tells_what_it_could_not_hold():
    long = "x" * (MOST_CHARACTERS + 5)
    content = to_excel(evalcore.score([long, "a\ud800", "_x0041_"], [["x"], ["y"], ["z"]]), range(3))
    notes = [row[0] for row in _sheet(content, "notes")]
    assert any("longer than 32,767 characters" in note for note in notes)
    assert any("cannot hold" in note for note in notes)
    assert any("own escapes" in note for note in notes)
    assert len(_from_excel(content)[0]["prediction"]) == MOST_CHARACTERS
    assert _sheet(to_excel(evalcore.score(["a"], [["a"]]), [0]), "notes") is None


def test_a_workbook_computes_nothing():
    rows = _from_excel(to_excel(evalcore.score(['=HYPERLINK("http://x")', "http://x.y"], [["=1"], ["{=1}"]]), range(2)))
    assert [row["prediction"] for row in rows] == ['=HYPERLINK("http://x")', "http://x.y"]


def test_more_columns_than_a_sheet_holds_are_refused():
    many = {f"c{number}": ["x"] for number in range(16_384)}
    with pytest.raises(ValueError, match="more than a sheet holds"):
        to_excel(evalcore.score(Dataset.of(["a"], [["a"]], **many)), [0])


def same_scores(one, other):
    pairs = [(getattr(one, name), getattr(other, name)) for name in ("em", "f1", "precision", "recall")]
    return all(np.array_equal(a, b, equal_nan=True) for a, b in pairs) and list(one.unscored) == list(other.unscored)


def spelled(text):
    return text.encode("utf-8", "backslashreplace").decode()


def _from_lines(content):
    return [json.loads(line) for line in content.splitlines()]


def _from_parquet(content):
    return [{**row, "trace": json.loads(row["trace"] or "null")} for row in pq.read_table(io.BytesIO(content)).to_pylist()]


def _from_csv(content):
    rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    return [{**row, "trace": json.loads(row["trace"] or "null")} for row in rows]


def _sheet(content, name):
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    return book.get_sheet_by_name(name).to_python() if name in book.sheet_names else None


def _from_excel(content):
    head, *rows = _sheet(content, "items")
    found = [dict(zip(head, row, strict=True)) for row in rows]
    return [{**row, "trace": json.loads(row.get("trace") or "null")} for row in found]
