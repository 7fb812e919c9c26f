"""Ids that differ by a prefix, a suffix or zeros; pairs by question; pairs that look wrong."""

import json

import pytest

from evalcore.data import JoinError, load


def by_id(ids, role="prediction"):
    return json.dumps([{"id": identity, role: f"answer {number}"} for number, identity in enumerate(ids)]).encode()


# label, ids of the predictions, ids of the references, what the warning says; None where ids fit as they are
IDS = [
    ("suffix", ["q1--a.txt", "q2--b.txt"], ["q1", "q2"], "only what stands before first '--' was compared"),
    ("prefix of ours", ["dev/1a", "dev/2b"], ["1a", "2b"], "of p.json only what stands after last '/' was compared"),
    ("prefix of theirs", ["1a", "2b"], ["squad_1a", "squad_2b"], "of r.json only what stands after last '_'"),
    ("both", ["run:1a", "run:2b"], ["gold:1a", "gold:2b"], "and of the ids of r.json only"),
    ("zeros", ["1", "2"], ["001", "002"], "zeros around numbers were cut off"),
    ("numbers with a point", ["1.0", "2.0"], ["1", "2"], "zeros around numbers were cut off"),
    ("white space", [" q1", "q2 "], ["q1", "q2"], "white space around them was cut off"),
    ("accents apart", ["cafe\u0301", "re\u0301"], ["caf\u00e9", "r\u00e9"], "letters were composed with their accents"),
    ("equal", ["q1", "q2"], ["q1", "q2"], None),
    ("some equal", ["q1", "x_q2"], ["q1", "q2"], None),
]


@pytest.mark.parametrize(("ours", "theirs", "words"), [row[1:] for row in IDS], ids=[row[0] for row in IDS])
def test_ids_that_say_the_same(ours, theirs, words):
    loaded = load(by_id(ours), "p.json", by_id(theirs, "references"), "r.json")
    told = [warning for warning in loaded.warnings if "no id was equal" in warning]
    assert len(told) == (words is not None)
    assert loaded.report.how == "by id"
    if words is None:
        assert loaded.report.matched == len(set(ours) & set(theirs))
    else:
        assert words in told[0]
        assert list(loaded.datasets[0].predictions) == ["answer 0", "answer 1"]


@pytest.mark.parametrize(("ours", "theirs"), [(["a-1", "b-1"], ["1", "2"]), (["a", "b"], ["c", "d"]), (["x_1", "x_2"], ["x", "y"])])
def test_ids_that_cutting_would_mix_up_are_not_cut(ours, theirs):
    with pytest.raises(JoinError, match="no id of"):
        load(by_id(ours), "p.json", by_id(theirs, "references"), "r.json")


def asked(rows, role):
    return "\n".join(json.dumps({"question": question, role: answer}) for question, answer in rows).encode()


def test_questions_pair_files_without_ids():
    predictions = asked([("B?", "b"), ("A?", "a"), ("Z?", "z")], "prediction")
    loaded = load(predictions, "p.jsonl", asked([("A?", ["a"]), ("B?", ["b"])], "answers"), "r.jsonl")
    assert (loaded.report.how, loaded.report.matched, len(loaded.report.predictions_without_reference)) == ("by question", 2, 1)
    assert list(loaded.datasets[0].predictions) == ["a", "b"]


def test_questions_can_be_asked_for_and_must_be_there():
    rows = json.dumps([{"id": "1", "question": "A?", "prediction": "a"}]).encode()
    other = json.dumps([{"id": "9", "question": "A?", "references": ["a"]}]).encode()
    assert load(rows, "p.json", other, "r.json", how="question").report.matched == 1
    with pytest.raises(JoinError, match="no question column"):
        load(by_id(["1"]), "p.json", other, "r.json", how="question")


def test_ids_counted_from_another_number_look_shifted():
    predictions = json.dumps([{"id": number, "prediction": f"w{number}"} for number in range(20)]).encode()
    references = json.dumps([{"id": number + 1, "references": [f"w{number}"]} for number in range(20)]).encode()
    loaded = load(predictions, "p.json", references, "r.json")
    assert any("the pairing by id looks shifted" in warning and "counts from 0 and the other from 1" in warning for warning in loaded.warnings)
    assert not load(predictions, "p.json", references.replace(b'"w', b'"v'), "r.json").warnings
