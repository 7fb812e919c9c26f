"""Look up things by name, and say which names are near when it fails."""

import difflib
from collections.abc import Iterable


class UnknownName(LookupError):
    """A name that is not in its table; the message lists near ones."""

    def __init__(self, kind: str, name: object, valid: Iterable[str]) -> None:
        names = sorted(valid)
        near = difflib.get_close_matches(str(name), names, n=5, cutoff=0.5)
        listed = near or names[:20]
        more = "" if near or len(names) <= 20 else f" and {len(names) - 20} more"
        label = "nearest" if near else "known"
        super().__init__(f"there is no {kind} named {str(name)[:80]!r}; {label}: {', '.join(listed)}{more}")
        self.kind = kind
        self.name = name
        self.near = tuple(near)
