"""A search through a scored folder: what it found so far, its end, and what is kept of it."""

import shutil
import threading
import time

import numpy as np
import pytest

from evalcore.analysis.selection import EM_0, Selection, SelectionError, apply, bucket_counts
from evalcore.data import DataError
from evalcore.engines.browse import Browser
from evalcore.engines.scored_folder import ScoredFolder
from evalcore.engines.search import Search

SEARCHES = [Selection(text="a"), Selection(text="a", pattern=True), Selection(order="longest"), Selection(text="e", order="id", buckets=EM_0)]


def until(condition):
    """Wait for what happens in another thread."""
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def begun(browser, wanted, items):
    """Start a search, and wait until it has looked at so many items."""
    browser.count(wanted, patience=0) if wanted.text else browser.page(wanted, 0, 1, patience=0)
    until(lambda: browser.progress(wanted) == items)


@pytest.mark.parametrize("wanted", SEARCHES, ids=str)
def test_what_was_found_so_far_is_that_of_the_items_looked_at(folder, scores, held, wanted):
    browser, first = Browser(folder), folder.parts[0].items
    begun(browser, wanted, first)
    expected = [row for row in apply(wanted, scores).tolist() if row < first]
    counts = bucket_counts(wanted, folder.scores(np.arange(first)))
    listing = browser.listing(wanted, 1, 1000, patience=0)
    assert (listing.searched, listing.items, listing.counts, listing.shown.positions.tolist()) == (first, len(expected), counts, expected)
    assert browser.place(wanted, expected[5], patience=0) == 5
    assert browser.beside(wanted, expected[5], patience=0) == (expected[4], expected[6])
    held.set()
    whole = apply(wanted, scores).tolist()
    listing = browser.listing(wanted, 1, 1000)
    assert (listing.searched, listing.items, listing.shown.positions.tolist()) == (len(folder), len(whole), whole)
    assert browser.place(wanted, whole[-1]) == len(whole) - 1
    assert browser.progress(wanted) == len(folder)


def test_patience_ends_before_a_search_does(folder, scores, held):
    browser, wanted = Browser(folder), Selection(text="a")
    started = time.monotonic()
    assert browser.count(wanted, patience=0.3) < len(apply(wanted, scores))
    assert 0.3 <= time.monotonic() - started < 20
    threading.Timer(0.2, held.set).start()
    assert browser.count(wanted, patience=30) == len(apply(wanted, scores))
    assert time.monotonic() - started < 20


def test_a_search_rests_while_what_it_found_is_worked_with(folder, scores, held):
    browser, wanted = Browser(folder), Selection(text="a")
    begun(browser, wanted, folder.parts[0].items)
    with browser.searches[wanted].held():
        held.set()
        time.sleep(0.2)
        assert browser.progress(wanted) == folder.parts[0].items
    assert browser.count(wanted, patience=30) == len(apply(wanted, scores))


def test_a_replaced_search_that_nobody_asks_for_is_given_up(folder, scores, held, monkeypatch):
    monkeypatch.setattr("evalcore.engines.search.UNWATCHED", 0.2)
    browser, older, newer = Browser(folder), Selection(text="a"), Selection(text="e")
    begun(browser, older, folder.parts[0].items)
    search = browser.searches[older]
    time.sleep(0.3)
    assert not search.is_replaced
    browser.count(newer, patience=0)
    assert search.is_replaced
    held.set()
    until(lambda: search.is_over)
    assert search.whole is None
    assert browser.count(older) == len(apply(older, scores))
    assert browser.searches[older] is not search
    assert browser.count(newer) == len(apply(newer, scores))


def test_a_newest_search_goes_on_when_nobody_asks_for_it(folder, scores, held, monkeypatch):
    monkeypatch.setattr("evalcore.engines.search.UNWATCHED", 0.1)
    browser, wanted = Browser(folder), Selection(text="a")
    begun(browser, wanted, folder.parts[0].items)
    search = browser.searches[wanted]
    time.sleep(0.2)
    held.set()
    assert browser.count(wanted) == len(apply(wanted, scores))
    assert browser.searches[wanted] is search


def test_what_goes_wrong_later_is_told_and_forgotten(out, tmp_path, held):
    copy = tmp_path / "copy"
    shutil.copytree(out, copy)
    browser, wanted = Browser(ScoredFolder.open(copy)), Selection(text="a")
    begun(browser, wanted, browser.folder.parts[0].items)
    file = copy / "search" / "part-002.jsonl.arrow"
    content = file.read_bytes()
    file.write_bytes(b"ARROW1")
    held.set()
    until(lambda: browser.progress(wanted) == len(browser.folder))
    for _ in range(2):
        with pytest.raises(DataError, match=r"items of 'part-002\.jsonl' cannot be searched"):
            browser.count(wanted, patience=0)
        file.write_bytes(b"")
    file.write_bytes(content)
    assert browser.count(wanted) == browser.count(Selection(text="A"))


def test_a_search_that_takes_too_long_is_told_once_its_time_is_over(folder, held):
    browser = Browser(folder, seconds=0.3)
    wanted = Selection(text="a")
    begun(browser, wanted, folder.parts[0].items)
    time.sleep(0.4)
    held.set()
    with pytest.raises(SelectionError, match=r"did not finish within 0\.3 s"):
        browser.count(wanted, patience=30)


@pytest.mark.parametrize(("room", "kept"), [(0, 1), (1 << 20, 5)])
def test_searches_that_are_over_stay_while_there_is_room(folder, monkeypatch, room, kept):
    monkeypatch.setattr("evalcore.engines.browse.FOUND_BYTES", room)
    browser = Browser(folder)
    for text in "aeiou":
        browser.count(Selection(text=text))
    assert [search.text for search in browser.searches] == list("aeiou")[-kept:]


def test_a_search_under_way_is_kept_whatever_the_room(folder, scores, held, monkeypatch):
    monkeypatch.setattr("evalcore.engines.browse.FOUND_BYTES", 0)
    browser, wanted = Browser(folder), Selection(text="a")
    begun(browser, wanted, folder.parts[0].items)
    search = browser.searches[wanted]
    browser.count(Selection(text="e"), patience=0)
    held.set()
    assert browser.count(wanted) == len(apply(wanted, scores))
    assert browser.searches[wanted] is search


@pytest.mark.parametrize(("patience", "missing"), [(1.0, 0), (0.2, 1)])
def test_the_end_of_a_search_is_waited_for_when_it_is_near(folder, scores, monkeypatch, patience, missing):
    go_on, searched = threading.Event(), Search._searched
    monkeypatch.setattr(Search, "_searched", lambda self, piece: (piece.items > 1 or go_on.wait(30)) and searched(self, piece))
    browser, wanted = Browser(folder), Selection(text="p")
    expected = apply(wanted, scores)
    assert (folder.parts[-1].items, expected.max()) == (1, len(folder) - 1)
    timer, started = threading.Timer(1.2, go_on.set), time.monotonic()
    timer.start()
    assert browser.count(wanted, patience=patience) == len(expected) - missing
    assert time.monotonic() - started >= 1.5 * patience if missing else go_on.is_set()
    go_on.set()
    timer.cancel()
