"""The house rules: who may import whom, and what the core may not do."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE = ROOT / "evalcore"
ROOMS = (
    "version",
    "text",
    "dataset",
    "scoring",
    "data",
    "analysis",
    "judging",
    "report",
    "engines",
    "cli_settings",
    "cli_files",
    "cli_labels",
    "cli_measures",
    "cli_compare",
    "cli_report",
    "cli_explain",
    "cli_folder",
    "cli_table",
    "cli_parts",
    "cli",
    "__main__",
)
LEVEL = {room: number for number, room in enumerate(ROOMS)} | {"engines": ROOMS.index("report")}
MODULES = sorted(CORE.rglob("*.py"))
HEAVY = ("numba", "simplemma", "pandas", "altair", "sqlalchemy", "sacrebleu", "jieba", "opencc", "nltk", "torch", "xlsxwriter", "duckdb")
FORBIDDEN_NAMES = {"utils", "helpers", "common", "base", "misc"}


def room_of(path: Path) -> str:
    """Give the room a module lives in; the package's own __init__ stands above all."""
    part = path.relative_to(CORE).parts[0].removesuffix(".py")
    return "" if part == "__init__" else part


def imports_of(path: Path) -> list[tuple[int, str]]:
    """Give line and dotted name of every import of a module, also those inside functions."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append((node.lineno, "relative"))
    return found


def test_there_is_a_core_to_look_at():
    assert len(MODULES) > 20


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_a_room_imports_only_from_rooms_to_its_left(path):
    room = room_of(path)
    for line, name in imports_of(path):
        assert name != "relative", f"line {line}: write the whole name of the module"
        if name.startswith("evalcore.") and room:
            other = name.split(".")[1]
            assert other in LEVEL, f"line {line} imports {name}; inside the core name the room, not the package"
            assert other == room or LEVEL[other] < LEVEL[room], f"line {line}: {room} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_the_core_does_not_know_it_is_watched(path):
    for line, name in imports_of(path):
        assert name.split(".")[0] not in {"streamlit", "altair", "pandas", "logging"}, f"line {line} imports {name}"
    if room_of(path) in {"cli", "__main__"}:
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"print", "input"}, f"line {node.lineno} calls {node.func.id}"
        assert not isinstance(node, ast.Global), f"line {node.lineno} changes global state"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_only_presets_round(path):
    if ("scoring" in path.parts and path.name not in {"score.py", "scores.py", "metrics.py"}) or room_of(path) in {"cli", "report"}:
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            assert called not in {"round", "around"}, f"line {node.lineno} rounds"


def sources() -> list[Path]:
    folders = [CORE, ROOT / "pages", ROOT / "tests", ROOT / "benchmarks"]
    return [ROOT / "app.py", *(path for folder in folders for path in sorted(folder.rglob("*.py")))]


def test_the_first_page_waits_for_no_heavy_package():
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import pages.ui.frame, pages.ui.home; print(*(set({HEAVY!r}) & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert found == [], "imported on use, so that the app starts soon"


def test_names_say_what_lives_there():
    assert [path for path in sources() if path.stem in FORBIDDEN_NAMES] == []


def test_modules_can_be_read_in_a_sitting():
    long = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n") for path in sources() if path.exists()}
    assert {name: lines for name, lines in long.items() if lines > 400} == {}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_public_things_have_docstrings(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "the module says nothing of itself"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            docstring = ast.get_docstring(node)
            assert docstring, f"line {node.lineno}: {node.name} has no docstring"
            first = docstring.split("\n")[0]
            assert first.endswith("."), f"line {node.lineno}: the first line of {node.name} is no sentence"


def test_the_project_names_no_machine():
    folders = [ROOT, *(ROOT / name for name in ("evalcore", "pages", "tests", "benchmarks", "docs", ".ci", ".streamlit"))]
    files = {path for folder in folders[1:] for path in folder.rglob("*") if path.is_file()} | {
        path for path in ROOT.iterdir() if path.is_file() and path.name != ".git"
    }
    texts = {path: path.read_text(encoding="utf-8", errors="ignore") for path in files if path.suffix in {".py", ".md", ".toml", ".txt", ".css", ""}}
    pattern = re.compile(r"(?<![\w.])/(?:home|root|Users|work)/\w")
    ours = {path: text for path, text in texts.items() if not {"venv", ".git"} & set(path.parts)}
    assert [f"{path.relative_to(ROOT)}: {match.group()}" for path, text in ours.items() for match in pattern.finditer(text)] == []
