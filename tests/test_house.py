"""The house keeps its order: imports go down, modules are small, words are in their table, nothing heavy is loaded."""

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.support import ROOT

CODE = ROOT / "lesson_code"
BELOW = {
    "__init__": {"words"},
    "words": set(),
    "harness": {"words"},
    "lab": {"harness", "words"},
    "course": {"lab", "harness", "words"},
    "engines": {"lab", "harness", "words"},
    "options": set(),
    "agent": {"options", "lab", "harness", "words"},
}
MODULES = sorted(CODE.rglob("*.py"))
LIMIT = 150_000  # microseconds
HARNESS = sorted((CODE / "harness").glob("*.py"))
OUTSIDE = ("client.py", "origin.py")


def room_of(path: Path) -> str:
    return path.relative_to(CODE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """The full name of each module that `path` imports, and of each name that it takes from one."""
    package = ("lesson_code", *path.relative_to(CODE).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            start = package[: len(package) + 1 - node.level] if node.level else ()
            base = ".".join([*start, *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_imports_go_down_the_house_and_never_back(path: Path) -> None:
    room = room_of(path)
    ours = {name.split(".")[1] for name in imports(path) if name.startswith("lesson_code.")}
    assert ours <= BELOW.get(room, set()) | {room}


@pytest.mark.parametrize(
    "path", [path for path in MODULES if room_of(path) in ("words", "harness", "lab", "engines", "agent")], ids=named
)
def test_each_room_needs_the_standard_library_and_what_it_says_it_needs(path: Path) -> None:
    others = {name.split(".")[0] for name in imports(path)} - {"lesson_code"} - sys.stdlib_module_names
    engines = {"dbos", "langgraph", "burr", "psycopg"}
    allowed = {"harness": {"filelock"}, "lab": {"psutil", "tqdm"}, "engines": {"psutil", "tqdm", *engines}}
    the_real_client = {"anthropic"} if path == CODE / "harness" / "client.py" else set()
    assert others <= allowed.get(room_of(path), set()) | the_real_client


def test_the_package_of_the_real_client_is_imported_only_where_the_client_is_made() -> None:
    tree = ast.parse((CODE / "harness" / "client.py").read_text(encoding="utf-8"))
    inside = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "make_client"]
    inside += [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]

    def importing(tops: Iterable[ast.AST]) -> list[str]:
        nodes = (node for top in tops for node in ast.walk(top) if isinstance(node, (ast.Import, ast.ImportFrom)))
        return [line for line in map(ast.unparse, nodes) if "anthropic" in line]

    assert importing([tree]) == importing(inside[::-1]) and len(inside) == 2


def lines_of_code(path: Path) -> int:
    """Lines that are neither blank, nor only comment, nor docstring."""
    source = path.read_text(encoding="utf-8")
    lines: set[int] = set()
    blank = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in blank:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


@pytest.mark.parametrize("path", HARNESS, ids=named)
def test_a_module_of_the_harness_is_read_in_one_go(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 150


def test_the_harness_is_read_in_one_sitting_without_the_door_to_the_outside() -> None:
    """The real client, and what is remembered of it, are not what the lessons build."""
    assert 300 < sum(lines_of_code(path) for path in HARNESS if path.name not in OUTSIDE) <= 950


@pytest.mark.parametrize(
    "path", [path for path in MODULES if room_of(path) in ("harness", "lab", "engines", "agent")], ids=named
)
def test_no_spanish_stands_in_code(path: Path) -> None:
    """A heuristic: a letter that English has not. The task is the protocol's own."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert [
        text
        for text in sorted(found)
        if re.search("[áéíóúüñ¿¡«»]", text, re.IGNORECASE) and not text.startswith("Convierte sales-notes.txt ")
    ] == []


WIDGETS = [path for path in sorted((CODE / "course").glob("*.py")) if path.name not in ("plots.py", "theme.py")]


@pytest.mark.parametrize("path", WIDGETS, ids=named)
def test_widgets_take_their_markup_and_their_colours_from_one_place_each(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    markup = [] if path.name == "html.py" else [text for text in texts if re.search(r"</?[a-z]+[ >/]", text)]
    assert markup + [text for text in texts if re.search(r"#[0-9a-fA-F]{6}\b|\brgb\(", text)] == []


def import_times(module: str) -> dict[str, int]:
    """Microseconds that each import took, what it imports included."""
    command = [sys.executable, "-X", "importtime", "-c", f"import {module}"]
    child = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60, check=True)
    rows = [line.removeprefix("import time:").split("|") for line in child.stderr.splitlines() if "|" in line]
    return {row[2].strip(): int(row[1]) for row in rows if row[1].strip().isdecimal()}


@pytest.mark.parametrize("module", ["lesson_code", "lesson_code.harness", "lesson_code.agent"])
def test_importing_it_is_quick_and_loads_nothing_heavy(module: str) -> None:
    times = import_times(module)
    loaded = {name.split(".")[0] for name in times}
    assert not loaded & {"anthropic", "IPython", "ipywidgets", "httpx", "httpx2", "pydantic", "matplotlib"}
    for _ in range(9):  # the best of some: other programs run beside this one
        if times[module] < LIMIT:
            break
        times = import_times(module)
    assert times[module] < LIMIT


def test_no_path_of_somebody_s_machine_is_in_a_tracked_file() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    if listed.returncode:
        pytest.skip("not a clone")
    machine = re.compile(rb"(?<![\w.~:/])/(?:home|Users|root|work|tmp|private|mnt|opt)/\w|\b[A-Z]:\\+Users\\")
    wrong = []
    for name in filter(None, listed.stdout.split(b"\0")):
        path = ROOT / name.decode("utf-8")
        data = path.read_bytes() if path.is_file() and path.suffix not in (".png", ".jpg") else b""
        wrong += [(path.name, match[0]) for match in machine.finditer(data)]
    assert wrong == []
