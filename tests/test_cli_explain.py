"""whymiss explain: the same as the pages, for a pair of texts, one item and a whole file."""

import json
import re

import numpy as np
import pytest

from evalcore import cli, score
from evalcore.analysis.diagnosis import diagnose
from evalcore.data import sample
from evalcore.report.export import to_jsonl
from tests import pages


@pytest.fixture
def file(tmp_path):
    scores = score(next(dataset for dataset in sample().datasets if dataset.system == "bruno"))
    path = tmp_path / "bruno.jsonl"
    path.write_bytes(to_jsonl(scores, np.arange(len(scores))))
    return str(path), diagnose(scores)


def run(capsys, *arguments):
    status = cli.main(["explain", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_a_file_has_the_reasons_fixes_and_collisions_of_the_run(capsys, file):
    path, found = file
    status, out, err = run(capsys, path, "--json")
    assert (status, err) == (0, "")
    said = json.loads(out)
    assert [(one["reason"], one["items"], one["points"]) for one in said["reasons"]] == [
        (one.reason.name, one.items, one.points) for one in found.reasons.counts()
    ]
    assert [(entry["changes"], entry["items"]) for entry in said["fixes"]] == [
        ([move.title for move in moves], len(rows)) for moves, rows in found.fixes.set_counts()
    ]
    assert said["references"] == {"raw": found.collisions.distinct, "normalized": found.collisions.merged}
    assert [entry["id"] for entry in said["collisions"]] == [found.scores.dataset.ids[pair.row] for pair in found.collisions.pairs]
    assert len(said["items"]) == len(found.fixes.failed) == said["failed"]
    for entry, row in zip(said["items"], found.fixes.failed.tolist(), strict=True):
        assert [one["reason"] for one in entry["reasons"]] == [one.reason.name for one in found.reasons.of(row)]


def test_the_table_says_what_the_overview_says(capsys, monkeypatch, file):
    _, out, _ = run(capsys, file[0])
    app = pages.opened("1_Overview", monkeypatch, run="sample-bruno", preset="squad_v1")
    next(toggle for toggle in app.toggle if toggle.key == "keep:reasons all").set_value(True)
    pages.fine(app.run())
    shown = pages.clickable(app, "overview_reasons")
    rows = re.findall(r"</span>([A-Z][a-z -]+)</span></span></td>.*?>([\d,]+)</span></td><td[^>]*>−([\d.]+)</td>", shown)
    assert len(rows) > 20
    for title, items, points in rows:
        assert re.search(rf"^{title} +(form|content) +{items} +{points}$", out, re.MULTILINE), title
    assert "43 of 83 failed items have a fix of up to three changes" in out
    assert "a sign was lost" in out


def test_every_change_says_what_it_brings_and_what_it_costs(capsys, tmp_path):
    rows = [("-5", "5"), ("five.", "five"), ("a.b", "a.b"), ("x", "y")]
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(json.dumps({"id": str(row), "prediction": said, "answers": [gold]}) for row, (said, gold) in enumerate(rows)), encoding="utf-8")
    _, out, _ = run(capsys, str(path), "--preset", "raw")
    assert re.search(r"^alone +always +jointly +gains +loses +suspicious +change$", out, re.MULTILINE)
    assert re.search(r"^ +2 +\d +0 +50\.00 +0\.00 +1 +Delete punctuation: ascii$", out, re.MULTILINE), out


def test_an_item_has_its_reasons_with_evidence_and_its_fixes(capsys, file):
    path, found = file
    row = int(found.fixes.fixable[0])
    name = found.scores.dataset.ids[row]
    _, out, _ = run(capsys, path, "--item", name)
    for one in found.reasons.of(row):
        assert f"{one.reason.title} (" in out
    for fix in found.fixes.of(row):
        assert f"would match if: {fix.title}" in out
    _, out, _ = run(capsys, path, "--item", name, "--json")
    assert json.loads(out)["id"] == name


def test_an_item_is_tried_in_the_languages_of_its_run(capsys, tmp_path):
    """Alone, `einer Katze` looks English, and the reason would contradict the fixes."""
    rows = [("1", "einer Katze", "Katze"), ("2", "Das ist der Hund und die Katze von dem Haus", "Hund")]
    path = tmp_path / "de.jsonl"
    path.write_text("\n".join(json.dumps({"id": name, "prediction": said, "answers": [gold]}) for name, said, gold in rows), encoding="utf-8")
    _, out, _ = run(capsys, str(path), "--item", "1")
    assert "Article (form)" in out
    assert "would match if: Drop articles: de" in out


def test_an_entry_says_which_reference_a_reason_is_about(capsys):
    _, out, _ = run(capsys, "--text", "STRASSE 5", "--against", "5 a", "--against", "Straße 5", "--preset", "raw", "--json")
    first = json.loads(out)["reasons"][0]
    assert (first["reason"], first["about_reference"], first["prediction"], first["reference"]) == ("case", 1, "STRASSE 5", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--text", "STRASSE", "--against", "Straße"), ["Case (form)", "would match if: Casefold"]),
        (("--text", "Rome", "--against", "Paris", "--against", "Lyon"), ["Different answer (content)", "no set of up to three changes"]),
        (("--text", "-5", "--against", "5"), ["EM 1", "suspicious: '-5' = '5': a sign was lost"]),
        (("--text", "A", "--against", "A"), ["EM 1", "nothing is left of either side"]),
        (("--text", "Rome", "--against", "Marie Curie", "--question", "Who was it?"), ["a person is expected"]),
        (("--text", "x", "--against", "X", "--preset", "raw"), ["signature: raw"]),
        (("--text", "x"), ["not scored: no references"]),
        (("--text", "Rome", "--against", "Rome", "--against", "Paris", "--preset", "coqa"), ["EM 0.5, F1 0.5000"]),
        (("--text", "in Paris", "--against", "Paris", "--preset", "popqa"), ["\ncontainment 1\n"]),
    ],
)
def test_a_pair_of_texts(capsys, arguments, said):
    status, out, err = run(capsys, *arguments)
    assert (status, err) == (0, "")
    for part in said:
        assert part in out


def test_further_reasons_say_no_more_than_they_know(capsys):
    _, out, _ = run(capsys, "--text", "STRASSE", "--against", "Straße")
    assert "Light words" not in out
    assert "Reworded" not in out
    assert "Several forms" not in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give either a file, or one prediction with --text"),
        (("x.jsonl", "--text", "y"), "give either a file, or one prediction with --text"),
        (("FILE", "--item", "nobody"), "0 items have the id 'nobody'"),
        (("FILE", "--preset", "longbench_qa_f1"), "has no exact match"),
        (("--text", "a", "--against", "b", "--preset", "longbench_qa_f1"), "has no exact match"),
    ],
)
def test_what_cannot_be_explained_says_so(capsys, file, arguments, said):
    status, out, err = run(capsys, *(file[0] if one == "FILE" else one for one in arguments))
    assert (status, out) == (2, "")
    assert said in err
