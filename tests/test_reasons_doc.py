"""docs/reasons.md: the generated parts are current, and the promised figures hold."""

import numpy as np
import pytest

from benchmarks import reasons as page
from evalcore.analysis.reasons import find_reasons
from evalcore.scoring.score import score
from tests.shared import shared

TEXT = (page.ROOT / "docs" / "reasons.md").read_text(encoding="utf-8")


def test_every_reason_is_listed():
    assert page.listed() in TEXT


def test_even_questions_of_nq301_hold_what_is_promised():
    run = page.nq301(shared())
    found = find_reasons(score(run.dataset, preset="squad_v1"))
    assert (found.codes >= 0).sum() == 1149
    assert (run.accepted & (found.codes >= 0)).sum() == 495
    even = (run.question_row % 2 == 0) & (found.codes >= 0)
    right = even & found.is_surface & run.accepted
    assert right.sum() / (even & found.is_surface).sum() >= 0.88
    assert right.sum() / (even & run.accepted).sum() >= 0.48
    assert f"| NQ301 | even {page.figures(found, run, run.question_row % 2 == 0)}" in TEXT


@pytest.mark.long
def test_the_tables_are_current():
    text, runs = page.generated(shared())
    assert text in TEXT
    failed = np.concatenate([found.codes >= 0 for _, found in runs])
    accepted = np.concatenate([run.accepted for run, _ in runs])
    different = np.concatenate([found.codes == len(page.REASONS) - 1 for _, found in runs])
    assert (failed & accepted & ~different).sum() / (failed & accepted).sum() >= 0.95
