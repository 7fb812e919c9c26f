"""A report as Markdown, for pull requests, notebooks and notes.

Texts of the items and all that a user named are code spans, so nothing in
them is interpreted.
"""

import re

from evalcore.report.comparison import code
from evalcore.report.document import Block, Code, Example, Examples, Lines, Report, Section, Table
from evalcore.text.diff import diff

LONGEST = 4_000  # Characters of a text that are shown.

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:&@])")


def as_markdown(report: Report) -> bytes:
    """Write the report as Markdown in UTF-8; charts are left to the HTML form, their numbers are in the tables."""
    parts = [f"# {code(report.title)}", plain(report.under), *map(_section, report.sections)]
    return ("\n\n".join(parts) + "\n").encode("utf-8", "backslashreplace")


def plain(text: str) -> str:
    """Write a text so that it reads as it is: a code span where any sign in it means something to Markdown.

    >>> plain("95 % interval"), plain("a*b"), plain("81.25")
    ('95 % interval', '`a*b`', '81.25')
    """
    spoken = re.sub(r"(?<=[\w%)])[.,;:](?=\s|$)|(?<=\d)[.,](?=\d)|(?<=\w)-(?=\w)|\((?=\w)|(?<=\w)\)", "", text)
    return code(text, LONGEST) if _SPECIAL.search(spoken) or not text.isprintable() or re.match(r"\s|\d+[.)]\s|.*\s\Z", text) or "http" in text else text


def _section(section: Section) -> str:
    note = [plain(section.note)] if section.note else []
    return "\n\n".join([f"## {plain(section.title)}", *note, *filter(None, map(_block, section.blocks))])


def _block(block: Block) -> str:
    if isinstance(block, Lines):
        return "\n".join(f"{f'{number}.' if block.numbered else '-'} {plain(line)}" for number, line in enumerate(block.lines, 1))
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Code):
        return _code(block)
    if isinstance(block, Examples):
        return "\n\n".join(["`[-so-]`: only in the reference. `{+so+}`: only in the prediction.", *map(_example, block.items)])
    return ""


def _table(table: Table) -> str:
    lines = [_row(table.heads), "|" + "".join("---|" if place < table.texts else "---:|" for place in range(len(table.heads)))]
    return "\n".join([*lines, *map(_row, table.rows)])


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(plain(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def _code(block: Code) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", block.text)), default=0))
    return f"{plain(block.title)}\n\n{fence}{block.kind}\n{block.text}\n{fence}"


def _example(item: Example) -> str:
    lines = [f"### {code(item.title)}", ", ".join(map(plain, item.facts))]
    texts = [("question", item.question)] * (item.question is not None) + [("reference", item.reference), ("prediction", item.prediction)]
    lines.append("\n".join(f"- {name}: {code(text, LONGEST)}" for name, text in [*texts, *_difference(item)]))
    return "\n\n".join(lines)


def _difference(item: Example) -> list[tuple[str, str]]:
    """Weave both texts together, `[-lost-]{+added+}`; nothing where one is missing."""
    if not item.reference or not item.prediction:
        return []
    pieces = []
    for span in diff(item.reference, item.prediction):
        lost, added = f"[-{span.before}-]" * bool(span.before), f"{{+{span.after}+}}" * bool(span.after)
        pieces.append(span.before if span.change == "equal" else lost + added)
    return [("difference", "".join(pieces))]
