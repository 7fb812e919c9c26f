"""Labels of a column of options, of the references, or of a list: what is found, and what is refused."""

import json

import pytest

import evalcore
from evalcore import Dataset
from evalcore.analysis.label_sets import label_set, option_columns, options_in, suggested
from evalcore.scoring.labels import label_report
from tests.shared import shared


def scores_of(predictions, references, preset="squad_v1", **columns):
    return evalcore.score(Dataset.of(predictions, references, **columns), preset=preset)


def texts(cell):
    return [text for text, _ in options_in(cell)]


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ('["Paris", "Rome, Italy"]', ["Paris", "Rome, Italy"]),
        ("['Paris', \"City's\"]", ["Paris", "City's"]),
        ('{"A": "Paris", "B": "Rome"}', ["Paris", "Rome"]),
        ('{"text": ["Paris", "Rome"], "label": ["A", "B"]}', ["Paris", "Rome"]),
        ("A. Paris\nB. Rome; Italy", ["Paris", "Rome; Italy"]),
        ("(A) Paris | (B) Rome", ["Paris", "Rome"]),
        ("yes,no,maybe", ["yes", "no", "maybe"]),
        ("A) Paris, C) Rome", ["A) Paris", "C) Rome"]),
        ("[1, 2]", ["1", "2"]),
        ("only one", []),
        ("{broken", []),
        ('{"a": {"b": 1}}', []),
        ("", []),
    ],
)
def test_options_of_a_cell(cell, found):
    assert texts(cell) == found


@pytest.mark.parametrize(
    ("spec", "labels"),
    [
        ("yes,no", ("yes", "no")),
        ("Order, rank | Date", ("Order, rank", "Date")),
        ("Order, rank\nDate | time\n\n", ("Order, rank", "Date | time")),
        ("yes, no, yes", ("yes", "no")),
        ("references", ("no", "yes")),
    ],
)
def test_labels_are_given_in_one_text(spec, labels):
    assert label_set(scores_of(["yes", "no"], [["no"], ["yes"]]), spec).labels == labels


def test_letters_are_valid_only_where_the_item_has_so_many_options():
    options = ['["a", "b"]', '["a", "b", "c"]', '["a", "b", "c"]']
    scores = scores_of(["C", "C", "(B)"], [["A"], ["C"], ["C"]], options=options)
    found = label_set(scores, "column:options")
    report = label_report(scores, found)
    assert found.labels == ("A", "B", "C")
    assert report.invalid == (0,)
    assert report.matrix.tolist() == [[0, 0, 0, 1], [0, 0, 0, 0], [0, 1, 1, 0]]
    assert report.strict_accuracy == pytest.approx(1 / 3)


def test_few_texts_are_labels_and_each_item_allows_its_own():
    scores = scores_of(["red", "blue", "green"], [["red"], ["red"], ["green"]], choices=["red|blue", "red|green", "red|green"])
    report = label_report(scores, label_set(scores, "column:choices"))
    assert report.labels == ("red", "blue", "green")
    assert report.invalid == (1,)
    assert [row.hit for row in report.per_label] == [1, 0, 1]


def test_many_texts_are_counted_by_their_place():
    cells = [json.dumps([f"right {number}", f"wrong {number}"]) for number in range(50)]
    scores = scores_of([f"Wrong {n}." if n % 2 else "other" for n in range(50)], [[f"right {n}"] for n in range(50)], options=cells)
    found = label_set(scores, "column:options")
    report = label_report(scores, found)
    assert found.labels == ("option 1", "option 2")
    assert report.matrix.tolist() == [[0, 25, 25], [0, 0, 0]]


def test_an_item_without_options_has_no_label():
    scores = scores_of(["a", "a"], [["a"], ["a"]], options=["a|b", None])
    report = label_report(scores, label_set(scores, "column:options"))
    assert (report.invalid, report.foreign) == ((1,), (1,))


def test_options_that_the_steps_make_equal_count_as_the_first():
    scores = scores_of(["yes"] * 2, [["Yes"], ["no"]], options=["yes|Yes.|no", "yes|no|never"])
    report = label_report(scores, label_set(scores, "column:options"))
    assert report.labels == ("yes", "Yes.", "no", "never")
    assert report.cell(0, 0).tolist() == [0]


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("column:absent", "no column 'absent'"),
        ("column:note", "holds no lists of options"),
        ("\n".join(map(str, range(61))), "61 labels were given"),
    ],
)
def test_what_is_no_label_set_is_refused(spec, says):
    scores = scores_of(["a"], [["b"]], note=["free text"])
    with pytest.raises(ValueError, match=says):
        label_set(scores, spec)


def test_too_many_options_are_refused():
    scores = scores_of(["A"], [["A"]], options=[json.dumps([f"text {n}" for n in range(27)])])
    with pytest.raises(ValueError, match="letters name at most 26"):
        label_set(scores, "column:options")
    scores = scores_of(["x"], [["text 0"]], options=[json.dumps([f"text {n}" for n in range(61)])])
    with pytest.raises(ValueError, match="at most 60"):
        label_set(scores, "column:options")


def test_a_column_of_options_is_suggested_first():
    data = Dataset.of(["x"] * 10, [["yes"]] * 5 + [["no"]] * 5, choices=["yes|no"] * 10)
    assert option_columns(data) == ("choices",)
    assert suggested(data) == "column:choices"
    assert suggested(Dataset.of(["x"] * 3, [["a"], ["b"], ["c"]], choices=["", None, "one"])) == ""


def test_the_classes_of_a_real_file():
    data = evalcore.read(shared("data", "viridisGreen+LongBench", "pred", "llama2-7b-chat-4k", "trec.jsonl"))
    assert suggested(data) == "column:all_classes"
    scores = evalcore.score(data, preset="squad_v1")
    report = label_report(scores, label_set(scores, "column:all_classes"))
    assert (len(report.labels), report.scored, len(report.invalid), report.foreign) == (50, 200, 200, ())
