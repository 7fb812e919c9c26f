"""Find the shared folder of real files; skip where there is none."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def shared(*parts: str) -> Path:
    """Give a path inside the shared folder: $WHYMISS_SHARED, else ../shared beside the project.

    Where WHYMISS_REQUIRE_SHARED is set a missing folder fails the test.
    """
    folder = Path(os.environ.get("WHYMISS_SHARED") or ROOT.parent / "shared")
    if not folder.is_dir():
        message = "the shared folder is not there: set WHYMISS_SHARED"
        if os.environ.get("WHYMISS_REQUIRE_SHARED"):
            pytest.fail(message)
        pytest.skip(message)
    return folder.joinpath(*parts)
