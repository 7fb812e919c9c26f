"""Workbooks of other kinds than xlsx, written by hand: OpenDocument, the binary kind of Excel 97, and xlsb."""

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

Rows = Sequence[Sequence[str | float]]
Sheets = Mapping[str, Rows]
SECTOR = 512
END, FAT_SECTOR, FREE = 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF


def _zipped(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return out.getvalue()


def ods(sheets: Sheets) -> bytes:
    """Write an OpenDocument spreadsheet."""

    def cell(value: str | float) -> str:
        if isinstance(value, str):
            return f'<table:table-cell office:value-type="string"><text:p>{escape(value)}</text:p></table:table-cell>' if value else "<table:table-cell/>"
        return f'<table:table-cell office:value-type="float" office:value="{value}"><text:p>{value}</text:p></table:table-cell>'

    def row(values: Sequence[str | float]) -> str:
        return f"<table:table-row>{''.join(map(cell, values))}</table:table-row>"

    tables = "".join(f'<table:table table:name="{escape(name)}">{"".join(map(row, rows))}</table:table>' for name, rows in sheets.items())
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text"))
    content = f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces}><office:body><office:spreadsheet>{tables}'
    content += "</office:spreadsheet></office:body></office:document-content>"
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = '<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    manifest += f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>'
    return _zipped({"mimetype": kind.encode(), "META-INF/manifest.xml": manifest.encode(), "content.xml": content.encode()})


def xls(sheets: Sheets) -> bytes:
    """Write a workbook of Excel 97: BIFF8 records in a compound file. Source: MS-XLS and MS-CFB."""

    def record(kind: int, content: bytes = b"") -> bytes:
        return struct.pack("<HH", kind, len(content)) + content

    def text(value: str, counter: str) -> bytes:
        written = value.encode("utf-16-le")
        return struct.pack(counter, len(written) // 2) + b"\x01" + written

    def cell(row: int, column: int, value: str | float) -> bytes:
        place = struct.pack("<HHH", row, column, 0)
        return record(0x0204, place + text(value, "<H")) if isinstance(value, str) else record(0x0203, place + struct.pack("<d", value))

    def begin(kind: int) -> bytes:
        return record(0x0809, struct.pack("<HHHHII", 0x0600, kind, 0x0DBB, 0x07CC, 0, 6))

    bodies = [
        begin(0x10) + b"".join(cell(r, c, value) for r, row in enumerate(rows) for c, value in enumerate(row) if value != "") + record(0x0A)
        for rows in sheets.values()
    ]
    names = [text(name, "<B") for name in sheets]
    at = len(begin(5)) + sum(4 + 6 + len(name) for name in names) + 4
    head = begin(5)
    for name, body in zip(names, bodies, strict=True):
        head += record(0x85, struct.pack("<IH", at, 0) + name)
        at += len(body)
    return _compound("Workbook", head + record(0x0A) + b"".join(bodies))


def _compound(name: str, stream: bytes) -> bytes:
    """Put one stream into a compound file: its sectors, the directory, and the table of sectors."""
    stream = stream.ljust(max(4096, -(-len(stream) // SECTOR) * SECTOR), b"\0")
    sectors = len(stream) // SECTOR
    if sectors + 2 > SECTOR // 4:
        raise ValueError("one sector of the table holds 126 sectors")

    def entry(label: str, kind: int, child: int, start: int, size: int) -> bytes:
        written = (label + "\0").encode("utf-16-le")
        return written.ljust(64, b"\0") + struct.pack("<HBBIII", len(written), kind, 1, FREE, FREE, child) + bytes(36) + struct.pack("<IQ", start, size)

    table = [*range(1, sectors), END, END, FAT_SECTOR]
    fat = struct.pack(f"<{SECTOR // 4}I", *table, *[FREE] * (SECTOR // 4 - len(table)))
    directory = entry("Root Entry", 5, 1, END, 0) + entry(name, 2, FREE, 0, len(stream)) + bytes(256)
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, 1, sectors, 0, 4096, END, 0, END, 0) + struct.pack("<I", sectors + 1) + struct.pack("<I", FREE) * 108
    return head + stream + directory + fat


def xlsb(sheets: Sheets) -> bytes:
    """Write a binary workbook of Excel 2007. Source: MS-XLSB."""

    def record(kind: int, content: bytes = b"") -> bytes:
        number = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
        size, length = b"", len(content)
        while True:
            size += bytes([length & 0x7F | (0x80 if length > 127 else 0)])
            length >>= 7
            if not length:
                return number + size + content

    def text(value: str) -> bytes:
        written = value.encode("utf-16-le")
        return struct.pack("<I", len(written) // 2) + written

    def cell(column: int, value: str | float) -> bytes:
        place = struct.pack("<II", column, 0)
        return record(6, place + text(value)) if isinstance(value, str) else record(5, place + struct.pack("<d", value))

    def body(rows: Rows) -> bytes:
        wide = max(map(len, rows), default=1)
        content = record(129) + record(148, struct.pack("<IIII", 0, max(0, len(rows) - 1), 0, wide - 1)) + record(145)
        for number, row in enumerate(rows):
            content += record(0, struct.pack("<IIHHB", number, 0, 300, 0, 0) + struct.pack("<I", 0))
            content += b"".join(cell(column, value) for column, value in enumerate(row) if value != "")
        return content + record(146) + record(130)

    names = list(enumerate(sheets, 1))
    book = record(131) + record(143) + b"".join(record(156, struct.pack("<II", 0, n) + text(f"rId{n}") + text(name)) for n, name in names)
    book += record(144) + record(132)
    base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    links = "".join(f'<Relationship Id="rId{n}" Type="{base}/worksheet" Target="worksheets/sheet{n}.bin"/>' for n, _ in names)
    relations = f'<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{links}</Relationships>'
    files = {"xl/workbook.bin": book, "xl/_rels/workbook.bin.rels": relations.encode()}
    return _zipped({**files, **{f"xl/worksheets/sheet{n}.bin": body(sheets[name]) for n, name in names}})
