"""The command line's label sets: figures, matrix, JSON, reports, and what is refused."""

import json

import pytest

import evalcore
from evalcore.cli import main
from evalcore.report.export import to_csv, to_jsonl

PREDICTIONS = ["yes", "Yes.", "no", "maybe", "no"]
REFERENCES = ["yes", "yes", "yes", "no", "no"]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "answers.jsonl"
    rows = zip(PREDICTIONS, REFERENCES, strict=True)
    path.write_text("".join(json.dumps({"id": f"q{n}", "prediction": p, "answer": a, "choices": ["yes", "no"]}) + "\n" for n, (p, a) in enumerate(rows)))
    return path


def run(capsys, *arguments):
    status = main([str(argument) for argument in arguments])
    return status, capsys.readouterr()


def test_figures_and_matrix_stand_under_the_numbers(capsys, file):
    _, printed = run(capsys, "score", file, "--labels", "yes,no")
    lines = [" ".join(line.split()) for line in printed.out.splitlines()]
    assert "strict accuracy 60.00 (23.07 to 88.24), 3 of 5" in lines
    assert "accuracy of valid predictions 75.00 (30.06 to 95.44), 3 of 4" in lines
    assert "invalid predictions 20.00 (3.62 to 62.45), 1 of 5" in lines
    place = lines.index("Reference ↓ prediction → yes no invalid")
    assert lines[place + 1 : place + 3] == ["yes 2 1 0", "no 0 1 1"]


@pytest.mark.parametrize("labels", ["column:choices", "references", "yes | no"])
def test_json_names_the_invalid_items(capsys, file, labels):
    _, printed = run(capsys, "score", file, "--labels", labels, "--json")
    found = json.loads(printed.out)["labels"]
    assert found["labels"] == ["yes", "no"]
    assert found["invalid"] == ["q3"]
    assert found["matrix"] == [[2, 1, 0], [0, 1, 1]]
    assert found["per_label"][0] == {"label": "yes", "items": 3, "chosen": 2, "right": 2, "em": 2 / 3, "precision": 1.0}


def test_without_labels_nothing_is_said_of_them(capsys, file):
    _, printed = run(capsys, "score", file, "--json")
    assert "labels" not in json.loads(printed.out)
    _, printed = run(capsys, "score", file)
    assert "Labels" not in printed.out


@pytest.mark.parametrize(("labels", "says"), [("yes", "at least two are needed"), ("column:nothing", "no column 'nothing'"), ("yes,Yes.", "are equal after")])
def test_bad_labels_are_refused(capsys, file, labels, says):
    status, printed = run(capsys, "score", file, "--labels", labels)
    assert status == 2
    assert says in printed.err
    assert printed.err.startswith("whymiss: --labels: ")


def test_a_report_has_the_matrix_and_the_command_with_the_labels(capsys, file, tmp_path):
    run(capsys, "report", file, "--markdown", tmp_path / "report.md", "--labels", "yes | no")
    written = (tmp_path / "report.md").read_text()
    assert "## Labels" in written
    assert "--labels 'yes | no'" in written


@pytest.mark.parametrize(("write", "ending"), [(to_jsonl, "jsonl"), (to_csv, "csv")])
def test_the_column_of_options_is_found_in_exported_items(capsys, file, tmp_path, write, ending):
    scores = evalcore.score(evalcore.read(file), preset="squad_v1")
    exported = tmp_path / f"items.{ending}"
    exported.write_bytes(write(scores, range(len(scores))))
    status, printed = run(capsys, "score", exported, "--labels", "column:choices", "--json")
    assert status == 0, printed.err
    assert json.loads(printed.out)["labels"]["matrix"] == [[2, 1, 0], [0, 1, 1]]
