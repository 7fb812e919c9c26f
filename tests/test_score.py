"""Scores: the rules of empties, best reference, unscored rows, summary."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore
from evalcore.scoring.buckets import BUCKETS, bucket_codes
from evalcore.scoring.presets import PRESETS, changes
from tests.hostile import texts

ROWS = [
    # label, preset, prediction, references, em, f1
    ("article and full stop", "squad_v1", "The cat.", ["cat"], 1, 1),
    ("extra words", "squad_v1", "the black cat", ["cat"], 0, 2 / 3),
    ("repeated token counts as often", "squad_v1", "go go go", ["go"], 0, 0.5),
    ("identical with a repeated token", "squad_v1", "go go go", ["go go go"], 1, 1),
    ("set overlap counts once", "squad_spaced", "go go go", ["go"], 0, 1),
    ("both empty, v1", "squad_v1", "the", ["a"], 1, 0),
    ("both empty, v2", "squad_v2", "the", ["a"], 1, 1),
    ("one empty, v2", "squad_v2", "", ["cat"], 0, 0),
    ("no answer said", "squad_v2", "", [], 1, 1),
    ("no answer missed", "squad_v2", "Paris", [], 0, 0),
    ("empty reference dropped", "squad_v2", "A", ["A", "vitamin A"], 0, 0),
    ("empty reference kept", "squad_v1", "A", ["A", "vitamin A"], 1, 0),
    ("best of several", "squad_v1", "Marie Curie", ["Curie", "Marie Skłodowska Curie", "Marie Curie"], 1, 1),
    ("word inside a word stays", "squad_v1", "Bnn", ["Banana"], 0, 0),
    ("hyphen spaced", "squad_spaced", "well-known", ["well known"], 1, 1),
    ("hyphen deleted", "squad_v1", "well-known", ["well known"], 0, 0),
    ("raw keeps spaces", "raw", " P5", ["P5"], 0, 1),
    ("trimmed does not", "trimmed", " P5", ["P5"], 1, 1),
    ("zero-width space is no space", "squad_v1", "New\u200bYork", ["New York"], 0, 0),
    ("no-break space is one", "squad_v1", "New\u00a0York", ["New York"], 1, 1),
    ("sign is lost", "squad_v1", "-5", ["5"], 1, 1),
]


@pytest.mark.parametrize(("label", "preset", "prediction", "references", "em", "f1"), ROWS, ids=[row[0] for row in ROWS])
def test_rows(label, preset, prediction, references, em, f1):
    scores = evalcore.score([prediction], [references], preset=preset)
    assert (scores.em[0], scores.f1[0]) == (em, pytest.approx(f1, abs=1e-15))


def test_em_and_f1_may_come_from_different_references():
    scores = evalcore.score(["a"], [["the cat", "the"]], preset="squad_v1")
    assert (scores.em[0], scores.f1[0], scores.best_em[0], scores.best_f1[0]) == (1, 0, 1, 0)


def test_unscored_rows_have_a_reason_and_no_number():
    scores = evalcore.score(["a", None, "b"], [[], ["x"], ["b"]], preset="trimmed")
    assert list(scores.unscored) == ["no references", "no prediction", None]
    assert np.isnan(scores.em[:2]).all()
    assert np.isnan(scores.f1[:2]).all()
    summary = scores.summary()
    assert (summary.items, summary.scored, summary.em, dict(summary.unscored)) == (3, 1, 1.0, {"no references": 1, "no prediction": 1})


def test_a_missing_prediction_is_left_out_or_wrong_and_the_signature_says_so():
    predictions, references = [None, "b"], [["x"], ["b"]]
    left_out = evalcore.score(predictions, references, preset="squad_v1")
    wrong = evalcore.score(predictions, references, preset=evalcore.preset("squad_v1").with_rules(missing="wrong"))
    assert (left_out.summary().em, wrong.summary().em) == (1.0, 0.5)
    assert left_out.summary().missing == wrong.summary().missing == 1
    assert "missing:wrong" in wrong.signature
    assert wrong.signature != left_out.signature


def test_nothing_to_score_is_no_zero():
    summary = evalcore.score([], []).summary()
    assert summary.items == 0
    assert math.isnan(summary.em)


def test_a_pattern_that_does_not_finish_leaves_the_item_unscored():
    evil = evalcore.preset("raw").with_steps([evalcore.step("replace_pattern", pattern=r"(a|aa)+$")])
    scores = evalcore.score(["a" * 60 + "b", "fine"], [["x"], ["fine"]], preset=evil)
    assert "did not finish" in scores.unscored[0]
    assert list(scores.em[1:]) == [1.0]


def test_steps_may_act_on_one_side():
    one_sided = evalcore.preset("raw").with_steps([evalcore.step("lower", "prediction")])
    scores = evalcore.score(["ABC", "ABC"], [["abc"], ["ABC"]], preset=one_sided)
    assert list(scores.em) == [1, 0]
    assert "lower@prediction" in scores.signature


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((["a"], [["b"], ["c"]]), ValueError, "1 predictions, but references for 2 items"),
        ((["a"], ["b"]), TypeError, "a list of texts is needed"),
        ((["a"],), TypeError, "references are missing"),
        (([3], [["a"]]), TypeError, "row 0 is 3"),
    ],
)
def test_input_that_does_not_fit(arguments, error, says):
    with pytest.raises(error, match=says):
        evalcore.score(*arguments)


def test_an_unknown_preset_lists_near_ones():
    with pytest.raises(evalcore.UnknownName, match="squad_v1"):
        evalcore.score(["a"], [["a"]], preset="squad_v11")


def test_progress_counts_up_and_can_stop_the_run():
    seen = []
    evalcore.score(["a"] * 20_000, [["a"]] * 20_000, progress=lambda done, items: seen.append((done, items)))
    assert seen[-1] == (20_000, 20_000)
    assert len(seen) > 2
    assert seen == sorted(seen)

    def stop(done, items):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evalcore.score(["a"] * 20_000, [["a"]] * 20_000, progress=stop)


@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), max_size=5))
def test_identical_raw_strings_match(rows):
    """A prediction that is one of its references has EM 1 under every preset that reads both sides alike."""
    for name in ("squad_v1", "squad_spaced", "raw", "trimmed"):
        scores = evalcore.score([references[0] for _, references in rows], [references for _, references in rows], preset=name)
        assert (scores.em == 1).all()


@given(st.lists(st.tuples(texts, st.lists(texts, max_size=3)), max_size=5))
def test_an_item_scores_the_same_alone(rows):
    together = evalcore.score([p for p, _ in rows], [r for _, r in rows], preset="squad_v2")
    for index, (prediction, references) in enumerate(rows):
        alone = evalcore.score([prediction], [references], preset="squad_v2")
        for name in ("em", "f1", "precision", "recall", "common", "predicted", "gold", "best_em", "best_f1", "emptied"):
            assert getattr(alone, name)[0] == getattr(together, name)[index], name


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_survives_json_and_says_what_it_is(name):
    preset = PRESETS[name]
    assert preset.from_json(preset.to_json()).settings == preset.settings
    assert changes(preset) == ()
    assert preset.title
    assert preset.summary
    assert preset.source
    assert preset.family
    assert preset.signature.startswith(f"{name}|")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("{", "line 1, column 2"),
        ("[]", "'steps'"),
        ('{"steps": 3}', "a list of steps"),
        ('{"steps": [{"step": "lowr"}]}', "lower"),
        ('{"steps": [], "rules": {"empty": "v3"}}', "v1, v2"),
        ('{"steps": [], "rules": {"colour": "red"}}', "rule named 'colour'"),
        ('{"steps": [], "rules": []}', "an object is needed"),
    ],
)
def test_settings_that_cannot_be_read_say_why(source, says):
    with pytest.raises((ValueError, evalcore.UnknownName), match=says):
        evalcore.preset("raw").from_json(source)


def test_changes_are_named():
    preset = evalcore.preset("squad_v1")
    changed = preset.with_steps([step for step in preset.pipeline if step.name != "drop_articles"]).with_rules(empty="v2")
    assert changes(changed) == ("- Drop articles: en", "empty: v2")
    assert changes(preset.with_steps(reversed(preset.pipeline.steps))) == ("order of steps",)


def test_buckets_have_names():
    scores = evalcore.score(["cat", "the", "big cat", "a very big black cat", "dog", None], [["cat"], ["a"], ["big red cat"], ["cat"], ["cat"], ["x"]])
    assert [BUCKETS[code] for code in bucket_codes(scores)] == ["match", "empty_match", "near_miss", "partial", "miss", "unscored"]
    assert BUCKETS[bucket_codes(scores, near=0.9)[2]] == "partial"


def test_comparison_lists_fixed_and_broken():
    before = evalcore.score(["The cat", "x", "-5", None], [["cat"], ["y"], ["5"], ["z"]], preset="squad_v1")
    after = evalcore.score(["The cat", "x", "-5", None], [["cat"], ["y"], ["5"], ["z"]], preset="raw")
    comparison = evalcore.compare(before, after)
    assert (list(comparison.fixed), list(comparison.broken), list(comparison.both_wrong), comparison.compared) == ([], [0, 2], [1], 3)
    other = evalcore.score(evalcore.Dataset.of(["a"], [["a"]], ids=["somewhere else"]))
    with pytest.raises(ValueError, match="no id in common"):
        evalcore.compare(before, other)


def test_explain_names_the_step_that_decided():
    explained = evalcore.explain("The Treaty of Versailles (1919).", ["Treaty of Versailles", "Versailles Treaty (1919)"])
    assert (explained.em, explained.best) == (0, 0)
    assert [(row.token, row.predicted, row.gold, row.matched) for row in explained.tokens] == [
        ("treaty", 1, 1, 1),
        ("of", 1, 1, 1),
        ("versailles", 1, 1, 1),
        ("1919", 1, 0, 0),
    ]
    assert (explained.precision, explained.recall) == (0.75, 1.0)
    equal = evalcore.explain("The  cat.", ["cat"])
    assert [row.step.name for row in equal.steps if row.decides] == ["squeeze_whitespace"]
    assert not any(row.decides for row in evalcore.explain("cat", ["cat"]).steps)
    assert evalcore.explain(None, ["cat"]).unscored == "no prediction"
    assert evalcore.explain("", [], preset="squad_v2").best == -1


def test_explain_says_why_an_item_failed_and_what_would_change_it():
    explained = evalcore.explain("Rome", ["Marie Curie"], question="Who was it?")
    assert [one.evidence.note for one in explained.reasons] == ["a person is expected"]
    assert explained.fixes == ()
    several = evalcore.explain("einer Katze", ["Hund", "Katze"], "raw")
    assert several.reasons[0].reference == 1
    assert evalcore.explain("cat", ["cat"]).reasons == evalcore.explain("cat", ["cat"]).fixes == ()
    assert evalcore.explain(None, ["cat"]).reasons == ()


def test_explain_traces_against_a_reference_where_there_is_no_f1():
    explained = evalcore.explain("a dog", ["cat", "mouse"], preset="popqa")
    assert (explained.best, explained.reference.raw) == (0, "cat")


def test_summary_prints_as_json():
    summary = evalcore.score(["a"], [["a"]]).summary()
    assert json.loads(json.dumps({"em": summary.em, "unscored": dict(summary.unscored)})) == {"em": 1.0, "unscored": {}}
