"""Fixes: for every failed item, the smallest changes of settings that would make it match."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from rapidfuzz.fuzz import ratio

from evalcore.analysis.languages import languages_of, words
from evalcore.analysis.moves import Move, apply_moves, moves_for
from evalcore.analysis.search import MAX_MOVES, Set, Walks, minimal_sets
from evalcore.dataset import References
from evalcore.scoring.chunks import Progress
from evalcore.scoring.preset import Preset
from evalcore.scoring.scores import Scores
from evalcore.text.columns import Texts
from evalcore.text.languages import ARTICLES
from evalcore.text.steps import Side, Step

Rows = npt.NDArray[np.int64]

CHUNK = 2048  # Items between two calls of progress: a few tenths of a second.
LONGER = 2  # A text this many times longer than the other, and SLACK more, is never made equal without a cut.
SLACK = 40
ALIKE = 50  # Percent of common letters: forms of one answer share more, but for numbers.
SIDES: tuple[Side, Side] = ("prediction", "reference")
_DELETING = frozenset({"space_out_punctuation"})  # What is left out where marks are deleted, and where spaces stand for them.
_SPACING = frozenset({"delete_punctuation", "delete_chinese_punctuation", "delete_punctuation_outside_numbers"})
_INNER_MARK = re.compile(r"\w[^\w\s]+\w")
_WORD = re.compile(r"\w+")
_ARTICLES = frozenset(word for listed in ARTICLES.values() for word in listed)
_LABELS = frozenset(("yes", "no"))
_MARKUP = frozenset("\\$*_`{")
NUMBER_WORDS = words(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty "
    "forty fifty sixty seventy eighty ninety hundred thousand million billion zero half first second third eins zwei drei vier fünf sechs sieben "
    "acht neun zehn deux trois quatre cinq sept huit neuf dix dos tres cuatro cinco seis siete ocho nueve diez"
)


@dataclass(frozen=True)
class Fix:
    """One smallest set of moves for an item."""

    moves: tuple[Move, ...]

    @property
    def title(self) -> str:
        return " and ".join(move.title for move in self.moves)

    def applied(self, preset: Preset) -> Preset:
        """Give the preset under which the item matches."""
        return apply_moves(preset, self.moves)


@dataclass(frozen=True)
class MoveCount:
    """What one move does for the failed items.

    `alone`: items it suffices for; `always`: items every smallest set of
    which holds it; `jointly`: items it helps in sets of several moves only.
    """

    move: Move
    alone: int
    always: int
    jointly: int


@dataclass(frozen=True, eq=False)
class MoveRows:
    """The rows behind a MoveCount, in order."""

    alone: Rows
    always: Rows
    jointly: Rows


@dataclass(frozen=True, eq=False)
class Fixes:
    """The smallest sets of moves of every failed item.

    Shape: item `rows[k]` has the set `sets[chosen[k]]`; an item with
    several sets has several places, in the order of the rows. Sets hold
    indexes into `moves`. `failed` are the rows that were looked at.
    """

    scores: Scores
    moves: tuple[Move, ...]
    failed: Rows
    rows: Rows
    chosen: Rows
    sets: tuple[Set, ...]

    def of(self, row: int) -> tuple[Fix, ...]:
        """Give the smallest fixes of one item; none when nothing of up to three moves helps."""
        if row not in self._with_fix:
            return ()
        first, last = np.searchsorted(self.rows, [row, row + 1])
        return tuple(Fix(tuple(self.moves[move] for move in sorted(self.sets[number]))) for number in self.chosen[first:last])

    @cached_property
    def _with_fix(self) -> frozenset[int]:
        return frozenset(self.rows.tolist())

    @cached_property
    def fixable(self) -> Rows:
        """Give the rows that have a fix, in order."""
        return np.unique(self.rows)

    def helped(self, move: Move) -> "MoveRows":
        """Give the rows one move helps, by how."""
        number = self.moves.index(move)
        holds = np.array([number in chosen for chosen in self.sets], dtype=bool)[self.chosen]
        single = np.array([chosen == {number} for chosen in self.sets], dtype=bool)[self.chosen]
        alone, held = np.unique(self.rows[single]), np.bincount(self.rows[holds], minlength=len(self._sets_of_row))
        always = np.flatnonzero((held == self._sets_of_row) & (held > 0))
        return MoveRows(alone, always, np.setdiff1d(self.rows[holds], alone))

    @cached_property
    def _sets_of_row(self) -> Rows:
        return np.bincount(self.rows, minlength=1)

    def counts(self) -> tuple[MoveCount, ...]:
        """Count per move what it does, the most useful first; moves that never help are left out."""
        useful = sorted(frozenset[int]().union(*self.sets))
        found = [(self.moves[number], self.helped(self.moves[number])) for number in useful]
        counted = [MoveCount(move, len(rows.alone), len(rows.always), len(rows.jointly)) for move, rows in found]
        return tuple(sorted(counted, key=lambda count: (-count.alone, -count.jointly)))

    def set_counts(self) -> tuple[tuple[tuple[Move, ...], Rows], ...]:
        """Give every distinct smallest set with the rows it would rescue, the largest first."""
        listed = [(tuple(self.moves[move] for move in sorted(chosen)), self.rows[self.chosen == number]) for number, chosen in enumerate(self.sets)]
        return tuple(sorted(listed, key=lambda entry: (-len(entry[1]), len(entry[0]))))

    def rows_of(self, moves: Iterable[Move]) -> Rows:
        """Give the rows that have this set of moves among their smallest."""
        wanted = frozenset(self.moves.index(move) for move in moves)
        return self.rows[self.chosen == self.sets.index(wanted)] if wanted in self.sets else self.rows[:0]


def is_searchable(preset: Preset) -> bool:
    """Tell whether fixes can be searched: a match must mean that both texts are equal."""
    return preset.match == "equal" and preset.references != "spans"


def find_fixes(scores: Scores, extra: Sequence[Step] = (), progress: Progress | None = None, languages: Sequence[str] = ()) -> Fixes:
    """Find the smallest sets of up to three moves for every failed item.

    `extra` are steps tried beside the catalogue's, such as an alias table;
    steps of a language are tried in `languages`, without any in those the
    texts seem to be written in.
    `progress(done, items)` is called now and then; what it raises stops the search.
    Empty: where a match is something else than equality there are no fixes.

    >>> from evalcore.scoring.score import score
    >>> [fix.title for fix in find_fixes(score(["STRASSE"], [["Straße"]])).of(0)]
    ['Casefold']
    """
    report = progress or (lambda done, items: None)
    failed = np.flatnonzero(scores.em == 0)
    search = FixSearch(scores, extra, languages)
    found: list[tuple[int, Set]] = []
    for start in range(0, len(failed) if search.is_possible else 0, CHUNK):
        report(start, len(failed))
        found += search.of(failed[start : start + CHUNK])
    report(len(failed), len(failed))
    return search.gathered(failed, found)


class FixSearch:
    """The search for the fixes of one run, some failed rows at a time."""

    def __init__(self, scores: Scores, extra: Sequence[Step] = (), languages: Sequence[str] = ()) -> None:
        self.scores = scores
        self.moves = moves_for(scores.preset, extra, languages or run_languages(scores))
        self.is_possible = is_searchable(scores.preset)

    @cached_property
    def _finder(self) -> "_Finder":
        return _Finder(self.scores.preset, self.moves)

    def of(self, rows: Rows) -> list[tuple[int, Set]]:
        """Give the smallest sets of moves of some failed rows, each beside its row."""
        if not self.is_possible:
            return []
        data = self.scores.dataset.take(rows)
        items = zip(rows.tolist(), data.predictions, listed(data.references), strict=True)
        return [(row, chosen) for row, prediction, references in items for chosen in self._finder.find(prediction or "", references)]

    def gathered(self, failed: Rows, found: Sequence[tuple[int, Set]]) -> Fixes:
        """Put what was found for the failed rows together, in the order of the rows."""
        numbers: dict[Set, int] = {}
        chosen = [numbers.setdefault(moves, len(numbers)) for _, moves in found]
        rows = np.array([row for row, _ in found], dtype=np.int64)
        return Fixes(self.scores, self.moves, failed, rows, np.array(chosen, dtype=np.int64), tuple(numbers))


def run_languages(scores: Scores) -> tuple[str, ...]:
    """Give the languages in which steps are tried on a run."""
    return languages_of(scores.dataset.predictions, scores.dataset.references.texts)


def listed(references: References) -> Iterator[list[str]]:
    """Give the references of every item, decoded at once."""
    texts = [text or "" for text in references.texts]
    for start, end in pairwise(references.offsets.tolist()):
        yield texts[start:end]


def fixes_for(prediction: str, references: Sequence[str], preset: Preset, extra: Sequence[Step] = (), languages: Sequence[str] = ()) -> tuple[Fix, ...]:
    """Give all smallest sets of one item, and those of the next size.

    `languages` are those of its run, told from the item alone where there are none.
    Empty: none when no set of up to three moves works.
    """
    if not is_searchable(preset):
        return ()
    moves = moves_for(preset, extra, languages or languages_of(Texts.of([prediction]), Texts.of(list(references))))
    found = minimal_sets(Walks(preset, moves), prediction, references, sizes=2)
    return tuple(Fix(tuple(moves[move] for move in sorted(chosen))) for chosen in found)


class _Finder:
    """Finds the sets of many items: first whether anything may help, then what."""

    def __init__(self, preset: Preset, moves: Sequence[Move]) -> None:
        self.walks = Walks(preset, moves)
        self.folds = {side: _everything(self.walks, side, _DELETING, last=True) for side in SIDES}
        self.spaced_folds = {side: _everything(self.walks, side, _SPACING, last=False) for side in SIDES}
        self.renames = [move.step.rule.apply for move in moves if move.step.name == "replace_aliases" and not move.removes]
        self.known: dict[tuple[str, tuple[str, ...]], tuple[Set, ...]] = {}
        self.keys: dict[str, frozenset[str]] = {}

    def find(self, prediction: str, references: Sequence[str]) -> tuple[Set, ...]:
        pair = (prediction, tuple(references))
        found = self.known.get(pair)
        if found is None:
            found = self.known[pair] = self._find(prediction, references)
        return found

    def _find(self, prediction: str, references: Sequence[str]) -> tuple[Set, ...]:
        plain = self.plain(prediction)
        near = [reference for reference in dict.fromkeys(references) if may_become_equal(prediction, plain, reference, self.plain(reference))]
        if not near:
            return ()
        hope = _Hope(self, near)
        return minimal_sets(self.walks, prediction, near, hopeful=hope)

    def plain(self, text: str) -> str:
        """Give letters and digits of a text, its aliases replaced."""
        for rename in self.renames:
            text = rename(text)
        return letters_and_digits(text)

    def folded(self, text: str, side: Side) -> frozenset[str]:
        """Give what is left of a text under every compatible move at once, marks deleted or spaced out."""
        found = {_folded(text, self.folds[side])}
        if _INNER_MARK.search(text):
            found.add(_folded(text, self.spaced_folds[side]))
        return frozenset(found - {""})

    def key(self, reference: str) -> frozenset[str]:
        key = self.keys.get(reference)
        if key is None:
            key = self.keys[reference] = self.folded(reference, "reference")
        return key


class _Hope:
    """Tells whether a text may become equal to one of some references without a further cut, and remembers which."""

    def __init__(self, finder: _Finder, references: Sequence[str]) -> None:
        self.finder = finder
        self.plain = {reference: finder.plain(reference) for reference in references}
        self.found: set[str] = set()

    def reached(self, reference: str) -> bool:
        return reference in self.found

    def suits(self, step: str) -> bool:
        """Tell whether a cut can leave one of the references: a number, a letter to choose or a label are told by their looks."""
        if step == "take_number":
            return any(map(_holds_number, self.plain))
        if step == "take_choice":
            return any(len(plain) == 1 for plain in self.plain.values())
        return step != "take_label" or any(plain in _LABELS for plain in self.plain.values())

    def __call__(self, text: str) -> bool:
        plain = self.finder.plain(text)
        if not plain:
            return False
        bare = _without_articles(text)
        hopeful = [reference for reference, wanted in self.plain.items() if wanted == plain or (bare and bare == _without_articles(reference))]
        rest = [reference for reference, wanted in self.plain.items() if reference not in hopeful and _are_alike(text, plain, reference, wanted)]
        if rest:
            keys = self.finder.folded(text, "prediction")
            hopeful += [reference for reference in rest if keys & self.finder.key(reference)]
        self.found.update(hopeful)
        return bool(hopeful)


@lru_cache(maxsize=1 << 16)
def letters_and_digits(text: str) -> str:
    """Give the letters and digits of a text, folded.

    >>> letters_and_digits("Café ＡＢ-3.5")
    'cafeab35'
    """
    folded = text.casefold() if text.isascii() else unicodedata.normalize("NFKD", text.casefold())
    return "".join(filter(str.isalnum, folded))


def may_become_equal(prediction: str, plain: str, reference: str, wanted: str) -> bool:
    """Tell quickly whether a search is worth it: the reference stands in the prediction, or they may be two forms of one answer."""
    return bool(wanted and plain) and (wanted in plain or _are_alike(prediction, plain, reference, wanted))


def _are_alike(text: str, plain: str, reference: str, wanted: str) -> bool:
    """Tell whether two texts may be forms of one answer.

    Their lengths are alike, and numbers stand on both sides, or marks of
    markup, or letters beyond ASCII that have some in common; or they have as
    many words, each pair with the same first letter.
    """
    if len(text) > LONGER * len(reference) + SLACK or len(reference) > LONGER * len(text) + SLACK:
        return False
    if _holds_number(text) and _holds_number(reference):
        return True
    if not ratio(plain, wanted, score_cutoff=ALIKE):
        return not (text.isascii() and reference.isascii()) and not (plain.isascii() and wanted.isascii())
    if not (text.isascii() and reference.isascii()) or not _MARKUP.isdisjoint(text) or not _MARKUP.isdisjoint(reference):
        return True
    ours, theirs = _initials(text), _initials(reference)
    return ours == theirs


@lru_cache(maxsize=1 << 16)
def _without_articles(text: str) -> str:
    """Give the letters and digits of all words but articles, wherever a mark or space ends a word."""
    return letters_and_digits("".join(word for word in _WORD.findall(text.casefold()) if word not in _ARTICLES))


def _initials(text: str) -> str:
    """Give the first letters of all words but articles."""
    return "".join(word[0] for word in text.casefold().replace("-", " ").split() if word not in _ARTICLES)


def _holds_number(text: str) -> bool:
    return any(map(str.isdigit, text)) or not NUMBER_WORDS.isdisjoint(text.casefold().replace("-", " ").split())


def _everything(walks: Walks, side: Side, left_out: frozenset[str], last: bool) -> list[tuple[Callable[[str], str], bool]]:
    """Collect all steps that may act together on one side: the settings', and of every other the first or the last variant in each language."""
    taken: dict[tuple[str, object], int] = {}
    for number, slot in enumerate(walks.slots[side]):
        if slot.adds and not walks.moves[slot.move].cuts:
            name = (walks.rival[slot.move], dict(walks.moves[slot.move].step.parameters).get("language"))
            taken[name] = number if last else taken.get(name, number)
    kept = set(taken.values())
    return [
        (_where_latex_is(slot.apply) if slot.name == "simplify_latex" else slot.apply, slot.only_wide)
        for number, slot in enumerate(walks.slots[side])
        if slot.name not in left_out and (not slot.adds or number in kept)
    ]


def _where_latex_is(apply: Callable[[str], str]) -> Callable[[str], str]:
    """Leave prose alone: LaTeX takes spaces for nothing, so it would glue a date together."""
    return lambda text: apply(text) if "\\" in text or "$" in text else text


def _folded(text: str, steps: Sequence[tuple[Callable[[str], str], bool]]) -> str:
    """Bring a text through all steps and leave its letters and digits alone."""
    plain = text.isascii()
    for apply, only_wide in steps:
        if not (plain and only_wide):
            text = apply(text)
    return letters_and_digits(text)


__all__ = ["MAX_MOVES", "Fix", "Fixes", "MoveCount", "find_fixes", "fixes_for", "is_searchable"]
