"""What the sampler gains over a simple random sample: python -m benchmarks.sampling [ROUNDS].

Human labels are the truth. Each round draws a sample of 100 items, takes
their labels as verdicts, and asks whether the interval holds the true
share of right answers, and how much narrower it is than Wilson's interval
of 100 items drawn at random.
"""

import csv
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from evalcore.analysis import sampling
from evalcore.analysis.reasons import find_reasons
from evalcore.analysis.reasons.families import by_family
from evalcore.analysis.sampling import BUDGET, Sample, Stratum, estimate, strata
from evalcore.analysis.verdicts import NONE, column_verdicts
from evalcore.dataset import Dataset
from evalcore.scoring.score import score
from evalcore.scoring.scores import Scores
from evalcore.scoring.statistics import wilson
from evalcore.text.columns import Texts

ROUNDS = 1000
SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")


@dataclass(frozen=True)
class Gain:
    """What many rounds showed."""

    truth: float
    covered: float
    width: float
    random_width: float
    bias: float

    @property
    def narrower(self) -> float:
        """Give the share by which the interval is narrower."""
        return 1 - self.width / self.random_width


def gain(groups: Sequence[Stratum], codes: np.ndarray, em: np.ndarray, rounds: int, seed: int = 3, budget: int = BUDGET) -> Gain:
    """Simulate judging many times."""
    rng = np.random.default_rng(seed)
    rows = np.concatenate([group.rows for group in groups])
    right = codes[rows] == 1
    truth, size = float(right.mean()), len(rows)
    covered, widths, random_widths, shares = 0, [], [], []
    for _ in range(rounds):
        sample = Sample.of(groups, budget, seed=int(rng.integers(2**31)))
        said = np.full(len(codes), NONE, dtype=np.int8)
        said[sample.rows] = codes[sample.rows]
        found = estimate(sample, said, em).interval
        covered += not found.excludes(truth)
        widths.append(found.width)
        shares.append(found.estimate)
        random_widths.append(wilson(int(rng.hypergeometric(right.sum(), size - right.sum(), budget)), budget).width)
    return Gain(truth, covered / rounds, float(np.mean(widths)), float(np.mean(random_widths)), float(np.mean(shares)) - truth)


def shared_folder() -> Path:
    """Give the folder of the shared data."""
    return Path(os.environ.get("WHYMISS_SHARED") or Path(__file__).parent.parent.parent / "shared") / "data"


def evouna(folder: Path) -> Iterator[tuple[str, Scores, np.ndarray]]:
    """Give the systems of EVOUNA TQ: scores, and the human labels as codes."""
    rows = json.loads((folder / "wangcunxiang+QA-Eval/EVOUNA/TQ.json").read_text(encoding="utf-8"))
    for system in SYSTEMS:
        kept = [row for row in rows if not row["improper"]]
        codes = column_verdicts(Texts.of([str(row[f"judge_{system}"]) for row in kept])).codes
        data = Dataset.of([row[f"answer_{system}"] for row in kept], [row["golden_answer"].split("/") for row in kept])
        labelled = np.flatnonzero(codes != NONE)
        yield f"EVOUNA TQ, {system}", score(data.take(labelled), preset="squad_v1"), codes[labelled]


def nq301(folder: Path) -> Iterator[tuple[str, Scores, np.ndarray]]:
    """Give the NQ301 answers with the labels of people."""
    base = folder / "ehsk+OpenQA-eval/data"
    with (base / "NQ301_human.tsv").open(encoding="utf-8", newline="") as human, (base / "NQ301_BEM.tsv").open(encoding="utf-8", newline="") as golden:
        labels, golds = list(csv.DictReader(human, delimiter="\t")), list(csv.DictReader(golden, delimiter="\t"))
    codes = column_verdicts(Texts.of([row["Acceptable?"] for row in labels])).codes
    data = Dataset.of([row["Model answer"] for row in labels], [row["Gold answers"].split(" | ") for row in golds])
    labelled = np.flatnonzero(codes != NONE)
    yield "NQ301, all systems", score(data.take(labelled), preset="squad_v1"), codes[labelled]


KINDS = tuple(name for name, _ in sampling.KINDS)
GUESSES = {
    "as in the app": None,
    "all one half": (0.5, 0.5, 0.5, 0.5, 0.5),
    "bolder": (0.99, 0.97, 0.8, 0.3, 0.03),
    "meeker": (0.85, 0.75, 0.6, 0.5, 0.3),
}


def guessed(groups: Sequence[Stratum], guesses: Sequence[float] | None) -> tuple[Stratum, ...]:
    """Give the same strata with other guesses, by kind."""
    if guesses is None:
        return tuple(groups)
    return tuple(replace(group, guess=guesses[KINDS.index(group.name.partition(":")[0])]) for group in groups)


def main(rounds: int = ROUNDS) -> None:
    """Print one table a set of guesses, with and without reasons."""
    folder = shared_folder()
    systems = [*evouna(folder), *nq301(folder)]
    reasons = [by_family(find_reasons(scores)) for _, scores, _ in systems]
    tables = [("by EM, F1 and reason; guesses as in the app", None, reasons)]
    tables += [(f"by EM and F1; guesses {name}", guesses, [None] * len(systems)) for name, guesses in GUESSES.items()]
    for name, guesses, splits in tables:
        print(f"\n**Strata {name}**\n\n| run | items | EM | right | covered | width | narrower than random | bias |\n|---|---:|---:|---:|---:|---:|---:|---:|")
        for (system, scores, codes), split in zip(systems, splits, strict=True):
            found = gain(guessed(strata(scores, split), guesses), codes, scores.em, rounds)
            figures = f"{100 * np.nanmean(scores.em):.1f} | {100 * found.truth:.1f} | {100 * found.covered:.1f} % | {100 * found.width:.1f}"
            print(f"| {system} | {len(codes):,} | {figures} | {100 * found.narrower:.0f} % | {100 * found.bias:+.2f} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
