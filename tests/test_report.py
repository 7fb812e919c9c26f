"""Reports: the numbers of the run, every text as it is, in HTML, in Markdown, and from the command line."""

import json
import re
import shlex
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.analysis.aggregates import intervals
from evalcore.analysis.effect import signed
from evalcore.analysis.lanes import lanes
from evalcore.analysis.reasons.find import find_reasons
from evalcore.analysis.runs import cluster_labels
from evalcore.analysis.slices import by_column, slice_table
from evalcore.cli import main
from evalcore.data import sample
from evalcore.dataset import Dataset
from evalcore.report.charts import forest_svg, lanes_svg, readable
from evalcore.report.comparison import percent
from evalcore.report.document import Chosen, example_rows, report
from evalcore.report.html import as_html, shown
from evalcore.report.markdown import as_markdown, plain
from evalcore.scoring.buckets import BUCKETS, bucket_codes
from evalcore.scoring.statistics import wilson
from evalcore.text.catalogue import step
from evalcore.text.visible import visible
from tests.counts import examples
from tests.hostile import texts
from tests.pages import TYPED

HARMLESS = {
    "html",
    "head",
    "meta",
    "link",
    "title",
    "style",
    "body",
    "h1",
    "h2",
    "h3",
    "p",
    "section",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "ul",
    "ol",
    "li",
}
HARMLESS |= {"pre", "details", "summary", "figure", "svg", "rect", "line", "circle", "text", "g", "div", "span", "del", "ins"}


class Page(HTMLParser):
    """Reads a page: its elements, and its text as a reader sees it."""

    def __init__(self, content):
        super().__init__()
        self.tags, self.attributes, self.pieces, self.silent = [], [], [], 0
        self.feed(content.decode("utf-8"))

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        self.silent += tag == "style"

    def handle_endtag(self, tag):
        self.silent -= tag == "style"

    def handle_data(self, data):
        if not self.silent:
            self.pieces.append(data)

    @property
    def text(self):
        return "".join(self.pieces)


def scored(system=1, preset="squad_v1"):
    return evalcore.score(sample().datasets[system], preset=preset)


def full(scores, **changes):
    before = scored(0)
    return report(scores, Chosen(reasons=find_reasons(scores), comparison=evalcore.compare(before, scores), names=("anna", "bruno"), **changes))


def hostile_run():
    pairs = [(text, [other]) for text, other in zip(TYPED, TYPED[1:] + TYPED[:1], strict=True)] * 3
    ids = [f"{text}{number}" for number, (text, _) in enumerate(pairs)]
    data = Dataset.of([text for text, _ in pairs], [golds for _, golds in pairs], ids, **{TYPED[0]: [text for text, _ in pairs]})
    named = Dataset(**{**data.__dict__, "questions": data.predictions, "name": TYPED[0], "system": TYPED[2]})
    return evalcore.score(named)


def test_the_numbers_are_those_of_the_run():
    scores = scored()
    summary, page = scores.summary(), Page(as_html(full(scores)))
    for measure in ("em", "f1", "precision", "recall"):
        assert percent(getattr(summary, measure)) in page.text
    low, high = (percent(end) for end in (wilson(summary.exact, summary.scored).low, wilson(summary.exact, summary.scored).high))
    assert f"{low} to {high}" in page.text
    assert scores.signature in page.text
    for reason, number in summary.unscored.items():
        assert f"unscored: {reason}{number}" in page.text
    for count in find_reasons(scores).counts():
        assert f"{count.items}{percent(count.points)}" in page.text
    comparison = evalcore.compare(scored(0), scores)
    assert comparison.sentence in page.text
    for step_ in scores.preset.pipeline:
        assert step_.summary in page.text


def test_items_that_belong_together_are_drawn_together_everywhere_in_the_report():
    rows = [("cat" if number % 3 else "dog", f"d{number}") for number in range(40) for _ in range(4)]
    kinds = ["x"] * 100 + ["y"] * 60
    before, after = (
        evalcore.score(Dataset.of([answer if side else "cat" for answer, _ in rows], [["cat"]] * 160, page=[page for _, page in rows], kind=kinds))
        for side in range(2)
    )
    told = as_markdown(report(after, Chosen(clusters="page", slices=("kind",), comparison=evalcore.compare(before, after)))).decode()
    held = intervals(after, "page")["em"]
    group = slice_table(after, by_column("kind", after.dataset.metadata["kind"]), cluster_labels(after, "page"))[0]
    assert "bootstrap, 2000 resamples of 40 clusters, seed 20259; items of one page are drawn together" in told
    for interval in (held, group.em):
        assert f"{percent(interval.low)} to {percent(interval.high)}" in told
    effect = replace(evalcore.compare(before, after), clusters=cluster_labels(after, "page")).em
    assert f"{signed(effect.difference.low)} to {signed(effect.difference.high)}" in told
    assert "fewer than 20 items or clusters" in told
    with pytest.raises(ValueError, match="no column 'chapter'"):
        report(after, Chosen(clusters="chapter"))


def test_the_command_line_draws_clusters_and_refuses_a_column_there_is_not(tmp_path, capsys):
    file, out = tmp_path / "answers.jsonl", tmp_path / "report.md"
    rows = ({"id": str(number), "prediction": "a" if number % 8 > 3 else "b", "answers": ["a"], "page": f"d{number // 4}"} for number in range(120))
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert main(["report", str(file), "--markdown", str(out), "--cluster", "page"]) == 0
    assert "of 30 clusters" in out.read_text(encoding="utf-8")
    assert main(["report", str(file), "--markdown", str(out), "--cluster", "chapter"]) == 2
    assert "columns there are: page" in capsys.readouterr().err


def test_html_and_markdown_say_the_same_numbers():
    document = full(scored())
    html, markdown = Page(as_html(document)).text, as_markdown(document).decode()
    numbers = re.findall(r"\d+\.\d\d to \d+\.\d\d", markdown)
    assert len(numbers) > 20
    assert all(number in html for number in numbers)


def test_every_chart_is_there_and_holds_every_item():
    scores = scored()
    content = as_html(full(scores))
    page = Page(content)
    charts = 1 + len(re.findall(r"<h2>By ", content.decode()))
    assert page.tags.count("svg") == charts > 4
    counted = lanes(scores)
    drawn = [int(number.replace(",", "")) for number in re.findall(r"<title>[a-z ]+: ([\d,]+)</title>", lanes_svg(counted))]
    assert sum(drawn) == scores.summary().scored


def test_the_page_asks_for_nothing():
    content = as_html(full(scored())).decode()
    assert "default-src 'none'" in content.replace("&#x27;", "'")
    page = Page(content.encode())
    assert not {"script", "img", "iframe", "object", "form", "a"} & set(page.tags)
    assert "src" not in page.attributes
    assert re.findall(r"href=\"(.*?)\"", content) == ["data:,"]
    assert "url(" not in content
    assert "@import" not in content


def test_hostile_text_is_text_in_html():
    page = Page(as_html(report(hostile_run(), Chosen(examples=100))))
    assert set(page.tags) <= HARMLESS
    assert not [name for name in page.attributes if name.startswith("on")]
    for text in TYPED[:5]:
        assert text in page.text


@settings(max_examples=examples(60), deadline=None)
@given(texts)
def test_any_text_is_shown_as_it_is(text):
    page = Page(f"<p>{shown(text)}</p>".encode())
    assert set(page.tags) <= {"p", "span"}
    named = [None if letter == "\n" else visible(letter) for letter in text]
    assert page.text == "".join(letter if found is None or found.kind == "combining" else found.label for letter, found in zip(text, named, strict=True))
    assert not re.search("[\x00-\x1f\ud800-\udfff]", readable(text))


def test_hostile_text_is_text_in_markdown():
    content = as_markdown(report(hostile_run(), Chosen(examples=100))).decode()
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", re.sub(r"(?ms)^(`{3,})\w*\n.*?^\1$", "", content))
    for mark in ("<script", "![", "](", "$", "**", "~~", ":red", "onerror", "&lt;"):
        assert mark not in outside
    assert "<script>alert(1)</script>" in content


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("EM is 1 when both sides are equal.", "EM is 1 when both sides are equal."),
        ("22.17 to 38.44", "22.17 to 38.44"),
        ("**x**", "`**x**`"),
        ("<b>", "`<b>`"),
        ("http://example.invalid", "`http://example.invalid`"),
        ("1. x", "`1. x`"),
        ("# x", "`# x`"),
        ("a@b", "`a@b`"),
        ("a\nb", "`a\\u000ab`"),
        ("x|y", "`x|y`"),
    ],
)
def test_plain_marks_what_markdown_would_read(text, written):
    assert plain(text) == written


def test_examples_are_taken_from_every_cell():
    scores = scored()
    rows = example_rows(scores, 12)
    codes = bucket_codes(scores)
    assert len(rows) == len(set(rows)) == 12
    assert {BUCKETS[codes[row]] for row in rows} == {"near_miss", "partial", "miss", "empty_match"}
    assert example_rows(scores, 0) == ()
    assert len(example_rows(scores, 1000)) == int(np.isin(codes, [BUCKETS.index(name) for name in ("near_miss", "partial", "miss", "empty_match")]).sum())


def test_what_is_said_of_charts_stands_beside_charts_alone():
    document = report(scored())
    page, text = Page(as_html(document)).text, as_markdown(document).decode()
    for said in ("Upward the items that match", "Filled dots: EM and open dots: F1", "are pale"):
        assert said in page
        assert said not in text
    assert "Groups of fewer than 20 items say little." in text


def test_each_form_says_how_it_marks_a_difference():
    document = report(evalcore.score(["grey cat"], [["gray cat"]]))
    page, text = as_html(document).decode(), as_markdown(document).decode()
    assert "Struck out: only in the reference." in page
    assert "<del>" in page
    assert "<ins>" in page
    assert "`[-so-]`: only in the reference." in text
    assert "Struck" not in text
    assert "{+" in text.split("- difference:")[1]


@pytest.mark.parametrize("name", ["popqa", "longbench_qa_f1_zh", "quac", "raw"])
def test_presets_without_one_of_the_numbers_have_a_report(name):
    scores = scored(preset=name) if not evalcore.preset(name).missing_resources else pytest.skip(f"{name} needs a dictionary")
    html = Page(as_html(report(scores))).text
    assert not re.search(r"\bnan\b", html)
    assert as_markdown(report(scores))


def test_no_items_and_no_groups_have_a_report():
    for predictions, references in (([], []), ([None], [["x"]]), (["x"], [[]])):
        document = report(evalcore.score(predictions, references))
        assert b"nan" not in as_html(document)
        assert as_markdown(document)


def test_changed_settings_are_said_and_can_be_read_again():
    changed = evalcore.preset("squad_v1").with_steps([*evalcore.preset("squad_v1").pipeline, step("replace_characters", characters="\ud800<")])
    content = Page(as_html(report(evalcore.score(["a"], [["b"]], preset=changed)))).text
    assert "Changed: + Replace characters" in content
    found = json.loads(content[content.index('{\n "whymiss"') : content.index("\n}", content.index('{\n "whymiss"')) + 2])
    assert evalcore.preset("squad_v1").from_json(json.dumps(found)).signature == changed.signature


def test_a_forest_holds_what_its_rows_say():
    svg = forest_svg("x", [("<b>\u200b", wilson(3, 10), None, True), ("none", None, None, False)], "EM")
    assert "&lt;b&gt;[ZWSP]" in svg
    assert svg.count("<circle") == 1
    assert "30.00" in svg


def test_the_command_line_writes_a_report_and_a_script(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.jsonl").write_text(
        '{"id": "1", "prediction": "the cat", "references": ["cat"]}\n{"id": "2", "prediction": "dog", "references": ["cat"]}\n'
    )
    (tmp_path / "settings.json").write_text(evalcore.preset("squad_v1").with_steps([]).to_json())
    words = [
        "run.jsonl",
        "--html",
        "r.html",
        "--markdown",
        "r.md",
        "--replay",
        "replay.py",
        "--before",
        "run.jsonl",
        "--reasons",
        "--settings",
        "settings.json",
    ]
    assert main(["report", *words]) == 0
    assert "r.html" in capsys.readouterr().out
    page = Page((tmp_path / "r.html").read_bytes())
    assert "whymiss score run.jsonl --settings settings.json" in page.text
    assert "Comparison" in page.text
    assert "## Reasons" in (tmp_path / "r.md").read_text(encoding="utf-8")
    assert "def score(prediction, references):" in (tmp_path / "replay.py").read_text(encoding="utf-8")
    assert main(["score", "run.jsonl", "--settings", "settings.json"]) == 0
    assert "squad_v1|nothing|" in capsys.readouterr().out


def test_the_command_in_a_report_gives_the_same_numbers(tmp_path, capsys, monkeypatch):
    """Every option that says how the files are read stands in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.csv").write_bytes("id,answer\n1,Größe\n2,Haus\n".encode("cp1252"))
    (tmp_path / "gold.csv").write_bytes("id,gold\na,Größe\nb,Baum\n".encode("cp1252"))
    (tmp_path / "na_prob.json").write_text('{"1": 0.5, "2": 0.5}')
    read = ["--references", "gold.csv", "--how", "position", "--encoding", "cp1252", "--references-encoding", "cp1252", "--add", "na_prob.json"]
    assert main(["report", "run.csv", *read, "--map", "prediction=answer", "--map", "references=gold", "--markdown", "r.md"]) == 0
    command = next(line for line in (tmp_path / "r.md").read_text(encoding="utf-8").splitlines() if line.startswith("whymiss score"))
    capsys.readouterr()
    assert main([*shlex.split(command)[1:], "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert (summary["items"], summary["em"]) == (2, 0.5)


def test_what_is_compared_has_the_name_of_what_the_preset_counts(tmp_path):
    before, after = (evalcore.score([text], [["cat"]], "popqa") for text in ("a dog", "a cat"))
    page = as_markdown(report(after, Chosen(comparison=evalcore.compare(before, after)))).decode()
    said = page[page.index("## Comparison") :]
    assert "| containment | 0.00 | 100.00 |" in said
    assert "containment rose by 100.00 points" in said
    assert "EM" not in said[: said.index("## ", 5)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run.jsonl"], "nothing is asked for"),
        (["run.jsonl", "--html", "missing/r.html"], "cannot be written"),
        (["run.jsonl", "--html", "r.html", "--settings", "none.json"], "none.json"),
        (["run.jsonl", "--html", "r.html", "--settings", "run.jsonl"], "run.jsonl"),
        (["run.jsonl", "--html", "r.html", "--slice", "scrpt"], "'scrpt' groups nothing here; groupings there are:"),
        (["run.jsonl", "--html", "r.html", "--replay", "r.py", "--preset", "longbench_qa_f1_zh"], "jieba_words needs jieba"),
    ],
)
def test_what_cannot_be_reported_is_said(words, said, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.jsonl").write_text('{"id": "1", "prediction": "the cat", "references": ["cat"]}\n')
    assert main(["report", *words]) == 2
    assert said in capsys.readouterr().err


@given(st.text(max_size=30))
@settings(max_examples=examples(100), deadline=None)
def test_plain_is_the_text_or_code(text):
    written = plain(text)
    assert written == text or written.startswith("`") or written == "(empty)"
