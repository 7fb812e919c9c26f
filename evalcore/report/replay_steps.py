"""Steps as lines of a stand-alone Python script.

A step says itself in one plain line where its rule allows it; other steps
bring their own source. What needs a dictionary or another package cannot
be said.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from evalcore.report.own_source import Bundle, NotAlone
from evalcore.text.extraction.rule import Extraction
from evalcore.text.languages import CHINESE_MARKS, CJK_FIRST, CJK_LAST
from evalcore.text.pipeline import Pipeline
from evalcore.text.rules import Pattern, Rule, Whitespace, WordFilter
from evalcore.text.steps import Step, Value

Parameters = Mapping[str, Value]


def _lower_within_length(given: Parameters) -> str:
    return "text.lower()[: len(text)]"


def _strip_accents(given: Parameters) -> str:
    letters = 'letter for letter in unicodedata.normalize("NFD", text) if unicodedata.category(letter) != "Mn"'
    return f'unicodedata.normalize("NFC", "".join({letters}))'


def _punctuation(given: Parameters, new: str) -> str:
    keep, add = str(given["keep"]), str(given["add"])
    if given["which"] == "ascii":
        marks = "string.punctuation" if not (keep or add) else repr("".join(sorted({*_ascii_marks()} - {*keep} | {*add})))
        if not new:
            return f'text.translate(str.maketrans("", "", {marks}))'
        return f"text.translate(str.maketrans(dict.fromkeys({marks}, {new!r})))"
    is_mark = 'unicodedata.category(letter).startswith("P")'
    if given["which"] == "both":
        is_mark = f"(letter in string.punctuation or {is_mark})"
    if keep:
        is_mark = f"({is_mark} and letter not in {keep!r})"
    if add:
        is_mark = f"({is_mark} or letter in {add!r})"
    return f'"".join({new!r} if {is_mark} else letter for letter in text)'


def _ascii_marks() -> str:
    return "".join(chr(code) for code in range(33, 127) if not chr(code).isalnum())


def _replace_characters(given: Parameters) -> str:
    return f"text.translate(str.maketrans(dict.fromkeys({given['characters']!r}, {given['replacement']!r})))"


def _strip_characters(given: Parameters) -> str:
    method = {"both": "strip", "start": "lstrip", "end": "rstrip"}[str(given["where"])]
    return f"text.{method}({given['characters']!r})"


def _cut_at_stops(given: Parameters) -> str:
    stops = tuple(stop for stop in given["stops"] if stop) if isinstance(given["stops"], tuple) else ()
    return f"text[: min((text.find(stop) for stop in {stops!r} if stop in text), default=len(text))]"


PLAIN: Mapping[str, Callable[[Parameters], str]] = MappingProxyType(
    {
        "lower": lambda given: "text.lower()",
        "casefold": lambda given: "text.casefold()",
        "lower_within_length": _lower_within_length,
        "normalize_unicode": lambda given: f"unicodedata.normalize({given['form']!r}, text)",
        "strip_accents": _strip_accents,
        "delete_punctuation": lambda given: _punctuation(given, ""),
        "space_out_punctuation": lambda given: _punctuation(given, " "),
        "replace_characters": _replace_characters,
        "strip_characters": _strip_characters,
        "fold_width": lambda given: 'text.translate({0x3000: " ", **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}})',
        "delete_chinese_punctuation": lambda given: f'text.translate(str.maketrans("", "", {CHINESE_MARKS[str(given["scorer"])]!r}))',
        "space_out_chinese": lambda given: f"""re.sub("[{CJK_FIRST}-{CJK_LAST}]", r" \\g<0> ", text)""",
        "keep_first_line": lambda given: 'text.split("\\n")[0]',
        "cut_at_stops": _cut_at_stops,
    }
)


def by_kind(rule: Rule) -> str | None:
    """Say a rule that is data alone; None for the others.

    >>> by_kind(Whitespace("squeeze"))
    '" ".join(text.split())'
    """
    if isinstance(rule, Whitespace):
        return {"squeeze": '" ".join(text.split())', "strip": "text.strip()", "remove": '"".join(text.split())'}[rule.mode]
    if isinstance(rule, WordFilter):
        return f"{rule.engine}.sub({rule.pattern.pattern!r}, {rule.replacement!r}, text)" if "\\" not in rule.replacement else None
    if isinstance(rule, Pattern):
        return f"{rule.engine}.sub({rule.pattern!r}, {rule.replacement!r}, text)"
    return None


class Steps:
    """Writes the steps of pipelines, and gathers what their lines need."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.imports: dict[str, None] = {}
        self.constants: dict[Step, str] = {}

    def function(self, name: str, pipeline: Pipeline, finding: bool = False) -> str:
        """Write a pipeline as a function; `finding`: it gives None where an extraction finds nothing.

        Raises: NotAlone for a step that cannot be said.
        """
        lines = [f"def {name}(text):"]
        for step in pipeline:
            lines += [f"    {line}" for line in self._lines(step, finding)]
        return "\n".join([*lines, "    return text"])

    def _lines(self, step: Step, finding: bool) -> list[str]:
        said = by_kind(step.rule)
        if said is None and step.name in PLAIN:
            said = PLAIN[step.name](dict(step.parameters))
        if said is not None:
            self.imports.update({f"import {module}": None for module in ("re", "regex", "string", "unicodedata") if f"{module}." in said})
            return [f"text = {said}  # {step.name}"]
        name = self._constant(step)
        finds = finding and isinstance(step.rule, Extraction) and step.rule.nothing == "empty"
        lines = [f"text = {name}.{'found' if finds else 'apply'}(text)"]
        return [*lines, "if text is None:", "    return None"] if finds else lines

    def _constant(self, step: Step) -> str:
        """Name the rule of a step that brings its own source."""
        rule = step.on("both")
        if rule not in self.constants:
            builder = step.entry.build
            called = self.bundle.need(builder.__module__, builder.__name__)
            given = ", ".join(f"{name}={value!r}" for name, value in step.parameters)
            self.constants[rule] = f"STEP_{len(self.constants) + 1} = {called}({given})"
        return self.constants[rule].partition(" ")[0]


def cannot_be_said(step: Step) -> str:
    """Say why a step has no stand-alone form, empty where it has one."""
    try:
        Steps(Bundle()).function("normalize", Pipeline((step,)))
    except NotAlone as reason:
        return f"{step.name}: {reason}"
    return ""
