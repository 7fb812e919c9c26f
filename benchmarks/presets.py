"""Items a second of every preset, beside the official algorithm: python -m benchmarks.presets [ITEMS] [NAME ...]."""

import sys
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import evalcore
from benchmarks.data import Answers, chinese_answers, short_answers
from benchmarks.official import compute_score
from evalcore.scoring.preset import Preset

ITEMS = 10_000
TRIES = 3
PLATEAU = 10.0  # What three rewrites in plain Python reached, against the official algorithm.


class Speed(NamedTuple):
    """One preset: items a second, and how often the official algorithm's."""

    preset: str
    items: float
    ratio: float
    reason: str

    @property
    def needs_a_reason(self) -> bool:
        return self.ratio < PLATEAU and not self.reason


def seconds(work: Callable[[], object]) -> float:
    """Give the shortest of a few tries."""

    def once() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return min(once() for _ in range(TRIES))


def speeds(names: list[str], items: int) -> Iterator[Speed]:
    """Measure presets from Python lists, on answers of their language, official algorithm and preset in turn."""
    english, chinese = short_answers(items), chinese_answers(items)
    for preset in map(evalcore.preset, names):
        answers, cut = (chinese, list) if preset.languages == ("zh",) else (english, str.split)
        evalcore.score(answers.predictions[:200], answers.references[:200], preset=preset)
        official = seconds(lambda answers=answers, cut=cut: compute_score(*answers, cut=cut))
        own = seconds(lambda answers=answers, preset=preset: scored(answers, preset))
        yield Speed(preset.name, items / own, official / own, preset.slow_because)


def scored(answers: Answers, preset: Preset) -> evalcore.Scores:
    return evalcore.score(answers.predictions, answers.references, preset=preset, threads=1)


def main(arguments: list[str]) -> None:
    """Print the table, and the presets that are below the plateau and name no reason."""
    items = int(arguments.pop(0)) if arguments and arguments[0].isdigit() else ITEMS
    print("| preset | items/s | x official | not compiled |\n|---|---:|---:|---|")
    unexplained = []
    for speed in speeds(arguments or [preset.name for preset in evalcore.presets()], items):
        print(f"| {speed.preset} | {speed.items:,.0f} | {speed.ratio:.1f} | {speed.reason} |", flush=True)
        unexplained += [speed.preset] if speed.needs_a_reason else []
    print(f"\nbelow {PLATEAU:g} x official without a reason: {', '.join(unexplained) or 'none'}")


if __name__ == "__main__":
    main(sys.argv[1:])
