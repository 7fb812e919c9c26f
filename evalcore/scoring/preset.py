"""A preset: everything that decides a score, as one value."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from evalcore.scoring.tolerance import parse_tolerance
from evalcore.text.names import UnknownName
from evalcore.text.pipeline import Pipeline
from evalcore.text.resources import is_available
from evalcore.text.rules import Function, Pattern
from evalcore.text.settings_json import read_json
from evalcore.text.steps import Side, Step
from evalcore.text.tokens import tokenizer
from evalcore.version import VERSION

Match = Literal[
    "equal", "contains", "token_run", "spelling", "starts_with", "ends_with", "either_contains", "equal_or_raw", "json", "whole_number",
    "at_begin", "at_end", "at_any", "at_exact", "at_end_case", "number_at_begin", "number_at_end", "number_at_any", "number_at_exact",
    "number", "same_items", "math_verify", "math_verify_letters", "math_metric", "same_formula", "same_formula_or_text", "none",
]  # fmt: skip
Overlap = Literal["bag", "set", "run", "none"]
TokensFrom = Literal["normalized", "raw"]
EmptyRule = Literal["v1", "v2"]
Gate = Literal["none", "numbers", "yes_no"]
ReferenceRule = Literal["max", "max_each", "all", "leave_one_out", "leave_one_out_f1", "spans"]
EmptyReferences = Literal["keep", "drop", "drop_blank", "drop_normalized_empty"]
NoReferences = Literal["unscored", "no_answer", "zero"]
NoAnswerText = Literal["none", "CANNOTANSWER"]
EmptyPrediction = Literal["compare", "wrong_if_empty", "wrong_if_blank", "wrong_if_nothing_found", "wrong_if_extracted_blank", "wrong_if_nothing_left"]
Missing = Literal["leave_out", "wrong"]
Tolerance = Literal["0", "1e-9", "1e-6", "0.001", "0.01", "0.5", "0.1%", "1%", "5%"]  # Suggestions; any number or percentage is accepted.
Rounding = Literal["none", "hundredths", "hundredths_of_percent"]

RULES: dict[str, tuple[str, ...]] = {
    "match": get_args(Match),
    "overlap": get_args(Overlap),
    "tokens_from": get_args(TokensFrom),
    "empty": get_args(EmptyRule),
    "gate": get_args(Gate),
    "references": get_args(ReferenceRule),
    "empty_references": get_args(EmptyReferences),
    "no_references": get_args(NoReferences),
    "no_answer_text": get_args(NoAnswerText),
    "empty_prediction": get_args(EmptyPrediction),
    "missing": get_args(Missing),
    "rounding": get_args(Rounding),
    "tolerance": get_args(Tolerance),
}
RARE_RULES: dict[str, str] = {
    "match": "equal",
    "tokens_from": "normalized",
    "gate": "none",
    "no_answer_text": "none",
    "empty_prediction": "compare",
    "missing": "leave_out",
    "rounding": "none",
    "tolerance": "0",
}  # Rules most scorers have no use for: a signature names them where they differ from this.
MEASURES: dict[str, str] = {
    **{"contains": "containment", "either_contains": "containment", "spelling": "containment", "at_any": "containment", "token_run": "has answer"},
    **{"starts_with": "match at the start", "at_begin": "match at the start", "ends_with": "match at the end"},
    **{"at_end": "match at the end", "at_end_case": "match at the end", "none": ""},
}  # What stands in the place of exact match.


@dataclass(frozen=True)
class Preset:
    """The settings of a score. Frozen; changes give a new preset.

    `match`: what makes EM 1. `equal`: both sides are equal. `contains`:
    the reference stands in the prediction. `token_run`: its tokens do, one
    after the other. `spelling`: it does as is, in lower case or
    capitalized. `starts_with`, `ends_with`: it stands at that end.
    `either_contains`: one side stands in the other. `equal_or_raw`: the
    prediction equals the reference, normalized or raw. `json`: both are
    the same JSON value. `whole_number`: they are equal, or the same whole
    number. `at_...` and `number_at_...`: Inspect AI's match at a place,
    of texts and of numbers. `number`: both are numbers within the
    `tolerance`, else equal. `same_items`: both have the same tokens, in
    any order. `math_verify`, `math_verify_letters`, `math_metric`: the
    package math-verify finds both sides equal, as formulas, as one of the
    letters A to D, or by its metric. `same_formula`: the difference of
    both formulas simplifies to zero; `same_formula_or_text`: or they are
    equal as texts. `none`: the scorer has no EM.
    `overlap`: what F1 counts. `bag` counts a token as often as it stands,
    `set` once, `run` the longest run both sides share; `none`: no F1.
    `tokens_from`: tokens are cut from the normalized text, or from the raw
    text and then normalized one by one; one of which nothing is left, or
    on which a step cannot finish, is dropped.
    `empty`: F1 of two texts without tokens, `v1` 0, `v2` 1; with one
    empty side it is 0.
    `gate`: when F1 is 0 in spite of common tokens. `numbers`: the
    reference has numbers and the prediction none of them. `yes_no`: one
    side is yes, no or noanswer and the other is not the same.
    `references`: `max` takes the best reference, EM and F1 independently
    (`max_each`: precision and recall too);
    `leave_one_out` takes the mean over all ways to leave one out, of the
    best of the others (`leave_one_out_f1`: for F1 alone); `spans`:
    together they are one answer of several spans; `all`: every reference
    must be met, F1 takes the best.
    `empty_references`: `drop` ignores references that normalize to
    nothing, and when none is left the reference is the empty text;
    `drop_blank` ignores blank ones, `drop_normalized_empty` those that
    normalize to nothing, and when none is left `no_references` decides.
    `no_references`: an item without references is `unscored`, or its
    reference is the empty text (`no_answer`), or its score is `zero`.
    `no_answer_text`: a reference that only the very same raw prediction
    meets; when it is at least half of the references it is the only one,
    else it is ignored.
    `empty_prediction`: an empty raw prediction is wrong, whatever the
    references; a blank one even where there are none. So is one from
    which nothing, or nothing but blanks, is extracted, or of which
    nothing is left after all steps.
    `missing`: a missing prediction is left out of the scores, or wrong.
    `rounding`: what the scorer rounds an item's F1 to, two decimals of 0..1
    (`hundredths`) or of 0..100 (`hundredths_of_percent`).
    `tolerance`: how far numbers may be apart under the match `number`,
    as `0.01`, or as `1%` of the reference.
    `scale`: what the scorer's own output multiplies by, 1 or 100.
    `answer`: what is shown as extracted. `cut`: the text after the
    extraction steps; `normalized`: after all steps; `compared`: the part
    the match compares; `met`: the reference that was met.
    """

    name: str
    pipeline: Pipeline
    tokenizer: str = "whitespace"
    match: Match = "equal"
    overlap: Overlap = "bag"
    tokens_from: TokensFrom = "normalized"
    empty: EmptyRule = "v2"
    gate: Gate = "none"
    references: ReferenceRule = "max"
    empty_references: EmptyReferences = "keep"
    no_references: NoReferences = "unscored"
    no_answer_text: NoAnswerText = "none"
    empty_prediction: EmptyPrediction = "compare"
    missing: Missing = "leave_out"
    rounding: Rounding = "none"
    tolerance: str = "0"
    scale: int = 100
    title: str = ""
    summary: str = ""
    source: str = ""
    version: str = ""
    differs: str = ""
    family: str = ""
    languages: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    same_as: str = ""
    answer: Literal["cut", "normalized", "compared", "met"] = "cut"

    def __post_init__(self) -> None:
        """Check every rule against its choices.

        Raises: ValueError naming the rule, UnknownName for the tokenizer.
        """
        for name in ("tokenizer", *RULES):
            if not isinstance(getattr(self, name), str):
                raise ValueError(f"preset {self.name!r}: {name} is {getattr(self, name)!r:.80}; a text is needed")
        tokenizer(self.tokenizer)
        for name, choices in RULES.items():
            if name == "tolerance":
                parse_tolerance(self.tolerance)
            elif getattr(self, name) not in choices:
                raise ValueError(f"preset {self.name!r}: {name} is {getattr(self, name)!r}; one of {', '.join(choices)} is needed")
        if self.match == "none" and self.overlap == "none" and not any(step.entry.group == "extraction" for step in self.pipeline):
            raise ValueError(f"preset {self.name!r}: match and overlap are both 'none'; one of them, or an extraction step, is needed")

    @property
    def has_em(self) -> bool:
        """Tell whether the scorer has an EM, or what stands in its place."""
        return self.match != "none"

    @property
    def has_f1(self) -> bool:
        """Tell whether the scorer has an F1."""
        return self.overlap != "none"

    @property
    def headline(self) -> Literal["em", "f1"]:
        """Name the number that is the preset's own score of an item."""
        return "em" if self.has_em else "f1"

    @property
    def numbers(self) -> tuple[str, ...]:
        """Name the columns of a score that hold numbers under this preset."""
        return ("em", "em_first") * self.has_em + ("f1", "precision", "recall") * self.has_f1

    @property
    def measure(self) -> str:
        """Say what the EM column means: exact match, containment or has answer; empty without one."""
        return MEASURES.get(self.match, "exact match")

    @property
    def em_name(self) -> str:
        """Name the column of EM by what is counted there, such as containment; empty without one."""
        return "EM" if self.measure == "exact match" else self.measure

    @property
    def lists_tokens(self) -> bool:
        """Tell whether tokens are compared as lists: runs of them, or tokens of the raw text."""
        return self.match == "token_run" or (self.has_f1 and (self.overlap == "run" or self.tokens_from == "raw"))

    @property
    def compiled_tokenizer(self) -> str:
        """Name the tokenizer of the compiled kernels; a plain one where lists are compared."""
        return "whitespace" if self.lists_tokens or not self.has_f1 else self.tokenizer

    @property
    def slow_because(self) -> str:
        """Say what of this preset no compiled kernel serves; empty where one serves all."""
        in_python = dict.fromkeys(step.name for step in self.pipeline if isinstance(step.rule, Function | Pattern))
        reasons = [f"Python runs {', '.join(in_python)}"] if in_python else []
        if self.has_f1 or self.match == "token_run":
            reasons += [tokenizer(self.tokenizer).slow_because]
        reasons += ["tokens are compared as lists"] if self.lists_tokens else []
        if self.compares_formulas:
            reasons += ["another process reads the formulas"]
        elif self.match not in ("equal", "token_run", "none"):
            reasons += ["Python looks for the reference in every prediction"]
        return "; ".join(filter(None, reasons))

    @property
    def missing_resources(self) -> tuple[str, ...]:
        """Name the dictionaries the preset needs that are not installed."""
        needed = [tokenizer(self.tokenizer).needs] if self.has_f1 or self.match == "token_run" else []
        needed += ["math"] * self.compares_formulas
        return tuple(name for name in needed if name and not is_available(name))

    @property
    def compares_formulas(self) -> bool:
        """Tell whether another package compares both sides as mathematics, in a process of its own."""
        return self.match.startswith(("math_", "same_formula"))

    def tokens(self, raw: str, side: Side) -> list[str]:
        """Cut one raw text of a side into the tokens that are compared."""
        steps = self.pipeline.on(side)
        cut = tokenizer(self.tokenizer).tokens
        if self.tokens_from == "raw":
            return [token for token in map(steps.apply_or_none, cut(raw)) if token]
        return cut(steps.apply(raw))

    def with_steps(self, steps: Iterable[Step]) -> "Preset":
        """Give the same preset with other steps; its signature shows them."""
        return replace(self, pipeline=Pipeline(tuple(steps)))

    def with_rules(self, **rules: Any) -> "Preset":
        """Give the same preset with other rules, such as `missing="wrong"`.

        Raises: UnknownName for a rule there is not, ValueError for a bad value.
        """
        for name in rules:
            if name not in RULES and name != "tokenizer":
                raise UnknownName("rule", name, (*RULES, "tokenizer"))
        return replace(self, **rules)

    @property
    def signature(self) -> str:
        """Give one line that says how the numbers are made."""
        dropped = {"keep": "", "drop": ",drop-empty", "drop_blank": ",drop-blank", "drop_normalized_empty": ",drop-normalized-empty"}[self.empty_references]
        without = {"unscored": "", "no_answer": ",none-is-no-answer", "zero": ",none-is-zero"}[self.no_references]
        references = f"refs:{self.references}{dropped}{without}"
        parts = [self.name, self.pipeline.signature, f"{self.tokenizer}-tokens", self.overlap, f"empty:{self.empty}", references]
        parts += [f"{rule}:{getattr(self, rule)}" for rule, usual in RARE_RULES.items() if getattr(self, rule) != usual]
        return "|".join([*parts, f"whymiss:{VERSION}"])

    @property
    def settings(self) -> tuple[Any, ...]:
        """Give all that decides a number, without name and description."""
        return (self.pipeline, self.tokenizer, *(getattr(self, name) for name in RULES))

    def to_json(self) -> str:
        """Give the settings as indented JSON, to keep and to load again."""
        rules = {"tokenizer": self.tokenizer, **{name: getattr(self, name) for name in RULES}}
        steps = [step.to_json() for step in self.pipeline]
        return json.dumps({"whymiss": VERSION, "preset": self.name, "steps": steps, "rules": rules}, ensure_ascii=False, indent=1)

    def from_json(self, source: str) -> "Preset":
        """Give this preset with the settings read from JSON.

        Raises: ValueError or UnknownName saying which part is wrong, a pattern that could run without end too.
        """
        from evalcore.scoring.presets import require_limit

        value = read_json(source)
        if not isinstance(value, dict) or "steps" not in value:
            raise ValueError("the settings need the keys 'steps' (a list) and 'rules' (an object); save them from the Normalization page to see the form")
        rules = value.get("rules", {})
        if not isinstance(rules, dict):
            raise ValueError(f"'rules' is {rules!r:.80}; an object is needed")
        pipeline = Pipeline.from_list(value["steps"])
        for step in pipeline:
            require_limit(step)
        return replace(self, pipeline=pipeline).with_rules(**rules)

    def described(self) -> dict[str, Any]:
        """Give name and description, for lists of presets."""
        shown = ("name", "title", "family", "languages", "datasets", "summary", "source", "version", "differs", "scale", "same_as")
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name in shown}
