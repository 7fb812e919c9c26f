"""Label sets: invalid predictions are counted on their own."""

import numpy as np
import pytest

import evalcore
from evalcore.scoring.labels import NONE, derive_labels, label_report

PREDICTIONS = ["yes", "No.", "maybe", "no", "", None, "YES"]
REFERENCES = [["Yes"], ["no"], ["yes"], ["yes"], ["no"], ["no"], ["yes", "unsure"]]


def scores_of(preset="squad_v1", predictions=PREDICTIONS, references=REFERENCES):
    return evalcore.score(predictions, references, preset=preset)


def test_the_matrix_has_a_column_of_its_own_for_invalid_predictions():
    report = label_report(scores_of(), ["yes", "no"])
    assert report.matrix.tolist() == [[2, 1, 1], [0, 1, 1]]
    assert report.invalid == (2, 4)
    assert report.invalid_rate == pytest.approx(2 / 6)
    assert report.strict_accuracy == pytest.approx(3 / 6)
    assert report.accuracy_of_valid == pytest.approx(3 / 4)
    assert [(row.label, row.gold, row.predicted, row.hit) for row in report.per_label] == [("yes", 4, 2, 2), ("no", 2, 2, 1)]
    assert report.per_label[0].em == pytest.approx(0.5)
    assert report.per_label[1].precision == pytest.approx(0.5)


def test_hits_agree_with_exact_match():
    scores = scores_of()
    assert label_report(scores, ["yes", "no", "unsure"]).hits == int(np.nansum(scores.em))


def test_labels_are_derived_from_the_references():
    scores = scores_of()
    assert derive_labels(scores) == ("yes", "no", "unsure")
    assert label_report(scores).foreign == ()


def test_a_reference_that_is_no_label_is_listed():
    report = label_report(scores_of(references=[["yes"], ["no"], ["perhaps"], ["yes"], ["no"], ["no"], ["yes"]]), ["yes", "no"])
    assert report.foreign == (2,)
    assert report.items == 5


def test_an_unscored_item_is_in_no_cell():
    assert label_report(scores_of(), ["yes", "no"]).scored == 6


def test_a_label_without_items_has_no_em():
    assert np.isnan(label_report(scores_of(), ["yes", "no", "other"]).per_label[2].em)


def test_a_label_of_which_the_steps_leave_nothing_is_named():
    report = label_report(scores_of(predictions=["A", ""], references=[["A"], ["B"]]), ["A", "B"])
    assert report.emptied == ("A",)
    assert report.matrix.tolist() == [[1, 0, 0], [1, 0, 0]]
    assert label_report(scores_of(), ["yes", "no"]).emptied == ()


def test_every_cell_gives_its_items():
    report = label_report(scores_of(), ["yes", "no"])
    assert report.cell(0, 1).tolist() == [3]
    assert report.cell(1, NONE).tolist() == [4]


@pytest.mark.parametrize(("labels", "says"), [(["yes"], "at least two"), (["Yes", "yes."], "are equal after the steps of squad_v1")])
def test_bad_labels_are_refused(labels, says):
    with pytest.raises(ValueError, match=says):
        label_report(scores_of(), labels)


def test_too_many_references_are_no_labels():
    with pytest.raises(ValueError, match="give the labels yourself"):
        derive_labels(scores_of(predictions=["x"] * 100, references=[[str(number)] for number in range(100)]))
