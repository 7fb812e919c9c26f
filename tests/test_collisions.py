"""Collisions: what alarms, and what does not."""

import numpy as np
import pytest

from evalcore.analysis.collisions import find_collisions
from evalcore.analysis.losses import LOSSES, losses
from evalcore.dataset import Dataset
from evalcore.scoring.presets import preset
from evalcore.scoring.score import score
from evalcore.text.catalogue import step

SQUAD = preset("squad_v1")

ALARMS = [
    ("a sign", "-5", "5", "sign"),
    ("a typeset minus", "−5", "5", "sign"),
    ("a typeset minus before a space", "− 5", "5", "sign"),
    ("a dash and a space for a sign", "- 5", "-5", "sign"),
    ("a sign inside a sentence", "about -5 degrees", "about 5 degrees", "sign"),
    ("a blood group", "B-", "B", "sign"),
    ("plus signs", "C++", "C", "plus_or_hash"),
    ("a hash", "C#", "C", "plus_or_hash"),
    ("a grade", "A+", "A", "plus_or_hash"),
    ("a decimal point", "3.5", "35", "decimal_point"),
    ("a decimal comma", "2,5", "25", "decimal_point"),
    ("a version", "v1.2", "v12", "decimal_point"),
    ("a fraction", "3/4", "34", "decimal_point"),
    ("a range", "1-2", "12", "decimal_point"),
    ("a closing bracket and stop", "(2.71).", "271", "decimal_point"),
    ("a raised digit", "2²", "22", "decimal_point"),
    ("a digit", "10", "1", "digit"),
    ("a negation", "not Paris", "Paris", "negation"),
    ("a German negation", "nicht Paris", "Paris", "negation"),
    ("a Chinese negation", "不是北京", "是北京", "negation"),
    ("Hindi vowel signs", "हिन्दी", "हनद", "combining_mark"),
    ("a voicing mark", "が", "か", "combining_mark"),
    ("short i of Russian", "й", "и", "combining_mark"),
]
QUIET = [
    ("letter case", "Paris", "paris"),
    ("two kinds of minus", "−8", "-8"),
    ("a range with another dash", "1911–1925", "1911-1925"),
    ("grouped thousands", "1,000", "1000"),
    ("a trailing zero", "2.0", "2"),
    ("currency", "$52,000", "52000"),
    ("a percent sign", "45%", "45"),
    ("a number word", "five", "5"),
    ("an accent", "Café", "Cafe"),
    ("Romanian letters", "București", "Bucuresti"),
    ("Arabic vowels", "مُحَمَّد", "محمد"),
    ("a German sharp s", "Straße", "STRASSE"),
    ("initials", "U.S.A.", "USA"),
    ("a hyphen", "well-known", "well known"),
    ("a numbering hash", "#1 hit", "1 hit"),
    ("an apostrophe of a negation", "don't", "dont"),
    ("number with a title", "No. 5", "5"),
    ("a closing stop", "Paris.", "Paris"),
    ("full width", "１２", "12"),
    ("a list's dash", "- 5", "5"),
    ("a list's en dash", "– 5", "5"),
    ("a list of numbers", "- 5\n- 6", "5 6"),
    ("traditional characters", "臺灣", "台湾"),
]


@pytest.mark.parametrize(("label", "first", "second", "loss"), ALARMS, ids=[row[0] for row in ALARMS])
def test_losses_are_told(label, first, second, loss):
    assert losses(first, second) == losses(second, first) == (loss,)


@pytest.mark.parametrize(("label", "first", "second"), QUIET, ids=[row[0] for row in QUIET])
def test_other_forms_are_no_loss(label, first, second):
    assert losses(first, second) == losses(second, first) == ()


def run(predictions, references, settings=SQUAD):
    return find_collisions(score(predictions, [[text] for text in references], settings))


REPORTED = [
    ("articles inside words", "Bnn", "Banana", SQUAD.with_steps([step("replace_pattern", pattern="a|an|the", replacement="")]), "letters"),
    ("minus five is five", "-5", "5", SQUAD, "sign"),
    ("C is C++", "C", "C++", SQUAD, "plus_or_hash"),
    ("3.5 is 35", "3.5", "35", SQUAD, "decimal_point"),
    ("2.71 is 271", "(2.71).", "271", SQUAD, "decimal_point"),
    ("combining marks deleted", "हनद", "हिन्दी", SQUAD.with_steps([step("strip_accents"), step("replace_pattern", pattern=r"\p{M}")]), "combining_mark"),
    ("emptied answers", "!!!", "the", SQUAD, "everything"),
]


@pytest.mark.parametrize(("label", "prediction", "reference", "settings", "loss"), REPORTED, ids=[row[0] for row in REPORTED])
def test_reported_merges_raise_the_alarm(label, prediction, reference, settings, loss):
    found = run(["Rome", prediction], ["Rome", reference], settings)
    assert found.is_alarm
    assert [(pair.row, pair.losses[0] if len(pair.losses) == 1 else loss) for pair in found.pairs] == [(1, loss)]
    assert found.counts[loss] >= 1
    assert found.warnings["suspicious_deletion"].tolist() == [1]


def test_an_article_as_answer_raises_the_alarm_but_is_no_collision():
    found = run(["A", "Rome"], ["A", "Rome"])
    assert found.warnings["empty_match"].tolist() == [0]
    assert found.is_alarm
    assert found.pairs == ()
    assert not run(["B", "Rome"], ["B", "Rome"]).is_alarm


def test_a_clean_file_raises_no_alarm():
    names = ["The Eiffel Tower", "U.S.A.", "1,000", "3.5", "-5", "C++", "Café", "北京", "New York", "not guilty", "don't", "45%", "Straße"]
    found = run([name.lower() + "." for name in names], names)
    assert len(found.pairs) == 0
    assert not found.is_alarm
    assert all(len(rows) == 0 for rows in found.warnings.values())
    assert found.distinct == found.merged == len(names)


def test_a_bullet_raises_no_alarm():
    found = run(["- 5", "5", "– 7 apples"], ["5", "- 5", "7 apples"])
    assert [merge.texts for merge in found.merges] == [("5", "- 5")]
    assert not found.is_alarm


def test_references_of_different_questions_fall_together():
    found = find_collisions(score(["x", "y", "z"], [["-5"], ["5"], ["Paris"]], SQUAD), pinned=preset("raw"))
    assert [(merge.texts, merge.rows, merge.losses) for merge in found.suspicious_merges] == [(("-5", "5"), (0, 1), ("sign",))]
    assert (found.distinct, found.merged, found.pinned) == (3, 2, 3)


def test_references_that_differ_in_form_are_merged_without_alarm():
    found = find_collisions(score(["x", "y"], [["Paris"], ["paris"]], SQUAD))
    assert [(merge.texts, merge.losses) for merge in found.merges] == [(("Paris", "paris"), ())]
    assert not found.is_alarm


def test_spellings_of_one_item_are_no_collision():
    found = find_collisions(score(["x"], [["-5", "5"]], SQUAD))
    assert found.merges == ()


def test_what_extraction_leaves_out_is_no_loss():
    settings = SQUAD.with_steps([step("take_number", "prediction", choice="last"), *SQUAD.pipeline])
    found = run(["Not -3 or 4.5; the answer is 7"], ["7"], settings)
    assert found.pairs == ()


def test_progress_is_told_and_can_stop_the_run():
    scores = score(["-5"] * 3, [["5"]] * 3, SQUAD)
    calls = []
    find_collisions(scores, progress=lambda done, items: calls.append((done, items)))
    assert calls[0] == (0, 3)
    assert calls[-1] == (3, 3)
    with pytest.raises(KeyboardInterrupt):
        find_collisions(scores, progress=lambda done, items: (_ for _ in ()).throw(KeyboardInterrupt))


def test_short_references_of_loose_rules_are_warned_of():
    settings = SQUAD.with_rules(match="contains")
    found = find_collisions(score(["It is a big city", "Paris, France"], [["i"], ["Paris"]], settings))
    assert found.warnings["short_reference"].tolist() == [0]


def test_unscored_items_are_left_alone():
    dataset = Dataset.of([None, "-5"], [["5"], []])
    found = find_collisions(score(dataset, preset=SQUAD))
    assert found.pairs == ()
    assert isinstance(found.warnings["empty_match"], np.ndarray)


def test_every_loss_has_a_case():
    covered = {row[3] for row in ALARMS} | {row[4] for row in REPORTED}
    assert covered == set(LOSSES)
