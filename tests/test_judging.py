"""Verdicts are kept, found again by content, and never lost; on SQLite and on a real PostgreSQL."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import inspect

from evalcore.analysis.verdicts import NONE, column_verdicts, consensus, label_columns, merged
from evalcore.dataset import Dataset, References
from evalcore.judging import Judgement, Store, StoreError, judgement_of
from evalcore.judging.files import add_file, to_csv, to_jsonl
from evalcore.judging.judgement import item_key
from evalcore.judging.schema import JUDGEMENTS, MIGRATIONS
from evalcore.judging.store import default_url
from evalcore.text.columns import Texts
from evalcore.text.names import UnknownName

ROOT = Path(__file__).parent.parent
HOSTILE = ["", "=1+1", "'=x", "null", "'null", 'json:"x"', "a\0b", "\ud800", "\u202e\u200b", "naïve 北京 🎉", "line\r\nbreak"]
HOSTILE += ["'; DROP TABLE whymiss_judgements; --"]


@pytest.fixture
def store(judgements_url):
    store = Store.open(judgements_url)
    yield store
    store.close()


def dataset(predictions, references=None, questions=None, ids=None, system="anna"):
    references = references or [["gold"]] * len(predictions)
    return Dataset(
        Texts.of(ids or [str(number) for number in range(len(predictions))]),
        Texts.of(predictions),
        References.of(references),
        questions=None if questions is None else Texts.of(questions),
        system=system,
    )


def test_a_verdict_comes_back_as_it_was(store):
    judgement = judgement_of(dataset(["a"], questions=["who?"]), 0, "right", author="ann", tag="other form", note="short", signature="squad_v1|…")
    assert store.add(judgement) == 1
    assert store.history() == (judgement,)


def test_texts_of_every_kind_come_back_as_they_were(store):
    made = [judgement_of(dataset([text], [[text]], [text]), 0, "wrong", author=text, tag=text, note=text) for text in HOSTILE]
    store.add(*made)
    assert store.history() == tuple(made)


def test_a_reloaded_file_finds_its_verdicts_whatever_ids_and_order(store):
    first = dataset(["a", "b", None, ""])
    store.add(*(judgement_of(first, row, verdict) for row, verdict in enumerate(["right", "wrong", "unsure", "reference_wrong"])))
    again = dataset(["", "new", "b", None, "a"], ids=list("vwxyz"), system="other")
    assert store.judged(again).codes.tolist() == [3, -1, 0, 2, 1]


def test_the_latest_verdict_of_an_author_is_in_force_and_all_are_kept(store):
    data = dataset(["a"])
    for verdict in ("wrong", "right"):
        store.add(judgement_of(data, 0, verdict, author="ann"))
    store.add(judgement_of(data, 0, "unsure", author="ben"))
    found = store.judged(data)
    assert {judgement.author: judgement.verdict for judgement in found.by_row[0]} == {"ann": "right", "ben": "unsure"}
    assert found.of(0, "ann").verdict == "right"
    assert found.of(0, "cid") is None
    assert store.count() == len(store.history()) == 3
    assert found.by_author == {"ann": {0: 1}, "ben": {0: 2}}
    assert found.codes.tolist() == [2]


def test_tags_in_force_are_counted(store):
    data = dataset(["a", "b"])
    store.add(*(judgement_of(data, row, "wrong", tag=tag) for row, tag in ((0, "mine"), (0, "wrong answer"), (1, "wrong answer"))))
    assert store.judged(data).tags == {"wrong answer": 2}


def test_the_verdicts_of_people_go_before_those_of_a_column():
    first, second = (np.array(codes, dtype=np.int8) for codes in ([NONE, 1, 3], [0, 0, 0]))
    assert merged(first, second).tolist() == [0, 1, 3]


def test_a_withdrawn_verdict_is_not_in_force(store):
    data = dataset(["a"])
    given_verdict = judgement_of(data, 0, "right", author="ann")
    store.add(given_verdict, given_verdict.revised(verdict=None))
    assert store.judged(data).by_row == {}
    assert store.judged(data).codes.tolist() == [NONE]
    assert [judgement.verdict for judgement in store.history()] == ["right", None]


def test_a_verdict_outlives_an_addition_to_the_references_but_a_complaint_about_them_does_not(store):
    before = dataset(["a", "b"], [["x"], ["y"]], ["q1", "q2"])
    store.add(judgement_of(before, 0, "right"), judgement_of(before, 1, "reference_wrong"))
    assert store.judged(dataset(["a", "b"], [["x", "a"], ["z"]], ["q1", "q2"])).codes.tolist() == [1, -1]
    assert store.judged(dataset(["a", "b"], [["x", "a"], ["z"]])).codes.tolist() == [-1, -1]


KEYS = [
    ((None, None, "a", ["b"]), (None, None, "b", ["a"])),
    (("", None, "a", []), (None, None, "a", [])),
    ((None, "", "a", []), (None, None, "a", [])),
    ((None, None, "", []), (None, None, None, [])),
    ((None, None, "a", ["b", "c"]), (None, None, "a", ["bc"])),
    (("ab", None, "c", []), ("a", None, "bc", [])),
]


@pytest.mark.parametrize(("first", "second"), KEYS)
def test_different_items_have_different_keys(first, second):
    assert item_key(*first).item != item_key(*second).item


def test_a_judgement_must_say_a_verdict_there_is_and_a_time_with_a_zone():
    with pytest.raises(UnknownName, match="right"):
        Judgement("k", "k", "rigth")
    with pytest.raises(ValueError, match="zone"):
        Judgement("k", "k", "right", at=datetime(2026, 1, 1))


def test_adding_twice_keeps_one(store):
    judgement = judgement_of(dataset(["a"]), 0, "right")
    assert (store.add(judgement), store.add(judgement, judgement), store.count()) == (1, 0, 1)


def test_thousands_are_added_at_once_or_not_at_all(store):
    data = dataset([str(number) for number in range(1200)])
    many = [judgement_of(data, row, "right") for row in range(1200)]
    assert store.add(*many) == 1200
    broken = replace(many[0], id="x" * 32, author=None)
    fresh = [judgement.revised(verdict="wrong") for judgement in many]
    with pytest.raises(StoreError, match="could not be kept"):
        store.add(*fresh, broken)
    assert store.count() == 1200


@pytest.mark.parametrize("write", [to_jsonl, to_csv])
def test_an_export_imports_elsewhere_unchanged_and_only_once(store, write, tmp_path):
    made = [judgement_of(dataset([text], [[text, "x"]], [text or None]), 0, "right", author=text, note=text) for text in HOSTILE]
    made += [judgement_of(dataset([None]), 0, None)]
    store.add(*made)
    other = Store.open(f"sqlite:///{tmp_path / 'other.sqlite'}")
    content = write(store.history())
    first, second = add_file(other, content), add_file(other, content)
    assert (first.added, first.known, first.unreadable) == (len(made), 0, 0)
    assert (second.added, second.known) == (0, len(made))
    assert other.history() == store.history()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.text(), st.one_of(st.none(), st.text()))
def test_any_text_survives_the_files(text, question):
    judgement = judgement_of(dataset([text], [[text]], [question]), 0, "right", author=text, note=text)
    store = Store.open("sqlite://")
    for write in (to_jsonl, to_csv):
        add_file(store, write([judgement]))
    assert store.history() == (judgement,)
    store.close()


BAD_LINES = [
    ("{", "line 2"),
    ("[]", "an object is needed"),
    ('{"verdict": "right"}', "'item_key' is missing"),
    ('{"item_key": "k", "verdict": "rigth"}', "no verdict named 'rigth'"),
    ('{"item_key": 3, "verdict": "right"}', "item_key is 3"),
    ('{"item_key": "k", "verdict": "right", "at": "yesterday"}', "yesterday"),
    ('{"item_key": "k", "verdict": 3}', "verdict is 3"),
    ('{"item_key": "k", "verdict": "right", "references": "abc"}', "a list of texts is needed"),
    ('{"item_key": "k", "verdict": "right", "question": 3}', "question is 3"),
    ('{"item_key": "k", "verdict": "right", "note": null}', "note is None"),
    ('{"item_key": "' + "k" * 65 + '", "verdict": "right"}', "1 to 64 plain letters"),
    ('{"item_key": "k", "verdict": "right", "id": "a\\u0000"}', "1 to 32 plain letters"),
]


@pytest.mark.parametrize(("line", "said"), BAD_LINES)
def test_a_line_that_is_no_judgement_is_named_and_the_others_are_added(store, line, said):
    good = to_jsonl([judgement_of(dataset(["a"]), 0, "right")]).decode()
    found = add_file(store, f"{good}{line}\n{good}".encode())
    assert (found.added, found.known, found.unreadable) == (1, 1, 1)
    assert said in found.problems[0]
    assert found.problems[0].startswith("line 2")


def test_a_file_of_another_kind_adds_nothing(store):
    assert add_file(store, b"a,b\n1,2\n").unreadable == 1
    with pytest.raises(StoreError, match="neither JSONL nor CSV"):
        add_file(store, b"\xff\xfe\x00")
    assert store.count() == 0


def test_two_people_in_one_process_lose_nothing(store):
    data = dataset([str(number) for number in range(25)])

    def judge(author):
        for row in range(25):
            store.add(judgement_of(data, row, "right", author=author))

    with ThreadPoolExecutor(4) as people:
        list(people.map(judge, ["ann", "ben", "cid", "dan"]))
    found = store.judged(data)
    assert [len(found.by_row[row]) for row in range(25)] == [4] * 25


WRITER = """
import sys
from evalcore.dataset import Dataset
from evalcore.judging import Store, judgement_of
store, data = Store.open(sys.argv[1]), Dataset.of([str(n) for n in range(100)], [["x"]] * 100)
for row in range(100):
    store.add(judgement_of(data, row, "right", author=sys.argv[2]))
"""


def test_two_servers_that_start_and_write_at_once_lose_nothing(judgements_url):
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, judgements_url, name], cwd=ROOT, stderr=subprocess.PIPE) for name in ("ann", "ben")]
    for writer in writers:
        _, errors = writer.communicate()
        assert writer.returncode == 0, errors.decode()
    store = Store.open(judgements_url)
    assert store.count() == 200
    assert {judgement.author for judgement in store.history()} == {"ann", "ben"}
    store.close()


def _add_colour(connection):
    connection.exec_driver_sql("ALTER TABLE whymiss_judgements ADD COLUMN colour VARCHAR(8)")


def _break(connection):
    connection.exec_driver_sql("ALTER TABLE whymiss_judgements ADD COLUMN half VARCHAR(8)")
    connection.exec_driver_sql("ALTER TABLE no_such_table ADD COLUMN half VARCHAR(8)")


def test_an_older_database_is_brought_up_to_date_with_its_verdicts(store, judgements_url):
    judgement = judgement_of(dataset(["a"]), 0, "right")
    store.add(judgement)
    newer = Store.open(judgements_url, (*MIGRATIONS, _add_colour))
    assert newer.version == len(MIGRATIONS) + 1
    assert "colour" in {column["name"] for column in inspect(newer.engine).get_columns(JUDGEMENTS.name)}
    assert newer.history() == (judgement,)
    newer.close()


def test_a_migration_that_fails_changes_nothing(store, judgements_url):
    with pytest.raises(StoreError, match="could not be opened"):
        Store.open(judgements_url, (*MIGRATIONS, _break))
    assert "half" not in {column["name"] for column in inspect(store.engine).get_columns(JUDGEMENTS.name)}
    assert Store.open(judgements_url).version == len(MIGRATIONS)


def test_a_database_of_a_newer_program_is_not_touched(store, judgements_url):
    Store.open(judgements_url, (*MIGRATIONS, _add_colour)).close()
    with pytest.raises(StoreError, match="newer Whymiss"):
        Store.open(judgements_url)


BAD_URLS = [("nonsense", "no database URL"), ("mystery://x/y", "no database URL"), ("postgresql://nobody:secret@127.0.0.1:1/none", "could not be opened")]


@pytest.mark.parametrize(("bad", "said"), BAD_URLS)
def test_a_bad_url_is_explained_without_its_password(bad, said):
    if bad.startswith("postgresql"):
        pytest.importorskip("psycopg")
    with pytest.raises(StoreError, match=said) as refused:
        Store.open(bad)
    assert "secret" not in str(refused.value)


def test_a_file_that_is_no_database_is_explained_and_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("my notes " * 500, encoding="utf-8")
    with pytest.raises(StoreError, match="not a database"):
        Store.open(f"sqlite:///{path}")
    assert path.read_text(encoding="utf-8") == "my notes " * 500


def test_the_place_can_be_set(monkeypatch):
    monkeypatch.delenv("WHYMISS_JUDGEMENTS", raising=False)
    assert default_url().startswith("sqlite:///")
    monkeypatch.setenv("WHYMISS_JUDGEMENTS", "postgresql://db/judgements")
    assert default_url() == "postgresql://db/judgements"


LABELS = [("True", 1), ("false", 0), ("1", 1), ("0.0", 0), ("Correct", 1), ("unsure", 2), ("reference wrong", 3), ("nan", NONE), ("", NONE), (None, NONE)]


def test_a_column_of_labels_counts_as_verdicts():
    found = column_verdicts(Texts.of([label for label, _ in LABELS] + ["good"]))
    assert found.codes.tolist() == [code for _, code in LABELS] + [NONE]
    assert (found.absent, dict(found.unknown)) == (3, {"good": 1})
    assert column_verdicts(Texts.of(["good", "BAD"]), {"Good": "right", "bad": "wrong"}).codes.tolist() == [1, 0]


def test_label_columns_are_recognised():
    columns = {"judge": ["true", "false", "nan"], "year": ["1990", "1", "0"], "always": ["yes"] * 3, "empty": [None] * 3}
    assert label_columns({name: Texts.of(values) for name, values in columns.items()}) == ("judge",)


CONSENSUS = [([], None), (["right"], "right"), (["right", "wrong"], "unsure"), (["right", "wrong", "wrong"], "wrong"), (["unsure", "right"], "unsure")]


@pytest.mark.parametrize(("verdicts", "said"), CONSENSUS)
def test_several_judges_make_one_verdict(verdicts, said):
    assert consensus(verdicts) == said


def test_times_are_kept_in_utc(store):
    from datetime import timedelta, timezone

    local = datetime(2026, 3, 1, 1, 30, tzinfo=timezone(timedelta(hours=9)))
    store.add(replace(judgement_of(dataset(["a"]), 0, "right"), at=local))
    (kept,) = store.history()
    assert kept.at == local
    assert kept.at.tzinfo == UTC
    assert json.loads(to_jsonl([kept]))["at"] == "2026-02-28T16:30:00.000000+00:00"
