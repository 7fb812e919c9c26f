"""A scored folder opened again: what DuckDB finds in its files is what one run over all items gives."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evalcore
from evalcore.analysis.lanes import lanes
from evalcore.analysis.selection import Selection
from evalcore.data import DataError
from evalcore.engines.browse import Browser
from evalcore.engines.folder import score_folder
from evalcore.engines.local import Processes
from evalcore.engines.scored_folder import ScoredFolder
from tests.scored import SURROGATE, items, written


def test_items_are_read_as_they_were_scored(folder, scores):
    again = evalcore.score(scores.dataset, preset="squad_v1")
    assert scores.dataset.predictions[len(folder) - 1] == SURROGATE["prediction"]
    for name in ("em", "em_first", "f1", "precision", "recall", "common", "predicted", "gold", "best_em", "best_f1", "emptied", "unscored"):
        assert np.array_equal(getattr(scores, name), getattr(again, name), equal_nan=name in ("em", "em_first", "f1", "precision", "recall"))


def test_some_items_come_in_the_order_asked_for(folder, scores):
    asked = np.random.default_rng(3).permutation(len(folder))[:57]
    some = folder.scores(asked)
    assert some.dataset.ids.to_list() == [scores.dataset.ids[row] for row in asked]
    assert [some.dataset.references[row] for row in range(57)] == [scores.dataset.references[row] for row in asked]
    assert np.array_equal(some.f1, scores.f1[asked], equal_nan=True)
    assert len(folder.scores([])) == 0


def test_the_overview_is_that_of_one_run(folder, scores):
    ours, theirs = folder.summary(), scores.summary()
    assert replace(ours, **dict.fromkeys(("em", "f1", "precision", "recall", "em_first_reference"), 0.0), unscored={}) == replace(
        theirs, **dict.fromkeys(("em", "f1", "precision", "recall", "em_first_reference"), 0.0), unscored={}
    )
    assert dict(ours.unscored) == dict(theirs.unscored)
    for name in ("em", "f1", "precision", "recall", "em_first_reference"):
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name), abs=1e-12)
    for near in (0.5, 0.8, 1.0):
        assert Browser(folder).lanes(near) == lanes(scores, near)


def broken(out, tmp_path, change):
    copy = tmp_path / "copy"
    shutil.copytree(out, copy)
    change(copy)
    with pytest.raises(DataError) as told:
        ScoredFolder.open(copy)
    assert "copy" in str(told.value)
    return str(told.value)


def of_manifest(change):
    def changed(copy):
        value = json.loads((copy / "manifest.json").read_text())
        change(value)
        (copy / "manifest.json").write_text(json.dumps(value))

    return changed


BROKEN = [
    (shutil.rmtree, "there is no folder"),
    (lambda copy: (copy / "manifest.json").unlink(), "is no scored folder"),
    (lambda copy: (copy / "manifest.json").write_text("{"), "cannot be read as a manifest"),
    (lambda copy: (copy / "manifest.json").write_text("[]"), "cannot be read as a manifest"),
    (lambda copy: (copy / "summary.json").unlink(), "is not finished"),
    (lambda copy: (copy / "summary.json").write_text("{}"), "summary.json cannot be read"),
    (lambda copy: (copy / "items" / "part-001.jsonl.parquet").unlink(), "lacks the scores of 1 of 4 files, such as 'part-001.jsonl'"),
    (lambda copy: (copy / "search" / "part-002.jsonl.arrow").unlink(), "lacks the scores of 1 of 4 files, such as 'part-002.jsonl'"),
    (lambda copy: (copy / "items" / "part-001.jsonl.parquet").write_bytes(b"PAR1"), "scores of 'part-001.jsonl' cannot be read"),
    (lambda copy: (copy / "statistics" / "part-001.jsonl.json").write_text("{}"), "scores of 'part-001.jsonl' cannot be read"),
    (lambda copy: shutil.copy(copy / "items" / "part-003.jsonl.parquet", copy / "items" / "part-001.jsonl.parquet"), "its statistics tell of"),
    (of_manifest(lambda value: value["made_with"].update(layout=1)), "written in layout 1"),
    (of_manifest(lambda value: value["made_with"].pop("settings")), "settings .* are not understood"),
    (of_manifest(lambda value: value["made_with"]["settings"].update(preset="no_such")), "no_such"),
    (of_manifest(lambda value: value["parts"].pop("part-000.jsonl")), "is not finished: its files hold"),
]


@pytest.mark.parametrize(("change", "said"), BROKEN, ids=[said for _, said in BROKEN])
def test_a_broken_folder_is_told(out, tmp_path, change, said):
    import re

    assert re.search(said, broken(out, tmp_path, change))


def test_files_that_differ_in_columns_are_one_folder(tmp_path):
    source = tmp_path / "in"
    source.mkdir()
    pq.write_table(pa.table({"id": ["a"], "prediction": ["x"], "references": [["x"]], "kind": ["k"]}), source / "a.parquet")
    pq.write_table(pa.table({"id": ["b"], "prediction": ["y"], "references": [["x"]]}), source / "b.parquet")
    score_folder(str(source), tmp_path / "out", evalcore.preset("squad_v1"), engine=Processes(1))
    folder = ScoredFolder.open(tmp_path / "out")
    assert Browser(folder).page(Selection(text="X"), 0, 9).tolist() == [0, 1]
    both = folder.scores([1, 0])
    assert both.dataset.metadata["kind"].to_list() == [None, "k"]
    assert both.dataset.ids.to_list() == ["b", "a"]


def test_what_could_not_be_read_is_told(tmp_path):
    source = written(tmp_path / "in", items(20), 2)
    (source / "part-009.jsonl").write_text("no json\n", encoding="utf-8")
    score_folder(str(source), tmp_path / "out", evalcore.preset("squad_v1"), engine=Processes(1))
    told = ScoredFolder.open(tmp_path / "out").troubles
    assert len(told) == 1
    assert told[0].startswith("part-009.jsonl: unreadable")


def test_files_of_either_side_that_could_not_be_read_are_troubles(tmp_path):
    root = tmp_path
    rows = items(20)
    written(root / "predictions", [{"id": row["id"], "prediction": row["prediction"]} for row in rows], 2)
    written(root / "references", [{"id": row["id"], "references": row["references"]} for row in rows], 2)
    (root / "references" / "part-001.jsonl").write_bytes(b"\x00\x01 no lines of JSON")
    score_folder(str(root / "predictions"), root / "out", evalcore.preset("squad_v1"), references=str(root / "references"), engine=Processes(1))
    found = ScoredFolder.open(root / "out")
    assert [trouble.split(";")[0] for trouble in found.troubles] == ["references/part-001.jsonl: unreadable"]
    assert found.joined == {"predictions_without_reference": len(rows[1::2])}
