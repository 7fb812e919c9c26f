"""Exports hold exactly the given items, and come back as they went out."""

import csv
import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore
from evalcore import Dataset
from evalcore.report.export import BASE, to_csv, to_jsonl
from evalcore.text.spreadsheet import FORMULA_STARTS, guarded, unguarded

TEXT = st.text(alphabet=st.one_of(st.sampled_from("=+-@'\"\t\r\n,;| ＝aZ9.{}[]\\\x00\u202e\u00a0中ن"), st.characters(exclude_categories=["Cs"])), max_size=12)
ITEM = st.tuples(TEXT, st.none() | TEXT, st.lists(TEXT, max_size=3), st.none() | TEXT)


def _dataset(items):
    ids, predictions, references, notes = zip(*items, strict=True)
    return Dataset.of(list(predictions), list(references), list(ids), note=list(notes))


def _read_csv(content):
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


@given(st.lists(ITEM, min_size=1, max_size=6), st.data())
def test_jsonl_gives_back_exactly_the_chosen_rows_in_order(items, data):
    scores = evalcore.score(_dataset(items))
    rows = data.draw(st.lists(st.integers(0, len(items) - 1), max_size=8))
    lines = to_jsonl(scores, rows).decode().split("\n")
    assert lines.pop() == ""
    found = [json.loads(line) for line in lines]
    assert [(row["id"], row["prediction"], row["references"], row["metadata"]["note"]) for row in found] == [items[row] for row in rows]
    for row, record in zip(rows, found, strict=True):
        for name in ("em", "f1", "precision", "recall"):
            value = getattr(scores, name)[row]
            assert record[name] is None if np.isnan(value) else record[name] == value
        assert record["unscored"] == scores.unscored[row]


@given(st.lists(ITEM, min_size=1, max_size=6), st.data())
def test_csv_gives_back_exactly_the_chosen_rows_in_order(items, data):
    scores = evalcore.score(_dataset(items))
    rows = data.draw(st.lists(st.integers(0, len(items) - 1), max_size=8))
    found = _read_csv(to_csv(scores, rows))
    assert len(found) == len(rows)
    for row, record in zip(rows, found, strict=True):
        identifier, prediction, references, note = items[row]
        assert unguarded(record["id"]) == identifier
        assert unguarded(record["prediction"]) == (prediction or "")
        assert record["missing"] == ("true" if prediction is None else "false")
        assert json.loads(record["references"]) == references
        assert unguarded(record["metadata.note"]) == (note or "")
        assert record["f1"] == ("" if np.isnan(scores.f1[row]) else repr(float(scores.f1[row])))


@given(TEXT)
def test_no_cell_of_a_text_begins_like_a_formula(text):
    assert not guarded(text).startswith(FORMULA_STARTS)
    assert unguarded(guarded(text)) == text


@given(st.lists(ITEM, min_size=1, max_size=4))
def test_no_cell_of_the_file_begins_like_a_formula(items):
    content = to_csv(evalcore.score(_dataset(items)), range(len(items))).decode("utf-8-sig")
    for row in csv.reader(io.StringIO(content, newline="")):
        for cell in row:
            assert not cell.startswith(FORMULA_STARTS)


@pytest.mark.parametrize("text", ["007", "NA", "None", "1e5", "2020-01-01", "true", "", " "])
def test_texts_that_look_like_values_stay_texts(text):
    scores = evalcore.score([text], [[text]])
    assert json.loads(to_jsonl(scores, [0]))["prediction"] == text
    assert _read_csv(to_csv(scores, [0]))[0]["prediction"] == text


def test_a_lone_surrogate_survives_jsonl_and_is_spelled_in_csv():
    scores = evalcore.score(["a\ud800b"], [["a"]])
    assert json.loads(to_jsonl(scores, [0]))["prediction"] == "a\ud800b"
    assert _read_csv(to_csv(scores, [0]))[0]["prediction"] == "a\\ud800b"


def test_one_item_in_full():
    scores = evalcore.score(Dataset.of(["The Cat!"], [["dog", "cat"]], ["q1"], topic=["pets"]))
    assert json.loads(to_jsonl(scores, [0])) == {
        "id": "q1",
        "question": None,
        "context": None,
        "prediction": "The Cat!",
        "references": ["dog", "cat"],
        "extracted_prediction": "The Cat!",
        "normalized_prediction": "cat",
        "normalized_references": ["dog", "cat"],
        "em": 1.0,
        "f1": 1.0,
        "precision": 1.0,
        "recall": 1.0,
        "best_reference": "cat",
        "unscored": None,
        "missing": False,
        "place": None,
        "metadata": {"topic": "pets"},
        "settings": scores.signature,
    }


def test_an_unscored_item_says_why_and_has_no_numbers():
    record = json.loads(to_jsonl(evalcore.score([None], [["x"]]), [0]))
    assert (record["unscored"], record["f1"], record["prediction"], record["missing"]) == ("no prediction", None, None, True)


def test_no_rows_give_the_head_alone():
    scores = evalcore.score(["a"], [["a"]])
    assert to_jsonl(scores, []) == b""
    assert to_csv(scores, []).decode("utf-8-sig").strip().split(",") == [*BASE, "settings"]


LACKING = [preset for preset in evalcore.presets() if not (preset.has_em and preset.has_f1) and not preset.missing_resources]


@pytest.mark.parametrize("preset", LACKING, ids=lambda preset: preset.name)
def test_a_number_the_settings_do_not_have_is_null(preset):
    scores = evalcore.score(["a b"], [["c", "a"]], preset)
    record = json.loads(to_jsonl(scores, [0]))
    has_em, has_f1 = (preset.has_em, preset.has_f1) if record["unscored"] is None else (False, False)
    assert (record["em"] is not None, record["f1"] is not None) == (has_em, has_f1)
    assert "nan" not in to_csv(scores, [0]).decode("utf-8-sig")
