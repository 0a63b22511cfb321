"""What a lesson owes its reader: each check is a function of a lesson that lists its faults, each as a sentence."""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from statistics import median

from lesson_code.course.widget import Widget
from lesson_code.words import GATES, gate

from .guards import Cell, Notebook, cells, tags, text

MINUTES = {1: 30, 2: 40, 3: 50, 4: 40, 5: 25, 6: 55}
FILES = {
    1: "01_memoria_y_estado.ipynb",
    2: "02_puntos_de_control.ipynb",
    3: "03_reanudar.ipynb",
    4: "04_efectos_e_idempotencia.ipynb",
    5: "05_rebobinar_y_bifurcar.ipynb",
    6: "06_manos_a_la_obra.ipynb",
}
DEFINED_IN = {
    "write_atomic": 2,
    "save_checkpoint": 2,
    "load_checkpoint": 3,
    "load_effects": 4,
    "save_effect": 4,
    "run_tool_uses": 4,
    "load_latest": 5,
    "rewind_to": 5,
    "fork_from": 5,
    "reconcile": 6,
    "run_agent": 6,
    "main": 6,
}
ALSO_DEFINES = {3: ["find_unpaired", "start_over", "load_scene", "is_finished"]}
EXERCISES = {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 4}
MAX_CORE = 25
MAX_MEDIAN = 6
HOW = (
    "En cada **apuesta** decides antes de mirar: elige una opción y pulsa el botón (con el teclado: Tab, Espacio y "
    "Enter; las flechas cambian de celda). Para que ningún resultado se adelante, borra los grabados con *Edit ▸ Clear "
    "Outputs of All Cells* y ejecuta celda por celda, con Mayús+Enter. Si un control no reacciona, o dice «model not "
    "found», ejecuta otra vez el cuaderno con *Run ▸ Run All Cells*."
)
FIRST, LATER = "Antes de empezar", "Antes de seguir: dos preguntas de lecciones anteriores"
RUN = 10  # words
SHINGLES = Path(__file__).with_name("seed_shingles.bin")

_FENCED = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`[^`\n]+`")
_QUOTED = re.compile(r"\*[\"“][^*]+[\"”]\*")  # an attributed quotation: English, in italics and quotation marks
_TITLE = re.compile(r"\*[^*\n]+\*")
_LINKED = re.compile(r"\]\([^)]*\)|<https?://[^>]*>|https?://\S+")
_OTHER_WORDS = re.compile(
    r"\b(crash(es)?|checkpoints?|ledgers?|rollbacks?|rewind|fork|harness|gates?|bit[áa]cora|libro mayor"
    r"|punto de (restauraci[óo]n|recuperaci[óo]n|salvado)|cuelgues?|registro de (eventos|acciones)"
    r"|snapshots?|logs?"
    r"|llamadas? (pendientes?|hu[ée]rfanas?|en el aire)|tableros? de control|desandar|ramificar)\b",
    re.IGNORECASE,
)


def number_of(notebook: Notebook) -> int:
    """The lesson's number, from its first cell."""
    match = re.search(r"\*\*Lección (\d) de 6\*\*", text(notebook["cells"][0]["source"]))
    return int(match[1]) if match else 0


def prose(source: str) -> str:
    """A markdown source without its code, quotations, titles and addresses."""
    for pattern in (_FENCED, _INLINE, _QUOTED, _TITLE, _LINKED):
        source = pattern.sub(" ", source)
    return source


def headings(notebook: Notebook, level: int = 2) -> list[str]:
    """The headings of a level, in order."""
    found = [_FENCED.sub("", text(cell["source"])) for _, cell in cells(notebook, "markdown")]
    return re.findall(rf"^{'#' * level} (.+)$", "\n".join(found), re.MULTILINE)


def says_how_long_it_takes(notebook: Notebook) -> list[str]:
    """The first cell says which lesson it is and how many minutes its core takes."""
    number = number_of(notebook)
    wanted = f"el recorrido central dura unos {MINUTES.get(number)} minutos"
    return [] if wanted in text(notebook["cells"][0]["source"]) else [f"lesson {number}: it does not say «{wanted}»"]


def links_to_its_neighbours(notebook: Notebook) -> list[str]:
    """The first cell links the lesson before and the one after."""
    number, first = number_of(notebook), text(notebook["cells"][0]["source"])
    return [f"no link to {FILES[n]}" for n in (number - 1, number + 1) if n in FILES and f"]({FILES[n]})" not in first]


def says_how_its_cells_are_used(notebook: Notebook) -> list[str]:
    """The text before the first code cell says how a gate is answered, and what to do where a widget is dead."""
    before = [text(cell["source"]) for cell in notebook["cells"]]
    first = next((i for i, cell in enumerate(notebook["cells"]) if cell["cell_type"] == "code"), 0)
    where = [i for i, source in enumerate(before) if HOW in source]
    return [] if where == [first - 1] else [f"it says how its cells are used in the cells {where}"]


def has_its_bones_in_order(notebook: Notebook) -> list[str]:
    """The sections every lesson has, in the order every lesson has them."""
    found = [re.sub(r"^\d+\. .*", "N", re.sub(r"^Proporción: .+", "Proporción", h)) for h in headings(notebook)]
    numbered = [h for h in headings(notebook) if re.match(r"\d+\. ", h)]
    start = ["Qué vas a poder hacer", FIRST if number_of(notebook) == 1 else LATER, "La historia"]
    end = ["El tablero", "Ejercicios", "Proporción", "Resumen", "Cuestionario de cierre", "Fuentes"]
    faults = [] if found == [*start, *["N"] * len(numbered), *end] and numbered else [f"its sections are {found}"]
    counted = [int(h.split(".")[0]) for h in numbered]
    return faults + ([] if counted == list(range(1, len(counted) + 1)) else [f"the sections are numbered {counted}"])


def runs_what_it_claims(notebook: Notebook) -> list[str]:
    """Each numbered section, and the board, has a cell that runs before the next section; a gate runs nothing."""
    found: dict[str, bool] = {}
    section = ""
    for cell in notebook["cells"]:
        for title in re.findall(r"^## (.+)$", text(cell["source"]), re.MULTILINE) if _is_markdown(cell) else ():
            section = title
            found[section] = False
        if cell["cell_type"] == "code" and section and not _gates(cell):
            found[section] = True
    needs = [title for title in found if re.match(r"\d+\. |El tablero", title)]
    return [f"«{title}» runs nothing" for title in needs if not found[title]]


def has_a_short_core(notebook: Notebook) -> list[str]:
    """The core is at most 25 cells of code to read, and half of all such cells have six lines or fewer."""
    code = code_to_read(notebook)
    core = [cell for cell in code if "ampliacion" not in tags(cell)]
    lines = median(len(text(cell["source"]).splitlines()) for cell in code) if code else 0
    faults = [f"{len(core)} code cells in the core"] if len(core) > MAX_CORE else []
    return faults + ([f"the median cell has {lines:g} lines"] if lines > MAX_MEDIAN else [])


def code_to_read(notebook: Notebook) -> list[Cell]:
    """The code cells, but for those that only show a widget of the course, or in which its reader writes."""
    widgets = _widgets(notebook)
    code = [cell for _, cell in cells(notebook, "code") if "ejercicio" not in tags(cell)]
    return [cell for cell in code if not _is_call_of(widgets, cell)]


def says_what_is_wrong_with_a_variant(notebook: Notebook) -> list[str]:
    """A cell that defines something other than the harness's is announced with what is wrong with it."""
    return [
        f"cell {index}: a variant without «**Qué está mal:**» before it"
        for index, (before, cell) in enumerate(pairwise(notebook["cells"]), start=1)
        if "variante" in tags(cell) and "**Qué está mal:**" not in text(before["source"])
    ]


def defines_what_is_its_own(notebook: Notebook) -> list[str]:
    """A lesson defines its own pieces of the harness, as they are in the module."""
    number = number_of(notebook)
    wanted = [name for name, lesson in DEFINED_IN.items() if lesson == number] + ALSO_DEFINES.get(number, [])
    defined = {
        node.name
        for _, cell in cells(notebook, "code")
        if not tags(cell) & {"variante", "ejercicio"}
        for node in _tree(cell).body
        if isinstance(node, ast.FunctionDef)
    }
    return [f"it does not define {name}" for name in wanted if name not in defined]


def uses_nothing_before_its_lesson(notebook: Notebook) -> list[str]:
    """A piece of a later lesson is used only after a text that says in which lesson it comes."""
    number, told, found = number_of(notebook), "", []
    own: set[str] = set()
    for index, cell in enumerate(notebook["cells"]):
        if _is_markdown(cell):
            told += text(cell["source"])
            continue
        tree = _tree(cell)
        own |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        for name in sorted(_names(tree) - own):
            lesson = DEFINED_IN.get(name, 0)
            if lesson > number and not (f"lección {lesson}" in told and f"`{name}" in told):
                found.append(f"cell {index}: {name} comes in lesson {lesson}, and nothing says so")
    return found


def has_whole_gates(notebook: Notebook) -> list[str]:
    """A gate stands alone in its cell and is one of the table's, which has a reason for each option and a right one."""
    found = [
        f"{where}: a gate that is only text"
        for where, cell in cells(notebook, "markdown")
        if re.search(r"^\*\*Apuesta\b", text(cell["source"]), re.MULTILINE)
    ]
    for where, cell in cells(notebook, "code"):
        keys = _gates(cell)
        if keys and not (len(keys) == 1 and _is_call_of({"Gate"}, cell)):
            found.append(f"{where}: a gate that is not alone in its cell")
        unknown = [key for key in keys if key not in GATES["es"]]
        found += [f"{where}: no gate {key!r} in the table" for key in unknown]
        found += [f"{where}: {fault}" for key in keys if key not in unknown for fault in faults_of_gate(*gate(key))]
    return found


def faults_of_gate(question: str, options: list[tuple[str, str]]) -> list[str]:
    """What a gate of the table lacks."""
    said = [option for option, _ in options]
    right = [why for _, why in options if re.match(r"Correcta\b", why)]
    faults = [] if len(options) >= 2 else [f"{len(options)} options"]
    faults += [] if len({option.replace("`", "").replace("*", "") for option in said}) == len(said) else ["a twin"]
    faults += [] if len(right) == 1 else [f"{len(right)} right options"]
    faults += ["it tells the right one"] if any("Correcta" in part for part in (question, *said)) else []
    parts = [question, *said, *(why for _, why in options)]
    faults += [] if all(part.strip() for part in parts) else ["an empty part"]
    return faults + [f"markup that nobody renders: {part}" for part in parts if re.search(r"[*`$<\\]", _plain(part))]


def misused_gates(notebooks: Iterable[Notebook], language: str = "es") -> list[str]:
    """The gates of the table that are not in exactly one lesson, once."""
    found = Counter(key for notebook in notebooks for _, cell in cells(notebook, "code") for key in _gates(cell))
    return [f"{key}: {found[key]} times" for key in GATES[language] if found[key] != 1]


def asks_once_for_each_objective(notebook: Notebook) -> list[str]:
    """The closing questionnaire has one gate for each objective, in their order, each under the objective's number."""
    objectives = re.findall(r"^(\d+)\. ", _section(notebook, "Qué vas a poder hacer"), re.MULTILINE)
    asked, closing = [], False
    for before, cell in pairwise(notebook["cells"]):
        if _is_markdown(cell):
            titles = re.findall(r"^## (.+)$", text(cell["source"]), re.MULTILINE)
            closing = titles[-1] == "Cuestionario de cierre" if titles else closing
        elif closing and _gates(cell):
            number = re.fullmatch(r"\*\*Objetivo (\d+)\.\*\*", text(before["source"]).strip())
            asked += [number[1] if number else None] * len(_gates(cell))
    return [] if objectives == asked and objectives else [f"objectives {objectives}, closing questions {asked}"]


def has_its_exercises(notebook: Notebook) -> list[str]:
    """Each exercise stands under its level, with when it is complete."""
    number = number_of(notebook)
    wanted = [f"{number}.{n}" for n in range(1, EXERCISES.get(number, 0) + 1)]
    found = re.findall(r"^### Nivel [12] · (\d\.\d) \S", _everything(notebook), re.MULTILINE)
    complete = _everything(notebook).count("<details><summary>Está completo cuando…</summary>")
    faults = [] if sorted(found) == wanted else [f"its exercises are {found}"]
    return faults + ([] if complete == len(wanted) else [f"{complete} lists of criteria for {len(wanted)} exercises"])


def cites_its_sources(notebook: Notebook) -> list[str]:
    """Each source is cited in the text, each citation has its source, and each quotation its citation."""
    listed = set(re.findall(r"^(\d+)\. ", _section(notebook, "Fuentes"), re.MULTILINE))
    body = _FENCED.sub("", _everything(notebook).split("\n## Fuentes")[0])
    cited = set(re.findall(r"\[(\d+)\](?!\()", _INLINE.sub("", body)))
    faults = [f"source {n} is not cited" for n in sorted(listed - cited)]
    faults += [f"[{n}] is no source" for n in sorted(cited - listed)]
    quoting = [(where, text(cell["source"])) for where, cell in cells(notebook, "markdown")]
    return faults + [
        f"{where}: a quotation without its source"
        for where, source in quoting
        if _QUOTED.search(source) and not re.search(r"\[\d+\]", source)
    ]


def has_one_word_per_concept(notebook: Notebook) -> list[str]:
    """The glossary's words and no others; English ones stand only in code, titles and quotations."""
    found = [(where, _OTHER_WORDS.search(prose(text(cell["source"])))) for where, cell in cells(notebook, "markdown")]
    return [f"{where}: «{match[0]}»" for where, match in found if match]


def has_a_figure(notebook: Notebook) -> list[str]:
    """At least one of the course's figures."""
    return [] if re.search(r"!\[[^\]]+\]\(img/\w+\.svg\)", _everything(notebook)) else ["no figure"]


def shares_no_sentence_with_the_seeds(notebook: Notebook) -> list[str]:
    """No ten words in a row are those of the texts from which two of the lessons grew."""
    seeds = seed_shingles()
    return [
        f"{where}: «{' '.join(run)}»"
        for where, cell in cells(notebook, "markdown")
        for run in runs_of_words(prose(text(cell["source"])))
        if shingle(run) in seeds
    ]


def runs_of_words(words: str) -> Iterator[list[str]]:
    """Each run of ten words, in lower case."""
    found = re.findall(r"\w+", words.lower())
    for start in range(len(found) - RUN + 1):
        yield found[start : start + RUN]


def shingle(run: list[str]) -> bytes:
    return blake2b(" ".join(run).encode("utf-8"), digest_size=5).digest()


def seed_shingles() -> set[bytes]:
    """The hashes of every run of ten words in the seed texts, which are not in the repository."""
    data = SHINGLES.read_bytes()
    return {data[start : start + 5] for start in range(0, len(data), 5)}


def _is_markdown(cell: Cell) -> bool:
    return bool(cell["cell_type"] == "markdown")


def _everything(notebook: Notebook) -> str:
    return "\n".join(text(cell["source"]) for _, cell in cells(notebook, "markdown"))


def _section(notebook: Notebook, title: str) -> str:
    """The text of a section, up to the next of its level."""
    return ("\n" + _everything(notebook)).partition(f"\n## {title}")[2].partition("\n## ")[0]


def _plain(words: str) -> str:
    """A sentence of the table without its `code` and its **strong** words."""
    return re.sub(r"`[^`]+`|\*\*[^*]+\*\*", "", words)


def _gates(cell: Cell) -> list[str]:
    """The keys of the gates that a code cell shows."""
    calls = [node for node in ast.walk(_tree(cell)) if isinstance(node, ast.Call)]
    gates = [node for node in calls if isinstance(node.func, ast.Name) and node.func.id == "Gate"]
    return [ast.unparse(node.args[0]).strip("'") if node.args else "" for node in gates]


def _widgets(notebook: Notebook) -> set[str]:
    """The names of the course's widgets that a notebook imports."""
    imports = [
        (node.module or "", alias)
        for _, cell in cells(notebook, "code")
        for node in ast.walk(_tree(cell))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    ours = [(module, alias) for module, alias in imports if module.startswith("lesson_code.course.")]
    found = [(alias.asname or alias.name, getattr(import_module(module), alias.name)) for module, alias in ours]
    return {name for name, value in found if isinstance(value, type) and issubclass(value, Widget)}


def _is_call_of(names: set[str], cell: Cell) -> bool:
    """Whether a code cell is one expression, a call of one of `names`."""
    body = _tree(cell).body
    call = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in names


def _tree(cell: Cell) -> ast.Module:
    return ast.parse(text(cell["source"]))


def _names(tree: ast.Module) -> set[str]:
    """The names that a cell reads or imports."""
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return read | {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}


LINTS = [
    says_how_long_it_takes,
    links_to_its_neighbours,
    says_how_its_cells_are_used,
    has_its_bones_in_order,
    runs_what_it_claims,
    has_a_short_core,
    says_what_is_wrong_with_a_variant,
    defines_what_is_its_own,
    uses_nothing_before_its_lesson,
    has_whole_gates,
    asks_once_for_each_objective,
    has_its_exercises,
    cites_its_sources,
    has_one_word_per_concept,
    has_a_figure,
    shares_no_sentence_with_the_seeds,
]
