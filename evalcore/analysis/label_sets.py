"""Which labels an item may have: of a column of options, of the references, or of a list."""

import re
from collections.abc import Sequence
from functools import lru_cache
from string import ascii_uppercase

from evalcore.analysis.reasons.find import labels_of
from evalcore.data.answers import texts_of
from evalcore.data.cells import list_in, split
from evalcore.data.json_text import decode
from evalcore.dataset import Dataset
from evalcore.scoring.labels import MOST_LABELS, LabelSet, Options, derive_labels
from evalcore.scoring.scores import Scores
from evalcore.text.catalogue import step
from evalcore.text.columns import Texts
from evalcore.text.extraction.rule import Choice
from evalcore.text.steps import Step

REFERENCES, COLUMN = "references", "column:"
YES_NO = "yes | no"
NAMES = ("options", "choices", "answeroptions", "answerchoices", "allclasses", "classes", "labels", "labelset", "labelnames", "candidates")
SEEN = 2_000  # Rows that tell whether a column holds options.
LETTER = re.compile(r"\s*[(\[]?([A-Z])[)\].:]?\s*")
LETTERED = re.compile(r"\s*[(\[]?([A-Z])[)\].:、．]\s*(.*\S)\s*", re.DOTALL)
SPLITS = ("\n", "|", ";", ",")


def label_set(scores: Scores, spec: str) -> LabelSet:
    """Find the labels a short text asks for.

    Range: `references` takes the distinct references, `column:NAME` the
    options in a column of the file; all else is a list, one label a line
    or with `|`, or else commas, between them.
    Raises: ValueError saying what is wrong with it.

    >>> from evalcore.scoring.score import score
    >>> label_set(score(["yes"], [["no"]]), "yes, no").labels
    ('yes', 'no')
    """
    wanted = spec.strip()
    if wanted == REFERENCES:
        return LabelSet(derive_labels(scores), "the distinct references")
    if wanted.startswith(COLUMN):
        return _of_column(scores.dataset, wanted.removeprefix(COLUMN))
    labels = tuple(dict.fromkeys(_listed(wanted)))
    if len(labels) > MOST_LABELS:
        raise ValueError(f"{len(labels)} labels were given; at most {MOST_LABELS} can be counted one by one")
    return LabelSet(labels, "your list")


def option_columns(data: Dataset) -> tuple[str, ...]:
    """Name the columns that hold options of the items: those called so, with a list in their first rows."""
    return tuple(name for name, column in data.metadata.items() if re.sub(r"[^a-z]", "", name.lower()) in NAMES and _holds_options(column))


def _holds_options(column: Texts) -> bool:
    cells = {cell for cell in column[: min(SEEN, len(column))].to_list() if cell}
    return bool(cells) and all(len(options_in(cell)) > 1 for cell in cells)


def suggested(data: Dataset) -> str:
    """Give the labels to begin with: a column of options, or a few references that come again and again; else "".

    >>> suggested(Dataset.of(["x"] * 10, [["yes"]] * 5 + [["no"]] * 5)), suggested(Dataset.of(["x"], [["y"]]))
    ('references', '')
    """
    columns = option_columns(data)
    if columns:
        return COLUMN + columns[0]
    return REFERENCES if labels_of(data) else ""


@lru_cache(maxsize=10_000)
def options_in(cell: str) -> Options:
    """Read the options of one cell: their text, and their place among them.

    Range: a list, an object of letters, an object with `text` and `label`,
    or a text with line ends, `|`, `;` or commas; letters before the
    options (`A. Paris`) are taken off where all have one, in order.

    >>> options_in('["Paris", "Rome"]'), options_in("(A) Paris; (B) Rome"), options_in("free text")
    ((('Paris', 0), ('Rome', 1)), (('Paris', 0), ('Rome', 1)), ())
    """
    texts = _cell_texts(cell.strip())
    lettered = [LETTERED.fullmatch(text) for text in texts]
    if 1 < len(texts) <= len(ascii_uppercase) and all(match and match[1] == letter for match, letter in zip(lettered, ascii_uppercase, strict=False)):
        texts = [match[2] for match in lettered if match]
    return tuple((text, place) for place, text in enumerate(texts)) if len(texts) > 1 else ()


def _cell_texts(cell: str) -> list[str]:
    listed = list_in(cell)
    if listed is not None:
        return listed
    if cell.startswith("{"):
        try:
            value = decode(cell)
        except (ValueError, RecursionError):
            return []
        return _object_texts(value) if isinstance(value, dict) else []
    return _listed(cell)


def _object_texts(value: dict[str, object]) -> list[str]:
    """Take the options of an object: of its list `text`, or by its keys in their order."""
    inside = value.get("text", list(value.values()))
    return texts_of(inside) or [] if isinstance(inside, list) else []


def _listed(text: str) -> list[str]:
    return next((parts for separator in SPLITS if len(parts := split(text, separator)) > 1), [text.strip()] if text.strip() else [])


def _of_column(data: Dataset, name: str) -> LabelSet:
    if name not in data.metadata:
        columns = ", ".join(map(repr, data.metadata)) or "none"
        raise ValueError(f"there is no column {name!r:.60} with options; further columns of the file: {columns:.200}")
    options = tuple(options_in(cell or "") for cell in data.metadata[name].to_list())
    distinct = {found for found in options if found}
    if not distinct:
        raise ValueError(
            f'the column {name!r:.60} holds no lists of options, such as ["Paris", "Rome"] or A. Paris; its first cell is {data.metadata[name][0]!r:.60}'
        )
    said = f"the column {name}"
    most = max(map(len, distinct))
    if _speaks_in_letters(data, options):
        if most > len(ascii_uppercase):
            raise ValueError(f"the column {name!r:.60} holds {most} options for one item; letters name at most 26")
        letters = tuple((letter, place) for place, letter in enumerate(ascii_uppercase[:most]))
        return LabelSet(tuple(letter for letter, _ in letters), f"{said}, by letter", tuple(letters[: len(found)] for found in options))
    labels = tuple(dict.fromkeys(text for found in options for text, _ in found))
    if len(labels) <= MOST_LABELS:
        place = {label: number for number, label in enumerate(labels)}
        return LabelSet(labels, said, None if len(set(options)) == 1 else tuple(tuple((text, place[text]) for text, _ in found) for found in options))
    if most > MOST_LABELS:
        raise ValueError(f"the column {name!r:.60} holds {most} options for one item; at most {MOST_LABELS} can be counted one by one")
    return LabelSet(tuple(f"option {place + 1}" for place in range(most)), f"{said}, by place", options, by_place=True)


def _speaks_in_letters(data: Dataset, options: Sequence[Options]) -> bool:
    """Tell whether the references are letters of options instead of their texts."""
    letters = texts = 0
    for row in range(min(SEEN, len(data))):
        listed = {text.strip() for text, _ in options[row]}
        for reference in data.references[row]:
            texts += reference.strip() in listed
            letters += LETTER.fullmatch(reference) is not None
    return letters > texts


def cutting_step(found: LabelSet, choice: Choice) -> Step | None:
    """Give the step that cuts a label out of an output, `[invalid]` where it names none; None for labels that are only places.

    >>> cutting_step(LabelSet(("yes", "no")), "last").apply("Well, no")
    'no'
    """
    if found.by_place:
        return None
    if found.options is not None and all(len(label) == 1 and label in ascii_uppercase for label in found.labels):
        return step("take_choice", letters="".join(found.labels), choice=choice, nothing="marker")
    return step("take_label", labels=found.labels, choice=choice, nothing="marker")
