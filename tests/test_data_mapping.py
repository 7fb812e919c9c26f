"""Columns get their roles by name and content, or by hand."""

import json

import pytest

from evalcore.data import Mapping, MappingError, guess, load, read, read_table
from evalcore.data.cells import list_in, split


def table(rows, name="a.json"):
    return read_table(json.dumps(rows).encode(), name)


# label, one row, the roles guessed
GUESSES = [
    ("plain", {"id": "1", "question": "q", "prediction": "x", "references": ["y"]}, Mapping(("prediction",), ("references",), "id", "question")),
    ("OpenQA-eval", {"question": "q", "answer": ["y"], "prediction": "x"}, Mapping(("prediction",), ("answer",), None, "question")),
    ("LongBench", {"pred": "x", "answers": ["y"], "all_classes": None, "length": 3}, Mapping(("pred",), ("answers",))),
    ("InfiniteBench", {"id": 0, "prediction": "x", "ground_truth": 88}, Mapping(("prediction",), ("ground_truth",), "id")),
    ("RAGAS", {"question": "q", "answer": "x", "contexts": ["c"], "ground_truth": "y"}, Mapping(("answer",), ("ground_truth",), None, "question", "contexts")),
    (
        "MMLU-Pro",
        {"question_id": 7, "question": "q", "answer": "C", "answer_index": 2, "pred": "C"},
        Mapping(("pred",), ("answer",), "question_id", "question"),
    ),
    ("output against expected", {"input": "q", "output": "x", "expected": "y"}, Mapping(("output",), ("expected",), None, "input")),
    ("camel case", {"queryId": "1", "modelAnswer": "x", "goldAnswers": ["y"]}, Mapping(("modelAnswer",), ("goldAnswers",), "queryId")),
    (
        "spaces",
        {"Question": "q", "Gold answers": "y", "Model answer": "x", "Acceptable?": "Yes"},
        Mapping(("Model answer",), ("Gold answers",), None, "Question", None, ("Acceptable?",)),
    ),
    ("Chinese", {"编号": "1", "问题": "q", "参考答案": "y", "模型回答": "x"}, Mapping(("模型回答",), ("参考答案",), "编号", "问题")),
    (
        "several systems",
        {"question": "q", "golden_answer": "y", "answer_fid": "x", "judge_fid": True, "answer_gpt4": "z", "judge_gpt4": False},
        Mapping(("answer_fid", "answer_gpt4"), ("golden_answer",), None, "question", None, ("judge_fid", "judge_gpt4")),
    ),
    ("a start is no system", {"id": "1", "answers": ["y"], "answer_start": "3", "prediction_text": "x"}, Mapping(("prediction_text",), ("answers",), "id")),
    ("no prediction", {"id": "1", "question": "q", "answers": ["y"]}, Mapping((), ("answers",), "id", "question")),
    ("nothing known", {"left": "x", "right": "y"}, Mapping()),
    ("a prediction that is always null is still the prediction", {"prediction": None, "answer": "y"}, Mapping(("prediction",), ("answer",))),
]


@pytest.mark.parametrize(("row", "mapping"), [row[1:] for row in GUESSES], ids=[row[0] for row in GUESSES])
def test_guess(row, mapping):
    assert guess(table([row, row])) == mapping


@pytest.mark.parametrize(
    ("cells", "separator"),
    [
        (["Paris|City of Paris", "42"], "|"),
        (["Paris | City of Paris", "42"], "|"),
        (["|x|", "42"], None),
        (["Paris", "1,000"], None),
        (["a/b", "9/11"], None),
        (['["Paris", "City"]', '["42"]'], "json"),
        (["['Paris', 'City']", "[]"], "json"),
        (["[citation needed]", '["42"]'], None),
        ([None, None], None),
    ],
)
def test_separator_is_guessed(cells, separator):
    assert guess(table([{"prediction": "x", "answers": cell} for cell in cells])).separator == separator


@pytest.mark.parametrize(
    ("cell", "separator", "parts"),
    [
        ("Paris | City of Paris", "|", ["Paris", "City of Paris"]),
        ("Paris | City of Paris", " | ", ["Paris", "City of Paris"]),
        ("a//b/", "/", ["a", "b"]),
        ("a;b; c", ";", ["a", "b", "c"]),
        ("a\nb\n", "\n", ["a", "b"]),
        ('"1,000",one thousand', ",", ["1,000", "one thousand"]),
        ("1,000", ",", ["1,000"]),
        ("1,000,000,2", ",", ["1,000,000", "2"]),
        ("1,2", ",", ["1", "2"]),
        (" x ", "|", ["x"]),
        ("", "|", []),
    ],
)
def test_split(cell, separator, parts):
    assert split(cell, separator) == parts


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ('["1,000", 1.50]', ["1,000", "1.50"]),
        ("['a', 1.50, -0.10, 0x10, 1_000, None]", ["a", "1.50", "-0.10", "0x10", "1_000"]),
        ("['a', True]", ["a", "true"]),
        ("[('a', 'b'), ['c']]", ["a", "b", "c"]),
        ("[{'text': 'a'}, {'text': 'b'}]", ["a", "b"]),
        ("['Paris' 'City of Paris'\n \"King's\"]", ["Paris", "City of Paris", "King's"]),
        ("['é' 'ü',\n 1.0]", ["é", "ü", "1.0"]),
        ("[r'a' 'b']", ["a", "b"]),
        ("[]", []),
        ("[...]", None),
        ("['a', ...]", None),
        ("[b'x']", None),
        ("[{'a'}]", None),
        ("[1+2j]", None),
        ("[f'x']", None),
        ("[x for x in y]", None),
        ("[\x00]", None),
        ("[citation needed]", None),
        ("[" * 500 + "]" * 500, None),
        ("[" * 150 + "]" * 150, None),
    ],
)
def test_a_list_in_a_cell_keeps_its_literals_and_anything_else_is_none(cell, found):
    assert list_in(cell) == found


@pytest.mark.parametrize("cell", ["[...]", "[b'Paris']", "[" * 600 + "]" * 600])
def test_a_cell_in_brackets_that_is_no_list_is_one_reference(cell):
    assert load(f"prediction,references\nx,{cell}\n".encode(), "a.csv").datasets[0].references[0] == [cell]


@pytest.mark.parametrize(
    ("cell", "parts"),
    [
        ('["a", 1.0, true]', ["a", "1.0", "true"]),
        ("['a', \"b's\"]", ["a", "b's"]),
        ("[]", []),
        ("[x]", None),
        ("a", None),
        ("[" * 100_000 + "]", None),
        ("[__import__('os')]", None),
    ],
)
def test_list_in_a_cell(cell, parts):
    assert list_in(cell) == parts


def test_roles_by_hand_replace_guessed_ones():
    mapping = Mapping(("answer",), ("gold",), "id").with_roles({"prediction": "output", "gold": ["answer", "gold"], "ignore": "id"})
    assert mapping == Mapping(predictions=("output",), references=("answer", "gold"), ignored=("id",))
    assert Mapping(id="id").with_roles({"id": None}).id is None


ROWS = [
    {"key": "a", "x": "1", "y": "1/2", "lang": "en", "ok": True},
    {"key": "b", "x": "2", "y": "3", "lang": "de", "ok": False},
    {"key": "c", "x": None, "y": None, "lang": None, "ok": None},
]
CONTENT = json.dumps(ROWS).encode()


def test_read_with_a_mapping():
    dataset = read(CONTENT, "a.json", mapping=Mapping(("x",), ("y",), "key", separator="/", ignored=("lang",)))
    assert list(dataset.ids) == ["a", "b", "c"]
    assert list(dataset.predictions) == ["1", "2", None]
    assert [dataset.references[row] for row in range(3)] == [["1", "2"], ["3"], []]
    assert {name: list(column) for name, column in dataset.metadata.items()} == {"ok": ["true", "false", None]}
    assert list(dataset.places) == ["$[0]", "$[1]", "$[2]"]


@pytest.mark.parametrize(("where", "kept"), [({"ok": True}, ["a"]), ({"ok": "false"}, ["b"]), ((("lang", "en"), ("ok", "true")), ["a"])])
def test_where_keeps_rows_with_exactly_the_value_and_lists_the_others(where, kept):
    loaded = load(CONTENT, "a.json", mapping={"prediction": "x", "references": "y", "where": where})
    assert list(loaded.datasets[0].ids) == kept
    assert sorted([*loaded.report.left_out.ids, *kept]) == ["a", "b", "c"]
    assert all(reason for _, _, reason in loaded.report.left_out.rows())


@pytest.mark.parametrize(
    ("roles", "words"),
    [
        ({"prediction": "X", "references": "y"}, ["no column 'X'", "a.json", "'key', 'x', 'y', 'lang', 'ok'"]),
        ({"prediction": "xx", "references": "y"}, ["did you mean 'x'?"]),
        ({"predictoin": "x"}, ["no role 'predictoin'", "did you mean 'prediction'?"]),
        ({"prediction": "x"}, ["clearly references", "'key', 'x', 'y'", "map a column to references"]),
        ({"references": "y"}, ["clearly prediction", "give the file with the predictions too"]),
        ({"prediction": "x", "references": "y", "where": {"lang": "fr"}}, ["lang='fr'", "'de' (1)", "None (1)"]),
        ({"prediction": "x", "references": "y", "where": {"long": "fr"}}, ["no column 'long'", "did you mean 'lang'?"]),
        ({"prediction": "x", "references": "y", "where": {"lang": "en", "ok": "false"}}, ["fits all of lang=en, ok=false"]),
    ],
)
def test_a_mapping_that_does_not_fit_says_what_is_there(roles, words):
    with pytest.raises(MappingError) as error:
        load(CONTENT, "a.json", mapping=roles)
    assert [word for word in words if word not in str(error.value)] == []
    assert [table.name for table in error.value.tables] == ["a.json"]


def test_an_unsure_mapping_carries_what_was_understood():
    with pytest.raises(MappingError) as error:
        load(CONTENT, "a.json")
    assert error.value.missing == ("prediction", "references")
    assert error.value.guess.id == "key"


def test_several_systems():
    rows = [{"answer_a": "1", "answer_b": "2", "gold": ["1"]}]
    loaded = load(json.dumps(rows).encode(), "a.json")
    assert loaded.systems == ("a", "b")
    assert [list(dataset.predictions) for dataset in loaded.datasets] == [["1"], ["2"]]
    with pytest.raises(MappingError, match=r"2 systems: 'answer_a', 'answer_b'; choose one .* prediction=answer_a"):
        read(json.dumps(rows).encode(), "a.json")
    chosen = read(json.dumps(rows).encode(), "a.json", mapping={"prediction": "answer_b"})
    assert (chosen.system, list(chosen.predictions)) == ("b", ["2"])
    assert list(chosen.metadata["answer_a"]) == ["1"]


def test_several_reference_columns_add_up():
    rows = [{"prediction": "1", "gold": "1", "alias": ["2", "3"]}, {"prediction": "1", "gold": None, "alias": []}]
    dataset = read(json.dumps(rows).encode(), "a.json", mapping={"references": ("gold", "alias")})
    assert [dataset.references[row] for row in range(2)] == [["1", "2", "3"], []]


def test_a_guessed_split_is_told_and_a_chosen_one_is_not():
    content = b"prediction,gold\nx,a|b\n"
    assert "split at '|'" in load(content, "a.csv").warnings[0]
    assert load(content, "a.csv", mapping={"separator": "|"}).warnings == ()
    assert read(content, "a.csv", mapping={"separator": None}).references[0] == ["a|b"]


REFERENCES = [
    ("text", '"x"', ["x"], None),
    ("number keeps its literal", "1.0", ["1.0"], None),
    ("truth value", "true", ["true"], None),
    ("texts", '["x", ""]', ["x", ""], None),
    ("mixed list", '["x", 1984, null]', ["x", "1984"], None),
    ("SQuAD answers", '[{"text": "x", "answer_start": 1}, {"text": "y"}]', ["x", "y"], None),
    ("Hugging Face answers", '{"text": ["x", "y"], "answer_start": [1, 2]}', ["x", "y"], None),
    ("value and aliases", '{"value": "x", "aliases": ["y"]}', ["x", "y"], None),
    ("null", "null", [], None),
    ("empty list", "[]", [], None),
    ("an object without text", '{"start": 1}', [], "references are an object without texts"),
]


@pytest.mark.parametrize(("source", "texts", "reason"), [row[1:] for row in REFERENCES], ids=[row[0] for row in REFERENCES])
def test_references_of_any_shape(source, texts, reason):
    dataset = read(f'[{{"prediction": "p", "references": {source}}}, {{"prediction": "p", "references": ["z"]}}]'.encode(), "a.json")
    assert dataset.references[0] == texts
    assert dataset.references[1] == ["z"]
    assert dataset.unscorable == ({0: reason} if reason else {})


PREDICTIONS = [
    ("text", '"x"', "x", None),
    ("empty", '""', "", None),
    ("null", "null", None, None),
    ("number", "1.50", "1.50", None),
    ("truth value", "true", "true", None),
    ("list of one text", '["x"]', "x", None),
    ("list", '["x", "y"]', '["x", "y"]', "prediction is a list of texts, not a text"),
    ("object with a text", '{"text": "x", "start": 3}', "x", None),
    ("object with texts", '{"text": ["x", "y"]}', '{"text": ["x", "y"]}', "prediction is an object, not a text"),
    ("mixed list", "[1]", "[1]", "prediction is a list, not a text"),
    ("object", '{"a": 1.0}', '{"a": 1.0}', "prediction is an object, not a text"),
]


@pytest.mark.parametrize(("source", "text", "reason"), [row[1:] for row in PREDICTIONS], ids=[row[0] for row in PREDICTIONS])
def test_predictions_of_any_shape(source, text, reason):
    rows = f'[{{"prediction": {source}, "references": ["z"]}}, {{"prediction": "p", "references": ["z"]}}, {{"prediction": "p", "references": ["z"]}}]'
    loaded = load(rows.encode(), "a.json")
    dataset = loaded.datasets[0]
    assert dataset.predictions[0] == text
    assert dataset.unscorable == ({0: reason} if reason else {})
    assert [why for _, _, why in loaded.report.unscorable.rows()] == ([reason] if reason else [])
    assert len(loaded.report.made_text) == (source in ("1.50", "true", '["x"]', '{"text": "x", "start": 3}'))
    assert len(loaded.report.null_predictions) == (source == "null")
    assert len(loaded.report.empty_predictions) == (source == '""')


def test_an_empty_cell_is_an_empty_prediction_but_no_reference():
    loaded = load(b"id,gold,prediction\n1,NA,NA\n2,None,none\n3,,\n", "a.csv")
    dataset = loaded.datasets[0]
    assert list(dataset.predictions) == ["NA", "none", ""]
    assert [dataset.references[row] for row in range(3)] == [["NA"], ["None"], []]
    assert list(loaded.report.without_reference.ids) == list(loaded.report.empty_predictions.ids) == ["3"]
