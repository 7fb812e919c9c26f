"""The frame: state, links, shelves, safety of what is shown."""

import json

import pytest

import evalcore
from evalcore.analysis.selection import Selection
from evalcore.data import load
from evalcore.data import sample as load_sample
from pages.ui import links
from pages.ui.click import as_typed, esc, sendable
from pages.ui.store import Run, Shelf, content_key, nbytes
from pages.ui.tables import Markup, count, table, text
from tests import pages
from tests.app import PAGES, html, page, press, query, sample, upload

ROW = b'{"id": "1", "prediction": "the x", "answers": ["x"]}\n{"id": "2", "prediction": "y", "answers": ["z"]}\n'


@pytest.mark.parametrize("name", [name for name in PAGES if name != "Home"])
def test_without_a_run_every_page_shows_one_hint(name: str) -> None:
    at = page(name)
    assert not at.exception
    assert html(at).count("Nothing is loaded yet") == 1


@pytest.mark.parametrize("name", PAGES)
def test_a_link_opened_first_shows_the_sample(name: str) -> None:
    at = sample(name)
    assert not at.exception
    assert "sample.jsonl · bruno" in html(at)
    assert query(at)["run"] == "sample-bruno"


@pytest.mark.parametrize("name", [name for name in PAGES if name != "Home"])
def test_every_page_with_numbers_shows_the_signature(name: str) -> None:
    assert sample(name).code[0].value == evalcore.preset("squad_v1").signature


def test_settings_and_filter_of_a_link_are_in_force() -> None:
    changed = evalcore.preset("squad_v1").with_steps([]).with_rules(missing="wrong")
    at = sample("Overview", **links.to_query(None, changed, None, Selection(text="paris"), None))
    assert at.code[0].value == changed.signature
    assert "text has “paris”" in html(at)
    assert "changed: 5" in html(at)


@pytest.mark.parametrize("text", ["na_prob (1).csv", "Delete punctuation: ascii", "v1.2-rc", "straße_中_文.json", "Drop articles: en (prediction only)"])
def test_a_label_without_markup_is_written_as_it_is(text: str) -> None:
    """Streamlit takes the label as written for the name that screen readers read out."""
    assert as_typed(text) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("__init__.py", r"\_\_init\_\_.py"),
        ("a__b", r"a\_\_b"),
        ("_a_ *b* `c`", r"\_a\_ \*b\* \`c\`"),
        ("a -- b", r"a \-\- b"),
        ("---", r"\-\-\-"),
        (":red[x] :smile: y", r"\:red\[x\] \:smile\: y"),
        ("a:b: c", r"a\:b\: c"),
        ("$x$ <b> &lt; [a](b)", r"\$x\$ \<b\> \&lt; \[a\](b)"),
        (r"\d+.", r"\\d\+\."),
        ("1. x", r"1\. x"),
    ],
)
def test_a_label_with_markup_is_escaped(text: str, written: str) -> None:
    assert as_typed(text) == written


def test_the_switches_of_steps_have_names_without_backslashes() -> None:
    labels = [toggle.label for toggle in sample("Normalization").toggle]
    assert "2. Delete punctuation: ascii" in labels
    assert not [label for label in labels if "\\" in label]


def test_links_round_trip() -> None:
    changed = evalcore.preset("squad_v2").with_steps(list(evalcore.preset("squad_v2").pipeline)[1:])
    pinned = evalcore.preset("raw")
    written = links.to_query(None, changed, pinned, Selection(buckets=("near_miss",), near=0.7), 3)
    assert links.settings_of(written) == changed
    assert links.pinned_of(written) == pinned
    assert links.selection_of(written) == Selection(buckets=("near_miss",), near=0.7)
    assert written["item"] == "3"


@pytest.mark.parametrize(
    "wrong",
    [
        {"preset": "no_such"},
        {"preset": "squad_v1", "steps": "{"},
        {"preset": "squad_v1", "steps": '{"steps": [{"step": "no_such"}]}'},
        {"preset": "squad_v1", "steps": '{"steps": 3}'},
        {"show": "["},
        {"show": '{"buckets": ["x"]}'},
        {"item": "-1"},
        {"item": "999999"},
        {"item": "²"},
    ],
)
def test_a_link_with_a_wrong_part_opens_without_it(wrong: dict[str, str]) -> None:
    at = sample("Overview", **wrong)
    assert not at.exception
    assert at.code[0].value == evalcore.preset("squad_v1").signature


def test_a_link_to_an_upload_opens_in_another_session_by_its_token() -> None:
    at = press(upload(page("Home"), ("mine.jsonl", ROW)), "Score 2 items")
    written = query(at)
    assert len(written["run"]) >= 20
    other = page("Overview", **written)
    assert "<b>mine.jsonl</b>" in html(other)
    assert "1 of 2 exact" in html(other)


def test_a_link_whose_upload_is_gone_names_the_file() -> None:
    at = page("Overview", run="gone", file="<b>my $file$.json", preset="squad_v1")
    assert not at.exception
    assert "“&lt;b&gt;my $file$.json”" in html(at)
    assert "Load the file again" in html(at)


def test_equal_content_is_one_run() -> None:
    at = upload(page("Home"), ("mine.jsonl", ROW))
    at = press(at, "Score 2 items")
    at.switch_page("app.py").run()
    at = press(at, "Score 2 items")
    assert html(at).count("<b>mine.jsonl</b>") == 1


def test_content_key_tells_every_column_apart() -> None:
    anna, bruno = load_sample().datasets
    assert content_key(anna) == content_key(load_sample().datasets[0])
    assert content_key(anna) != content_key(bruno)
    assert content_key(anna) != content_key(anna.take(range(1, len(anna))))
    assert content_key(anna.take(range(3, 9))) == content_key(anna.take(range(3, 9)))


def test_title_of_a_run_names_the_system_where_it_adds_something() -> None:
    loaded = load(ROW, "mine.jsonl")
    run = Run("k", "t", "mine.jsonl", "mine", loaded.datasets[0], loaded.report)
    assert run.title == "mine.jsonl"
    assert Run("k", "t", "mine.jsonl", "fid", loaded.datasets[0], loaded.report).title == "mine.jsonl · fid"
    assert nbytes(loaded.datasets[0]) > 0


def test_shelf_is_bounded_in_number_bytes_and_time() -> None:
    now = [0.0]
    shelf: Shelf[str] = Shelf(3, 100, seconds=60, clock=lambda: now[0])
    for key in "abcd":
        shelf.put(key, key, 10)
    assert shelf.get("a") is None
    assert shelf.get("b") == "b"
    shelf.put("large", "large", 95)
    assert shelf.get("large") == "large"
    assert shelf.get("d") is None
    now[0] = 59.0
    assert shelf.get("large") == "large"
    now[0] = 118.0
    assert shelf.get("large") == "large"
    now[0] = 179.0
    assert shelf.get("large") is None


def test_shelf_keeps_the_last_values_however_large() -> None:
    shelf: Shelf[str] = Shelf(10, 100, least=2)
    for key in "abc":
        shelf.put(key, key, 1_000)
    assert [shelf.get(key) for key in "abc"] == [None, "b", "c"]


def test_markup_is_kept_and_everything_else_escaped() -> None:
    shown = table(["<i>"], [["<b>", Markup("<u>kept</u>"), 1234567, None]], caption='"&', label='"')
    assert "&lt;i&gt;" in shown
    assert "&lt;b&gt;" in shown
    assert "<u>kept</u>" in shown
    assert "1,234,567" in shown
    assert "&quot;&amp;" in shown


def test_counts_open_something_unless_they_are_zero() -> None:
    assert "data-go" not in count(0, "Failures?x=1")
    assert 'data-go="Failures?a=1&amp;b=2"' in count(5, "Failures?a=1&b=2")


def test_texts_say_when_there_is_none() -> None:
    assert "none" in text(None)
    assert "empty" in text("")
    assert ">xxxxxxxxx…<" in text("x" * 500, 10)


@pytest.mark.parametrize("hostile", ["\ud800", "a\0b", '"><script>', "\udfff\ud800", "ok 😀"])
def test_escaped_texts_can_be_sent(hostile: str) -> None:
    assert esc(hostile).encode("utf-8")
    assert "<" not in esc(hostile)
    assert '"' not in esc(hostile)
    assert "\0" not in sendable(hostile)


def test_page_names_are_checked() -> None:
    assert links.page_file("Overview") == "pages/1_Overview.py"
    with pytest.raises(evalcore.UnknownName, match="Overview"):
        links.page_file("Overviews")


@pytest.mark.parametrize("name", PAGES)
def test_no_page_sends_more_than_a_megabyte(name: str) -> None:
    at = sample(name)
    assert len(html(at)) < 1_000_000


def test_selection_of_rows_falls_with_the_run_it_was_made_on() -> None:
    at = sample("Overview", show=json.dumps({"rows": "0-3", "label": "lost by <b>"}))
    assert "lost by &lt;b&gt;" in html(at)


@pytest.mark.parametrize(
    ("kind", "key", "value", "pages_with_it"),
    [
        ("text_input", "keep:judge author", "Ada", ("Inspect", "Judge")),
        ("text_input", "keep:presets words", "hotpot", ("Home", "Normalization")),
        ("selectbox", "keep:presets language", "zh", ("Home", "Normalization")),
    ],
)
def test_what_is_typed_in_a_box_that_several_pages_have_stays(kind: str, key: str, value: str, pages_with_it: tuple[str, str]) -> None:
    at = sample(pages_with_it[0])
    getattr(at, kind)(key=key).set_value(value).run()
    for name in (pages_with_it[1], "Overview", pages_with_it[0], pages_with_it[1]):
        at.switch_page(PAGES[name])
        for _ in range(2):
            at.run()
            assert not at.exception
            assert name == "Overview" or getattr(at, kind)(key=key).value == value


@pytest.mark.parametrize("name", PAGES)
def test_no_character_of_a_file_turns_a_line_around_unseen(name: str) -> None:
    over, back = "\u202e", "\u202c"
    items = []
    for number in range(40):
        text = f"{over}word{number % 3}{back}"
        items.append({"id": f"{text}{number}", "prediction": f"{text} more", "references": [text], "question": text, "context": f"{text}.", "kind": text})
    at = pages.fine(page(name, run=pages.kept(items)))
    if name == "Overview":
        pages.fine(at.selectbox(key="keep:slices way").set_value("kind").run())
    shown = html(at)
    assert over not in shown
    assert back not in shown
    assert ("RLO</span>word" in shown) == (name in ("Home", "Overview", "Failures", "Inspect", "Judge"))
