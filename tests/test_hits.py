"""What a search found: every page and place in every order is that of a plain sort of all items."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.analysis.selection import EM_0, ORDERS, Selection
from evalcore.engines import hits as module
from evalcore.engines.cells import with_near
from evalcore.engines.hit_kernels import EVERY, Columns
from evalcore.engines.hits import Hits
from evalcore.scoring.buckets import BUCKETS

CODES = [BUCKETS.index(name) for name in ("match", "empty_match", "miss", "unscored")]
F1 = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8, 0.9, 1.0]), min_size=1, max_size=7, unique=True).map(sorted)


@st.composite
def found(draw):
    """Draw a folder of up to 60 items, which of them were found, in how many chunks, and their order by id."""
    values = np.array([*draw(F1), *([np.nan] if draw(st.booleans()) else [])])
    items = draw(st.integers(0, 60))
    chance = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    ranks, codes = chance.integers(0, len(values), items).astype(np.int32), chance.choice(CODES, items).astype(np.int8)
    lengths = chance.integers(0, draw(st.sampled_from([1, 3, 40])), items).astype(np.int32)
    kept = chance.random(items) < draw(st.sampled_from([0.2, 0.7, 1.0]))
    bounds = sorted({0, items, *chance.integers(0, items + 1, draw(st.integers(0, 5))).tolist()})
    chunks = []
    for first, last in pairwise(bounds):
        rows = np.flatnonzero(kept[first:last]).astype(np.int32)
        if len(rows):
            every = len(rows) == last - first
            chunks.append(Columns(first, EVERY if every else rows, ranks[first:last][rows], codes[first:last][rows], lengths[first:last][rows]))
    columns = (np.flatnonzero(kept), values[ranks][kept], codes[kept], lengths[kept])
    return Hits(chunks, values, items), columns, chance.permutation(items).astype(np.int32)


def sorted_plainly(wanted, columns, by_id):
    """Sort the items of a selection with Python."""
    positions, f1, _, lengths = (column.tolist() for column in columns)
    buckets = with_near(columns[2].astype(np.int64), columns[1], wanted.near).tolist()
    chosen = [row for row in range(len(positions)) if not wanted.buckets or BUCKETS[buckets[row]] in wanted.buckets]
    last = {row for row in chosen if f1[row] != f1[row]}
    keys = {
        "file": lambda row: 0,
        "f1_high": lambda row: (row in last, 0 if row in last else -f1[row]),
        "f1_low": lambda row: (row in last, 0 if row in last else f1[row]),
        "longest": lambda row: -lengths[row],
        "shortest": lambda row: lengths[row],
        "id": lambda row: by_id[positions[row]],
    }
    return [positions[row] for row in sorted(chosen, key=keys[wanted.order])]


@pytest.mark.parametrize(("bins", "longest"), [(1 << 12, 1 << 16), (1, 1), (4, 4), (2, 8)])
@pytest.mark.parametrize("order", ORDERS)
@given(found(), st.sampled_from([(), EM_0, ("near_miss",), ("miss", "unscored"), ("match",)]), st.sampled_from([0.5, 0.8]), st.data())
def test_pages_and_places_are_those_of_a_sort(bins, longest, order, drawn, buckets, near, data):
    hits, columns, by_id = drawn
    wanted = Selection(buckets=buckets, near=near, order=order)
    expected = sorted_plainly(wanted, columns, by_id)
    pages = [(data.draw(st.integers(0, len(expected))), data.draw(st.integers(1, 9))) for _ in range(4)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BINS", bins)
        patch.setattr(module, "LONGEST", longest)
        for first, size in [*pages, (0, 100), (len(expected) + 1, 5)]:
            assert hits.page(wanted, first, size, by_id).tolist() == expected[first : first + size]
        places = {position: place for place, position in enumerate(expected)}
        for position in range(-1, hits.searched + 1):
            assert hits.place(wanted, position, by_id) == places.get(position)


@given(found(), st.sampled_from([0.5, 0.8]))
def test_items_are_counted_by_bucket(drawn, near):
    hits, columns, _ = drawn
    buckets = with_near(columns[2].astype(np.int64), columns[1], near)
    assert hits.cells.by_bucket(near) == {name: int(np.count_nonzero(buckets == code)) for code, name in enumerate(BUCKETS)}
