"""Gates: conditions on a comparison that stop a pipeline."""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isnan, nan
from types import MappingProxyType

from evalcore.analysis.comparison import Comparison
from evalcore.text.names import UnknownName

MEASURES = ("em", "f1", "precision", "recall")
OPERATORS: Mapping[str, Callable[[float, float], bool]] = MappingProxyType(
    {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt, "==": operator.eq, "!=": operator.ne}
)


class GateError(ValueError):
    """A gate that cannot be read; the message says where and what is accepted."""


def _of_measure(measure: str) -> dict[str, Callable[[Comparison], float]]:
    return {
        measure: lambda found: 100 * found.effect(measure).difference.estimate,
        f"{measure}.low": lambda found: 100 * found.effect(measure).difference.low,
        f"{measure}.high": lambda found: 100 * found.effect(measure).difference.high,
        f"{measure}.p": lambda found: effect.test.p if (effect := found.effect(measure)).count else nan,
        f"{measure}.before": lambda found: 100 * found.effect(measure).before,
        f"{measure}.after": lambda found: 100 * found.effect(measure).after,
    }


QUANTITIES: Mapping[str, Callable[[Comparison], float]] = MappingProxyType(
    {
        **{name: quantity for measure in MEASURES for name, quantity in _of_measure(measure).items()},
        "fixed": lambda found: len(found.fixed) if found.compared else nan,
        "broken": lambda found: len(found.broken) if found.compared else nan,
        "compared": lambda found: found.compared,
        "unmatched": lambda found: len(found.unmatched_before) + len(found.unmatched_after),
        "unscored": lambda found: len(found.before) - found.compared,
        "settings": lambda found: len(found.settings_differ),
    }
)


@dataclass(frozen=True)
class Condition:
    """One quantity held against a number."""

    quantity: str
    operator: str
    value: float

    def __str__(self) -> str:
        return f"{self.quantity} {self.operator} {self.value:g}"


@dataclass(frozen=True)
class Finding:
    """What a gate found: whether it stops, and each quantity with its value.

    A quantity that is not known (NaN) stops too: a gate that cannot look
    must not let pass.
    """

    gate: "Gate"
    stops: bool
    values: tuple[tuple[str, float], ...]

    def __str__(self) -> str:
        shown = ", ".join(f"{name} is {'not known' if isnan(value) else f'{value:.4g}'}" for name, value in self.values)
        return f"{'failed' if self.stops else 'passed'}: {self.gate} ({shown})"


@dataclass(frozen=True)
class Gate:
    """Conditions that stop when all of them hold."""

    conditions: tuple[Condition, ...]

    @classmethod
    def parse(cls, source: str) -> "Gate":
        """Read conditions joined by `and`.

        Measures count in points of 100: `em < -1.0` stops when EM fell by
        more than one point.
        Raises: GateError for another form, UnknownName for a quantity there is not.

        >>> str(Gate.parse("em < -1.0 and em.p<.05"))
        'em < -1 and em.p < 0.05'
        """
        return cls(tuple(_condition(part, source) for part in re.split(r"\band\b", source)))

    def __str__(self) -> str:
        return " and ".join(map(str, self.conditions))

    def check(self, comparison: Comparison) -> Finding:
        """Hold the conditions against a comparison."""
        values = {condition.quantity: float(QUANTITIES[condition.quantity](comparison)) for condition in self.conditions}
        holds = [OPERATORS[condition.operator](values[condition.quantity], condition.value) for condition in self.conditions]
        unknown = [isnan(values[condition.quantity]) for condition in self.conditions]
        stops = all(hold or missing for hold, missing in zip(holds, unknown, strict=True))
        return Finding(self, stops, tuple(values.items()))


def _condition(part: str, source: str) -> Condition:
    match = re.fullmatch(r"\s*([a-z0-9_.]+)\s*(<=|>=|==|!=|<|>)\s*([-+−]?\d*\.?\d+(?:[eE][-+]?\d+)?)\s*", part)
    if match is None:
        raise GateError(f"the gate {source!r:.200} has the part {part.strip()!r:.80}; a quantity, one of < <= > >= == !=, and a number are needed: em < -1.0")
    if match[1] not in QUANTITIES:
        raise UnknownName("quantity", match[1], QUANTITIES)
    return Condition(match[1], match[2], float(match[3].replace("−", "-")))
