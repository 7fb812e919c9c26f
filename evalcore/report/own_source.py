"""The source of our own functions with all they need, to stand in a script of its own.

Read off the syntax trees of the modules: a name, the names it uses, the
names those use. Annotations, docstrings and the edits forms of rules are
left out.
"""

import ast
import sys
from collections.abc import Iterable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

ALLOWED = {*sys.stdlib_module_names, "regex"}
NOT_ALONE = {"evalcore.text.resources": "a dictionary", "evalcore.text.kernels": "compiled code"}
RULES = ("evalcore.text.rules", "evalcore.text.extraction.rule")  # Modules whose classes have an edits form beside `apply`.
EDITS_FORMS = ("edits", "candidates")


class NotAlone(ValueError):
    """A function whose source needs more than the standard library and regex."""


class _Module:
    """The top-level names of one module, and where each comes from."""

    def __init__(self, name: str) -> None:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise NotAlone(f"the module {name} has no source")
        self.name = name
        self.defined: dict[str, ast.stmt] = {}
        self.imported: dict[str, tuple[str, str]] = {}
        bare = _Bare(EDITS_FORMS if name in RULES else ())
        for node in ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body:
            self._add(node, bare)

    def _add(self, node: ast.stmt, bare: "_Bare") -> None:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            self.defined[node.name] = bare.visit(node)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                for name in ast.walk(target):
                    if isinstance(name, ast.Name):
                        self.defined[name.id] = node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            self.defined[node.target.id] = ast.copy_location(ast.Assign([node.target], node.value), node)
        elif isinstance(node, ast.ImportFrom):
            self.imported.update({alias.asname or alias.name: (node.module or "", alias.name) for alias in node.names})
        elif isinstance(node, ast.Import):
            self.imported.update({alias.asname or alias.name: (alias.name, "") for alias in node.names})


@lru_cache(maxsize=64)
def _module(name: str) -> _Module:
    return _Module(name)


class _Bare(ast.NodeTransformer):
    """Takes off what a script does not need: docstrings, annotations, and methods of these names."""

    def __init__(self, methods: tuple[str, ...]) -> None:
        self.methods = methods

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg)
        for argument in filter(None, every):
            argument.annotation = None
        node.returns = None
        node.body = _without_docstring(node.body)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Turn an annotated variable of a function into a plain one."""
        self.generic_visit(node)
        return node if node.value is None else ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        body = [part for part in _without_docstring(node.body) if not (isinstance(part, ast.FunctionDef) and part.name in self.methods)]
        node.body = [_as_text(part) if isinstance(part, ast.AnnAssign) else self.visit(part) for part in body]
        return node


def _as_text(node: ast.AnnAssign) -> ast.AnnAssign:
    """Keep the field, but none of the types it names."""
    node.annotation = ast.Constant("object")
    return node


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    return (body[1:] if is_docstring else body) or [ast.Pass()]


def _imported_on_use(definition: ast.AST) -> list[str]:
    """Name the modules that a function imports when it runs."""
    found = [node.module or "" for node in ast.walk(definition) if isinstance(node, ast.ImportFrom)]
    return found + [alias.name for node in ast.walk(definition) if isinstance(node, ast.Import) for alias in node.names]


class Bundle:
    """Source gathered from modules; names that two modules give to different things are told apart.

    >>> bundle = Bundle()
    >>> bundle.need("evalcore.text.dates", "iso")
    'iso'
    >>> "monthrange" in bundle.source() and "from calendar import monthrange" in bundle.imports()
    True
    """

    def __init__(self) -> None:
        self._needed: dict[str, dict[str, str]] = {}
        self._imports: dict[str, None] = {}
        self._taken: dict[str, str] = {}
        self._order: list[str] = []

    def need(self, module: str, name: str) -> str:
        """Take a name of a module with all it needs, and give the name it has in the bundle.

        Raises: NotAlone when its source needs a dictionary, compiled code or another package.
        """
        if module in NOT_ALONE:
            raise NotAlone(f"{name} needs {NOT_ALONE[module]}")
        known = self._needed.setdefault(module, {})
        if name in known:
            return known[name]
        home = _module(module)
        if name in home.imported:
            return self._import(home, name)
        if name not in home.defined:
            raise NotAlone(f"{module} does not define {name}")
        owner = self._taken.setdefault(name, module)
        known[name] = name if owner == module else f"{name}_of_{module.rpartition('.')[2]}"
        foreign = next((origin for origin in _imported_on_use(home.defined[name]) if origin.partition(".")[0] not in ALLOWED), "")
        if foreign:
            raise NotAlone(f"{module.rpartition('.')[2]} needs the package {foreign}")
        for used in _names(home.defined[name]):
            if used in home.defined or used in home.imported:
                self.need(module, used)
        if module in self._order:
            return known[name]
        self._order.append(module)
        return known[name]

    def _import(self, home: _Module, name: str) -> str:
        origin, inner = home.imported[name]
        if origin.startswith("evalcore."):
            found = self.need(origin, inner)
            self._needed[home.name][name] = found
            return found
        if origin.partition(".")[0] not in ALLOWED:
            raise NotAlone(f"{home.name.rpartition('.')[2]} needs the package {origin}")
        line = f"import {origin}" if not inner else f"from {origin} import {inner}"
        bound = inner or origin
        self._imports[line if bound == name else f"{line} as {name}"] = None
        self._needed[home.name][name] = name
        return name

    def has(self, module: str, name: str) -> bool:
        """Tell whether a name of a module is among what was gathered."""
        return name in self._needed.get(module, {})

    def imports(self) -> tuple[str, ...]:
        """Give the import lines the source needs."""
        return tuple(self._imports)

    def source(self) -> str:
        """Give the gathered definitions, those that others need first."""
        parts = []
        for module in self._sorted():
            home, names = _module(module), self._needed[module]
            chosen = {id(node): node for name, node in home.defined.items() if name in names}
            parts += [ast.unparse(ast.fix_missing_locations(_Renamed(names).visit(ast.parse(ast.unparse(node))))) for node in chosen.values()]
        return "\n\n".join(parts)

    def _sorted(self) -> list[str]:
        """Order modules so that none comes before one it imports from."""
        placed: dict[str, None] = {}

        def place(module: str) -> None:
            if module in placed or module not in self._order:
                return
            for name in self._needed[module]:
                place(_module(module).imported.get(name, ("", ""))[0])
            placed[module] = None

        for module in self._order:
            place(module)
        return list(placed)


class _Renamed(ast.NodeTransformer):
    """Gives top-level names the names they have in the bundle."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self.names.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self.names.get(node.name, node.name)
        return self.generic_visit(node)


def _names(node: ast.AST) -> Iterable[str]:
    return {name.id: None for name in ast.walk(node) if isinstance(name, ast.Name)}
