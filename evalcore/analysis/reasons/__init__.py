"""Reasons: why an item failed, in plain words and with evidence."""

from evalcore.analysis.reasons.find import Found, ReasonCount, Reasons, find_reasons
from evalcore.analysis.reasons.pair import Evidence
from evalcore.analysis.reasons.table import CODES, REASONS, Reason

__all__ = ["CODES", "REASONS", "Evidence", "Found", "Reason", "ReasonCount", "Reasons", "find_reasons"]
