"""Programs: the steps of one side and a tokenizer, ready for the kernels."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import numpy as np

from evalcore.text.character_tables import PAGE, PAGES, CompleteTable, InTurn, MapsCharacters, codes_of, roles_of, table_of, text_of, whitespace_table
from evalcore.text.kernels import BETWEEN, FIRST_SPILL, JOINS, MAP, NEED_PAGE, NEED_WORD, SQUEEZE, TOKENS, UNFILLED, WORD_TOKENS
from evalcore.text.layout import Cells, Codes, Counts, Tables
from evalcore.text.lexicon import Lexicon
from evalcore.text.one_pass import direct_table, fused_table
from evalcore.text.operations import Operation, operation_of
from evalcore.text.pipeline import Pipeline
from evalcore.text.rules import Rule
from evalcore.text.tokens import TOKENIZERS, tokenizer

MOST_WORDS = 65536  # Odd words remembered between chunks; with more the memory starts anew.


class Stretch:
    """Neighbouring operations that run as one kernel.

    `tables` is a snapshot: answering requests replaces it, so a kernel in
    another thread goes on with the one it began with. `direct` is the
    number of the table of the direct pass, None where there is none.
    """

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = tuple(operations)
        self._lock = Lock()
        self._lexicon = Lexicon()
        self._blocks: list[Cells] = [np.full(PAGE, UNFILLED, dtype=np.int32)]
        self._spills: list[str] = []
        direct = direct_table(self.operations)
        self.direct = None if direct is None else len(self.operations)
        self._tables = [*(operation.table for operation in self.operations), *([] if direct is None else [direct])]
        self._pages = np.full((max(1, len(self._tables)), PAGES), 0, dtype=np.int32)
        for number, table in enumerate(self._tables):
            if isinstance(table, CompleteTable):
                self._pages[number] = table.pages + len(self._blocks)
                self._blocks.extend(table.blocks)
            self._fill(number, 0)
        for number, operation in enumerate(self.operations):
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
        page = self._tables[table].page(number)
        cells = np.where(page.cells <= FIRST_SPILL, page.cells - len(self._spills), page.cells) if page.spills else page.cells
        self._spills.extend(page.spills)
        self._pages[table, number] = len(self._blocks)
        self._blocks.append(cells)

    def _snapshot(self) -> Tables:
        offsets = np.zeros(len(self._spills) + 1, dtype=np.int64)
        np.cumsum([len(text) for text in self._spills], out=offsets[1:])
        cells = np.concatenate(self._blocks).astype(np.int32)
        lexicon, fused = self._lexicon.arrays(), fused_table(self.operations)
        return Tables(self._described(), self._pages.copy(), cells, codes_of("".join(self._spills)), offsets, *lexicon, *fused)

    def _described(self) -> Counts:
        rows = np.zeros((len(self.operations), 4), dtype=np.int64)
        for number, operation in enumerate(self.operations):
            ascii_cells = operation.table.page(0).cells[:128]
            keeps_ascii = bool(((ascii_cells >= -1) & (ascii_cells < 128)).all()) if operation.kind == MAP else operation.replacement.isascii()
            rows[number] = operation.kind, number, max(map(len, operation.words), default=0), keeps_ascii
        return rows


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
