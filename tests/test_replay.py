"""The stand-alone script: without the core at hand, it gives the same numbers."""

import importlib.util
import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.report.export import to_jsonl
from evalcore.report.own_source import Bundle, NotAlone
from evalcore.report.replay import CannotReplay, needs_regex, obstacles, paper_line, replay_script
from evalcore.report.replay_rules import MATCHES, PLACES, TOKENS
from evalcore.scoring.preset import RULES
from evalcore.text.catalogue import CATALOGUE, step
from tests.pipelines import pipelines
from tests.restated.pairs import hostile_items

OUTPUTS = [
    ("So the answer is (B).", ["B", "(B)"]),
    ("Thus #### 1,234.50", ["1234.5", "1,234.50"]),
    ("The answer is: \\boxed{\\frac{1}{2}}", ["\\frac{1}{2}", "0.5"]),
    ('{"answer": "Paris", "n": [1, 2.0]}', ['{"answer": "Paris", "n": [1.0, 2]}', "Paris"]),
    ("yes", ["yes", "no"]),
    ("no", ["no answer"]),
    ("CANNOTANSWER", ["CANNOTANSWER", "CANNOTANSWER", "x"]),
    ("3 cats and 4 dogs", ["3.0 cats", "4 birds"]),
    ("12", ["12.0000001", "12"]),
    ("the the a", ["the", "a an"]),
    ("", ["", "the"]),
    ("   ", ["x"]),
    (None, ["x"]),
    ("x", []),
    ("", []),
    ("the", [" ", "\t"]),
    ("\u5317\u4eac\u5e02 abc", ["\u5317\u4eac"]),
    ("\ud800 lone", ["lone \ud800"]),
    ("line one\nline two\u2028three", ["line one", "three"]),
]


def items():
    predictions, references = hostile_items(30, seed=7)
    return [*OUTPUTS, *zip(predictions, references, strict=True)]


DRIVER = """
import contextlib, io, json, sys
sys.path[:0] = json.loads(sys.argv[1])
sys.modules["evalcore"] = None
for number in range(int(sys.argv[2])):
    sys.argv = ["replay.py", f"items{number}.jsonl"]
    out = io.StringIO()
    with open(f"replay{number}.py", encoding="utf-8") as file, contextlib.redirect_stdout(out):
        exec(compile(file.read(), file.name, "exec"), {"__name__": "__main__"})
    print(json.dumps(out.getvalue()))
"""


def run(scripts, files, folder):
    """Run scripts where the core cannot be imported; only regex lies beside them, where one says that it needs it."""
    for number, (script, data) in enumerate(zip(scripts, files, strict=True)):
        (folder / f"replay{number}.py").write_text(script, encoding="utf-8")
        (folder / f"items{number}.jsonl").write_bytes(data)
    packages = []
    if any(map(needs_regex, scripts)):
        (folder / "packages").mkdir(exist_ok=True)
        (folder / "packages" / "regex").symlink_to(Path(importlib.util.find_spec("regex").origin).parent)
        packages = [str(folder / "packages")]
    command = [sys.executable, "-I", "-S", "-c", DRIVER, json.dumps(packages), str(len(scripts))]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [dict(line.rsplit(" ", 1) for line in json.loads(output).splitlines()) for output in done.stdout.splitlines()]


def exported(scores, told_unscored=True):
    """Export a run; `told_unscored`: the file says which items have no score."""
    items = [json.loads(line) for line in to_jsonl(scores, np.arange(len(scores))).decode().split("\n")[:-1]]
    kept = [item if told_unscored else {name: value for name, value in item.items() if name != "unscored"} for item in items]
    return "".join(json.dumps(item) + "\n" for item in kept).encode()


def compare(scores, told):
    """Hold what a script printed against the scores."""
    preset, summary = scores.preset, scores.summary()
    assert int(told["items"]) == summary.items
    assert int(told["scored"]) == summary.scored, preset.signature
    label = "EM" if preset.measure == "exact match" else preset.measure
    for name, value in ((label, summary.em), ("F1", summary.f1)):
        assert (name in told) == (value == value), preset.signature
        if name in told:
            assert float(told[name]) == value, preset.signature
    assert {name: number for name, number in told.items() if name.startswith("items whose") and number != "0"} == {}, preset.signature


def scored(preset, pairs):
    return evalcore.score([prediction for prediction, _ in pairs], [references for _, references in pairs], preset=preset)


SUPPORTED = [preset.name for preset in evalcore.presets() if not obstacles(preset)]


def test_most_presets_can_be_said():
    unsaid = {preset.name: obstacles(preset) for preset in evalcore.presets() if preset.name not in SUPPORTED}
    assert len(SUPPORTED) > 9 * len(unsaid)
    for name, reasons in unsaid.items():
        preset = evalcore.preset(name)
        named = {preset.tokenizer, preset.match, *(part.name for part in preset.pipeline), "neither"}
        assert all(set(reason.replace(":", "").split()) & named for reason in reasons), reasons


@pytest.mark.parametrize("told_unscored", [True, False])
def test_every_preset_gives_the_same_numbers(told_unscored, tmp_path):
    runs = [scored(evalcore.preset(name), items()) for name in SUPPORTED]
    told = run([replay_script(scores.preset) for scores in runs], [exported(scores, told_unscored) for scores in runs], tmp_path)
    for scores, printed in zip(runs, told, strict=True):
        compare(scores, printed)


def drawn(count):
    """Draw so many different settings: pipelines with random rules; the same ones every time."""
    found = {}
    rules = st.fixed_dictionaries(
        {
            **{name: st.sampled_from(sorted(set(values))) for name, values in RULES.items()},
            "match": st.sampled_from(sorted({*MATCHES, *PLACES, "none"} - {"json"})),
            "tokenizer": st.sampled_from(sorted(TOKENS)),
        }
    )

    @settings(max_examples=4 * count, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(pipelines, rules)
    def draw(pipeline, chosen):
        chosen = chosen if chosen["match"] != "none" or chosen["overlap"] != "none" else {**chosen, "match": "equal"}
        sayable = [part for part in pipeline if part.name not in UNSAYABLE]
        preset = evalcore.preset("raw").with_rules(**chosen).with_steps(sayable)
        found.setdefault(preset.settings, preset)

    draw()
    return list(found.values())[:count]


UNSAYABLE = {"lemmatize", "stem", "simplify_chinese", "read_number_words"}


def test_random_pipelines_give_the_same_numbers(tmp_path):
    every = items()
    runs = [scored(preset, random.Random(number).sample(every, 12)) for number, preset in enumerate(drawn(200))]
    assert len(runs) == 200
    told = run([replay_script(scores.preset) for scores in runs], [exported(scores, False) for scores in runs], tmp_path)
    for scores, printed in zip(runs, told, strict=True):
        compare(scores, printed)


def test_every_step_is_said_or_named(tmp_path):
    said = [evalcore.preset("raw").with_steps([step(name)]) for name in sorted(set(CATALOGUE) - UNSAYABLE)]
    runs = [scored(preset, items()) for preset in said]
    told = run([replay_script(scores.preset) for scores in runs], [exported(scores) for scores in runs], tmp_path)
    for scores, printed in zip(runs, told, strict=True):
        compare(scores, printed)
    for name in UNSAYABLE:
        with pytest.raises(CannotReplay, match=name):
            replay_script(evalcore.preset("raw").with_steps([step(name)]))


def test_a_changed_file_is_noticed(tmp_path):
    scores = scored(evalcore.preset("squad_v1"), [("the cat", ["cat"]), ("a dog", ["cat"])])
    told = run([replay_script(scores.preset)], [exported(scores).replace(b'"em": 0.0', b'"em": 1.0')], tmp_path)[0]
    assert told["items whose EM is not that of the file:"] == "1"
    assert told["EM"] == "0.5"


def test_text_of_the_settings_stays_text(tmp_path):
    hostile = 'x\n"""\nraise SystemExit(\'ran\')\n#\ud800\u202e'
    preset = evalcore.preset("raw").with_steps([step("replace_characters", characters=hostile), step("cut_at_stops", stops=(hostile,))])
    scores = scored(preset, [("a" + hostile, ["a"])])
    compare(scores, run([replay_script(preset)], [exported(scores)], tmp_path)[0])


def test_what_needs_a_package_is_named():
    with pytest.raises(CannotReplay, match="jieba_words needs jieba"):
        replay_script(evalcore.preset("longbench_qa_f1_zh"))
    with pytest.raises(NotAlone, match="rapidfuzz"):
        Bundle().need("evalcore.text.diff", "blocks")


def test_the_line_for_a_paper_says_what_was_changed():
    line = paper_line(evalcore.preset("squad_v2").with_rules(missing="wrong"))
    assert "Whymiss" in line
    assert "rajpurkar/SQuAD-explorer evaluate-v2.0.py @ eee5fdbf62f8" in line
    assert "changed: missing: wrong" in line
    assert evalcore.preset("squad_v2").with_rules(missing="wrong").signature in line
