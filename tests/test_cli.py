"""The command line gives the numbers of the library, and says what it did."""

import csv
import io
import json
import subprocess
import sys
import zipfile

import pytest

import evalcore
from evalcore import cli
from evalcore.analysis.measures import MEASURES, measured
from evalcore.analysis.semantic import missing
from evalcore.data import sample
from evalcore.data.read import SAMPLE
from tests.shared import ROOT, shared

ROWS = [
    {"id": "1", "prediction": "The Paris.", "answers": ["paris", "City of Paris"], "lang": "en"},
    {"id": "2", "prediction": "in Rome", "answers": ["Rome"], "lang": "en"},
    {"id": "3", "prediction": None, "answers": ["Bern"], "lang": "en"},
    {"id": "4", "prediction": "", "answers": ["x"], "lang": "de"},
    {"id": "5", "prediction": "y", "answers": [], "lang": "de"},
]


@pytest.fixture
def answers(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return str(path)


@pytest.fixture(autouse=True)
def short_work(monkeypatch):
    """Keep progress quiet however slow the machine is."""
    monkeypatch.setattr(cli, "SECONDS_OF_SILENCE", 3600.0)


def run(capsys, *arguments):
    status = cli.main(list(arguments))
    out, err = capsys.readouterr()
    return status, out, err


def table_of(out):
    return {line[: line.index("  ")]: line.split()[-1] for line in out.split("\n\n")[0].split("\n")}


def test_score_shows_percent_and_counts(capsys, answers):
    status, out, err = run(capsys, "score", answers)
    assert (status, err) == (0, "")
    assert table_of(out) == {
        "EM": "33.33",
        "F1": "55.56",
        "precision": "50.00",
        "recall": "66.67",
        "items": "5",
        "scored": "3",
        "unscored: no prediction": "1",
        "unscored: no references": "1",
        "missing predictions (left out)": "1",
        "empty predictions": "1",
        "nothing left after normalization": "1",
    }
    assert "answers.jsonl: JSONL: its lines are JSON objects" in out
    assert "5 items, 5 matched" in out
    assert "1 null prediction: '3' (line 3)" in out
    assert f"signature: {evalcore.preset('squad_v1').signature}" in out


def test_missing_predictions_as_wrong(capsys, answers):
    _, out, _ = run(capsys, "score", answers, "--missing-wrong")
    found = table_of(out)
    assert (found["EM"], found["scored"], found["missing predictions (counted as wrong)"]) == ("25.00", "4", "1")
    assert "missing:wrong" in out


def test_json_is_unrounded_and_equal_to_the_library(capsys, answers):
    status, out, _ = run(capsys, "score", answers, "--json", "--preset", "squad_v2")
    content = json.loads(out)
    scores = evalcore.score(evalcore.data.read(answers), preset="squad_v2")
    summary = scores.summary()
    assert status == 0
    assert [content["summary"][name] for name in ("em", "f1", "precision", "recall")] == [summary.em, summary.f1, summary.precision, summary.recall]
    assert [item["id"] for item in content["items"]] == ["1", "2", "3", "4", "5"]
    assert [item["f1"] for item in content["items"]] == [None if value != value else value for value in scores.f1.tolist()]
    assert [item["unscored"] for item in content["items"]] == list(scores.unscored)
    assert content["report"]["null_predictions"] == {"count": 1, "rows": [{"id": "3", "place": "line 3", "reason": ""}]}
    assert content["summary"]["signature"] == scores.signature


def test_csv_has_one_row_an_item(capsys, answers):
    status, out, _ = run(capsys, "score", answers, "--csv")
    rows = list(csv.DictReader(io.StringIO(out.lstrip("\ufeff"), newline="")))
    assert status == 0
    assert [row["id"] for row in rows] == ["1", "2", "3", "4", "5"]
    assert [row["f1"] for row in rows] == ["1.0", repr(2 / 3), "", "0.0", ""]


def test_where_keeps_the_rows_with_the_value_and_counts_the_others(capsys, answers):
    _, out, _ = run(capsys, "score", answers, "--where", "lang=en")
    assert table_of(out)["items"] == "3"
    assert "2 rows left out by a condition: '4' (line 4) lang is not 'en', '5' (line 5) lang is not 'en'" in out


def test_map_and_split(capsys, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("left,right,key\nx,y/x,1\nz,z=z/q,2\n", encoding="utf-8")
    _, out, _ = run(capsys, "score", str(path), "--map", "prediction=left", "--map", "references=right", "--map", "id=key", "--split-references", "/")
    assert table_of(out)["EM"] == "50.00"


@pytest.mark.parametrize(("word", "cell"), [("newline", "x\ny"), ("\\n", "x\ny"), ("tab", "x\ty"), ("json", '["y", "x"]'), (" or ", "y or x"), ("none", "x")])
def test_words_for_separators(capsys, tmp_path, word, cell):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"prediction": "x", "gold": cell}]), encoding="utf-8")
    _, out, _ = run(capsys, "score", str(path), "--split-references", word)
    assert table_of(out)["EM"] == "100.00"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--map", "prediction=nope"], "no column 'nope' in answers.jsonl; its columns are 'id', 'prediction', 'answers', 'lang'"),
        (["--map", "predict=id"], "no role 'predict'"),
        (["--where", "lang=fr"], "no row of answers.jsonl has lang='fr'; the values there are 'en' (3), 'de' (2)"),
        (["--preset", "squad"], "no preset named 'squad'; nearest: squad_"),
        (["--references", "nope.json"], "there is no file 'nope.json'"),
    ],
)
def test_unusable_input_exits_with_2(capsys, answers, arguments, words):
    status, out, err = run(capsys, "score", answers, *arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [[], ["nope"], ["score"], ["score", "x", "--map", "prediction"], ["score", "x", "--json", "--csv"], ["trace"], ["trace", "x", "--side", "gold"]],
)
def test_wrong_usage_exits_with_2(capsys, arguments):
    with pytest.raises(SystemExit) as error:
        cli.main(arguments)
    assert error.value.code == 2
    assert "usage: whymiss" in capsys.readouterr().err


def test_several_systems_need_a_choice(capsys, tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"answer_a": "x", "answer_b": "y", "gold": "x"}]), encoding="utf-8")
    status, _, err = run(capsys, "score", str(path))
    assert status == 2
    assert "2 systems: 'answer_a', 'answer_b'" in err
    assert run(capsys, "score", str(path), "--map", "prediction=answer_b")[0] == 0


def test_trace_shows_every_step(capsys):
    status, out, _ = run(capsys, "trace", "The U.S.\u00a0of A.", "--preset", "squad_v1")
    lines = out.splitlines()
    assert status == 0
    assert len(lines) == 2 + len(evalcore.preset("squad_v1").pipeline)
    assert lines[0].endswith(r"'The U.S.\xa0of A.'")
    assert lines[-1].endswith(repr(evalcore.trace("The U.S.\u00a0of A.").result))
    assert run(capsys, "trace", "x", "--preset", "nope")[0] == 2


def test_trace_says_when_a_step_changes_nothing(capsys):
    assert run(capsys, "trace", "x")[1].count("(no change)") == len(evalcore.preset("squad_v1").pipeline)


def test_trace_reads_standard_input(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("The End"))
    assert run(capsys, "trace", "-")[1].splitlines()[-1].endswith("'end'")


def test_presets_and_formats_are_listed(capsys):
    _, out, _ = run(capsys, "presets")
    assert [line for line in out.splitlines() if not line.startswith(" ")] == [preset.name for preset in evalcore.presets()]
    assert all(preset.signature in out for preset in evalcore.presets())
    assert "JSONL" in run(capsys, "formats")[1]


def test_long_work_reports_on_standard_error(capsys, answers, monkeypatch):
    monkeypatch.setattr(cli, "SECONDS_OF_SILENCE", -1.0)
    monkeypatch.setattr(cli, "LARGE_FILE", 0)
    status, out, err = run(capsys, "score", answers, "--json")
    assert status == 0
    assert json.loads(out)
    assert "answers.jsonl" in err.splitlines()[0]
    assert "scored 5 of 5 items" in err


def test_text_that_the_terminal_cannot_show_is_escaped(capsys, tmp_path):
    path = tmp_path / "a.json"
    path.write_text('[{"id": "\\ud800\\u001b[31m", "prediction": null, "gold": "x"}]', encoding="utf-8")
    status, out, _ = run(capsys, "score", str(path))
    assert status == 0
    assert "\x1b" not in out
    assert run(capsys, "score", str(path), "--json")[0] == 0


def test_the_module_is_the_same_program(answers):
    done = subprocess.run([sys.executable, "-m", "evalcore", "score", answers], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0
    assert "33.33" in done.stdout
    gone = subprocess.run([sys.executable, "-m", "evalcore", "score", "nope.json"], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (gone.returncode, gone.stdout) == (2, "")
    assert gone.stderr.startswith("whymiss: there is no file 'nope.json'")


def test_a_closed_pipe_is_no_error(answers):
    command = f'"{sys.executable}" -m evalcore score "{answers}" --json | head -c 1'
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stdout == "{"
    assert [line for line in done.stderr.splitlines() if not line.startswith("scored ")] == []


def test_the_sample_scores_the_same_as_in_the_library(capsys, tmp_path):
    path = ROOT / "evalcore" / "data" / "sample" / "answers.jsonl"
    _, out, _ = run(capsys, "score", str(path), "--json", "--map", "prediction=anna", "--map", f"references={SAMPLE.references[0]}")
    expected = evalcore.score(sample().datasets[0], preset="squad_v1").summary()
    assert json.loads(out)["summary"]["f1"] == expected.f1


def test_squad_files_with_missing_predictions(capsys):
    predictions = shared("data", "rajpurkar+SQuAD-explorer", "models", "1.1", "Logistic Regression Baseline (Stanford University).json")
    references = shared("data", "google-deepmind+xquad", "xquad.en.json")
    _, out, _ = run(capsys, "score", str(predictions), "--references", str(references))
    found = table_of(out)
    assert (found["EM"], found["F1"], found["scored"]) == ("34.60", "45.93", "1,188")
    _, out, _ = run(capsys, "score", str(references), "--references", str(predictions), "--missing-wrong")
    found = table_of(out)
    assert (found["EM"], found["F1"], found["scored"]) == ("34.54", "45.85", "1,190")


def test_evouna(capsys):
    path = shared("data", "wangcunxiang+QA-Eval", "EVOUNA", "TQ.json")
    arguments = ["--map", "prediction=answer_fid", "--split-references", "/", "--where", "improper=false"]
    _, out, _ = run(capsys, "score", str(path), *arguments)
    found = table_of(out)
    assert (found["EM"], found["F1"], found["items"]) == ("71.72", "77.34", "1,938")


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "xlsx"])
@pytest.mark.parametrize("explained", [(), ("--trace",)])
def test_exported_items_load_again_and_score_the_same(capsys, answers, tmp_path, ending, explained):
    path = tmp_path / f"items.{ending}"
    status, out, err = run(capsys, "score", answers, "--export", str(path), *explained)
    assert status == 0
    assert err == f"wrote 5 items to {path}\n"
    again = run(capsys, "score", str(path))[1]
    assert table_of(again) == table_of(out)
    written = zipfile.ZipFile(path).read("xl/sharedStrings.xml") if ending == "xlsx" else path.read_bytes()
    assert (b"edits" in written) == bool(explained)


def test_an_export_that_cannot_be_written_is_told(capsys, answers, tmp_path):
    status, _, err = run(capsys, "score", answers, "--export", str(tmp_path / "nowhere" / "items.csv"))
    assert status == 2
    assert "items.csv cannot be written (No such file or directory); give another place to --export" in err
    with pytest.raises(SystemExit):
        cli.main(["score", answers, "--export", "items.pdf"])
    assert "'items.pdf' ends in none of .csv, .jsonl, .parquet, .xlsx" in capsys.readouterr().err


def test_files_are_paired_as_asked(capsys, tmp_path):
    predictions, references = tmp_path / "predictions.jsonl", tmp_path / "references.jsonl"
    predictions.write_text("".join(json.dumps({"id": f"p{n}", "question": f"Which {n}?", "prediction": f"{n}"}) + "\n" for n in (2, 1, 0)), encoding="utf-8")
    references.write_text("".join(json.dumps({"id": f"r{n}", "question": f"Which {n}?", "answers": [f"{n}"]}) + "\n" for n in range(3)), encoding="utf-8")
    files = ("score", str(predictions), "--references", str(references))
    assert run(capsys, *files, "--how", "id")[0] == 2
    by_question, by_position = run(capsys, *files, "--how", "question")[1], run(capsys, *files, "--how", "position")[1]
    assert (table_of(by_question)["EM"], table_of(by_position)["EM"]) == ("100.00", "33.33")
    assert "3 items, 3 matched, joined by question" in by_question
    assert "joined by position" in by_position


def test_an_encoding_can_be_chosen_for_each_file(capsys, tmp_path):
    predictions, references = tmp_path / "predictions.csv", tmp_path / "references.csv"
    predictions.write_bytes("id,prediction\n1,naïve café\n".encode("cp1252"))
    references.write_bytes("id,answers\n1,naïve café\n".encode("gb18030", "ignore"))
    files = ("score", str(predictions), "--references", str(references))
    assert table_of(run(capsys, *files, "--encoding", "cp1252", "--references-encoding", "gb18030")[1])["EM"] == "100.00"
    assert table_of(run(capsys, *files, "--encoding", "koi8-r", "--references-encoding", "gb18030")[1])["EM"] == "0.00"
    status, _, err = run(capsys, *files, "--encoding", "latin-99")
    assert status == 2
    assert "there is no encoding 'latin-99'; usual ones are cp1252, gb18030" in err


def test_files_that_add_columns_are_laid_over_the_predictions(capsys):
    predictions, references, probabilities = (shared("formats", "squad", name) for name in ("predictions.json", "dev-v2.0.json", "na_prob.json"))
    files = ("score", str(predictions), "--references", str(references), "--preset", "squad_v2")
    without, given = run(capsys, *files)[1], run(capsys, *files, "--add", str(probabilities))[1]
    assert "na_prob.json added 1 columns" in given
    assert {name: table_of(without).get(name) for name in ("HasAns_total", "NoAns_total", "best_exact_thresh")} == {
        "HasAns_total": "1",
        "NoAns_total": "1",
        "best_exact_thresh": None,
    }
    assert table_of(given)["best_exact_thresh"] == "0.02"


def test_other_measures_are_those_of_the_library(answers, capsys):
    _, out, _ = run(capsys, "score", answers, "--measures", "--json")
    told = json.loads(out)
    scores = evalcore.score(evalcore.read(answers), preset="squad_v1")
    for name in MEASURES:
        found = measured(scores, name)
        assert told["measures"][name]["estimate"] == found.interval.estimate
        assert [item["measures"][name] for item in told["items"]] == [None if value != value else value for value in found.values.tolist()]
    assert told["measures"]["bleu"]["all_texts_together"] == measured(scores, "bleu").pooled
    _, out, _ = run(capsys, "score", answers, "--measures")
    assert "Character error rate" in out
    assert "lower is better" in out


def test_without_asking_there_are_no_other_measures(answers, capsys):
    _, out, _ = run(capsys, "score", answers, "--json")
    assert "measures" not in json.loads(out)


@pytest.mark.skipif(not missing(), reason="long count: the extra semantic is installed")
def test_measures_of_meaning_say_what_to_install(answers, capsys):
    status, _, err = run(capsys, "score", answers, "--semantic", "no-such/model")
    assert status == 2
    assert "pip install 'whymiss[semantic]'" in err


@pytest.mark.parametrize(
    ("options", "said"), [(["--measures", "--csv"], "leave out --csv"), (["--download"], "name the model"), (["--layer", "2"], "name the model")]
)
def test_options_of_measures_that_do_not_go_together_are_refused(answers, capsys, options, said):
    status, _, err = run(capsys, "score", answers, *options)
    assert status == 2
    assert said in err


def test_texts_of_a_file_do_not_steer_the_terminal(capsys, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps({"id": identity, "prediction": "Bonn", "answers": ["Rome"]}) + "\n" for identity in ("a\x1b[2J\u202e\x9b", "b")))
    for words in (["explain", str(path), "--preset", "squad_v1"], ["explain", str(path), "--json"], ["score", str(path), "--json"]):
        status, out, err = run(capsys, *words)
        assert (status, err) == (0, "")
        assert not set(out) & set("\x1b\x9b\u202e")
        assert "--json" not in words or json.loads(out)["items"][0]["id"] == "a\x1b[2J\u202e\x9b"


@pytest.mark.parametrize("option", ["--markdown", "--junit"])
def test_a_summary_that_cannot_be_written_is_told(capsys, answers, tmp_path, option):
    status, out, err = run(capsys, "compare", answers, answers, option, str(tmp_path / "nowhere" / "a"))
    assert (status, out) == (2, "")
    assert "cannot be written" in err


def test_an_interrupted_command_says_so_by_its_status_alone(capsys, answers, monkeypatch):
    monkeypatch.setattr(cli, "_load", lambda file, options: (_ for _ in ()).throw(KeyboardInterrupt))
    assert run(capsys, "score", answers) == (130, "", "")
