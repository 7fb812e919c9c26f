"""Aliases made from confusions: one more row in the settings' own table."""

from evalcore.analysis.moves import apply_moves, moves_for
from evalcore.scoring.preset import Preset
from evalcore.text.catalogue import step

NAME = "replace_aliases"


def with_alias(preset: Preset, canonical: str, alias: str) -> Preset:
    """Give the settings with one more alias: in their alias table, or in a new one at its place.

    Raises: AliasError when the alias stands for another name already.

    >>> from evalcore.scoring.presets import preset
    >>> once = with_alias(preset("squad_v1"), "gray", "grey")
    >>> [own.name for own in once.pipeline][:2]
    ['replace_aliases', 'lower']
    >>> dict(with_alias(once, "color", "colour").pipeline.steps[0].parameters)["table"]
    (('gray', 'grey'), ('color', 'colour'))
    """
    steps = list(preset.pipeline)
    place = next((number for number, own in enumerate(steps) if own.name == NAME), None)
    if place is None:
        made = step(NAME, table=((canonical, alias),))
        made.rule  # noqa: B018 - a table that contradicts itself is an error now, not when it is first used.
        return apply_moves(preset, [next(move for move in moves_for(preset, [made]) if move.step == made)])
    rows = dict(steps[place].parameters)["table"]
    assert isinstance(rows, tuple)
    steps[place] = steps[place].with_parameters(table=tuple(dict.fromkeys((*rows, (canonical, alias)))))
    steps[place].rule  # noqa: B018
    return preset.with_steps(steps)
