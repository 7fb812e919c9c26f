"""A scored folder as a run: what its pages show is what one run over all items shows."""

import json
import os
import re
import threading

import numpy as np
import pytest

import evalcore
from evalcore.analysis.reasons.table import CODES, REASONS
from evalcore.analysis.selection import EM_0, Selection, apply
from evalcore.engines.folder import score_folder
from evalcore.engines.local import Processes
from evalcore.engines.scored_folder import ScoredFolder
from evalcore.scoring.buckets import BUCKETS
from pages.ui import folders
from pages.ui.filters import REASON_CHIPS
from tests.app import HOSTILE, PAGES, html, markdown, page, press, query
from tests.test_engines import items, written
from tests.test_pages_overview import cell_counts

ALONE = {"Normalization", "Presets", "Compare", "Judge", "Report"}


def typed():
    """Give items whose every text is markup."""
    return [
        {"id": f"{text}{number}", "prediction": text, "references": [HOSTILE[number - 1]], "question": text, "note": f"{text}{number % 2}"}
        for number, text in enumerate(HOSTILE)
    ]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("folders")
    score_folder(str(written(root / "in", items(), 3)), root / "run", evalcore.preset("squad_v1"), engine=Processes(1))
    score_folder(str(written(root / "typed", typed(), 2)), root / "hostile", evalcore.preset("squad_v1"), engine=Processes(1), reasons=("en",))
    written(root / "guesses", [{"id": row["id"], "prediction": row["prediction"]} for row in typed()], 1)
    written(root / "golds", [{"id": row["id"], "references": row["references"]} for row in typed()], 2)
    (root / "golds" / "part-001.jsonl").write_bytes(b"\x00\x01 no lines of JSON")
    score_folder(str(root / "guesses"), root / "sides", evalcore.preset("squad_v1"), references=str(root / "golds"), engine=Processes(1))
    return root


@pytest.fixture(autouse=True)
def allowed(root, monkeypatch):
    monkeypatch.setenv(folders.VARIABLE, str(root))


@pytest.fixture
def run(root):
    """Give the folder, and the scores of one run over its items."""
    folder = ScoredFolder.open(root / "run")
    return folder, folder.scores(np.arange(len(folder)))


def opened(root, name, folder="run", **parameters):
    at = page(name, run=f"folder:{root / folder}", **parameters)
    assert not at.exception, [(error.message, error.stack_trace) for error in at.exception]
    return at


def ids(shown):
    return re.findall(r'class="wm-id" title="([^"]*)"', shown)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_on_a_folder(root, name):
    at = opened(root, name)
    assert ("Take some of them as a run of their own" in html(at)) == (name in ALONE)
    assert query(at)["run"] == f"folder:{root / 'run'}"


def test_home_opens_a_folder_by_its_path(root):
    at = page("Home")
    at.text_input(key="home_folder_path").set_value(str(root / "run"))
    at = press(at, "Open folder")
    assert not at.exception
    assert query(at)["run"] == f"folder:{root / 'run'}"
    assert "wm-strip" in html(at)


def test_home_lists_the_folders_it_was_told_of(root):
    assert [str(root / name) in html(page("Home")) for name in ("run", "hostile", "in")] == [True, True, False]


def test_home_without_allowed_folders_says_how(monkeypatch):
    monkeypatch.setenv(folders.VARIABLE, "")
    at = page("Home")
    assert "streamlit run app.py -- --folder OUT" in html(at)
    assert not [field for field in at.text_input if field.key == "home_folder_path"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("{root}/nothing", "there is no folder"),
        ("{root}/in", "is no scored folder"),
        ("/etc", "not among the folders"),
        ("{root}/../../..", "not among the folders"),
    ],
)
def test_a_path_that_cannot_be_opened_is_told(root, path, said):
    at = page("Home")
    at.text_input(key="home_folder_path").set_value(path.format(root=root))
    assert said in html(press(at, "Open folder"))


def test_a_link_out_of_the_allowed_folders_is_refused(root, tmp_path):
    outside = root / "way-out"
    outside.unlink(missing_ok=True)
    os.symlink(tmp_path, outside)
    at = page("Overview", run=f"folder:{outside}")
    assert "is not among the folders this server may open" in html(at)
    assert "wm-strip" not in html(at)


def test_the_overview_has_the_numbers_of_one_run(root, run):
    _, scores = run
    at = opened(root, "Overview")
    counted = cell_counts(html(at))
    for name, number in counted.items():
        bucket = name.lower().replace(" ", "_")
        assert number == len(apply(Selection(buckets=(bucket,)), scores))
    assert f"{100 * scores.summary().em:.2f}" in html(at)
    assert "Reasons were not looked for" in html(at)
    assert "Slices" in html(at)


def test_failures_lists_what_one_run_lists(root, run):
    _, scores = run
    at = opened(root, "Failures")
    expected = apply(Selection(buckets=EM_0), scores)
    assert ids(html(at)) == [scores.dataset.ids[row] for row in expected[:100]]
    at = opened(root, "Failures", show=json.dumps({"text": "a", "order": "id"}))
    expected = apply(Selection(text="a", order="id"), scores)
    assert ids(html(at)) == [scores.dataset.ids[row] for row in expected[:100]]
    assert f"<b>{len(expected):,}</b> of {len(scores):,} items" in html(at)


def test_failures_turns_pages(root, run):
    _, scores = run
    everything = Selection(buckets=BUCKETS, order="file")
    expected = apply(everything, scores)
    at = opened(root, "Failures", show=everything.to_json())
    at.session_state["keep:failures page"] = 2
    assert ids(html(at.run())) == [scores.dataset.ids[row] for row in expected[100:200]]


def test_a_pattern_that_is_none_is_told(root):
    at = opened(root, "Failures", show=json.dumps({"text": "(a", "pattern": True}))
    assert "the search pattern cannot be used" in html(at)


def test_failures_shows_what_was_found_so_far(root, run, held):
    folder, scores = run
    first, wanted = folder.parts[0].items, Selection(text="i1", order="file")
    at = opened(root, "Failures", show=wanted.to_json())
    expected = apply(wanted, scores)
    so_far = expected[expected < first]
    assert ids(html(at)) == [scores.dataset.ids[row] for row in so_far[:100]]
    assert f"<b>{len(so_far):,}</b> so far, among {first:,} items" in html(at)
    assert [bar.proto.text for bar in at.get("progress")] == [f"Searching: {first:,} of {len(folder):,} items"]
    assert not any("of this filter as a run" in button.label for button in at.button)
    open_item = opened(root, "Inspect", item=str(so_far[3]), show=wanted.to_json())
    assert f"4 of {len(so_far):,} found so far" in html(open_item)
    held.set()
    assert folders.opened(str(root / "run")).browser.is_ready(wanted)
    at.run()
    assert ids(html(at)) == [scores.dataset.ids[row] for row in expected[:100]]
    assert f"<b>{len(expected):,}</b> of {len(scores):,} items" in html(at)
    assert not at.get("progress")
    assert any("of this filter as a run" in button.label for button in at.button)
    assert f"4 of {len(expected):,} · " in html(open_item.run())


def test_a_search_without_anything_so_far_says_so(root, run, held):
    folder, scores = run
    first = folder.parts[0].items
    ids_first, ids_later = scores.dataset.ids.to_list()[:first], scores.dataset.ids.to_list()[first:]
    wanted = Selection(text=next(name for name in ids_later if not any(name in other for other in ids_first)))
    at = opened(root, "Failures", show=wanted.to_json())
    assert "Nothing so far." in html(at)
    threading.Timer(0.5, held.set).start()
    at = opened(root, "Inspect", show=wanted.to_json())
    assert f"<b>{wanted.text}</b>" in html(at)
    assert "found so far" not in html(at)


def test_inspect_shows_an_item_and_those_beside_it(root, run):
    _, scores = run
    shown = apply(Selection(buckets=EM_0), scores)
    at = opened(root, "Inspect", item=str(shown[5]), show=json.dumps({"buckets": list(EM_0)}))
    assert f"<b>{scores.dataset.ids[int(shown[5])]}</b>" in html(at)
    assert f"6 of {len(shown)}" in html(at)
    at = next(button for button in at.button if button.label == "Next").click().run()
    assert query(at)["item"] == str(shown[6])
    assert f"<b>{scores.dataset.ids[int(shown[6])]}</b>" in html(at)


def test_a_sample_is_an_ordinary_run(root):
    at = opened(root, "Normalization")
    at.number_input[0].set_value(50).run()
    at = press(at, "Open 50 of")
    assert not at.exception
    assert not query(at)["run"].startswith("folder:")
    assert "50 items" in html(at)


def test_the_items_of_a_filter_are_an_ordinary_run(root, run):
    _, scores = run
    chosen = Selection(buckets=EM_0, order="file")
    at = opened(root, "Failures", show=chosen.to_json())
    at = press(at, f"Open the {len(apply(chosen, scores))} of this filter")
    assert not at.exception
    assert cell_counts(html(at))["Match"] == 0


@pytest.mark.parametrize("name", PAGES)
def test_hostile_text_is_text(root, name):
    at = opened(root, name, "hostile")
    shown = html(at)
    assert "<script>alert" not in shown
    assert "![](http" not in markdown(at)


def test_reasons_are_counted_and_filter(root):
    at = opened(root, "Overview", "hostile")
    counts = ScoredFolder.open(root / "hostile").statistics.reasons
    assert list(counts.values()) == sorted(counts.values(), reverse=True)
    name, number = next(iter(counts.items()))
    at = opened(root, "Failures", "hostile", show=json.dumps({"reasons": [name]}))
    chips = [option.content for group in at.get("button_group") for option in group.proto.options]
    titles = [f"{REASONS[CODES[reason]].title} :gray[{count}]" for reason, count in list(counts.items())[:REASON_CHIPS]]
    assert [chip for chip in chips if chip in titles] == titles
    assert len(ids(html(at))) == number


def test_a_changed_folder_is_opened_again(root):
    before = folders.opened(str(root / "run"))
    assert folders.opened(str(root / "run")) is before
    later = (root / "run" / "manifest.json").stat().st_mtime_ns + 1_000_000
    os.utime(root / "run" / "manifest.json", ns=(later, later))
    assert folders.opened(str(root / "run")) is not before


@pytest.mark.parametrize("name", ["Home", "Overview"])
def test_files_of_references_that_could_not_be_read_are_shown(root, name):
    shown = html(opened(root, name, "sides"))
    assert "1 file was not read whole; the numbers are those of the others." in shown
    assert "references/part-001.jsonl: unreadable" in shown
    assert f"predictions without reference (not scored): {len(typed()) // 2}" in shown
