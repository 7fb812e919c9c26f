"""Confusions: which words stand for which, and what they cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.analysis.confusions import aligned, find_confusions
from evalcore.scoring.score import score

ALIGNED = [
    ("one word for another", "the red house", "the blue house", [("red", "blue")]),
    ("a missing word", "new york city", "new york", [("city", "")]),
    ("an added word", "york", "old york", [("", "old")]),
    ("like words find one another", "colour of things", "big color things", [("", "big"), ("colour", "color"), ("of", "")]),
    ("several words for one", "united states won", "america won", [("united states", "america")]),
    ("the same", "a b", "a b", []),
    ("order", "marie curie", "curie marie", [("curie", ""), ("", "curie")]),
    ("Chinese words", "我 爱 北京", "我 爱 上海", [("北京", "上海")]),
    ("German", "der graue Hund", "der graü Hund", [("graue", "graü")]),
]


@pytest.mark.parametrize(("label", "reference", "predicted", "expected"), ALIGNED, ids=[row[0] for row in ALIGNED])
def test_words_are_aligned(label, reference, predicted, expected):
    assert sorted(aligned(reference.split(), predicted.split())) == sorted(expected)


def test_confusions_are_counted_with_their_cost():
    predictions = ["grey cat", "grey dog", "a grey old mouse", "Rome", "x" * 5, "gray ant"]
    references = [["gray cat"], ["gray dog"], ["gray young mouse"], ["Rome"], ["Paris"], ["gray ant"]]
    first = find_confusions(score(predictions, references))[0]
    assert (first.reference, first.predicted, first.count, first.sole) == ("gray", "grey", 3, 2)
    assert first.points == pytest.approx(2 / 6)
    assert first.rows == (0, 1, 2)
    assert first.example == 0


def test_only_the_most_costly_are_given():
    found = find_confusions(score(["a b1", "a b2", "c b3"], [["a z1"], ["a z2"], ["c z3"]]), most=2)
    assert len(found) == 2


def test_prose_is_left_out():
    assert find_confusions(score(["word " * 80], [["Paris"]])) == ()


def test_progress_is_told_and_can_stop_the_run():
    scores = score(["Rome"] * 3, [["Paris"]] * 3)
    calls = []
    find_confusions(scores, progress=lambda done, items: calls.append((done, items)))
    assert calls == [(0, 3), (3, 3)]


WORDS = st.lists(st.sampled_from(["red", "reed", "blue", "grey", "gray", "a", "an"]), max_size=6)


@given(WORDS, WORDS)
def test_nothing_of_either_side_is_lost(reference, predicted):
    """What is aligned, with the words both share, makes up both sides."""
    changes = list(aligned(reference, predicted))
    lost = sum(len(one.split()) for one, _ in changes)
    added = sum(len(other.split()) for _, other in changes)
    assert len(reference) - lost == len(predicted) - added
    assert all(one != other for one, other in changes)
