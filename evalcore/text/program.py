"""Programs: the steps of one side and a tokenizer, ready for the kernels."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import numpy as np

from evalcore.text.character_tables import (
    PAGE,
    PAGES,
    CharacterTable,
    CompleteTable,
    InTurn,
    MapsCharacters,
    codes_of,
    roles_of,
    table_of,
    text_of,
    whitespace_table,
    word_roles_of,
)
from evalcore.text.kernels import (
    BETWEEN,
    DELETE,
    FIRST_SPILL,
    FUSED_DELETED,
    FUSED_ROLE,
    FUSED_SPACE,
    JOINS,
    MAP,
    NEED_PAGE,
    NEED_WORD,
    REMOVE,
    SQUEEZE,
    STRIP,
    TOKENS,
    UNFILLED,
    WORD_TOKENS,
    WORDS,
    hash_step,
)
from evalcore.text.layout import Cells, Codes, Counts, Tables
from evalcore.text.pipeline import Pipeline
from evalcore.text.rules import CharacterTable as CharacterRule
from evalcore.text.rules import Rule, Segments, Whitespace, WordFilter
from evalcore.text.tokens import TOKENIZERS, tokenizer

MOST_WORDS = 65536  # Odd words remembered between chunks; with more the memory starts anew.
WHITESPACE = {"squeeze": SQUEEZE, "strip": STRIP, "remove": REMOVE}


@dataclass(frozen=True)
class Operation:
    """One operation of a kernel and the data it reads."""

    kind: int
    table: CharacterTable | CompleteTable
    rule: MapsCharacters | None = None
    words: tuple[str, ...] = ()
    replacement: str = ""


def operation_of(rule: Rule) -> Operation | None:
    """Give the compiled form of a rule, None where it has to run in Python."""
    if isinstance(rule, CharacterRule | Segments):
        return Operation(MAP, table_of(rule), rule)
    if isinstance(rule, WordFilter):
        return Operation(WORDS, word_roles_of(rule), words=rule.words, replacement=rule.replacement)
    if isinstance(rule, Whitespace):
        return Operation(WHITESPACE[rule.mode], whitespace_table(1, 0))
    return None


class Stretch:
    """Neighbouring operations that run as one kernel.

    `tables` is a snapshot: answering requests replaces it, so a kernel in
    another thread goes on with the one it began with.
    """

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = tuple(operations)
        self._lock = Lock()
        self._lexicon = _Lexicon()
        self._blocks: list[Cells] = [np.full(PAGE, UNFILLED, dtype=np.int32)]
        self._spills: list[str] = []
        self._pages = np.full((max(1, len(operations)), PAGES), 0, dtype=np.int32)
        for number, operation in enumerate(self.operations):
            if isinstance(operation.table, CompleteTable):
                self._pages[number] = operation.table.pages + len(self._blocks)
                self._blocks.extend(operation.table.blocks)
            self._fill(number, 0)
            for word in operation.words:
                self._lexicon.add(number, word, operation.replacement)
        self._listed_words = len(self._lexicon)
        self.tables = self._snapshot()

    def answer(self, pages: Iterable[tuple[int, int]], words: Iterable[tuple[int, str]]) -> None:
        """Fill in the pages (table, number) and odd words (operation, word) a kernel asked for."""
        with self._lock:
            for table, page in pages:
                self._fill(table, page)
            for number, word in words:
                rule = self.operations[number].rule
                if rule is not None:
                    self._lexicon.add(number, word, rule.apply(word))
            self.tables = self._snapshot()

    def forget_words(self) -> None:
        """Start the memory of odd words anew once it has grown too large."""
        if len(self._lexicon) <= self._listed_words + MOST_WORDS:
            return
        with self._lock:
            self._lexicon = self._lexicon.first(self._listed_words)
            self.tables = self._snapshot()

    def _fill(self, table: int, number: int) -> None:
        if self._pages[table, number] > 0:
            return
        page = self.operations[table].table.page(number)
        cells = np.where(page.cells <= FIRST_SPILL, page.cells - len(self._spills), page.cells) if page.spills else page.cells
        self._spills.extend(page.spills)
        self._pages[table, number] = len(self._blocks)
        self._blocks.append(cells)

    def _snapshot(self) -> Tables:
        offsets = np.zeros(len(self._spills) + 1, dtype=np.int64)
        np.cumsum([len(text) for text in self._spills], out=offsets[1:])
        cells = np.concatenate(self._blocks).astype(np.int32)
        return Tables(self._described(), self._pages.copy(), cells, codes_of("".join(self._spills)), offsets, *self._lexicon.arrays(), *self._fused())

    def _described(self) -> Counts:
        rows = np.zeros((len(self.operations), 4), dtype=np.int64)
        for number, operation in enumerate(self.operations):
            ascii_cells = operation.table.page(0).cells[:128]
            keeps_ascii = bool(((ascii_cells >= -1) & (ascii_cells < 128)).all()) if operation.kind == MAP else operation.replacement.isascii()
            rows[number] = operation.kind, number, max(map(len, operation.words), default=0), keeps_ascii
        return rows

    def _fused(self) -> tuple[Cells, Counts]:
        """Give the table of one pass for all operations over ASCII, empty where the operations are others.

        The pass serves [table] [words replaced by a space] [table that only
        deletes or makes whitespace], words between squeezed whitespace.
        """
        nothing = np.zeros(0, dtype=np.int32), np.array([-1, 0], dtype=np.int64)
        kinds = [operation.kind for operation in self.operations]
        if kinds[-1:] != [WORD_TOKENS] or kinds[:-1] not in ([], [MAP], [WORDS], [MAP, WORDS], [WORDS, MAP], [MAP, WORDS, MAP]):
            return nothing
        words = kinds.index(WORDS) if WORDS in kinds else -1
        before = self._ascii_cells(0) if kinds[0] == MAP else np.arange(128)
        after = self._ascii_cells(words + 1) if kinds[-2:] == [MAP, WORD_TOKENS] and words >= 0 else np.arange(128)
        if min(before.min(), after.min()) < DELETE or max(before.max(), after.max()) >= 128:
            return nothing
        kept = np.maximum(before, 0)
        written, spaces = after[kept], self._ascii_cells(-1)[np.maximum(after[kept], 0)] == BETWEEN
        roles = self._ascii_cells(words)[kept] if words >= 0 else np.zeros(128, dtype=np.int64)
        listed = set(map(ord, "".join(self.operations[words].words))) if words >= 0 else set()
        changes = (written != kept) & (written >= 0) & ~spaces
        touched = any(after[code] != code or after[code] < 0 for code in listed if code < 128)
        if changes.any() or touched or (words >= 0 and self.operations[words].replacement != " "):
            return nothing
        if (roles[(written == kept) & spaces] > 0).any():
            return nothing
        cells = np.maximum(written, 0) | (roles << FUSED_ROLE) | np.where(spaces & (written >= 0), FUSED_SPACE, 0) | np.where(written < 0, FUSED_DELETED, 0)
        longest = max(map(len, self.operations[words].words), default=0) if words >= 0 else 0
        return np.where(before < 0, DELETE, cells).astype(np.int32), np.array([words, longest], dtype=np.int64)

    def _ascii_cells(self, number: int) -> Counts:
        return self.operations[number].table.page(0).cells[:128].astype(np.int64)


class _Lexicon:
    """Words and what replaces them, each under its operation."""

    def __init__(self) -> None:
        self._words: dict[tuple[int, str], str] = {}

    def __len__(self) -> int:
        return len(self._words)

    def add(self, operation: int, word: str, replacement: str) -> None:
        self._words[operation, word] = replacement

    def first(self, count: int) -> "_Lexicon":
        kept = _Lexicon()
        kept._words = dict(list(self._words.items())[:count])
        return kept

    def arrays(self) -> tuple[Counts, Counts, Codes]:
        """Give slots, entries (operation, start, middle, end) and the code points they point to."""
        size = 8
        while size < 4 * len(self._words):
            size *= 2
        slots = np.full(size, -1, dtype=np.int64)
        entries = np.zeros((max(1, len(self._words)), 4), dtype=np.int64)
        place = 0
        for number, ((operation, word), replacement) in enumerate(self._words.items()):
            entries[number] = operation, place, place + len(word), place + len(word) + len(replacement)
            place += len(word) + len(replacement)
            slot = _hash(operation, word) & (size - 1)
            while slots[slot] >= 0:
                slot = (slot + 1) & (size - 1)
            slots[slot] = number
        return slots, entries, codes_of("".join(word + replacement for (_, word), replacement in self._words.items()))


_step = hash_step.py_func


def _hash(operation: int, word: str) -> int:
    value = _step(0, operation)
    for character in word:
        value = _step(value, ord(character))
    return int(value)


@dataclass(frozen=True, eq=False)
class Program:
    """The steps of one side in stretches and rules, and the tokenizer.

    `last` ends with the tokenizer; `tokens` is the tokenizer's function where
    it has no roles for a kernel.
    """

    before: tuple[Stretch | Rule, ...]
    last: Stretch
    tokens: Callable[[str], list[str]] | None


@lru_cache(maxsize=64)
def program_of(pipeline: Pipeline, tokenizer_name: str) -> Program:
    """Compile a pipeline and a tokenizer."""
    cutter = tokenizer(tokenizer_name)
    parts: list[Stretch | Rule] = []
    operations: list[Operation] = []
    for step in pipeline:
        operation = operation_of(step.rule)
        if operation is None:
            if operations:
                parts.append(Stretch(operations))
            parts.append(step.rule)
            operations = []
        elif operations and operation.rule is not None and operations[-1].rule is not None:
            operations[-1] = _in_turn(operations[-1].rule, operation.rule)
        else:
            operations.append(operation)
    if cutter.role is not None:
        squeezed = cutter is TOKENIZERS["whitespace"] and operations and operations[-1].kind == SQUEEZE
        if squeezed:
            operations[-1] = Operation(WORD_TOKENS, whitespace_table(BETWEEN, JOINS))
        else:
            operations.append(Operation(TOKENS, roles_of(cutter.role)))
    return Program(tuple(parts), Stretch(operations), None if cutter.role is not None else cutter.tokens)


def _in_turn(first: MapsCharacters, second: MapsCharacters) -> Operation:
    rule = InTurn(first, second)
    return Operation(MAP, table_of(rule), rule)


def requested(requests: Counts, codes: Codes) -> tuple[set[tuple[int, int]], set[tuple[int, str]]]:
    """Read a kernel's requests: pages by table and number, words by operation."""
    pages = {(table, page) for kind, table, page, _ in requests.tolist() if kind == NEED_PAGE}
    words = {(operation, text_of(codes[start:end])) for kind, operation, start, end in requests.tolist() if kind == NEED_WORD}
    return pages, words
