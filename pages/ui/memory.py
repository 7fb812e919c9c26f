"""How the server's memory goes back to the system."""

import ctypes
from contextlib import suppress

M_MMAP_THRESHOLD = -3  # In malloc.h of glibc.
LARGE = 1 << 17  # Bytes: the scores of a large run are such arrays, and so are most buffers of a scoring.


def give_large_arrays_back() -> None:
    """Have every large array returned to the system when it is dropped.

    glibc raises the size from which it does so whenever a large array is
    dropped, up to 32 MB, and keeps the smaller ones for each thread apart.
    Every change of settings drops some, in other threads each time, so a
    server would grow by a hundred megabytes while it keeps no more than before.
    Empty: other C libraries have no such setting and are left alone.
    Source: mallopt(3).
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)
