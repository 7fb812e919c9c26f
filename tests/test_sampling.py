"""The sampler: known chances, an unbiased share, an interval that keeps its word."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.sampling import evouna, gain, guessed, nq301, shared_folder
from evalcore.analysis.reasons import find_reasons
from evalcore.analysis.reasons.families import by_family
from evalcore.analysis.sampling import Sample, Stratum, estimate, shares, strata, uniform
from evalcore.analysis.slices import Slicing
from evalcore.analysis.verdicts import NONE, REFERENCE_WRONG, RIGHT, UNSURE, WRONG
from evalcore.dataset import Dataset
from evalcore.scoring.score import score
from evalcore.scoring.statistics import wilson
from tests.counts import LONG

ANSWERS = ["cat", "it is a cat", "grey cat here", "black dog barking", "bird", None, ""]
REFERENCES = [["cat"], ["cat"], ["grey cat"], ["black dog"], ["cat"], ["cat"], ["cat"]]


def groups_of(*sizes, guess=0.5):
    starts = np.cumsum([0, *sizes])
    return tuple(Stratum(f"s{number}", guess, np.arange(starts[number], starts[number + 1])) for number in range(len(sizes)))


def test_every_scored_item_is_in_one_stratum():
    scores = score(Dataset.of(ANSWERS, REFERENCES))
    found = {group.name: group.rows.tolist() for group in strata(scores)}
    assert found == {"exact match": [0], "contains a reference": [1, 2, 3], "no word": [4, 6]}
    assert [group.rows.tolist() for group in uniform(scores)] == [[0, 1, 2, 3, 4, 6]]


def test_strata_split_further_by_labels():
    scores = score(Dataset.of(ANSWERS, REFERENCES))
    labels = Slicing.of("reason", ["match", "sentence", "extra", "sentence", "content", "", "content"])
    found = {group.name: group.rows.tolist() for group in strata(scores, labels)}
    assert found == {"exact match": [0], "contains a reference: sentence": [1, 3], "contains a reference: extra": [2], "no word": [4, 6]}


def test_parts_of_few_items_stay_together_and_a_small_budget_looks_at_whole_groups():
    labels = ["large"] * 50 + ["middle"] * 40 + [f"small {number}" for number in range(10)]
    scores = score(Dataset.of(["dog"] * 100, [["cat"]] * 100))
    found = strata(scores, Slicing.of("reason", labels))
    assert [(group.name, len(group.rows)) for group in found] == [("no word: large", 50), ("no word: middle", 40), ("no word: the rest", 10)]
    assert [group.guess for group in found] == [0.1] * 3
    assert [group.name for group in strata(scores, Slicing.of("reason", labels), budget=11)] == ["no word"]


def test_reasons_part_the_items_that_failed_and_every_item_keeps_a_known_chance():
    answers = ["cat", "the answer is cat", "surely the answer is cat", "black dog", "bird", "fish"] * 10
    scores = score(Dataset.of(answers, [["cat"]] * 60))
    split = by_family(find_reasons(scores))
    assert {label for label, code in zip(split.labels, range(len(split.labels)), strict=True) if (split.codes == code).any()} == {
        "in a sentence",
        "another answer",
        "did not fail",
    }
    groups = strata(scores, split, 40)
    sample = Sample.of(groups, 40)
    assert sorted(np.concatenate([group.rows for group in groups]).tolist()) == list(range(60))
    assert all(np.isin(group.rows, sample.rows).any() for group in groups)


def test_samples_from_other_groups_share_most_items():
    whole = Sample.of(groups_of(600, 400), 100)
    finer = Sample.of(groups_of(300, 300, 400), 100)
    assert len(np.intersect1d(whole.rows, finer.rows)) > 80


@given(st.lists(st.tuples(st.integers(1, 500), st.floats(0, 1)), min_size=1, max_size=8), st.integers(0, 300))
def test_a_budget_is_spent_whole_and_no_stratum_overdrawn(rows, budget):
    groups = tuple(Stratum(str(number), guess, np.arange(size)) for number, (size, guess) in enumerate(rows))
    counts = shares(groups, budget)
    sizes = np.array([size for size, _ in rows])
    assert counts.sum() == min(budget, sizes.sum())
    assert (counts >= 0).all()
    assert (counts <= sizes).all()
    if budget >= 4 * len(rows):
        assert (counts >= np.minimum(sizes, 4) - 1).all()


def test_uncertain_strata_get_more():
    wide, narrow = Stratum("wide", 0.5, np.arange(1000)), Stratum("narrow", 0.02, np.arange(1000, 2000))
    counts = shares((wide, narrow), 100)
    assert counts[0] > 3 * counts[1]


def test_a_sample_has_no_item_twice_and_the_same_seed_draws_the_same():
    groups = groups_of(50, 200, 7)
    sample = Sample.of(groups, 60, seed=5)
    assert len(set(sample.rows.tolist())) == len(sample.rows) == 60
    assert Sample.of(groups, 60, seed=5).rows.tolist() == sample.rows.tolist()
    assert Sample.of(groups, 60, seed=6).rows.tolist() != sample.rows.tolist()


def test_every_item_of_a_stratum_has_the_same_chance():
    groups = groups_of(10, 30)
    seen = np.zeros(40)
    for seed in range(2000):
        seen[Sample.of(groups, 12, seed=seed).rows[:7]] += 1
    for group in groups:
        chance = seen[group.rows] / 2000
        assert chance.std() < 4 * np.sqrt(chance.mean() * (1 - chance.mean()) / 2000)


def test_any_start_of_a_sample_covers_the_strata_in_proportion():
    sample = Sample.of(groups_of(300, 300, 300), 60)
    for length in (9, 30, 45):
        counts = np.bincount(sample.stratum_of[:length], minlength=3)
        assert counts.max() - counts.min() <= 1


def test_the_next_item_is_the_first_without_a_verdict_and_a_gap_ends_the_sample():
    sample = Sample.of(groups_of(5, 5), 6)
    codes = np.full(10, NONE, dtype=np.int8)
    assert sample.next(codes) == sample.rows[0]
    codes[sample.rows[[0, 1, 3]]] = RIGHT
    assert sample.next(codes) == sample.rows[2]
    assert sample.started(codes).rows.tolist() == sample.rows[:2].tolist()
    codes[sample.rows] = WRONG
    assert sample.next(codes) is None


def test_items_that_someone_picked_do_not_move_the_estimate():
    sample = Sample.of(groups_of(50, 50), 20)
    codes = np.full(100, NONE, dtype=np.int8)
    codes[sample.rows[:10]] = RIGHT
    before = estimate(sample, codes, np.zeros(100))
    picked = np.setdiff1d(np.arange(100), sample.rows)
    codes[picked] = WRONG
    assert estimate(sample, codes, np.zeros(100)) == before
    assert before.judged == 10


def test_the_estimate_is_unbiased_whatever_the_guesses():
    truth = np.array([1] * 90 + [0] * 10 + [1] * 30 + [0] * 170, dtype=np.int8)
    groups = tuple(Stratum(group.name, guess, group.rows) for group, guess in zip(groups_of(100, 200), (0.1, 0.9), strict=True))
    found = []
    for seed in range(600):
        sample = Sample.of(groups, 30, seed=seed)
        codes = np.full(300, NONE, dtype=np.int8)
        codes[sample.rows] = truth[sample.rows]
        found.append(estimate(sample, codes, np.zeros(300)).interval.estimate)
    assert np.mean(found) == pytest.approx(0.4, abs=3 * np.std(found) / np.sqrt(600))


def test_undecided_items_are_counted_apart():
    sample = Sample.of(groups_of(20), 10)
    codes = np.full(20, NONE, dtype=np.int8)
    codes[sample.rows] = [RIGHT] * 6 + [WRONG] * 2 + [UNSURE, REFERENCE_WRONG]
    found = estimate(sample, codes, np.array([1.0] * 5 + [0.0] * 14 + [np.nan]))
    assert (found.judged, found.undecided, found.interval.estimate) == (8, 2, 0.75)
    assert found.em == pytest.approx(5 / 19)
    assert found.strata[0].right == 6


def test_no_verdict_is_no_share():
    sample = Sample.of(groups_of(20), 10)
    found = estimate(sample, np.full(20, NONE, dtype=np.int8), np.zeros(20))
    assert np.isnan(found.interval.estimate)
    assert found.judged == 0


def test_all_items_judged_is_the_share_itself():
    sample = Sample.of(groups_of(3, 2), 5)
    found = estimate(sample, np.array([1, 1, 0, 1, 1], dtype=np.int8), np.zeros(5)).interval
    assert (found.low, found.estimate, found.high) == (0.8, 0.8, 0.8)


def test_one_stratum_is_wilsons_interval_less_what_is_known():
    sample = Sample.of(groups_of(100_000), 50)
    codes = np.full(100_000, NONE, dtype=np.int8)
    codes[sample.rows] = [RIGHT] * 40 + [WRONG] * 10
    found, plain = estimate(sample, codes, np.zeros(100_000)).interval, wilson(40, 50)
    assert [found.low, found.high] == pytest.approx([plain.low, plain.high], abs=1e-3)


RATES = {
    "as guessed": (0.95, 0.9, 0.7, 0.4, 0.1),
    "one half": (0.5,) * 5,
    "better than guessed": (1.0, 1.0, 0.95, 0.9, 0.6),
    "worse than guessed": (0.8, 0.6, 0.4, 0.2, 0.02),
    "all right": (1.0,) * 5,
    "all wrong": (0.0,) * 5,
}


@pytest.mark.parametrize("name", RATES)
def test_the_interval_holds_the_truth_when_the_guesses_are_off(name):
    sizes = (150, 800, 100, 200, 350)
    groups = tuple(Stratum(group.name, guess, group.rows) for group, guess in zip(groups_of(*sizes), RATES["as guessed"], strict=True))
    codes = np.concatenate([np.arange(size) < round(size * rate) for size, rate in zip(sizes, RATES[name], strict=True)]).astype(np.int8)
    rounds = 1000 if LONG else 200
    assert gain(groups, codes, np.zeros(len(codes)), rounds).covered >= (0.92 if LONG else 0.88)


def shared(read):
    try:
        return list(read(shared_folder()))
    except FileNotFoundError:
        pytest.skip("shared data not found beside the repository")


def test_judging_a_hundred_answers_of_five_systems():
    rounds, least = (1000, 0.93) if LONG else (60, 0.85)
    gains = [gain(strata(scores), codes, scores.em, rounds) for _, scores, codes in shared(evouna)]
    assert all(found.covered >= least for found in gains)
    assert sum(found.narrower >= 0.35 for found in gains) >= 4


def test_judging_a_hundred_answers_by_reason_too():
    rounds, least = (1000, 0.93) if LONG else (60, 0.85)
    systems = shared(evouna) if LONG else shared(evouna)[:1]
    gains = [gain(strata(scores, by_family(find_reasons(scores))), codes, scores.em, rounds) for _, scores, codes in systems]
    assert all(found.covered >= least for found in gains)
    assert sum(found.narrower >= 0.35 for found in gains) >= min(4, len(systems))


@pytest.mark.long
def test_other_guesses_keep_their_word_too():
    for _, scores, codes in [*shared(evouna), *shared(nq301)]:
        for guesses in ((0.5,) * 5, (0.85, 0.75, 0.6, 0.5, 0.3)):
            assert gain(guessed(strata(scores), guesses), codes, scores.em, 1000).covered >= 0.92
