"""The manifest of a scored folder: under which settings it was made, and what became of every file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evalcore.data import DataError
from evalcore.engines.work import Outcome, whole

NAME = "manifest.json"


@dataclass(frozen=True)
class Manifest:
    """Settings and outcomes of a scored folder, as they stand on disk.

    `made_with`: all that decides a number, as JSON. `parts`: the entry of
    every file by its name; `sources` those of the files that were parted
    by id before, where references stand in a folder of their own.
    """

    made_with: Mapping[str, Any]
    parts: Mapping[str, Mapping[str, Any]]
    sources: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @classmethod
    def opened(cls, out: Path, made_with: Mapping[str, Any]) -> "Manifest":
        """Take up the manifest of a folder, or begin one.

        Raises: DataError when the folder was made with other settings, or its manifest cannot be read.
        """
        file = out / NAME
        if not file.exists():
            return cls(made_with, {})
        try:
            value = json.loads(file.read_text(encoding="utf-8"))
            found = cls(value["made_with"], value["parts"], value.get("sources", {}))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DataError(f"{file} cannot be read as a manifest ({error!r:.120}); give another folder for the scores") from None
        for name, expected in made_with.items():
            if found.made_with.get(name) != expected:
                raise DataError(
                    f"{out} was made with {name} {found.made_with.get(name)!r:.300}, and now it is {expected!r:.300}; give another folder, "
                    "or remove this one to score it again"
                )
        return found

    def with_outcome(self, outcome: Outcome) -> "Manifest":
        """Give the manifest with one more outcome; a kept part keeps its entry."""
        return self if outcome.kept else replace(self, parts={**self.parts, outcome.name: outcome.to_json()})

    def with_source(self, outcome: Outcome) -> "Manifest":
        """Give the manifest with what became of a file that is parted by id."""
        return self if outcome.kept else replace(self, sources={**self.sources, outcome.name: outcome.to_json()})

    @staticmethod
    def buckets_of(out: Path) -> int:
        """Give the number of buckets a folder was begun with; 0 where it was not."""
        try:
            return int(json.loads((out / NAME).read_text(encoding="utf-8"))["made_with"]["buckets"])
        except (OSError, ValueError, KeyError, TypeError):
            return 0

    def hash_of(self, name: str) -> str:
        """Give the hash of the content that was scored under a name; empty where it has to be scored."""
        entry = self.parts.get(name, {})
        return str(entry["hash"]) if entry.get("state") == "done" else ""

    def save(self, out: Path) -> None:
        """Write the manifest, whole or not at all."""
        sources = {"sources": dict(sorted(self.sources.items()))} if self.sources else {}
        content = json.dumps({"made_with": self.made_with, **sources, "parts": dict(sorted(self.parts.items()))}, ensure_ascii=True, indent=1)
        whole(out / NAME, lambda file: file.write_text(content + "\n", encoding="utf-8"))
