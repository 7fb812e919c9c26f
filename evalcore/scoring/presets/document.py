"""What presets do, in words: for the docs page, the command line and the app."""

from collections.abc import Iterable, Sequence

from evalcore.scoring.preset import RULES, Preset
from evalcore.scoring.presets import preset as preset_named
from evalcore.scoring.presets import presets as all_presets
from evalcore.text.steps import Step
from evalcore.text.tokens import tokenizer

RULE_TEXTS: dict[tuple[str, str], str] = {
    ("match", "equal"): "EM is 1 when both sides are equal.",
    ("match", "contains"): "Containment: 1 when the reference stands anywhere in the prediction.",
    ("match", "token_run"): "Has answer: 1 when the tokens of the reference stand in the prediction one after the other.",
    ("match", "spelling"): "Containment: 1 when the reference stands in the prediction as it is, in lower case, or capitalized.",
    ("match", "starts_with"): "Match at the start: 1 when the prediction starts with the reference.",
    ("match", "ends_with"): "Match at the end: 1 when the prediction ends with the reference.",
    ("match", "either_contains"): "Containment: 1 when one side stands in the other.",
    ("match", "equal_or_raw"): "EM is 1 when the prediction equals the reference, normalized or raw.",
    ("match", "json"): "EM is 1 when both sides are the same JSON value.",
    ("match", "whole_number"): "EM is 1 when both sides are equal, or the same whole number.",
    ("match", "at_begin"): "Match at the start: 1 when the prediction starts with the reference, marks at the ends of both left out.",
    ("match", "at_end"): "Match at the end: 1 when the prediction ends with the reference, marks at the ends of both left out.",
    ("match", "at_any"): "Containment: 1 when the reference stands in the prediction, marks at the ends of both left out.",
    ("match", "at_exact"): "EM is 1 when both sides are equal, marks at the ends of both left out.",
    ("match", "at_end_case"): "Match at the end, letter case included.",
    ("match", "number_at_begin"): "EM is 1 when the first number of the prediction is that of the reference.",
    ("match", "number_at_end"): "EM is 1 when the last number of the prediction is that of the reference.",
    ("match", "number_at_any"): "EM is 1 when a number of the prediction is that of the reference.",
    ("match", "number_at_exact"): "EM is 1 when the prediction is the number of the reference.",
    ("match", "math_verify"): "EM is 1 when math-verify finds both sides equal.",
    ("match", "math_verify_letters"): "EM is 1 when math-verify finds the same letter A to D in both sides.",
    ("match", "math_metric"): "EM is 1 when the metric of math-verify finds the reference as a formula in the prediction.",
    ("match", "same_formula"): "EM is 1 when the difference of both formulas simplifies to zero.",
    ("match", "same_formula_or_text"): "EM is 1 when both sides are equal, or the difference of both formulas simplifies to zero.",
    ("match", "none"): "No EM.",
    ("overlap", "bag"): "F1 counts a token as often as it stands.",
    ("overlap", "set"): "F1 counts a token once, however often it stands.",
    ("overlap", "run"): "F1 counts the longest run of tokens both sides share.",
    ("overlap", "none"): "No F1.",
    ("tokens_from", "raw"): "Tokens are cut from the raw text, then each goes through the steps; empty ones are dropped.",
    ("empty", "v1"): "F1 is 0 where both sides have no tokens.",
    ("empty", "v2"): "F1 is 1 where both sides have no tokens, 0 where one has none.",
    ("gate", "numbers"): "F1 is 0 where the reference has numbers and the prediction shares none of them.",
    ("gate", "yes_no"): "F1 is 0 where one side is yes, no or noanswer and the other is not the same.",
    ("references", "max"): "The best reference counts; EM and F1 choose it independently.",
    ("references", "max_each"): "The best reference counts; EM, F1, precision and recall choose it independently.",
    ("references", "all"): "Every reference must be met; F1 takes the best.",
    ("references", "leave_one_out"): "With several references: the mean over all ways to leave one out, of the best of the others.",
    ("references", "leave_one_out_f1"): "With several references: F1 is the mean over all ways to leave one out, of the best of the others; EM takes the best.",
    ("references", "spans"): "All references together are one answer of several spans.",
    ("empty_references", "drop"): "References that normalize to nothing are ignored; when none is left, the empty text is the reference.",
    ("empty_references", "drop_blank"): "Blank references are ignored.",
    ("empty_references", "drop_normalized_empty"): "References that normalize to nothing are ignored.",
    ("no_references", "unscored"): "An item without references is unscored.",
    ("no_references", "no_answer"): "An item without references has no answer: the empty text is right.",
    ("no_references", "zero"): "An item without references scores 0.",
    ("no_answer_text", "CANNOTANSWER"): "CANNOTANSWER counts when at least half of the references say so, and is met only letter by letter.",
    ("empty_prediction", "wrong_if_empty"): "An empty prediction is wrong, whatever the references.",
    ("empty_prediction", "wrong_if_blank"): "A blank prediction is wrong, even without references.",
    ("empty_prediction", "wrong_if_nothing_found"): "A prediction from which nothing is extracted is wrong.",
    ("empty_prediction", "wrong_if_extracted_blank"): "A prediction from which nothing but blanks is extracted is wrong.",
    ("empty_prediction", "wrong_if_nothing_left"): "A prediction that normalizes to nothing is wrong.",
    ("missing", "wrong"): "A missing prediction is wrong.",
    ("rounding", "hundredths"): "F1 is rounded to two decimals in every item.",
    ("rounding", "hundredths_of_percent"): "F1 is rounded to two decimals of a percent in every item.",
}
COLUMNS = ("preset", "title", "family", "languages", "EM column", "F1", "scale", "same as")
HEAD = """# Presets

Each preset gives the numbers of the scorer it names, to its last digit: vectors measured with the scorer's own code
hold it to that, and in question answering a slow restatement of its rule. EM and F1 are 0..1 in Whymiss; the scale is what the scorer prints.
A missing prediction is left out of the scores unless the rule `missing` says `wrong`.

This page is generated: `python -m evalcore.scoring.presets.document > docs/presets.md`.
"""


def step_text(step: Step) -> str:
    """Say what one step does, with its parameters and its side."""
    shown = ", ".join(f"{name} {_quoted(value)}" for name, value in step.parameters if value not in ("", (), False))
    side = "" if step.side == "both" else f"{step.side} only: "
    return f"{side}{step.name}{f' ({shown})' if shown else ''}: {step.summary}"


def _quoted(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_quoted, value))
    text = value if isinstance(value, str) and value.replace("_", "").isalnum() else ascii(value) if not str(value).isprintable() else repr(value)
    return str(text)


def rule_texts(preset: Preset) -> tuple[str, ...]:
    """Say how pairs are compared and references weighed, rule by rule."""
    cutter = tokenizer(preset.tokenizer)
    uses_tokens = preset.has_f1 or preset.match == "token_run"
    texts = [f"Tokens: {cutter.summary}"] if uses_tokens else []
    without_f1 = ("empty", "gate", "rounding", "tokens_from")
    texts += [
        RULE_TEXTS[rule, value]
        for rule, value in ((rule, str(getattr(preset, rule))) for rule in RULES)
        if (rule, value) in RULE_TEXTS and (preset.has_f1 or rule not in without_f1)
    ]
    if not (preset.has_em and preset.has_f1):
        texts = [text.partition("; EM and F1 choose")[0].removesuffix(".") + "." for text in texts]
    if preset.slow_because:
        texts.append(f"Not compiled as a whole: {preset.slow_because}.")
    return tuple(texts)


def neighbour(preset: Preset) -> Preset | None:
    """Find the preset to compare with: the one it equals, else the first of its family."""
    if preset.same_as:
        return preset_named(preset.same_as)
    first = next(other for other in all_presets() if other.family == preset.family)
    return None if first.name == preset.name else first


def differences(preset: Preset, other: Preset) -> tuple[str, ...]:
    """Name the steps and rules in which a preset differs from another.

    Empty: they give the same numbers.
    """
    ours, theirs = [step.signature for step in preset.pipeline], [step.signature for step in other.pipeline]
    named = [f"+{step}" for step in ours if step not in theirs] + [f"-{step}" for step in theirs if step not in ours]
    if not named and ours != theirs:
        named.append("order of steps")
    return (
        *named,
        *(f"{rule} {getattr(preset, rule)}, not {getattr(other, rule)}" for rule in ("tokenizer", *RULES) if getattr(preset, rule) != getattr(other, rule)),
    )


def row(preset: Preset) -> tuple[str, ...]:
    """Give one line of the table of presets, as COLUMNS says."""
    return (
        preset.name,
        preset.title,
        preset.family,
        " ".join(preset.languages) or "any",
        preset.measure or "none",
        "token F1" if preset.has_f1 else "none",
        f"0..{preset.scale}",
        preset.same_as,
    )


def plain_text(preset: Preset) -> str:
    """Describe one preset for a terminal, line by line."""
    lines = [f"{preset.name}: {preset.title}", "", preset.summary, "", "Steps:"]
    lines += [f"  {number}. {step_text(step)}" for number, step in enumerate(preset.pipeline, 1)] or ["  none"]
    lines += ["", "Rules:", *(f"  - {text}" for text in rule_texts(preset)), ""]
    lines += [f"{label}: {text}" for label, text in facts(preset) if text]
    return "\n".join(lines)


def facts(preset: Preset) -> tuple[tuple[str, str], ...]:
    """Give source, scale and differences as labelled texts; a text may be empty."""
    other = neighbour(preset)
    against = "; ".join(differences(preset, other)) if other else ""
    return (
        ("Source", " ".join(part for part in (preset.source, f"@ {preset.version}" if preset.version else "") if part)),
        ("Data sets", ", ".join(preset.datasets)),
        ("Scale", f"0..{preset.scale}"),
        ("Differs", preset.differs),
        (f"Against {other.name}" if other else "Against", (against or "the same numbers") if other else ""),
        ("Signature", preset.signature),
    )


def markdown(chosen: Sequence[Preset] | None = None) -> str:
    """Describe presets as one Markdown page: a table, then a section each, by family."""
    listed = all_presets() if chosen is None else tuple(chosen)
    parts = [HEAD, _table(listed)]
    for family in dict.fromkeys(preset.family for preset in listed):
        parts.append(f"\n## {family}\n")
        parts += [_section(preset) for preset in listed if preset.family == family]
    return "\n".join(parts)


def _table(listed: Iterable[Preset]) -> str:
    lines = [f"| {' | '.join(COLUMNS)} |", f"|{'---|' * len(COLUMNS)}"]
    for preset in listed:
        name, *others = row(preset)
        lines.append(f"| `{name}` | {' | '.join(map(_cell, others))} |")
    return "\n".join(lines)


def _section(preset: Preset) -> str:
    lines = [f"### `{preset.name}`\n", f"{_cell(preset.title)}. {_prose(preset.summary)}\n"]
    lines += [f"{number}. {_code(step_text(step))}" for number, step in enumerate(preset.pipeline, 1)] or ["No steps."]
    lines += ["", *(f"- {text}" for text in rule_texts(preset)), ""]
    lines += [
        f"**{label}:** {_fenced(text) if label == 'Signature' or label.startswith('Against') else _prose(text)}  " for label, text in facts(preset) if text
    ]
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    """Set what stands before the summary as code."""
    head, _, summary = text.rpartition(": ")
    return f"{_fenced(head)}: {_prose(summary)}"


def _fenced(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _prose(text: str) -> str:
    return text.replace("*", "\\*").replace("<", "&lt;")


if __name__ == "__main__":
    import sys

    sys.stdout.write(markdown())
