"""Presets of Inspect AI."""

from dataclasses import replace

from evalcore.scoring.preset import Match, Preset
from evalcore.text.catalogue import step
from evalcore.text.pipeline import Pipeline

VERSION = "0.3.285"
SCORERS = "UKGovernmentBEIS/inspect_ai scorer"
PATTERNS = {
    "letter": r"(?is)ANSWER\s*:\s*([A-Za-z])(?:[^\w]|\n|$)(?!.*ANSWER\s*:)",
    "word": r"(?is)ANSWER\s*:\s*(\S+?)(?=[.,;:!?]?\s*(?:\n|$))(?!.*ANSWER\s*:)",
    "line": r"(?i)ANSWER\s*:\s*([^\n]+)\s*\Z",
}

INCLUDES = Preset(
    name="inspect.includes",
    pipeline=Pipeline((step("casefold"),)),
    match="contains",
    overlap="none",
    scale=1,
    title="Inspect AI includes",
    family="Inspect AI",
    languages=("en",),
    summary="The reference stands anywhere in the output, letter case ignored.",
    source=f"{SCORERS}/_match.py includes",
    version=VERSION,
    differs="No word boundary: `art` is found in `party`. An empty reference is always found.",
    answer="normalized",
)
PATTERN = replace(
    INCLUDES,
    match="equal",
    empty_prediction="wrong_if_extracted_blank",
    source=f"{SCORERS}/_pattern.py pattern",
    answer="cut",
)


def _pattern(name: str, pattern: str, title: str, summary: str, differs: str) -> Preset:
    take = step("take_match", "prediction", pattern=pattern, ignore_case=True, trim=False, engine="re")
    return replace(PATTERN, name=name, pipeline=Pipeline((take, step("lower"))), title=title, summary=summary, differs=differs)


def _match(place: str, match: Match, summary: str, differs: str, name: str = "") -> Preset:
    return replace(
        INCLUDES,
        name=name or f"inspect.match_{place}",
        pipeline=Pipeline(),
        match=match,
        title=f"Inspect AI match, {place.replace('_', ', ')}",
        summary=summary,
        source=f"{SCORERS}/_match.py match",
        differs=differs,
        answer="compared",
    )


PLACES: dict[str, tuple[Match, Match, str]] = {
    "begin": ("at_begin", "number_at_begin", "begins with the reference"),
    "end": ("at_end", "number_at_end", "ends with the reference"),
    "any": ("at_any", "number_at_any", "holds the reference"),
    "exact": ("at_exact", "number_at_exact", "equals the reference"),
}
LOOSE = "No word boundary: `711` ends with `11`. A reference of punctuation alone is always met."
NUMBERS = "123456 equals 123457, as five digits decide; `60%` is no number. A reference that is none is compared as text."

NORMALIZER = Pipeline(
    (
        step("replace_characters", characters="-", replacement=" "),
        step("casefold"),
        step("delete_punctuation_outside_numbers", numbers="finite", trim=True),
        step("write_numbers_as_floats", numbers="finite"),
        step("drop_articles"),
        step("squeeze_whitespace"),
    )
)

WORDS = Preset(
    name="inspect.exact",
    pipeline=NORMALIZER,
    overlap="none",
    empty_references="drop_normalized_empty",
    no_references="zero",
    scale=1,
    title="Inspect AI exact",
    family="Inspect AI",
    languages=("en",),
    summary="DROP's normalization with case folding, whole texts compared.",
    source=f"{SCORERS}/_classification.py exact",
    version=VERSION,
    differs="References that normalize to nothing are skipped, and so is the item's only one: its score is 0.",
)

PRESETS = (
    INCLUDES,
    replace(
        INCLUDES,
        name="inspect.includes_casesensitive",
        pipeline=Pipeline(),
        title="Inspect AI includes, ignore_case off",
        summary="The reference stands anywhere in the output, letter case included.",
    ),
    *(_match(place, plain, f"The output {phrase}; case, outer spaces and outer punctuation ignored.", LOOSE) for place, (plain, _, phrase) in PLACES.items()),
    _match("end_casesensitive", "at_end_case", "The output ends with the reference; outer spaces and outer punctuation ignored.", LOOSE),
    *(
        _match(f"{place}_numeric", numeric, f"The {word} number of the output equals the reference.", NUMBERS)
        for (place, (_, numeric, _)), word in zip(PLACES.items(), ("first", "last", "or any", "only"), strict=True)
    ),
    *(
        _pattern(
            f"inspect.answer_{kind}",
            PATTERNS[kind],
            f"Inspect AI answer, {kind}",
            f"The {kind} behind the last `ANSWER:`, letter case ignored.",
            differs,
        )
        for kind, differs in (
            ("letter", "`Answer: (C)` and `Answer: **C**` give nothing."),
            ("word", "The word keeps its quotes, brackets and stars."),
            ("line", "The line must be the last one: text behind it leaves nothing."),
        )
    ),
    _pattern(
        "inspect.pattern_boxed",
        r"\\boxed\{(.*?)\}",
        "Inspect AI pattern, boxed",
        "The first box up to its first closing brace, letter case ignored.",
        "Of `\\boxed{\\frac{1}{2}}` it takes `\\frac{1`.",
    ),
    _pattern(
        "inspect.pattern_hash",
        r"#### (\-?[0-9\.\,]+)",
        "Inspect AI pattern, ####",
        "The number behind the first `#### `.",
        "Commas stay, so `1,234` differs from `1234`.",
    ),
    WORDS,
    replace(
        WORDS,
        name="inspect.f1",
        match="none",
        overlap="bag",
        empty="v1",
        rounding="hundredths",
        title="Inspect AI f1",
        summary="DROP's normalization with case folding; F1 rounded to two decimals an item.",
        source=f"{SCORERS}/_classification.py f1",
        differs="References that normalize to nothing are skipped. Earlier versions count a repeated word once.",
    ),
    replace(
        WORDS,
        name="inspect_snapshot.exact",
        empty_references="drop_blank",
        title="Inspect AI exact, before 0.3.285",
        summary="DROP's normalization with case folding, whole texts compared.",
        version="499e6152",
        differs="Blank references are skipped; one that normalizes to nothing is met by a prediction that does.",
    ),
    replace(
        WORDS,
        name="inspect_snapshot.f1",
        match="none",
        overlap="set",
        empty="v2",
        empty_references="drop_blank",
        rounding="hundredths",
        title="Inspect AI f1, before 0.3.285",
        summary="DROP's normalization with case folding; F1 over sets of words, rounded to two decimals an item.",
        source=f"{SCORERS}/_classification.py f1",
        version="499e6152",
        differs="A repeated word counts once. Later versions count it as often as it stands.",
    ),
    replace(
        _match("end", "at_end", "The output ends with the reference; case, outer spaces and outer punctuation ignored.", LOOSE),
        name="inspect_snapshot.match_end",
        title="Inspect AI match at the end, before 0.3.285",
        version="499e6152",
        same_as="inspect.match_end",
    ),
)
