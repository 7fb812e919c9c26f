"""Scoring against the official algorithms and other packages."""

import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

import evalcore
from benchmarks.algorithms import compute_score
from benchmarks.cases import CASES, SQUAD, Case
from benchmarks.data import Answers, short_answers
from benchmarks.measure import alternate, peak_above
from evalcore.dataset import Dataset, References
from evalcore.text.columns import Texts

TENTH = 10  # The slow algorithms see every tenth of the items; their time grows in step with them.


@dataclass(frozen=True)
class Ratio:
    """One line of the table: how many times the official speed, and our items a second from Arrow."""

    case: Case
    lists: float
    arrow: float
    official_items: float
    items: float

    @property
    def reached(self) -> float:
        """The smaller share of a goal."""
        return min(self.lists / self.case.lists, self.arrow / self.case.arrow)


def ratio_of(case: Case, items: int, repetitions: int) -> Ratio:
    """Measure one case on one thread, every repetition in turn; the numbers have to agree.

    Raises: AssertionError when EM or F1 differ from the official algorithm in the last digit.
    """
    count = max(100, int(items * case.share))
    answers = case.make(count)
    few = max(50, count // TENTH)
    sample = Answers(answers.predictions[:few], answers.references[:few])
    dataset = Dataset.of(answers.predictions, answers.references)
    official = compute_score(*sample, **case.official)
    summary = evalcore.score(*sample, preset=case.preset).summary()
    assert (summary.em, summary.f1) == official, f"{case.name}: {summary.em, summary.f1} is not {official}"
    seconds = alternate(
        {
            "official": lambda: compute_score(*sample, **case.official),
            "lists": lambda: evalcore.score(*answers, preset=case.preset, threads=1),
            "arrow": lambda: evalcore.score(dataset, preset=case.preset, threads=1),
        },
        repetitions,
    )
    slow = seconds["official"] / few
    return Ratio(case, slow * count / seconds["lists"], slow * count / seconds["arrow"], 1 / slow, count / seconds["arrow"])


def ratios(items: int, repetitions: int) -> Iterator[Ratio]:
    """Measure every case."""
    for case in CASES:
        yield ratio_of(case, items, repetitions)


def peers(items: int, repetitions: int) -> dict[str, float]:
    """Give the speed of what is installed, as times the official one."""
    answers = short_answers(items)
    runs: dict[str, Callable[[], object]] = {"official": lambda: compute_score(*answers), "whymiss": lambda: evalcore.score(*answers, threads=1)}
    for name, make in PEERS.items():
        if find_spec(name):
            runs[name] = make(answers)
    seconds = alternate(runs, repetitions)
    return {name: seconds["official"] / value for name, value in seconds.items()}


def _pandas(answers: Answers) -> Callable[[], object]:
    import pandas as pd

    def normalized(column: "pd.Series[str]") -> "pd.Series[str]":
        lowered = column.str.lower().str.replace(r"[!-/:-@\[-`{-~]", "", regex=True)
        return lowered.str.replace(r"\b(?:a|an|the)\b", " ", regex=True).str.split().str.join(" ")

    def run() -> object:
        frame = pd.DataFrame({"prediction": answers.predictions, "reference": answers.references}).explode("reference")
        equal = normalized(frame["prediction"]) == normalized(frame["reference"])
        return equal.groupby(level=0).max().mean()

    return run


def _torchmetrics(answers: Answers) -> Callable[[], object]:
    from torchmetrics.functional.text import squad

    predictions = [{"id": str(row), "prediction_text": text} for row, text in enumerate(answers.predictions)]
    targets = [{"id": str(row), "answers": {"answer_start": [0] * len(listed), "text": listed}} for row, listed in enumerate(answers.references)]
    return lambda: squad(predictions, targets)


def _lm_eval(answers: Answers) -> Callable[[], object]:
    from lm_eval.api.metrics import exact_match_hf_evaluate

    firsts = [listed[0] for listed in answers.references]
    return lambda: exact_match_hf_evaluate(predictions=answers.predictions, references=firsts, ignore_case=True, ignore_punctuation=True)


PEERS: dict[str, Callable[[Answers], Callable[[], object]]] = {"pandas": _pandas, "torchmetrics": _torchmetrics, "lm_eval": _lm_eval}
PEER_NAMES = {"pandas": "pandas `.str` (EM alone)", "torchmetrics": "torchmetrics `squad`", "lm_eval": "lm-evaluation-harness exact_match (first reference)"}


def growth(sizes: tuple[int, ...], repetitions: int) -> dict[int, float]:
    """Give microseconds an item at several sizes, one thread, from Arrow."""
    datasets = {size: repeated(size) for size in sizes}
    seconds = alternate({str(size): lambda data=data: evalcore.score(data, threads=1) for size, data in datasets.items()}, repetitions)  # type: ignore[misc]
    return {size: seconds[str(size)] / size * 1e6 for size in sizes}


def memory(items: int) -> int:
    """Give the bytes a run of this size takes at most above its loaded data, its scores included."""
    data = repeated(items)
    evalcore.score(data.take(range(1000)))
    gc.collect()
    return peak_above(lambda: evalcore.score(data))


def repeated(items: int, distinct: int = 20_000) -> Dataset:
    """Make a large dataset out of a smaller one, over and over."""
    answers = short_answers(min(items, distinct))
    part = Dataset.of(answers.predictions, answers.references)
    times = -(-items // len(part))
    counts = [part.references.counts()] * times
    offsets = np.concatenate(([0], np.cumsum(np.concatenate(counts))))
    whole = Dataset(Texts.numbers(len(part) * times), Texts.join([part.predictions] * times), References(Texts.join([part.references.texts] * times), offsets))
    return whole if len(whole) == items else whole.take(np.arange(items))


def threads(items: int, repetitions: int) -> float:
    """Give how many times faster two threads are than one."""
    data = repeated(items)
    seconds = alternate({"one": lambda: evalcore.score(data, threads=1), "two": lambda: evalcore.score(data, threads=2)}, repetitions)
    return seconds["one"] / seconds["two"]


def toggled(items: int) -> float:
    """Give the seconds from one changed step to new scores, on the loaded dataset."""
    data = repeated(items)
    evalcore.score(data, preset=SQUAD)
    changed = SQUAD.with_steps(SQUAD.pipeline.steps[:1] + SQUAD.pipeline.steps[2:])
    start = time.perf_counter()
    evalcore.score(data, preset=changed)
    return time.perf_counter() - start


def preset_speeds(items: int) -> dict[str, tuple[float, str]]:
    """Give items a second of every preset, and why a slow one is slow."""
    answers = short_answers(items)
    data = Dataset.of(answers.predictions, answers.references)
    speeds = {}
    for preset in evalcore.presets():
        if preset.missing_resources:
            continue
        evalcore.score(data.take(range(50)), preset=preset)
        start = time.perf_counter()
        evalcore.score(data, preset=preset, threads=1)
        speeds[preset.name] = (items / (time.perf_counter() - start), preset.slow_because)
    return speeds
