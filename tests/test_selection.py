"""Selections: conditions, order, words, and the form for links."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore
from evalcore.analysis import selection as selection_module
from evalcore.analysis.selection import BUCKET_NAMES, EM_0, EM_1, ORDERS, F1Range, Selection, SelectionError, apply, bucket_counts
from evalcore.scoring.buckets import BUCKETS

# Rows:                    0 match    1 near miss            2 miss   3 unscored  4 empty match  5 partial
SCORES = evalcore.score(
    evalcore.Dataset.of(
        ["The cat", "a dog barks", "x*y", None, "", "tall ITALIAN tree"],
        [["cat"], ["dog barks loudly", "meow"], ["Paris $1"], ["z"], ["the"], ["tree"]],
        ["q5", "q4", "q3", "q2", "q1", "q0"],
    )
)


def _rows(**parts):
    return apply(Selection(**parts), SCORES).tolist()


@pytest.mark.parametrize(
    ("buckets", "rows"),
    [
        ((), [0, 1, 2, 3, 4, 5]),
        (("match",), [0]),
        (("near_miss",), [1]),
        (("partial",), [5]),
        (("miss",), [2]),
        (("empty_match",), [4]),
        (("unscored",), [3]),
        (EM_0, [1, 2, 5]),
        (EM_1, [0, 4]),
    ],
)
def test_buckets(buckets, rows):
    assert _rows(buckets=buckets, order="file") == rows


def test_the_threshold_moves_an_item_between_near_miss_and_partial():
    assert _rows(buckets=("near_miss",), near=0.5, order="file") == [1, 5]
    assert _rows(buckets=("near_miss",), near=0.81) == []


@pytest.mark.parametrize(
    ("text", "pattern", "rows"),
    [
        ("DOG", False, [1]),
        ("meow", False, [1]),
        ("q3", False, [2]),
        ("x*y", False, [2]),
        ("$1", False, [2]),
        ("italian", False, [5]),
        ("nowhere", False, []),
        ("D.g", True, []),
        ("(?i)D.g", True, [1]),
        (r"^tree$", True, [5]),
        (r"q[01]", True, [4, 5]),
    ],
)
def test_search(text, pattern, rows):
    assert _rows(text=text, pattern=pattern, order="file") == rows


def test_a_search_also_finds_questions():
    data = evalcore.Dataset(SCORES.dataset.ids, SCORES.dataset.predictions, SCORES.dataset.references, questions=SCORES.dataset.ids.of(["Who?"] * 5 + ["Why?"]))
    assert apply(Selection(text="why"), evalcore.score(data)).tolist() == [5]


@pytest.mark.parametrize(
    ("order", "rows"),
    [
        ("file", [0, 1, 2, 3, 4, 5]),
        ("id", [5, 4, 3, 2, 1, 0]),
        ("f1_high", [0, 1, 5, 2, 4, 3]),
        ("f1_low", [2, 4, 5, 1, 0, 3]),
        ("longest", [5, 1, 0, 2, 3, 4]),
        ("shortest", [3, 4, 2, 0, 1, 5]),
    ],
)
def test_order(order, rows):
    assert _rows(order=order) == rows


def test_explicit_rows_keep_their_order_and_obey_other_conditions():
    assert _rows(rows=(5, 0, 2), order="file") == [5, 0, 2]
    assert _rows(rows=(5, 0, 2), buckets=EM_0, order="file") == [5, 2]
    assert _rows(rows=()) == []


def test_em_and_f1_conditions():
    assert _rows(em=0, order="file") == [1, 2, 5]
    assert _rows(em=1, order="file") == [0, 4]
    assert _rows(f1=F1Range(0.5, 0.8), order="file") == [1, 5]
    assert _rows(f1=F1Range(0.5, 0.8, low_open=True, high_open=True), order="file") == []
    assert _rows(f1=F1Range(0, 0), order="file") == [2, 4]


def test_bucket_counts_ignore_the_buckets_alone():
    counts = bucket_counts(Selection(buckets=("miss",), rows=(0, 1, 2)), SCORES)
    assert counts == {"match": 1, "empty_match": 0, "near_miss": 1, "partial": 0, "miss": 1, "unscored": 0}


WRONG = [
    ({"text": "(", "pattern": True}, "missing )"),
    ({"text": "[z-a]", "pattern": True}, "malformed"),
    ({"rows": (99,)}, "names row 99, this run has 6 items"),
    ({"rows": (-1,)}, "this run has 6 items"),
]


@pytest.mark.parametrize(("parts", "message"), WRONG)
def test_what_cannot_be_applied_says_why(parts, message):
    with pytest.raises(SelectionError, match=message.replace(")", r"\)")):
        apply(Selection(**parts), SCORES)


def test_a_pattern_that_does_not_finish_is_stopped(monkeypatch):
    monkeypatch.setattr(selection_module, "SEARCH_SECONDS", 0.05)
    scores = evalcore.score(["a" * 60 + "b"], [["x"]])
    with pytest.raises(SelectionError, match="did not finish"):
        apply(Selection(text="(a|a)*(a|a)*c$|(a+)+d$", pattern=True), scores)


SELECTIONS = st.builds(
    Selection,
    buckets=st.lists(st.sampled_from(BUCKETS), unique=True).map(tuple),
    near=st.floats(0.01, 1),
    em=st.sampled_from([None, 0, 1]),
    f1=st.none() | st.tuples(st.floats(0, 1), st.floats(0, 1), st.booleans(), st.booleans()).map(lambda v: F1Range(min(v[:2]), max(v[:2]), *v[2:])),
    text=st.text(max_size=10),
    pattern=st.booleans(),
    rows=st.none() | st.lists(st.integers(0, 5000)).map(tuple),
    label=st.text(max_size=10),
    order=st.sampled_from(ORDERS),
)


@given(SELECTIONS)
def test_the_form_for_links_gives_the_selection_back(selection):
    assert Selection.from_json(selection.to_json()) == selection


@given(st.lists(st.integers(0, 30)).map(tuple))
def test_rows_come_back_in_order(rows):
    assert Selection.from_json(Selection(rows=rows).to_json()).rows == rows


@pytest.mark.parametrize(
    "source",
    [
        "",
        "[]",
        "{",
        '{"what": 1}',
        '{"buckets": "miss"}',
        '{"buckets": ["mss"]}',
        '{"buckets": [1]}',
        '{"near": 0}',
        '{"near": "x"}',
        '{"em": 2}',
        '{"order": "random"}',
        '{"f1": "0-1"}',
        '{"f1": "[0.9,0.1]"}',
        '{"f1": "[0,2]"}',
        '{"f1": "[0..1,1]"}',
        '{"rows": "1-"}',
        '{"rows": "9-1"}',
        '{"rows": "0-999999999"}',
        '{"text": 5}',
    ],
)
def test_a_link_that_was_tampered_with_says_what_is_wrong(source):
    with pytest.raises(SelectionError):
        Selection.from_json(source)


@pytest.mark.parametrize(
    ("selection", "words"),
    [
        (Selection(), "all items"),
        (Selection(buckets=EM_0), "EM = 0"),
        (Selection(buckets=("near_miss",), near=0.9), "near miss (EM 0, F1 ≥ 0.9)"),
        (Selection(buckets=("miss", "unscored")), "miss (F1 0) or unscored"),
        (Selection(rows=(1, 2), label="24 items lost", text="a", pattern=True), "24 items lost and text matches “a”"),
        (Selection(f1=F1Range(0.5, 0.8, high_open=True), em=0), "EM = 0 and 0.5 ≤ F1 < 0.8"),
        (Selection(rows=(3,)), "1 chosen items"),
    ],
)
def test_words(selection, words):
    assert selection.words == words


def test_every_bucket_has_a_name():
    assert set(BUCKET_NAMES) == set(BUCKETS)


def test_rows_are_integers_within_the_run():
    rows = apply(Selection(), SCORES)
    assert rows.dtype == np.int64
    assert sorted(rows.tolist()) == list(range(len(SCORES)))
