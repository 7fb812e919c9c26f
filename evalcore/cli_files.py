"""Where the command line writes files."""

from pathlib import Path

from evalcore.data.errors import DataError


def write(file: Path, content: bytes) -> str:
    """Write a file and give its name.

    Raises: DataError when it cannot be written.
    """
    try:
        file.write_bytes(content)
    except OSError as error:
        raise DataError(f"{file} cannot be written: {error.strerror or error}; name a file in a folder that is there") from None
    return str(file)
