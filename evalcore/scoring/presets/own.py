"""Presets of Whymiss itself: starting points for own settings."""

from evalcore.scoring.preset import Preset
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline

PRESETS = (
    Preset(
        name="raw",
        pipeline=Pipeline(),
        scale=1,
        title="Raw strings",
        family="Own settings",
        summary="No step at all: the strings as they came, words between whitespace.",
        source="Whymiss",
        differs="Not even outer spaces are trimmed.",
    ),
    Preset(
        name="trimmed",
        pipeline=Pipeline((step("strip_whitespace"),)),
        scale=1,
        title="Trimmed strings",
        family="Own settings",
        summary="Outer whitespace stripped, nothing else; the starting point for own settings.",
        source="Whymiss",
        differs="Both sides empty counts as equal in EM and F1.",
    ),
)
