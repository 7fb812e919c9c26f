"""The process that compares formulas: reads requests from standard input, writes answers to standard output, one JSON value a line.

It runs as a file of its own and imports nothing of this package, so that it starts fast and can be killed at any moment.
"""

import faulthandler
import json
import os
import sys
from collections.abc import Callable
from typing import Any

LEFT_ALONE_SECONDS = 60.0  # Nobody waits so long; the process ends itself if whoever started it is gone.


def comparisons() -> dict[str, Callable[[str, list[str]], list[bool]]]:
    """Import the packages and give the function of every match: from an output and references to one truth value a reference."""
    import math_verify as mv

    def parsed(text: str, *how: Any) -> Any:
        return mv.parse(text, how, parsing_timeout=None) if how else mv.parse(text, parsing_timeout=None)

    def verified(output: str, references: list[str], *how: Any) -> list[bool]:
        answer = parsed(output, *how)
        return [bool(mv.verify(parsed(reference, *how), answer, timeout_seconds=None)) for reference in references]

    def metric(output: str, references: list[str]) -> list[bool]:
        wanted = [parsed(reference, mv.LatexExtractionConfig()) for reference in references]
        if not all(wanted):
            raise ValueError(f"the reference {references[[bool(each) for each in wanted].index(False)]!r:.60} holds no formula that can be read")
        answer = parsed(output, mv.ExprExtractionConfig(), mv.LatexExtractionConfig(boxed_match_priority=0))
        return [bool(mv.verify(each, answer, timeout_seconds=None)) for each in wanted]

    letters = mv.StringExtractionConfig(strings=("A", "B", "C", "D"))
    same = same_formula()
    if not (verified("$1$", ["1"]) and same("1", "1")):  # Both read their grammars with the first formula, which no item should wait for.
        raise AssertionError("1 is not equal to 1")
    return {
        "math_verify": verified,
        "math_verify_letters": lambda output, references: verified(output, references, letters),
        "math_metric": metric,
        "same_formula": lambda output, references: [same(output, reference) for reference in references],
        "same_formula_or_text": lambda output, references: [output == reference or same(output, reference) for reference in references],
    }


def same_formula() -> Callable[[str, str], bool]:
    """Give the test whether the difference of two formulas simplifies to zero; one that cannot be read equals none."""
    import sympy
    from sympy.parsing.latex import _parse_latex_antlr

    _parse_latex_antlr.version = lambda package: "4.11"  # SymPy asks for this version of the parser's runtime; later ones read its grammar as well.

    def same(first: str, second: str) -> bool:
        try:
            difference = sympy.parsing.latex.parse_latex(first) - sympy.parsing.latex.parse_latex(second)
            return bool(sympy.simplify(difference) == 0)
        except Exception:  # Whatever SymPy stumbles over is no formula.
            return False

    return same


def main() -> None:
    """Answer requests until the input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="ascii")
    sys.stdout = sys.stderr  # What packages say must not stand among the answers.
    known = comparisons()
    answers.write('"ready"\n')
    answers.flush()
    for line in sys.stdin:
        match, output, references = json.loads(line)
        faulthandler.dump_traceback_later(LEFT_ALONE_SECONDS, exit=True)
        try:
            answer: Any = known[match](output, references)
        except Exception as error:  # Whatever the packages stumble over is the item's reason.
            answer = f"{error}" or type(error).__name__
        faulthandler.cancel_dump_traceback_later()
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
