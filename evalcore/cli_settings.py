"""Which settings a command scores with: a preset by name, or settings saved as JSON."""

import argparse
from pathlib import Path

import evalcore.scoring.presets as known
from evalcore.data.errors import DataError
from evalcore.scoring.preset import Preset
from evalcore.text.names import UnknownName
from evalcore.text.settings_json import read_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose settings."""
    parser.add_argument("--preset", default="squad_v1", metavar="NAME", help="how to score (squad_v1); whymiss presets lists them")
    parser.add_argument("--settings", metavar="FILE", help="score under settings saved as JSON, in place of --preset")
    parser.add_argument("--missing-wrong", action="store_true", help="count missing predictions as wrong, as the official SQuAD script does")


def chosen(options: argparse.Namespace) -> Preset:
    """Give the settings the options ask for.

    Raises: UnknownName for the preset, DataError for a file that holds no settings.
    """
    preset = known.preset(options.preset) if options.settings is None else read_settings(options.settings)
    return preset.with_rules(missing="wrong") if options.missing_wrong else preset


def read_settings(file: str) -> Preset:
    """Read settings from a file.

    Raises: DataError naming the file and what is wrong in it.
    """
    try:
        text = Path(file).read_text(encoding="utf-8-sig")
        value = read_json(text)
        name = value.get("preset") if isinstance(value, dict) else None
        if not isinstance(name, str):
            raise ValueError("the settings need the key 'preset', the name they started from; save them from the Normalization or the Report page")
        return known.preset(name).from_json(text)
    except OSError as error:
        raise DataError(f"{file}: {error.strerror or error}; give a file with settings saved as JSON") from None
    except UnicodeDecodeError as error:
        raise DataError(f"{file} is no UTF-8: byte {error.start} cannot be read; give a file with settings saved as JSON") from None
    except (ValueError, UnknownName) as error:
        raise DataError(f"{file}: {error}") from None
