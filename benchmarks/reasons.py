"""Reasons against human verdicts: the table that stands in docs/reasons.md.

    python -m benchmarks.reasons [--write] [--shared FOLDER] [--show]

Questions with an odd row number are those the rules were tuned on; the
figures to quote are the even ones.
"""

import argparse
import csv
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evalcore.analysis.reasons import REASONS, Reasons, find_reasons
from evalcore.dataset import Dataset, References
from evalcore.scoring.score import score
from evalcore.text.columns import Texts

ROOT = Path(__file__).parent.parent
SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
LIST_BEGIN, LIST_END = "<!-- reasons: begin -->", "<!-- reasons: end -->"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


@dataclass(frozen=True, eq=False)
class Judged:
    """A run with human verdicts: row number of the question, and whether people accept the answer."""

    name: str
    dataset: Dataset
    question_row: np.ndarray
    accepted: np.ndarray
    matcher: np.ndarray | None = None  # Verdicts of the learned matcher BEM, where the data has them.


def judged(name: str, rows: list[tuple[int, str, str, list[str], bool]], matcher: np.ndarray | None = None) -> Judged:
    """Build a run from (question row, question, prediction, references, accepted)."""
    dataset = Dataset(
        Texts.of([str(number) for number in range(len(rows))]),
        Texts.of([row[2] for row in rows]),
        References.of([row[3] for row in rows]),
        questions=Texts.of([row[1] for row in rows]),
    )
    return Judged(name, dataset, np.array([row[0] for row in rows]), np.array([row[4] for row in rows]), matcher)


def nq301(shared: Path) -> Judged:
    """Read NQ301: human verdicts from one file, references from its twin, in the same order."""
    folder = shared / "data" / "ehsk+OpenQA-eval" / "data"
    with (folder / "NQ301_human.tsv").open(encoding="utf-8", newline="") as human, (folder / "NQ301_BEM.tsv").open(encoding="utf-8", newline="") as twin:
        both = list(zip(csv.DictReader(human, delimiter="\t"), csv.DictReader(twin, delimiter="\t"), strict=True))
    pairs = [(row, other) for row, other in both if row["Question"] == other["Question"]]
    rows = [(int(row["id"]), row["Question"], row["Model answer"], other["Gold answers"].split(" | "), row["Acceptable?"] == "Yes") for row, other in pairs]
    return judged("NQ301", rows, np.array([other["Acceptable?"] == "Yes" for _, other in pairs]))


def triviaqa(shared: Path) -> Judged:
    """Read EVOUNA's TriviaQA: five systems, proper questions with a true or false label."""
    table = json.loads((shared / "data" / "wangcunxiang+QA-Eval" / "EVOUNA" / "TQ.json").read_text(encoding="utf-8"))
    rows = [
        (number, row["question"], row[f"answer_{system}"], row["golden_answer"].split("/"), row[f"judge_{system}"])
        for number, row in enumerate(table, 1)
        if not row["improper"]
        for system in SYSTEMS
        if isinstance(row[f"judge_{system}"], bool)
    ]
    return judged("TQ", rows)


def agreement(said: np.ndarray, right: np.ndarray) -> str:
    """Give precision, recall and F of a class against the accepted items."""
    hits = int((said & right).sum())
    precision, recall = hits / max(1, said.sum()), hits / max(1, right.sum())
    return f"{precision:.1%} | {recall:.1%} | {2 * precision * recall / max(1e-9, precision + recall):.3f}"


def figures(reasons: Reasons, run: Judged, part: np.ndarray) -> str:
    """Give the figures of the surface class, and how many items keep "different answer", of the accepted and the rejected ones."""
    failed = part & (reasons.codes >= 0)
    right, wrong = run.accepted & failed, ~run.accepted & failed
    different = reasons.codes == len(REASONS) - 1
    told, kept = int((right & ~different).sum()), int((wrong & different).sum())
    return (
        f"| {failed.sum()} | {right.sum()} | {agreement(reasons.is_surface & failed, right)} | {told / max(1, right.sum()):.1%} "
        f"| {kept / max(1, wrong.sum()):.1%} |"
    )


def parts(run: Judged) -> tuple[tuple[str, np.ndarray], ...]:
    """Give the parts of a run by row number: the odd ones were looked at, the even ones are quoted."""
    return ("odd", run.question_row % 2 == 1), ("even", run.question_row % 2 == 0), ("all", run.question_row > 0)


def pooled(runs: list[tuple[Judged, Reasons]]) -> Iterator[str]:
    """Give for both sets together how many accepted items get a telling reason, and how many rejected ones keep "different answer"."""
    for label in ("odd", "even", "all"):
        told = right = kept = wrong = 0
        for run, reasons in runs:
            failed = dict(parts(run))[label] & (reasons.codes >= 0)
            different = reasons.codes == len(REASONS) - 1
            told, right = told + int((failed & run.accepted & ~different).sum()), right + int((failed & run.accepted).sum())
            kept, wrong = kept + int((failed & ~run.accepted & different).sum()), wrong + int((failed & ~run.accepted).sum())
        yield f"| both | {label} | {right + wrong} | {right} | | | | {told / right:.1%} | {kept / wrong:.1%} |"


def tables(runs: list[tuple[Judged, Reasons]]) -> Iterator[str]:
    """Write the generated part of the page."""
    yield (
        "| data | questions | EM 0 | accepted | surface precision | surface recall | F | accepted: a reason other than different answer "
        "| rejected: different answer |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for run, reasons in runs:
        for label, part in parts(run):
            yield f"| {run.name} | {label} {figures(reasons, run, part)}"
    yield from pooled(runs)
    yield ""
    yield "The learned matcher BEM on the same items:"
    yield ""
    yield "| data | questions | precision | recall | F |"
    yield "|---|---|---|---|---|"
    for run, reasons in runs:
        for label, part in parts(run) if run.matcher is not None else ():
            failed = part & (reasons.codes >= 0)
            yield f"| {run.name} | {label} | {agreement(run.matcher & failed, run.accepted & failed)} |"
    yield ""
    yield "Items by main reason: accepted / rejected by people."
    yield ""
    yield "| reason | class | " + " | ".join(f"{run.name} odd | {run.name} even" for run, _ in runs) + " |"
    yield "|---|---|" + "---|---|" * len(runs)
    for code, reason in enumerate(REASONS):
        cells = []
        for run, reasons in runs:
            for parity in (1, 0):
                rows = (reasons.codes == code) & (run.question_row % 2 == parity)
                cells.append(f"{(rows & run.accepted).sum()} / {(rows & ~run.accepted).sum()}" if rows.any() else "")
        if any(cells):
            yield f"| {reason.title} | {reason.kind} | " + " | ".join(cells) + " |"


def generated(shared: Path) -> tuple[str, list[tuple[Judged, Reasons]]]:
    """Give the generated part of the page, and what it was made of."""
    runs = []
    for run in (nq301(shared), triviaqa(shared)):
        runs.append((run, find_reasons(score(run.dataset, preset="squad_v1"))))
    return "\n".join(tables(runs)), runs


def disagreements(run: Judged, reasons: Reasons) -> Iterator[str]:
    """List the odd questions where the class and the people disagree."""
    rows = np.flatnonzero((run.question_row % 2 == 1) & (reasons.codes >= 0) & (reasons.is_surface != run.accepted))
    assert run.dataset.questions is not None
    for row in rows.tolist():
        verdict = "accepted" if run.accepted[row] else "rejected"
        question, prediction = run.dataset.questions[row] or "", run.dataset.predictions[row] or ""
        yield f"{run.name} {REASONS[reasons.codes[row]].name} {verdict} | {question[:70]} | {prediction[:110]} | {run.dataset.references[row][:5]}"


def put(page: str, begin: str, end: str, text: str) -> str:
    """Put a generated part between its two marks."""
    before, _, rest = page.partition(begin)
    return f"{before}{begin}\n\n{text}\n\n{end}{rest.partition(end)[2]}"


def listed() -> str:
    """List all reasons in order."""
    rows = [f"| {number} | {reason.title} | {reason.kind} | {reason.summary} |" for number, reason in enumerate(REASONS, 1)]
    return "\n".join(("| | reason | class | what it says |", "|---|---|---|---|", *rows))


def main() -> None:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("WHYMISS_SHARED", ROOT.parent / "shared")))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--show", action="store_true", help="list the disagreements on odd questions")
    chosen = parser.parse_args()
    start = time.perf_counter()
    text, runs = generated(chosen.shared)
    if chosen.show:
        for run, reasons in runs:
            print("\n".join(disagreements(run, reasons)))
    if chosen.write:
        page = ROOT / "docs" / "reasons.md"
        source = put(page.read_text(encoding="utf-8"), BEGIN, END, text)
        page.write_text(put(source, LIST_BEGIN, LIST_END, listed()), encoding="utf-8")
    print(text)
    print(f"{time.perf_counter() - start:.1f} s for {sum(int((reasons.codes >= 0).sum()) for _, reasons in runs)} failed items")


if __name__ == "__main__":
    main()
