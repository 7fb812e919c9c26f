"""From files to datasets."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import resources
from os import PathLike

import pyarrow as pa
import pyarrow.compute as pc

from evalcore.data.additions import with_additions
from evalcore.data.archive import files_in
from evalcore.data.blocks import NotUtf8, open_blocks
from evalcore.data.errors import DataError, FormatError, MappingError, listed
from evalcore.data.formats import goes_by_lines, read_source
from evalcore.data.guess import as_predictions, guess, guess_separator
from evalcore.data.join import Side, join
from evalcore.data.join_report import JoinReport
from evalcore.data.mapping import Mapping, Roles, laid_over, require_columns
from evalcore.data.source import content_of, is_zip, open_source
from evalcore.data.table import Table
from evalcore.dataset import Dataset
from evalcore.text.amounts import amount

File = str | PathLike[str] | bytes
SAMPLE = Mapping(predictions=("anna", "bruno"), references=("answers",), id="id", question="question", context="context")
FEW_SHARED = 0.1


@dataclass(frozen=True, eq=False)
class Loaded:
    """Everything known about the files a user gave.

    Shape: `datasets` and `reports` have one entry a system, in the order
    of `mapping.predictions`; `tables` has one entry a file, predictions
    first. `references_mapping` is None when one file holds both.
    """

    tables: tuple[Table, ...]
    mapping: Mapping
    references_mapping: Mapping | None
    datasets: tuple[Dataset, ...]
    reports: tuple[JoinReport, ...]
    warnings: tuple[str, ...] = ()

    @property
    def report(self) -> JoinReport:
        """The report of the first system."""
        return self.reports[0]

    @property
    def logged(self) -> tuple[tuple[str, ...], ...]:
        """Metadata columns with the scores another tool gave, one tuple a system."""
        columns = (*self.mapping.logged, *(self.references_mapping.logged if self.references_mapping else ()))
        endings = tuple(f",{name}" for name in self.mapping.predictions)
        return tuple(
            tuple(name for name in columns if name in dataset.metadata and (name.endswith(ending) or not name.endswith(endings)))
            for dataset, ending in zip(self.datasets, endings, strict=True)
        )

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, one a dataset."""
        return tuple(dataset.system for dataset in self.datasets)


def load(
    file: File,
    filename: str | None = None,
    references: File | None = None,
    references_filename: str | None = None,
    mapping: Mapping | Roles | None = None,
    references_mapping: Mapping | Roles | None = None,
    how: str | None = None,
    encoding: str | None = None,
    references_encoding: str | None = None,
) -> Loaded:
    """Read one or two files, or a zip archive of them, into one dataset a system.

    `mapping` as a `Mapping` is taken as it is; as a dictionary of role to
    column ({"prediction": "answer_fid"}) it is laid over what was guessed.
    The two files may come in either order; the second may also be one that
    only adds columns, such as no-answer probabilities. `how` is "id",
    "question" or "position"; None takes the ids when both files have some,
    else questions that both have. `encoding` and `references_encoding` say
    how the texts are written; None looks for it.

    Raises: FormatError, MappingError (carrying `tables` and `guess`, so
        that a page can ask for the missing roles), JoinError.
    """
    tables = read_tables(file, filename, encoding)
    if references is not None:
        tables = (*tables, *read_tables(references, references_filename, references_encoding))
    return load_tables(tables, mapping, references_mapping, how)


def load_tables(
    tables: Sequence[Table], mapping: Mapping | Roles | None = None, references_mapping: Mapping | Roles | None = None, how: str | None = None
) -> Loaded:
    """Do what `load` does with files that were read before, and with any number of files that only add columns.

    Raises: FormatError for more than two other files, MappingError, JoinError.
    """
    given = (mapping, references_mapping if references_mapping is not None else mapping)
    try:
        return _loaded(with_additions(tables), given, how)
    except DataError as error:
        error.tables = error.tables or tuple(tables)
        raise


def _loaded(tables: tuple[Table, ...], given: tuple[Mapping | Roles | None, ...], how: str | None) -> Loaded:
    if len(tables) > 2:
        raise FormatError(f"{listed([table.name for table in tables])} are {len(tables)} files with answers; give the predictions and their references alone")
    sides = sides_of(tables, given)
    datasets, reports, warnings = join(*sides, how)
    notes = [note for table in tables for note in table.notes]
    split = _split_note(sides[1], given[1])
    split += _outer_space(sides[0].table, sides[0].mapping.predictions) + _outer_space(sides[1].table, sides[1].mapping.references)
    other = None if len(tables) == 1 else sides[1].mapping
    return Loaded(
        tuple(side.table for side in dict.fromkeys(sides)), sides[0].mapping, other, datasets, reports, (*notes, *split, *warnings, *_few_shared(reports[0]))
    )


def roles_of(predictions: Table, references: Table, roles: Roles) -> tuple[Mapping, Mapping]:
    """Find the roles in a file of predictions and one of references, as `load` does.

    Raises: MappingError when one of them is something else.
    """
    ours, theirs = sides_of((predictions, references), (roles, roles))
    if ours.table is not predictions:
        raise MappingError(f"{predictions.name} holds the references and {references.name} the predictions; give them the other way round", guess=None)
    return ours.mapping, theirs.mapping


def sides_of(tables: Sequence[Table], given: Sequence[Mapping | Roles | None]) -> tuple[Side, Side]:
    """Find the roles in one or two files; predictions come first, one file is both sides.

    Raises: MappingError.
    """
    _require_roles(given, tables)
    understood = [_understood(table, roles, len(tables) == 1) for table, roles in zip(tables, given, strict=False)]
    if len(tables) > 1:
        return _arranged(tables, understood)
    side = Side.of(tables[0], _complete(understood[0], tables), named=False)
    return side, side


def read(
    file: File,
    filename: str | None = None,
    references: File | None = None,
    mapping: Mapping | Roles | None = None,
    *,
    references_filename: str | None = None,
    how: str | None = None,
) -> Dataset:
    """Read any supported file into the dataset of one system.

    Raises: FormatError, MappingError, JoinError; MappingError also when
        the file holds several systems and the mapping chooses none.
    """
    return only_system(load(file, filename, references, references_filename, mapping, how=how)).datasets[0]


def only_system(loaded: Loaded) -> Loaded:
    """Give the same back when it holds one system.

    Raises: MappingError naming the systems when there are several.
    """
    if len(loaded.datasets) > 1:
        columns = loaded.mapping.predictions
        raise MappingError(
            f"{loaded.tables[0].name} holds the answers of {len(columns)} systems: {listed(columns)}; "
            f"choose one by mapping prediction to its column, such as prediction={columns[0]}",
            ("prediction",),
            loaded.mapping,
            loaded.tables,
        )
    return loaded


def read_table(file: File, filename: str | None = None, encoding: str | None = None, sheet: str | None = None) -> Table:
    """Read one file as it is, before any column has a role.

    `encoding` says how its text is written; None looks for it, and the
    table's `encodings` are those that would do. `sheet` names the sheet of
    a workbook; None takes the first that has rows.

    Raises: FormatError.
    """
    by_lines = open_blocks(file, filename) if encoding is None else None
    if by_lines is not None and goes_by_lines(by_lines):
        with suppress(NotUtf8):
            return read_source(by_lines)
    return read_source(open_source(file, filename, encoding, sheet))


def read_tables(file: File, filename: str | None = None, encoding: str | None = None, sheet: str | None = None) -> tuple[Table, ...]:
    """Read one file, or the files of a zip archive that belong together: predictions, their references, and what adds columns.

    Raises: FormatError, also when the files of an archive could be paired in more ways than one.
    """
    packed = packed_files(file, filename)
    if not packed:
        return (read_table(file, filename, encoding, sheet),)
    tables, left = [], []
    for name, content in packed.items():
        try:
            tables.append(read_table(content, name, encoding, sheet))
        except FormatError as error:
            left.append(str(error))
    answers = [table for table in tables if not table.adds]
    if not tables or len(answers) > 2 or (len(answers) == 2 and not any(guess(table).missing for table in answers)):
        label = filename or "the archive"
        found = f"{label} holds {len(packed)} files: {listed(sorted(packed), 8)}" if tables else f"{label} holds no file of answers: {left[0]}"
        raise FormatError(f"{found}; unpack it and give the files you mean, each by itself")
    notes = (f"read from one archive: {listed([table.name for table in tables], 8)}", *(f"left out: {error}" for error in left))
    return (replace(tables[0], notes=(*tables[0].notes, *notes)), *tables[1:])


def packed_files(file: File, filename: str | None = None) -> dict[str, bytes]:
    """Give the files of a zip archive that holds several, each by its name.

    Raises: FormatError when it cannot be opened or unpacked.
    """
    if not isinstance(file, bytes | bytearray) and not is_zip(file):
        return {}
    data, name = content_of(file, filename)
    return files_in(data, name or "the input")


def sample() -> Loaded:
    """Load the built-in sample: two systems, anna and bruno."""
    content = resources.files("evalcore.data").joinpath("sample", "answers.jsonl").read_bytes()
    return load(content, "sample.jsonl", mapping=SAMPLE)


def _require_roles(given: Sequence[Mapping | Roles | None], tables: Sequence[Table]) -> None:
    for roles in given:
        if roles is not None:
            mapping = roles if isinstance(roles, Mapping) else laid_over(Mapping(), roles)
            require_columns([*mapping.columns, *(column for column, _ in mapping.where)], tables)


def _understood(table: Table, roles: Mapping | Roles | None, alone: bool) -> Mapping:
    """Find the roles in one table: as given, or what was asked for over what was guessed."""
    if isinstance(roles, Mapping):
        inside = roles.within(table.names)
        return inside if alone or inside.id else replace(inside, id=guess(table).id)
    if roles is None:
        return guess(table)
    mapping = laid_over(guess(table), roles, table.names)
    return mapping if "separator" in roles else replace(mapping, separator=guess_separator(table, mapping.references))


def _complete(mapping: Mapping, tables: Sequence[Table]) -> Mapping:
    if not mapping.missing:
        return mapping
    table = tables[0]
    what = " and ".join(mapping.missing)
    move = f"map a column to {mapping.missing[0]}"
    if table.adds:
        found = f"{table.name} ({table.format}) holds {listed([name for name in table.names if name != mapping.id], 5)} by id and no answers"
        raise MappingError(f"{found}; give it together with the file of predictions it belongs to", mapping.missing, mapping, tables)
    if mapping.missing == ("prediction",):
        move = f"give the file with the predictions too, or {move}"
    if mapping.missing == ("references",):
        move = f"give the file with the references too, or {move}"
    raise MappingError(
        f"{table.name} ({table.format}) has no column that is clearly {what}; its columns are {listed(table.names)}; {move}", mapping.missing, mapping, tables
    )


def _arranged(tables: Sequence[Table], mappings: Sequence[Mapping]) -> tuple[Side, Side]:
    """Find out which file holds the predictions; the first is tried first."""
    for first, second in ((0, 1), (1, 0)):
        if mappings[first].predictions and mappings[second].references:
            return _sides(tables[first], mappings[first], tables[second], mappings[second])
    for first, second in ((0, 1), (1, 0)):
        ours = as_predictions(mappings[first])
        if ours.predictions and mappings[second].references:
            return _sides(tables[first], ours, tables[second], mappings[second])
    missing = tuple(role for role in ("prediction", "references") if all(role in mapping.missing for mapping in mappings)) or ("prediction", "references")
    columns = "; ".join(f"columns of {table.name}: {listed(table.names)}" for table in tables)
    raise MappingError(
        f"neither {tables[0].name} nor {tables[1].name} has a column that is clearly {' or '.join(missing)}; {columns}; map a column to {missing[0]}",
        missing,
        mappings[0],
        tables,
    )


def _sides(predictions: Table, ours: Mapping, references: Table, theirs: Mapping) -> tuple[Side, Side]:
    return Side.of(predictions, replace(ours, references=(), separator=None), named=True), Side.of(references, replace(theirs, predictions=()), named=True)


def _split_note(side: Side, given: Mapping | Roles | None) -> list[str]:
    separator = side.mapping.separator
    if separator is None or isinstance(given, Mapping) or (given is not None and "separator" in given):
        return []
    how = "read as lists written in the cell" if separator == "json" else f"split at {separator!r}"
    return [f"references ({listed(side.mapping.references)}) are {how}, because their cells look like that; choose another separator if it is wrong"]


def _outer_space(table: Table, columns: Sequence[str]) -> list[str]:
    """Tell cells of a CSV or a workbook with white space around the text, as it may stand there by accident."""
    notes = []
    for name in () if table.has_null else columns:
        try:
            cells = table.columns[name].texts.to_arrow()
        except pa.ArrowInvalid:
            continue
        count = pc.sum(pc.not_equal(cells, pc.utf8_trim_whitespace(cells))).as_py()
        if count:
            begin = amount(count, f"cell of {name!r} begins or ends", f"cells of {name!r} begin or end")
            notes.append(f"{begin} with white space, which counts wherever the settings do not drop it")
    return notes


def _few_shared(report: JoinReport) -> list[str]:
    alone = len(report.references_without_prediction)
    if report.how not in ("by id", "by question") or report.matched >= FEW_SHARED * report.items:
        return []
    return [f"only {report.matched} of {report.items} references have a prediction ({alone} have none); check that the two files belong together"]
