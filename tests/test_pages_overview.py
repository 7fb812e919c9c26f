"""Overview: the numbers, the lanes, the cells."""

import json
import re
from html import escape, unescape
from itertools import pairwise
from urllib.parse import parse_qsl

import numpy as np
import pytest

import evalcore
from evalcore.analysis.aggregates import intervals, missed
from evalcore.analysis.lanes import INNER, lanes
from evalcore.analysis.reasons import find_reasons
from evalcore.analysis.selection import Selection, apply
from evalcore.analysis.slices import slice_table, slicings
from evalcore.data import sample as load_sample
from evalcore.scoring.buckets import BUCKETS, bucket_codes
from pages.ui import links
from pages.ui.charts import DARK, LIGHT, bar_span, bars_between, two_lanes
from tests import pages
from tests.app import HOSTILE, ROOT, html, markdown, page, press, sample, upload


def bruno() -> evalcore.Scores:
    return evalcore.score(load_sample().datasets[1], preset="squad_v1")


def cell_counts(shown: str) -> dict[str, int]:
    """Read the table of cells."""
    rows = re.findall(r'class="wm-dot[^"]*"[^>]*></span>([^<]+)</span></td><td>.*?</td><td class="wm-n">(?:<span[^>]*>)?([\d,]+)', shown)
    return {name: int(number.replace(",", "")) for name, number in rows}


def test_without_a_run_one_hint_leads_home() -> None:
    at = page("Overview")
    assert not at.exception
    assert "Nothing is loaded yet" in html(at)
    assert "wm-strip" not in html(at)


def test_strip_shows_the_core_numbers() -> None:
    shown, summary = html(sample()), bruno().summary()
    for value in (summary.em, summary.f1, summary.precision, summary.recall, summary.em_first_reference):
        assert f'<div class="wm-fig">{100 * value:.2f}' in shown
    assert f"{summary.exact} of {summary.scored} exact" in shown
    assert "5 no references, 1 no prediction" in shown


def test_cells_count_the_buckets_of_the_core() -> None:
    codes = bucket_codes(bruno()).tolist()
    counted = {name: codes.count(number) for number, name in enumerate(BUCKETS)}
    assert cell_counts(html(sample())) == {
        "Match": counted["match"],
        "Empty match": counted["empty_match"],
        "Near miss": counted["near_miss"],
        "Partial": counted["partial"],
        "Miss": counted["miss"],
        "Unscored": counted["unscored"],
    }


def test_numbers_of_the_tables_open_exactly_their_items() -> None:
    scores = bruno()
    codes = find_reasons(scores).codes
    found = re.findall(r'data-go="Failures\?([^"]+)"[^>]*>([\d,]+)</span>', html(sample()))
    assert len(found) > 12
    for encoded, number in found:
        selection = links.selection_of(dict(parse_qsl(unescape(encoded))))
        assert selection is not None
        assert len(apply(selection, scores, codes)) == int(number.replace(",", ""))


def test_threshold_of_the_filter_moves_the_cells() -> None:
    shown = html(sample(show=Selection(near=0.5).to_json()))
    assert "F1 ≥ 0.5" in shown
    assert cell_counts(shown)["Near miss"] == bucket_codes(bruno(), 0.5).tolist().count(BUCKETS.index("near_miss"))


def test_delta_stands_against_the_pinned_settings() -> None:
    steps = json.dumps({"steps": [], "rules": {}})
    assert "wm-delta" not in html(sample())
    assert 'wm-delta wm-down">−' in html(sample(preset="squad_v1", steps=steps))


def test_reading_text_is_the_document() -> None:
    at = sample()
    titles = re.findall(r"^## (.+)$", (ROOT / "docs" / "metrics.md").read_text("utf-8"), re.MULTILINE)
    assert len(titles) >= 6
    assert set(titles) <= {expander.label for expander in at.expander}
    for said in ("reasoning", "strict accuracy", "ROUGE", "teacher forcing"):
        assert said in markdown(at)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_texts_show_as_typed(hostile: str) -> None:
    rows = "".join(json.dumps({"id": f"{hostile}{n}", "prediction": f"{hostile} one", "answers": [f"two {hostile}"]}) + "\n" for n in range(3))
    at = press(upload(page("Home"), (f"{hostile.replace('/', '')}.jsonl", rows.encode())), "Score 3 items")
    assert not at.exception
    assert hostile not in markdown(at)
    assert "<script" not in html(at)
    assert "<img" not in html(at)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
@pytest.mark.parametrize("near", [0.05, 0.8, 1.0])
def test_chart_is_valid_and_small(colours: object, near: float) -> None:
    chart = two_lanes(lanes(bruno(), near), colours).to_dict()  # type: ignore[arg-type]
    assert len(json.dumps(chart)) < 60_000
    assert [parameter["name"] for parameter in chart["params"]] == ["f1", "bar"]


@pytest.mark.parametrize("scores", [evalcore.score([], []), evalcore.score(["a"], [["a"]]), evalcore.score([None], [["a"]])])
def test_chart_of_next_to_nothing_is_valid(scores: evalcore.Scores) -> None:
    assert two_lanes(lanes(scores), LIGHT).to_dict()["layer"]


def test_match_bar_is_cut_only_where_it_would_dwarf_the_rest() -> None:
    many = evalcore.score(["x"] * 900 + ["y"] * 4, [["x"]] * 904)
    few = evalcore.score(["x"] * 5 + ["y"] * 4, [["x"]] * 9)
    tops = []
    for scores in (many, few):
        values = two_lanes(lanes(scores), LIGHT).to_dict()["layer"][0]["data"]["values"]
        tops.append(max(segment["top"] for segment in values))
    assert tops[0] < 30 / 2
    assert tops[1] == pytest.approx(5**0.5)


def test_bars_stand_side_by_side_and_a_range_finds_them() -> None:
    spans = [bar_span(place) for place in range(INNER + 2)]
    assert all(left[1] < right[0] for left, right in pairwise(spans))
    assert bars_between(-1, 2) == (0, INNER + 1)
    assert bars_between(0.8, 1.0) == (17, INNER)
    assert bars_between(-0.1, 0.0) == (0, 0)
    assert bars_between(0.501, 0.502) is None


def test_intervals_stand_under_the_numbers_and_say_how_they_were_made() -> None:
    shown, found = html(sample()), intervals(bruno())
    for interval in found.values():
        assert f"{100 * interval.low:.1f} – {100 * interval.high:.1f} · 95 %" in shown
    assert "EM by Wilson; F1, precision, recall by bootstrap, 2000 resamples, seed" in shown


@pytest.mark.parametrize(
    ("name", "first", "lacks"),
    [("popqa", "Containment", "no F1 in this preset"), ("longbench_qa_f1", "Token F1", "no EM in this preset"), ("dpr_fid_has_answer", "Has answer", "no F1")],
)
def test_the_presets_own_score_stands_first_and_what_it_lacks_is_said(name: str, first: str, lacks: str) -> None:
    at = sample(preset=name)
    assert not at.exception
    shown = html(at)
    figures = re.findall(r'wm-label">([^<]*)</div><div class="wm-fig">([^<]*)', shown)
    assert figures[0][0] == first
    assert figures[0][1] == f"{100 * float(np.nanmean(evalcore.score(load_sample().datasets[1], preset=name).score)):.2f}"
    assert lacks in shown
    assert "nan" not in shown.lower()
    side = shown.split('class="wm-side"')[1]
    assert (" · EM " in side) is False


def test_sides_without_a_number_are_left_out_of_cells_and_groups() -> None:
    shown = html(sample(preset="popqa"))
    assert "Near miss" not in shown
    assert "containment 1" in shown
    assert "Token F1 of every group" not in shown
    groups = html(sample(preset="longbench_qa_f1")).split('class="wm-forest"')[1]
    assert "wm-fei" not in groups
    assert "wm-ffi" in groups


def test_groups_are_counted_as_the_core_counts_them() -> None:
    scores = bruno()
    at = sample()
    at.selectbox(key="keep:slices way").set_value("language").run()
    assert not at.exception
    shown = html(at).split('class="wm-forest"')[1]
    for row in slice_table(scores, next(slicing for slicing in slicings(scores.dataset) if slicing.name == "language")):
        wrong = len(missed(scores, row))
        line = re.search(rf'<div class="wm-fr([^"]*)" role="row"><span class="wm-fl"[^>]*><span[^>]*>{re.escape(row.label)}<.*?</div>', shown)
        assert line is not None
        assert f">{len(row.rows)}</span>" in line[0]
        assert (f">{wrong}</span>" in line[0]) or not wrong
        assert f'<span class="wm-fn" role="cell">{100 * row.em.estimate:.1f}</span>' in line[0]
        assert ("wm-small" in line[1]) == row.small


def test_answerable_items_are_split_under_squad_v2_alone() -> None:
    assert "has no answer" in html(sample(preset="squad_v2"))
    assert "has no answer" not in html(sample(preset="squad_v1"))


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_group_names_show_as_typed(hostile: str) -> None:
    rows = "".join(json.dumps({"id": str(n), "prediction": "x", "answers": ["x"], hostile: hostile if n % 2 else "other"}) + "\n" for n in range(4))
    at = press(upload(page("Home"), ("a.jsonl", rows.encode())), "Score 4 items")
    assert hostile in at.selectbox(key="keep:slices way").options
    at.selectbox(key="keep:slices way").set_value(hostile).run()
    assert not at.exception
    assert f">{escape(hostile)}</span>" in html(at)
    assert hostile not in markdown(at)
    assert "<script" not in html(at)


def test_the_gap_between_em_and_f1_is_told_by_its_sign() -> None:
    for prediction, reference, told in (("the", "a", "F1 is 100.00 points below EM"), ("red cat", "red", "F1 is 66.67 points above EM"), ("cat", "cat", "")):
        at = page("Overview", run=pages.kept([{"id": "1", "prediction": prediction, "references": [reference]}]), preset="squad_v1")
        assert re.findall(r"F1 is [\d.]+ points \w+ EM", html(at)) == ([told] if told else [])
