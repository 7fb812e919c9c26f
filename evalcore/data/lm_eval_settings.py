"""Settings of an lm-eval results file, as presets that replay them."""

import json
from collections.abc import Mapping
from dataclasses import replace

from evalcore.data.errors import FormatError, quote
from evalcore.data.formats.rows import part
from evalcore.data.source import File, open_source
from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import preset
from evalcore.scoring.presets.lm_eval import compared, taken
from evalcore.text.pipeline import Pipeline
from evalcore.text.steps import Step

METRIC = "exact_match"
CHOICES = {0: "first", -1: "last"}
USUAL_PATTERN = r"#### (\-?[0-9\.\,]+)"
USUAL_FILTER: tuple[object, ...] = ({"name": "none", "filter": [{"function": "take_first"}]},)


def presets_of_results(file: File, filename: str | None = None) -> tuple[dict[tuple[str, str], Preset], tuple[str, ...]]:
    """Give one preset a task and filter, for the raw responses of its samples, and what cannot be replayed.

    Raises: FormatError when the file is no results file.
    """
    source = open_source(file, filename)
    try:
        configs = part(json.loads(source.text), "configs")
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        configs = None
    if not isinstance(configs, dict):
        raise FormatError(f"{source.label} has no configs; give an lm-eval results_*.json, which keeps the settings of every task there")
    found: dict[tuple[str, str], Preset] = {}
    left: list[str] = []
    for task, config in configs.items():
        for chain in part(config, "filter_list") or USUAL_FILTER:  # type: ignore[attr-defined]
            name = str(part(chain, "name"))
            try:
                found[task, name] = _preset(task, name, _filtered(part(chain, "filter")), _compared(part(config, "metric_list")))
            except _CannotReplay as error:
                left.append(f"{task}, {name}: {error}")
    return found, tuple(left)


class _CannotReplay(Exception):
    """A setting for which there is no step."""


def _preset(task: str, name: str, filtered: tuple[Step, ...], after: tuple[Step, ...]) -> Preset:
    return replace(
        preset("lm_eval.exact_match_default"),
        name=f"lm_eval.{task}.{name}",
        title=f"{task}, {name}",
        pipeline=Pipeline((*filtered, *after)),
        datasets=(task,),
        summary=f"What the results file of {task} says about {name}, replayed on the raw responses.",
        differs="Made from a file, not from the scorer's code.",
    )


def _filtered(steps: object) -> tuple[Step, ...]:
    found: list[Step] = []
    for entry in steps if isinstance(steps, list) else []:
        function = part(entry, "function")
        if function == "regex":
            choice = CHOICES.get(part(entry, "group_select") or 0)  # type: ignore[call-overload]
            fallback = part(entry, "fallback")
            if choice is None or fallback not in (None, "[invalid]"):
                raise _CannotReplay(f"the regex filter selects group {quote(part(entry, 'group_select'))} with fallback {quote(fallback)}")
            found.append(taken(str(part(entry, "regex_pattern") or USUAL_PATTERN), choice))
        elif function != "take_first":
            raise _CannotReplay(f"there is no step for the filter {quote(function)}")
    return tuple(found)


def _compared(metrics: object) -> tuple[Step, ...]:
    options = next((entry for entry in metrics if part(entry, "metric") == METRIC), None) if isinstance(metrics, list) else None
    if not isinstance(options, Mapping):
        named = [part(entry, "metric") for entry in metrics] if isinstance(metrics, list) else []
        raise _CannotReplay(f"its metrics are {', '.join(map(quote, named)) or 'not named'}, not {METRIC}")
    ignored = [str(pattern) for pattern in options.get("regexes_to_ignore") or ()]
    flags = {name: options.get(f"ignore_{name}") is True for name in ("case", "punctuation", "numbers")}
    return compared(*ignored, **flags)
