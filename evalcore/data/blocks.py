"""Files of any size as blocks of whole lines, unpacked and checked as they are read."""

import codecs
import os
from collections.abc import Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from evalcore.data.archive import STREAMS, damaged, most_unpacked, too_large
from evalcore.data.errors import FormatError
from evalcore.data.source import File, Source, cannot_open, is_utf8

BLOCK = 1 << 23
AT_ONCE = 1 << 25  # A file below this is simply read.
AT_ONCE_PACKED = 1 << 22
MOST_LINE = 1 << 30


class NotUtf8(Exception):
    """A block that is no UTF-8, in a file that began as such."""


class Stream(Protocol):
    """What bytes are read from."""

    def read(self, size: int) -> bytes:
        """Give some bytes, none at the end."""


def open_blocks(file: File, filename: str | None = None) -> Source | None:
    """Open a large file of lines in UTF-8: the first block, and what follows it.

    Empty: None for a file that is small, is no such text by its first
        block, or whose bytes are at hand anyway.
    Raises: FormatError when it cannot be opened or unpacked.
    """
    size = len(file) if isinstance(file, bytes | bytearray) else _size(file)
    packed = _packing(file)
    if size < (AT_ONCE_PACKED if packed else AT_ONCE) or (packed is None and isinstance(file, bytes | bytearray)):
        return None
    name = filename or (Path(fspath(file)).name if isinstance(file, str | PathLike) else "")
    source = opened(file, name, most=most_unpacked(size) if packed else None)
    try:
        written = source.decoded[1]
    except FormatError:
        return None
    return source if written in ("UTF-8", "UTF-8 with BOM") else None


def opened(file: File, name: str, encoding: str | None = None, most: int | None = None) -> Source:
    """Open a file as its first block of lines and the blocks that follow, those in UTF-8.

    `encoding` says how it is written where that is not UTF-8; `most` bounds the bytes of all.
    Raises: FormatError when it cannot be opened, unpacked or decoded.
    """
    label = name or "the input"
    stream: Stream = _Unpacked(file, label, most)
    blocks = line_blocks(stream if encoding is None else _Recoded(stream, encoding, label), label)
    return Source(next(blocks, b""), name, rest=_checked(blocks))


def line_blocks(stream: Stream, label: str, size: int | None = None) -> Iterator[bytes]:
    """Cut a stream into blocks of whole lines of about `size` bytes; a longer line makes a longer block.

    Raises: FormatError for a line that is too long to be held.

    >>> import io
    >>> list(line_blocks(io.BytesIO(b"ab\\ncd\\nef"), "x", 4))
    [b'ab\\n', b'cd\\n', b'ef']
    """
    held: list[bytes] = []
    while part := stream.read(size or BLOCK):
        cut = part.rfind(b"\n") + 1
        if cut:
            yield b"".join([*held, part[:cut]])
            held = []
        held.append(part[cut:])
        if sum(map(len, held)) > MOST_LINE:
            raise FormatError(f"{label} has a line of more than {MOST_LINE >> 20:,} MB, as no file of answers does; write one item a line")
    if any(held):
        yield b"".join(held)


class _Unpacked:
    """The bytes of a file, gzip and zstd taken off."""

    def __init__(self, file: File, label: str, most: int | None) -> None:
        self.label = label
        self.most = most
        self.given = 0
        self.packing = _packing(file)
        try:
            raw = pa.BufferReader(file) if isinstance(file, bytes | bytearray) else pa.OSFile(fspath(file))
            self.stream = raw if self.packing is None else pa.CompressedInputStream(raw, self.packing)
        except OSError as error:
            raise cannot_open(label if isinstance(file, bytes | bytearray) else file, error) from None

    def read(self, size: int) -> bytes:
        try:
            content: bytes = self.stream.read(size)
        except (OSError, pa.ArrowInvalid) as error:
            if self.packing is None:
                raise FormatError(f"{self.label} cannot be read further ({str(error)[:120]}); copy it again") from None
            raise damaged(self.label, self.packing, error) from None
        self.given += len(content)
        if self.most is not None and self.given > self.most:
            raise too_large(self.label, self.most, self.given)
        return content


class _Recoded:
    """The bytes of a file in another encoding, as UTF-8."""

    def __init__(self, stream: Stream, encoding: str, label: str) -> None:
        self.stream = stream
        self.encoding = encoding
        self.label = label
        self.decoder = codecs.getincrementaldecoder(encoding)("strict")

    def read(self, size: int) -> bytes:
        text = ""
        while not text:
            content = self.stream.read(size)
            try:
                text = self.decoder.decode(content, final=not content)
            except UnicodeDecodeError as error:
                found = bytes(error.object[error.start : error.end])
                raise FormatError(f"{self.label} is no text in {self.encoding}: {found!r:.40} ({error.reason}); choose another encoding") from None
            if not content:
                break
        return text.encode("utf-8", "surrogatepass")


def _checked(blocks: Iterator[bytes]) -> Iterator[bytes]:
    for block in blocks:
        if not is_utf8(block):
            raise NotUtf8
        yield block


def _packing(file: File) -> str | None:
    if isinstance(file, bytes | bytearray):
        head = bytes(file[:4])
    else:
        try:
            with open(fspath(file), "rb") as opened_file:
                head = opened_file.read(4)
        except OSError as error:
            raise cannot_open(file, error) from None
    return next((name for magic, name in STREAMS if head[: len(magic)] == magic), None)


def _size(file: str | PathLike[str]) -> int:
    try:
        return os.stat(fspath(file)).st_size
    except OSError as error:
        raise cannot_open(file, error) from None
