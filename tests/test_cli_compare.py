"""whymiss compare: runs, settings, gates, and what is written for a pipeline."""

import json
import xml.etree.ElementTree as ElementTree

import pytest

from evalcore.cli import main

HOSTILE = 'a|b `c` <b> ![](http://x.invalid)\n"\x07'
ROWS = [("1", "cat", "cat"), ("2", "dog", "dog"), ("3", "x", "y"), ("4", HOSTILE, HOSTILE)]


def write(path, answers):
    lines = [json.dumps({"id": key, "prediction": answer, "answers": [right]}) for (key, _, right), answer in zip(ROWS, answers, strict=False)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def old(tmp_path):
    return write(tmp_path / "old.jsonl", [row[1] for row in ROWS])


@pytest.fixture
def new(tmp_path):
    return write(tmp_path / "new.jsonl", ["cat", "cow", "y", "worse"])


def test_two_runs_are_compared_in_words(old, new, capsys):
    assert main(["compare", old, new]) == 0
    said = capsys.readouterr().out
    assert "both right 1, fixed 1, broken 2, both wrong 0" in said
    assert "Only 4 items are compared: EM fell by 25.00 points" in said


@pytest.mark.parametrize(("gate", "status"), [("em < -1.0", 1), ("em < -50", 0), ("broken > 1 and em.p > 0.5", 1)])
def test_a_gate_decides_the_exit_status(old, new, gate, status, capsys):
    assert main(["compare", old, new, "--fail-if", "em < -99", "--fail-if", gate]) == status
    assert ("failed: " in capsys.readouterr().out) == bool(status)


@pytest.mark.parametrize("gate", ["em <", "emm < 1"])
def test_a_gate_that_cannot_be_read_is_no_pass(old, new, gate, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["compare", old, new, "--fail-if", gate])
    assert stop.value.code == 2
    assert "em" in capsys.readouterr().err


def test_json_holds_unrounded_numbers_and_the_ids(old, new, capsys):
    main(["compare", old, new, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["fixed"], found["broken"]) == (["3"], ["2", "4"])
    assert found["effects"]["em"]["difference"] == -0.25


def test_the_markdown_summary_shows_hostile_text_as_typed(old, new, tmp_path):
    summary = tmp_path / "summary.md"
    main(["compare", old, new, "--markdown", str(summary), "--fail-if", "em < -1"])
    said = summary.read_text(encoding="utf-8")
    assert r'`` a\|b `c` <b> ![](http://x.invalid)\u000a"\u0007 ``' in said
    assert "Broken: 2" in said
    assert "❌" in said


def test_the_junit_report_has_one_case_a_gate(old, new, tmp_path):
    report = tmp_path / "report.xml"
    main(["compare", old, new, "--junit", str(report), "--fail-if", "em < -1", "--fail-if", "em < -99"])
    suite = ElementTree.parse(report).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None] == ["em < -1"]


def test_two_settings_on_one_run_are_never_compared_silently(old, capsys):
    assert main(["compare", old, "--preset-after", "squad_v2"]) == 0
    said = capsys.readouterr().out
    assert "caution: The two sides are scored under different settings (rule empty v1 before, v2 after" in said
    assert "old (2), squad_v2" in said


def test_many_runs_give_a_table_of_pairs(old, new, capsys):
    assert main(["compare", old, new, old, "--measure", "f1"]) == 0
    said = capsys.readouterr().out
    assert said.count(" -> ") == 3
    assert "Holm" in said


def test_many_runs_say_what_a_reader_must_know(old, new, tmp_path, capsys):
    other = tmp_path / "other.jsonl"
    other.write_text((tmp_path / "new.jsonl").read_text(encoding="utf-8").replace('["dog"]', '["hound"]'), encoding="utf-8")
    assert main(["compare", old, new, str(other), "--preset-after", "squad_v2"]) == 0
    said = capsys.readouterr().out
    assert "caution, old -> new: The two sides are scored under different settings (rule empty v1 before" in said
    assert "caution, new -> other: 1 shared item is held against other references." in said


def test_nothing_to_compare_is_no_number(old, tmp_path, capsys):
    nothing = write(tmp_path / "nothing.jsonl", [None] * 4)
    assert main(["compare", old, nothing, "--fail-if", "em < -1 and em.p < 0.05"]) == 1
    said = capsys.readouterr().out
    assert "nan" not in said
    assert "failed: em < -1 and em.p < 0.05 (em is not known, em.p is not known)" in said


def test_a_terminal_does_not_act_on_the_name_of_a_run(tmp_path, capsys):
    """And no id of a file either: a control character in it is spelled."""
    for name in ("one", "two"):
        row = {"id": "a\x1b[2J", "prediction": "-5", "answers": ["5"], "system": f"{name}\x1b]0;x\x07"}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row), encoding="utf-8")
    one, two = str(tmp_path / "one.jsonl"), str(tmp_path / "two.jsonl")
    for words in (["compare", one, two], ["compare", one, two, one], ["explain", one]):
        assert main(words) == 0
        assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--markdown", "--junit"])
def test_a_file_that_cannot_be_written_is_said(old, new, option, tmp_path, capsys):
    assert main(["compare", old, new, option, str(tmp_path / "missing" / "file")]) == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("extra", [[], ["{old}", "{new}", "--fail-if", "em < 1"]])
def test_what_cannot_be_compared_says_why(old, new, extra, capsys):
    assert main(["compare", old, *(part.format(old=old, new=new) for part in extra)]) == 2
    assert "two" in capsys.readouterr().err


def test_items_of_one_document_are_drawn_together(tmp_path, capsys):
    def run(name, answers):
        lines = [json.dumps({"id": str(i), "prediction": text, "answers": ["a"], "doc": f"d{i // 20}"}) for i, text in enumerate(answers)]
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
        return str(tmp_path / name)

    files = [run("old.jsonl", ["b"] * 60), run("new.jsonl", ["a"] * 20 + ["b"] * 40)]
    main(["compare", *files, "--json"])
    alone = json.loads(capsys.readouterr().out)["effects"]["em"]
    main(["compare", *files, "--json", "--cluster", "doc"])
    clustered = json.loads(capsys.readouterr().out)["effects"]["em"]
    assert alone["p"] < 0.001
    assert clustered["p"] == 1.0
    assert "3 clusters" in clustered["interval"]["method"]
