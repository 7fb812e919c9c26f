"""Small files as other tools write them, made here."""

import io
import json
import struct
import zlib

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
import xlsxwriter


def lines(*rows):
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


def text(value):
    return json.dumps(value, ensure_ascii=False).encode()


def parquet(rows):
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue()


def arrow(rows):
    sink = io.BytesIO()
    table = pa.Table.from_pylist(rows)
    with pyarrow.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def workbook(*rows):
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink) as book:
        sheet = book.add_worksheet()
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    return sink.getvalue()


def archive(files, method="deflate"):
    """Write a zip archive by hand, as zipfile before Python 3.14 cannot write zstd."""
    codec = {"deflate": 8, "zstd": 93}[method]
    out, directory = io.BytesIO(), b""
    for name, content in files.items():
        body = zlib.compress(content)[2:-4] if method == "deflate" else pa.Codec("zstd").compress(content, asbytes=True)
        numbers = struct.pack("<HHHHHIIIHH", 20, 0, codec, 0, 33, zlib.crc32(content), len(body), len(content), len(name), 0)
        directory += b"PK\x01\x02" + struct.pack("<H", 20) + numbers + struct.pack("<HHHII", 0, 0, 0, 0, out.tell()) + name.encode()
        out.write(b"PK\x03\x04" + numbers + name.encode() + body)
    start = out.tell()
    out.write(directory + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, len(files), len(files), len(directory), start, 0))
    return out.getvalue()


def sampled(doc, filter=None, filtered="4", score=1.0, **more):
    row = {
        "doc_id": doc,
        "doc": {"question": "2+2?", "level": "easy"},
        "target": "4",
        "arguments": {"gen_args_0": {"arg_0": "Q: 2+2?\nA:", "arg_1": {}}},
        "resps": [["It is 4"]],
        "filtered_resps": [filtered],
    }
    return {**row, **({"filter": filter, "metrics": ["exact_match"]} if filter else {}), "exact_match": score, **more}


CHOICE = {
    "doc_id": 0,
    "doc": {"query": "Sky?"},
    "target": "1",
    "arguments": [["Sky?", " red"], ["Sky?", " blue"]],
    "resps": [[["-2.5", "False"]], [["-0.5", "True"]]],
    "filtered_resps": [["-2.5", "False"], ["-0.5", "True"]],
    "acc": 1.0,
}
SAMPLE = {
    "id": "q1",
    "epoch": 1,
    "input": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "attachment://ab"}],
    "target": ["Lima", "Ciudad de los Reyes"],
    "output": {"choices": [{"message": {"role": "assistant", "content": [{"type": "text", "text": "Li"}, {"type": "text", "text": "ma"}]}}]},
    "scores": {"match": {"value": "C", "answer": "Lima"}, "many": {"value": {"f1": 0.5, "em": 0}}},
    "metadata": {"topic": "geo"},
    "attachments": {"ab": "Capital of Peru?"},
    "events": [{"event": "x"}],
}
HEADER = {"version": 2, "status": "success", "eval": {"model": "openai/gpt-x"}}
STATE = {
    "adapter_spec": {"method": "generation", "model": "lab/model"},
    "request_states": [
        {
            "instance": {
                "id": "id1",
                "input": {"text": "Capital of Peru?"},
                "references": [{"output": {"text": "Lima"}, "tags": ["correct"]}, {"output": {"text": "Quito"}, "tags": []}],
            },
            "train_trial_index": 0,
            "output_mapping": {"A": "Lima", "B": "Quito"},
            "result": {"completions": [{"text": " A"}]},
        },
        {
            "instance": {
                "id": "id1",
                "perturbation": {"name": "typos"},
                "input": {"text": "Capitl of Peru?"},
                "references": [{"output": {"text": "Lima"}, "tags": ["correct"]}],
            },
            "train_trial_index": 0,
            "result": {"completions": [{"text": " lima"}]},
        },
    ],
}
STATS = [
    {"instance_id": "id1", "train_trial_index": 0, "stats": [{"name": {"name": "exact_match"}, "count": 1, "sum": 1.0, "mean": 1.0}]},
    {
        "instance_id": "id1",
        "perturbation": {"name": "typos"},
        "train_trial_index": 0,
        "stats": [{"name": {"name": "exact_match"}, "count": 1, "sum": 0.0, "mean": 0.0}],
    },
]


def asserted(test, prompt, provider, output, label="p"):
    return {
        "testIdx": test,
        "promptIdx": prompt,
        "provider": {"id": provider},
        "prompt": {"raw": "Capital of Peru?", "label": label},
        "vars": {"country": "Peru"},
        "response": {"output": output},
        "score": 0.5,
        "success": False,
        "gradingResult": {"score": 0.5},
        "testCase": {"vars": {"country": "Peru"}, "assert": [{"type": "equals", "value": "Lima"}, {"type": "icontains", "value": "lima"}]},
    }


NEW_DETAILS = {
    "doc": {"id": "7", "query": "2+2?", "choices": ["4", "5"], "gold_index": [0], "task_name": "sum|0"},
    "metric": {"em": 1.0},
    "model_response": {"text": ["four", "5"], "text_post_processed": ["4", "5"], "logprobs": [0.0]},
}
OLD_DETAILS = {"example": "2+2?", "full_prompt": "Q: 2+2?", "predictions": ["4"], "gold": ["4", "four"], "metrics": {"qem": 1.0}, "gold_index": [0]}
EVENTS = [
    {"run_id": "r", "sample_id": "s.1", "type": "match", "data": {"correct": False, "expected": ["Lima"], "picked": None, "sampled": "It is Lima"}},
    {"final_report": {"accuracy": 0.0}},
    {"run_id": "r", "sample_id": "s.1", "type": "sampling", "data": {"prompt": [{"role": "user", "content": "Capital of Peru?"}], "sampled": ["It is Lima"]}},
    {"spec": {"completion_fns": ["gpt-x"]}},
]
Q = "Capital of Peru?"
LANGSMITH = b'id,inputs,outputs,reference_outputs,feedback.em\nr1,"{""question"": ""Capital of Peru?""}","{""answer"": ""lima""}","{""answer"": ""Lima""}",0\n'
JUDGED = {"question": Q, "golden_answer": "Lima/LIM", "answer_a": "x", "judge_a": False, "answer_b": "Lima", "judge_b": True, "improper": True}
