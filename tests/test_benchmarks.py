"""The benchmarks measure what they say: the data has its shape, and the slow algorithms are the official ones."""

import json

import pytest

import benchmarks.__main__ as program
from benchmarks import algorithms, scoring
from benchmarks.cases import CASES
from benchmarks.data import chinese_answers, long_answers, short_answers
from benchmarks.extraction import PAIRS, outputs
from benchmarks.measure import alternate
from evalcore.text.extraction import ENTRIES
from tests.shared import shared


def test_short_answers_have_the_stated_shape():
    answers = short_answers(4000)
    flat = [text for listed in answers.references for text in listed]
    assert 2.4 < len(flat) / len(answers.predictions) < 2.5
    assert 0.17 < sum(len(text.split()) > 7 for text in flat) / len(flat) < 0.23
    assert 0.03 < sum(not text.isascii() for text in flat) / len(flat) < 0.07
    assert short_answers(50) == short_answers(50)


def test_other_answers_have_the_stated_shape():
    assert all(500 <= len(text) <= 5200 for listed in long_answers(30).references for text in listed)
    flat = [text for listed in chinese_answers(300).references for text in listed]
    assert sum("\u4e00" <= character <= "\u9fa5" for text in flat for character in text) / sum(map(len, flat)) > 0.7


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_numbers_agree_with_the_official_algorithm(case):
    ratio = scoring.ratio_of(case, 1000, 1)
    assert ratio.lists > 0
    assert ratio.arrow > 0


@pytest.mark.parametrize(("vectors", "arguments"), [("squad_v1_official", {}), ("squad_spaced", {"normalize": algorithms.spaced, "f1": algorithms.set_f1})])
def test_the_slow_algorithms_are_the_public_ones(vectors, arguments):
    rows = [json.loads(line) for line in shared("scorers", "qa", f"{vectors}.jsonl").read_text(encoding="utf-8").split("\n") if line]
    for row in rows:
        if "error" not in row:
            em, f1 = algorithms.compute_score([row["prediction"]], [row["references"]], **arguments)
            assert (em, f1) == pytest.approx((row["em"], row["f1"]), abs=1e-9), row


def test_contestants_take_turns():
    seen = []
    seconds = alternate({"a": lambda: seen.append("a"), "b": lambda: seen.append("b")}, 2)
    assert seen == ["a", "b"] * 3
    assert set(seconds) == {"a", "b"}


def test_the_quick_run_fails_only_after_three_tries(monkeypatch, capsys):
    tries = []

    def slow(case, items, repetitions):
        tries.append(case.name)
        good = len(tries) % 3 == 0 if case is CASES[0] else case is not CASES[1]
        return scoring.Ratio(case, case.lists * (1 if good else 0.49), case.arrow, 1.0, 1.0)

    monkeypatch.setattr(scoring, "ratio_of", slow)
    assert program.quick() == 1
    assert tries.count(CASES[0].name) == 3
    assert tries.count(CASES[1].name) == 3
    assert f"times in a row: {CASES[1].name}\n" in capsys.readouterr().err


def test_the_table_stands_in_the_docs(tmp_path, monkeypatch):
    path = tmp_path / "performance.md"
    path.write_text(f"head\n{program.START}\nold\n{program.END}\ntail\n", encoding="utf-8")
    monkeypatch.setattr(program, "DOCS", path)
    program.write(["| a |", "| b |"])
    assert path.read_text(encoding="utf-8") == f"head\n{program.START}\n\n| a |\n| b |\n\n{program.END}\ntail\n"
    assert program.START in program.Path(program.__file__).parents[1].joinpath("docs", "performance.md").read_text(encoding="utf-8")


def test_every_extraction_step_runs_against_a_plain_loop_that_does_the_same():
    assert {entry.name for entry in ENTRIES} <= {step.name for step, _ in PAIRS}
    texts = outputs(90)
    assert all(1_900 < len(text) < 2_300 for text in texts)
    for step, plain in PAIRS:
        alike = sum(step.apply(text) == plain(text) for text in texts)
        assert alike >= 85, step.title
