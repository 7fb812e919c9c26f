"""A user's pattern is compiled, or refused with a reason; it never takes the machine."""

import pytest

import evalcore
from evalcore.analysis.selection import Selection, SelectionError, apply
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


@pytest.mark.parametrize("pattern", FINE)
@pytest.mark.parametrize("engine", ["re", "regex"])
def test_ordinary_patterns_compile(pattern, engine):
    assert compile_expression(pattern, engine).pattern == pattern


@pytest.mark.parametrize("pattern", [*TOO_LARGE, "(" * 3000 + ")" * 3000, "(", "[z-a]"])
def test_the_search_says_what_is_wrong(pattern):
    scores = evalcore.score(["a"], [["a"]])
    with pytest.raises(SelectionError, match="cannot be used"):
        apply(Selection(text=pattern, pattern=True), scores)
