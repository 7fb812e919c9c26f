"""A measure against people: kappa as statsmodels has it, and lines that agree best."""

import json
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.analysis.agreement import agreement, agreement_by_setting, best_threshold, between_judges, kappa, kappa_interval, reliability
from evalcore.analysis.references import additions, additions_jsonl, doubtful_references
from evalcore.analysis.sampling import Sample, Stratum, strata
from evalcore.analysis.verdicts import NONE, REFERENCE_WRONG, RIGHT, UNSURE, WRONG
from evalcore.dataset import Dataset
from evalcore.scoring.presets import preset
from evalcore.scoring.score import score
from evalcore.scoring.statistics import wilson

TABLES = [[[40, 5], [7, 30]], [[10, 0], [0, 10]], [[0, 10], [10, 0]], [[25, 25], [25, 25]], [[90, 3], [5, 2]], [[8, 2, 1], [3, 9, 0], [1, 1, 12]]]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_kappa_and_its_interval_agree_with_statsmodels(table, level):
    raters = pytest.importorskip("statsmodels.stats.inter_rater")
    expected = raters.cohens_kappa(np.array(table))
    spread = expected.std_kappa * NormalDist().inv_cdf((1 + level) / 2)
    found = kappa_interval(np.array(table), level)
    assert found.estimate == pytest.approx(expected.kappa, abs=1e-12)
    assert found.low == pytest.approx(max(-1, expected.kappa - spread), abs=1e-7)
    assert found.high == pytest.approx(min(1, expected.kappa + spread), abs=1e-7)


@pytest.mark.parametrize("table", [[[0, 0], [0, 0]], [[10, 0], [0, 0]]])
def test_kappa_of_nothing_is_not_zero(table):
    assert np.isnan(kappa(np.array(table)))
    assert np.isnan(kappa_interval(np.array(table)).estimate)


def labelled(both, only_measure, only_people, neither):
    called = np.array([True] * (both + only_measure) + [False] * (only_people + neither))
    codes = np.array([RIGHT] * both + [WRONG] * only_measure + [RIGHT] * only_people + [WRONG] * neither, dtype=np.int8)
    return called, codes


def test_precision_recall_and_accuracy_are_shares_with_wilsons_interval():
    found = agreement(*labelled(40, 5, 7, 30))
    assert (found.judged, found.both, found.only_measure, found.only_people, found.neither) == (82, 40, 5, 7, 30)
    assert found.precision == wilson(40, 45)
    assert found.recall == wilson(40, 47)
    assert found.accuracy == wilson(70, 82)


def test_other_verdicts_are_left_out():
    called, codes = labelled(4, 1, 1, 4)
    more = np.array([NONE, UNSURE, REFERENCE_WRONG], dtype=np.int8)
    assert agreement(np.append(called, [True] * 3), np.append(codes, more)) == agreement(called, codes)


def test_without_verdicts_there_is_no_agreement():
    found = agreement(np.array([True]), np.array([NONE], dtype=np.int8))
    assert np.isnan([found.precision.estimate, found.recall.estimate, found.accuracy.estimate, found.kappa.estimate]).all()


def test_a_sample_counts_each_item_for_those_it_stands_for():
    groups = (Stratum("many", 0.5, np.arange(900)), Stratum("few", 0.5, np.arange(900, 1000)))
    called = np.arange(1000) < 900
    truth = np.where(np.arange(1000) % 10 < 9, called, ~called).astype(np.int8)
    sample = Sample.of(groups, 200)
    codes = np.full(1000, NONE, dtype=np.int8)
    codes[sample.rows] = truth[sample.rows]
    found, all_of_them = agreement(called, codes, sample), agreement(called, truth)
    assert found.judged == 200
    assert found.both + found.only_measure + found.only_people + found.neither == pytest.approx(1000)
    for name in ("precision", "recall", "accuracy", "kappa"):
        ours, true = getattr(found, name), getattr(all_of_them, name).estimate
        assert ours.low <= true <= ours.high
        assert ours.width < 0.4


def test_a_perfect_sample_is_no_certainty():
    groups = (Stratum("all", 0.5, np.arange(1000)),)
    sample = Sample.of(groups, 20)
    codes = np.full(1000, NONE, dtype=np.int8)
    codes[sample.rows] = RIGHT
    assert agreement(np.ones(1000, dtype=bool), codes, sample).accuracy.low < 0.99


def test_reliability_bins_keep_exact_zero_and_one_apart():
    f1 = np.array([0, 0, 0.05, 0.55, 0.59, 1, 1, np.nan])
    codes = np.array([0, 1, 0, 1, 0, 1, 1, 1], dtype=np.int8)
    bins = {(row.low, row.high): row.right for row in reliability(f1, codes) if row.right.count}
    assert {key: (value.estimate, value.count) for key, value in bins.items()} == {(0, 0): (0.5, 2), (0, 0.1): (0, 1), (0.5, 0.6): (0.5, 2), (1, 1): (1, 2)}


@given(st.lists(st.tuples(st.sampled_from([0, 0.3, 0.5, 2 / 3, 0.8, 1]), st.sampled_from([RIGHT, WRONG])), min_size=1, max_size=40))
def test_no_line_agrees_better_than_the_best(rows):
    f1, codes = np.array([value for value, _ in rows], dtype=float), np.array([code for _, code in rows], dtype=np.int8)
    best = best_threshold(f1, codes)
    others = [agreement(f1 >= line, codes).kappa.estimate for line in np.unique(f1)]
    if best is None:
        assert len(set(codes.tolist())) < 2
    else:
        known = [value for value in others if not np.isnan(value)]
        assert not known or best.agreement.kappa.estimate >= max(known) - 1e-12


def test_the_setting_that_agrees_best_comes_first():
    answers, references = ["The cat", "cat.", "dog", "Cat"] * 5, [["cat"], ["cat"], ["cat"], ["cat"]] * 5
    codes = np.array([RIGHT, RIGHT, WRONG, RIGHT] * 5, dtype=np.int8)
    usual = preset("squad_v1")
    strict = usual.with_steps(())
    found = agreement_by_setting(Dataset.of(answers, references), [strict, usual], codes)
    assert [row.preset for row in found] == [usual, strict]
    assert found[0].em.kappa.estimate == 1.0


def test_judges_are_compared_on_what_both_judged():
    judges = {"ann": {0: RIGHT, 1: WRONG, 2: UNSURE}, "ben": {0: RIGHT, 1: RIGHT, 5: WRONG}, "cid": {9: RIGHT}}
    pairs = {(pair.first, pair.second): pair for pair in between_judges(judges)}
    assert (pairs["ann", "ben"].shared, pairs["ann", "ben"].same, pairs["ann", "ben"].differ) == (2, 1, (1,))
    assert pairs["ann", "cid"].shared == 0
    assert np.isnan(pairs["ann", "cid"].kappa.estimate)


SCORES = score(Dataset.of(["cat", "cat", "a kitten", "dog", " ", "\ud800 tom"], [["cat"], ["cat"], ["cat", "felid"], ["cat"], ["cat"], ["cat"]]))
CODES = np.array([RIGHT, WRONG, RIGHT, REFERENCE_WRONG, RIGHT, RIGHT], dtype=np.int8)


def test_probable_reference_errors_are_listed_with_their_reason():
    assert [(found.row, found.doubt) for found in doubtful_references(SCORES, CODES)] == [(3, "judged wrong"), (1, "matches a wrong answer")]


def test_right_answers_without_a_match_are_additions_ready_to_load():
    found = additions(SCORES, CODES)
    assert [row.answer for row in found] == ["a kitten", "\ud800 tom"]
    records = [json.loads(line) for line in additions_jsonl(found).splitlines()]
    assert [record["answers"] for record in records] == [["cat", "felid", "a kitten"], ["cat", "\ud800 tom"]]


def test_settings_are_held_against_judged_items_alone_and_say_what_they_leave_out():
    answers, references = ["The cat", None, "dog", "Cat", "unjudged"] * 6, [["cat"]] * 30
    codes = np.array([RIGHT, WRONG, WRONG, RIGHT, -1] * 6, dtype=np.int8)
    row = agreement_by_setting(Dataset.of(answers, references), [preset("squad_v1"), preset("longbench_qa_f1")], codes)
    by_name = {each.preset.name: each for each in row}
    assert by_name["squad_v1"].unscored == 6
    assert by_name["squad_v1"].em.judged == 18
    assert by_name["squad_v1"].em.accuracy.estimate == 1.0
    assert by_name["longbench_qa_f1"].em is None
    assert by_name["longbench_qa_f1"].kappa == 1.0


def test_a_judged_item_without_a_score_does_not_cut_the_sample_short():
    data = Dataset.of(["cat", "dog", None, "cat", "dog", "cat"] * 5, [["cat"]] * 30)
    sample = Sample.of(strata(score(Dataset.of(["cat", "dog", "x", "cat", "dog", "cat"] * 5, [["cat"]] * 30))), 30)
    codes = np.array([RIGHT, WRONG, WRONG, RIGHT, WRONG, RIGHT] * 5, dtype=np.int8)
    (row,) = agreement_by_setting(data, [preset("squad_v1")], codes, sample)
    assert row.em.judged == 25
    assert row.em.kappa.estimate == 1.0
