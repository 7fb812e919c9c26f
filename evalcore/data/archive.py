"""Packed files: gzip, zstd and zip, unpacked in memory within bounds."""

import bz2
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

import pyarrow as pa

from evalcore.data.errors import FormatError, listed

MOST_UNPACKED = 4 * 1024**3
MOST_TIMES = 200
ALWAYS_ALLOWED = 256 * 1024**2
LAYERS = 3
STREAMS = ((b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"))
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
METHODS = {0: "stored", 8: "deflate", 12: "bzip2", 93: "zstd"}
SUFFIXES = (".gz", ".zst", ".zip")
WORKBOOK = frozenset({"xl/workbook.xml", "xl/workbook.bin"})
OPEN_DOCUMENT = frozenset({"mimetype", "META-INF/manifest.xml"})
IN_LOGS = ("samples/", "_journal/", "summaries.json", "reductions.json")
SAMPLE = re.compile(r"samples/.*_epoch_\d+\.json", re.DOTALL)
NO_ANSWERS = ("readme", "license", "licence", "notice", "manifest")


@dataclass(frozen=True)
class Unpacked:
    """Content of a packed file; `inner` is its name inside an archive, "" where there is none."""

    data: bytes
    inner: str = ""
    notes: tuple[str, ...] = ()


def unpack(data: bytes, label: str) -> Unpacked:
    """Take off gzip, zstd and zip layers, three at most; workbooks and evaluation logs stay zip archives.

    Raises: FormatError when the file is damaged, unpacks to too much, or holds several files.
    """
    inner, notes = "", list[str]()
    for _ in range(LAYERS):
        stream = next((name for magic, name in STREAMS if data[: len(magic)] == magic), None)
        if stream is not None:
            data = unpack_stream(data, stream, label)
        elif data[:4] in ZIP:
            names = member_names(data, label)
            if keeps_its_members(names):
                return Unpacked(data, inner, tuple(notes))
            inner = _only_file(names, label)
            others = len(names) - 1
            notes.append(f"{label} holds {inner}, which was read" + (f"; {others} other files in it were not" if others else ""))
            data = members(data, label, inner.__eq__)[inner]
        else:
            return Unpacked(data, inner, tuple(notes))
    if data[:4] in ZIP and not keeps_its_members(member_names(data, label)):
        raise FormatError(f"{label} holds archives in archives, {LAYERS} deep and more; unpack it and give the file with the answers")
    return Unpacked(data, inner, tuple(notes))


def files_in(data: bytes, label: str) -> dict[str, bytes]:
    """Unpack a zip archive that holds several files of answers, each by its name.

    Empty: nothing for one file, for what is no zip archive, and for an archive that is one document.
    Raises: FormatError when one is damaged, locked, packed in an unknown way, or all together are too large.
    """
    if data[:4] not in ZIP:
        return {}
    names = member_names(data, label)
    chosen = _useful(names)
    return {} if keeps_its_members(names) or len(chosen) < 2 else members(data, label, set(chosen).__contains__)


def keeps_its_members(names: list[str]) -> bool:
    """Tell an archive that is one document: a workbook or an evaluation log, by what only these have in them."""
    found = set(names)
    if found & WORKBOOK or ("content.xml" in found and found & OPEN_DOCUMENT):
        return True
    if "header.json" in found:
        return found == {"header.json"} or any(name.startswith(IN_LOGS) for name in names)
    return any(SAMPLE.fullmatch(name) or name.startswith("_journal/") for name in names)


def member_names(data: bytes, label: str) -> list[str]:
    """List the files in a zip archive.

    Raises: FormatError when its directory is damaged.
    """
    return [info.filename for info in _infos(data, label)]


def members(data: bytes, label: str, wanted: Callable[[str], bool]) -> dict[str, bytes]:
    """Unpack the wanted files of a zip archive into memory; nothing is written to disk.

    Raises: FormatError when one is damaged, locked, packed in an unknown way, or all together are too large.
    """
    found: dict[str, bytes] = {}
    left = most_unpacked(len(data))
    for info in _infos(data, label):
        if wanted(info.filename):
            if info.filename in found:
                raise FormatError(f"{label} holds two files named {info.filename!r:.80}; unpack it and give the one you mean by itself")
            found[info.filename] = _member(data, info, left, label)
            left -= len(found[info.filename])
    return found


def unpack_stream(data: bytes, kind: str, label: str, most: int | None = None) -> bytes:
    """Unpack gzip or zstd.

    Raises: FormatError when it is cut off, damaged, or unpacks to more than `most` bytes.
    """
    most = most_unpacked(len(data)) if most is None else most
    try:
        with pa.CompressedInputStream(pa.BufferReader(data), kind) as stream:
            content: bytes = stream.read(most + 1)
    except (OSError, pa.ArrowInvalid) as error:
        raise damaged(label, kind, error) from None
    if len(content) > most:
        raise too_large(label, most, len(data))
    return content


def damaged(label: str, kind: str, error: Exception) -> FormatError:
    """Say that a gzip or zstd file cannot be unpacked."""
    return FormatError(f"{label} begins as a {kind} file but cannot be unpacked ({str(error).splitlines()[0][:120]}); download or pack it again")


def _infos(data: bytes, label: str) -> list[zipfile.ZipInfo]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [info for info in archive.infolist() if not info.is_dir() and not info.filename.startswith("__MACOSX/")]
    except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error) as error:
        raise FormatError(f"{label} begins as a zip archive but its list of files cannot be read ({error}); download or pack it again") from None


def _only_file(names: list[str], label: str) -> str:
    if not names:
        raise FormatError(f"{label} is an empty zip archive; one file with answers in it is needed")
    chosen = _useful(names)
    if len(chosen) > 1:
        raise FormatError(f"{label} holds {len(chosen)} files: {listed(sorted(chosen), 8)}; unpack it and give the files you mean, each by itself")
    return chosen[0]


def _useful(names: list[str]) -> list[str]:
    useful = [name for name in names if not PurePosixPath(name.lower()).stem.startswith(NO_ANSWERS) and not PurePosixPath(name).name.startswith(".")]
    return useful or names


def _member(data: bytes, info: zipfile.ZipInfo, most: int, label: str) -> bytes:
    where = f"{label}, file {info.filename!r:.80}"
    if info.flag_bits & 1:
        raise FormatError(f"{where} is locked with a password; unpack it and give the file itself")
    if info.file_size > most:
        raise too_large(where, most, info.compress_size)
    head = data[info.header_offset : info.header_offset + 30]
    if len(head) < 30 or head[:4] != ZIP[0]:
        raise FormatError(f"{where} cannot be found in the archive; download or pack it again")
    start = info.header_offset + 30 + sum(struct.unpack("<HH", head[26:30]))
    content = _inflate(data[start : start + info.compress_size], info.compress_type, most, where)
    if len(content) > most:
        raise too_large(where, most, info.compress_size)
    if zlib.crc32(content) != info.CRC:
        raise FormatError(f"{where} is damaged: its checksum differs; download or pack it again")
    return content


def _inflate(body: bytes, method: int, most: int, where: str) -> bytes:
    try:
        if method == 0:
            return body
        if method == 8:
            return zlib.decompressobj(-15).decompress(body, most + 1)
        if method == 12:
            return bz2.BZ2Decompressor().decompress(body, most + 1)
    except (zlib.error, OSError, EOFError) as error:
        raise FormatError(f"{where} cannot be unpacked ({error}); download or pack it again") from None
    if method == 93:
        return unpack_stream(body, "zstd", where, most)
    raise FormatError(f"{where} is packed by method {method}; accepted are {', '.join(METHODS.values())}: pack it again")


def most_unpacked(packed: int) -> int:
    """Give the bytes that a packed file may unpack to."""
    return min(MOST_UNPACKED, max(ALWAYS_ALLOWED, MOST_TIMES * packed))


def too_large(label: str, most: int, packed: int) -> FormatError:
    """Say that a packed file unpacks to more than any file of answers does."""
    return FormatError(
        f"{label} unpacks to more than {most // 1024**2:,} MB from {packed:,} bytes, as no file of answers does; unpack it yourself if you trust it"
    )


def check_size(data: bytes, label: str) -> None:
    """Check what all files of an archive say they unpack to.

    Raises: FormatError when that is too much.
    """
    if sum(info.file_size for info in _infos(data, label)) > most_unpacked(len(data)):
        raise too_large(label, most_unpacked(len(data)), len(data))
