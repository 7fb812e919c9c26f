"""Files of other tools: each is told by its content, and every answer, reference and logged score is where it belongs."""

import pytest

from evalcore.data import guess, load, read_table
from evalcore.data.additions import with_additions
from tests.tool_files import (
    CHOICE,
    EVENTS,
    HEADER,
    JUDGED,
    LANGSMITH,
    NEW_DETAILS,
    OLD_DETAILS,
    SAMPLE,
    STATE,
    Q,
    archive,
    arrow,
    asserted,
    lines,
    parquet,
    sampled,
    text,
    workbook,
)

# label, name and content, format, what each system answered, references, first question, logged columns of the first system
FILES = [
    (
        "lm-eval, two filters",
        ("samples_sum.jsonl", lines(sampled(0, "strict"), sampled(1, "strict", "[invalid]", 0.0), sampled(0, "loose"), sampled(1, "loose"))),
        "lm-eval samples",
        {"strict": ["4", "[invalid]"], "loose": ["4", "4"]},
        [["4"], ["4"]],
        "2+2?",
        ("exact_match,strict",),
    ),
    (
        "lm-eval, old, filters by their order",
        ("old.jsonl", text([sampled(0), sampled(1), sampled(0, filtered="5", score=0.0), sampled(1, filtered="5", score=0.0)])),
        "lm-eval samples",
        {"filter 1": ["4", "4"], "filter 2": ["5", "5"]},
        [["4"], ["4"]],
        "2+2?",
        ("exact_match,filter 1",),
    ),
    ("lm-eval, several choices", ("mc.jsonl", lines(CHOICE)), "lm-eval samples", {"mc": [" blue"]}, [[" blue"]], "Sky?", ("acc",)),
    (
        "Inspect, zstd",
        ("a.eval", archive({"header.json": text(HEADER), "samples/q1_epoch_1.json": text(SAMPLE)}, "zstd")),
        "Inspect log (.eval)",
        {"openai/gpt-x": ["Lima"]},
        [["Lima", "Ciudad de los Reyes"]],
        Q,
        ("score.match", "score.many.f1", "score.many.em"),
    ),
    (
        "Inspect, interrupted, two epochs",
        (
            "b.eval",
            archive(
                {
                    "_journal/start.json": text(HEADER),
                    "samples/q1_epoch_1.json": text({**SAMPLE, "scores": None}),
                    "samples/q1_epoch_2.json": text({**SAMPLE, "epoch": 2, "scores": None, "output": {"completion": "Quito"}}),
                    "_journal/summaries/1.json": text([{"id": "q1", "epoch": 1}, {"id": "q9", "epoch": 1}]),
                }
            ),
        ),
        "Inspect log (.eval)",
        {"openai/gpt-x": ["Lima", "Quito"]},
        [["Lima", "Ciudad de los Reyes"]] * 2,
        Q,
        (),
    ),
    (
        "Inspect, one document",
        ("a.json", text({**HEADER, "plan": {}, "samples": [{**SAMPLE, "output": {"completion": "lima"}}]})),
        "Inspect log (.json)",
        {"openai/gpt-x": ["lima"]},
        [["Lima", "Ciudad de los Reyes"]],
        Q,
        ("score.match", "score.many.f1", "score.many.em"),
    ),
    ("HELM", ("scenario_state.json", text(STATE)), "HELM scenario state", {"lab/model": ["Lima", " lima"]}, [["Lima"], ["Lima"]], Q, ()),
    (
        "OpenCompass predictions",
        (
            "sum.json",
            text(
                {
                    "0": {"origin_prompt": [{"role": "HUMAN", "prompt": "2+2?"}], "prediction": "It is 4", "gold": "4"},
                    "1": {"origin_prompt": "1-1?", "prediction": "0"},
                }
            ),
        ),
        "OpenCompass predictions",
        {"sum": ["It is 4", "0"]},
        [["4"], []],
        "2+2?",
        (),
    ),
    (
        "OpenCompass results, by number",
        (
            "sum.json",
            text(
                {
                    "accuracy": 50.0,
                    "details": {
                        "0": {"prompt": "2+2?", "origin_prediction": "It is 4", "predictions": "4", "references": "4", "correct": True},
                        "type": "GEN",
                    },
                }
            ),
        ),
        "OpenCompass results",
        {"sum": ["4"]},
        [["4"]],
        "2+2?",
        ("correct",),
    ),
    (
        "OpenCompass results, a list",
        ("sum.json", text({"accuracy": 0.0, "details": [{"pred": ["5"], "answer": ["4", "four"], "correct": False}]})),
        "OpenCompass results",
        {"sum": ["5"]},
        [["4", "four"]],
        None,
        ("correct",),
    ),
    ("lighteval", ("details_sum|0.parquet", parquet([NEW_DETAILS])), "lighteval details", {"details_sum|0": ["4"]}, [["4"]], "2+2?", ("metric.em",)),
    ("lighteval, old", ("old.parquet", parquet([OLD_DETAILS])), "lighteval details", {"old": ["4"]}, [["4", "four"]], "2+2?", ("metric.qem",)),
    (
        "promptfoo, two providers",
        ("results.json", text({"evalId": "e", "results": {"version": 3, "results": [asserted(0, 0, "a:x", "Lima"), asserted(0, 1, "b:y", {"city": "Lima"})]}})),
        "promptfoo results",
        {"a:x": ["Lima"], "b:y": ['{"city": "Lima"}']},
        [["Lima"]],
        Q,
        ("score,a:x", "success,a:x"),
    ),
    (
        "promptfoo, lines, two prompts",
        ("results.jsonl", lines(asserted(0, 0, "a:x", "Lima", "p one"), asserted(0, 1, "a:x", "lima", "p two"))),
        "promptfoo results",
        {"a:x p one": ["Lima"], "a:x p two": ["lima"]},
        [["Lima"]],
        Q,
        ("score,a:x p one", "success,a:x p one"),
    ),
    (
        "OpenAI evals, events out of order",
        ("run.jsonl", lines(*EVENTS)),
        "OpenAI evals log",
        {"gpt-x": ["It is Lima"]},
        [["Lima"]],
        Q,
        ("correct",),
    ),
    (
        "DSPy",
        ("d.json", text([{"example_question": Q, "example_answer": "Lima", "pred_answer": "lima", "answer_exact_match": True}])),
        "DSPy evaluation",
        {"d": ["lima"]},
        [["Lima"]],
        Q,
        ("answer_exact_match",),
    ),
    (
        "DSPy as CSV",
        ("d.csv", b"example_question,example_answer,pred_answer,metric\nCapital of Peru?,Lima,lima,0.5\n"),
        "DSPy evaluation",
        {"d": ["lima"]},
        [["Lima"]],
        Q,
        ("metric",),
    ),
    (
        "MMLU-Pro",
        ("m.json", text([{"question_id": 1, "question": Q, "options": ["Lima"], "answer": "A", "answer_index": 0, "pred": None, "model_outputs": "Hm."}])),
        "MMLU-Pro outputs",
        {"m": [None]},
        [["A"]],
        Q,
        (),
    ),
    (
        "Langfuse",
        (
            "o.jsonl",
            lines(
                {
                    "id": "o1",
                    "traceId": "t",
                    "type": "GENERATION",
                    "input": {"messages": [{"role": "user", "content": Q}]},
                    "output": {"role": "assistant", "content": "Lima"},
                    "expectedOutput": "Lima",
                    "scores": [{"name": "em", "value": 1}],
                }
            ),
        ),
        "Langfuse export",
        {"o": ["Lima"]},
        [["Lima"]],
        Q,
        ("scores.em",),
    ),
    (
        "LangSmith experiment",
        (
            "e.csv",
            LANGSMITH,
        ),
        "LangSmith export",
        {"e": ["lima"]},
        [["Lima"]],
        Q,
        ("feedback.em",),
    ),
    (
        "Weave",
        (
            "w.jsonl",
            lines(
                {"id": "c0", "op_name": "weave:///e/p/op/Model.predict:1", "inputs": {}},
                {
                    "id": "c1",
                    "op_name": "weave:///e/p/op/Evaluation.predict_and_score:1",
                    "inputs": {"example": {"question": Q, "expected": "Lima"}},
                    "output": {"output": {"answer": "lima"}, "scores": {"em": {"correct": False}}},
                },
            ),
        ),
        "Weave evaluation",
        {"w": ["lima"]},
        [["Lima"]],
        Q,
        ("scores.em.correct",),
    ),
    (
        "Braintrust",
        (
            "b.jsonl",
            lines(
                {"id": "1", "span_id": "s", "root_span_id": "s", "input": Q, "output": "lima", "expected": ["Lima", "LIM"], "scores": {"EM": 0}},
                {"id": "2", "span_id": "x", "root_span_id": "s", "input": Q, "output": "inner", "expected": None, "scores": None},
            ),
        ),
        "Braintrust experiment",
        {"b": ["lima"]},
        [["Lima", "LIM"]],
        Q,
        ("scores.EM",),
    ),
    (
        "LongBench",
        ("qa.jsonl", lines({"pred": " Lima", "answers": ["Lima"], "all_classes": None, "length": 3})),
        "LongBench predictions",
        {"qa": [" Lima"]},
        [["Lima"]],
        None,
        (),
    ),
    (
        "InfiniteBench",
        ("preds_x.jsonl", lines({"id": 0, "prediction": "88", "ground_truth": 88})),
        "InfiniteBench predictions",
        {"preds_x": ["88"]},
        [["88"]],
        None,
        (),
    ),
    (
        "EVOUNA",
        (
            "T.json",
            text([JUDGED]),
        ),
        "EVOUNA",
        {"a": ["x"], "b": ["Lima"]},
        [["Lima", "LIM"]],
        Q,
        (),
    ),
    (
        "OpenQA-eval",
        ("NQ.jsonl", lines({"question": Q, "answer": ["Lima"], "prediction": "lima"})),
        "OpenQA-eval outputs",
        {"NQ": ["lima"]},
        [["Lima"]],
        Q,
        (),
    ),
    (
        "Excel",
        ("a.xlsx", workbook(("id", "prediction", "answer"), ("007", "42", 42), ("008", "x", 1.5))),
        "Excel",
        {"a": ["42", "x"]},
        [["42"], ["1.5"]],
        None,
        (),
    ),
    ("Arrow", ("a.arrow", arrow([{"id": "1", "prediction": "x", "references": ["x", "y"]}])), "Arrow", {"a": ["x"]}, [["x", "y"]], None, ()),
    (
        "Hugging Face lists",
        ("h.json", text([{"id": "1", "prediction_text": "x", "no_answer_probability": 0.5, "answers": {"text": ["x"], "answer_start": [1]}}])),
        "JSON rows",
        {"h": ["x"]},
        [["x"]],
        None,
        (),
    ),
]


@pytest.mark.parametrize(("file", "format", "answers", "references", "question", "logged"), [row[1:] for row in FILES], ids=[row[0] for row in FILES])
def test_a_file_of_a_tool(file, format, answers, references, question, logged):
    name, content = file
    loaded = load(content, name)
    assert loaded.tables[0].format == format
    assert loaded.tables[0].recognised.startswith(f"{format}: ")
    assert {dataset.system: list(dataset.predictions) for dataset in loaded.datasets} == answers
    first = loaded.datasets[0]
    assert [first.references[row] for row in range(len(first))] == references
    assert (None if first.questions is None else first.questions[0]) == question
    assert loaded.logged[0] == logged
    assert all(column in first.metadata for column in logged)


@pytest.mark.parametrize("name", ["", "answers.txt"])
@pytest.mark.parametrize(("file", "format"), [row[1:3] for row in FILES if row[0] not in ("LongBench", "OpenQA-eval")], ids=lambda value: str(value)[:20])
def test_content_goes_before_the_name(file, format, name):
    assert read_table(file[1], name).format in (format, "JSON by id")


# label, name and content, ids or answers of the rows that load, places of the bad rows, words of a note
LEFT = [
    ("Langfuse", "a.csv", b"id,input,output,traceId,type\n1,q,a,t,G\n2,q,b\n3,q,c,t,G\n", ["a", "c"], ["row 3"], ""),
    ("LangSmith", "a.csv", b"inputs,outputs,reference_outputs\nq,a,a\nq,b\nq,c,c\n", ["a", "c"], ["row 3"], ""),
    ("Braintrust", "a.csv", b"input,output,expected,scores\nq,a,a,{}\nq,b\nq,c,c,{}\nq,d,d,{}\n", ["a", "c", "d"], ["row 3"], ""),
    ("DSPy", "a.csv", b"example_answer,pred_answer,m\na,a,1\nb,b\nc,c,1\n", ["a", "c"], ["row 3"], ""),
    ("promptfoo", "a.csv", b"q,[openai:x] p,Status,Score\nq,a,PASS,1\nq,b\nq,c,PASS,1\n", ["a", "c"], ["row 3"], ""),
    ("a name twice", "a.csv", b"inputs,outputs,note,note\nq,a,1,2\n", ["a"], [], "column name stands more than once"),
    ("OpenCompass", "a.json", b'{"0": {"origin_prompt": "q", "prediction": "a"}, "0": {"origin_prompt": "r", "prediction": "b"}}', ["a", "b"], [], ""),
    ("OpenCompass results", "a.json", b'{"details": {"0": {"pred": "a", "answer": "a"}, "0": {"pred": "b", "answer": "a"}}}', ["a", "b"], [], ""),
    ("n best", "a.json", b'{"q": [{"text": "a", "probability": 0.5}], "q": [{"text": "b", "probability": 0.5}]}', ["a", "b"], [], ""),
    ("JSON lines", "a.jsonl", b'{"id" : "1", "id": "2", "prediction": "a"}\n{"id": "3", "prediction": "b"}\n', ["a", "b"], [], "line 1"),
    ("MMLU-Pro", "a.json", b'[{"question_id": 1, "answer": "A", "pred": "a", "pred": "b", "model_outputs": "x"}]', ["b"], [], "1 row holds a key twice"),
    ("lm-eval", "a.jsonl", text(sampled(0, "strict")).replace(b'{"doc_id": 0', b'{"doc_id": 7, "doc_id": 0'), ["4"], [], "line 1"),
    ("two lists", "a.json", b'{"data": [{"prediction": "a"}], "examples": [{"prediction": "b"}]}', ["a"], [], "and under 'examples', which were not"),
    ("SQuAD", "a.json", b'{"data": [{"paragraphs": [{"qas": [{"id": "1", "id": "2", "answers": []}]}]}]}', None, [], "$.data[0].paragraphs[0].qas[0]"),
]


@pytest.mark.parametrize(("name", "content", "answers", "bad", "words"), [row[1:] for row in LEFT], ids=[row[0] for row in LEFT])
def test_rows_and_keys_that_are_not_used_are_told(name, content, answers, bad, words):
    table = read_table(content, name)
    column = guess(table).predictions or guess(table).references
    assert answers is None or list(table.columns[column[0]].texts) == answers
    assert [row.place for row in table.bad_rows] == bad
    assert words in "; ".join(table.notes)


def test_keys_that_repeat_inside_objects_stay():
    row = b'{"prediction" : "a", "references" : ["a"], "more" : {"x":1,"x":2}}\n'
    assert load(row * 2, "a.jsonl").datasets[0].metadata["more"][0] == '{"x": 1, "x": 2}'


def test_ids_that_repeat_among_probabilities_are_told():
    predictions = read_table(b'{"q1": "a", "q2": "b"}', "p.json")
    table = with_additions([predictions, read_table(b'{"q1": 0.5, "q1": 0.25, "q3": 0.125}', "na_prob.json")])[0]
    assert list(table.columns["no_answer_probability"].texts) == ["0.5", None]
    assert table.notes[-1].endswith("1 of its ids is not there; 1 of its rows repeats an id, of which the first counts")


def test_further_completions_of_a_request_are_kept():
    state = {**STATE["request_states"][0], "result": {"completions": [{"text": "A"}, {"text": "B"}]}}
    table = read_table(text({**STATE, "request_states": [state]}), "scenario_state.json")
    assert table.columns["completions"].as_texts()[0] == '["A", "B"]'
