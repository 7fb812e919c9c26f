"""A preset: everything that decides a score, as one value."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from evalcore.text.names import UnknownName
from evalcore.text.pipeline import Pipeline
from evalcore.text.steps import Step
from evalcore.text.tokens import tokenizer
from evalcore.version import VERSION

Overlap = Literal["bag", "set"]
EmptyRule = Literal["v1", "v2"]
ReferenceRule = Literal["max"]
EmptyReferences = Literal["keep", "drop"]
NoReferences = Literal["unscored", "no_answer"]
Missing = Literal["leave_out", "wrong"]

RULES: dict[str, tuple[str, ...]] = {
    "overlap": get_args(Overlap),
    "empty": get_args(EmptyRule),
    "references": get_args(ReferenceRule),
    "empty_references": get_args(EmptyReferences),
    "no_references": get_args(NoReferences),
    "missing": get_args(Missing),
}


@dataclass(frozen=True)
class Preset:
    """The settings of a score. Frozen; changes give a new preset.

    `overlap`: `bag` counts a token as often as it stands, `set` once.
    `empty`: F1 of two texts without tokens, `v1` 0, `v2` 1; with one
    empty side it is 0.
    `references`: `max` takes the best reference, EM and F1 independently.
    `empty_references`: `drop` ignores references that normalize to
    nothing; when none is left the reference is the empty text.
    `no_references`: an item without references is `unscored`, or its
    reference is the empty text (`no_answer`).
    `missing`: a missing prediction is left out of the scores, or wrong.
    `scale`: what the scorer's own output multiplies by, 1 or 100.
    """

    name: str
    pipeline: Pipeline
    tokenizer: str = "whitespace"
    overlap: Overlap = "bag"
    empty: EmptyRule = "v2"
    references: ReferenceRule = "max"
    empty_references: EmptyReferences = "keep"
    no_references: NoReferences = "unscored"
    missing: Missing = "leave_out"
    scale: int = 100
    title: str = ""
    summary: str = ""
    source: str = ""
    version: str = ""
    differs: str = ""
    family: str = ""
    languages: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check every rule against its choices.

        Raises: ValueError naming the rule, UnknownName for the tokenizer.
        """
        tokenizer(self.tokenizer)
        for name, choices in RULES.items():
            if getattr(self, name) not in choices:
                raise ValueError(f"preset {self.name!r}: {name} is {getattr(self, name)!r}; one of {', '.join(choices)} is needed")

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
        references = "".join((f"refs:{self.references}", ",drop-empty" * (self.empty_references == "drop"), ",none-is-no-answer" * (self.no_references == "no_answer")))
        parts = [self.name, self.pipeline.signature, f"{self.tokenizer}-tokens", self.overlap, f"empty:{self.empty}", references]
        parts += ["missing:wrong"] if self.missing == "wrong" else []
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

        Raises: ValueError or UnknownName saying which part is wrong.
        """
        try:
            value = json.loads(source)
        except json.JSONDecodeError as error:
            raise ValueError(f"the settings are no JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None
        if not isinstance(value, dict) or "steps" not in value:
            raise ValueError("the settings need the keys 'steps' (a list) and 'rules' (an object); save them from the Normalization page to see the form")
        rules = value.get("rules", {})
        if not isinstance(rules, dict):
            raise ValueError(f"'rules' is {rules!r:.80}; an object is needed")
        return replace(self, pipeline=Pipeline.from_list(value["steps"])).with_rules(**rules)

    def described(self) -> dict[str, Any]:
        """Give name and description, for lists of presets."""
        shown = ("name", "title", "family", "languages", "summary", "source", "version", "differs", "scale")
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name in shown}
