"""What extraction cut out of the predictions, before they are normalized."""

from collections.abc import Sequence

from evalcore.text.extraction.rule import Extraction
from evalcore.text.pipeline import Pipeline
from evalcore.text.rules import Budget, Rule, StepFailed

CUTTING = ("extraction", "markup", "cuts")  # The groups of steps that cut an answer out of an output.

TIDYING = ("whitespace", "characters")


def extraction_of(pipeline: Pipeline) -> Pipeline:
    """Give the steps of the prediction up to the last that cuts the answer out.

    Steps for the prediction alone that follow and treat whitespace or single
    characters belong to it. Where no step cuts, it reaches to the last step
    that is for the prediction alone.
    """
    steps = list(pipeline.on("prediction"))
    cutting = [number for number, step in enumerate(steps) if step.entry.group in CUTTING]
    if not cutting:
        return Pipeline(tuple(steps[: max((number + 1 for number, step in enumerate(steps) if step.side == "prediction"), default=0)]))
    end = cutting[-1] + 1
    while end < len(steps) and steps[end].side == "prediction" and steps[end].entry.group in TIDYING:
        end += 1
    return Pipeline(tuple(steps[:end]))


def extract(texts: Sequence[str | None], pipeline: Pipeline) -> list[str | None]:
    """Give what is cut out of every text, None where a step found nothing or failed.

    Range: a step that has a marker for "nothing", or keeps the whole text, always finds something.
    """
    steps = [step.rule for step in extraction_of(pipeline)]
    known: dict[str, str | None] = {}
    budget = Budget()
    for text in texts:
        if text is not None and text not in known:
            known[text] = _through(text, steps, budget)
    return [None if text is None else known[text] for text in texts]


def _through(text: str, rules: Sequence[Rule], budget: Budget) -> str | None:
    for rule in rules:
        finds = rule.found if isinstance(rule, Extraction) and rule.nothing == "empty" else rule.apply
        try:
            found = budget.run(rule, finds, text)
        except StepFailed:
            return None
        if found is None:
            return None
        text = found
    return text
