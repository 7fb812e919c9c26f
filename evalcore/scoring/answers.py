"""What a preset shows as the answer it took from every output."""

from collections.abc import Collection

from evalcore.dataset import Dataset
from evalcore.scoring.extracted import extract
from evalcore.scoring.matches import ANSWERS
from evalcore.scoring.metrics import Counts, Floats
from evalcore.scoring.preset import Preset


def answers(dataset: Dataset, preset: Preset, em: Floats, best: Counts, slow: Collection[int] = ()) -> list[str | None]:
    """Give the answer of every item; None where there is no output, nothing was found in it, or a step could not finish.

    `slow`: rows that are not tried, as a pattern needs too long on them.
    """
    texts = dataset.predictions.to_list()
    for row in slow:
        texts[row] = None
    if preset.answer == "normalized":
        steps = preset.pipeline.on("prediction")
        return [None if text is None else steps.apply_or_none(text) for text in texts]
    if preset.answer == "met":
        return [dataset.references[row][int(best[row])] if em[row] == 1 and best[row] >= 0 else None for row in range(len(texts))]
    if preset.answer == "compared":
        compared = ANSWERS[preset.match]
        references = [dataset.references[row] for row in range(len(texts))]
        chosen = [own[int(best[row]) if em[row] == 1 else -1] if own else "" for row, own in enumerate(references)]
        return [None if text is None else compared(text, reference) for text, reference in zip(texts, chosen, strict=True)]
    return extract(texts, preset.pipeline)
