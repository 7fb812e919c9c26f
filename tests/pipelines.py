"""Steps and pipelines at random, as hypothesis strategies."""

from hypothesis import strategies as st

from evalcore.text.catalogue import CATALOGUE, step
from evalcore.text.pipeline import Pipeline
from evalcore.text.steps import Entry, Parameter, Step

SAMPLES = {
    ("replace_aliases", "table"): [(), (("Berlin", "the capital"), ("Berlin", "go")), (("北京", "Peking"), ("Σ", "ΟΔΟΣ"), ("C++", "c plus"))],
    ("replace_pattern", "pattern"): ["", r"\s*\([^)]*\)", r"(\w+)-(\w+)", r"^", r"[aeiou]", r"\b"],
    ("replace_pattern", "replacement"): ["", " ", "x"],
    ("drop_words", "words"): [(), ("the", "of"), ("go",), ("ΟΔΟΣ", "a")],
    ("delete_punctuation", "keep"): ["", "-.", "$"],
    ("delete_punctuation", "add"): ["", "‘’", "aß"],
    ("space_out_punctuation", "keep"): ["", "-.", "$"],
    ("space_out_punctuation", "add"): ["", "‘’´`", "aß"],
    ("replace_characters", "characters"): ["", "_-", "0123456789", "aßİ"],
    ("replace_characters", "replacement"): ["", " ", "xy"],
    ("strip_characters", "characters"): ["", "\0", "。", " a"],
    ("cut_at_stops", "stops"): [(), ("\n", ".", ","), ("the",)],
}


EXTRACTION_SAMPLES = {
    ("replace_aliases", "table"): [(), (("Berlin", "the capital"), ("Berlin", "go")), (("北京", "Peking"), ("Σ", "ΟΔΟΣ"), ("C++", "c plus"))],
    ("take_after", "phrases"): [("answer:", "The answer is", "####", "答案是"), ("a",), ()],
    ("take_match", "pattern"): [r"#### (-?[0-9.,]+)", r"(?P<word>\w+) (\w*)", r"\d", "", r"()"],
    ("take_json_field", "path"): ["answer", "", "a.*", "0"],
    ("take_label", "labels"): [("yes", "no"), ("the", "THE end", "a"), ()],
    ("take_choice", "letters"): ["ABCD", "ABCDEFGHIJ", "TI"],
    ("take_match_in_turn", "patterns"): [(r"answer is (\w)", r"\b([A-J])\b"), (), ("",)],
    ("drop_thinking", "unclosed"): ["drop", "keep"],
    ("hendrycks_latex", "unreadable"): ["keep"],
    ("lemmatize", "language"): ["en", "de"],  # A language takes a moment to load.
}
SAMPLES.update(EXTRACTION_SAMPLES)
SAMPLES.update({(name, "nothing"): ["empty", "marker", "keep"] for name in CATALOGUE})  # Not `unscored`, which gives no text to compare.


def _values(entry: Entry, parameter: Parameter) -> st.SearchStrategy:
    if parameter.choices and (entry.name, parameter.name) not in SAMPLES:
        return st.sampled_from(parameter.choices)
    if parameter.kind == "flag":
        return st.booleans()
    return st.sampled_from(SAMPLES.get((entry.name, parameter.name), [parameter.default]))


def steps_of(entry: Entry) -> st.SearchStrategy[Step]:
    """Draw a step of one catalogue entry with random parameters."""
    return st.fixed_dictionaries({p.name: _values(entry, p) for p in entry.parameters}).map(lambda chosen: step(entry.name, **chosen))


steps = st.sampled_from(sorted(CATALOGUE)).flatmap(lambda name: steps_of(CATALOGUE[name]))
pipelines = st.lists(steps, max_size=6).map(lambda drawn: Pipeline(tuple(drawn)))
