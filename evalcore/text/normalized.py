"""A column of texts after a pipeline, with its tokens."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from evalcore.text import kernels
from evalcore.text.character_tables import codes_of, text_of
from evalcore.text.columns import Texts
from evalcore.text.decoding import decode_rows, normalize_direct
from evalcore.text.layout import Bytes, Codes, Counts, Output, Work
from evalcore.text.program import Program, Stretch, requested
from evalcore.text.rules import Budget, Rule, StepFailed

SLACK = 1024  # Places an output has at least.
MISSING_PAGES = 4096  # Characters without a page that are named at a time; with more the pass is repeated.


@dataclass(frozen=True, eq=False)
class Normalized:
    """The texts of a column after the steps of one side, cut into tokens.

    `failed` maps rows that a step could not finish on to its message;
    their text is empty.
    """

    output: Output
    failed: Mapping[int, str]

    def __len__(self) -> int:
        return len(self.output.starts)

    def texts(self) -> list[str]:
        """Give Python strings."""
        return self._texts

    @cached_property
    def _texts(self) -> list[str]:
        return _texts_of(self.output)

    def lengths(self) -> Counts:
        """Give the length of every text in code points."""
        return self.output.ends - self.output.starts

    def tokens(self, row: int) -> list[str]:
        """Give the tokens of one text."""
        found = range(int(self.output.first[row]), int(self.output.last[row]))
        return [text_of(self.output.codes[self.output.token_starts[token] : self.output.token_ends[token]]) for token in found]


@dataclass(eq=False)
class Room:
    """Memory a column is normalized in, used again for the next one.

    What stands in it is valid until then.
    """

    codes: Codes = field(default_factory=lambda: np.empty(0, dtype=np.uint32))
    read: Codes = field(default_factory=lambda: np.empty(0, dtype=np.uint32))
    tokens: tuple[Counts, Counts, npt.NDArray[np.int32]] | None = None
    scratch: int = 1024
    request_codes: int = 8192
    budget: Budget = field(default_factory=Budget)

    def decoded(self, size: int) -> Codes:
        """Give a buffer of at least this many code points for what is read."""
        if len(self.read) < size:
            self.read = np.empty(size + size // 4, dtype=np.uint32)
        return self.read

    def output(self, rows: int, codes: int, tokens: int) -> Output:
        """Give an output of at least this size."""
        if len(self.codes) < codes:
            self.codes = np.empty(codes + codes // 4, dtype=np.uint32)
        if self.tokens is None or len(self.tokens[0]) < tokens:
            tokens += tokens // 4
            self.tokens = np.empty(tokens, dtype=np.int64), np.empty(tokens, dtype=np.int64), np.empty(tokens, dtype=np.int32)
        starts, ends, first, last = (np.zeros(rows, dtype=np.int64) for _ in range(4))
        return Output(self.codes, starts, ends, first, last, *self.tokens)

    def work(self, rows: int) -> Work:
        """Give scratch and request buffers."""
        scratch, spare = np.empty(self.scratch, dtype=np.uint32), np.empty(self.scratch, dtype=np.uint32)
        pending, requests = np.empty(rows, dtype=np.int64), np.empty((2048, 4), dtype=np.int64)
        return Work(scratch, spare, pending, requests, np.empty(self.request_codes, dtype=np.uint32), np.zeros(8, dtype=np.int64))


def normalize(texts: Texts, program: Program, room: Room | None = None) -> Normalized:
    """Bring a column through a program; None counts as the empty text.

    Raises: UnicodeDecodeError when the column holds bytes that are no text.
    """
    room = room or Room()
    failed: dict[int, str] = {}
    source: Texts | list[str] = texts
    for part in program.before:
        if isinstance(part, Stretch):
            source = _texts_of(_run(part, source, room))
        else:
            source = _apply(part, source if isinstance(source, list) else [text or "" for text in source], failed, room.budget)
    output = _run(program.last, source, room)
    for row in failed:
        output.ends[row] = output.starts[row]
        output.last[row] = output.first[row]
    return Normalized(output if program.tokens is None else _cut(output, program.tokens), failed)


def _apply(rule: Rule, texts: list[str], failed: dict[int, str], budget: Budget) -> list[str]:
    """Apply a rule once per distinct text; a row that failed before stays as it is."""
    after: dict[str, str] = {}
    messages: dict[str, str] = {}
    for text in dict.fromkeys(texts):
        try:
            after[text] = budget.run(rule, rule.apply, text)
        except StepFailed as error:
            after[text] = ""
            messages[text] = str(error)
    if messages:
        for row, text in enumerate(texts):
            if text in messages:
                failed.setdefault(row, messages[text])
    return [after[text] for text in texts]


def _run(stretch: Stretch, source: Texts | list[str], room: Room) -> Output:
    """Run a stretch over a column, answering what the kernel asks until no row is left."""
    stretch.forget_words()
    data: Any
    data, starts, ends = source.utf8() if isinstance(source, Texts) else _columns_of(source)
    rows = np.arange(len(starts), dtype=np.int64)
    size = int((ends - starts).sum())
    output = room.output(len(rows), size + len(rows) + SLACK, size // 2 + len(rows) + SLACK)
    work = room.work(len(rows))
    if len(stretch.tables.fused):
        kernels.normalize_fused(data, starts, ends, rows, stretch.tables, output, work)
        rows = work.pending[: work.cursor[kernels.AT_PENDING]].copy()
    if isinstance(source, Texts):
        if stretch.direct is not None and len(rows):
            rows = _run_directly(stretch, stretch.direct, (data, starts, ends, rows), output, work)
        data, starts, ends = _decoded(data, starts, ends, rows, room)
    while len(rows):
        work.cursor[kernels.AT_PENDING] = work.cursor[kernels.AT_REQUEST] = work.cursor[kernels.AT_REQUEST_CODE] = 0
        kernels.normalize_texts(data, starts, ends, rows, stretch.tables, output, work)
        status, stopped = int(work.cursor[kernels.STATUS]), int(work.cursor[kernels.STOPPED_AT])
        pending, asked = int(work.cursor[kernels.AT_PENDING]), int(work.cursor[kernels.AT_REQUEST])
        rows = np.concatenate((work.pending[:pending], rows[stopped:]))
        if asked:
            stretch.answer(*requested(work.requests[:asked], work.request_codes))
        elif status == kernels.DONE and pending:
            room.request_codes *= 4
            work = _moved(work, room)
        if status == kernels.SCRATCH_FULL:
            room.scratch *= 4
            work = _moved(work, room)
        elif status in (kernels.OUTPUT_FULL, kernels.TOKENS_FULL):
            output = _grown(output, room, status)
    return output


def _run_directly(stretch: Stretch, table: int, column: tuple[Bytes, Counts, Counts, Counts], output: Output, work: Work) -> Counts:
    """Run the direct pass over rows of a column, filling the pages it lacks; give the rows that are left."""
    data, starts, ends, rows = column
    place = work.cursor[[kernels.AT_OUTPUT, kernels.AT_TOKEN]]
    missing = np.empty(MISSING_PAGES, dtype=np.int64)
    asked = 1
    while len(rows) and asked:
        tables = stretch.tables
        waiting, asked = normalize_direct(data, starts, ends, rows, table, tables.pages, tables.cells, output, place, work.pending, missing)
        rows = work.pending[:waiting].copy()
        if asked:
            stretch.answer({(table, page) for page in missing[:asked].tolist()}, ())
    work.cursor[[kernels.AT_OUTPUT, kernels.AT_TOKEN]] = place
    return rows


def _decoded(data: Bytes, starts: Counts, ends: Counts, rows: Counts, room: Room) -> tuple[Codes, Counts, Counts]:
    """Give the code points of some rows; the places of all others are empty."""
    codes = room.decoded(int((ends[rows] - starts[rows]).sum()))
    code_starts, code_ends = np.zeros_like(starts), np.zeros_like(ends)
    row = int(decode_rows(data, starts, ends, rows, codes, code_starts, code_ends))
    if row >= 0:
        text = bytes(data[starts[row] : ends[row]])
        text.decode("utf-8", "surrogatepass")
        raise AssertionError(f"{text!r:.80} is no UTF-8 for the kernel, but for Python")
    return codes, code_starts, code_ends


def _columns_of(texts: list[str]) -> tuple[Codes, Counts, Counts]:
    """Put Python strings into one buffer of code points."""
    ends = np.cumsum(np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)))
    starts = np.concatenate((np.zeros(1, dtype=np.int64), ends[:-1])) if len(texts) else ends
    return codes_of("".join(texts)), starts, ends


def _moved(work: Work, room: Room) -> Work:
    """Give larger buffers that stand at the same places."""
    larger = room.work(len(work.pending))
    larger.cursor[:] = work.cursor
    return larger


def _grown(output: Output, room: Room, status: int) -> Output:
    codes, tokens = output.codes, (output.token_starts, output.token_ends, output.hashes)
    if status == kernels.OUTPUT_FULL:
        room.codes = codes = np.concatenate((codes, np.empty_like(codes)))
    else:
        room.tokens = tokens = tuple(np.concatenate((column, np.empty_like(column))) for column in tokens)  # type: ignore[assignment]
    return Output(codes, output.starts, output.ends, output.first, output.last, *tokens)


def _cut(output: Output, tokens: Callable[[str], list[str]]) -> Output:
    """Cut every distinct text into tokens in Python; the tokens stand after the texts."""
    texts = _texts_of(output)
    cut = {text: tokens(text) for text in dict.fromkeys(texts)}
    flat = [token for text in texts for token in cut[text]]
    counts = np.fromiter((len(cut[text]) for text in texts), dtype=np.int64, count=len(texts))
    last = np.cumsum(counts)
    codes, starts, ends = _columns_of(flat)
    hashes = np.fromiter(map(_hash, flat), dtype=np.int32, count=len(flat))
    used = int(output.ends.max(initial=0))
    codes = np.concatenate((output.codes[:used], codes))
    return Output(codes, output.starts, output.ends, last - counts, last, starts + used, ends + used, hashes)


def _hash(token: str) -> int:
    return crc32(token.encode("utf-8", "surrogatepass")) & 0x7FFFFFFF


def _texts_of(output: Output) -> list[str]:
    if not len(output.starts):
        return []
    first = int(output.starts.min())
    joined = text_of(output.codes[first : int(output.ends.max())])
    return [joined[start - first : end - first] for start, end in zip(output.starts.tolist(), output.ends.tolist(), strict=True)]
