"""Pages of a scored folder: what is found in its files is what one run over all items gives, also while a search is under way."""

import shutil
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evalcore
from evalcore.analysis.reasons.find import reasons_alone
from evalcore.analysis.reasons.table import CODES, REASONS
from evalcore.analysis.selection import EM_0, ORDERS, F1Range, Selection, SelectionError, apply, bucket_counts
from evalcore.data import DataError
from evalcore.engines.browse import Browser
from evalcore.engines.conditions import Query
from evalcore.engines.database import Database
from evalcore.engines.folder import score_folder
from evalcore.engines.local import Processes
from evalcore.engines.partition import ROW_GROUP
from evalcore.engines.scored_folder import ScoredFolder
from evalcore.engines.search import Search
from tests.scored import items, written

FILTERS = [
    {},
    {"text": "a"},
    {"text": "PARIS"},
    {"text": "%"},
    {"text": "half"},
    {"text": "'; DROP TABLE x; --"},
    {"text": "É"},
    {"text": "[0-9]+", "pattern": True},
    {"text": "^the", "pattern": True},
    {"em": 0},
    {"f1": F1Range(0.0, 0.8, low_open=True)},
    {"f1": F1Range(0.5, 1.0, high_open=True), "text": "e"},
]


@pytest.mark.parametrize("conditions", FILTERS, ids=str)
def test_a_page_is_that_of_the_whole_list(folder, scores, conditions):
    browser = Browser(folder)
    for order, buckets, near in product(ORDERS, ((), EM_0, ("near_miss", "unscored"), ("match", "partial")), (0.8, 0.5)):
        wanted = Selection(buckets=buckets, near=near, order=order, **conditions)
        expected = apply(wanted, scores)
        assert browser.count(wanted) == len(expected)
        assert browser.counts(wanted) == bucket_counts(wanted, scores)
        for first, size in ((0, 1000), (7, 13), (max(0, len(expected) - 3), 100)):
            assert browser.page(wanted, first, size).tolist() == expected[first : first + size].tolist()
        listing = browser.listing(wanted, 3, 40)
        last = max(0, min(80, 40 * ((len(expected) - 1) // 40)))
        assert (listing.items, listing.first, listing.searched) == (len(expected), last, len(folder))
        assert listing.counts == bucket_counts(wanted, scores)
        assert listing.shown.positions.tolist() == expected[last : last + 40].tolist()


def texts_of(scores, row):
    data = scores.dataset
    question = [] if data.questions is None else [data.questions[row] or ""]
    return [data.ids[row], *question, data.predictions[row] or "", *data.references[row]]


def test_a_search_finds_what_casefold_finds(folder, scores):
    chance = np.random.default_rng(5)
    texts = [texts_of(scores, row) for row in range(len(folder))]
    browser = Browser(folder)
    for row in chance.integers(0, len(folder), 60).tolist():
        text = max(texts[row], key=len)
        start = int(chance.integers(0, len(text)))
        needle = text[start : start + int(chance.integers(1, 5))].swapcase()
        expected = [number for number, listed in enumerate(texts) if any(needle.casefold() in each.casefold() for each in listed)]
        assert browser.page(Selection(text=needle, order="file"), 0, len(folder)).tolist() == expected, repr(needle)


@pytest.mark.parametrize(("pieces", "batch"), [(1, 1 << 22), (1000, 1 << 22), (1, 100), (1000, 1)])
def test_a_search_does_not_depend_on_how_it_is_shared_out(tmp_path, pieces, batch, monkeypatch):
    monkeypatch.setattr("evalcore.engines.search.PIECES", pieces)
    monkeypatch.setattr("evalcore.engines.searchable.BYTES", batch)
    source = tmp_path / "in"
    source.mkdir()
    words = ["Paris", "Straße", "北京", "x"]
    for name, count in (("a", 2 * ROW_GROUP + 5), ("b", 0), ("c", 7)):
        rows = {"id": [f"{name}{row}" for row in range(count)], "prediction": [words[row % 4] for row in range(count)], "references": [["y"]] * count}
        kinds = {"id": pa.string(), "prediction": pa.string(), "references": pa.list_(pa.string())}
        pq.write_table(pa.table({key: pa.array(rows[key], kind) for key, kind in kinds.items()}), source / f"{name}.parquet")
    score_folder(str(source), tmp_path / "out", evalcore.preset("squad_v1"), engine=Processes(1))
    browser = Browser(ScoredFolder.open(tmp_path / "out"))
    every = [*range(2 * ROW_GROUP + 5), *range(7)]
    for needle, word in (("STRASSE", 1), ("北", 2)):
        expected = [position for position, row in enumerate(every) if row % 4 == word]
        assert browser.page(Selection(text=needle, order="file"), 0, len(every)).tolist() == expected
        assert browser.place(Selection(text=needle), expected[-1]) == len(expected) - 1
    assert browser.page(Selection(text="c6"), 0, 9).tolist() == [len(every) - 1]


def test_a_long_search_is_stopped(folder):
    with pytest.raises(SelectionError, match="did not finish within 0 s"):
        Browser(folder, seconds=0).count(Selection(text="a"))


def emptied(file):
    """Write an Arrow file that a search never wrote."""
    with pa.ipc.new_file(str(file), pa.schema([("text", pa.large_binary())])):
        pass


SEARCH_FILES = {
    "gone": Path.unlink,
    "a few bytes": lambda file: file.write_bytes(b"ARROW1"),
    "cut off": lambda file: file.write_bytes(file.read_bytes()[:-200]),
    "another kind": emptied,
    "of other items": lambda file: shutil.copy(file.with_name("part-003.jsonl.arrow"), file),
}


@pytest.mark.parametrize("change", SEARCH_FILES.values(), ids=SEARCH_FILES)
def test_a_search_file_that_is_broken_is_told(out, tmp_path, change):
    copy = tmp_path / "copy"
    shutil.copytree(out, copy)
    browser = Browser(ScoredFolder.open(copy))
    change(copy / "search" / "part-001.jsonl.arrow")
    with pytest.raises(DataError, match=r"items of 'part-001\.jsonl' cannot be searched .*; open the folder again, or score the file again"):
        browser.count(Selection(text="a"))


def test_a_file_of_items_that_is_broken_is_told(out, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(out, copy)
    browser = Browser(ScoredFolder.open(copy))
    (copy / "items" / "part-001.jsonl.parquet").write_bytes(b"PAR1")
    browser.warm(Selection(buckets=EM_0), 100).join()
    with pytest.raises(DataError, match="cannot be searched"):
        browser.count(Selection(text="a", pattern=True))
    with pytest.raises(DataError, match=r"items of 'part-001\.jsonl' cannot be read"):
        browser.folder.scores(np.arange(len(browser.folder)))


def test_pages_that_were_read_stay(folder, scores, monkeypatch):
    browser, wanted = Browser(folder), Selection(buckets=EM_0)
    browser.warm(wanted, 30).join()
    monkeypatch.setattr(ScoredFolder, "listed", lambda *_: pytest.fail("read again"))
    shown = browser.shown(wanted, 0, 30)
    assert shown.positions.tolist() == apply(wanted, scores)[:30].tolist()
    assert shown.scores.dataset.predictions == scores.dataset.take(shown.positions).predictions
    assert shown.reasons is None


def test_few_and_small_pages_stay(folder, monkeypatch):
    browser = Browser(folder)
    for first in range(20):
        browser.shown(Selection(), first, 2)
    assert [key[2] for key in browser.read] == list(range(12, 20))
    monkeypatch.setattr("evalcore.engines.browse.SMALL", 0)
    browser.shown(Selection(), 30, 2)
    assert [key[2] for key in browser.read] == list(range(12, 20))


@pytest.mark.parametrize("conditions", [{}, {"text": "a"}, {"text": "a", "pattern": True}], ids=str)
@pytest.mark.parametrize("order", ORDERS)
def test_an_item_knows_its_place(folder, scores, order, conditions):
    wanted = Selection(buckets=EM_0, order=order, **conditions)
    expected = apply(wanted, scores).tolist()
    for place in (0, 1, len(expected) // 2, len(expected) - 1):
        assert Browser(folder).place(wanted, expected[place]) == place
    for position in (int(np.flatnonzero(scores.em == 1)[0]), len(folder) - 1):
        assert Browser(folder).place(wanted, position) == (expected.index(position) if position in expected else None)


def test_searches_by_id_do_not_meet(folder, scores):
    browser, needles = Browser(folder), ["a", "e", "o", "1"] * 5
    wanted = [Selection(text=needle, order="id") for needle in needles]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda each: browser.page(each, 0, len(folder)).tolist(), wanted))
    assert found == [apply(each, scores).tolist() for each in wanted]


def test_reasons_are_conditions_where_they_were_looked_for(folder, tmp_path):
    with pytest.raises(SelectionError, match="score it with --reasons"):
        Browser(folder).counts(Selection(reasons=("article",)))
    source = written(tmp_path / "in", items(60), 2)
    scored = score_folder(str(source), tmp_path / "out", evalcore.preset("squad_v1"), engine=Processes(1), reasons=("en",))
    found = Browser(ScoredFolder.open(tmp_path / "out"))
    assert found.folder.has_reasons
    assert scored.statistics.reasons
    every = found.folder.scores(np.arange(len(found.folder)))
    shown = found.shown(Selection(order="file"), 0, len(found.folder))
    assert np.count_nonzero(shown.reasons >= 0) == sum(scored.statistics.reasons.values())
    for reason, number in scored.statistics.reasons.items():
        holding = [row for row in np.flatnonzero(shown.reasons == CODES[reason]) if any("a" in text.casefold() for text in texts_of(every, row))]
        assert found.page(Selection(reasons=(reason,), text="A", order="file"), 0, 1000).tolist() == holding
        assert found.count(Selection(reasons=(reason,))) == number
        assert len(found.page(Selection(reasons=(reason,)), 0, 1000)) == number


@pytest.fixture(scope="module", params=[("squad_v1", 3), ("coqa", 1), ("hf_exact_match", 2), ("helm.f1_score", 1)], ids=str)
def reasoned(request, tmp_path_factory):
    """Score with reasons, under presets of which some have parts of an EM, no F1 or no EM; give the folder, all its items and the reason of each."""
    name, parts = request.param
    root = tmp_path_factory.mktemp("reasoned")
    score_folder(str(written(root / "in", items(400), parts)), root / "out", evalcore.preset(name), engine=Processes(1), reasons=("en",))
    folder = ScoredFolder.open(root / "out")
    scores = folder.scores(np.arange(len(folder)))
    return folder, scores, reasons_alone(scores, ("en",))


def reason_filters(folder, codes):
    """Give filters by reason: the most common one, two and all of them, and one that no item has."""
    common = [REASONS[code].name for code, _ in Counter(codes[codes >= 0].tolist()).most_common()]
    absent = next(reason.name for reason in REASONS if reason.name not in common)
    assert folder.preset.has_em == (len(common) > 2)
    chosen = [common[:1], common[1::-1], [*common, absent], [absent]]
    ranges = (None, F1Range(0.0, 0.5, low_open=True), F1Range(0.0, 0.6))
    return [{"reasons": tuple(reasons), "em": em, "f1": f1} for reasons, em, f1 in product(filter(None, chosen), (None, 0, 1), ranges)]


def test_a_page_of_reasons_is_that_of_the_whole_list(reasoned):
    folder, scores, codes = reasoned
    browser = Browser(folder)
    for conditions, buckets, near in product(reason_filters(folder, codes), ((), ("near_miss", "partial"), ("miss", "match")), (0.8, 0.5)):
        for order in ORDERS:
            wanted = Selection(buckets=buckets, near=near, order=order, **conditions)
            expected = apply(wanted, scores, codes).tolist()
            assert browser.count(wanted) == len(expected)
            assert browser.page(wanted, 3, 1000).tolist() == expected[3:]
        assert browser.counts(wanted) == bucket_counts(wanted, scores, codes)


def test_items_of_a_reason_know_their_place(reasoned):
    folder, scores, codes = reasoned
    for conditions, order in product(reason_filters(folder, codes)[::3], ORDERS):
        wanted = Selection(order=order, **conditions)
        expected = apply(wanted, scores, codes).tolist()
        for place in range(0, len(expected), 17):
            assert Browser(folder).place(wanted, expected[place]) == place


def test_reasons_are_counted_without_a_look_into_the_files(reasoned, monkeypatch):
    folder, scores, codes = reasoned
    monkeypatch.setattr(Database, "ask", lambda *_: pytest.fail("a file was asked"))
    monkeypatch.setattr(Search, "found", lambda *_: pytest.fail("a file was searched"))
    browser = Browser(folder)
    for conditions, near in product(reason_filters(folder, codes), (0.8, 0.5)):
        wanted = Selection(near=near, **conditions)
        assert browser.counts(wanted) == bucket_counts(wanted, scores, codes)
        assert browser.count(wanted) == len(apply(wanted, scores, codes))


@pytest.mark.parametrize(("pattern", "said"), [("(a", "missing"), ("(?<=a)b", "cannot be used")])
def test_a_pattern_that_is_none_is_told(folder, pattern, said):
    with pytest.raises(SelectionError, match=said):
        Browser(folder).counts(Selection(text=pattern, pattern=True))


def test_a_long_query_is_stopped(folder):
    endless = Query("SELECT count(*) FROM range(1000000000) AS a(x), range(1000000000) AS b(y) WHERE x * y % 7 = 3", {})
    with pytest.raises(SelectionError, match="did not finish within"):
        Browser(folder, seconds=0.2).database.ask(endless)
    with pytest.raises(SelectionError, match="did not finish within"):
        list(Database(folder.path, 0.2).numbers(endless))


def test_chosen_rows_do_not_fit(folder):
    with pytest.raises(SelectionError, match="clear the filter"):
        Browser(folder).counts(Selection(rows=(1, 2)))
