"""A stand-alone Python script that gives the numbers of a preset again, and the line for a paper."""

import platform
import shlex
import unicodedata

from evalcore.report.own_source import Bundle
from evalcore.report.replay_rules import MATCHES, PLACES, TOKENS, Rules, compares_tokens
from evalcore.report.replay_steps import Steps, cannot_be_said
from evalcore.scoring.extracted import extraction_of
from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import PRESETS, changes
from evalcore.text.tokens import tokenizer
from evalcore.version import VERSION

EXTRACTING = ("wrong_if_nothing_found", "wrong_if_extracted_blank")
SIDE = "class Side(NamedTuple):\n    raw: str\n    text: str\n    tokens: list"

MAIN = '''
def replay(lines):
    """Score every line; give its numbers, and those the file itself has."""
    for line in lines:
        item = json.loads(line)
        if item.get("unscored") is not None:
            yield None, item
            continue
        try:
            yield score(item["prediction"], item["references"]), item
        except FAILED:
            yield None, item


def mean(values):
    """Add from left to right."""
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


def main():
    with open(sys.argv[1], encoding="utf-8", newline="\\n") as file:
        found = list(replay(line for line in file if line.strip()))
    scored = [numbers for numbers, _ in found if numbers is not None]
    print("items", len(found))
    print("scored", len(scored))
    for place, (name, label) in enumerate((("em", EM), ("f1", "F1"))):
        values = [numbers[place] for numbers in scored]
        if values and values[0] is not None:
            print(label, mean(values))
        told = [(item[name], None if numbers is None else numbers[place]) for numbers, item in found if name in item]
        if told:
            print(f"items whose {label} is not that of the file:", sum(first != second for first, second in told))


if __name__ == "__main__":
    main()
'''


class CannotReplay(ValueError):
    """Settings that no stand-alone script can say; the message names what stands in the way."""


def obstacles(preset: Preset) -> tuple[str, ...]:
    """Name every step and rule of a preset that has no stand-alone form.

    Empty: `replay_script` can write it.

    >>> import evalcore
    >>> obstacles(evalcore.preset("squad_v1")), obstacles(evalcore.preset("longbench_qa_f1_zh"))
    ((), ('the tokenizer jieba_words needs jieba',))
    """
    found = [reason for step in dict.fromkeys(step.on("both") for step in preset.pipeline) if (reason := cannot_be_said(step))]
    if compares_tokens(preset) and preset.tokenizer not in TOKENS:
        found.append(f"the tokenizer {preset.tokenizer} needs {tokenizer(preset.tokenizer).needs or 'another package'}")
    if not preset.has_em and not preset.has_f1:
        found.append("the preset has neither EM nor F1")
    if preset.has_em and preset.match not in (*MATCHES, *PLACES):
        found.append(f"the match {preset.match} has no stand-alone form")
    return tuple(found)


def replay_script(preset: Preset) -> str:
    """Write a Python script that gives the EM and F1 of the settings from exported JSONL.

    Range: it needs the standard library alone, and `regex` where a step does.
    Raises: CannotReplay naming the steps and rules that cannot be said.

    >>> import evalcore
    >>> script = replay_script(evalcore.preset("squad_v1"))
    >>> "text = text.lower()  # lower" in script, "evalcore" in script
    (True, False)
    """
    in_the_way = obstacles(preset)
    if in_the_way:
        raise CannotReplay(f"no script of its own can replay {preset.name}: {'; '.join(in_the_way)}. Reproduce the numbers with Whymiss {VERSION} instead")
    bundle = Bundle()
    steps, rules = Steps(bundle), Rules(preset, bundle)
    written = [*_normalization(steps, preset), rules.tokens(), rules.side(), *rules.em(), *rules.f1(), *rules.score()]
    imports = {"import json": None, "import sys": None, "from typing import NamedTuple": None}
    imports |= steps.imports | rules.imports | dict.fromkeys(bundle.imports())
    own = bundle.source()
    failed = ["TimeoutError"] + ["StepFailed"] * bundle.has("evalcore.text.rules", "StepFailed")
    constants = [*steps.constants.values(), f"EM = {_label(preset)!r}", f"FAILED = ({', '.join(failed)},)"]
    parts = [_head(preset, "import regex" in imports), "\n".join(sorted(imports, key=_import_order)), own, "\n".join(constants), SIDE, *written, MAIN.strip()]
    return "\n\n\n".join(part for part in parts if part) + "\n"


def _normalization(steps: Steps, preset: Preset) -> list[str]:
    on_prediction, on_reference = preset.pipeline.on("prediction"), preset.pipeline.on("reference")
    written = [steps.function("normalize_prediction", on_prediction)]
    same = [step.on("both") for step in on_prediction] == [step.on("both") for step in on_reference]
    written.append("normalize_reference = normalize_prediction" if same else steps.function("normalize_reference", on_reference))
    if preset.empty_prediction in EXTRACTING:
        written.append(steps.function("extract", extraction_of(preset.pipeline), finding=True))
    return written


def _label(preset: Preset) -> str:
    return preset.em_name or "EM"


def _import_order(line: str) -> tuple[bool, str]:
    return line.startswith("from"), line


def _head(preset: Preset, needs_regex: bool) -> str:
    """Say what the script does; every line is a comment, whatever the settings hold."""
    lines = [
        "Scores answers as the settings below do, without the program that wrote this.",
        f"Settings: {preset.signature}",
        f"Preset: {source_of(preset)}",
        *(f"Changed: {change}" for change in _changes(preset)),
        "Use: python replay.py ITEMS.jsonl",
        "Every line of the file is one item as Whymiss exports it: an object with prediction (a text or null) and references (a list of texts).",
        "Items the file calls unscored are left out. Where the file has em and f1, the script counts the items it disagrees with.",
        f"Needs Python 3.11 or newer{' and the package regex' if needs_regex else ''}. "
        f"Letters and marks are those of Unicode as Python knows it: {unicodedata.unidata_version} here.",
    ]
    return "\n".join(f"# {_one_line(line)}" for line in lines)


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def _changes(preset: Preset) -> tuple[str, ...]:
    return changes(preset) if preset.name in PRESETS else ()


def source_of(preset: Preset) -> str:
    """Name a preset and the scorer it reproduces, with its version."""
    scorer = " @ ".join(part for part in (preset.source, preset.version) if part)
    return f"{preset.name}: {preset.title or preset.name}{f' ({scorer})' if scorer else ''}"


def paper_line(preset: Preset) -> str:
    """Write the line for a paper: program and version, preset and its source, changes, signature.

    >>> import evalcore
    >>> paper_line(evalcore.preset("raw")).startswith("Scored with Whymiss")
    True
    """
    changed = _changes(preset)
    return (
        f"Scored with Whymiss {VERSION}, preset {source_of(preset)}, {'changed: ' + '; '.join(changed) if changed else 'unchanged'}; "
        f"Python {platform.python_version()}, Unicode {unicodedata.unidata_version}. Signature: {preset.signature}"
    )


def needs_regex(script: str) -> bool:
    """Tell whether a script needs the package regex."""
    return "import regex" in script.splitlines()


def command(preset: Preset, items: str, settings: str, labels: str = "") -> str:
    """Write the line that scores a file of exported items under the settings.

    `settings` names their file, where they were changed; `labels` are the allowed answers, where there are any.

    >>> import evalcore
    >>> command(evalcore.preset("squad_v1"), "my items.jsonl", "settings.json")
    "whymiss score 'my items.jsonl' --preset squad_v1"
    """
    published = preset.name in PRESETS and PRESETS[preset.name].settings == preset.settings
    return shlex.join(
        ["whymiss", "score", items, *(("--preset", preset.name) if published else ("--settings", settings)), *(("--labels", labels) if labels else ())]
    )
