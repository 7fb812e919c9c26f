"""A user's pattern is compiled, or refused with a reason; it never takes the machine."""

import json

import pytest

import evalcore
from evalcore.analysis.selection import Selection, SelectionError, apply
from evalcore.text import edits
from evalcore.text.expressions import PatternError, compile_expression

TOO_LARGE = ["a{99999999}", "((a{1000}){1000}){50}", "(?:ab){1,30000}", "[a-z]{20001}", "(a{,200}){200}", "\\d{99999999999999999999}", "a{1000}{1000}"]
FINE = ["a{3}", "(a{10}){10}", "[{9999999}]", "\\{99999999}", "x{", "[]{99999}]a", "a{,}", "(\\w+)-(\\w+)", "", "a|b{2}", "(?<!\\\\)\\b"]


@pytest.mark.parametrize("pattern", TOO_LARGE)
def test_repeats_that_unfold_to_too_much_are_refused_before_they_are_compiled(pattern):
    with pytest.raises(PatternError, match="unfold"):
        compile_expression(pattern)
    with pytest.raises(ValueError, match="cannot be used"):
        evalcore.step("replace_pattern", pattern=pattern)
    with pytest.raises(ValueError, match="cannot be used"):
        evalcore.step("take_match", pattern=pattern)


@pytest.mark.parametrize("pattern", ["(" * 3000 + ")" * 3000, "(?:" * 200 + "a" + ")*" * 200])
def test_deep_nesting_is_refused(pattern):
    with pytest.raises(PatternError, match="nested"):
        compile_expression(pattern)


def test_a_very_long_pattern_is_refused():
    with pytest.raises(PatternError, match="20,001 characters"):
        compile_expression("a" * 20_001)


@pytest.mark.parametrize("pattern", [r"(?r)\d+", r"\d+(?r)"])
@pytest.mark.parametrize("name", ["replace_pattern", "take_match"])
def test_a_search_from_the_end_is_refused(name, pattern):
    with pytest.raises(ValueError, match="searches from the end"):
        evalcore.step(name, pattern=pattern)


@pytest.mark.parametrize(
    ("replacement", "after"), [(r"\\1", r"x\1"), (r"\\g<2>", r"x\g<2>"), (r"[\g<0>]", "x[a]"), (r"\1", "xa"), (r"\g<letter>", "xa"), (r"\n", "x\n")]
)
@pytest.mark.parametrize("engine", ["re", "regex"])
def test_a_replacement_may_hold_backslashes_and_groups(replacement, after, engine):
    used = evalcore.step("replace_pattern", pattern="(?P<letter>a)", replacement=replacement, engine=engine)
    assert used.apply("xa") == after
    assert edits.apply("xa", used.edits("xa")) == after


@pytest.mark.parametrize("replacement", [r"\2", r"\g<2>", r"\g<other>", r"\g<²>", r"\\\2"])
def test_a_replacement_with_a_group_there_is_not_is_refused(replacement):
    with pytest.raises(ValueError, match=r"cannot be used.*there is no group"):
        evalcore.step("replace_pattern", pattern="(?P<letter>a)", replacement=replacement)


OWN = [
    ("replace_pattern", {"pattern": "(a|a)+$", "engine": "re"}),
    ("take_match", {"pattern": "(a|a)+$", "engine": "re"}),
    ("take_match_in_turn", {"patterns": ["answer is \\(?([A-J])\\)?", "(a|a)+$"], "engine": "re"}),
]


@pytest.mark.parametrize(("name", "parameters"), OWN, ids=[row[0] for row in OWN])
def test_settings_with_an_own_pattern_that_nothing_could_stop_are_refused(name, parameters):
    written = json.dumps({"steps": [{"step": name, "parameters": parameters}]})
    with pytest.raises(ValueError, match=f"{name}: the engine re has no time limit.*choose the engine regex"):
        evalcore.preset("raw").from_json(written)
    assert evalcore.preset("raw").from_json(written.replace('"re"', '"regex"')).pipeline.steps[0].name == name


@pytest.mark.parametrize("pattern", FINE)
@pytest.mark.parametrize("engine", ["re", "regex"])
def test_ordinary_patterns_compile(pattern, engine):
    assert compile_expression(pattern, engine).pattern == pattern


@pytest.mark.parametrize("pattern", [*TOO_LARGE, "(" * 3000 + ")" * 3000, "(", "[z-a]"])
def test_the_search_says_what_is_wrong(pattern):
    scores = evalcore.score(["a"], [["a"]])
    with pytest.raises(SelectionError, match="cannot be used"):
        apply(Selection(text=pattern, pattern=True), scores)
