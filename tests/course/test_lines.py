"""The tree of a task as a widget: what it shows and does is what the harness really does to a folder."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lesson_code.course.lines import TimelineTree
from lesson_code.course.task import Task
from lesson_code.course.tree import drawn
from lesson_code.harness import LedgerError, fork_from, load_checkpoint, load_effects, rewind_to
from lesson_code.harness.beyond import beyond
from lesson_code.harness.snapshots import load_turn, snapshots
from lesson_code.lab.offers import copy_of, outside, work
from lesson_code.lab.tree import tree
from lesson_code.lab.world import World
from tests.notebooks.guards import words_of
from tests.support import snapshot


@pytest.fixture
def folder(tmp_path: Path, no_sync: None) -> Iterator[Path]:
    """A task that went wrong in turn 4, in a folder whose world is beside it."""
    place = tmp_path / "sitio" / "agent-run"
    place.mkdir(parents=True)
    work(place, 10, 10, 10, 50)
    yield place


@pytest.fixture
def family(folder: Path) -> Path:
    """It was rewound to turn 3 and went on for a turn, and forked from turn 2."""
    rewind_to(3, folder, accept=True)
    work(folder, 10, resume=True, label="after-save-b:4")
    work(fork_from(2, "veinte", folder), 20, resume=True, label="after-save-b:4")
    return folder


def resume(folder: Path) -> list[str]:
    return work(folder, 10, resume=True)


def widget_of(folder: Path, **options: Any) -> TimelineTree:
    return TimelineTree(folder, outside(folder), resume, **options)


def rewound(folder: Path, turn: int = 3) -> TimelineTree:
    widget = widget_of(folder, turn=turn)
    widget.rewind()
    widget.accept()
    return widget


def said(markup: str) -> str:
    """What a reader sees of some markup, a line for each element."""
    lines = html.unescape(re.sub(r"</?(?:div|p|ul|li|pre|td|th|tr|caption|details|summary)\b[^>]*>", "\n", markup))
    return "\n".join(line.strip() for line in re.sub(r"<[^>]*>", "", lines).splitlines() if line.strip())


def on_disk(folder: Path) -> dict[str, Any]:
    """The folder, its forks and its world, but for the locks and the clocks."""
    found = {name: data for name, data in snapshot(folder.parent).items() if not name.endswith(".lock")}
    clock = re.compile(rb'"at": \d+')
    return {name: clock.sub(b"", data) if isinstance(data, bytes) else data for name, data in found.items()}


def without_ids(disk: dict[str, Any]) -> dict[str, Any]:
    """The model gives new ids at random to a second line."""
    own = re.compile(rb"(?<=toolu_\d\d_)[0-9a-f]{8}")
    return {name: own.sub(b"", data) if isinstance(data, bytes) else data for name, data in disk.items()}


def effects_beyond(folder: Path, turn: int) -> list[str]:
    """What the harness names, as the world has it."""
    did = {effect["done"]: effect["about"] for effect in outside(folder).effects()}
    return [f"{one.name} → {did[one.id]}" for one in beyond(load_turn(turn, folder), folder)]


def test_it_opens_with_the_whole_tree_and_a_turn_that_a_rewind_would_leave_undone(family: Path) -> None:
    widget = widget_of(family)
    for line in tree(family, outside(family)).every():
        for step in line.steps:
            row = (
                f"turno {step.turn} · guardados: {' '.join(step.kept)} · {step.name} → {'; '.join(step.effects or [])}"
            )
            assert row in said(widget.picture.value)
    assert widget.node == ("agent-run", 4)  # the two of the abandoned line are beyond it
    heads = [line for line in said(widget.picture.value).splitlines() if not line.startswith("turno")]
    assert heads == [
        "línea en uso agent-run · va por el turno 4",
        "bifurcación agent-run-veinte · desde el turno 2: va por el turno 4",
        "línea abandonada abandoned/001 · desde el turno 3: terminada",
    ]


def test_each_line_stands_below_the_turn_that_it_leaves(family: Path) -> None:
    rows = said(widget_of(family).picture.value).splitlines()
    marks = [re.match(r"turno \d|línea en uso|bifurcación|línea abandonada", row) for row in rows]
    assert [mark[0] for mark in marks if mark] == [
        *["línea en uso", "turno 1", "turno 2", "bifurcación", "turno 3", "turno 4"],
        *["turno 3", "línea abandonada", "turno 4", "turno 5", "turno 4"],
    ]
    nested = re.sub(r"[^<]*(</?[uo]l>)?[^<]*<?", r"\1", widget_of(family).picture.value)
    assert nested == "<ul><ul></ul><ul></ul></ul>"


def test_the_turns_that_can_be_chosen_are_the_bs_on_disk_and_each_is_a_phrase(family: Path) -> None:
    widget = widget_of(family)
    fork = family.with_name("agent-run-veinte")
    assert [node for _, node in widget.choice.options] == [
        (place.name, turn) for place in (family, fork) for turn, point in snapshots(place) if point == "B"
    ]
    labels = {node: label for label, node in widget.choice.options}
    assert labels["agent-run", 3] == "turno 3 · send_email → eva@example.com: Renueva con 10 % de descuento."
    assert labels[fork.name, 3].startswith("turno 3 de agent-run-veinte · send_email → eva@example.com: Renueva con 20")
    assert len(set(labels.values())) == len(labels)


def test_a_turn_without_its_b_can_not_be_chosen(folder: Path) -> None:
    (folder / "checkpoints" / "turn-002-B.json").unlink()
    assert [node[1] for _, node in widget_of(folder).choice.options] == [1, 3, 4, 5]


@pytest.mark.parametrize("turn", range(1, 6))
def test_the_first_click_names_what_can_not_be_undone_and_moves_nothing(folder: Path, turn: int) -> None:
    widget = widget_of(folder, turn=turn)
    before = on_disk(widget.task.folder)
    named = effects_beyond(folder, turn)
    assert len(named) == 5 - turn
    widget.rewinding.click()
    if named:
        question, *rest, last = said(widget.report.value).splitlines()
        assert question == f"Rebobinar al turno {turn} no deshace lo que hicieron estas llamadas:"
        assert rest == named == widget.state()["asked"]
        assert last.startswith("Todavía no se movió nada.")
        assert on_disk(widget.task.folder) == before
    else:
        assert "volvió al B del turno 5" in said(widget.report.value)


@pytest.mark.parametrize("turn", range(1, 6))
def test_after_accepting_the_disk_is_what_the_harness_leaves(folder: Path, turn: int) -> None:
    mine, widget = copy_of(folder), widget_of(folder, turn=turn)
    rewind_to(turn, mine, accept=True)
    widget.rewinding.click()
    if turn < 5:
        widget.accepting.click()
    assert widget.trouble.value == ""
    assert on_disk(widget.task.folder) == on_disk(mine)
    lines = said(widget.report.value).splitlines()
    assert lines[0] == f"agent-run volvió al B del turno {turn}."
    assert lines[1] == "Pasaron a abandoned/, sin borrarse:"
    moved = sorted(path.relative_to(mine).as_posix() for path in (mine / "abandoned").rglob("*.json"))
    assert lines[2:-2] == moved and len(moved) == 1 + 2 * (5 - turn)
    assert lines[-2:] == [
        f"Registro de efectos de agent-run: 5 anotaciones antes, {len(load_effects(mine))} después (= igual).",
        "Efectos en el mundo: 5 antes, 5 después (= igual).",
    ]
    assert said(widget.picture.value).splitlines()[0] == f"línea en uso agent-run · va por el turno {turn}"
    assert [node[1] for _, node in widget.choice.options] == list(range(1, turn + 1))
    assert widget.turn == turn


def test_to_go_back_to_where_the_task_already_is_moves_nothing_and_says_so(folder: Path) -> None:
    widget = rewound(folder)
    disk = on_disk(widget.task.folder)
    widget.rewind()
    widget.accept()
    assert "No había nada que pasar a abandoned/" in said(widget.report.value)
    assert on_disk(widget.task.folder) == disk


def test_where_nothing_is_left_undone_nothing_is_asked(folder: Path) -> None:
    widget = rewound(folder)
    widget.start_over()
    widget.turn = 5
    widget.rewinding.click()
    assert widget.accepting.layout.display == "none"
    assert load_checkpoint(widget.task.folder)["turns"] == 5
    assert "volvió al B del turno 5" in said(widget.report.value)


def test_what_nobody_noted_is_named_as_a_perhaps(tmp_path: Path, no_sync: None) -> None:
    folder = tmp_path / "sitio" / "agent-run"
    folder.mkdir(parents=True)
    work(folder, 10, label="after-tool:5")
    widget = widget_of(folder, turn=4)
    assert "(colgante, sin anotar)" in said(widget.picture.value)
    widget.rewind()
    assert widget.state()["asked"] == ["quizá send_email, que se pidió y no está anotada"]


def test_the_button_to_accept_is_there_only_while_something_is_asked(folder: Path) -> None:
    widget = widget_of(folder, turn=3)
    seen = [widget.accepting.layout.display]
    for act in (widget.rewind, lambda: setattr(widget, "turn", 2), widget.rewind, widget.accept, widget.fork):
        act()
        seen.append(widget.accepting.layout.display)
    assert seen == ["none", None, "none", None, "none", "none"]
    assert widget.accepting.description == "Acepto: esos efectos quedan hechos"


def test_nothing_is_accepted_that_was_not_asked_for_this_turn(folder: Path) -> None:
    widget = widget_of(folder, turn=3)
    disk = on_disk(widget.task.folder)
    widget.accept()
    assert said(widget.report.value).startswith("No hay nada que aceptar")
    widget.rewind()
    widget.turn = 1
    assert said(widget.report.value) == ""
    widget.accept()
    assert on_disk(widget.task.folder) == disk


def test_a_fork_is_what_the_harness_makes_and_is_then_the_one_chosen(folder: Path) -> None:
    mine, widget = copy_of(folder), widget_of(folder, turn=2)
    fork = fork_from(2, "rama-1", mine)
    widget.forking.click()
    assert on_disk(widget.task.folder) == on_disk(mine)
    lines = said(widget.report.value).splitlines()
    assert lines == [
        "agent-run-rama-1 es una carpeta nueva: sigue desde el B del turno 2 de agent-run.",
        f"Anotaciones que hereda: {len(load_effects(fork))}.",
        "send_email → ana@example.com: Renueva con 10 % de descuento.",
        "send_email → luis@example.com: Renueva con 10 % de descuento.",
        "Efectos de agent-run que esta bifurcación no conoce: 3.",
        *effects_beyond(mine, 2),
    ]
    assert widget.node == ("agent-run-rama-1", 2)
    assert "bifurcación agent-run-rama-1 · desde el turno 2: va por el turno 2 elegido" in said(widget.picture.value)


def test_forks_have_the_names_that_follow_and_never_one_that_is_taken(folder: Path) -> None:
    fork_from(1, "rama-2", folder)
    widget = widget_of(folder, turn=3)
    for name in ("agent-run-rama-1", "agent-run-rama-3", "agent-run-rama-4"):
        widget.node = ("agent-run", 3)
        widget.fork()
        assert widget.node == (name, 3)
    widget.fork()  # from the fork itself
    assert widget.node == ("agent-run-rama-4-rama-1", 3)
    assert "bifurcación agent-run-rama-4-rama-1" in said(widget.picture.value)


def test_a_fork_can_be_rewound_too_and_the_task_stays(family: Path) -> None:
    widget = widget_of(family)
    widget.node = ("agent-run-veinte", 3)
    before = {name: data for name, data in on_disk(widget.task.folder).items() if name.startswith("agent-run/")}
    widget.rewind()
    assert widget.state()["asked"] == ["send_email → raul@example.com: Renueva con 20 % de descuento."]
    widget.accept()
    after = on_disk(widget.task.folder)
    assert {name: data for name, data in after.items() if name.startswith("agent-run/")} == before
    assert load_checkpoint(widget.task.folder.with_name("agent-run-veinte"))["turns"] == 3
    assert "agent-run-veinte volvió al B del turno 3." in said(widget.report.value)
    assert widget.node == ("agent-run-veinte", 3)


def test_to_go_on_after_a_rewind_makes_the_new_line_appear(folder: Path) -> None:
    mine, widget = copy_of(folder), rewound(folder)
    rewind_to(3, mine, accept=True)
    log = resume(mine)
    assert widget.going_on.description == "Seguir agent-run, que va por el turno 3"
    widget.going_on.click()
    assert without_ids(on_disk(widget.task.folder)) == without_ids(on_disk(mine))
    report = said(widget.report.value)
    assert report.splitlines()[:3] == [
        "agent-run se reanudó.",
        "Registro de efectos de agent-run: 5 anotaciones antes, 7 después (≠ distinto).",
        "Efectos en el mundo: 5 antes, 7 después (≠ distinto).",
    ]
    assert report.splitlines()[4:] == log
    new = [row for row in said(widget.picture.value).splitlines() if row.endswith(" nuevo")]
    assert [row[:7] for row in new] == ["turno 4", "turno 5"]
    assert all("Renueva con 10 %" in row for row in new)
    assert widget.turn == 3


def test_to_go_on_in_a_fork_leaves_the_task_and_shows_the_turns_of_the_fork(folder: Path) -> None:
    widget = widget_of(folder, turn=2)
    widget.fork()
    before = {name: data for name, data in on_disk(widget.task.folder).items() if name.startswith("agent-run/")}
    assert widget.going_on.description == "Seguir agent-run-rama-1, que va por el turno 2"
    widget.going_on.click()
    after = on_disk(widget.task.folder)
    assert {name: data for name, data in after.items() if name.startswith("agent-run/")} == before
    new = [row for row in said(widget.picture.value).splitlines() if row.endswith(" nuevo")]
    assert [row[:7] for row in new] == ["turno 3", "turno 4", "turno 5"]
    assert "Efectos en el mundo: 5 antes, 8 después" in said(widget.report.value)
    assert widget.node == ("agent-run-rama-1", 2)


def test_another_action_takes_the_marks_of_what_was_new_away(folder: Path) -> None:
    widget = rewound(folder)
    widget.go_on()
    widget.turn = 2
    assert "nuevo" not in said(widget.picture.value)


def test_without_a_way_to_resume_there_is_no_button_to_go_on(folder: Path) -> None:
    widget = TimelineTree(folder, outside(folder))
    live = [button.description for button in widget.children[2].children]
    assert live == ["Rebobinar hasta aquí", "Bifurcar desde aquí", "Volver al árbol inicial"]
    assert len(widget_of(folder).children[2].children) == 4
    with pytest.raises(ValueError, match="hace falta run"):
        widget.go_on()


def test_whatever_is_done_the_folder_of_the_lesson_stays_as_it_was(family: Path) -> None:
    before = snapshot(family.parent)
    widget = rewound(family, turn=3)
    widget.go_on()
    widget.fork()
    widget.go_on()
    widget.node = ("agent-run-veinte", 3)
    widget.rewind()
    widget.accept()
    widget.start_over()
    assert snapshot(family.parent) == before
    assert family.parent not in widget.task.folder.parents


def test_to_start_over_is_to_be_where_it_began(family: Path) -> None:
    widget, untouched = widget_of(family, turn=2), widget_of(family, turn=2)
    widget.fork()
    widget.go_on()
    widget.node = ("agent-run", 1)
    widget.rewind()
    widget.accept()
    widget.starting.click()
    assert on_disk(widget.task.folder) == on_disk(untouched.task.folder)
    assert widget.picture.value == untouched.picture.value
    assert widget.choice.options == untouched.choice.options
    assert widget.node == ("agent-run", 2)
    assert said(widget.report.value) == "Otra vez como al principio, en una copia nueva de agent-run."


def test_to_start_over_is_to_go_back_to_the_first_copy_whatever_the_lesson_did_since(folder: Path) -> None:
    widget = widget_of(folder)
    plain = widget.plain()
    rewind_to(1, folder, accept=True)
    widget.start_over()
    assert widget.plain() == plain


def test_what_is_done_from_code_shows_the_same_as_the_clicks(folder: Path) -> None:
    told, clicked = widget_of(folder), widget_of(folder)
    told.turn = 3
    clicked.choice.index = 2
    for act, button in (
        (told.rewind, clicked.rewinding),
        (told.accept, clicked.accepting),
        (told.go_on, clicked.going_on),
        (told.fork, clicked.forking),
        (told.go_on, clicked.going_on),
        (told.start_over, clicked.starting),
    ):
        act()
        button.click()
        assert (told.report.value, told.picture.value) == (clicked.report.value, clicked.picture.value)
        assert said(told.report.value)
        assert told.node == clicked.node


def test_the_radio_button_that_is_on_is_the_turn_that_is_chosen(folder: Path) -> None:
    widget = widget_of(folder, turn=3)
    for act in (lambda: None, widget.rewind, widget.accept, widget.go_on, widget.fork, widget.start_over):
        act()
        assert widget.choice.options[widget.choice.index] == (widget.choice.label, widget.node)
        assert "elegido" in said(widget.picture.value)


def test_only_the_turn_of_the_chosen_folder_is_marked(family: Path) -> None:
    widget = widget_of(family)
    for _, node in widget.choice.options:
        widget.node = node
        marked = [row for row in said(widget.picture.value).splitlines() if row.endswith(" elegido")]
        begins = "bifurcación" if node == ("agent-run-veinte", 2) else f"turno {node[1]} "
        assert len(marked) == 1 and marked[0].startswith(begins)
        assert ("20 %" in marked[0]) == (node[0] == "agent-run-veinte" and node[1] > 2)


def test_one_choice_is_shown_once(folder: Path) -> None:
    widget = rewound(folder, turn=4)
    changes: list[Any] = []
    widget.picture.observe(changes.append, "value")
    widget.choice.index = 0
    assert len(changes) == 1


@pytest.mark.parametrize("turn", [0, 6, -1, None, "3"])
def test_a_turn_that_is_not_there_is_refused(folder: Path, turn: Any) -> None:
    widget = widget_of(folder, turn=3)
    with pytest.raises(ValueError, match=f"no tiene el punto de guardado B del turno {turn}. Tiene .*: 1, 2, 3, 4, 5"):
        widget.turn = turn
    with pytest.raises(ValueError, match="no es una de las opciones"):
        widget.node = ("agent-run", turn)
    assert widget.turn == 3
    if turn is not None:
        with pytest.raises(ValueError, match="Tiene los de estos turnos: 1, 2, 3, 4, 5."):
            widget_of(folder, turn=turn)


def test_a_task_without_a_sequence_is_shown_and_says_why_there_is_no_way_back(folder: Path) -> None:
    for path in (folder / "checkpoints").iterdir():
        path.unlink()
    widget = widget_of(folder)
    assert said(widget.picture.value).count("guardados: –") == 5
    for button in (widget.rewinding, widget.forking, widget.going_on):
        button.click()
        assert "No hay ningún B al que volver" in said(widget.trouble.value)
    assert drawn(tree(folder, outside(folder))) in widget.plain()


def test_what_a_resumed_task_raises_is_shown_in_spanish_goes_on_and_hides_nothing_that_it_did(folder: Path) -> None:
    def run(place: Path) -> list[str]:
        waits.append(said(widget.report.value))
        work(place, 10, resume=True, label="after-save-b:4")
        raise RuntimeError("se cortó la luz")

    waits: list[str] = []
    widget = TimelineTree(folder, outside(folder), run, turn=3)
    widget.rewind()
    widget.accept()
    (callback,) = widget.going_on._click_handlers.callbacks
    with pytest.raises(RuntimeError):
        callback(widget.going_on)
    assert waits == ["Reanudando agent-run…"]
    assert said(widget.report.value) == ""
    assert said(widget.trouble.value).startswith("Algo falló (RuntimeError: se cortó la luz).")
    assert "turno 4 · guardados: A B · send_email → raul@example.com: Renueva con 10 % de descuento. nuevo" in said(
        widget.picture.value
    )
    widget.turn = 2
    assert widget.trouble.value == ""


def test_a_ledger_that_can_not_be_read_is_said_and_nothing_moves(folder: Path) -> None:
    widget = widget_of(folder, turn=3)
    (widget.task.folder / "effects.json").write_bytes(b"{")
    disk = on_disk(widget.task.folder)
    widget.rewinding.click()
    assert said(widget.trouble.value).startswith("Algo falló (LedgerError: No se puede usar effects.json")
    with pytest.raises(LedgerError):
        widget.rewind()
    assert on_disk(widget.task.folder) == disk


@pytest.mark.parametrize("log, shown", [(None, "None"), ("listo", "listo"), (["a", "b"], "a\nb")])
def test_whatever_a_resume_gives_back_is_shown_as_text(folder: Path, log: Any, shown: str) -> None:
    widget = TimelineTree(folder, outside(folder), lambda place: log)
    widget.go_on()
    assert said(widget.report.value).endswith(f"Lo que dijo el arnés:\n{shown}")


FOREIGN = {
    "script": "<script>alert(1)</script>",
    "image": '<img src=x onerror="alert(1)">',
    "end": "</li></ul><h1>",
    "ampersand": "a & b &lt;b&gt; `x` **y**",
    "emoji": "👍🏽 ñ 日本 שלום",
}


@pytest.mark.parametrize("about", FOREIGN.values(), ids=FOREIGN)
def test_what_a_call_did_is_text_wherever_it_is_shown(folder: Path, about: str) -> None:
    world = outside(folder)
    world.ask(list(load_effects(folder))[4], "send_email")
    world.do("send_email", about)
    widget = TimelineTree(folder, world, lambda place: [about], turn=4)
    widget.rewind()
    for markup in (widget.report.value, widget.picture.value, str(widget.static())):
        assert html.escape(f"Renueva con 50 % de descuento.; {about}") in markup
        assert not re.search(r"<(script|img|h1)", markup)
    assert about in dict(enumerate(label for label, _ in widget.choice.options))[4]
    widget.go_on()
    assert html.escape(about) in widget.report.value
    widget.fork()
    assert html.escape(about) in widget.report.value


def test_what_a_call_did_can_not_turn_a_line_around_or_break_it(folder: Path) -> None:
    world = outside(folder)
    world.ask(list(load_effects(folder))[4], "send_email")
    world.do("send_email", "a\u202eb\n[done] c")
    widget = TimelineTree(folder, world, turn=4)
    assert "a\\u202eb\\n[done] c" in widget.picture.value
    assert "a\\u202eb\\n[done] c" in widget.choice.options[4][0]


def test_a_long_effect_is_shortened(folder: Path) -> None:
    world = outside(folder)
    world.ask(list(load_effects(folder))[4], "send_email")
    world.do("send_email", "x" * 1_000_000)
    widget = TimelineTree(folder, world, lambda place: ["y" * 1_000_000], turn=4)
    widget.rewind()
    assert "xxx…" in widget.report.value
    widget.go_on()
    assert "recortado: son 1000000 caracteres" in said(widget.report.value)
    for shown in (widget.report.value, widget.picture.value, str(widget.static()), widget.choice.options[4][0]):
        assert len(shown) < 9000


def test_without_a_world_it_says_that_nobody_looked_and_the_ledger_tells_what_was_done(folder: Path) -> None:
    widget = TimelineTree(folder, turn=3)
    assert said(widget.picture.value).count("sin mirar el mundo") == 5
    widget.rewind()
    assert widget.state()["asked"] == [
        "send_email → Correo enviado a raul@example.com.",
        "send_email → Correo enviado a sol@example.com.",
    ]
    widget.accept()
    assert "mundo" not in said(widget.report.value)


def test_a_world_in_the_folder_goes_with_its_copy(tmp_path: Path, no_sync: None) -> None:
    folder = tmp_path / "agent-run"
    folder.mkdir()
    work(folder, 10)
    (tmp_path / "world.jsonl").rename(folder / "world.jsonl")
    widget = TimelineTree(folder, World(folder), turn=3)
    assert "raul@example.com: Renueva" in said(widget.picture.value)
    assert widget.task.world is not None
    assert widget.task.world.path.parent == widget.task.folder != folder


def test_a_world_that_can_not_be_copied_with_the_task_is_refused(folder: Path, tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "otro", folder.parent / "al lado"):
        with pytest.raises(ValueError, match="El mundo tiene que estar"):
            TimelineTree(folder, World(place))


def test_only_the_task_and_its_forks_are_copied(family: Path) -> None:
    (family.parent / "otra cosa").mkdir()
    (family.parent / "agent-run-ajena").mkdir()
    (family.parent / "grande.bin").write_bytes(b"x")
    copy = Task(family, outside(family)).copy()
    names = {path.name for path in copy.folder.parent.iterdir()}
    assert names == {"agent-run", "agent-run-veinte", "world.jsonl"}
    assert not list(copy.folder.parent.rglob(".lock"))
    original = {name: data for name, data in on_disk(family).items() if name.split("/")[0] in names}
    assert on_disk(copy.folder) == original


def test_a_folder_is_found_from_anywhere_and_through_a_link(
    family: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "enlace").symlink_to(family)
    monkeypatch.chdir(family.parent)
    assert widget_of(Path("agent-run")).plain() == widget_of(family).plain()
    assert TimelineTree(tmp_path / "enlace", outside(family)).plain() == widget_of(family).plain()


def test_without_a_kernel_every_line_and_turn_is_in_a_table(family: Path) -> None:
    static = str(widget_of(family).static())
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", static)]
    expected = []
    for line in tree(family, outside(family)).every():
        steps = [[str(step.turn), " ".join(step.kept), f"{step.name} → {step.effects[0]}"] for step in line.steps]
        expected += [["–", "–", None], *steps]
    tree_rows = rows[1 : 1 + len(expected)]
    assert [row[1:3] for row in tree_rows] == [row[:2] for row in expected]
    assert [row[3] for row in tree_rows if row[1] != "–"] == [row[2] for row in expected if row[2]]
    assert [row[0] for row in tree_rows if row[1] == "–"] == [
        "línea en uso agent-run",
        "línea abandonada abandoned/001",
        "bifurcación agent-run-veinte",
    ]
    bare = re.sub(r"<(\w+)[^>]*>", r"<\1>", static)  # no style, role or scope
    assert said(bare) == said(static)
    assert set(re.findall(r"<(\w+)", static)) == set("table caption thead tbody tr th td ul li".split())


def test_without_a_kernel_it_says_of_each_turn_what_a_rewind_would_leave(family: Path) -> None:
    widget = widget_of(family)
    static = str(widget.static()).split("<tbody>")[2]
    rows = re.findall(r"<tr><th[^>]*>(.*?)</th><td[^>]*>(.*?)</td></tr>", static)
    assert [row[0] for row in rows] == [label for label, _ in widget.choice.options]
    for (_, items), (_, (name, turn)) in zip(rows, widget.choice.options, strict=True):
        named = effects_beyond(family.with_name(name), turn)
        assert re.findall(r"<li>(.*?)</li>", items) == (named or ["ninguno"])


def test_as_text_it_is_the_tree_and_what_a_rewind_would_leave(family: Path) -> None:
    widget = widget_of(family)
    picture = drawn(tree(family, outside(family)))
    assert widget.plain().startswith(f"{picture}\n\nLos turnos a los que se puede volver · lo que no se deshace:\n")
    rest = widget.plain().removeprefix(picture).splitlines()[3:]
    expected = []
    for label, (name, turn) in widget.choice.options:
        effects = effects_beyond(family.with_name(name), turn) or ["ninguno"]
        expected += [label, *(f"    {effect}" for effect in effects)]
    assert rest == expected
    assert repr(widget) == widget.plain()


def test_the_tables_say_every_word_of_the_text(family: Path) -> None:
    work(family, 10, resume=True, label="after-tool:5")
    for widget in (widget_of(family), TimelineTree(family)):
        assert set(words_of(widget.plain())) <= set(words_of(said(str(widget.static()))))


def test_two_runs_show_the_same(tmp_path: Path, no_sync: None) -> None:
    shown = []
    for place in (tmp_path / "uno" / "agent-run", tmp_path / "dos" / "agent-run"):
        place.mkdir(parents=True)
        work(place, 10, 10, 10, 50)
        widget = rewound(place)
        widget.go_on()
        widget.fork()
        bundle = widget._repr_mimebundle_()
        shown.append((bundle["text/plain"], bundle["text/html"], widget.report.value, widget.picture.value))
    assert shown[0] == shown[1]
    assert not re.search(r"/tmp|0x[0-9a-f]{6}|\d{4}-\d\d|Path\(|Line\(", "".join(shown[0]))


def test_a_cell_that_runs_twice_leaves_one_handler(folder: Path) -> None:
    cell = compile("lines = TimelineTree(five, world, run, turn=3)", "cell", "exec")
    space: dict[str, Any] = {"TimelineTree": TimelineTree, "five": folder, "world": outside(folder), "run": resume}
    exec(cell, space)
    first = space["lines"]
    exec(cell, space)
    second = space["lines"]
    second.forking.click()
    assert [path.name for path in sorted(second.task.folder.parent.glob("*rama*"))] == ["agent-run-rama-1"]
    assert list(first.task.folder.parent.glob("*rama*")) == []
    for button in (second.rewinding, second.accepting, second.forking, second.going_on, second.starting):
        assert len(button._click_handlers.callbacks) == 1
    assert (first.node, second.node) == (("agent-run", 3), ("agent-run-rama-1", 3))


def test_what_is_done_is_read_aloud_in_spanish(folder: Path) -> None:
    assert rewound(folder).report.value.startswith('<div lang="es"><div role="status">')
    assert rewound(folder).picture.value.startswith('<div lang="es">')


def test_the_second_click_of_two_on_accept_leaves_the_report_of_the_first(folder: Path) -> None:
    widget = widget_of(folder, turn=3)
    widget.rewinding.click()
    widget.accepting.click()
    report = widget.report.value
    widget.accepting.click()
    assert widget.report.value == report and "volvió al B del turno 3." in said(report)
