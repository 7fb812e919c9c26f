"""The HTML of strings: everything escaped, nothing lost, what cannot be seen is named."""

import re
from html import escape, unescape
from html.parser import HTMLParser

import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

import evalcore
from evalcore.analysis.wording import side_by_side, wording
from evalcore.text.rules import StepFailed
from pages.ui import marks, steptable
from tests import hostile
from tests.counts import examples
from tests.pages import TYPED

ALLOWED = {"span", "ins", "del", "mark", "details", "summary", "b", "small", "hr", "div", "table", "thead", "tbody", "tr", "th", "td", "caption"}
ATTRIBUTES = {"class", "tabindex", "data-tip", "data-go", "role", "aria-label", "title", "dir", "lang"}


class Reader(HTMLParser):
    """Read HTML back: its text, its tags, and whether they nest."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.tags, self.open, self.text, self.boxes = [], [], "", []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        assert tag in ALLOWED, tag
        assert set(found) <= ATTRIBUTES, found
        self.tags.append((tag, found))
        if tag == "hr":
            return
        box = "wm-inv" in (found.get("class") or "").split()
        note = tag == "summary"
        self.open.append((tag, box or note))
        if box:
            self.boxes.append(found["aria-label"])
            self.text += chr(int(found["aria-label"].split()[0][2:], 16))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        if not any(hidden for _, hidden in self.open):
            self.text += data


def read(html):
    reader = Reader(html)
    assert not reader.open
    return reader


@settings(max_examples=examples(200))
@given(hostile.texts)
@example("\n\n")
@example("a\nb\n")
def test_a_plain_text_reads_back_as_it_was(text):
    for shown in (marks.plain(text), marks.plain(text, "hover"), marks.folded(text)):
        assert read(shown).text == text
    assert read(marks.marked(text)).text == text.replace("\n", "\n\n")  # A line end is a mark and a line end.


@settings(max_examples=examples(150))
@given(hostile.texts, hostile.texts, st.sampled_from(["word", "character"]))
def test_both_sides_of_a_diff_read_back(before, after, unit):
    assert _flat(read(marks.compared(before, after, unit, "before")).text) == _flat(before)
    assert _flat(read(marks.compared(before, after, unit, "after")).text) == _flat(after)
    read(marks.compared(before, after, unit))


def _flat(text):
    return re.sub(r"\n+", "\n", text)


@settings(max_examples=examples(150))
@given(hostile.texts, st.sampled_from(evalcore.presets()))
def test_a_raw_text_with_its_steps_reads_back(text, preset):
    try:
        trace = preset.pipeline.on("prediction").trace(text)
    except StepFailed:
        reject()
    if text:
        assert _flat(read(marks.fated(trace)).text) == _flat(text)
    for stage in trace.stages:
        read(marks.touched(stage))


@settings(max_examples=examples(100))
@given(hostile.texts, hostile.texts)
def test_all_html_of_an_item_is_well_formed_and_free_of_foreign_tags(prediction, reference):
    found = evalcore.explain(prediction, [reference, prediction], "squad_v1")
    for view in steptable.UNITS:
        read(steptable.pair(found, view))
    read(steptable.steps(found))
    read(steptable.tokens(found))
    read(steptable.references(found, found.best))
    preset = evalcore.preset("squad_v1")
    read(marks.inline(wording(found.prediction, found.reference, preset)))
    for pieces in side_by_side(found.prediction, found.reference, preset):
        read(marks.beside(pieces))
    read(marks.answers(prediction, [reference]))


@pytest.mark.parametrize("text", TYPED)
def test_markup_shows_as_typed(text):
    found = evalcore.explain(text, [text + "!"], "raw")
    assert read(marks.plain(text)).text == text
    assert escape(text.split("\n")[0]) in unescape(steptable.pair(found, "None")).replace(text.split("\n")[0], escape(text.split("\n")[0]))
    assert "<script" not in steptable.pair(found, "Word") + steptable.steps(found) + steptable.tokens(found)


@pytest.mark.parametrize(
    ("character", "label"), [("\u00a0", "NBSP"), ("\u200b", "ZWSP"), ("\u202e", "RLO"), ("\t", "TAB"), ("\x00", "NUL"), ("\ud800", "U+D800"), ("\ufeff", "BOM")]
)
def test_what_cannot_be_seen_is_a_box_with_its_code_point(character, label):
    shown = marks.plain(f"a{character}b")
    assert f">{label}</span>" in shown
    assert read(shown).boxes == [marks.visible(character).name]
    assert character not in shown
    assert 'tabindex="0"' in shown
    shown.encode("utf-8")


def test_a_line_end_breaks_the_line_outside_marks_and_is_named_inside():
    assert marks.plain("a\nb") == "a\nb"
    assert ">LF</span>" in marks.marked("a\nb")


def test_a_combining_mark_is_boxed_only_where_it_is_cut_off_from_its_letter():
    assert "wm-inv" not in marks.plain("cafe\u0301")
    assert "wm-inv-combining" in marks.compared("cafe", "cafe\u0301", "character")


def test_spaces_alone_in_a_mark_show_as_dots():
    assert marks.marked("  ").count("wm-sp") == 2
    assert "wm-sp" not in marks.marked("a b")


@pytest.mark.parametrize(("text", "slash"), [(".", True), ("-", True), (").", True), ("abc", False), ("....", False)])
def test_short_runs_of_marks_are_slashed_instead_of_struck(text, slash):
    assert ("wm-slash" in marks.deletion(text)) is slash


def test_a_removed_word_is_marked_by_its_step_and_says_so():
    shown = marks.fated(evalcore.trace("The Cat"))
    assert 'data-tip="removed by Drop articles: en"' in shown
    assert 'aria-label="The, removed by Drop articles: en"' in shown
    assert 'data-tip="changed by Lower"' in shown


@pytest.mark.parametrize(
    ("prediction", "reference", "way"),
    [("Answer: نجيب", "نجيب محفوظ", "rtl"), ("Cairo", "القاهرة", "rtl"), ("القاهرة", "Cairo", "ltr"), ("القاهرة", "1969", "rtl"), ("Paris", "1969", "ltr")],
)
def test_a_pair_is_set_in_the_direction_of_its_reference(prediction, reference, way):
    assert marks.way_of(reference, prediction) == way
    shown = steptable.pair(evalcore.explain(prediction, [reference]), "Word")
    assert set(re.findall(r'class="wm-str wm-big" dir="(...)"', shown)) == {way}


@pytest.mark.parametrize(("text", "lang"), [("abc", ""), ("日本の", "ja"), ("北京", "zh"), ("서울", "ko"), ("القاهرة", "ar"), ("שלום", "he")])
def test_the_script_picks_the_font(text, lang):
    assert marks.language(text) == lang


def test_a_long_untouched_stretch_is_folded_and_kept_whole():
    text = "x" * 20_000
    shown = marks.folded(text)
    assert "… 19,820 characters …" in shown
    assert read(shown).text == text


def test_an_answer_of_20000_characters_has_a_bounded_number_of_marks():
    found = evalcore.explain("The Quick, brown fox. " * 900, ["fox"])
    shown = steptable.pair(found, "Word") + steptable.steps(found) + steptable.tokens(found)
    assert "more changes" in shown
    assert len(shown.encode()) < 700_000
    assert shown.count("data-tip") < 3000


@pytest.mark.parametrize(
    ("context", "texts", "marked"),
    [
        ("Paris is in France. Paris!", ["Paris"], ["Paris", "Paris"]),
        ("the Eiffel Tower in Paris", ["Eiffel", "Eiffel Tower"], ["Eiffel Tower"]),
        ("He is hers", ["he"], []),
        ("长江全长6300公里。", ["6300公里"], ["6300公里"]),
        ("anything", ["", " "], []),
    ],
)
def test_the_answers_are_marked_in_the_context(context, texts, marked):
    shown = marks.answers(context, texts)
    assert re.findall(r"<mark[^>]*>([^<]*)</mark>", shown) == marked
    assert read(shown).text == context


SUMS = [
    ("paris france", ["paris"], "squad_v1", ["P = 1/2 = 0.5", "R = 1/1 = 1", "F1 = 2·1/(2+1) = 0.667"]),
    ("a cat sat", ["cat sat mat"], "raw", ["P = 2/3 = 0.667", "R = 2/3 = 0.667", "F1 = 2·2/(3+3) = 0.667"]),
    ("x", ["y"], "squad_v1", ["P = 0/1 = 0", "F1 = 0", "No token in common"]),
    ("the", ["a"], "squad_v1", ["F1 = 0", "Both sides have no tokens", "(v1)"]),
    ("", [""], "trimmed", ["F1 = 1", "Both sides have no tokens", "(v2)"]),
    ("the", ["cat"], "squad_v1", ["F1 = 0", "The prediction has no tokens"]),
    ("cat", ["the"], "squad_v1", ["F1 = 0", "The reference has no tokens"]),
]


@pytest.mark.parametrize(("prediction", "references", "preset", "said"), SUMS)
def test_the_arithmetic_is_written_out(prediction, references, preset, said):
    text = read(steptable.tokens(evalcore.explain(prediction, references, preset))).text
    for part in said:
        assert part in text.replace("\xa0", " ")


def test_the_step_that_makes_both_sides_equal_is_named():
    text = read(steptable.steps(evalcore.explain("The Cat", ["cat"]))).text
    assert text.count("made equal by this step") == 1
    assert "still different" in text
    assert "1 step did nothing here" in steptable.steps(evalcore.explain("The Cat", ["cat"]))


def test_settings_without_steps_say_so():
    assert "no steps" in steptable.steps(evalcore.explain("a", ["b"], "raw"))


@pytest.mark.parametrize("preset", [preset for preset in evalcore.presets() if not preset.missing_resources], ids=lambda preset: preset.name)
def test_an_item_can_be_drawn_under_every_preset(preset):
    for prediction, references in (("The answer is 5.0 (five).", ["5", "the five"]), ("", [""]), ("北京是中国的首都", ["北京"]), ("x", [])):
        try:
            found = evalcore.explain(prediction, references, preset)
        except StepFailed:
            assert evalcore.score([prediction], [references], preset).unscored[0]
            continue
        shown = steptable.pair(found, "Word") + steptable.steps(found) + steptable.tokens(found) + steptable.references(found, found.best)
        assert "nan" not in re.sub(r"data-[a-z]+=\S+", "", shown)
        read(shown)


@pytest.mark.parametrize("preset", [preset for preset in evalcore.presets() if preset.has_f1], ids=lambda preset: preset.name)
def test_the_sum_ends_in_the_f1_of_the_reference_or_says_what_it_is(preset):
    found = evalcore.explain("it was built in 1889 by Eiffel", ["1889", "in 1889"], preset)
    text = read(steptable.tokens(found)).text
    scored = next(row.f1 for row in found.references if row.index == found.best)
    assert scored != scored or re.search(rf"(= |reference is ){scored:.3g}(?![0-9])", text), text
