"""Files of other tools that belong together, add to others, or hold no answers."""

import io
import zipfile

import pytest

from evalcore.data import DataError, FormatError, load, load_tables, read_table
from tests.test_formats_tools import FILES
from tests.tool_files import HEADER, STATE, STATS, Q, archive, lines, text

GOLD = lines({"id": "q1", "input": Q, "output": [{"answer": "Lima", "provenance": [{"title": "Peru"}]}, {"answer": "LIM"}, {"provenance": []}]})
GUESS = lines({"id": "q1", "input": Q, "output": [{"answer": "lima"}]})
TRIVIA = text({"Data": [{"QuestionId": "tc_1", "Question": Q, "Answer": {"Value": "Lima", "Aliases": ["Lima", "LIM"]}, "EntityPages": [{}, {}]}]})
DEV = text({"version": "v2.0", "data": [{"paragraphs": [{"context": "C", "qas": [{"id": "a", "question": Q, "answers": [{"text": "Lima"}]}]}]}]})
MKQA = lines({"query": Q, "example_id": 5, "queries": {"en": Q, "es": "¿?"}, "answers": {"en": [{"text": "Lima", "aliases": ["LIM"]}], "es": [{"text": None}]}})
CMRC = text([{"context_id": "T", "context_text": "C", "title": "t", "qas": [{"query_id": "T_1", "query_text": "?", "answers": ["利马", "利马"]}]}])
SAMPLES = lines({"input": [{"role": "user", "content": Q}], "ideal": ["Lima", "LIM"]})

# label, predictions, references, formats, prediction and references of the first item
PAIRS = [
    ("KILT", ("guess.jsonl", GUESS), ("gold.jsonl", GOLD), ("KILT", "KILT"), "lima", ["Lima", "LIM"]),
    (
        "TriviaQA, a document behind the id",
        ("p.json", text({"tc_1--Peru.txt": "lima"})),
        ("t.json", TRIVIA),
        ("JSON by id", "TriviaQA dataset"),
        "lima",
        ["Lima", "LIM"],
    ),
    (
        "n best",
        ("nbest.json", text({"a": [{"text": "Lima", "probability": 0.9}, {"text": "x"}]})),
        ("d.json", DEV),
        ("SQuAD n-best predictions", "SQuAD dataset"),
        "Lima",
        ["Lima"],
    ),
    (
        "MKQA",
        ("p.jsonl", lines({"example_id": 5, "prediction": "lima", "binary_answer": None, "no_answer_prob": 0.5})),
        ("m.jsonl", MKQA),
        ("MKQA predictions", "MKQA dataset"),
        "lima",
        ["Lima", "LIM"],
    ),
    ("CMRC 2018", ("p.json", text({"T_1": "利马"})), ("c.json", CMRC), ("JSON by id", "CMRC 2018 dataset"), "利马", ["利马", "利马"]),
    (
        "HELM display",
        ("d.json", text([{"instance_id": "id1", "predicted_text": " A", "mapped_output": "Lima", "train_trial_index": 0, "stats": {"em": 1.0}}])),
        ("s.json", text({**STATE, "request_states": STATE["request_states"][:1]})),
        ("HELM display predictions", "HELM scenario state"),
        "Lima",
        ["Lima"],
    ),
    (
        "OpenAI samples, by question",
        ("p.jsonl", lines({"question": Q, "prediction": "lima"})),
        ("samples.jsonl", SAMPLES),
        ("JSONL", "OpenAI evals samples"),
        "lima",
        ["Lima", "LIM"],
    ),
    (
        "LangSmith dataset, by question",
        ("p.csv", b"question,prediction\nCapital of Peru?,lima\n"),
        ("d.csv", b"input_question,output_answer\nCapital of Peru?,Lima\n"),
        ("CSV", "LangSmith export"),
        "lima",
        ["Lima"],
    ),
    (
        "promptfoo CSV, by position",
        ("r.csv", b"country,[a:x] Capital?,Status,Score\nPeru,lima,FAIL,0.00\n"),
        ("r.json", text([["Lima"]])),
        ("promptfoo CSV", "JSON rows"),
        "lima",
        ["Lima"],
    ),
]


@pytest.mark.parametrize(("predictions", "references", "formats", "answer", "golds"), [row[1:] for row in PAIRS], ids=[row[0] for row in PAIRS])
@pytest.mark.parametrize("swapped", [False, True], ids=["in order", "swapped"])
def test_two_files_of_tools(predictions, references, formats, answer, golds, swapped):
    first, second = (references, predictions) if swapped else (predictions, references)
    loaded = load(first[1], first[0], second[1], second[0])
    assert tuple(table.format for table in loaded.tables) == formats
    assert (loaded.report.matched, loaded.datasets[0].predictions[0], loaded.datasets[0].references[0]) == (1, answer, golds)


def test_old_promptfoo_csv_gives_output_status_and_score():
    head = '"{""raw"":""Hi {{x}}"",""display"":""Hi""}","{""raw"":""Yo"",""display"":""Yo""}",x\n'
    body = '"[FAIL] (0.25) Expected ""a""\n---\n b\n","[PASS] (1.00)\n\nc\n\nPass Reason: ok",1\n'
    table = read_table((head + body).encode(), "output.csv")
    assert table.format == "promptfoo CSV"
    assert {name: column.texts[0] for name, column in table.columns.items()} == {
        "Hi": " b\n", "Status,Hi": "FAIL", "Score,Hi": "0.25", "reason,Hi": 'Expected "a"',
        "Yo": "c", "Status,Yo": "PASS", "Score,Yo": "1.00", "reason,Yo": "", "x": "1",
    }  # fmt: skip


def test_scores_and_probabilities_are_laid_over_the_file_they_belong_to():
    loaded = load(text(STATE), "scenario_state.json", text(STATS), "per_instance_stats.json")
    assert (loaded.logged, list(loaded.datasets[0].metadata["exact_match"])) == ((("exact_match",),), ["1.0", "0.0"])
    odds = read_table(text({"a": 0.25, "b": 0.5}), "na_prob.json")
    tables = [odds, read_table(text({"a": "Lima", "c": "x"}), "p.json"), read_table(DEV, "dev.json")]
    loaded = load_tables(tables)
    assert list(loaded.datasets[0].metadata["no_answer_probability"]) == ["0.25"]
    assert any("1 of 2 rows of p.json; 1 of its ids is not there" in note for note in loaded.warnings)


def test_an_interrupted_log_tells_what_is_not_there():
    table = read_table(FILES[4][1][1], "b.eval")
    assert list(table.columns["id"].texts) == ["q1 (epoch 1)", "q1 (epoch 2)"]
    assert "interrupted" in table.notes[0]
    assert [row.message for row in table.bad_rows] == ["sample 'q9' has a summary only, its answer was not written"]


ADDING = ("SQuAD no-answer probabilities", "HELM instance stats")
ROUND_TRIPS = ("Whymiss export",)  # Looked at in tests/test_roundtrip.py.
REFUSED = [
    ("lm-eval results", text({"results": {"sum": {}}, "configs": {}, "versions": {}, "n-shot": {}}), "lm-eval results", ["'sum'", "samples_*.jsonl"]),
    ("HELM run spec", text({"scenario_spec": {}, "adapter_spec": {}}), "HELM run spec", ["settings", "scenario_state.json"]),
    ("figures", text({"hotpotqa": 12.5, "more": {"em": 3.25, "n": 10}}), "figures", ["hold no answers, only figures", "'hotpotqa'"]),
    ("figures by usual names", text({"accuracy": 0.5, "f1": 0.25}), "figures", ["only figures of whole runs"]),
    ("an Inspect log without samples", text({**HEADER, "plan": {}, "samples": []}), "Inspect log (.json)", ["without samples", "'success'"]),
]


@pytest.mark.parametrize(("content", "words"), [(row[1], row[3]) for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_files_without_answers_say_what_is_needed(content, words):
    with pytest.raises(FormatError) as raised:
        read_table(content, "x.json")
    assert [word for word in words if word not in str(raised.value)] == []


@pytest.mark.parametrize("content", [text({"a": 0.25, "b": 0.5}), text(STATS)], ids=["na_prob", "HELM stats"])
def test_a_file_that_only_adds_asks_for_the_other(content):
    with pytest.raises(DataError, match="give it together with the file of predictions it belongs to"):
        load(content, "x.json")
    with pytest.raises(DataError, match="no id of"):
        load(content, "x.json", text({"z": "Lima"}), "p.json")


def test_a_damaged_member_of_an_archive_is_told():
    content = bytearray(archive({"header.json": text(HEADER), "samples/1.json": b'{"id": 1}'}))
    with zipfile.ZipFile(io.BytesIO(bytes(content))) as opened:
        place = opened.getinfo("samples/1.json").header_offset + 30 + len("samples/1.json") + 3
    content[place] ^= 0xFF
    with pytest.raises(FormatError, match=r"samples/1\.json.*(damaged|cannot be unpacked)"):
        read_table(bytes(content), "a.eval")
