"""Where human verdicts are kept."""

from evalcore.judging.errors import StoreError
from evalcore.judging.judgement import TAGS, Judgement, judgement_of
from evalcore.judging.store import Store

__all__ = ["TAGS", "Judgement", "Store", "StoreError", "judgement_of"]
