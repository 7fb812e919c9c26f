"""The waterfall on Normalization: numbers that add up, charts that can be made, counts that open their items."""

import json

import numpy as np
import pytest

from evalcore import preset, score
from evalcore.analysis.contributions import contributions
from evalcore.data.read import sample
from pages.ui import charts
from pages.ui.waterfall import alone_and_left_out, in_order
from tests import pages


@pytest.mark.parametrize("name", ["squad_v1", "trimmed", "raw"])
@pytest.mark.parametrize("system", [0, 1])
def test_the_steps_add_up_and_each_is_what_scoring_without_it_gives(name, system):
    scores = score(sample().datasets[system], preset=name)
    found = contributions(scores)
    steps = scores.preset.pipeline.steps
    assert [one.step for one in found] == list(steps)
    if not found:
        return
    assert found[0].before == int((score(scores.dataset, preset=scores.preset.with_steps(())).em == 1).sum())
    assert [one.after for one in found[:-1]] == [one.before for one in found[1:]]
    assert found[-1].after == int((scores.em == 1).sum())
    for number, one in enumerate(found):
        without = score(scores.dataset, preset=scores.preset.with_steps((*steps[:number], *steps[number + 1 :]))).em == 1
        assert one.needed.tolist() == np.flatnonzero((scores.em == 1) & ~without).tolist()


def test_progress_stops_it():
    def stop(done: int, _: int) -> None:
        if done:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        contributions(score(["a"], [["a"]]), stop)


@pytest.mark.parametrize("colours", [charts.LIGHT, charts.DARK])
def test_the_charts_can_be_made(colours):
    found = contributions(score(sample().datasets[1], preset=preset("squad_v1")))
    odd = [tuple(one.gained[:1].tolist()) for one in found]
    made = json.dumps(in_order(found, odd, colours).to_dict())
    assert "≋ 1" in json.loads(made)["description"]
    assert "Drop articles" in json.dumps(alone_and_left_out(found, colours).to_dict())
    assert sum(len(one.gained) for one in found) >= np.sum([len(one) for one in odd])


def test_the_page_lists_what_every_step_contributes(monkeypatch):
    app = pages.opened("4_Normalization", monkeypatch, run="sample-bruno", preset="squad_v1")
    shown = pages.clickable(app, "waterfall")
    assert "1. Lower" in shown
    assert "lost when left out" in shown
    assert 'data-go="gained:' in shown
    app = pages.opened("4_Normalization", monkeypatch, run="sample-bruno", preset="raw")
    assert "Waterfall" not in pages.html(app)
