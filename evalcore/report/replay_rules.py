"""Rules of a preset as lines of a stand-alone Python script: tokens, match, F1, references."""

from collections.abc import Mapping
from types import MappingProxyType

from evalcore.report.own_source import Bundle, NotAlone
from evalcore.scoring.preset import Preset
from evalcore.text.tokens import tokenizer

TOKENS: Mapping[str, str] = MappingProxyType(
    {
        "whitespace": "text.split()",
        "characters": "[letter for letter in text if not letter.isspace()]",
        "characters_and_spaces": "list(text)",
        "letter_runs": r'[token.lower() for token in regex.findall(r"[\p{L}\p{N}\p{M}]+|[^\p{Z}\p{C}]", text)]',
    }
)
MATCHES: Mapping[str, str] = MappingProxyType(
    {
        "equal": "answer.text == gold.text",
        "contains": "gold.text in answer.text",
        "token_run": "holds_run(answer.tokens, gold.tokens)",
        "spelling": "any(spelled in answer.text for spelled in (gold.text, gold.text.lower(), gold.text.capitalize()))",
        "starts_with": "answer.text.startswith(gold.text)",
        "ends_with": "answer.text.endswith(gold.text)",
        "either_contains": "(gold.text in answer.text or answer.text in gold.text) if answer.text and gold.text else answer.text == gold.text",
        "equal_or_raw": "answer.text in (gold.text, gold.raw)",
        "json": "same_json(json.loads(answer.text), json.loads(gold.text))",
        "whole_number": "close_to_whole(answer.text, gold.text)",
        "same_items": "set(answer.tokens) == set(gold.tokens)",
        "number": "",  # Its own source says it.
    }
)
PLACES: Mapping[str, tuple[str, bool, bool]] = MappingProxyType(
    {
        **{f"at_{place}": (place, True, False) for place in ("begin", "end", "any", "exact")},
        "at_end_case": ("end", False, False),
        **{f"number_at_{place}": (place, True, True) for place in ("begin", "end", "any", "exact")},
    }
)

HOLDS_RUN = """
def holds_run(inside, run):
    return not run or any(inside[start : start + len(run)] == run for start in range(len(inside) - len(run) + 1))
"""
CLOSE_TO_WHOLE = """
def close_to_whole(answer, gold):
    try:
        return answer == gold or abs(float(answer) - int(gold)) < 1e-6
    except (ValueError, OverflowError):
        return False
"""
NUMBERS_OF = """
def numbers_of(text):
    found = set()
    for token in tokens(text):
        try:
            float(token)
        except ValueError:
            continue
        found.add(token)
    return found
"""
LONGEST_RUN = """
def longest_run(first, second):
    return SequenceMatcher(None, first, second, autojunk=False).find_longest_match().size
"""
LEAVE_ONE_OUT = '''
def mean_without_each(values):
    """Leave one reference out in turn, and take the mean of the best of the others."""
    if len(values) == 1:
        return values[0]
    total = 0.0
    for place in range(len(values)):
        total += max(values[:place] + values[place + 1 :])
    return total / len(values)
'''


def compares_tokens(preset: Preset) -> bool:
    """Tell whether the tokenizer decides a number."""
    return preset.has_f1 or preset.match in ("token_run", "same_items")


class Rules:
    """Writes the rules of one preset, and gathers what their lines need."""

    def __init__(self, preset: Preset, bundle: Bundle) -> None:
        self.preset = preset
        self.bundle = bundle
        self.imports: dict[str, None] = {}

    def tokens(self) -> str:
        """Write the tokenizer as a function.

        Raises: NotAlone when it needs a dictionary.
        """
        name = self.preset.tokenizer if compares_tokens(self.preset) else "whitespace"
        if name not in TOKENS:
            raise NotAlone(f"the tokenizer {name} needs {tokenizer(name).needs or 'another package'}")
        if name == "letter_runs":
            self.imports["import regex"] = None
        return f"def tokens(text):\n    return {TOKENS[name]}"

    def side(self) -> str:
        """Write how one raw text becomes a side that is compared."""
        cut = "[token for token in map(normalize, tokens(raw)) if token]" if self.preset.tokens_from == "raw" else "tokens(text)"
        return f"def side(raw, normalize):\n    text = normalize(raw)\n    return Side(raw, text, {cut})"

    def em(self) -> list[str]:
        """Write EM of one pair as functions; nothing where the preset has none."""
        match = self.preset.match
        if match == "none":
            return []
        parts = []
        if match in PLACES:
            compare = self.bundle.need("evalcore.scoring.numeric_match", "compare")
            place, ignore_case, numeric = PLACES[match]
            met = f"{compare}(answer.text, gold.text, {place!r}, {ignore_case}, {numeric})[1]"
        elif match == "number":
            met = f"{self.bundle.need('evalcore.scoring.tolerance', 'within')}(answer.text, gold.text, {self.preset.tolerance!r})"
        else:
            met = MATCHES[match]
        if match == "json":
            self.bundle.need("evalcore.scoring.matches", "same_json")
        if match == "token_run":
            parts.append(HOLDS_RUN.strip())
        if match == "whole_number":
            parts.append(CLOSE_TO_WHOLE.strip())
        return [*parts, f"def em_of(answer, gold):\n{self._letter_by_letter()}    return float({met})"]

    def f1(self) -> list[str]:
        """Write F1 of one pair as functions; nothing where the preset has none."""
        preset = self.preset
        if not preset.has_f1:
            return []
        parts = [NUMBERS_OF.strip()] if preset.gate == "numbers" else []
        lines = ["def f1_of(answer, gold):", *self._letter_by_letter().splitlines()]
        if preset.gate == "yes_no":
            lines += ['    if answer.text != gold.text and {"yes", "no", "noanswer"} & {answer.text, gold.text}:', "        return 0.0"]
        if preset.overlap == "set":
            lines += ["    first, second = set(answer.tokens), set(gold.tokens)", "    common = len(first & second)"]
        elif preset.overlap == "run":
            self.imports["from difflib import SequenceMatcher"] = None
            parts.append(LONGEST_RUN.strip())
            lines += ["    first, second = answer.tokens, gold.tokens", "    common = longest_run(first, second)"]
        else:
            self.imports["from collections import Counter"] = None
            lines += ["    first, second = answer.tokens, gold.tokens", "    common = (Counter(first) & Counter(second)).total()"]
        lines += ["    if not first and not second:", f"        return {1.0 if preset.empty == 'v2' else 0.0}", "    if not common:", "        return 0.0"]
        if preset.gate == "numbers":
            lines += ["    wanted = numbers_of(gold.text)"]
            lines += ["    if answer.text != gold.text and wanted and not wanted & numbers_of(answer.text):", "        return 0.0"]
        lines += ["    precision, recall = common / len(first), common / len(second)", "    return (2 * precision * recall) / (precision + recall)"]
        return [*parts, "\n".join(lines)]

    def _letter_by_letter(self) -> str:
        """Write the rule of a reference that only the very same raw prediction meets."""
        if self.preset.no_answer_text == "none":
            return ""
        return f"    if gold.raw == {self.preset.no_answer_text!r}:\n        return float(answer.raw == gold.raw)\n"

    def score(self) -> list[str]:
        """Write the score of one item, from its raw texts, as functions."""
        rule = self.preset.references
        parts = [LEAVE_ONE_OUT.strip()] if rule.startswith("leave_one_out") else []
        lines = ["def score(prediction, references):", '    """Give EM and F1 of one item, None where it has no score."""']
        lines += ["    golds = [side(text, normalize_reference) for text in references]", *self._kept(), *self._settled()]
        lines += ['    golds = golds or [Side("", "", [])]  # No reference: the empty text is right.']
        for measure, function, combined in (("em", "em_of", self._em_rule()), ("f1", "f1_of", self._f1_rule())):
            there = self.preset.has_em if measure == "em" else self.preset.has_f1
            lines += [f"    {measure} = [{function}(answer, gold) for gold in golds]"] if there else []
            lines += [f"    {measure} = {combined if there else None}"]
        return [*parts, "\n".join([*lines, "    return em, f1"])]

    def _em_rule(self) -> str:
        usual = "max(em)"
        return {"leave_one_out": "mean_without_each(em)", "spans": "em[0] if len(golds) == 1 else 0.0", "all": "min(em)"}.get(self.preset.references, usual)

    def _f1_rule(self) -> str:
        rules = {"spans": "max(f1) / len(golds)", "leave_one_out": "mean_without_each(f1)", "leave_one_out_f1": "mean_without_each(f1)"}
        found = rules.get(self.preset.references, "max(f1)")
        scale = {"none": 0, "hundredths": 1, "hundredths_of_percent": 100}[self.preset.rounding]
        return f"round(({found}) * {scale}, 2) / {scale}" if scale else found

    def _kept(self) -> list[str]:
        """Write which references are compared with."""
        lines = []
        if self.preset.no_answer_text != "none":
            lines += [
                f"    without = [gold for gold in golds if gold.raw == {self.preset.no_answer_text!r}]",
                "    golds = without[:1] if 2 * len(without) >= len(golds) else [gold for gold in golds if gold not in without]",
            ]
        kept = {"drop": "gold.text", "drop_normalized_empty": "gold.text", "drop_blank": "gold.raw and not gold.raw.isspace()"}
        if self.preset.empty_references in kept:
            lines.append(f"    golds = [gold for gold in golds if {kept[self.preset.empty_references]}]")
        return lines

    def _settled(self) -> list[str]:
        """Write what is decided before anything is compared: items without a score, and those that score 0."""
        preset = self.preset
        zero = f"({0.0 if preset.has_em else None}, {0.0 if preset.has_f1 else None})"
        none = {"drop_blank": "not golds"}.get(preset.empty_references, "not references")
        bare = [f"    if {none}:", "        return None"] if preset.no_references == "unscored" else []
        missing = ["    if prediction is None:", f"        return {zero if preset.missing == 'wrong' else None}"]
        lines = [*bare, *missing]
        if preset.empty_prediction == "wrong_if_blank":
            blank = "not prediction or prediction.isspace()"
            lines = ["    if prediction is not None and (" + blank + "):", "        normalize_prediction(prediction)", f"        return {zero}", *lines]
        lines.append("    answer = side(prediction, normalize_prediction)")
        wrong = {
            "wrong_if_empty": "not prediction",
            "wrong_if_nothing_left": "not answer.text",
            "wrong_if_nothing_found": "extract(prediction) is None",
            "wrong_if_extracted_blank": 'not (extract(prediction) or "").strip()',
        }.get(preset.empty_prediction)
        lines += [f"    if {wrong}:", f"        return {zero}"] if wrong else []
        return [*lines, "    if not golds:", f"        return {zero}"] if preset.no_references == "zero" else lines
