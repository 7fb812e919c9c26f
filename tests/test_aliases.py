"""Alias tables: reading them, and the step that uses them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.scoring.presets import preset
from evalcore.scoring.score import score
from evalcore.text.aliases import AliasError, read_aliases, write_aliases
from evalcore.text.catalogue import step
from evalcore.text.edits import apply
from evalcore.text.pipeline import Pipeline
from tests.hostile import texts

TABLE = (("United States", "USA"), ("United States", "U.S."), ("北京", "Peking"), ("C++", "c plus plus"), ("New York", "NYC"))

REPLACED = [
    ("a whole word", "made in USA", "made in United States"),
    ("letter case aside", "in the usa", "in the United States"),
    ("an alias with marks", "the U.S. team", "the United States team"),
    ("CJK has no word ends", "in Peking", "in 北京"),
    ("several words", "I like C Plus Plus", "I like C++"),
    ("part of a word stays", "USAir", "USAir"),
    ("the name itself stays", "United States", "United States"),
    ("hyphens end words", "NYC-based", "New York-based"),
    ("no alias in it", "Rome", "Rome"),
]


@pytest.mark.parametrize(("label", "before", "after"), REPLACED, ids=[row[0] for row in REPLACED])
def test_aliases_are_replaced(label, before, after):
    used = step("replace_aliases", table=TABLE)
    assert used.apply(before) == after
    assert apply(before, used.edits(before)) == after


def test_the_longest_alias_wins():
    used = step("replace_aliases", table=(("A", "big apple"), ("B", "big apple pie")))
    assert used.apply("big apple pie and big apple") == "B and A"


def test_letter_case_can_count():
    used = step("replace_aliases", table=(("United States", "US"),), ignore_case=False)
    assert used.apply("US and us") == "United States and us"


def test_an_item_matches_through_its_alias():
    squad = preset("squad_v1")
    with_table = squad.with_steps([step("replace_aliases", table=TABLE), *squad.pipeline])
    assert score(["NYC"], [["New York"]], squad).em[0] == 0
    assert score(["NYC"], [["New York"]], with_table).em[0] == 1


def test_the_json_carries_the_table_and_the_signature_its_hash():
    pipeline = Pipeline((step("replace_aliases", table=TABLE),))
    carried = json.loads(pipeline.to_json())[0]["parameters"]["table"]
    assert carried == [list(row) for row in TABLE]
    assert Pipeline.from_json(pipeline.to_json()) == pipeline
    other = Pipeline((step("replace_aliases", table=TABLE[:-1]),))
    assert pipeline.signature != other.signature
    assert "United" not in pipeline.signature
    assert len(pipeline.signature) < 80


def test_a_table_in_json_must_be_pairs():
    with pytest.raises(ValueError, match="list of pairs"):
        Pipeline.from_list([{"step": "replace_aliases", "parameters": {"table": [["a"]]}}])


def test_a_step_refuses_a_table_that_contradicts_itself():
    with pytest.raises(AliasError, match="row 2: 'usa' stands for 'Canada'"):
        step("replace_aliases", table=(("United States", "USA"), ("Canada", "usa")))


def test_an_empty_cell_is_refused_in_settings_too():
    with pytest.raises(AliasError, match="row 1: 'x' and ''; both must be filled"):
        Pipeline.from_list([{"step": "replace_aliases", "parameters": {"table": [["x", ""]]}}])


@pytest.mark.parametrize(
    ("alias", "text"), [("Straße", "Straße"), ("Straße", "STRASSE"), ("strasse", "STRASSE"), ("İzmir", "İzmir"), ("ΟΔΟΣ", "οδος"), ("oﬃce", "oﬃce")]
)
def test_an_alias_is_found_as_it_is_spelled_where_folding_changes_its_length(alias, text):
    assert step("replace_aliases", table=(("Name", alias),)).apply(f"in {text}, so") == "in Name, so"


READ = [
    ("plain", "canonical,alias\nUnited States,USA\n", (("United States", "USA"),)),
    ("bom, quotes, blank line", '\ufeffcanonical,alias\n\n"Washington, D.C.",DC\n', (("Washington, D.C.", "DC"),)),
    ("same row twice", "canonical,alias\nA,b\nA,b\n", (("A", "b"),)),
    ("spaces around cells", "Canonical , Alias\n A , b \n", (("A", "b"),)),
]


@pytest.mark.parametrize(("label", "source", "table"), READ, ids=[row[0] for row in READ])
def test_tables_are_read(label, source, table):
    assert read_aliases(source) == table
    assert read_aliases(source.encode("utf-8")) == table


WRONG = [
    ("another header", "name,other\nA,b\n", "line 1 is 'name,other'; the header canonical,alias is needed"),
    ("no rows", "canonical,alias\n", "has no rows"),
    ("an empty cell", "canonical,alias\nA,\n", "line 2: 'A,' has 2 cells; two filled ones are needed"),
    ("three cells", "canonical,alias\nA,b,c\n", "line 2: 'A,b,c' has 3 cells"),
    ("one alias, two names", "canonical,alias\nA,x\nB,X\n", "line 3: 'X' stands for 'B', but for 'A' in line 2"),
    ("a name that is an alias", "canonical,alias\nA,x\nx,y\n", "line 3: the name 'x' is itself an alias of 'A' in line 2"),
]


@pytest.mark.parametrize(("label", "source", "message"), WRONG, ids=[row[0] for row in WRONG])
def test_conflicts_are_errors_with_lines(label, source, message):
    with pytest.raises(AliasError) as error:
        read_aliases(source)
    assert message in str(error.value)


def test_all_wrong_lines_are_reported_together():
    with pytest.raises(AliasError) as error:
        read_aliases("canonical,alias\n" + "A,\n" * 15)
    assert str(error.value).count("line ") == 10
    assert "and 5 more" in str(error.value)


@given(texts, st.lists(st.tuples(texts.filter(str.strip), texts.filter(str.strip)), max_size=4, unique_by=lambda row: row[1].casefold()))
def test_any_table_replays(text, rows):
    used = step("replace_aliases", table=tuple(rows))
    assert apply(text, used.edits(text)) == used.apply(text)


def test_a_written_table_is_read_again():
    assert read_aliases(write_aliases(TABLE)) == TABLE
