"""What nbval lets pass: each guard is a function of a notebook (a dict) that lists its faults, each as a sentence."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from tokenize import COMMENT, generate_tokens
from typing import Any
from urllib.parse import unquote

import nbformat

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
TAGS = {"raises-exception", "variante", "ampliacion", "ejercicio"}
MAX_LINES = 40
SPANISH = {"starters", "solutions"}  # the packages that a learner reads
VIEW = "application/vnd.jupyter.widget-view+json"
WIDGETS = {"Gate", "CrashPicker", "Tablero", "TurnTimeline", "WriteExplorer", "TimelineTree", "exercise"}
# Calls that a cell may end in and that show nothing.
QUIET = {"append", "insert", "mkdir", "rmtree", "use", "write_atomic", "save_checkpoint", "save_effect"}

Notebook = dict[str, Any]
Cell = dict[str, Any]

_HARD_MADE_EASY = re.compile(
    r"\b(f[áa]cil(es|mente)?|simple(s|mente)?|obvi[oa]s?|obviamente|trivial(es|mente)?|sencill[oa]s?|sencillamente"
    r"|s[óo]lo tienes que|basta con)\b",
    re.IGNORECASE,
)
_VOLATILE = {
    "a path of a machine": r"(?<![\w./:~-])(/(home|Users|root|tmp|var|private|usr|opt|mnt|srv|work)/|~/|[A-Za-z]:\\)",
    "a temporary name": r"\btmp[a-z0-9_]{8}\b|curso-[a-z0-9_]{8}\b|\.[0-9a-f]{8}\.tmp\b|ipykernel_\d+|pytest-of-",
    "an address": r"\b0x[0-9a-f]{6,}\b",
    "a clock": r"\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d|\b\d\d:\d\d:\d\d\b|\b1(7[4-9]|[89]\d)\d{10}\b",
}
_SKIPPED = re.compile(r"#\s*(NBVAL_|PYTEST_VALIDATE_)", re.IGNORECASE)
_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(<?([^)\s>]+)>?[^)]*\)")
_IMG = re.compile(r"<img\b[^>]*>", re.IGNORECASE)


def text(value: str | list[str]) -> str:
    """A field of a notebook that may be a string or a list of lines."""
    return value if isinstance(value, str) else "".join(value)


def cells(notebook: Notebook, kind: str) -> Iterator[tuple[str, Cell]]:
    """The cells of a kind, each with the name by which a person finds it."""
    for index, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == kind:
            yield f"cell {index} ({cell.get('id')})", cell


def tags(cell: Cell) -> set[str]:
    return set(cell["metadata"].get("tags", []))


def printed(output: Cell) -> str:
    """All the text that an output shows."""
    shown = [text(output.get("text", "")), output.get("ename", ""), output.get("evalue", "")]
    shown += output.get("traceback", [])
    shown += [text(value) for kind, value in output.get("data", {}).items() if not kind.startswith("image/p")]
    return re.sub(r"\x1b\[[\d;]*m", "", "\n".join(shown))


def is_valid(notebook: Notebook) -> list[str]:
    """It is a notebook by the format's own schema."""
    try:
        nbformat.validate(nbformat.from_dict(notebook))
    except (nbformat.ValidationError, KeyError) as error:
        return [f"not valid: {str(error).splitlines()[0]}"]
    return []


def has_cell_ids(notebook: Notebook) -> list[str]:
    """Every cell has an id of its own."""
    ids = [cell.get("id") for cell in notebook["cells"]]
    return [f"cell {index}: id {name!r}" for index, name in enumerate(ids) if not name or ids.count(name) > 1]


def runs_on_python3(notebook: Notebook) -> list[str]:
    """It asks for the kernel that everyone has."""
    name = notebook["metadata"].get("kernelspec", {}).get("name")
    return [] if name == "python3" else [f"kernelspec is {name!r}"]


def has_no_widget_state(notebook: Notebook) -> list[str]:
    """A stored state hides the markup, and GitHub refuses half of one; a stored view is of a kernel that is gone."""
    faults = ["metadata.widgets is there"] if "widgets" in notebook["metadata"] else []
    outputs = [(where, output) for where, cell in cells(notebook, "code") for output in cell["outputs"]]
    return faults + [f"{where}: a widget's view" for where, output in outputs if VIEW in output.get("data", {})]


def shows_its_widgets_without_a_kernel(notebook: Notebook) -> list[str]:
    """A widget is there as markup and as text: whoever only opens the notebook sees that."""
    found = []
    for where, cell in cells(notebook, "code"):
        name = re.match(r"(\w+)\(", text(cell["source"]).splitlines()[-1])
        shown = [output.get("data", {}) for output in cell["outputs"]]
        if name and name[1] in WIDGETS:
            there = {kind for data in shown for kind, value in data.items() if text(value).strip()}
            found += [f"{where}: a widget without {kind}" for kind in ("text/html", "text/plain") if kind not in there]
    return found


def says_all_without_style(notebook: Notebook) -> list[str]:
    """What a widget says is still said when a notebook's cleaner has been over its markup.

    JupyterLab and GitHub take styles, drawings, roles and aria-* out of a notebook that they don't trust.
    """
    found = []
    for where, data in widget_outputs(notebook):
        markup = Markup(text(data.get("text/html", "")))
        said = [*words_of(text(data.get("text/plain", ""))), *markup.lost]
        missing = [word for word in dict.fromkeys(said) if word not in set(markup.words)]
        found += [f"{where}: its markup does not say {missing}"] if missing else []
    return found


def widget_outputs(notebook: Notebook) -> Iterator[tuple[str, Cell]]:
    """The data of each output with markup, which only widgets have, with the name of its cell."""
    for where, cell in cells(notebook, "code"):
        for output in cell["outputs"]:
            if "text/html" in output.get("data", {}):
                yield where, output["data"]


def words_of(prose: str) -> list[str]:
    return re.findall(r"\w+", prose)


class Markup(HTMLParser):
    """The `words` that stay of some markup when it is cleaned, and those that are `lost` with drawings and labels."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self._kept: list[str] = []
        self._lost: list[str] = []
        self._within: list[str] = []
        self.feed(markup)
        self.close()

    @property
    def words(self) -> list[str]:
        return words_of("".join(self._kept))

    @property
    def lost(self) -> list[str]:
        return words_of(" ".join(self._lost))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._lost += [value or "" for name, value in attrs if name.startswith("aria-") and name not in _NO_WORDS]
        if tag in ("style", "svg"):
            self._within.append(tag)
        self._kept.append("" if tag in _INLINE else " ")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._within:
            self._within.remove(tag)
        self._kept.append("" if tag in _INLINE else " ")

    def handle_data(self, data: str) -> None:
        if not self._within:
            self._kept.append(data)
        elif "style" not in self._within:
            self._lost.append(data)


_INLINE = {"strong", "em", "code", "span", "b", "i", "a"}
_NO_WORDS = {"aria-hidden", "aria-live", "aria-labelledby", "aria-describedby", "aria-controls", "aria-current"}


def was_run_in_order(notebook: Notebook) -> list[str]:
    """The counts are 1..n: strict nbval passes a cell that was never run."""
    counts = [cell.get("execution_count") for _, cell in cells(notebook, "code")]
    return [] if counts == list(range(1, len(counts) + 1)) else [f"execution counts are {counts}"]


def is_plain_python(notebook: Notebook) -> list[str]:
    """No shell line and no magic: they work on some systems only."""
    return [where for where, cell in cells(notebook, "code") if _tree(cell) is None]


def shows_what_it_should(notebook: Notebook) -> list[str]:
    """A cell that prints, or ends in an expression, has an output; one that is to raise has its error."""
    found = []
    for where, cell in cells(notebook, "code"):
        kinds = {output["output_type"] for output in cell["outputs"]}
        if "raises-exception" in tags(cell) and "error" not in kinds:
            found.append(f"{where}: is to raise, and has no error")
        elif _shows_something(cell) and not kinds:
            found.append(f"{where}: no output")
    return found


def is_never_skipped(notebook: Notebook) -> list[str]:
    """No cell is kept from nbval, by a tag or by a comment; unknown tags are refused."""
    strange = [f"{where}: tags {sorted(tags(c) - TAGS)}" for where, c in cells(notebook, "code") if tags(c) - TAGS]
    return strange + [where for where, c in cells(notebook, "code") if _SKIPPED.search(text(c["source"]))]


def errs_only_on_purpose(notebook: Notebook) -> list[str]:
    """An error stands only in a cell that is tagged for it."""
    return [
        f"{where}: {output['ename']}"
        for where, cell in cells(notebook, "code")
        for output in cell["outputs"]
        if output["output_type"] == "error" and "raises-exception" not in tags(cell)
    ]


def prints_nothing_volatile(notebook: Notebook) -> list[str]:
    """No output holds what differs from machine to machine or from day to day."""
    found = []
    for where, cell in cells(notebook, "code"):
        for output in cell["outputs"]:
            if output.get("name") == "stderr":
                found.append(f"{where}: stderr")
            for what, pattern in _VOLATILE.items():
                match = re.search(pattern, printed(output))
                if match:
                    found.append(f"{where}: {what}, {match[0]!r}")
    return found


def says_before_it_runs(notebook: Notebook) -> list[str]:
    """Every code cell has a text before it that tells what to look for."""
    kinds = [None, *(cell["cell_type"] for cell in notebook["cells"])]
    return [f"cell {i}" for i, pair in enumerate(zip(kinds, kinds[1:], strict=False)) if pair in _UNANNOUNCED]


_UNANNOUNCED = {(None, "code"), ("code", "code"), ("raw", "code")}


def has_short_cells(notebook: Notebook) -> list[str]:
    """No code cell is longer than a screen."""
    lengths = [(where, len(text(cell["source"]).splitlines())) for where, cell in cells(notebook, "code")]
    return [f"{where}: {length} lines" for where, length in lengths if length > MAX_LINES]


def equals_the_module(notebook: Notebook) -> list[str]:
    """A function or class with the name of one of the harness's is that one, docstrings and comments aside."""
    module = definitions()
    return [
        f"{where}: {node.name} is not the module's"
        for where, cell in cells(notebook, "code")
        if not tags(cell) & {"variante", "ejercicio"}
        for node in _definitions(_tree(cell))
        if node.name in module and _bare(node) not in module[node.name]
    ]


@cache
def definitions() -> dict[str, list[str]]:
    """What `lesson_code.harness` defines at the top of its modules, and the command's `main`, by name."""
    found: dict[str, list[str]] = {}
    for path in (ROOT / "lesson_code" / "harness").glob("*.py"):
        for node in _definitions(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(node.name, []).append(_bare(node))
    agent = ast.parse((ROOT / "lesson_code" / "agent.py").read_text(encoding="utf-8"))
    found["main"] = [_bare(node) for node in _definitions(agent) if node.name == "main"]
    return found


def has_whole_links(notebook: Notebook) -> list[str]:
    """Images and local links are there, and every image has its text for those who can't see it."""
    found = []
    for where, cell in cells(notebook, "markdown"):
        found += [f"{where}: {fault}" for fault in broken_links(text(cell["source"]), ROOT / "notebooks")]
    return found


def broken_links(markdown: str, folder: Path) -> list[str]:
    """The images without alt text, and the local files that are missing, of a text that stands in `folder`."""
    prose = _CODE.sub("", markdown)
    links = [(bool(bang), words, target) for bang, words, target in _LINK.findall(prose)]
    links += [(True, _attribute(tag, "alt"), _attribute(tag, "src")) for tag in _IMG.findall(prose)]
    found = [f"{target}: no alt text" for image, words, target in links if image and not words.strip()]
    local = [target.split("#")[0] for _, _, target in links if not re.match(r"[a-z]+:|#", target)]
    return found + [f"{target}: not there" for target in local if not (folder / unquote(target)).exists()]


def never_calls_it_easy(notebook: Notebook) -> list[str]:
    """No word that tells a reader who finds it hard that it is easy."""
    sources = [*cells(notebook, "markdown"), *cells(notebook, "code")]
    return [f"{where}: {word}" for where, cell in sources for word in easy_words(text(cell["source"]))]


def easy_words(prose: str) -> list[str]:
    return [match[0] for match in _HARD_MADE_EASY.finditer(prose)]


def speaks_spanish(notebook: Notebook) -> list[str]:
    """No comment and no docstring of a cell is the module's own: those are in English."""
    found = [(where, _remarks(text(cell["source"])) & _english()) for where, cell in cells(notebook, "code")]
    return [f"{where}: {remark}" for where, remarks in found for remark in sorted(remarks)]


@cache
def _english() -> set[str]:
    """The comments and docstrings of the modules, but for those that a learner reads."""
    paths = [path for path in (ROOT / "lesson_code").rglob("*.py") if path.parent.name not in SPANISH]
    return set().union(*(_remarks(path.read_text(encoding="utf-8")) for path in paths))


def _remarks(source: str) -> set[str]:
    """The comments and docstrings of a source that is Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    words = {token.string for token in generate_tokens(StringIO(source).readline) if token.type == COMMENT}
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return words | {ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, kinds)} - {""}


def first_code(notebook: Notebook) -> str:
    """The first code cell: the same in every notebook."""
    return next(text(cell["source"]) for _, cell in cells(notebook, "code"))


def _attribute(tag: str, name: str) -> str:
    match = re.search(rf"\b{name}=[\"']([^\"']*)", tag, re.IGNORECASE)
    return match[1] if match else ""


def _tree(cell: Cell) -> ast.Module | None:
    try:
        return ast.parse(text(cell["source"]))
    except SyntaxError:
        return None


def _definitions(tree: ast.Module | None) -> list[Any]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [node for node in tree.body if isinstance(node, kinds)] if tree else []


def _bare(node: ast.AST) -> str:
    """The syntax of a definition without its docstrings."""
    node = ast.parse(ast.unparse(node))
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and ast.get_docstring(inner):
            inner.body = inner.body[1:] or [ast.Pass()]
    return ast.dump(node)


def _shows_something(cell: Cell) -> bool:
    tree = _tree(cell)
    if tree is None or not tree.body:
        return False
    last = tree.body[-1]
    ends_in_value = isinstance(last, ast.Expr) and _called(last.value) not in QUIET
    return ends_in_value or any(_prints(statement) for statement in tree.body)


def _prints(node: ast.AST) -> bool:
    """Whether running `node` itself, not a function that it only defines, prints."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return False
    if _called(node) in ("print", "display"):
        return True
    return any(_prints(child) for child in ast.iter_child_nodes(node))


def _called(node: ast.AST) -> str:
    """The name of the function or method that `node` calls, if it is a call."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "id", "") or getattr(node.func, "attr", "")


GUARDS = [
    is_valid,
    has_cell_ids,
    runs_on_python3,
    has_no_widget_state,
    shows_its_widgets_without_a_kernel,
    says_all_without_style,
    was_run_in_order,
    is_plain_python,
    shows_what_it_should,
    is_never_skipped,
    errs_only_on_purpose,
    prints_nothing_volatile,
    says_before_it_runs,
    has_short_cells,
    equals_the_module,
    has_whole_links,
    never_calls_it_easy,
    speaks_spanish,
]
