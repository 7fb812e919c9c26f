"""A report as one HTML file that asks for nothing from outside.

Every text is escaped; what cannot be seen is boxed by its name. The page
forbids itself scripts and requests.
"""

from functools import lru_cache
from html import escape
from importlib.resources import files

from evalcore.report.charts import forest_svg, lanes_svg
from evalcore.report.document import Block, Code, Example, Examples, ForestChart, LanesChart, Lines, Report, Section, Table
from evalcore.text.diff import diff
from evalcore.text.visible import direction, visible

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
LANES_SAID = "Upward the items that match, downward the others; heights are square roots of counts."
LONGEST = 4_000  # Characters of a text that are shown; the rest is counted in words.


def as_html(report: Report) -> bytes:
    """Write the report as one HTML page in UTF-8."""
    body = "\n".join(_section(section) for section in report.sections)
    page = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>{_quiet(report.title)}</title>'
        f'<style>{_style()}</style></head>\n<body><h1>{shown(report.title)}</h1><p class="under">{shown(report.under)}</p>\n{body}\n</body></html>\n'
    )
    return page.encode()


@lru_cache(maxsize=1)
def _style() -> str:
    return files("evalcore.report").joinpath("report.css").read_text(encoding="utf-8")


def _quiet(text: str) -> str:
    """Escape a text for a place that holds no marks."""
    return escape("".join(f"[{found.label}]" if (found := visible(letter)) is not None and found.kind != "combining" else letter for letter in text))


def shown(text: str) -> str:
    """Escape a text and box what cannot be seen in it.

    >>> shown("<b>\\u200b")
    '&lt;b&gt;<span class="unseen" title="U+200B ZERO WIDTH SPACE">ZWSP</span>'
    """
    pieces = []
    for letter in text:
        found = None if letter == "\n" else visible(letter)
        boxed = found is not None and found.kind != "combining"
        pieces.append(f'<span class="unseen" title="{escape(found.name)}">{escape(found.label)}</span>' if boxed and found else escape(letter))
    return "".join(pieces)


def _section(section: Section) -> str:
    return f"<section><h2>{shown(section.title)}</h2>{_note(section.note)}{''.join(map(_block, section.blocks))}</section>"


def _note(text: str) -> str:
    return f'<p class="note">{shown(text)}</p>' if text else ""


def _block(block: Block) -> str:
    if isinstance(block, Lines):
        tag = "ol" if block.numbered else "ul"
        return f"<{tag}>{''.join(f'<li>{shown(line)}</li>' for line in block.lines)}</{tag}>"
    if isinstance(block, Table):
        return _folded(block.folded, _table(block))
    if isinstance(block, Code):
        pre = f"<pre>{escape(block.text.encode('utf-8', 'backslashreplace').decode())}</pre>"
        return _folded(block.title, pre) if block.text.count("\n") > 3 else f"<h3>{shown(block.title)}</h3>{pre}"
    if isinstance(block, LanesChart):
        return f"{_note(LANES_SAID)}<figure>{lanes_svg(block.counted)}</figure>"
    if isinstance(block, ForestChart):
        return f"{_note(block.said)}<figure>{forest_svg(block.name, block.rows, block.em_name)}</figure>"
    return _examples(block)


def _folded(title: str, html: str) -> str:
    return f"<details><summary>{shown(title)}</summary>{html}</details>" if title else html


def _table(table: Table) -> str:
    heads = "".join(f'<th scope="col"{_number(place, table)}>{shown(head)}</th>' for place, head in enumerate(table.heads))
    rows = "".join(f"<tr>{''.join(f'<td{_number(place, table)}>{shown(cell)}</td>' for place, cell in enumerate(row))}</tr>" for row in table.rows)
    return f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'


def _number(place: int, table: Table) -> str:
    return "" if place < table.texts else ' class="n"'


def _examples(block: Examples) -> str:
    return _note("Struck out: only in the reference. Underlined: only in the prediction.") + "".join(map(_example, block.items))


def _example(item: Example) -> str:
    question = f'<span class="label">question</span>{_text(item.question)}' if item.question else ""
    return (
        f'<div class="item"><span class="id">{shown(item.title)}</span> <span class="facts">{shown(" · ".join(item.facts))}</span>{question}'
        f'<span class="label">reference</span>{_text(item.reference)}<span class="label">prediction</span>{_text(item.prediction)}'
        f"{_difference(item)}</div>"
    )


def _text(text: str | None) -> str:
    if not text:
        return f'<span class="none">{"none" if text is None else "empty"}</span>'
    more = f' <span class="none">and {len(text) - LONGEST:,} more characters</span>' if len(text) > LONGEST else ""
    return f'<span class="text" dir="{direction(text)}">{shown(text[:LONGEST])}{more}</span>'


def _difference(item: Example) -> str:
    """Weave both texts together; nothing where one is missing."""
    if not item.reference or not item.prediction:
        return ""
    pieces = []
    for span in diff(item.reference[:LONGEST], item.prediction[:LONGEST]):
        if span.change == "equal":
            pieces.append(shown(span.before))
            continue
        pieces += [f"<del>{shown(span.before)}</del>"] * bool(span.before) + [f"<ins>{shown(span.after)}</ins>"] * bool(span.after)
    return f'<span class="label">difference</span><span class="text" dir="{direction(item.reference)}">{"".join(pieces)}</span>'
