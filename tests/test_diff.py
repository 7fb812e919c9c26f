"""Diffs, visible names, attribution and wording: cases and laws."""

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import evalcore
from evalcore.analysis.attribution import attribute
from evalcore.analysis.wording import Piece, side_by_side, wording
from evalcore.text import diff as diff_module
from evalcore.text.diff import Span, blocks, diff, words
from evalcore.text.pipeline import Pipeline
from evalcore.text.rules import StepFailed
from evalcore.text.visible import describe, direction, visible
from tests import hostile
from tests.counts import examples

UNITS = pytest.mark.parametrize("unit", ["word", "character"])


@UNITS
@given(before=hostile.texts, after=hostile.texts)
def test_the_spans_of_a_diff_spell_both_texts(unit, before, after):
    spans = diff(before, after, unit)
    assert "".join(span.before for span in spans) == before
    assert "".join(span.after for span in spans) == after


@UNITS
@given(before=hostile.texts, after=hostile.texts)
def test_every_span_is_what_it_says(unit, before, after):
    for span in diff(before, after, unit):
        expected = {
            "equal": span.before == span.after != "",
            "insert": span.before == "" != span.after,
            "delete": span.after == "" != span.before,
            "replace": "" not in (span.before, span.after),
        }
        assert expected[span.change], span


@given(hostile.texts)
def test_words_joined_are_the_text(text):
    assert "".join(words(text)) == text


CASES = [
    ("a word is added in front", "Tour Eiffel", "la Tour Eiffel", "word", [("insert", "", "la "), ("equal", "Tour Eiffel", "Tour Eiffel")]),
    ("unrelated words differ as a whole", "Marseille", "Lyon", "character", [("replace", "Marseille", "Lyon")]),
    ("like words differ by letter", "colour", "color", "character", [("equal", "colo", "colo"), ("delete", "u", ""), ("equal", "r", "r")]),
    ("an accent alone differs", "cafe", "cafe\u0301", "character", [("equal", "cafe", "cafe"), ("insert", "", "\u0301")]),
    ("a space between two changes belongs to them", "red dog", "big cat", "word", [("replace", "red dog", "big cat")]),
    ("Chinese is cut by character", "6300公里", "约6300公里", "word", [("insert", "", "约"), ("equal", "6300公里", "6300公里")]),
    ("an invisible character differs", "New York", "New\u200b York", "word", [("equal", "New", "New"), ("insert", "", "\u200b"), ("equal", " York", " York")]),
    ("nothing against nothing", "", "", "word", []),
    ("nothing against something", "", "x", "word", [("insert", "", "x")]),
]


@pytest.mark.parametrize(("before", "after", "unit", "spans"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_diff(before, after, unit, spans):
    assert list(diff(before, after, unit)) == [Span(*span) for span in spans]


@UNITS
def test_long_texts_take_the_coarse_way_and_still_spell_both(unit, monkeypatch):
    monkeypatch.setattr(diff_module, "MAX_CELLS", 4)
    spans = diff("same aaa bbb ccc same", "same ddd eee fff same", unit)
    assert [span.change for span in spans] == ["equal", "replace", "equal"]


def test_20000_characters_differ_within_the_size_cap():
    before, after = "ab cd, ef. " * 1820, "ba dc; fe! " * 1820
    assert "".join(span.after for span in diff(before, after, "character")) == after


@given(st.lists(st.integers(0, 3), max_size=12), st.lists(st.integers(0, 3), max_size=12))
def test_blocks_cover_both_sequences_in_order(before, after):
    found = blocks(before, after)
    assert [x for block in found for x in range(block.start, block.end)] == list(range(len(before)))
    assert [x for block in found for x in range(block.new_start, block.new_end)] == list(range(len(after)))
    assert all(before[block.start : block.end] == after[block.new_start : block.new_end] for block in found if block.change == "equal")


@pytest.mark.parametrize(
    ("character", "label", "kind"),
    [
        ("\u00a0", "NBSP", "space"),
        ("\u3000", "IDSP", "space"),
        ("\u2001", "U+2001", "space"),
        ("\u200b", "ZWSP", "control"),
        ("\ufeff", "BOM", "control"),
        ("\t", "TAB", "control"),
        ("\x00", "NUL", "control"),
        ("\x01", "U+0001", "control"),
        ("\u200f", "RLM", "bidi"),
        ("\u202e", "RLO", "bidi"),
        ("\u0301", "◌\u0301", "combining"),
        ("\ud800", "U+D800", "surrogate"),
        ("\u3164", "HF", "control"),
    ],
)
def test_invisible_characters_have_a_name(character, label, kind):
    shown = visible(character)
    assert shown is not None
    assert (shown.label, shown.kind) == (label, kind)
    assert shown.name.startswith(f"U+{ord(character):04X} ")


@pytest.mark.parametrize("character", [*"aZ0.中نא", " ", "é", "🙂", "\u093e"])
def test_what_can_be_seen_has_none(character):
    assert visible(character) is None


def test_unnamed_characters_are_described_too():
    assert describe("\x00") == "U+0000 control NUL"
    assert describe("\ud800") == "U+D800 lone surrogate"
    assert describe("\U000e0fff").endswith("unassigned")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "ltr"),
        ("12.5", "ltr"),
        ("Paris", "ltr"),
        ("القاهرة", "rtl"),
        ("שלום", "rtl"),
        ("Answer: نجيب محفوظ", "rtl"),
        ("The word القاهرة means the victorious", "ltr"),
        ("aب", "ltr"),
    ],
)
def test_direction_is_that_of_most_letters(text, expected):
    assert direction(text) == expected


STEPS = [
    ("lower",),
    ("casefold",),
    ("normalize_unicode", "NFKC"),
    ("normalize_unicode", "NFD"),
    ("delete_punctuation",),
    ("space_out_punctuation",),
    ("drop_articles",),
    ("squeeze_whitespace",),
    ("remove_whitespace",),
    ("strip_accents",),
]


def _pipeline(chosen):
    made = [evalcore.step(name, form=rest[0]) if rest else evalcore.step(name) for name, *rest in chosen]
    return Pipeline(tuple(made))


@settings(max_examples=examples(200))
@given(hostile.texts, st.lists(st.sampled_from(STEPS), max_size=6))
def test_attribution_covers_the_raw_text_and_agrees_with_the_trace(text, chosen):
    trace = _pipeline(chosen).trace(text)
    fates, (starts, ends) = attribute(trace)
    assert "".join(text[fate.start : fate.end] for fate in fates) == text
    assert len(starts) == len(ends) == len(trace.result)
    for position, (start, end) in enumerate(zip(starts, ends, strict=True)):
        first, last = trace.origin(position, position + 1)
        assert first <= start <= end <= last
    for fate in fates:
        if fate.stage is None:
            assert not fate.removed
        else:
            assert trace.stages[fate.stage].changed


@given(hostile.texts, st.lists(st.sampled_from(STEPS), max_size=6))
def test_untouched_characters_reach_the_result_as_they_are(text, chosen):
    trace = _pipeline(chosen).trace(text)
    fates, (starts, ends) = attribute(trace)
    arrived = {start: trace.result[position] for position, (start, end) in enumerate(zip(starts, ends, strict=True)) if end == start + 1}
    for fate in fates:
        if fate.stage is None:
            assert all(arrived[index] == text[index] for index in range(fate.start, fate.end))


def _told(trace):
    return [
        (trace.raw[fate.start : fate.end], "" if fate.stage is None else trace.stages[fate.stage].step.name, fate.removed) for fate in attribute(trace).fates
    ]


def test_a_removed_word_belongs_to_the_step_that_removed_it():
    assert _told(evalcore.trace("The Treaty\u00a0of")) == [
        ("The", "drop_articles", True),
        (" ", "squeeze_whitespace", True),
        ("T", "lower", False),
        ("reaty", "", False),
        ("\u00a0", "squeeze_whitespace", False),
        ("of", "", False),
    ]


def test_of_a_run_of_spaces_only_the_surplus_is_removed():
    assert _told(evalcore.trace("a b  c".replace("a ", "x "))) == [("x b ", "", False), (" ", "squeeze_whitespace", True), ("c", "", False)]


def _traces(prediction, reference, preset):
    """Trace both sides; leave out texts that a step of the preset cannot finish on."""
    try:
        return preset.pipeline.on("prediction").trace(prediction), preset.pipeline.on("reference").trace(reference)
    except StepFailed:
        reject()


@settings(max_examples=examples(150))
@given(hostile.texts, hostile.texts, st.sampled_from(evalcore.presets()))
def test_wording_spells_the_raw_prediction(prediction, reference, preset):
    ours, theirs = _traces(prediction, reference, preset)
    pieces = wording(ours, theirs, preset)
    assert "".join(piece.text for piece in pieces if piece.role != "lost") == prediction
    assert all(piece.text in reference for piece in pieces if piece.role == "lost")


@given(hostile.texts, hostile.texts)
def test_wording_has_no_difference_exactly_when_the_tokens_agree(prediction, reference):
    preset = evalcore.preset("squad_v1")
    ours, theirs = preset.pipeline.trace(prediction), preset.pipeline.trace(reference)
    differs = any(piece.role in ("added", "lost") for piece in wording(ours, theirs, preset))
    assert differs == (ours.result.split() != theirs.result.split())


@settings(max_examples=examples(150))
@given(hostile.texts, hostile.texts, st.sampled_from(evalcore.presets()))
def test_side_by_side_spells_both_raw_texts(prediction, reference, preset):
    ours, theirs = _traces(prediction, reference, preset)
    left, right = side_by_side(ours, theirs, preset)
    assert "".join(piece.text for piece in left) == prediction
    assert "".join(piece.text for piece in right) == reference
    assert not any(piece.role == "lost" for piece in left)
    assert not any(piece.role == "added" for piece in right)


def test_both_sides_agree_on_the_word_that_moved():
    steps = evalcore.preset("squad_v1").pipeline
    left, right = side_by_side(steps.trace("Curie, Marie"), steps.trace("Marie Curie"), evalcore.preset("squad_v1"))
    assert [piece for piece in left if piece.role == "added"] == [Piece("added", "Curie")]
    assert [piece for piece in right if piece.role == "lost"] == [Piece("lost", "Curie")]
