"""Measure, print the table, and write it into docs/performance.md.

python -m benchmarks            everything (about a quarter of an hour)
python -m benchmarks --quick    the ratios alone, under a minute; fails when one stays under half of its goal three times
python -m benchmarks --write    everything, and into the docs
"""

import argparse
import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import numba
import numpy
import pyarrow

from benchmarks import scoring
from benchmarks.cases import CASES
from benchmarks.command_line import end_to_end, trace_seconds
from benchmarks.loading import loading

DOCS = Path(__file__).parents[1] / "docs" / "performance.md"
START, END = "<!-- measured: begin -->", "<!-- measured: end -->"
TRIES = 3


def main() -> int:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Speed as ratios measured in one run.")
    parser.add_argument("--quick", action="store_true", help="small sizes; exit status 1 when a ratio stays under half of its goal three times")
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")
    parser.add_argument("--items", type=int, default=100_000, help="items a case (default 100000)")
    parser.add_argument("--repetitions", type=int, default=7)
    chosen = parser.parse_args()
    if chosen.quick:
        return quick()
    lines = []
    for line in report(chosen.items, chosen.repetitions):
        print(line, flush=True)
        lines.append(line)
    if chosen.write:
        write(lines)
    return 0


def quick() -> int:
    """Measure small samples; a case gets three tries to reach half of its goals."""
    failed = []
    print(*header(), sep="\n", flush=True)
    for case in CASES:
        for _ in range(TRIES):
            ratio = scoring.ratio_of(case, 10_000, 3)
            print(row(ratio), flush=True)
            if ratio.reached >= 0.5:
                break
        else:
            failed.append(case.name)
    if failed:
        print(f"under half of the goal {TRIES} times in a row: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def header() -> tuple[str, str]:
    """Give the head of the table of ratios."""
    return "| settings, data | from lists | goal | from Arrow | goal | official, items/s | ours, items/s |", "|---|---|---|---|---|---|---|"


def row(ratio: scoring.Ratio) -> str:
    """Give one line of the table of ratios."""
    case = ratio.case
    return f"| {case.name} | {ratio.lists:.1f}x | {case.lists:g}x | {ratio.arrow:.1f}x | {case.arrow:g}x | {ratio.official_items:,.0f} | {ratio.items:,.0f} |"


def machine() -> str:
    """Say on what kind of machine the figures were measured."""
    kind = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{kind}, Python {platform.python_version()}, numba {numba.__version__}, NumPy {numpy.__version__}, pyarrow {pyarrow.__version__}"


def report(items: int, repetitions: int) -> Iterator[str]:
    """Give the lines of the full report as they are measured."""
    yield f"{machine()}. {items:,} items, one thread, median of {repetitions} alternating repetitions; x is times the official algorithm."
    yield ""
    yield from header()
    for ratio in scoring.ratios(items, repetitions):
        yield row(ratio)
    yield ""
    yield "| EM + F1 of 20,000 items | times the official algorithm |"
    yield "|---|---|"
    for name, value in scoring.peers(20_000, 3).items():
        yield f"| {scoring.PEER_NAMES.get(name, name)} | {value:.1f}x |"
    yield ""
    yield "| what | measured | goal |"
    yield "|---|---|---|"
    sizes = scoring.growth((10_000, 100_000, 1_000_000), 5)
    shown = ", ".join(f"{time:.2f} µs at {size:,}" for size, time in sizes.items())
    yield f"| time an item | {shown} | largest over smallest within 1.3: {max(sizes.values()) / min(sizes.values()):.2f} |"
    yield f"| peak memory above the loaded data, 1,000,000 items | {scoring.memory(1_000_000) / 1e6:.0f} MB | 200 MB |"
    yield f"| two threads over one, 200,000 items | {scoring.threads(200_000, 5):.2f}x | |"
    yield f"| scores after one changed step, 100,000 items | {scoring.toggled(100_000):.2f} s | |"
    loaded = loading(50, 3)
    yield f"| JSONL of 50 MB to a dataset, over an `orjson.loads` loop | {loaded['JSONL']:.2f}x | 1.5x |"
    yield f"| CSV of 50 MB to a dataset, over pandas reading text | {loaded['CSV']:.2f}x | 1x |"
    ours, official = end_to_end(1_000_000, 10_000, 3)
    yield f"| 1,000,000 items from Parquet to the printed table, over the official algorithm on 10,000 | {ours / official:.1f} times its time | under 10 |"
    yield f"| trace of an answer of 20,000 characters | {trace_seconds(5) * 1000:.0f} ms | 1 s |"
    yield ""
    yield "| preset | items/s, one thread, short English answers | what runs in Python |"
    yield "|---|---|---|"
    for name, (speed, reason) in scoring.preset_speeds(5_000).items():
        yield f"| `{name}` | {speed:,.0f} | {reason} |"


def write(lines: list[str], start: str = START, end: str = END) -> None:
    """Put the measured lines between their marks in the docs."""
    text = DOCS.read_text(encoding="utf-8")
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    DOCS.write_text(f"{before}{start}\n\n" + "\n".join(lines) + f"\n\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
