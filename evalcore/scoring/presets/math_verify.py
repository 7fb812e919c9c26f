"""Presets that read both sides as formulas, through math-verify."""

from evalcore.scoring.preset import Match, Preset
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline
from evalcore.text.steps import Step

LIMIT = "A formula that takes longer than 5 seconds leaves its item unscored; the scorer counts it as wrong."


def wrapped(replacement: str) -> Step:
    r"""Put something around the reference; `\1` is the reference itself."""
    return step("replace_pattern", "reference", pattern=r"(?s)\A(.*)\Z", replacement=replacement, engine="re")


def _math_verify(name: str, match: Match, steps: tuple[Step, ...], title: str, summary: str, differs: str) -> Preset:
    return Preset(
        name=f"math_verify.{name}",
        pipeline=Pipeline(steps),
        match=match,
        overlap="none",
        scale=1,
        title=title,
        family="Math-Verify",
        datasets=("MATH",),
        summary=summary,
        source="huggingface/Math-Verify parse and verify",
        version="0.9.0",
        differs=f"{differs} {LIMIT}",
    )


EQUAL = "Several boxes are joined to one set, `(1,2)` is an open interval, of an equation the right side counts, and 50% equals 0.5 and 50."
PRESETS = (
    _math_verify("default_goldraw", "math_verify", (), "Math-Verify", "Both sides read as formulas or numbers, and equal.", EQUAL),
    _math_verify(
        "default_golddollar",
        "math_verify",
        (wrapped(r"$\1$"),),
        "Math-Verify, reference between dollar signs",
        "As math_verify.default_goldraw, the reference read as LaTeX.",
        EQUAL,
    ),
    _math_verify(
        "default_goldboxed",
        "math_verify",
        (wrapped(r"\\boxed{\1}"),),
        "Math-Verify, reference in a box",
        "As math_verify.default_goldraw, the reference read as LaTeX in a box.",
        EQUAL,
    ),
    _math_verify(
        "math_metric_latexgold",
        "math_metric",
        (wrapped(r"$\1$"),),
        "Math-Verify math_metric",
        "The reference as LaTeX, the output as a formula with boxes first or as a number, and equal.",
        f"{EQUAL} A reference that cannot be read leaves the item unscored.",
    ),
    _math_verify(
        "string_ABCD",
        "math_verify_letters",
        (),
        "Math-Verify, letters A to D",
        "The letter the output names, and that of the reference.",
        "Letter case does not count; any A to D that stands alone is a letter, the article too.",
    ),
)
