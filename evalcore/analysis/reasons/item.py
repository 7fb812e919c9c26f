"""One failed item, as the predicates of the reasons see it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from evalcore.analysis.reasons.answer import Answer
from evalcore.analysis.reasons.lazy import lazy
from evalcore.analysis.reasons.pair import Evidence, Pair, Question

MAX_REFERENCES = 24  # Different references looked at; lists of aliases repeat themselves after that.
DROPPED_UNITS = "canonical_numbers without units"  # The step with currency and percent signs dropped goes by a name of its own.
ANY = -1  # A reason that is about no reference in particular.


@dataclass(frozen=True)
class Hit:
    """A reason holds: for which reference of the item, and what shows it."""

    reference: int
    evidence: Evidence


Test = Callable[["Item"], Hit | None]


@dataclass(frozen=True)
class Fixed:
    """What the smallest fixes of an item say, and which reference each makes it match.

    `alone` maps the steps that suffice when added to the reference that is
    then met; `removed` is the one that is met when a step is taken out,
    None where that does not help. `jointly` names the moves of the smallest
    set when one is not enough, `together` the reference that is met by it.
    """

    alone: Mapping[str, int] = field(default_factory=dict)
    removed: int | None = None
    jointly: Sequence[str] = ()
    together: int = ANY


class Item:
    """A prediction, its references and question, and what is known of them beside the texts.

    `fixed` says which changes of settings make it match. `emptied`: nothing is
    left of the prediction; `extracts`: the settings have an extraction
    step. `labels` are the accepted labels, empty where the data has none.
    `also` holds the references of other items that have the prediction
    among theirs, by `name_of`.
    """

    def __init__(
        self,
        prediction: Answer,
        references: Sequence[Answer],
        question: Question,
        best: int = 0,
        fixed: "Fixed | None" = None,
        emptied: bool = False,
        extracts: bool = False,
        labels: frozenset[str] = frozenset(),
        also: frozenset[str] = frozenset(),
    ) -> None:
        self.prediction = prediction
        self.references = references
        self.question = question
        self.best = best
        self.fixed = fixed or Fixed()
        self.emptied = emptied
        self.extracts = extracts
        self.labels = labels
        self.also = also

    @lazy
    def pairs(self) -> list[tuple[int, Pair]]:
        """The prediction with every different reference, the one best for F1 first; then with those that hold brackets, without these."""
        order = [self.best] if 0 <= self.best < len(self.references) else []
        order += [number for number in range(len(self.references)) if number != self.best]
        different: dict[str, int] = {}
        for number in order:
            different.setdefault(self.references[number].content_line, number)
            if len(different) == MAX_REFERENCES:
                break
        whole = [(number, Pair(self.prediction, self.references[number], self.question)) for number in different.values()]
        bare = [
            (number, Pair(self.prediction, shorter, self.question, is_bare=True)) for number in different.values() if (shorter := self.references[number].bare)
        ]
        return whole + bare

    @property
    def nearest(self) -> int:
        """The reference best for F1, else the first; ANY without references."""
        return self.best if 0 <= self.best < len(self.references) else (0 if self.references else ANY)


def name_of(text: str) -> str:
    """Give a text as names are compared: without case, outer spaces and full stop."""
    return text.strip(" .").casefold()


def any_reference(*predicates: Callable[[Pair], Evidence | None]) -> Test:
    """Hold when one of the predicates does, for one of the references."""

    def test(item: Item) -> Hit | None:
        for predicate in predicates:
            for number, pair in item.pairs:
                evidence = predicate(pair)
                if evidence is not None:
                    return Hit(number, evidence)
        return None

    return test


def every_reference(predicate: Callable[[Pair], Evidence | None]) -> Test:
    """Hold when the predicate does for all references."""

    def test(item: Item) -> Hit | None:
        first: Hit | None = None
        for number, pair in item.pairs:
            evidence = predicate(pair)
            if evidence is None:
                return None
            first = first or Hit(number, evidence)
        return first

    return test


def one_step(*names: str) -> Test:
    """Hold when adding one of the steps alone makes the item match."""
    listed = sorted(names)

    def test(item: Item) -> Hit | None:
        met = {name: item.fixed.alone[name] for name in listed if name in item.fixed.alone}
        if not met:
            return None
        reference = item.nearest if item.nearest in met.values() else next(iter(met.values()))
        return Hit(reference, Evidence(item.prediction.raw, note=" or ".join(met)))

    return test
