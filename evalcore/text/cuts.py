"""Steps that cut the answer off where a task stops reading it."""

from evalcore.text.edits import Edit
from evalcore.text.rules import Function, Rule
from evalcore.text.steps import entries


def _cut(stops: tuple[str, ...]) -> Rule:
    def end(text: str) -> int:
        found = [position for position in map(text.find, stops) if position >= 0]
        return min(found, default=len(text))

    def state(text: str) -> tuple[Edit, ...]:
        stop = end(text)
        return (Edit(stop, len(text), ""),) if stop < len(text) else ()

    return Function(lambda text: text[: end(text)], state)


def keep_first_line() -> Rule:
    r"""Keep what stands before the first line break.

    Source: the few-shot tasks of LongBench, CoQA in lm-evaluation-harness and ALCE, `split("\n")[0]`.
    Differs: only the newline character counts; an answer that begins with one becomes empty.

    >>> keep_first_line().apply("Paris\nPassage: Lyon is")
    'Paris'
    """
    return _cut(("\n",))


def cut_at_stops(stops: tuple[str, ...] = ()) -> Rule:
    r"""Cut the text before the first of several stop texts.

    Source: the stop sequences of generation tasks, such as `\n`, `.` and `,` for NQ-Open and TriviaQA in lm-evaluation-harness.
    Differs: with `.` and `,` as stops `U.S.` becomes `U` and `1,000` becomes `1`.

    >>> cut_at_stops((".", ",")).apply("1,000 men")
    '1'
    """
    return _cut(tuple(stop for stop in stops if stop))


ENTRIES = entries("cuts", keep_first_line, cut_at_stops)
