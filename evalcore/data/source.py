"""The bytes of a file, and the text in them."""

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from charset_normalizer import from_bytes

from evalcore.data.archive import SUFFIXES, ZIP, unpack
from evalcore.data.errors import FormatError, quote
from evalcore.data.json_text import decode

File = str | PathLike[str] | bytes
Found = TypeVar("Found")
GUESSED_BYTES = 256 * 1024
PLAIN_START = re.compile(rb"[\t\n\r -~]{4}")  # UTF-16 of such characters has a 0 among its first two bytes.
NEARLY = 0.05  # Encodings whose likelihood differs by less fit equally well.
USUAL = ("cp1252", "gb18030", "big5", "cp932", "cp949")
OFFERED = ("cp1252", "gb18030", "big5", "cp932", "cp949", "euc_jp", "cp1250", "cp1251", "iso8859-2", "koi8-r", "utf-16-le", "utf-16-be", "utf-8")
ACCEPTED = "JSONL, JSON, CSV, TSV, Excel, Parquet or Arrow, each also as .gz, .zst or .zip"

BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)

OTHER_KINDS = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"BM", "a bitmap image"),
    (b"RIFF", "a media file"),
    (b"%PDF", "a PDF document"),
    (b"BZh", "a bzip2 archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89HDF", "an HDF5 file"),
    (b"Obj\x01", "an Avro file"),
    (b"ORC", "an ORC file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x7fELF", "a program"),
    *((b"\x80" + bytes([protocol]), "a Python pickle") for protocol in range(2, 6)),
)

INSTEAD = (
    (b"version https://git-lfs", "a pointer of Git LFS and not the file itself; fetch it with git lfs pull"),
    (b"<!doctype html", "a web page, such as one that asks to sign in; download the file itself"),
    (b"<html", "a web page, such as one that asks to sign in; download the file itself"),
)


@dataclass(frozen=True, eq=False)
class Source:
    """One file: its bytes (unpacked), its name, and how its text is written.

    `text` is the content as UTF-8 without BOM, read under `chosen` where
    the user chose an encoding; `sheet` is the sheet of a workbook that was
    chosen; `inner` is its name inside an archive;
    `notes` tells what was guessed on the way. Of a large file of lines
    `data` is the first block only, `rest` gives those that follow, once;
    `before` counts the lines that stand before `data`.
    """

    data: bytes
    name: str = ""
    notes: tuple[str, ...] = ()
    inner: str = ""
    chosen: str | None = None
    sheet: str | None = None
    rest: Iterator[bytes] | None = None
    before: int = 0
    known: dict[str, Any] = field(default_factory=dict)

    def once(self, key: str, find: "Callable[[Source], Found]") -> Found:
        """Give what `find` finds, looked for once for all formats."""
        if key not in self.known:
            self.known[key] = find(self)
        found: Found = self.known[key]
        return found

    @property
    def label(self) -> str:
        """How messages call the file."""
        return self.name or "the input"

    @property
    def extension(self) -> str:
        """Last extension of the name in lower case, without .gz, .zst or .zip: ".csv"."""
        name = Path((self.inner or self.name).lower())
        return Path(name.stem).suffix if name.suffix in SUFFIXES and Path(name.stem).suffix else name.suffix

    @cached_property
    def decoded(self) -> tuple[bytes, str, str]:
        """The content as UTF-8, its encoding, and a note when that was a guess.

        Raises: FormatError when the bytes are no text.
        """
        return _decode(self.data, self.label) if self.chosen is None else _decode_as(self.data, self.chosen, self.label)

    @cached_property
    def encodings(self) -> tuple[str, ...]:
        """The encodings under which the first bytes are a text, the one in use first.

        Empty: a file that is UTF-8 offers only that.
        """
        first = self.decoded[1]
        if self.chosen is None and not self.decoded[2]:
            return (first,)
        head = self.data[:GUESSED_BYTES]
        return (first, *(name for name in OFFERED if name.casefold() != first.casefold() and _fits(head, name)))

    @property
    def text(self) -> bytes:
        """The content as UTF-8 without BOM."""
        return self.decoded[0]

    def blocks(self) -> Iterator[bytes]:
        """Give the content as UTF-8 in blocks of whole lines, the blocks of a large file as they are read."""
        yield self.text
        yield from self.rest or ()

    @property
    def encoding_notes(self) -> tuple[str, ...]:
        """What was guessed about the encoding, if anything; nothing for a file that was never read as text."""
        return (*self.notes, self.decoded[2]) if "decoded" in self.__dict__ and self.decoded[2] else self.notes

    @property
    def opening(self) -> bytes:
        """The first bytes that are no white space, 200 at most."""
        return self.text[:4096].lstrip()[:200]

    @cached_property
    def json(self) -> object:
        """The whole content as JSON.

        Raises: json.JSONDecodeError.
        """
        return decode(self.text.decode("utf-8", "surrogatepass"))


def open_source(file: File, filename: str | None = None, encoding: str | None = None, sheet: str | None = None) -> Source:
    """Take a path or the bytes of a file; .gz, .zst and .zip are unpacked.

    Raises: FormatError when there is nothing in it, or it is of a kind that
        holds no answers, or there is no such encoding.
    """
    data, name = content_of(file, filename)
    label = name or "the input"
    unpacked = unpack(data, label)
    data = unpacked.data
    if not data or (data[:4096].isspace() and data.isspace()) or any(data == bom for bom, _ in BOMS):
        raise FormatError(f"{label} is empty ({len(data)} bytes); a file with at least one row is needed: {ACCEPTED}")
    kind = next((kind for magic, kind in OTHER_KINDS if data.startswith(magic)), None)
    if kind is None and data[257:262] == b"ustar":
        kind = "a tar archive"
    if kind is not None and not _is_text(data):
        raise FormatError(f"{label} begins with {quote(bytes(data[:8]))}: that is {kind}, whatever its name says; export the answers as {ACCEPTED}")
    instead = next((what for opening, what in INSTEAD if data[:200].lstrip().lower().startswith(opening)), None)
    if instead is not None:
        raise FormatError(f"{label} is {instead}")
    return Source(data, name, unpacked.notes, unpacked.inner, None if encoding is None else known_encoding(encoding), sheet)


def is_zip(path: str | PathLike[str]) -> bool:
    """Tell a zip archive by its first bytes; False for what cannot be opened."""
    try:
        with open(fspath(path), "rb") as file:
            return file.read(4) in ZIP
    except OSError:
        return False


def content_of(file: File, filename: str | None = None) -> tuple[bytes, str]:
    """Give the bytes of a file and its name.

    Raises: FormatError when it cannot be opened.
    """
    return (bytes(file), filename or "") if isinstance(file, bytes | bytearray) else _from_disk(file, filename)


def known_encoding(encoding: str) -> str:
    """Give the usual name of an encoding.

    Raises: FormatError when there is no such encoding.
    """
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise FormatError(f"there is no encoding {quote(encoding)}; usual ones are {', '.join(OFFERED)}") from None


def _from_disk(path: str | PathLike[str], filename: str | None) -> tuple[bytes, str]:
    place = Path(fspath(path))
    try:
        return place.read_bytes(), filename or place.name
    except OSError as error:
        raise cannot_open(path, error) from None


def cannot_open(path: str | PathLike[str], error: OSError) -> FormatError:
    """Say why a file cannot be opened."""
    place = quote(str(Path(fspath(path))), 200)
    if isinstance(error, FileNotFoundError):
        return FormatError(f"there is no file {place}; give the path of a file with answers: {ACCEPTED}")
    return FormatError(f"{place} cannot be opened ({error.strerror or error}); give the path of a file with answers: {ACCEPTED}")


def _is_text(data: bytes) -> bool:
    head = data[:4096]
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start > len(head) - 4 and b"\0" not in head
    return b"\0" not in head


def _decode(data: bytes, label: str) -> tuple[bytes, str, str]:
    for bom, encoding in BOMS:
        if data.startswith(bom):
            content = data[len(bom) :]
            if encoding == "utf-8":
                while content.startswith(bom):  # Written once more by a program that took the first for text.
                    content = content[len(bom) :]
                return (content, "UTF-8 with BOM", "") if is_utf8(content) else _guess(content, label)
            return _recode(content, encoding, label), encoding.upper(), ""
    wide = utf16_without_bom(data[:GUESSED_BYTES])
    if wide is not None:
        return _recode(data, wide, label), wide.upper(), f"{label} has no mark of its encoding; it was read as {wide.upper()}, as every second byte is 0"
    if is_utf8(data):
        return data, "UTF-8", ""
    return _guess(data, label)


def _decode_as(data: bytes, encoding: str, label: str) -> tuple[bytes, str, str]:
    for bom, marked in BOMS:
        if data.startswith(bom) and marked.replace("-", "") == encoding.replace("-", "").replace("_", ""):
            data = data[len(bom) :]
    if encoding == "utf-8" and is_utf8(data):
        return data, "UTF-8", ""
    try:
        return data.decode(encoding).encode("utf-8", "surrogatepass"), encoding, ""
    except (UnicodeDecodeError, LookupError) as error:
        place = f"byte {error.start} is none ({error.reason})" if isinstance(error, UnicodeDecodeError) else str(error)
        raise FormatError(f"{label} is no text in {encoding}: {place}; choose another encoding") from None


def _fits(head: bytes, encoding: str) -> bool:
    """Tell whether the head is a text under an encoding; a character cut off at its end does not count."""
    try:
        text = codecs.getincrementaldecoder(encoding)("strict").decode(head, final=False)
    except (UnicodeDecodeError, LookupError):
        return False
    return not any((ord(character) < 32 and character not in "\t\n\r\f") or "\x7f" <= character <= "\x9f" for character in text[:20000])


def utf16_without_bom(head: bytes) -> str | None:
    """Tell UTF-16 by every second byte being 0; None where it is not, as in UTF-8 whose answers hold many NULs."""
    zeros = (head[0::2].count(0), head[1::2].count(0))
    if len(head) < 8 or max(zeros) < 4 or min(zeros) * 4 > max(zeros):
        return None
    if PLAIN_START.match(head) and _begins_utf8(head):
        return None
    encoding = "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"
    return encoding if _fits(head, encoding) else None


def _begins_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")("surrogatepass").decode(head, final=False)
    except UnicodeDecodeError:
        return False
    return True


def is_utf8(data: bytes) -> bool:
    """Tell UTF-8, lone surrogates passed."""
    whole = pa.Array.from_buffers(pa.large_binary(), 1, [None, pa.py_buffer(np.array([0, len(data)], dtype=np.int64)), pa.py_buffer(data)])
    try:
        whole.cast(pa.large_string())
    except pa.ArrowInvalid:
        return _is_utf8_with_surrogates(data)
    return True


def _is_utf8_with_surrogates(data: bytes) -> bool:
    if not re.search(rb"\xed[\xa0-\xbf]", data):
        return False
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def _recode(data: bytes, encoding: str, label: str) -> bytes:
    try:
        return data.decode(encoding, "surrogatepass").encode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise FormatError(f"{label} is {encoding.upper()} by its first bytes, but byte {error.start} is none ({error.reason}); save it as UTF-8") from None


def _guess(data: bytes, label: str) -> tuple[bytes, str, str]:
    bad = _first_bad_byte(data)
    encoding = _likely_encoding(data[:GUESSED_BYTES])
    try:
        content = data.decode(encoding or "utf-8").encode("utf-8")
    except (UnicodeDecodeError, LookupError):
        found = f"{label} is no text: {bad}, and no other encoding fits; it begins with {quote(data[:12])}"
        raise FormatError(f"{found}. Save it as UTF-8, or export the answers as {ACCEPTED}") from None
    guessed = f"{label} is not UTF-8 ({bad}); it was read as {encoding}, which is a guess"
    return content, str(encoding), f"{guessed}: check the letters, and save it as UTF-8 if they are wrong"


def _likely_encoding(head: bytes) -> str | None:
    """Guess an encoding; of those that fit equally well the most usual one, and for a rare one a usual one that fits nearly as well."""
    if head.count(b"\0") > len(head) // 50:
        return None
    found = list(from_bytes(head))
    if not found:
        return None
    best = found[0]
    equal = [match.encoding for match in found if (match.chaos, match.coherence) == (best.chaos, best.coherence)]
    near = [codecs.lookup(match.encoding).name for match in found if match.chaos == best.chaos and match.coherence >= best.coherence - NEARLY]
    rare = codecs.lookup(best.encoding).name not in {codecs.lookup(name).name for name in OFFERED}
    known = [name for name in OFFERED if codecs.lookup(name).name in near] if rare else []
    return next(iter((*(encoding for encoding in USUAL if encoding in equal), *known, *equal)))


def _first_bad_byte(data: bytes) -> str:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        return f"byte {quote(data[error.start : error.start + 1])} on line {data.count(bytes([10]), 0, error.start) + 1} is not UTF-8"
    return "its bytes are not UTF-8"
