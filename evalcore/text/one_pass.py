"""Tables with which one pass does the work of all operations of a program."""

from collections.abc import Sequence

import numpy as np

from evalcore.text.character_tables import PAGE, CharacterTable, CompleteTable, Page, whitespace_table
from evalcore.text.decoding import DELETED, JOINS_AT, PARTED_AT, SPACE_AT, TOKEN_AT, UNKNOWN
from evalcore.text.kernels import (
    BETWEEN,
    DELETE,
    FIRST_SPILL,
    FUSED_DELETED,
    FUSED_ROLE,
    FUSED_SPACE,
    JOINS,
    MAP,
    REMOVE,
    SPACE,
    SQUEEZE,
    TOKENS,
    WORD_TOKENS,
    WORDS,
)
from evalcore.text.layout import Cells, Counts
from evalcore.text.operations import Operation

THREE_BYTES = 0x800  # Characters from here on take three bytes at least in UTF-8.


def fused_table(operations: Sequence[Operation]) -> tuple[Cells, Counts]:
    """Give the table of one pass for all operations over ASCII, empty where the operations are others.

    The pass serves [table] [words replaced by a space] [table that only
    deletes or makes whitespace], words between squeezed whitespace.
    """
    nothing = np.zeros(0, dtype=np.int32), np.array([-1, 0], dtype=np.int64)
    kinds = [operation.kind for operation in operations]
    if kinds[-1:] != [WORD_TOKENS] or kinds[:-1] not in ([], [MAP], [WORDS], [MAP, WORDS], [WORDS, MAP], [MAP, WORDS, MAP]):
        return nothing
    words = kinds.index(WORDS) if WORDS in kinds else -1
    before = _ascii_cells(operations, 0) if kinds[0] == MAP else np.arange(128)
    after = _ascii_cells(operations, words + 1) if kinds[-2:] == [MAP, WORD_TOKENS] and words >= 0 else np.arange(128)
    if min(before.min(), after.min()) < DELETE or max(before.max(), after.max()) >= 128:
        return nothing
    kept = np.maximum(before, 0)
    written, spaces = after[kept], _ascii_cells(operations, -1)[np.maximum(after[kept], 0)] == BETWEEN
    roles = _ascii_cells(operations, words)[kept] if words >= 0 else np.zeros(128, dtype=np.int64)
    listed = set(map(ord, "".join(operations[words].words))) if words >= 0 else set()
    changes = (written != kept) & (written >= 0) & ~spaces
    touched = any(after[code] != code or after[code] < 0 for code in listed if code < 128)
    if changes.any() or touched or (words >= 0 and operations[words].replacement != " "):
        return nothing
    if (roles[(written == kept) & spaces] > 0).any():
        return nothing
    cells = np.maximum(written, 0) | (roles << FUSED_ROLE) | np.where(spaces & (written >= 0), FUSED_SPACE, 0) | np.where(written < 0, FUSED_DELETED, 0)
    longest = max(map(len, operations[words].words), default=0) if words >= 0 else 0
    return np.where(before < 0, DELETE, cells).astype(np.int32), np.array([words, longest], dtype=np.int64)


def _ascii_cells(operations: Sequence[Operation], number: int) -> Counts:
    return operations[number].table.page(0).cells[:128].astype(np.int64)


def direct_table(operations: Sequence[Operation]) -> CharacterTable | None:
    """Give the table of one pass over any characters, None where the operations are others.

    The pass serves [table] [whitespace squeezed or removed] tokens. A cell
    says what is written and its part in tokens; UNKNOWN are characters that
    look at their neighbours or become several, but for " x " of a character
    that takes three bytes.
    """
    kinds = [operation.kind for operation in operations]
    maps = kinds[:1] == [MAP]
    between = kinds[maps:-1]
    if kinds[-1:] not in ([TOKENS], [WORD_TOKENS]) or between not in ([], [SQUEEZE], [REMOVE]):
        return None
    whitespace, roles = whitespace_table(1, 0), operations[-1].table
    removes, squeezes = between == [REMOVE], between == [SQUEEZE] or kinds[-1] == WORD_TOKENS
    if squeezes and _at(roles, SPACE) != BETWEEN:
        return None

    def cell(code: int) -> int:
        if code < 0:
            return DELETED if code == DELETE else UNKNOWN
        if removes and _at(whitespace, code):
            return DELETED
        if squeezes and _at(whitespace, code):
            return SPACE | 1 << SPACE_AT
        return written(code)

    def written(code: int) -> int:
        role = _at(roles, code)
        return code | (role != BETWEEN) << TOKEN_AT | (role == JOINS) << JOINS_AT

    def parted(text: str) -> int:
        is_parted = squeezes and len(text) == 3 and text[0] == text[2] == " " and not _at(whitespace, ord(text[1]))
        return written(ord(text[1])) | 1 << PARTED_AT if is_parted else UNKNOWN

    def make(number: int) -> Page:
        if not maps:
            return Page(np.array(list(map(cell, range(number * PAGE, (number + 1) * PAGE))), dtype=np.int32))
        page, takes_three = operations[0].table.page(number), number * PAGE >= THREE_BYTES
        cells = [parted(page.spills[FIRST_SPILL - code]) if takes_three and code <= FIRST_SPILL else cell(code) for code in page.cells.tolist()]
        return Page(np.array(cells, dtype=np.int32))

    return CharacterTable(make)


def _at(table: CharacterTable | CompleteTable, code: int) -> int:
    return int(table.page(code // PAGE).cells[code % PAGE])
