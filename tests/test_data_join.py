"""Predictions find their references, and whatever does not is listed."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore
from evalcore.data import JoinError, MappingError, load, read, sample


def file(rows):
    return json.dumps(rows).encode()


def predictions(*pairs):
    return file([{"id": key, "prediction": text} for key, text in pairs])


def references(*pairs):
    return file([{"id": key, "answers": texts} for key, texts in pairs])


def join(ours, theirs, **options):
    return load(ours, "p.json", theirs, "r.json", **options)


def listed(loaded):
    return {name: list(listing.ids) for name, listing in loaded.report.named.items() if len(listing)}


def test_by_id():
    loaded = join(
        predictions(("b", "2"), ("x", "0"), ("a", "1"), ("b", "3"), ("n", None), ("e", "")),
        references(("a", ["1"]), ("b", ["2"]), ("c", ["3"]), ("a", ["9"]), ("n", ["4"]), ("e", [])),
    )
    dataset = loaded.datasets[0]
    assert loaded.report.how == "by id"
    assert list(dataset.ids) == ["a", "b", "c", "n", "e"]
    assert list(dataset.predictions) == ["1", "2", None, None, ""]
    assert [dataset.references[row] for row in range(5)] == [["1"], ["2"], ["3"], ["4"], []]
    assert list(dataset.places) == ["p.json, $[2]", "p.json, $[0]", "r.json, $[2]", "p.json, $[4]", "p.json, $[5]"]
    assert (loaded.report.items, loaded.report.matched) == (5, 4)
    assert listed(loaded) == {
        "predictions_without_reference": ["x"],
        "references_without_prediction": ["c"],
        "duplicated": ["b", "a"],
        "empty_predictions": ["e"],
        "null_predictions": ["n"],
        "without_reference": ["e"],
    }
    assert [(place, reason) for _, place, reason in loaded.report.duplicated.rows()] == [
        ("p.json, $[3]", "its id stands before at p.json, $[0]"),
        ("r.json, $[3]", "its id stands before at r.json, $[0]"),
    ]


def test_either_order_gives_the_same():
    ours, theirs = predictions(("b", "2"), ("a", "1")), references(("a", ["1"]), ("b", ["2"]))
    first, second = join(ours, theirs), load(theirs, "r.json", ours, "p.json")
    assert list(first.datasets[0].predictions) == list(second.datasets[0].predictions)
    assert [table.name for table in second.tables] == ["p.json", "r.json"]
    assert first.mapping == second.mapping
    assert first.references_mapping == second.references_mapping


def test_an_answer_column_in_both_files():
    loaded = load(file([{"id": "1", "answer": "x"}]), "p.json", file([{"id": "1", "answers": ["y"]}]), "r.json")
    assert (loaded.datasets[0].predictions[0], loaded.datasets[0].references[0]) == ("x", ["y"])


def test_ids_are_compared_as_written():
    loaded = join(file([{"id": 7, "prediction": "x"}, {"id": 1.0, "prediction": "y"}]), references(("7", ["x"]), ("1", ["y"])))
    assert list(loaded.datasets[0].predictions) == ["x", None]


def test_a_row_without_id_is_listed():
    loaded = join(predictions(("a", "1"), (None, "2"), (None, "3")), references(("a", ["1"]), (None, ["2"])))
    assert list(loaded.datasets[0].predictions) == ["1", None]
    assert [place for _, place, _ in loaded.report.predictions_without_reference.rows()] == ["p.json, $[1]", "p.json, $[2]"]
    assert loaded.datasets[0].ids[1] == "r.json, $[1]"


def test_no_id_in_common_shows_three_of_each():
    with pytest.raises(JoinError) as error:
        join(predictions(*((f"p{number}", "x") for number in range(9))), references(*((f"r{number}", ["x"]) for number in range(9))))
    message = str(error.value)
    assert all(name in message for name in ("'p0', 'p1', 'p2'", "'r0', 'r1', 'r2'", "p.json", "r.json", "column 'id'", "map other columns to id"))
    assert "p3" not in message
    assert [table.name for table in error.value.tables] == ["p.json", "r.json"]


def test_few_ids_in_common_is_told():
    ours = predictions(("1", "x"))
    assert "check that the two files belong together" in join(ours, references(*((str(number), ["x"]) for number in range(30)))).warnings[0]
    assert join(ours, references(*((str(number), ["x"]) for number in range(3)))).warnings == ()


def test_by_position():
    loaded = load(file(["1", "2", "3"]), "p.json", file([["1"], ["2", "x"], ["4"]]), "r.json")
    assert loaded.report.how == "by position"
    assert list(loaded.datasets[0].ids) == ["1", "2", "3"]
    assert [loaded.datasets[0].references[row] for row in range(3)] == [["1"], ["2", "x"], ["4"]]
    assert loaded.warnings == ()


def test_by_position_on_demand():
    loaded = join(predictions(("b", "2"), ("a", "1")), references(("a", ["1"]), ("b", ["2"])), how="position")
    assert list(loaded.datasets[0].ids) == ["a", "b"]
    assert list(loaded.datasets[0].predictions) == ["2", "1"]


def test_different_lengths_cannot_be_paired_by_position():
    with pytest.raises(JoinError, match=r"p.json has 2 rows and r.json has 3.*map an id column"):
        load(file(["1", "2"]), "p.json", file([["1"], ["2"], ["3"]]), "r.json")


def test_by_id_without_an_id_column_says_which_file():
    with pytest.raises(JoinError, match=r"r.json has no id column.*'references'"):
        load(predictions(("a", "1")), "p.json", file([["1"]]), "r.json", how="id")


ANSWERS = [f"answer {number}" for number in range(20)]


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (ANSWERS, None),
        ([text.upper() for text in ANSWERS], None),
        (["wrong"] * 20, None),
        (["", *ANSWERS[:-1]], "shifted: 19 predictions equal the reference 1 row earlier"),
        ([*ANSWERS[1:], ""], "shifted: 19 predictions equal the reference 1 row later"),
        (["", "", *ANSWERS[:-2]], "shifted: 18 predictions equal the reference 2 row earlier"),
        (ANSWERS[::-1], "out of order: 20 of 20 predictions equal some reference, only 0"),
        (["yes", "no"] * 10, None),
    ],
)
def test_a_pairing_by_position_that_is_out_of_step_is_told(answers, words):
    golds = [["yes"], ["no"]] * 10 if answers[0] == "yes" else [[text] for text in ANSWERS]
    warnings = load(file(answers), "p.json", file(golds), "r.json").warnings
    assert warnings == () if words is None else words in warnings[0]


def test_three_rows_in_another_order():
    loaded = load(file(["y", "z", "x"]), "p.json", file([["x"], ["y"], ["z"]]), "r.json")
    assert "3 of 3" in loaded.warnings[0]


def test_conditions_leave_out_rows_of_both_files():
    ours = file([{"id": key, "prediction": key, "model": model} for key, model in (("a", "m"), ("b", "m"), ("a", "n"), ("z", "m"))])
    theirs = file([{"id": key, "answers": [key], "lang": lang} for key, lang in (("a", "en"), ("b", "de"), ("c", "en"))])
    loaded = join(ours, theirs, mapping={"where": {"lang": "en", "model": "m"}})
    assert list(loaded.datasets[0].ids) == ["a", "c"]
    assert listed(loaded) == {"predictions_without_reference": ["z"], "references_without_prediction": ["c"], "left_out": ["a", "b", "b"]}


def test_one_file_keeps_every_row():
    rows = [{"id": "a", "prediction": "1", "gold": "1"}, {"id": "a", "prediction": "2", "gold": "2"}]
    loaded = load(file(rows), "a.json")
    assert list(loaded.datasets[0].predictions) == ["1", "2"]
    assert list(loaded.report.duplicated.ids) == ["a"]


def test_metadata_of_both_files_is_kept():
    ours = file([{"id": "a", "prediction": "1", "kind": "p", "score": 0.50}])
    theirs = file([{"id": "a", "answers": ["1"], "kind": "r", "tags": ["x"]}, {"id": "b", "answers": ["1"], "kind": "s", "tags": []}])
    metadata = join(ours, theirs).datasets[0].metadata
    assert {name: list(column) for name, column in metadata.items()} == {
        "kind": ["r", "s"],
        "tags": ['["x"]', "[]"],
        "kind (p.json)": ["p", None],
        "score": ["0.5", None],
    }


def test_two_files_without_predictions_ask_for_them():
    with pytest.raises(MappingError, match=r"neither r.json nor q.json has a column that is clearly prediction"):
        load(references(("a", ["1"])), "r.json", references(("a", ["1"])), "q.json", mapping={"references": "answers"})


def test_missing_predictions_are_left_out_or_wrong():
    dataset = read(predictions(("a", "1")), "p.json", references(("a", ["1"]), ("b", ["2"])), references_filename="r.json")
    assert evalcore.score(dataset, preset="squad_v1").summary().em == 1.0
    wrong = evalcore.preset("squad_v1").with_rules(missing="wrong")
    assert evalcore.score(dataset, preset=wrong).summary().em == 0.5


ids = st.sampled_from(["a", "b", "c", "d", "e", None])
groups = st.sampled_from(["x", "y"])


@given(st.lists(st.tuples(ids, groups), min_size=1, max_size=8), st.lists(st.tuples(ids, groups), min_size=1, max_size=8), st.booleans())
def test_nothing_is_lost(ours, theirs, filtered):
    """Every row of both files is an item or listed with its place."""
    left = file([{"id": key, "prediction": "x", "group": group} for key, group in ours])
    right = file([{"id": key, "answers": ["x"], "set": group} for key, group in theirs])
    try:
        loaded = join(left, right, mapping={"where": {"group": "x", "set": "x"} if filtered else {}})
    except (JoinError, MappingError):
        return
    report, dataset = loaded.report, loaded.datasets[0]
    places = {place for listing in (report.predictions_without_reference, report.duplicated, report.left_out) for _, place, _ in listing.rows()}
    used = {place for place in dataset.places if place.startswith("p.json")}
    assert places | used == {f"p.json, $[{row}]" for row in range(len(ours))} | {place for place in places if place.startswith("r.json")}
    assert not {place for place in places if place.startswith("p.json")} & used
    assert len(dataset) + sum(place.startswith("r.json") for place in places) == len(theirs)
    assert report.matched + len(report.references_without_prediction) == report.items == len(dataset)


def test_report_lines_name_every_number_that_is_not_zero():
    loaded = join(predictions(("b", 2), ("x", "0"), ("b", "3")), references(("a", ["1"]), ("b", ["2"])))
    lines = loaded.report.lines()
    assert lines[0] == "2 items, 1 matched, joined by id"
    assert [line.split(":")[0] for line in lines[1:]] == [
        "1 prediction without reference (not scored)",
        "1 reference without prediction",
        "1 row with an id that stood before (used once only)",
        "1 prediction that was no plain text, scored as written",
    ]
    assert "'x' (p.json, $[1])" in lines[1]


def test_the_sample_loads_with_two_systems():
    loaded = sample()
    assert loaded.systems == ("anna", "bruno")
    assert all(len(dataset) >= 100 for dataset in loaded.datasets)
    assert set(loaded.datasets[0].metadata) == {"language", "kind", "miss"}
    for dataset in loaded.datasets:
        scores = evalcore.score(dataset, preset="squad_v1")
        assert 0 < np.nanmean(scores.em) < np.nanmean(scores.f1) < 1


def test_two_files_without_a_word_in_common_look_like_a_wrong_pair():
    golds = references(*((str(number), [f"right {number}", "Größe"]) for number in range(30)))
    wrong = join(predictions(*((str(number), f"other{number}") for number in range(30))), golds)
    assert any("none of the first 30 predictions shares a word with its references" in warning for warning in wrong.warnings)
    for answers in ([*["other"] * 29, "RIGHT"], [*["other"] * 29, "größe"], ["", *["other"] * 10]):
        found = join(predictions(*((str(number), text) for number, text in enumerate(answers))), golds)
        assert not any("shares a word" in warning for warning in found.warnings)


def test_ids_in_other_letters_meet_and_are_told():
    loaded = join(predictions(*((f"Q{number}", "x") for number in range(5))), references(*((f"q{number}", ["x"]) for number in range(5))))
    assert (loaded.report.matched, "capital letters were taken for small ones" in loaded.warnings[0]) == (5, True)
