"""The table of formats; the first that knows a source reads it."""

from dataclasses import replace

from evalcore.data.errors import FormatError, quote
from evalcore.data.formats import helm, inspect_log, lm_eval, openai_evals, opencompass, promptfoo, squad_extras
from evalcore.data.formats.arrow_file import ARROW
from evalcore.data.formats.braintrust import BRAINTRUST
from evalcore.data.formats.cmrc2018 import CMRC2018
from evalcore.data.formats.delimited import DELIMITED
from evalcore.data.formats.dspy import DSPY
from evalcore.data.formats.excel import EXCEL
from evalcore.data.formats.figures import FIGURES
from evalcore.data.formats.format import Format, refuse_without_rows
from evalcore.data.formats.json_by_id import BY_ID
from evalcore.data.formats.json_document import SHAPES, explain_failure
from evalcore.data.formats.json_records import RECORDS
from evalcore.data.formats.jsonl import JSONL
from evalcore.data.formats.kilt import KILT
from evalcore.data.formats.known_columns import BENCHMARKS
from evalcore.data.formats.langfuse import LANGFUSE
from evalcore.data.formats.langsmith import LANGSMITH
from evalcore.data.formats.lighteval import LIGHTEVAL
from evalcore.data.formats.mkqa import MKQA
from evalcore.data.formats.mmlu_pro import MMLU_PRO
from evalcore.data.formats.own_export import OWN
from evalcore.data.formats.parquet import PARQUET
from evalcore.data.formats.squad import SQUAD
from evalcore.data.formats.triviaqa import TRIVIAQA
from evalcore.data.formats.weave import WEAVE
from evalcore.data.source import ACCEPTED, Source
from evalcore.data.table import Table

BINARY = (ARROW, inspect_log.ARCHIVE, OWN, LIGHTEVAL, PARQUET, EXCEL)
TOOLS = (
    lm_eval.SAMPLES,
    lm_eval.RESULTS,
    inspect_log.JSON_LOG,
    helm.STATE,
    helm.STATS,
    helm.DISPLAY,
    helm.SPEC,
    opencompass.PREDICTIONS,
    opencompass.RESULTS,
    promptfoo.PROMPTFOO,
    promptfoo.CSV,
    openai_evals.LOG,
    openai_evals.SAMPLES,
    WEAVE,
    BRAINTRUST,
    LANGFUSE,
    LANGSMITH,
    DSPY,
    MMLU_PRO,
)
DATASETS = (KILT, TRIVIAQA, CMRC2018, MKQA, *BENCHMARKS, SQUAD)
PLAIN = (JSONL, squad_extras.PROBABILITIES, squad_extras.NBEST, RECORDS, BY_ID, FIGURES, DELIMITED)
FORMATS: tuple[Format, ...] = (*BINARY, *TOOLS, *DATASETS, *PLAIN)

BY_LINES = (JSONL, *BENCHMARKS)  # Each line is a row of its own, whatever stands in the others.

EXTENSIONS = {
    ".parquet": (LIGHTEVAL.name, PARQUET.name),
    ".arrow": (ARROW.name,),
    ".feather": (ARROW.name,),
    ".xlsx": (EXCEL.name,),
    ".xls": (EXCEL.name,),
    ".ods": (EXCEL.name,),
    ".csv": (DELIMITED.name, "TSV"),
    ".tsv": (DELIMITED.name, "TSV"),
}
PLAIN_EXTENSIONS = {".jsonl": (JSONL,), ".ndjson": (JSONL,), ".json": (RECORDS, BY_ID, squad_extras.PROBABILITIES, squad_extras.NBEST, FIGURES)}


def recognise(source: Source) -> tuple[Format, str]:
    """Tell the format of a source, and why: content first, then the name.

    Raises: FormatError when no format knows it.
    """
    for format in FORMATS:
        reason = format.sniff(source)
        if reason is not None:
            return format, reason
    if source.opening[:1] in (b"{", b"["):
        raise explain_failure(source)
    first = source.opening.splitlines()[0].decode("utf-8", "replace") if source.opening else ""
    wanted = f" as its name {quote(source.name)} says" if source.extension in (*EXTENSIONS, *PLAIN_EXTENSIONS) else ""
    found = f"{source.label} cannot be read{wanted}: line 1 begins with {quote(first)}, which is no {ACCEPTED}"
    raise FormatError(f"{found}. {SHAPES[0].upper()}{SHAPES[1:]}; or a CSV with a heading")


def goes_by_lines(source: Source) -> bool:
    """Tell whether every line is a row of its own, so that a file can be read block by block."""
    try:
        return source.opening[:1] == b"{" and recognise(source)[0] in BY_LINES
    except FormatError:
        return False


def read_source(source: Source) -> Table:
    """Read a source with the format that knows it.

    Raises: FormatError when none does, or there are no rows.
    """
    format, reason = recognise(source)
    table = format.read(source)
    notes = (
        table.notes if _as_named(source, format) else (*table.notes, f"{source.label} is {table.format}, not what its name says; it was read as {table.format}")
    )
    is_text = "decoded" in source.__dict__
    encoding, encodings = (source.decoded[1], source.encodings) if is_text else ("", ())
    return refuse_without_rows(replace(table, recognised=f"{table.format}: {reason}", notes=notes, encoding=encoding, encodings=encodings))


def _as_named(source: Source, format: Format) -> bool:
    """Tell whether a format is what the extension says; the files of tools carry the names the tools give."""
    if format in PLAIN and source.extension in PLAIN_EXTENSIONS:
        return format in PLAIN_EXTENSIONS[source.extension]
    if format is OWN:
        return True
    if format in BINARY or format is DELIMITED:
        return (source.extension not in EXTENSIONS and source.extension not in PLAIN_EXTENSIONS) or format.name in EXTENSIONS.get(source.extension, ())
    return source.extension not in EXTENSIONS or source.extension in (".csv", ".tsv")
