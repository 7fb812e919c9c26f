"""What kernels read and write, as arrays."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Codes = npt.NDArray[np.uint32]
Cells = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]


class Tables(NamedTuple):
    """The data of a program.

    `operations` has a row an operation: kind, table, longest word or
    expansion, whether ASCII stays one ASCII character or nothing. `pages`
    leads from table and code >> 8 to a block of 256 `cells`. The lexicon is
    one open-addressing table for word lists and odd words alike: an entry
    belongs to an operation and replaces a word by a text. `fused` holds a
    cell for each ASCII character where one pass can do the work of all
    operations, else nothing; `fused_words` the operation and the longest
    word of its word list.
    """

    operations: Counts
    pages: Cells
    cells: Cells
    spill: Codes
    spill_offsets: Counts
    slots: Counts
    entries: Counts
    lexicon: Codes
    fused: Cells
    fused_words: Counts


class Output(NamedTuple):
    """Texts and their tokens: row r is codes[starts[r]:ends[r]], its tokens first[r] .. last[r]."""

    codes: Codes
    starts: Counts
    ends: Counts
    first: Counts
    last: Counts
    token_starts: Counts
    token_ends: Counts
    hashes: Cells


class Work(NamedTuple):
    """What a kernel writes on: scratch, the rows left pending, and requests to Python."""

    scratch: Codes
    spare: Codes
    pending: Counts
    requests: Counts
    request_codes: Codes
    cursor: Counts


class TokenTable(NamedTuple):
    """A hash table that is emptied by raising its generation."""

    generation: Counts
    stamps: Counts
    tokens: Counts
    counts: Counts
    pair_stamps: Counts
    used: Counts
