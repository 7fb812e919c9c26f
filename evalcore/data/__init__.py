"""Files in, datasets out: recognise, map, join."""

from evalcore.data.errors import DataError, FormatError, JoinError, MappingError
from evalcore.data.formats import FORMATS
from evalcore.data.guess import guess
from evalcore.data.join_report import JoinReport, Listing
from evalcore.data.mapping import ROLES, Mapping
from evalcore.data.read import Loaded, load, load_tables, only_system, packed_files, read, read_table, read_tables, roles_of, sample
from evalcore.data.table import BadRow, Column, Kind, Table

__all__ = [
    "FORMATS",
    "ROLES",
    "BadRow",
    "Column",
    "DataError",
    "FormatError",
    "JoinError",
    "JoinReport",
    "Kind",
    "Listing",
    "Loaded",
    "Mapping",
    "MappingError",
    "Table",
    "guess",
    "load",
    "load_tables",
    "only_system",
    "packed_files",
    "read",
    "read_table",
    "read_tables",
    "roles_of",
    "sample",
]
