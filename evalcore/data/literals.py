"""Lists as Python and NumPy write them into a cell, read without changing a literal."""

import ast
import re

from evalcore.data.json_text import MOST_DEEP, Number

TEXT = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\"""", re.DOTALL)
LINES = re.compile(rb"\r\n|\r|\n")


class NoLiteral(ValueError):
    """A text that is no literal of texts, numbers, truth values, None, lists and dictionaries."""


def python_literal(source: str) -> object:
    """Read a literal as `json_text.decode` reads JSON: numbers come as they are written.

    Texts that stand beside one another without a comma, as NumPy prints
    them, are texts of their own.
    Raises: NoLiteral.

    >>> python_literal("['a', 1.50, None]"), python_literal("['Paris' 'City of Paris']")
    (['a', '1.50', None], ['Paris', 'City of Paris'])
    """
    try:
        node = ast.parse(source.strip(), mode="eval").body
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise NoLiteral(f"{source!r:.60} is no literal") from None
    return _Literal(LINES.split(source.strip().encode("utf-8", "surrogatepass"))).value(node, 0)


class _Literal:
    """A source in lines, of which the nodes of its syntax tree are parts."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines

    def value(self, node: ast.expr, depth: int) -> object:
        if depth > MOST_DEEP:
            raise NoLiteral(f"lists nest more than {MOST_DEEP} deep")
        if isinstance(node, ast.List | ast.Tuple):
            return [value for part in node.elts for value in self.entries(part, depth + 1)]
        if isinstance(node, ast.Dict) and None not in node.keys:
            keys = [self.value(key, depth + 1) for key in node.keys if key is not None]
            if all(isinstance(key, str) for key in keys):
                return dict(zip(keys, (self.value(part, depth + 1) for part in node.values), strict=True))
        signed = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
        if isinstance(signed, ast.Constant) and type(signed.value) in (int, float):
            return Number(self.source(node))
        if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, str | bool)):
            return node.value
        raise NoLiteral(f"{type(node).__name__} is no text, number or list")

    def entries(self, node: ast.expr, depth: int) -> list[object]:
        """Give an entry of a list, or several where texts stand side by side."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts = [ast.literal_eval(text) for text in TEXT.findall(self.source(node))]
            if len(texts) > 1 and "".join(texts) == node.value:
                return texts
        return [self.value(node, depth)]

    def source(self, node: ast.expr) -> str:
        """Give what a node is written as."""
        lines = self.lines[node.lineno - 1 : node.end_lineno]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return b"\n".join(lines).decode("utf-8", "surrogatepass")
