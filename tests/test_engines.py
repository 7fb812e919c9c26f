"""Many files: the numbers of one run, whatever the number of files and processes, and through every fault."""

import fcntl
import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.analysis.aggregates import intervals
from evalcore.analysis.slices import slice_table, slicings
from evalcore.cli import main
from evalcore.data import DataError, load
from evalcore.engines.files import files_of
from evalcore.engines.folder import score_folder
from evalcore.engines.groups import slices_of
from evalcore.engines.local import Processes
from evalcore.engines.partition import Settings, Task, score_partition
from evalcore.engines.scored_folder import ScoredFolder
from evalcore.engines.statistics import Statistics
from evalcore.engines.tables import mean
from evalcore.engines.work import attempted
from evalcore.scoring.buckets import BUCKETS, bucket_codes
from evalcore.scoring.statistics import counted_interval
from tests.counts import examples
from tests.scored import PRESET, files, items, read, whole, written


@pytest.mark.parametrize(("parts", "workers", "kind"), [(1, 1, "jsonl"), (7, 2, "jsonl"), (5, 2, "parquet")])
def test_every_number_is_that_of_one_run(parts, workers, kind, tmp_path):
    rows = items()
    scored = score_folder(str(written(tmp_path / "in", rows, parts, kind)), tmp_path / "out", PRESET, engine=Processes(workers))
    scores, place = whole(rows)
    found = read(tmp_path / "out")
    assert set(found) == set(place)
    for identity, row in place.items():
        for name in ("em", "em_first", "f1", "precision", "recall"):
            expected = getattr(scores, name)[row]
            assert found[identity][name] == (None if np.isnan(expected) else expected)
        for name in ("common", "predicted", "gold", "best_em", "best_f1", "emptied", "unscored"):
            assert found[identity][name] == getattr(scores, name)[row]
        assert found[identity]["prediction_bytes"] == len((rows[row]["prediction"] or "").encode())
    summary, merged = scores.summary(), scored.statistics
    assert (merged.items, merged.scored, merged.unscored, merged.missing, merged.empty, merged.emptied) == (
        summary.items,
        summary.scored,
        summary.unscored,
        summary.missing,
        summary.empty,
        summary.emptied,
    )
    for name, expected in intervals(scores).items():
        interval = merged.interval(name)
        assert merged.mean(name) == pytest.approx(getattr(summary, name), abs=1e-12)
        assert (interval.low, interval.high, interval.count, interval.method) == (expected.low, expected.high, expected.count, expected.method)
    counted = np.bincount(bucket_codes(scores), minlength=len(BUCKETS)).tolist()
    assert dict(merged.buckets) == dict(zip(BUCKETS, counted, strict=True))
    exact = scores.em == 1
    for name, chosen in {"match": exact & ~scores.emptied, "empty_match": exact & scores.emptied, "failed": scores.em == 0}.items():
        assert sum(merged.lanes[name].values()) == chosen.sum()
        assert merged.lanes[name] == {value: int((scores.f1[chosen] == value).sum()) for value in sorted(set(scores.f1[chosen]))}
    told = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert told["measures"]["em"]["mean"] == merged.mean("em")
    assert told["signature"] == PRESET.signature


def test_reasons_and_slices_do_not_depend_on_the_parts(tmp_path):
    rows = [
        {"id": "a", "prediction": "STRASSE", "references": ["Straße"], "question": "Which road?", "level": "easy"},
        {"id": "b", "prediction": "in Paris, France", "references": ["Paris"], "question": "Where is it?", "level": None},
        {"id": "c", "prediction": "Rome", "references": ["Lyon"], "question": "Where is it?", "level": "easy"},
        {"id": "d", "prediction": "1990", "references": ["1990"], "question": "Which year?", "level": "hard"},
    ] * 4
    rows = [{**row, "id": f"{row['id']}{number}", "number": str(number * 1000)} for number, row in enumerate(rows)]
    found = [
        score_folder(str(written(tmp_path / f"in{parts}", rows, parts)), tmp_path / f"out{parts}", PRESET, engine=Processes(1), reasons=("en",))
        for parts in (1, 5)
    ]
    one, many = (scored.statistics for scored in found)
    assert one.to_json() == many.to_json()
    assert one.reasons == {"case": 4, "extra_words": 4, "different_answer": 4}
    assert one.by_reason == {"case": {0.0: 4}, "extra_words": {0.5: 4}, "different_answer": {0.0: 4}}
    assert json.loads((tmp_path / "out5" / "summary.json").read_text())["reasons"] == one.reasons
    data = evalcore.read(tmp_path / "in1" / "part-000.jsonl")
    told = many.summary()["slices"]
    expected = {slicing.name: {row.label: row for row in slice_table(evalcore.score(data), slicing)} for slicing in slicings(data) if slicing.name != "number"}
    assert set(told) == set(expected)
    for name, groups in expected.items():
        assert [row["label"] for row in told[name]] == list(groups)
        for row in told[name]:
            group = groups[row["label"]]
            assert row["items"] == len(group.rows)
            for measure, interval in (("em", group.em), ("f1", group.f1)):
                assert (row["measures"][measure]["low"], row["measures"][measure]["high"]) == (interval.low, interval.high)
                assert row["measures"][measure]["mean"] == pytest.approx(interval.estimate, abs=1e-12)
    reasons = {row["id"]: row["reason"] for row in read(tmp_path / "out5").values()}
    assert (reasons["a0"], reasons["b1"], reasons["d3"]) == ("case", "extra_words", None)


def test_a_column_that_some_files_lack_and_one_with_too_many_values(tmp_path):
    (tmp_path / "in").mkdir()
    lines = [{"id": str(number), "prediction": "a", "references": ["a"], "level": "easy", "own": str(number)} for number in range(201)]
    (tmp_path / "in" / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "in" / "b.jsonl").write_text('{"id": "x", "prediction": "a", "references": ["b"]}\n')
    slices = score_folder(str(tmp_path / "in"), tmp_path / "out", PRESET, engine=Processes(1)).statistics.slices
    assert {label: group.items for label, group in slices["level"].items()} == {"easy": 201, "(none)": 1}
    assert slices["own"] is None


def parted(scores):
    """Part the failed items by the words of the prediction, as if these were reasons; those of some parts lack some."""
    return {f"{words} words": rows for words in range(5) if (rows := (scores.em == 0) & (scores.predicted == words)).any()}


@settings(max_examples=examples(30), deadline=None)
@given(st.lists(st.sampled_from(range(4)), min_size=40, max_size=40), st.randoms(use_true_random=False))
def test_statistics_do_not_depend_on_the_parts(owners, order):
    rows = items(40)
    scores, _ = whole(rows, evalcore.preset("squad_v2"))
    parts = [[row for row, owner in zip(rows, owners, strict=False) if owner == number] for number in range(4)]
    found = [whole(part, evalcore.preset("squad_v2"))[0] for part in parts]
    found = [Statistics.of(part, reasons=parted(part), slices=slices_of(part)) for part in found]
    order.shuffle(found)
    merged = Statistics.merged(Statistics.from_json(json.loads(json.dumps(part.to_json()))) for part in found)
    assert merged.to_json() == Statistics.of(scores, reasons=parted(scores), slices=slices_of(scores)).to_json()


def test_a_second_run_takes_over_what_is_done(tmp_path):
    rows = items(60)
    source = str(written(tmp_path / "in", rows, 3))
    first = score_folder(source, tmp_path / "out", PRESET, engine=Processes(2))
    before = files(tmp_path / "out")
    second = score_folder(source, tmp_path / "out", PRESET, engine=Processes(2))
    assert ((first.fresh, first.kept), (second.fresh, second.kept)) == ((3, 0), (0, 3))
    assert files(tmp_path / "out") == before
    (tmp_path / "in" / "part-001.jsonl").write_text('{"id": "new", "prediction": "a", "references": ["a"]}\n')
    third = score_folder(source, tmp_path / "out", PRESET, engine=Processes(1))
    assert (third.fresh, third.kept) == (1, 2)
    assert "new" in read(tmp_path / "out")
    (tmp_path / "out" / "items" / "part-000.jsonl.parquet").unlink()
    assert score_folder(source, tmp_path / "out", PRESET, engine=Processes(1)).fresh == 1


def test_other_settings_and_other_files_do_not_mix(tmp_path):
    source = written(tmp_path / "in", items(30), 2)
    score_folder(str(source), tmp_path / "out", PRESET, engine=Processes(1))
    before = files(tmp_path / "out")
    with pytest.raises(DataError, match="was made with signature"):
        score_folder(str(source), tmp_path / "out", evalcore.preset("squad_v2"), engine=Processes(1))
    (source / "part-000.jsonl").unlink()
    with pytest.raises(DataError, match=r"not among those to score, such as 'part-000\.jsonl'"):
        score_folder(str(source), tmp_path / "out", PRESET, engine=Processes(1))
    assert files(tmp_path / "out") == before


def test_a_folder_is_written_by_one_run_at_a_time(tmp_path):
    source = written(tmp_path / "in", items(10), 1)
    (tmp_path / "out").mkdir()
    with open(tmp_path / "out" / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(DataError, match="another run writes"):
            score_folder(str(source), tmp_path / "out", PRESET, engine=Processes(1))


def test_what_cannot_be_read_is_named_and_the_rest_is_scored(tmp_path, capsys):
    rows = items(60)
    source = written(tmp_path / "in", rows, 3)
    good = (source / "part-001.jsonl").read_bytes()
    (source / "part-001.jsonl").write_bytes(b"\x00\x01 no lines of JSON")
    with open(source / "part-002.jsonl", "a") as file:
        file.write("{broken\n")
    words = ["score-folder", str(source), str(tmp_path / "out"), "--workers", "2"]
    assert main(words) == 1
    said = capsys.readouterr().out
    assert "part-001.jsonl: unreadable" in said
    assert "part-002.jsonl: done; 1 row could not be read or scored: line 2" in said
    assert len(read(tmp_path / "out")) == len(rows[0::3]) + len(rows[2::3])
    (source / "part-001.jsonl").write_bytes(good)
    (source / "part-002.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows[2::3]), encoding="utf-8")
    assert main(words) == 0
    assert "2 scored, 1 taken over, 0 with trouble" in capsys.readouterr().out
    assert len(read(tmp_path / "out")) == len(rows)


def test_a_folder_that_cannot_be_written_is_said(tmp_path, capsys):
    source = written(tmp_path / "in", items(10), 1)
    (tmp_path / "out").write_text("a file")
    assert main(["score-folder", str(source), str(tmp_path / "out")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_there_must_be_files(tmp_path):
    with pytest.raises(DataError, match="no files to score"):
        files_of(str(tmp_path))
    assert [file.name for file in files_of(str(written(tmp_path / "in", items(10), 2) / "*-001.jsonl"))] == ["part-001.jsonl"]


def test_a_file_that_is_broken_anywhere_costs_itself_alone(tmp_path):
    source = written(tmp_path / "in", items(150), 1, "parquet")
    (file,) = files_of(str(source))
    whole_file, chance = file.read(), random.Random(3)
    columns = Settings(PRESET, load(file.path).mapping, slices=False)
    found = set()
    for number in range(60):
        broken = bytearray(whole_file if number % 3 else whole_file[: chance.randrange(len(whole_file))])
        for _ in range(number % 3 * 5):
            broken[chance.randrange(len(broken))] ^= 1 << chance.randrange(8)
        Path(file.path).write_bytes(broken)
        outcome = attempted(score_partition, Task(file, file.name, tmp_path / "out", columns))
        found.add((outcome.state, (tmp_path / "out" / "items" / "part-000.parquet.parquet").exists()))
        assert not outcome.message or file.name in outcome.message
    assert ("unreadable", False) in found
    assert found <= {("unreadable", False), ("done", True)}


@pytest.mark.parametrize("place", ["in/out", "in", "."])
def test_scores_that_stand_in_the_source_are_no_files_to_score(tmp_path, place):
    source, out = written(tmp_path / "in", items(30), 2), tmp_path / place
    first = score_folder(str(source), out, PRESET, engine=Processes(1))
    again = score_folder(str(source), out, PRESET, engine=Processes(1))
    assert (first.parts, again.parts, again.kept, again.statistics.items) == (2, 2, 2, first.statistics.items)
    assert again.passed_over == ()
    assert [file.name for file in files_of(f"file://{source}", out)] == ["part-000.jsonl", "part-001.jsonl"]


def test_what_a_preset_needs_is_asked_for_once_and_before_any_work(tmp_path, capsys, monkeypatch):
    source = written(tmp_path / "in", items(30), 3)
    monkeypatch.setattr("evalcore.scoring.preset.is_available", lambda resource: False)
    assert main(["score-folder", str(source), str(tmp_path / "out"), "--preset", "longbench_qa_f1_zh"]) == 2
    said = capsys.readouterr()
    assert said.err.count("install it with: pip install jieba") == 1
    assert (said.out, (tmp_path / "out").exists()) == ("", False)


def test_what_files_hold_does_not_steer_the_terminal(tmp_path, capsys):
    (tmp_path / "in").mkdir()
    rows = [{"id": "a\x1b[31m\u202eb", "prediction": ["x", "y"], "references": ["x"]}, *[{"id": "c", "prediction": "x", "references": ["x"]}] * 3]
    (tmp_path / "in" / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["score-folder", str(tmp_path / "in"), str(tmp_path / "out")]) == 1
    said = capsys.readouterr().out
    assert ("a\\u001b[31m\\u202eb" in said, "\x1b" in said, "\u202e" in said) == (True, False, False)


def test_only_the_groups_that_are_shown_get_intervals(tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr("evalcore.engines.tables.counted_interval", lambda values, counts: drawn.append(int(counts.sum())) or counted_interval(values, counts))
    rows = [{"id": str(n), "prediction": "a b" if n % 3 else "a", "references": ["a"], "topic": f"t{n % 200}"} for n in range(1_000)]
    scored = score_folder(str(written(tmp_path / "in", rows, 2)), tmp_path / "out", PRESET, engine=Processes(1))
    told = json.loads((tmp_path / "out" / "summary.json").read_text())["slices"]["topic"]
    assert [("low" in row["measures"]["f1"], "low" in row["measures"]["em"]) for row in told] == [(place < 20, place < 20) for place in range(200)]
    assert drawn.count(5) == 20
    assert len(ScoredFolder.open(tmp_path / "out").groups()["topic"]) == 200
    assert {row["label"]: row["measures"]["f1"]["mean"] for row in told} == {
        label: mean(group.values["f1"]) for label, group in scored.statistics.slices["topic"].items()
    }


def test_files_of_another_kind_are_told(tmp_path, capsys):
    source = written(tmp_path / "in", items(10), 1)
    for name in ("more.csv", "notes.txt", ".hidden", "_SUCCESS", "MORE.JSONL"):
        (source / name).write_bytes((source / "part-000.jsonl").read_bytes())
    assert main(["score-folder", str(source), str(source / "out")]) == 0
    said = capsys.readouterr().out
    assert "2 files: 2 scored" in said
    assert "2 files of another kind were passed over, such as 'more.csv'; scored are .parquet, .jsonl" in said
    assert score_folder(str(source / "*.jsonl"), tmp_path / "out", PRESET, engine=Processes(1)).passed_over == ()
