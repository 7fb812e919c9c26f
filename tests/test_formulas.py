"""Formulas are compared in a process of its own: with a time limit, restarted, and nothing left behind."""

import json
import math
import os
import sys
import threading

import pytest

import evalcore
from evalcore.scoring.formulas import TIME_OUTS, FormulaFailed, FormulaWorker
from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import math_verify
from evalcore.text.resources import MissingResource, is_available
from tests.shared import shared

HERE = is_available("math")
NAMES = [preset.name for preset in math_verify.PRESETS]
needs_extra = pytest.mark.skipif(not HERE, reason="long count: needs the extra math, which .ci/long installs")

STAND_IN = """
import json, sys, time
print(json.dumps("ready"), flush=True)
for line in sys.stdin:
    match, output, references = json.loads(line)
    if output == "slow":
        time.sleep(600)
    if output == "die":
        sys.exit(3)
    print(json.dumps("no formula" if output == "bad" else [output == each for each in references]), flush=True)
"""


@pytest.fixture
def worker():
    with FormulaWorker(seconds=0.5, command=(sys.executable, "-c", STAND_IN)) as running:
        yield running


def _is_gone(process_id):
    """Tell whether a process has ended and was waited for."""
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return True
    return False


def test_one_process_serves_all_items(worker):
    assert worker.process_id is None
    assert worker.compare("any", "a", ["a", "b"]) == [True, False]
    first = worker.process_id
    assert worker.compare("any", "é\ud800\n", ["é\ud800\n"]) == [True]
    assert worker.process_id == first


def test_an_item_that_takes_too_long_ends_the_process_and_the_next_begins_another(worker):
    worker.compare("any", "a", ["a"])
    first = worker.process_id
    with pytest.raises(FormulaFailed, match=r"longer than 0\.5 s"):
        worker.compare("any", "slow", ["a"])
    assert _is_gone(first)
    assert worker.process_id is None
    assert worker.compare("any", "a", ["a"]) == [True]
    assert worker.process_id != first


def test_a_process_that_ends_by_itself_is_named_and_begun_again(worker):
    with pytest.raises(FormulaFailed, match=r"ended by itself \(code 3\)"):
        worker.compare("any", "die", ["a"])
    assert worker.compare("any", "a", ["a"]) == [True]


def test_what_cannot_be_read_has_its_reason(worker):
    with pytest.raises(FormulaFailed, match="no formula"):
        worker.compare("any", "bad", ["a"])


def test_a_run_of_slow_items_ends(worker):
    worker.seconds = 0.01
    worker.timed_out = TIME_OUTS - 1
    with pytest.raises(FormulaFailed, match="took longer"):
        worker.compare("any", "slow", ["a"])
    with pytest.raises(FormulaFailed, match=f"not tried: {TIME_OUTS} formulas"):
        worker.compare("any", "a", ["a"])


def test_nothing_is_left_behind(worker):
    worker.compare("any", "a", ["a"])
    process = worker.process_id
    worker.close()
    worker.close()
    assert _is_gone(process)
    assert not any(thread.name == "whymiss-formulas" for thread in threading.enumerate())


def test_threads_wait_for_each_other(worker):
    found = {}

    def ask(text):
        found[text] = worker.compare("any", text, ["3"])

    threads = [threading.Thread(target=ask, args=(str(number),)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {str(number): [number == 3] for number in range(8)}


@pytest.mark.skipif(HERE, reason="long count: the extra math is installed")
@pytest.mark.parametrize("name", NAMES)
def test_without_the_extra_the_preset_says_so_by_name(name):
    assert evalcore.preset(name).missing_resources == ("math",)
    with pytest.raises(MissingResource, match=rf"the preset {name} needs the reader of formulas.*pip install math-verify"):
        evalcore.score(["1"], [["1"]], preset=name)


@needs_extra
@pytest.mark.parametrize("name", NAMES)
def test_a_preset_agrees_with_its_scorer(name):
    rows = [json.loads(line) for line in shared("scorers", "llm", f"{name}.jsonl").open(encoding="utf-8")]
    scores = evalcore.score([row["output"] for row in rows], [row["references"] for row in rows], preset=name)
    differences = []
    for row, score, unscored, answer in zip(rows, scores.score, scores.unscored, scores.extracted, strict=True):
        found, wanted = (None if math.isnan(score) else score), row.get("score")
        if found != wanted or (unscored is not None) != ("error" in row) or (isinstance(row.get("extracted"), str) and answer != row["extracted"]):
            differences.append((row["case"], row["output"], found, wanted, unscored, answer))
    assert differences == []


@needs_extra
def test_a_formula_that_takes_too_long_leaves_its_item_unscored(monkeypatch):
    monkeypatch.setattr("evalcore.scoring.score.FormulaWorker", lambda: FormulaWorker(seconds=8.0))
    scores = evalcore.score(["$1$", "$9^{9^{9^{9}}}!$", "$2$"], [["1"], ["$(8^{8^{8^{8}}})!$"], ["2"]], preset="math_verify.default_goldraw")
    assert scores.em[[0, 2]].tolist() == [1.0, 1.0]
    assert math.isnan(scores.em[1])
    assert scores.unscored.tolist() == [None, "the formula took longer than 8 s", None]
    assert scores.summary().scored == 2
    assert not any(thread.name == "whymiss-formulas" for thread in threading.enumerate())


@needs_extra
def test_formulas_are_equal_when_their_difference_is_zero():
    same = evalcore.preset("raw").with_rules(match="same_formula", overlap="none")
    or_text = same.with_rules(match="same_formula_or_text")
    rows = [("\\frac{1}{2}", "0.5", 1, 1), ("2x+x", "3x", 1, 1), ("x+1", "x+2", 0, 0), ("(1,2", "(1,2", 0, 1)]
    predictions, references = [row[0] for row in rows], [[row[1]] for row in rows]
    assert list(evalcore.score(predictions, references, same).em) == [row[2] for row in rows]
    assert list(evalcore.score(predictions, references, or_text).em) == [row[3] for row in rows]


@needs_extra
def test_any_reference_is_enough_and_threads_other_than_the_main_one_may_score():
    found = []
    settings: Preset = evalcore.preset("math_verify.default_goldraw")
    thread = threading.Thread(target=lambda: found.extend(evalcore.score(["$\\frac12$"], [["7", "0.5"]], preset=settings).em))
    thread.start()
    thread.join()
    assert found == [1.0]
