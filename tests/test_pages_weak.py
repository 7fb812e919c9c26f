"""Overview: weak groups, other measures, and intervals of items that belong together."""

import json
from html import escape

import pytest
from streamlit.testing.v1 import AppTest

import evalcore
from evalcore.analysis.aggregates import intervals
from evalcore.analysis.measures import MEASURES, measured
from evalcore.analysis.runs import cluster_labels
from evalcore.analysis.semantic import missing
from evalcore.analysis.slices import by_column, macro_row, slice_table, weak_slices
from evalcore.data import sample as load_sample
from pages.ui import work
from pages.ui.measures_view import worst
from pages.ui.store import kept_runs
from tests import pages
from tests.app import html, markdown, page, sample

BRUNO = load_sample().datasets[1]


WEAK, MEASURES_TOO, MEANING_TOO = "Look for weak groups", "Measure all items", "Measures of meaning, by a language model"


def switched_on(at: AppTest, label: str) -> AppTest:
    return pages.fine(next(toggle for toggle in at.toggle if toggle.label == label).set_value(True).run())


def planted() -> str:
    """Keep a run of which the group "<b>hard</b>" fares worse than the rest; 30 documents of six items."""
    wrong = {"<b>hard</b>": 2, "easy": 8}
    items = []
    for number in range(180):
        level = "<b>hard</b>" if number % 3 == 0 else "easy"
        answer = "x" if number % wrong[level] else "y $z$"
        items.append({"id": str(number), "prediction": answer, "references": ["x"], "level": level, "page": f"d{number // 6}"})
    return pages.kept(items)


def test_nothing_is_looked_for_unasked() -> None:
    at = sample()
    assert "Weak groups" in html(at)
    assert "Holm" not in html(at)
    assert "ROUGE-L" not in html(at)


def test_another_run_is_asked_for_anew() -> None:
    at = switched_on(sample(), MEASURES_TOO)
    assert "ROUGE-L" in html(at)
    at.query_params["run"] = "sample-anna"
    assert "ROUGE-L" not in html(pages.fine(at.run()))


def test_weak_groups_are_those_of_the_core_and_open_their_items() -> None:
    token = planted()
    at = switched_on(page("Overview", run=token), WEAK)
    shown = pages.clickable(at, "weak_table")
    found = weak_slices(evalcore.score(kept_runs().get(token).dataset, preset="squad_v1"))  # type: ignore[union-attr]
    assert found
    for weak in found:
        assert escape(weak.name) in shown
    assert "<b>hard" not in shown
    assert "Holm" in shown
    assert f'data-go="0" aria-label="list these items" title="list these items">{len(found[0].rows)}</span>' in shown


def test_without_a_weak_group_that_is_said() -> None:
    items = [{"id": str(number), "prediction": "x", "references": ["x" if number % 2 else "y"]} for number in range(60)]
    at = switched_on(page("Overview", run=pages.kept(items)), WEAK)
    assert "No group is worse than chance explains" in html(at)
    assert "Holm" in html(at)


def test_a_preset_without_em_has_no_weak_groups() -> None:
    at = sample(preset="longbench_qa_f1")
    assert "Weak groups" not in html(at)


def test_other_measures_are_those_of_the_core() -> None:
    at = switched_on(sample(), MEASURES_TOO)
    shown, scores = pages.clickable(at, "measures_table"), evalcore.score(BRUNO, preset="squad_v1")
    for name, measure in MEASURES.items():
        found = measured(scores, name)
        assert measure.title in shown
        assert f"<b>{100 * found.interval.estimate:.1f}</b>" in shown
        assert found.pooled is None or f">{100 * found.pooled:.1f}</td>" in shown
        assert f'data-go="{name}" aria-label="list the {len(worst(found))} items' in shown
    assert "Lower is better" in shown


def test_the_worst_items_come_first_and_perfect_ones_are_left_out() -> None:
    found = measured(evalcore.score(BRUNO, preset="squad_v1"), "cer")
    rows = worst(found)
    values = found.values[rows].tolist()
    assert values == sorted(values, reverse=True)
    assert min(values) > 0


def test_items_that_belong_together_widen_the_interval() -> None:
    token = planted()
    at = page("Overview", run=token)
    assert at.selectbox(key="keep:clusters").options == ["Intervals: every item for itself", "Intervals: items of one page together"]
    at = pages.fine(at.selectbox(key="keep:clusters").set_value("page").run())
    held = intervals(evalcore.score(kept_runs().get(token).dataset, preset="squad_v1"), "page")["em"]  # type: ignore[union-attr]
    assert f"{100 * held.low:.1f} – {100 * held.high:.1f} · 95 %" in html(at)
    assert "cluster" in html(at)
    scores = evalcore.score(kept_runs().get(token).dataset, preset="squad_v1")  # type: ignore[union-attr]
    rows = slice_table(scores, by_column("level", scores.dataset.metadata["level"]), cluster_labels(scores, "page"))
    at = pages.fine(at.selectbox(key="keep:slices way").set_value("level").run())
    for side in (rows[0].em, macro_row(rows).em):
        assert f"EM {100 * side.estimate:.1f} ({100 * side.low:.1f} – {100 * side.high:.1f})" in pages.clickable(at, "slices_forest")
    at.switch_page("pages/8_Report.py")
    assert pages.fine(at.run()).selectbox(key="keep:clusters").value == "page"
    assert pages.fine(at.run()).selectbox(key="keep:clusters").value == "page"


def test_where_no_text_repeats_nothing_is_asked() -> None:
    items = [{"id": str(number), "prediction": "x", "references": ["x"], "context": f"c{number}"} for number in range(40)]
    at = page("Overview", run=pages.kept(items))
    assert [box.key for box in at.selectbox if box.key == "keep:clusters"] == []


@pytest.mark.parametrize("asked", [WEAK, MEASURES_TOO])
def test_hostile_texts_show_as_typed(asked: str) -> None:
    items = [
        {"id": text * (number + 1), "prediction": text, "references": [text if number % 3 else "other"], text: f"{text}{number % 25}", "kind": text}
        for number in range(60)
        for text in pages.TYPED[:1]
    ]
    at = switched_on(page("Overview", run=pages.kept(json.loads(json.dumps(items)))), asked)
    assert "<script" not in html(at)
    assert f"Intervals: items of one {pages.TYPED[0]} together" in at.selectbox(key="keep:clusters").options
    assert pages.TYPED[0] not in markdown(at)


@pytest.mark.parametrize(("label", "said"), [(WEAK, "Holm"), (MEASURES_TOO, "ROUGE-L")])
def test_a_large_run_is_worked_on_beside_the_page(monkeypatch: pytest.MonkeyPatch, label: str, said: str) -> None:
    at = page("Overview", run=planted())
    monkeypatch.setattr(work, "AT_ONCE_ITEMS", 0)
    at = switched_on(at, label)
    while running := [job.thread for job in work.jobs() if job.thread is not None and job.running]:
        for thread in running:
            thread.join()
    assert said in html(pages.fine(at.run()))


@pytest.mark.skipif(not missing(), reason="long count: the extra semantic is installed")
def test_measures_of_meaning_are_off_and_say_what_to_install() -> None:
    at = switched_on(sample(), MEASURES_TOO)
    assert "BERTScore" not in html(at)
    assert not at.text_input
    at = switched_on(at, MEANING_TOO)
    assert "pip install" in html(at)
    assert "whymiss[semantic]" in html(at)
    assert "BERTScore" not in html(at)
