"""Extraction against a plain re loop doing the same: python -m benchmarks.extraction [OUTPUTS [ROUNDS [STEP …]]]."""

import json
import random
import re
import sys
import time
from collections.abc import Callable, Sequence
from decimal import Decimal

from evalcore.text.catalogue import step
from evalcore.text.steps import Step

OUTPUTS = 100_000
LENGTH = 2_000
ROUNDS = 5
COMPARED = 5_000  # Outputs whose results are held against one another.
WORDS = ("we", "first", "count", "the", "apples", "and", "then", "add", "what", "is", "left", "over", "so", "each", "of", "them", "gets", "before", "noon")
ENDINGS = (
    "The answer is {number}.",
    "Answer: {number}",
    "So it comes to ${number}.\n#### {number}",
    "Hence $\\boxed{{\\frac{{{number}}}{{2}}}}$.",
    "<answer>{number}</answer>",
    '{{"answer": "{number}"}}',
    "The correct answer is (C).",
    "**{number}**",
    "Yes, it is {number}.",
)
Plain = Callable[[str], str]


def outputs(count: int, seed: int = 1) -> list[str]:
    """Make outputs of about 2,000 characters: thinking, steps with numbers, an answer in one of nine forms."""
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        lines = ["<think>" + _line(chance) + "</think>"]
        size = len(lines[0])
        while size < LENGTH:
            lines.append(_line(chance))
            size += len(lines[-1]) + 1
        lines.append(chance.choice(ENDINGS).format(number=f"{chance.randint(1, 99_999):,}"))
        made.append("\n".join(lines))
    return made


def _line(chance: random.Random) -> str:
    words = chance.choices(WORDS, k=chance.randint(8, 20))
    words[chance.randrange(len(words))] = str(chance.randint(1, 500))
    return " ".join(words).capitalize() + "."


def _last(pattern: str) -> Plain:
    found = re.compile(pattern)

    def last(text: str) -> str:
        matches = found.findall(text)
        return (matches[-1] if isinstance(matches[-1], str) else "".join(matches[-1])) if matches else ""

    return last


def _first(pattern: str) -> Plain:
    found = re.compile(pattern)

    def first(text: str) -> str:
        match = found.search(text)
        return "" if match is None else match.group(match.lastindex or 0)

    return first


def _deleted(pattern: str, new: str = "") -> Plain:
    found = re.compile(pattern)
    return lambda text: found.sub(new, text)


def _json_answer(text: str) -> str:
    """Try to decode at every opening brace."""
    found = ""
    for match in re.finditer(r"\{", text):
        try:
            value, _ = json.JSONDecoder().raw_decode(text, match.start())
        except ValueError:
            continue
        found = str(value.get("answer", found)) if isinstance(value, dict) else found
    return found


def _whole_json(text: str) -> str:
    try:
        json.loads(text)
    except ValueError:
        return ""
    return text


def _plain_number(number: str) -> str:
    """Write a number without currency, commas and needless zeros."""
    digits = number.replace(",", "").replace("$", "").replace("−", "-")
    if not digits:
        return ""
    percent = "%" if digits.endswith("%") else ""
    value = Decimal(digits.rstrip("%"))
    return f"{value.to_integral() if value == value.to_integral() else value.normalize()}{percent}"


NUMBER = r"(?<![\w.,])[-+−]?\$?\d{1,3}(?:,\d{3})+(?:\.\d+)?%?|(?<![\w.,])[-+−]?\$?\d+(?:\.\d+)?%?"
LETTER = r"(?i)(?:answer|choice|option)[\s:*]*(?:is)?[\s:*(]*([A-D])\b"


def _then(take: Plain, tidy: Plain) -> Plain:
    return lambda text: tidy(take(text))


def _either(one: Plain, two: Plain) -> Plain:
    return lambda text: one(text) or two(text)


PAIRS: tuple[tuple[Step, Plain], ...] = (
    (step("drop_thinking"), _deleted(r"(?is)<(think|thinking|thought|reasoning)>.*?</\1>\s*")),
    (step("take_line"), _then(_first(r"\S[^\n]*"), str.rstrip)),
    (step("take_line", choice="last"), _last(r"(?m)^[^\n]*\S[^\n]*$")),
    (step("take_sentence"), _then(_first(r"\S.*?(?:[.!?](?=\s)|\n|\Z)"), str.rstrip)),
    (step("take_after"), _last(r"(?i)(?:the answer is|answer is|answer:|####|答案是|答案：|答案:)[\s:*]*([^\n]+)")),
    (step("take_match"), _first(r"#### (-?[0-9.,]+)")),
    (step("take_match", choice="last"), _last(r"#### (-?[0-9.,]+)")),
    (step("take_match_in_turn"), _either(_first(r"answer is \(?([A-J])\)?"), _first(r"\b([A-J])\b"))),
    (step("take_tag"), _last(r"(?is)<answer(?:\s[^<>]*)?>(.*?)</answer>")),
    (step("take_boxed"), _last(r"\\boxed\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")),
    (step("take_last_box"), _last(r"\\boxed\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")),
    (step("take_json", nothing="empty"), _whole_json),
    (step("take_json_field", nothing="empty"), _json_answer),
    (step("take_choice"), _last(LETTER)),
    (step("take_label"), _then(_first(r"(?i)\b(?:yes|no)\b"), str.lower)),
    (step("take_number"), _then(_last(NUMBER), _plain_number)),
    (step("take_number", choice="first"), _then(_first(NUMBER), _plain_number)),
    (step("require_text", nothing="empty"), _first(r"(?s).+")),
    (step("cut_at_stops", stops=("Question:", "\n\n", "####")), _first(r"(?s)\A.*?(?=Question:|\n\n|####|\Z)")),
    (step("strip_quotes"), _either(_first(r"(?s)\A\s*[\"'“‘«「](.*)[\"'”’»」]\s*\Z"), str)),
    (step("drop_final_stop"), _deleted(r"(?<![.])[.。]\s*\Z")),
    (step("take_fenced"), _either(_last(r"(?ms)^```[^\n]*\n(.*?)^```$"), str)),
)


def seconds(functions: Sequence[Plain], texts: Sequence[str], rounds: int = ROUNDS) -> list[float]:
    """Give the least processor time of some rounds over all texts for every function, in turn."""
    best = [float("inf")] * len(functions)
    for _ in range(rounds):
        for number, function in enumerate(functions):
            start = time.process_time()
            for text in texts:
                function(text)
            best[number] = min(best[number], time.process_time() - start)
    return best


def main() -> None:
    """Print seconds of both and their ratio, one step a line; a ratio up to 1 is not slower, and `alike` is the share of equal results."""
    count, rounds = (int(given) if given else usual for given, usual in zip((*sys.argv[1:3], "", ""), (OUTPUTS, ROUNDS), strict=False))
    texts = outputs(count)
    print(f"{len(texts):,} outputs of {sum(map(len, texts)) // len(texts):,} characters; seconds of the processor, best of {rounds}")
    print(f"{'step':<28}{'step':>8}{'re loop':>9}{'ratio':>7}{'alike':>8}")
    for own, plain in (pair for pair in PAIRS if pair[0].name in sys.argv[3:] or not sys.argv[3:]):
        mine, other = seconds((own.rule.apply, plain), texts, rounds)
        alike = sum(own.apply(text) == plain(text) for text in texts[:COMPARED]) / len(texts[:COMPARED])
        print(f"{' '.join(own.title.split()):<28.27}{mine:>8.3f}{other:>9.3f}{mine / other:>7.2f}{alike:>8.1%}", flush=True)


if __name__ == "__main__":
    main()
