"""The Compare page: two runs, two settings, many runs, other items."""

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape

import pytest
from streamlit.testing.v1 import AppTest

import evalcore
from evalcore import compare
from evalcore.analysis.runs import cluster_labels, compare_runs
from evalcore.data import sample as load_sample
from pages.ui.store import kept_runs
from tests import pages
from tests.app import html, markdown, page, press, sample


def both() -> evalcore.Comparison:
    return compare(*(evalcore.score(data, preset="squad_v1") for data in load_sample().datasets))


def box(at: AppTest, key: str):  # type: ignore[no-untyped-def]
    return at.selectbox(key=f"keep:compare {key}")


def counts(at: AppTest) -> dict[str, int]:
    shown = pages.clickable(at, "compare_tile")
    return {name: int(number.replace(",", "")) for name, number in re.findall(r'<div class="wm-(\w+)"><span class="wm-fig">(?:<span[^>]*>)?([\d,]+)', shown)}


def several(*answers: Sequence[str], ids: Sequence[str] = "abcdef") -> AppTest:
    """Open Compare in a session that holds one run a list of answers; the last one is active."""
    runs = [[{"id": name, "prediction": text, "references": ["x"]} for name, text in zip(ids, texts, strict=False)] for texts in answers]
    at = page("Compare", run=pages.kept(runs[0]))
    for rows in runs[1:]:
        at.query_params["run"] = pages.kept(rows)
        at.run()
    return at


def test_without_a_run_one_hint_leads_home() -> None:
    at = page("Compare")
    assert not at.exception
    assert "Nothing is loaded yet" in html(at)
    assert "wm-two-by-two" not in html(at)


def test_items_that_belong_together_are_drawn_together() -> None:
    runs = [
        [{"id": str(n), "question": f"q{n}", "prediction": "x" if n % wrong else "y", "references": ["x"], "page": f"d{n // 4}"} for n in range(120)]
        for wrong in (3, 5)
    ]
    tokens = [pages.kept(rows) for rows in runs]
    at = page("Compare", run=tokens[0])
    at.query_params["run"] = tokens[1]
    at = pages.fine(at.run())
    before, after = (evalcore.score(kept_runs().get(token).dataset, preset="squad_v1") for token in tokens)  # type: ignore[union-attr]
    assert "McNemar" in html(at)
    at = pages.fine(at.selectbox(key="keep:clusters").set_value("page").run())
    told = replace(compare(before, after), clusters=cluster_labels(after, "page"))
    assert "McNemar" not in html(at)
    assert "of 30 clusters" in html(at)
    assert told.sentence in html(at)


def test_two_runs_are_compared_as_the_core_does() -> None:
    at, found = sample("Compare"), both()
    assert not at.exception
    shown = html(at)
    assert counts(at) == {
        "both_right": len(found.both_right),
        "broken": len(found.broken),
        "fixed": len(found.fixed),
        "both_wrong": len(found.both_wrong),
    }
    assert escape(found.sentence) in shown
    assert all(escape(caution) in shown for caution in found.cautions)
    for measure in ("em", "f1", "precision", "recall"):
        effect = found.effect(measure)
        assert f'<td class="wm-n">{100 * effect.before:.2f}</td><td class="wm-n">{100 * effect.after:.2f}</td>' in shown
    assert "exact McNemar" in shown
    assert "seed" in shown


def test_each_number_lists_its_items() -> None:
    at, found = sample("Compare"), both()
    for name, rows in (("fixed", found.fixed), ("broken", found.broken), ("only_before", found.only_before)):
        box(at, "list").set_value(name).run()
        assert not at.exception
        listed = re.findall(r'<tr data-row data-go="(\d+)"', pages.clickable(at, "compare_items"))
        assert set(map(int, listed)) <= set(rows.tolist())
        assert len(listed) == min(20, len(rows))


def test_a_changed_count_is_sent_to_the_box_that_shows_it() -> None:
    """The browser keeps a choice by its words, and would go on showing the old count."""
    at = sample("Compare", preset="squad_v1", steps='{"steps": [], "rules": {}}')
    at = pages.fine(box(at, "list").set_value("both_wrong").run())
    assert not box(at, "list").proto.set_value
    before = counts(at)["both_wrong"]
    at = pages.fine(box(at, "after settings").set_value("pinned").run())
    now = counts(at)["both_wrong"]
    assert now < before
    assert (box(at, "list").value, box(at, "list").proto.raw_value) == ("both_wrong", f"both wrong ({now})")
    assert not box(pages.fine(at.run()), "list").proto.set_value


def test_the_items_open_on_failures_in_the_run_after() -> None:
    at, found = sample("Compare"), both()
    box(at, "list").set_value("fixed").run()
    at = press(at, "Open these")
    assert not at.exception
    assert at.session_state["whymiss"]["selection"].rows == tuple(found.after_rows[found.fixed].tolist())
    assert "<h1>Failures</h1>" in html(at)


def test_one_run_and_the_same_settings_ask_for_another_side() -> None:
    at = several(["x", "y"])
    assert not at.exception
    assert "Both sides are the same run under the same settings" in html(at)
    assert "wm-two-by-two" not in html(at)


def test_two_settings_of_one_run_name_what_differs() -> None:
    steps = '{"steps": [], "rules": {}}'
    at = sample("Compare", preset="squad_v1", steps=steps)
    for side in ("before", "after"):
        box(at, f"{side} run").set_value(box(at, "after run").value)
    box(at, "before settings").set_value("pinned")
    at.run()
    assert not at.exception
    data = load_sample().datasets[1]
    changed = evalcore.preset("squad_v1").with_steps(())
    found = compare(evalcore.score(data, preset="squad_v1"), evalcore.score(data, preset=changed))
    assert counts(at)["broken"] == len(found.broken)
    assert "The two sides are scored under different settings" in html(at)
    assert "drop_articles" in html(at)


def test_other_runs_under_other_settings_can_be_put_under_one() -> None:
    at = sample("Compare", preset="squad_v1", steps='{"steps": [], "rules": {}}')
    box(at, "before settings").set_value("pinned").run()
    assert "scored under different settings" in html(at)
    at = press(at, "Score both under the settings in force")
    assert not at.exception
    assert "scored under different settings" not in html(at)
    assert box(at, "before settings").value == "force"


def test_runs_with_other_items_are_compared_on_the_common_ones_and_the_rest_is_listed() -> None:
    at = several(["x", "x", "y"])
    rows = [{"id": name, "prediction": "x", "references": ["x"]} for name in "bcz"]
    at.query_params["run"] = pages.kept(rows)
    at.run()
    assert not at.exception
    assert sum(counts(at).values()) == 2
    assert "1 item is only in the run before" in html(at)
    assert "1 item is only in the run after" in html(at)
    box(at, "list").set_value("unmatched_after").run()
    assert not at.exception
    assert re.findall(r'<tr data-row data-go="(\d+)"', pages.clickable(at, "compare_alone")) == ["2"]


def test_runs_without_a_common_item_say_so() -> None:
    at = several(["x"], ids="a")
    at.query_params["run"] = pages.kept([{"id": "b", "prediction": "x", "references": ["x"]}])
    at.run()
    assert not at.exception
    assert "have no id in common" in html(at)


def test_more_than_two_runs_stand_in_one_table_with_corrected_tests() -> None:
    answers = (["x"] * 5 + ["y"], ["y"] * 6, ["x", "y"] * 3)
    at = several(*answers)
    assert not at.exception
    shown = html(at)
    assert "All runs" in shown
    scores = [evalcore.score(list(texts), [["x"]] * 6) for texts in answers]
    table = compare_runs(scores)
    pairs = re.findall(r"<td>typed\.jsonl \(\d\)</td><td>typed\.jsonl \(\d\)</td>", shown)
    assert len(pairs) == len(table.pairs) == 3
    for row in table.runs:
        assert f">{100 * row.interval.estimate:.2f}<" in shown


@pytest.mark.parametrize("name", ["popqa", "longbench_qa_f1", "simple_evals.math_extract"])
def test_presets_without_a_number_leave_it_out(name: str) -> None:
    at = sample("Compare", preset=name)
    assert not at.exception
    shown = html(at)
    assert ">nan<" not in shown.lower()
    assert ("containment" in shown) == (name == "popqa")


def test_slices_list_every_group_with_its_difference() -> None:
    at = sample("Compare")
    box(at, "way").set_value("language").run()
    assert not at.exception
    shown = pages.clickable(at, "compare_slices")
    languages = set(load_sample().datasets[0].metadata["language"].to_list())
    assert languages <= set(re.findall(r'<span class="wm-free wm-short" dir="auto">([^<]*)</span>', shown))


def test_hostile_texts_show_as_typed() -> None:
    token = pages.typed_run()
    rows = [{"id": f"{text}{number}", "prediction": text, "references": [text], "question": text} for number, text in enumerate(pages.TYPED)]
    at = page("Compare", run=token)
    at.query_params["run"] = pages.kept(rows)
    at.run()
    assert not at.exception
    shown = html(at)
    assert "<script" not in shown
    assert "<img" not in shown
    for text in pages.TYPED:
        assert text not in markdown(at)
    assert any(escape(text) in shown for text in pages.TYPED)
