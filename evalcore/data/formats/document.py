"""docs/formats.md, written from the table of formats.

This page is generated: `python -m evalcore.data.formats.document > docs/formats.md`.
"""

from collections.abc import Sequence

from evalcore.data.formats import BINARY, DATASETS, FORMATS, PLAIN, TOOLS
from evalcore.data.formats.format import Format
from evalcore.data.source import OFFERED

GROUPS: tuple[tuple[str, Sequence[Format]], ...] = (
    ("Tables and workbooks", BINARY),
    ("Files of evaluation tools", TOOLS),
    ("Datasets and benchmarks", DATASETS),
    ("Plain files", PLAIN),
)
RULES = """
Each file may also be packed as `.gz`, `.zst`, or in a `.zip` (stored, deflate, bzip2 or zstd; three layers at most). The files of one
archive are files of their own in the app; elsewhere predictions and references in one archive are paired, and more is asked about. A packed file
that unpacks to more than 256 MB and more than 200 times its size is refused. Nothing is written to disk. Of a workbook the first sheet with rows is
read, and told; another one can be chosen (`--sheet` on the command line). A formula of an xlsx that gave an error is read as that error (`#N/A`),
and told like one that was never calculated.

## How a file is told

The first format of the list that knows the content takes it; the name only decides between formats that look alike. A note says when
the content is not what the name says. Files that hold figures or settings and no answers are refused with the name of the file to give instead.

## What becomes of a cell

Answers stay the texts they are: `007`, `NA` and dates are never read as something else.

| in the file | as prediction | as references |
|---|---|---|
| a text | the text | one reference |
| a number, true, false | its literal as written, told in the report | one reference, its literal |
| null, a missing key | a missing prediction | none |
| a bare NaN or Infinity (JSON, or a number of Parquet) | not scored: "prediction is NaN, which is no answer" | none, with that reason |
| an empty cell of a CSV or a workbook | the empty text | none |
| a list of one text, an object with a `text` | that text, told in the report | its texts |
| a list of several texts | not scored: "prediction is a list of texts, not a text" | all of them |
| another list or object | not scored, with the reason | the texts under `text`, `answer`, `value` and `aliases`; else not scored, with the reason |

References in one cell are read as a list where every cell is one (as JSON, Python or NumPy write it; numbers stay as they are written), or split at
`|`; another separator can be chosen (`/`, `;`, a comma that is not inside a number such as `1,000`, a line break).

## Several systems, logged scores, added columns

Several prediction columns, filters, providers or prompts become several runs over the same items. Scores that the tool logged are kept as
metadata and can be compared with ours, item by item. Files that only add columns (`na_prob.json`, `per_instance_stats.json`) are laid over the
file they belong to by id.

## How two files meet

By id, if both have ids and some are equal. Where none is, ids are freed of outer white space, composed with their accents (NFC), freed of leading
zeros, taken in small letters, or cut at a separator, on one side or both, if that keeps them apart and lets at least half of them meet; the report
says so. Without ids: by question text, if most questions are in both;
else by position, if both have as many rows. A pairing that looks shifted or shuffled is told.

## Encodings

UTF-8 (with or without BOM), UTF-16 and UTF-32 are told by their bytes. Anything else is guessed, the guess is shown, and another encoding can be
chosen: {encodings}. Line ends of all kinds are read, NUL bytes stay. Where files
were put one behind the other, marks of the encoding inside are passed over, and a heading that stands again is listed as no row. Lists and objects
that nest more than 100 deep, and rows with hardly a key in common (tens of thousands of different ones), are refused with their place.

## Files larger than memory

The command line reads a JSONL, CSV, TSV, Parquet or Arrow file above 500 MB (packed or Parquet: 100 MB) part by part, as `--reading parts` does with
any size; memory then does not grow with the file. The references stand in it, or in a second file that is kept and joined by id. Items go to
`--export` (`.jsonl`, `.csv`) or `--csv` as they come. What needs all rows at once (`--json`, `--trace`, `--add`, pairing by position or question)
reads the whole file.

## Exports

Items are exported as JSONL, CSV, Parquet and Excel, with scores, the extracted and the normalized text, reasons, and the trace as JSON. They load
again and give the same scores. JSONL and Parquet keep every text. CSV spells lone surrogates (`\\ud800`) and does not tell null from empty metadata;
a workbook also cuts texts at 32,767 characters and cannot hold U+FFFE and U+FFFF, which its sheet `notes` tells.
"""


def markdown() -> str:
    """Write the page."""
    lines = ["# File formats", "", f"{len(FORMATS)} formats, told by their content. This page is generated from the table of formats.", ""]
    for title, formats in GROUPS:
        lines += [f"## {title}", "", "| format | what it is |", "|---|---|"]
        lines += [f"| {format.name} | {format.summary} |".replace("*", "\\*").replace("_", "\\_") for format in formats]
        lines.append("")
    return "\n".join(lines) + RULES.replace("{encodings}", ", ".join(OFFERED)).lstrip("\n")


if __name__ == "__main__":
    import sys

    sys.stdout.write(markdown())
