"""Two runs, two settings, many runs: what is compared, and what is claimed."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.analysis.comparison import compare, compare_under
from evalcore.analysis.effect import effect_between
from evalcore.analysis.gate import QUANTITIES, Gate, GateError
from evalcore.analysis.runs import cluster_labels, compare_runs, run_names
from evalcore.analysis.setting_differences import setting_differences
from evalcore.dataset import Dataset, References
from evalcore.scoring.presets import preset
from evalcore.scoring.score import score
from evalcore.text.columns import Texts
from evalcore.text.names import UnknownName

SETTINGS = preset("squad_v1")


def run(answers, references=None, ids=None, **columns):
    references = references or [["right"]] * len(answers)
    return score(Dataset.of(answers, references, ids, **columns), preset=SETTINGS)


OLD = run(["right", "right", "wrong", "wrong", "right", None], ids=list("abcdef"))
NEW = run(["right", "wrong", "right", "wrong", None, None], ids=list("abcdef"))


def test_items_are_told_apart_by_what_became_of_them():
    found = compare(OLD, NEW)
    names = ("both_right", "broken", "fixed", "both_wrong", "only_before", "only_after")
    assert {name: getattr(found, name).tolist() for name in names} == dict(zip(names, [[0], [1], [2], [3], [4], []], strict=True))
    assert found.compared == 4
    assert found.before is OLD
    assert found.after is NEW


def test_scores_of_the_same_items_are_not_copied_and_all_rows_match():
    found = compare(OLD, NEW)
    assert found.before_rows.tolist() == found.after_rows.tolist() == [0, 1, 2, 3, 4, 5]
    assert len(found.unmatched_before) == len(found.unmatched_after) == 0


def test_different_items_are_compared_on_the_common_ones_and_the_rest_is_listed():
    other = run(["wrong", "right", "right", "wrong"], ids=["x", "c", "a", "b"])
    found = compare(OLD, other)
    assert [found.before.dataset.ids[row] for row in found.fixed] == ["c"]
    assert [found.after.dataset.ids[row] for row in found.broken] == ["b"]
    assert found.before_rows.tolist() == [0, 1, 2]
    assert found.after_rows.tolist() == [2, 3, 1]
    assert [OLD.dataset.ids[row] for row in found.unmatched_before] == ["d", "e", "f"]
    assert [other.dataset.ids[row] for row in found.unmatched_after] == ["x"]
    assert "3 items are only in the run before" in found.cautions[0]
    assert "1 item is only in the run after" in found.cautions[1]


def test_a_repeated_id_is_paired_in_order():
    found = compare(run(["right", "wrong", "right"], ids=["a", "a", "b"]), run(["right", "right"], ids=["a", "a"]))
    assert found.fixed.tolist() == [1]
    assert found.unmatched_before.tolist() == [2]


def test_runs_without_a_common_id_are_refused_with_ids_of_both():
    with pytest.raises(ValueError, match=r"no id in common .*'a'.*'x'"):
        compare(OLD, run(["right"], ids=["x"]))


def test_other_references_are_noticed_and_their_order_is_not():
    same = compare(run(["a"], [["x", "y"]]), run(["a"], [["y", "x"]]))
    other = compare(run(["a", "b"], [["x"], ["y"]]), run(["a", "b"], [["x"], ["z"]]))
    assert same.references_differ.tolist() == []
    assert same.cautions == ()
    assert other.references_differ.tolist() == [1]
    assert other.cautions == ("1 shared item is held against other references.",)


def test_settings_that_differ_are_named_and_one_setting_for_both_is_offered():
    changed = SETTINGS.with_steps(list(SETTINGS.pipeline)[1:]).with_rules(missing="wrong")
    found = compare(OLD, score(NEW.dataset, preset=changed))
    assert {part.part for part in found.settings_differ} == {"step", "rule missing"}
    assert "different settings (step lower only before; rule missing leave_out before, wrong after)" in found.cautions[0]
    again = compare_under(OLD.dataset, NEW.dataset, changed)
    assert again.settings_differ == ()
    assert again.before.preset == again.after.preset == changed


def test_a_name_alone_is_no_difference():
    assert setting_differences(SETTINGS, replace(SETTINGS, name="mine", title="Mine")) == ()


SENTENCES = [
    ("nothing", [], [], "Nothing can be said about EM: no item is scored on both sides."),
    ("few and the same", [1, 0], [1, 0], "Only 2 items are compared: EM is the same, and none of them changed."),
    ("many and the same", [1, 0] * 50, [1, 0] * 50, "EM is the same, and none of the 100 items changed."),
    ("as many fixed as broken", [1, 0] * 50, [0, 1] * 50, "EM stayed the same (50 items fixed, 50 broken, of 100), no difference is shown"),
    ("chance", [0] * 3 + [1] + [1] * 96, [1] * 3 + [0] + [1] * 96, "EM rose by 2.00 points (3 items fixed, 1 broken, of 100), which chance alone can explain"),
    ("clear", [1] * 60 + [0] * 40, [0] * 30 + [1] * 30 + [0] * 40, "EM fell by 30.00 points (0 items fixed, 30 broken, of 100), more than chance explains"),
]


@pytest.mark.parametrize(("before", "after", "start"), [row[1:] for row in SENTENCES], ids=[row[0] for row in SENTENCES])
def test_the_sentence_claims_no_more_than_the_figures(before, after, start):
    effect = effect_between("em", np.array(before, dtype=float), np.array(after, dtype=float))
    assert effect.sentence.startswith(start)
    assert effect.is_clear == ("more than chance explains" in effect.sentence)


def test_an_unscored_item_is_not_a_difference():
    effect = effect_between("f1", np.array([0.5, np.nan, 1.0]), np.array([0.5, 1.0, np.nan]))
    assert (effect.count, effect.fixed, effect.broken, effect.test.p) == (1, 0, 0, 1.0)


def test_documents_that_move_together_weaken_the_claim():
    before, after = np.zeros(400), np.repeat([1.0, 1.0, 1.0, 0.0], 100)
    documents = np.repeat(np.arange(4), 100)
    assert effect_between("em", before, after).is_clear
    clustered = effect_between("em", before, after, documents)
    assert not clustered.is_clear
    assert clustered.detectable > effect_between("em", before, after).detectable


def test_few_clusters_are_a_caution():
    before, after = run(["wrong"] * 60), run(["right"] * 30 + ["wrong"] * 30)
    few, many = (replace(compare(before, after), clusters=np.arange(60) % count) for count in (3, 20))
    assert few.cautions == ("Only 3 clusters are drawn; the interval of so few is too narrow.",)
    assert many.cautions == ()


def test_the_smallest_detectable_difference_shrinks_with_items():
    small, large = (effect_between("em", np.zeros(n), np.array([1.0] * (n // 10) + [0.0] * (n - n // 10))) for n in (100, 10_000))
    assert small.detectable / large.detectable == pytest.approx(10, rel=0.1)


def test_many_runs_are_tested_pairwise_with_holms_correction():
    rng = np.random.default_rng(0)
    runs = [run(list(rng.choice(["right", "wrong"], 300, p=[share, 1 - share]))) for share in (0.5, 0.55, 0.9)]
    table = compare_runs(runs, names=["a", "b", "c"])
    assert [row.name for row in table.runs] == ["a", "b", "c"]
    assert [(pair.before, pair.after) for pair in table.pairs] == [(0, 1), (0, 2), (1, 2)]
    assert all(pair.corrected >= pair.effect.test.p for pair in table.pairs)
    assert min(pair.corrected for pair in table.pairs) == min(pair.effect.test.p for pair in table.pairs) * 3
    assert [pair.is_clear for pair in table.pairs][1:] == [True, True]
    assert len(table.settings) == 1


def test_many_runs_with_different_items_share_the_common_ones():
    table = compare_runs([OLD, NEW, run(["right", "right"], ids=["b", "z"])], "f1")
    assert table.shared == 1
    assert [row.unmatched for row in table.runs] == [5, 5, 1]


@pytest.mark.parametrize(("runs", "message"), [([OLD], "at least two"), ([OLD, run(["right"], ids=["x"])], "no id in common")])
def test_runs_that_cannot_be_compared_are_refused(runs, message):
    with pytest.raises(ValueError, match=message):
        compare_runs(runs)


def test_runs_of_one_name_are_numbered():
    assert run_names([OLD, NEW]) == ["run 1", "run 2"]
    twice = [score(replace(OLD.dataset, system="gpt"), preset=SETTINGS)] * 2
    assert run_names(twice) == ["gpt (1)", "gpt (2)"]


def test_items_group_by_a_column_and_those_without_stand_alone():
    scores = score(Dataset(Texts.of(["1", "2", "3", "4"]), Texts.of(["a"] * 4), References.of([["a"]] * 4), contexts=Texts.of(["p", None, "p", None])))
    labels = cluster_labels(scores)
    assert labels[0] == labels[2]
    assert len(set(labels.tolist())) == 3
    with pytest.raises(ValueError, match=r"no column 'document'.*context"):
        cluster_labels(scores, "document")


GATES = [
    ("em < -1.0", False),
    ("broken >= 1", True),
    ("broken >= 1 and fixed < 1", False),
    ("broken>0 and em.p < .05", False),
    ("unscored > 1", True),
    ("unmatched > 0", False),
    ("settings != 0", False),
    ("em.after < 60", True),
    ("f1.low < -10 and f1.high > 10", True),
]


@pytest.mark.parametrize(("source", "stops"), GATES)
def test_a_gate_stops_when_all_its_conditions_hold(source, stops):
    found = Gate.parse(source).check(compare(OLD, NEW))
    assert found.stops == stops
    assert str(found).startswith("failed" if stops else "passed")


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_every_quantity_of_a_gate_has_a_value(quantity):
    value = QUANTITIES[quantity](compare(OLD, NEW))
    assert value == value


@pytest.mark.parametrize("source", ["em < -1.0", "em < -1.0 and em.p < 0.05", "f1.p < 0.05", "broken > 20", "fixed < 1 and broken > 0"])
def test_a_gate_that_cannot_look_stops(source):
    found = Gate.parse(source).check(compare(run(["right"], ids=["a"]), run([None], ids=["a"])))
    assert found.stops
    assert "not known" in str(found)


@pytest.mark.parametrize("source", ["", "em", "em < ", "em < one", "em < 1 or f1 < 1", "em << 1", "__import__('os')", "em < 1 and"])
def test_a_malformed_gate_is_refused_with_its_part(source):
    with pytest.raises(GateError, match=r"em < -1\.0"):
        Gate.parse(source)


def test_an_unknown_quantity_lists_near_ones():
    with pytest.raises(UnknownName, match="broken"):
        Gate.parse("brokn > 3")


RUNS = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from(["right", "wrong", None])), max_size=12)


@given(RUNS, RUNS)
def test_every_item_of_both_runs_is_in_exactly_one_list(first, second):
    before, after = (run([answer for _, answer in rows], ids=[name for name, _ in rows]) for rows in (first, second))
    shared = sum((Counter(name for name, _ in first) & Counter(name for name, _ in second)).values())
    if first and second and not shared:
        with pytest.raises(ValueError, match="no id in common"):
            compare(before, after)
        return
    found = compare(before, after)
    lists = [found.fixed, found.broken, found.both_right, found.both_wrong, found.only_before, found.only_after]
    neither = np.flatnonzero(~found.before.is_scored & ~found.after.is_scored)
    assert sorted(np.concatenate([*lists, neither]).tolist()) == list(range(shared))
    assert sorted([*found.before_rows, *found.unmatched_before]) == list(range(len(first)))
    assert sorted([*found.after_rows, *found.unmatched_after]) == list(range(len(second)))
    for row, (left, right) in enumerate(zip(found.before_rows, found.after_rows, strict=True)):
        assert first[left][0] == second[right][0] == found.before.dataset.ids[row] == found.after.dataset.ids[row]
        assert found.before.dataset.predictions[row] == first[left][1]
        assert found.after.dataset.predictions[row] == second[right][1]
