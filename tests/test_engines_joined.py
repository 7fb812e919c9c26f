"""References in a second folder: the numbers of one run over both, whatever the files, and every row accounted for."""

import json

import pytest

import evalcore
from evalcore.cli import main
from evalcore.data import DataError, load
from evalcore.engines.cluster import Cluster
from evalcore.engines.folder import score_folder
from evalcore.engines.local import Processes
from evalcore.engines.statistics import Statistics
from tests.scored import PRESET, files, items, needs_dask, read, written


@pytest.fixture(scope="module")
def sides(tmp_path_factory):
    """Give folders of predictions and references with ids that are missing, alone and twice, and both as one file."""
    folder = tmp_path_factory.mktemp("sides")
    rows = items(120)
    predictions = [{"id": row["id"], "prediction": row["prediction"], "level": str(len(row["id"]))} for row in rows[5:]]
    predictions += [{"id": "alone-1", "prediction": "x"}, {"id": "alone-2", "prediction": 7}, {**predictions[0], "prediction": "again"}]
    references = [{"id": row["id"], "references": row["references"], "question": f"who is {row['id']}?"} for row in reversed(rows)]
    references += [{"id": "r7", "references": ["7"]}, {**references[3], "references": ["again"]}]
    predictions += [{"id": "r7", "prediction": 7}]
    written(folder / "predictions", predictions, 4)
    written(folder / "references", references, 3, "parquet")
    for name in ("predictions", "references"):
        ordered = [
            row
            for part in range(4 if name == "predictions" else 3)
            for row in {"predictions": predictions, "references": references}[name][part :: 4 if name == "predictions" else 3]
        ]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ordered))
    return folder


@pytest.mark.parametrize("engine", [Processes(1), Processes(2), pytest.param(Cluster(2), marks=needs_dask)], ids=["1", "2", "dask"])
def test_every_number_is_that_of_one_run(engine, sides, tmp_path):
    out = tmp_path / "out"
    scored = score_folder(str(sides / "predictions"), out, PRESET, references=str(sides / "references"), engine=engine)
    loaded = load(sides / "predictions.jsonl", references=sides / "references.jsonl")
    scores = evalcore.score(loaded.datasets[0], preset=PRESET)
    found = read(out)
    assert set(found) == set(loaded.datasets[0].ids)
    for row, identity in enumerate(loaded.datasets[0].ids):
        for name in ("em", "f1", "precision", "recall"):
            value = getattr(scores, name)[row]
            assert found[identity][name] == (None if value != value else value)
        assert found[identity]["prediction"] == loaded.datasets[0].predictions[row]
        assert found[identity]["unscored"] == scores.unscored[row]
        assert found[identity]["question"] == loaded.datasets[0].questions[row]
        assert found[identity]["metadata.level"] == loaded.datasets[0].metadata["level"][row]
    one = Statistics.of(scores)
    assert {**scored.statistics.to_json(), "slices": {}} == one.to_json()
    report = loaded.report
    assert scored.joined == {name: len(report.named[name]) for name in scored.joined}
    assert scored.joined == {"duplicated": 2, "predictions_without_reference": 2, "references_without_prediction": 5}
    listed = [
        place
        for entry in json.loads((out / "manifest.json").read_text())["parts"].values()
        for kind in entry.get("joined", {}).values()
        for place in kind["places"]
    ]
    assert len(listed) == 9
    assert any(place.startswith("alone-1 part-") and ", line " in place for place in listed)


def test_a_second_run_takes_over_and_one_that_lost_its_parcels_makes_them_anew(sides, tmp_path):
    words = ["score-folder", str(sides / "predictions"), str(tmp_path / "out"), "--references", str(sides / "references"), "--workers", "2"]
    assert main(words) == 0
    before = files(tmp_path / "out")
    assert main(words) == 0
    assert files(tmp_path / "out") == before
    for file in (tmp_path / "out" / "split").rglob("*.arrow"):
        file.unlink()
    (tmp_path / "out" / "items" / "bucket-00001.parquet").unlink()
    assert main(words) == 0
    assert files(tmp_path / "out") == before


def test_a_broken_file_of_references_is_listed_and_repaired(sides, tmp_path, capsys):
    references = tmp_path / "references"
    references.mkdir()
    for file in (sides / "references").iterdir():
        (references / file.name).write_bytes(file.read_bytes()[: 300 if file.name == "part-001.parquet" else None])
    words = ["score-folder", str(sides / "predictions"), str(tmp_path / "out"), "--references", str(references), "--workers", "1"]
    assert main(words) == 1
    said = capsys.readouterr().out
    assert "references/part-001.parquet: unreadable" in said
    assert "predictions without reference (not scored)" in said
    (references / "part-001.parquet").write_bytes((sides / "references" / "part-001.parquet").read_bytes())
    assert main(words) == 0
    score_folder(str(sides / "predictions"), tmp_path / "calm", PRESET, references=str(sides / "references"), engine=Processes(1))
    assert files(tmp_path / "out") == files(tmp_path / "calm")


def test_ids_and_sides_must_be_there(sides, tmp_path):
    with pytest.raises(DataError, match="other way round"):
        score_folder(str(sides / "references"), tmp_path / "a", PRESET, references=str(sides / "predictions"))
    (tmp_path / "no-ids.jsonl").write_text('{"prediction": "a"}\n')
    with pytest.raises(DataError, match="no column that is clearly an id"):
        score_folder(str(tmp_path / "no-ids.jsonl"), tmp_path / "b", PRESET, references=str(sides / "references"))


def test_a_condition_that_no_row_of_a_bucket_fits_is_no_fault(sides, tmp_path):
    roles = {"where": (("level", "2"),)}
    scored = score_folder(str(sides / "predictions"), tmp_path / "out", PRESET, references=str(sides / "references"), engine=Processes(1), roles=roles)
    loaded = load(sides / "predictions.jsonl", references=sides / "references.jsonl", mapping=roles)
    assert scored.complete
    assert scored.statistics.items == len(loaded.datasets[0])
