"""All reasons, in order: the first that holds is an item's main reason."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from evalcore.analysis.moves import is_cutting
from evalcore.analysis.reasons import amounts, content, surface
from evalcore.analysis.reasons.content import expected_kind
from evalcore.analysis.reasons.item import ANY, DROPPED_UNITS, Hit, Item, Test, any_reference, every_reference, name_of, one_step
from evalcore.analysis.reasons.pair import Evidence, Pair, as_measured
from evalcore.text.catalogue import CATALOGUE

_DIGITS = re.compile(r"\d+")
CUTS = frozenset(entry.name for entry in CATALOGUE.values() if is_cutting(entry) and entry.group != "markup")
Kind = Literal["surface", "content"]
TITLES = {
    "no_answer_mismatch": "No-answer mismatch",
    "traditional_simplified": "Traditional or simplified",
    "yes_no_flipped": "Yes and no flipped",
}  # Where the words of a name alone make no title.


@dataclass(frozen=True)
class Reason:
    """Why an item failed: `surface` is the same answer in another form, `content` another answer or none."""

    name: str
    kind: Kind
    summary: str
    test: Test

    @property
    def title(self) -> str:
        """Name the reason for people, as `Extra words`."""
        return TITLES.get(self.name, self.name.replace("_", " ").capitalize())


def _empty(item: Item) -> Hit | None:
    return Hit(item.nearest, Evidence()) if not item.prediction.raw.strip() and not _expects_none(item) else None


def _extraction_failed(item: Item) -> Hit | None:
    return Hit(ANY, Evidence(item.prediction.raw[:80])) if item.emptied and item.extracts and item.prediction.raw.strip() else None


def _emptied(item: Item) -> Hit | None:
    return Hit(ANY, Evidence(item.prediction.raw[:80])) if item.emptied and not item.extracts and item.prediction.raw.strip() else None


def _unfinished(item: Item) -> Hit | None:
    found = content.unfinished(item.prediction)
    return Hit(ANY, found) if found else None


def _expects_none(item: Item) -> bool:
    return all(content.is_no_answer(reference.raw) for reference in item.references)


def _says_none(item: Item) -> bool:
    return content.is_no_answer(item.prediction.raw) or content.refuses(item.prediction) is not None


def _no_answer_mismatch(item: Item) -> Hit | None:
    if _expects_none(item):
        return None if _says_none(item) else Hit(item.nearest, Evidence(item.prediction.raw[:80], note="there is no answer"))
    if any(content.is_no_answer(reference.raw) for reference in item.references):
        return None
    return Hit(item.nearest, Evidence(item.prediction.raw, note="there is an answer")) if content.is_no_answer(item.prediction.raw) else None


def _refusal(item: Item) -> Hit | None:
    found = None if _expects_none(item) else content.refuses(item.prediction)
    return Hit(ANY, found) if found and not any(surface.contained(pair) for _, pair in item.pairs) else None


def _telling_mark(item: Item) -> Hit | None:
    alike = [number for number, reference in enumerate(item.references) if content.same_letters(item.prediction, reference)]
    found = [content.telling_mark(item.prediction, item.references[number]) for number in alike]
    first = found[0] if found else None
    return Hit(alike[0], first) if first is not None and all(found) else None


def _explanation(item: Item) -> Hit | None:
    hit = one_step(*CUTS)(item)
    denied = hit is not None and content.negation_flipped(Pair(item.prediction, item.references[hit.reference], item.question))
    return None if denied else hit


def _invalid_label(item: Item) -> Hit | None:
    if not item.labels or item.prediction.line.strip() in item.labels or any(surface.contained(pair) for _, pair in item.pairs):
        return None
    return Hit(item.nearest, Evidence(item.prediction.raw[:80], ", ".join(sorted(item.labels))))


def _alias(item: Item) -> Hit | None:
    if _expects_none(item) and _says_none(item):
        return Hit(item.nearest, Evidence(item.prediction.raw[:80], note="both say that there is no answer"))
    by_step = one_step("replace_aliases")(item) or any_reference(content.same_verdict)(item)
    if by_step or not item.also:
        return by_step
    for number, reference in enumerate(item.references):
        if name_of(reference.raw) in item.also:
            return Hit(number, Evidence(item.prediction.raw, reference.raw, "both are references of another item"))
    return None


def _number_format(item: Item) -> Hit | None:
    hit = one_step("canonical_numbers", "write_numbers_as_floats")(item)
    if hit and _DIGITS.findall(item.prediction.raw) == _DIGITS.findall(item.references[hit.reference].raw):
        return None  # The digits stand alike; only the marks around them differ.
    return hit


def _unicode_form(item: Item) -> Hit | None:
    return one_step("normalize_unicode", "drop_invisible")(item) or (None if item.fixed.alone else any_reference(surface.lost_letters)(item))


def _number_word(item: Item) -> Hit | None:
    by_step = one_step("read_number_words", "write_chinese_numerals_as_digits")(item)
    return by_step or (None if item.fixed.alone else any_reference(surface.other_numeral)(item))


def _unit(item: Item) -> Hit | None:
    alone = item.fixed.alone
    if DROPPED_UNITS in alone and "canonical_numbers" not in alone:
        hit = one_step(DROPPED_UNITS)(item)
        return None if hit is None or Pair(item.prediction, item.references[hit.reference], item.question).units_differ else hit
    return None if alone.keys() - CUTS or _telling_mark(item) else any_reference(as_measured(amounts.number_spelled_otherwise))(item)


def _several_steps(item: Item) -> Hit | None:
    if item.fixed.jointly:
        return Hit(item.fixed.together, Evidence(item.prediction.raw, note=" and ".join(item.fixed.jointly)))
    return any_reference(as_measured(surface.same_words), as_measured(surface.otherwise_formed))(item)


def _step_in_the_way(item: Item) -> Hit | None:
    return None if item.fixed.removed is None else Hit(item.fixed.removed, Evidence(item.prediction.raw))


def _cut_off(item: Item) -> Hit | None:
    found = content.cut_off(item.prediction)
    return Hit(ANY, found) if found else None


def _different(item: Item) -> Hit:
    pairs = item.pairs
    kind = expected_kind(pairs[0][1]) if pairs else ""
    return Hit(item.nearest, Evidence(item.prediction.raw[:80], item.references[item.nearest].raw[:80] if pairs else "", f"{kind} is expected" if kind else ""))


REASONS: tuple[Reason, ...] = (
    Reason("empty", "content", "The prediction is empty, or nothing but reasoning.", _empty),
    Reason("extraction_failed", "content", "Extraction finds nothing in the prediction.", _extraction_failed),
    Reason("emptied", "content", "Nothing is left of the prediction after normalization.", _emptied),
    Reason("unfinished", "content", "The output ends before its reasoning is closed.", _unfinished),
    Reason("no_answer_mismatch", "content", "One side says that there is no answer, the other gives one.", _no_answer_mismatch),
    Reason("case", "surface", "Only letter case differs.", one_step("lower", "casefold")),
    Reason("whitespace", "surface", "Only whitespace between or around the words differs.", one_step("squeeze_whitespace", "strip_whitespace")),
    Reason("width", "surface", "Full-width and half-width characters stand for one another.", one_step("fold_width")),
    Reason("unicode_form", "surface", "The characters look alike but are encoded differently, or some are invisible.", _unicode_form),
    Reason("number_format", "surface", "The same number is written with other marks.", _number_format),
    Reason("number_word", "surface", "The same number is a word or a Roman numeral on one side.", _number_word),
    Reason("unit", "surface", "The same number with its unit, currency or percent sign in another form, or without it.", _unit),
    Reason("date_format", "surface", "The same date is written in another order or form.", one_step("dates_to_iso")),
    Reason(
        "markup",
        "surface",
        "Markdown, code fences or LaTeX surround the answer.",
        one_step("drop_emphasis", "take_fenced", "simplify_latex", "hendrycks_latex"),
    ),
    Reason("telling_mark", "content", "A mark that tells answers apart, such as a sign or a decimal point, stands on one side alone.", _telling_mark),
    Reason(
        "punctuation",
        "surface",
        "Only punctuation differs.",
        one_step(
            "delete_punctuation", "space_out_punctuation", "delete_chinese_punctuation", "drop_final_stop", "strip_quotes", "delete_punctuation_outside_numbers"
        ),
    ),
    Reason("article", "surface", "Only an article differs.", one_step("drop_articles", "drop_arabic_article")),
    Reason("traditional_simplified", "surface", "Traditional and simplified Chinese characters differ.", one_step("simplify_chinese")),
    Reason("accent", "surface", "Only accents or other combining marks differ.", one_step("strip_accents")),
    Reason(
        "explanation",
        "surface",
        "The answer stands in the output, and an extraction step would cut it out.",
        _explanation,
    ),
    Reason("compound", "surface", "Words are joined, hyphenated or split.", one_step("remove_whitespace", "space_out_chinese")),
    Reason("step_in_the_way", "surface", "A step of the settings makes the sides differ; without it they are equal.", _step_in_the_way),
    Reason("several_forms", "surface", "Several differences of form come together.", _several_steps),
    Reason("yes_no_flipped", "content", "Yes for no, or no for yes.", any_reference(content.yes_no_flipped)),
    Reason("negation_flipped", "content", "One side denies what the other says.", any_reference(content.negation_flipped)),
    Reason("refusal", "content", "The prediction says that it does not know or cannot answer.", _refusal),
    Reason("invalid_label", "content", "The prediction is none of the labels of this task.", _invalid_label),
    Reason("light_words", "surface", 'Only grammar or hedges such as "about" differ.', any_reference(surface.light_words_differ)),
    Reason("word_order", "surface", "The same words stand in another order.", any_reference(surface.reordered)),
    Reason("spelling_variant", "surface", "The words are spelling variants, such as colour and color.", any_reference(surface.other_spelling)),
    Reason(
        "inflection",
        "surface",
        "The words are other forms of the same words.",
        lambda item: one_step("lemmatize", "stem")(item) or any_reference(surface.inflected)(item),
    ),
    Reason("typo", "surface", "A letter or two are wrong.", any_reference(surface.mistyped)),
    Reason("abbreviation", "surface", "One side is the initials or the short form of the other.", any_reference(surface.abbreviated)),
    Reason("alias", "surface", "Another name of the same thing, by an alias table or by the references of another item; or no for false.", _alias),
    Reason(
        "date_precision",
        "surface",
        "The same date, written otherwise or given more or less exactly.",
        any_reference(amounts.date_spelled_otherwise, amounts.within_span),
    ),
    Reason("rounded_number", "surface", "The number is rounded, or lies in the range that is asked for.", any_reference(amounts.rounded)),
    Reason("several_answers", "surface", "The reference is one of several answers given.", any_reference(surface.offers_alternatives)),
    Reason(
        "extra_words",
        "surface",
        "The reference stands in the prediction, with further words around it.",
        any_reference(*map(as_measured, (surface.contained, surface.nearly_contained, surface.scattered, surface.quoted, surface.lost_letters_within))),
    ),
    Reason(
        "partial_name",
        "surface",
        "The name is given by its last word, by initials, or without a part.",
        any_reference(surface.partial_name, surface.name_and_place),
    ),
    Reason(
        "missing_words",
        "surface",
        "What is said stands in the reference; closer words are missing.",
        any_reference(surface.missing_words, surface.head_contained),
    ),
    Reason("reworded", "surface", "Half of the words that count are the same.", any_reference(surface.reworded)),
    Reason("different_date", "content", "Another date.", any_reference(content.different_date)),
    Reason("different_number", "content", "Another number, sign or unit.", any_reference(content.different_number)),
    Reason("incomplete", "content", "A part of the reference that does not make the answer.", any_reference(content.incomplete)),
    Reason("different_script", "content", "Prediction and reference are in different languages or scripts.", every_reference(content.different_script)),
    Reason("partly_shared", "content", "Some words that count are the same, the rest is another answer.", any_reference(content.shares_words)),
    Reason("truncated", "content", "A long output ends in the middle of a sentence.", _cut_off),
    Reason("different_answer", "content", "Another answer.", _different),
)

CODES: Mapping[str, int] = MappingProxyType({reason.name: code for code, reason in enumerate(REASONS)})
SURFACE: frozenset[int] = frozenset(code for code, reason in enumerate(REASONS) if reason.kind == "surface")
