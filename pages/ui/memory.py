"""How the server's memory goes back to the system, and how little of it is searched for garbage."""

import ctypes
import gc
from contextlib import suppress

import pyarrow as pa

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8  # In malloc.h of glibc.
LARGE = 1 << 17  # Bytes: the scores of a large run are such arrays, and so are most buffers of a scoring.
HEAPS = 2  # Of all threads together; work that needs speed allocates little.


def set_up() -> None:
    """Have every large array returned to the system when it is dropped, and all threads share two heaps.

    glibc raises the size from which it returns memory whenever a large
    array is dropped, up to 32 MB, and has a heap for nearly every thread.
    Every change of settings drops some, in other threads each time, so a
    server would grow by a hundred megabytes while it keeps no more than before.
    Empty: other C libraries have no such setting and are left alone.
    Source: mallopt(3).
    """
    with suppress(AttributeError, OSError, TypeError):
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_THRESHOLD, LARGE)
        library.mallopt(M_ARENA_MAX, HEAPS)


def return_free() -> None:
    """Return what is free inside the heaps and Arrow's pool; takes about a millisecond, without the GIL.

    Empty: as `set_up`.
    Source: malloc_trim(3).
    """
    pa.default_memory_pool().release_unused()
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def set_aside() -> None:
    """Collect all garbage, and have what is left passed over by later collections until the next call.

    Streamlit collects garbage at the end of every script run, between a
    click that opens another page and that page too. Most of what it would
    search is modules, a sixth of a second each time. What is set aside and
    falls out of use in a cycle is collected by the next call.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
