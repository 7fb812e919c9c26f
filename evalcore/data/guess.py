"""Guess the role of columns by their names and contents."""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as Pairs
from dataclasses import replace
from pathlib import PurePath

from evalcore.data.cells import list_in
from evalcore.data.mapping import Mapping
from evalcore.data.table import Kind, Table

Hints = Pairs[str, str | tuple[str, ...]]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Names as `_plain` writes them, the surest first.
IDS = _words("id qid questionid exampleid itemid sampleid docid queryid uid guid uuid key index idx no number 编号 序号")
PREDICTIONS = _words("""
    prediction predictions predictiontext pred preds predicted predictedanswer predictedanswers predanswer modelprediction modelanswer modeloutput modeloutputs
    modelresponse systemanswer systemoutput generatedanswer generatedtext generated generation generations response responses completion completions
    hypothesis candidate llmanswer llmoutput llmresponse output outputs 预测 预测答案 模型回答 模型答案 模型输出 回答
""")
REFERENCES = _words("""
    references reference referenceanswers referenceanswer goldanswers goldanswer goldenanswers goldenanswer golds gold
    groundtruths groundtruth groundtruthanswers correctanswers correctanswer correct expectedanswers expectedanswer expectedoutput expected
    targets target refs ref gt answers answertexts possibleanswers aliases 标准答案 参考答案 正确答案 答案
""")
EITHER = _words("answer answertext final finalanswer solution label")
QUESTIONS = _words("question questions questiontext query prompt problem input instruction 问题 题目")
CONTEXTS = _words("context contexts passage passages document documents paragraph story article text 上下文 文章 段落")
LABELS = _words("acceptable humanlabel humanjudgement humanjudgment humanverdict human judgement judgment verdict iscorrect")
SYSTEM = re.compile(r"^(?:answer|prediction|pred|output|response|completion|generation)s?[_\-. ](.+)$", re.IGNORECASE)
SURE = r"(?:prediction|pred|output|response|completion|generation)s?"
SYSTEM_SURE = re.compile(rf"^{SURE}[_\-. ]|.[_\-. ]{SURE}$", re.IGNORECASE)
NO_SYSTEM = _words("""
    gold golden reference references correct true human user expected ground
    start starts end index idx id ids type types text texts aliases alias span spans length len score scores tokens count url source prob probs probability
""")
LOGGED = _words("em exact exactmatch exactmatchscore emscore f1 f1score tokenf1 quasiexactmatch answerexactmatch")
SCORE = re.compile(r"-?[0-9.]+(?:[eE][-+]?[0-9]+)?|true|false|nan", re.IGNORECASE)
SUFFIXED = re.compile(r"^(.+)[_\-. ](?:answer|prediction|pred|output|response|completion)s?$", re.IGNORECASE)
READABLE = (Kind.TEXT, Kind.NUMBER, Kind.BOOLEAN)
ANSWERS = (*READABLE, Kind.TEXTS, Kind.LIST, Kind.OBJECT)
ROWS_LOOKED_AT = 2000


def guess(table: Table) -> Mapping:
    """Guess the role of every column.

    Empty: `missing` of the result names the roles for which no column was found.
    """
    hints = table.roles
    names = {name: _plain(name) for name in table.names}
    references = _hinted(hints, "references") if "references" in hints else _named(names, REFERENCES, table, ANSWERS)
    named = _hinted(hints, "prediction") if "prediction" in hints else _named(names, PREDICTIONS, table, (*READABLE, Kind.OBJECT))
    predictions = named if named or "prediction" in hints else _systems(table, references)
    either = _named({name: plain for name, plain in names.items() if name not in (*references, *predictions)}, EITHER, table, ANSWERS)
    if not references and "references" not in hints:
        references = either
    elif not predictions and "prediction" not in hints:
        predictions = either
    rest = {name: plain for name, plain in names.items() if name not in (*references, *predictions)}
    first = {
        role: next(iter(_hinted(hints, role) if role in hints else _named(rest, known, table, kinds)), None)
        for role, known, kinds in (("id", IDS, READABLE), ("question", QUESTIONS, READABLE), ("context", CONTEXTS, ANSWERS))
    }
    stated = hints.get("separator")
    return Mapping(
        predictions=predictions,
        references=references,
        id=first["id"],
        question=first["question"],
        context=first["context"],
        labels=_hinted(hints, "label") if "label" in hints else _labels(table, predictions, rest),
        logged=_hinted(hints, "logged") if "logged" in hints else _logged(table, rest),
        separator=stated if isinstance(stated, str) else guess_separator(table, references),
    )


def guess_separator(table: Table, references: Sequence[str]) -> str | None:
    """Guess how a reference cell holds several: a list written in it, a vertical bar, or one only."""
    columns = [table.columns[name] for name in references]
    heads = [zip(column.texts[:ROWS_LOOKED_AT], column.kinds[:ROWS_LOOKED_AT].tolist(), strict=True) for column in columns]
    cells = [cell for head in heads for cell, kind in head if cell and kind == Kind.TEXT]
    if cells and all(list_in(cell) is not None for cell in cells):
        return "json"
    with_bar = sum("|" in cell.strip("|") for cell in cells)
    at_the_edge = any(cell.strip()[:1] == "|" or cell.strip()[-1:] == "|" for cell in cells)
    return "|" if with_bar * 50 >= max(1, len(cells)) and not at_the_edge else None


def as_predictions(mapping: Mapping) -> Mapping:
    """Take a column named answer for the predictions, where the other file has the references."""
    if mapping.predictions or any(_plain(name) not in EITHER for name in mapping.references):
        return mapping
    return replace(mapping, predictions=mapping.references, references=())


def column_like(names: Iterable[str], known: Iterable[str]) -> str | None:
    """Find the column that has one of the known names, the surest first.

    >>> column_like(["Gold_Answer", "target"], REFERENCES)
    'Gold_Answer'
    """
    plain = {name: _plain(name) for name in names}
    return next((name for wanted in known for name, written in plain.items() if written == wanted), None)


def system_names(columns: Sequence[str], file: str) -> tuple[str, ...]:
    """Name the systems: what differs in their column names, or the file's name.

    >>> system_names(["answer_fid", "answer_gpt4"], "TQ.json")
    ('fid', 'gpt4')
    >>> system_names(["prediction"], "runs/bert.jsonl")
    ('bert',)
    """
    found = [SYSTEM.match(column) or SUFFIXED.match(column) for column in columns]
    names = tuple(match.group(1) if match else column for match, column in zip(found, columns, strict=True))
    stem = PurePath(file.removesuffix(".gz").removesuffix(".zst").removesuffix(".zip")).stem
    if len(names) == 1 and _plain(columns[0]) in (*PREDICTIONS, *EITHER):
        return (stem,)
    return names if len(set(names)) == len(names) else tuple(columns)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())


def _hinted(hints: Hints, role: str) -> tuple[str, ...]:
    columns = hints.get(role, ())
    return (columns,) if isinstance(columns, str) else columns


def _logged(table: Table, rest: dict[str, str]) -> tuple[str, ...]:
    """Find columns of scores by their usual names; every cell is a number, a truth value, or empty."""
    return tuple(name for name, plain in rest.items() if plain in LOGGED and _holds_scores(table, name))


def _holds_scores(table: Table, name: str) -> bool:
    cells = table.columns[name]
    if len(cells.rows_of(Kind.TEXTS, Kind.LIST, Kind.OBJECT)):
        return False
    return all(SCORE.fullmatch(cell) for cell in cells.texts[:ROWS_LOOKED_AT] if cell)


def _named(names: dict[str, str], known: Iterable[str], table: Table, kinds: Sequence[Kind]) -> tuple[str, ...]:
    found = (name for wanted in known for name, plain in names.items() if plain == wanted and _holds(table, name, kinds))
    return tuple(found)[:1]


def _holds(table: Table, name: str, kinds: Sequence[Kind]) -> bool:
    cells = table.columns[name].kinds
    filled = int((cells != Kind.NULL).sum())
    return 2 * len(table.columns[name].rows_of(*kinds)) > filled if filled else True


def _systems(table: Table, references: tuple[str, ...]) -> tuple[str, ...]:
    if not references and not any(SYSTEM_SURE.match(name) for name in table.names):
        return ()
    columns = [(name, SYSTEM.match(name) or SUFFIXED.match(name)) for name in table.names if name not in references and _plain(name) not in REFERENCES]
    return tuple(name for name, match in columns if match and _plain(match.group(1)) not in NO_SYSTEM and _holds(table, name, (Kind.TEXT, Kind.NUMBER)))


def _labels(table: Table, predictions: tuple[str, ...], rest: dict[str, str]) -> tuple[str, ...]:
    systems = [match.group(1) for name in predictions if (match := SYSTEM.match(name))]
    judged = [name for system in systems for prefix in ("judge_", "label_", "human_", "correct_") for name in table.names if name == prefix + system]
    return tuple(judged) or _named(rest, LABELS, table, READABLE)
