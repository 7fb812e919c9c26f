"""Pages of a scored folder: what the statistics do not know is looked for in its files, and only what a page shows is read."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import nullcontext, suppress
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from evalcore.analysis.lanes import Lanes
from evalcore.analysis.selection import Order, Selection, SelectionError
from evalcore.data import DataError
from evalcore.engines.cells import BY_F1, Cells
from evalcore.engines.conditions import Query, check, over, without_buckets
from evalcore.engines.counted import Counted
from evalcore.engines.database import Database
from evalcore.engines.hits import Hits
from evalcore.engines.scored_folder import Codes, Positions, ScoredFolder
from evalcore.engines.search import GivenUp, Search
from evalcore.scoring.buckets import Bucket
from evalcore.scoring.scores import Scores
from evalcore.text.columns import Texts
from evalcore.text.needle import Needle

SECONDS = 60.0  # A search that takes longer is stopped.
KEPT = 64
FOUND_BYTES = 1 << 25  # Of searches that are over and kept when another one begins: two million items.

PAGES, SMALL = 8, 1 << 22  # Pages whose items are kept, and the bytes of texts each may have.

Value = TypeVar("Value")
Ranks = npt.NDArray[np.integer[Any]]


class Shown(NamedTuple):
    """The items of a page: positions, scores without contexts, places and metadata, and main reasons as codes, -1 for none; None where none were looked for."""

    positions: Positions
    scores: Scores
    reasons: Codes | None

    @property
    def nbytes(self) -> int:
        """Bytes of the texts."""
        data = self.scores.dataset
        return sum(column.nbytes for column in (data.ids, data.predictions, data.references.texts, data.questions) if column is not None)


class Listing(NamedTuple):
    """A page of a selection, as far as it is known: `searched` of all items were looked at.

    `counts` are items by bucket whatever the buckets of the selection,
    `items` those of the selection, `first` the place of the first one shown.
    """

    counts: dict[Bucket, int]
    items: int
    first: int
    shown: Shown
    searched: int


class Browser:
    """Counts and pages of one folder; what was found last is kept. Safe to use from several threads.

    Where a search is needed, `patience` is how many seconds to wait for its
    end; after that the answer is that of the items looked at so far. None
    waits for the end.
    """

    def __init__(self, folder: ScoredFolder, seconds: float = SECONDS) -> None:
        self.folder = folder
        self.database = Database(folder.path, seconds)
        self.counted = Counted(folder, self.database)
        self.lock = threading.Lock()
        self.starting, self.sorting = threading.Lock(), threading.Lock()
        self.searches: OrderedDict[Selection, Search] = OrderedDict()
        self.kept: OrderedDict[Hashable, Any] = OrderedDict()
        self.read: OrderedDict[Hashable, Shown] = OrderedDict()

    def warm(self, wanted: Selection, size: int) -> threading.Thread:
        """Get ready in a background thread for what may be asked; give the thread.

        That is DuckDB and the first items of a selection, the footers of all
        files, what searches a text, the numbers that orders by length take
        and what counts them, and the order of all ids.
        What is wrong with the files is said to who asks for a page.
        """

        def work() -> None:
            with suppress(SelectionError, DataError):
                self.shown(wanted, 0, size)
                every = over(self.folder.parts, range(len(self.folder.parts)), "", Selection())
                self.database.ask(Query(f"SELECT count(*) FROM ({every.sql})", every.values))
                Needle("a").within_folded(Texts.of(["a"]))
                self.listing(Selection(order="longest"), 1, size)
                self._ranks("id")

        thread = threading.Thread(target=work, name="whymiss-folder", daemon=True)
        thread.start()
        return thread

    def counts(self, wanted: Selection, patience: float | None = None) -> dict[Bucket, int]:
        """Count the items of every bucket that fulfil all other conditions.

        Raises: SelectionError for a filter that cannot be applied.
        """
        return self._cells(wanted, self._counting(wanted, patience)).by_bucket(wanted.near)

    def lanes(self, near: float) -> Lanes:
        """Count all items by F1 and bucket, from the statistics."""
        return self.counted.lanes(near)

    def count(self, wanted: Selection, patience: float | None = None) -> int:
        """Count the items of a selection."""
        return self._items(wanted, self._counting(wanted, patience))

    def page(self, wanted: Selection, first: int, size: int, patience: float | None = None) -> Positions:
        """Give the positions of the items at places `first` to before `first + size` of a selection, in its order.

        Raises: SelectionError for a filter that cannot be applied.
        """
        return self._page(wanted, first, size, self._listing(wanted, patience))

    def shown(self, wanted: Selection, first: int, size: int, patience: float | None = None) -> Shown:
        """Read the items of a page; small ones read last stay, for other ways to show them.

        Raises: SelectionError as `page`; DataError when a file cannot be read any more.
        """
        return self._shown(wanted, first, size, self._listing(wanted, patience))

    def listing(self, wanted: Selection, page: int, size: int, patience: float | None = None) -> Listing:
        """Count, and read the items of a page of `size` items; pages begin at 1, one that is not there is the last.

        Raises: as `shown`.
        """
        hits = self._listing(wanted, patience)
        search = None if hits is None or self._is_whole(hits) else self.searches.get(without_buckets(wanted))
        with search.held() if search else nullcontext():
            items = self._items(wanted, hits)
            first = size * (min(page, max(1, -(-items // size))) - 1)
            counts = self._cells(wanted, hits).by_bucket(wanted.near)
            return Listing(counts, items, first, self._shown(wanted, first, size, hits), len(self.folder) if hits is None else hits.searched)

    def is_ready(self, wanted: Selection, patience: float | None = None) -> bool:
        """Wait until all is known that listing a selection takes; tell whether it is.

        Raises: SelectionError as `page`; DataError when a file cannot be read.
        """
        return self._is_whole(self._listing(wanted, patience))

    def progress(self, wanted: Selection) -> int:
        """Count the items the search of a selection has looked at so far; all of them when it is over or there is none."""
        search = self.searches.get(without_buckets(wanted))
        if search is None or search.is_over:
            return len(self.folder)
        search.asked_at = time.monotonic()
        return search.searched

    def place(self, wanted: Selection, position: int, patience: float | None = None) -> int | None:
        """Give the place of an item in a selection, None when it is not in it."""
        return self._place(wanted, position, self._listing(wanted, patience))

    def beside(self, wanted: Selection, position: int | None, patience: float | None = None) -> tuple[int | None, int | None]:
        """Give the positions of the items before and after an item.

        Empty: when the item is not in the selection, the next one is the first.
        """
        hits = self._listing(wanted, patience)
        place = None if position is None else self._place(wanted, position, hits)
        if place is None:
            found = self._page(wanted, 0, 1, hits).tolist()
            return None, found[0] if found else None
        found = self._page(wanted, max(0, place - 1), 3 if place else 2, hits).tolist()
        at = found.index(position)
        return found[at - 1] if at else None, found[at + 1] if at + 1 < len(found) else None

    def _counting(self, wanted: Selection, patience: float | None) -> Hits | None:
        """Give the hits of a selection where the statistics cannot count it."""
        check(self.folder.parts, wanted)
        return None if self.counted.can_tell(wanted) else self._hits(wanted, patience)

    def _listing(self, wanted: Selection, patience: float | None) -> Hits | None:
        """Give the hits of a selection where the statistics cannot count it in its order."""
        return self._counting(wanted, patience) if wanted.order in BY_F1 else self._hits(wanted, patience)

    def _hits(self, wanted: Selection, patience: float | None) -> Hits:
        """Give what a search finds, whatever the bucket; the last ones stay."""
        asked = without_buckets(wanted)
        while True:
            search = self._search(asked)
            try:
                return search.found(patience)
            except GivenUp:
                self._forget(search)
            except (SelectionError, DataError):
                self._forget(search)
                raise

    def _search(self, asked: Selection) -> Search:
        """Give the search of some conditions, started unless it is known; those that are over are kept while there is room."""
        with self.starting:
            search = self.searches.pop(asked, None)
            if search is None:
                for other in self.searches.values():
                    other.is_replaced = True
                search = Search(self.folder.parts, asked, self.database)
            search.is_replaced = False
            room = FOUND_BYTES
            for other in list(reversed(self.searches.values())):
                room -= other.nbytes
                if other.is_over and (room < 0 or len(self.searches) >= KEPT):
                    del self.searches[other.wanted]
            self.searches[asked] = search
            return search

    def _forget(self, search: Search) -> None:
        with self.starting:
            if self.searches.get(search.wanted) is search:
                del self.searches[search.wanted]

    def _cells(self, wanted: Selection, hits: Hits | None) -> Cells:
        return self.counted.cells(wanted) if hits is None else hits.cells

    def _items(self, wanted: Selection, hits: Hits | None) -> int:
        return int(self._cells(wanted, hits).of(wanted.buckets, wanted.near).counts.sum())

    def _page(self, wanted: Selection, first: int, size: int, hits: Hits | None) -> Positions:
        def found() -> Positions:
            return self.counted.page(wanted, first, size) if hits is None else hits.page(wanted, first, size, self._ranks(wanted.order))

        return self._once(("page", wanted, first, size), hits, found)

    def _shown(self, wanted: Selection, first: int, size: int, hits: Hits | None) -> Shown:
        key = ("shown", wanted, first, size)
        with self.lock:
            known = self.read.get(key)
        if known is None:
            positions = self._page(wanted, first, size, hits)
            known = Shown(positions, *self.folder.listed(positions))
            with self.lock:
                if known.nbytes <= SMALL and self._is_whole(hits):
                    self.read[key] = known
                while len(self.read) > PAGES:
                    self.read.popitem(last=False)
        return known

    def _is_whole(self, hits: Hits | None) -> bool:
        """Tell whether every item was looked at."""
        return hits is None or hits.searched == len(self.folder)

    def _ranks(self, order: Order) -> Ranks | None:
        """Give the place of every item in the order of ids where that is asked for; it is found once."""
        if order != "id":
            return None
        with self.sorting:
            return self._by_id

    @cached_property
    def _by_id(self) -> Ranks:
        """The place of every item in the order of ids, those of one id as in the folder.

        A database of its own sorts them: one thread leaves the other cores to who turns pages meanwhile, and its memory is given back.
        """
        database = Database(self.folder.path, self.database.seconds, threads=1)
        query = over(self.folder.parts, range(len(self.folder.parts)), ", id", Selection())
        kind, numbers = ("INTEGER", np.int32) if len(self.folder) < 1 << 31 else ("BIGINT", np.int64)
        sql = f"SELECT (list_extract($starts::BIGINT[], part + 1) + row)::{kind} AS position FROM ({query.sql}) ORDER BY id, position"
        places: Ranks = np.empty(len(self.folder), dtype=numbers)
        place = 0
        for positions in database.numbers(Query(sql, {**query.values, "starts": self.folder.starts.tolist()})):
            places[positions] = np.arange(place, place + len(positions))
            place += len(positions)
        return places

    def _place(self, wanted: Selection, position: int, hits: Hits | None) -> int | None:
        for key, kept in list(self.kept.items()):
            if isinstance(key, tuple) and key[:2] == ("page", wanted):
                at = np.flatnonzero(kept == position)
                if len(at):
                    return int(key[2]) + int(at[0])

        def found() -> int | None:
            return self.counted.place(wanted, position) if hits is None else hits.place(wanted, position, self._ranks(wanted.order))

        return self._once(("place", wanted, position), hits, found)

    def _once(self, key: Hashable, hits: Hits | None, make: Callable[[], Value]) -> Value:
        """Give what is known, or make it; what comes from a search that goes on is not kept."""
        if not self._is_whole(hits):
            return make()
        with self.lock:
            if key in self.kept:
                self.kept.move_to_end(key)
                known: Value = self.kept[key]
                return known
        value = make()
        with self.lock:
            self.kept[key] = value
            while len(self.kept) > KEPT:
                self.kept.popitem(last=False)
        return value
