"""The write explorer as a widget: each step shows what a process that died there really left."""

import html
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from lesson_code.course.explorer import explorer
from lesson_code.course.steps import named, together, writes_of
from lesson_code.course.writes import WriteExplorer
from lesson_code.harness import save_checkpoint
from lesson_code.lab.disk import Death, die_while_saving, example, explore
from lesson_code.lab.power import power_cut
from tests.lab.saves import (
    NEW,
    OLD,
    deaths,
    save_delete_first,
    save_in_place,
    save_replace,
    save_synced_file,
)
from tests.notebooks.guards import words_of

SAVES = [save_checkpoint, save_in_place, save_replace, save_delete_first, save_synced_file]
READS = {"old": "el viejo", "new": "el nuevo", "broken": "roto", "missing": "ninguno"}
each_save = pytest.mark.parametrize("save", SAVES, ids=lambda save: save.__name__)


class Table(HTMLParser):
    """The text of each cell of each row of the tables in some markup; what is folded away is left out."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.folded = self.inside = 0
        self.feed(markup)
        self.cells = {row[0]: row[1:] for row in self.rows}

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.folded += tag == "details"
        if tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td"):
            self.rows[-1].append("")
            self.inside += 1

    def handle_endtag(self, tag: str) -> None:
        self.folded -= tag == "details"
        self.inside -= tag in ("th", "td")

    def handle_data(self, data: str) -> None:
        if self.inside and not self.folded:
            self.rows[-1][-1] += data


def said(markup: str) -> str:
    """What a reader sees of some markup."""
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def beside(**options: Any) -> WriteExplorer:
    return WriteExplorer({"encima": deaths(save_in_place), "atómica": deaths()}, old=OLD, **options)


def one(data: bytes, name: str = "checkpoint.json", reason: str = "") -> WriteExplorer:
    """The explorer of a write of one step, which left `data`."""
    return WriteExplorer([Death(("close", name, ""), {name: data}, "broken", reason)])


def file_in(cell: str) -> int | None:
    """How many bytes a cell says that a file has."""
    found = re.match(r"(\d+) bytes", cell)
    return int(found[1]) if found else None


@each_save
def test_each_step_shows_every_file_that_a_death_left_there_and_what_is_read(save: Callable[..., None]) -> None:
    widget = WriteExplorer(deaths(save))
    for step, death in enumerate(deaths(save), start=1):
        widget.step = step
        cells = Table(widget.disk.value).cells
        size = len(death.files["checkpoint.json"]) if "checkpoint.json" in death.files else None
        assert file_in(cells["checkpoint.json"][0]) == size
        assert ("no está" in cells["checkpoint.json"][0]) == (size is None)
        others = {name: len(data) for name, data in death.files.items() if name != "checkpoint.json"}
        shown = re.findall(r"(\S+\.tmp) (\d+) bytes", cells["temporal"][0])
        assert {name: int(size) for name, size in shown} == others
        assert re.match(READS[death.reads] + r"\b", cells["el proceso siguiente lee"][0])
        assert cells["el proceso siguiente lee"][0].endswith(f"({death.reason})" if death.reason else "")
        assert said(widget.disk.value).startswith(f"Paso {step} de {len(deaths(save))}.")


@pytest.mark.parametrize("step", [1, 4, 8, 9])
def test_it_shows_what_is_in_a_folder_where_a_process_really_died(tmp_path: Path, step: int) -> None:
    assert die_while_saving(two_saves, tmp_path, save=2, step=step) == 137
    widget = WriteExplorer(deaths())
    widget.step = step
    cells = Table(widget.disk.value).cells
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir() if path.name != ".lock"}
    assert file_in(cells["checkpoint.json"][0]) == sizes.pop("checkpoint.json")
    shown = re.findall(r"\.tmp (\d+) bytes", cells["temporal"][0])
    assert [int(size) for size in shown] == [*sizes.values()]


def two_saves(folder: Path) -> None:
    from lesson_code.lab.disk import example

    save_checkpoint(example(21), folder)
    save_checkpoint(example(22, pending=True), folder)


def test_it_opens_on_the_first_step_and_teaches_there() -> None:
    widget = beside()
    cells = Table(widget.disk.value).cells
    assert said(widget.disk.value).startswith("Paso 1 de 10. Muere después de open: abre el archivo")
    size = len(deaths()[0].files["checkpoint.json"])
    assert cells["checkpoint.json"] == [f"0 bytes ≠ distinto (antes del paso, {size} bytes)", f"{size} bytes = igual"]
    assert cells["el proceso siguiente lee"][0].startswith("roto ≠ distinto (se corta")
    assert cells["el proceso siguiente lee"][1].strip() == "el viejo = igual"


def test_what_changed_is_said_of_each_file_and_of_what_is_read() -> None:
    widget, size = beside(), len(deaths()[-1].files["checkpoint.json"])
    widget.step = 9
    cells = Table(widget.disk.value).cells
    old = len(deaths()[0].files["checkpoint.json"])
    assert cells["checkpoint.json"][1] == f"{size} bytes ≠ distinto (antes del paso, {old} bytes)"
    assert cells["temporal"][1].endswith(f"no está ≠ distinto (antes del paso, {size} bytes)")
    assert cells["el proceso siguiente lee"][1].strip() == "el nuevo ≠ distinto"
    widget.step = 10
    assert "≠" not in "".join(cell for row in Table(widget.disk.value).rows for cell in row)
    widget.step = 1
    assert Table(widget.disk.value).cells["temporal"][1].endswith("0 bytes ≠ distinto (antes del paso no estaba)")


@each_save
def test_a_change_is_told_wherever_bytes_or_readings_differ_and_nowhere_else(save: Callable[..., None]) -> None:
    widget, found = WriteExplorer(deaths(save)), deaths(save)
    for step in range(2, len(found) + 1):
        widget.step = step
        cells = Table(widget.disk.value).cells
        was, now = found[step - 2], found[step - 1]
        same = was.files.get("checkpoint.json") == now.files.get("checkpoint.json")
        assert ("= igual" in cells["checkpoint.json"][0], "≠" in cells["checkpoint.json"][0]) == (same, not same)
        names = {*was.files, *now.files} - {"checkpoint.json"}
        assert cells["temporal"][0].count("≠") == sum(was.files.get(n) != now.files.get(n) for n in names)
        assert ("≠" in cells["el proceso siguiente lee"][0]) == (was.reads != now.reads)


def test_without_what_was_there_before_the_first_step_is_compared_with_nothing() -> None:
    assert "igual" not in said(WriteExplorer(deaths()).disk.value)
    assert "distinto" not in said(WriteExplorer(deaths()).disk.value)


def test_two_writes_go_side_by_side_each_in_its_own_order() -> None:
    found = {save.__name__: deaths(save) for save in SAVES}
    rows = together(writes_of(found, (), None))
    for which, some in enumerate(found.values()):
        assert [step for step, takers in rows if which in takers] == named(some)
    widget = beside()
    assert len(widget.rows) == 10  # the six of the other one are among them
    widget.step = 6
    cells = Table(widget.disk.value).cells
    assert cells["su paso"][0] == "no da este paso; sigue como después de write, trozo 4"
    assert cells["su paso"][1].startswith("flush: checkpoint.json.")
    assert cells["checkpoint.json"][0].startswith(f"{len(deaths(save_in_place)[4].files['checkpoint.json'])} bytes = ")
    widget.step = 10
    assert Table(widget.disk.value).cells["su paso"][0].endswith("sigue como después de close")
    assert Table(widget.disk.value).cells["su paso"][1] == "fsync de la carpeta"


@pytest.mark.parametrize(
    "old, shown", [(OLD, "13357 bytes = igual"), (None, "no se sabe: está como antes de escribir")]
)
def test_a_write_that_begins_later_is_still_as_it_was(old: dict[str, Any] | None, shown: str) -> None:
    widget = WriteExplorer({"borra": deaths(save_delete_first), "encima": deaths(save_in_place)}, old=old)
    cells = Table(widget.disk.value).cells
    assert cells["su paso"] == ["borrar: checkpoint.json", "todavía no dio ninguno"]
    assert cells["checkpoint.json"][1] == shown


def test_after_a_power_cut_it_shows_what_may_be_read_of_the_writes_that_have_cuts() -> None:
    cuts = power_cut(deaths(), old=OLD, new=NEW)
    widget = beside(cuts={"atómica": cuts})
    for step, may_read in enumerate(cuts, start=1):
        widget.step = step
        cells = Table(widget.disk.value).cells["después de un corte de corriente puede leerse"]
        assert cells == ["–", " · o ".join(READS[reads] for reads in may_read)]
    assert "el viejo · o el nuevo" in said(str(widget.static()))
    assert "corte" not in said(beside().disk.value)


def test_a_button_goes_one_step_and_says_so_at_the_ends() -> None:
    widget = WriteExplorer(deaths())
    for step in range(2, 11):
        widget.next.click()
        assert (widget.step, widget.choice.value) == (step, step)
    widget.next.click()
    assert widget.step == 10
    assert "Este es el último paso" in said(widget.disk.value)
    widget.previous.click()
    assert "Este es el último paso" not in said(widget.disk.value)
    for _ in range(9):
        widget.previous.click()
    assert widget.step == 1
    assert "Este es el primer paso" in said(widget.disk.value)
    assert (widget.previous.description, widget.next.description) == ("Paso anterior", "Paso siguiente")
    assert widget.trouble.value == ""


def test_to_jump_to_set_the_step_and_to_click_there_show_the_same() -> None:
    jumped, told, clicked = beside(), beside(), beside()
    jumped.choice.index = 3
    told.step = 4
    for _ in range(3):
        clicked.next.click()
    assert jumped.disk.value == told.disk.value == clicked.disk.value != beside().disk.value
    assert jumped.state() == told.state() == clicked.state()


def test_the_steps_to_jump_to_are_phrases() -> None:
    labels = [label for label, _ in beside().choice.options]
    assert labels[0] == "1. tras open"
    assert labels[4] == "5. tras write, trozo 4"
    assert said(beside().children[2].children[0].children[0].value) == "El proceso muere…"
    assert len(set(labels)) == 10


@pytest.mark.parametrize("step", [0, 11, -1, None, "3"])
def test_a_step_that_is_not_there_is_refused_and_nothing_moves(step: Any) -> None:
    widget = beside()
    shown = widget.disk.value
    with pytest.raises(ValueError, match="no es una de las opciones"):
        widget.step = step
    assert (widget.step, widget.disk.value) == (1, shown)


def test_the_state_is_that_of_the_step() -> None:
    widget = beside()
    widget.step = 3
    state = widget.state()
    assert (state["step"], state["of"], state["does"]) == (3, 10, "write, trozo 2: le entrega bytes al sistema")
    assert [seen["now"] for seen in state["writes"]] == [deaths(save_in_place)[2], deaths()[2]]
    assert [seen["was"] for seen in state["writes"]] == [deaths(save_in_place)[1], deaths()[1]]


def test_what_a_callback_raises_is_shown_in_spanish_and_goes_on() -> None:
    widget = beside()
    widget.writes[0].deaths = []  # as if its deaths had been lost
    with pytest.raises(IndexError):
        widget.choice.value = 2
    assert said(widget.trouble.value).startswith("Algo falló (IndexError: ")
    (callback,) = widget.next._click_handlers.callbacks
    widget.trouble.value = ""
    with pytest.raises(IndexError):
        callback(widget.next)
    assert said(widget.trouble.value).startswith("Algo falló (IndexError: ")


def test_after_trouble_that_is_over_nothing_is_said_of_it() -> None:
    widget = beside()
    whole, widget.writes[0].deaths = widget.writes[0].deaths, []
    with pytest.raises(IndexError):
        widget.step = 3
    widget.writes[0].deaths = whole
    widget.step = 4
    assert widget.trouble.value == ""


FOREIGN = {
    "script": "<script>alert(1)</script>",
    "image": '<img src=x onerror="alert(1)">',
    "end": "</pre></td></table><h1>",
    "ampersand": "a & b &lt;b&gt;",
    "emoji": "👍🏽 ñ 日本 שלום",
}


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
def test_what_is_in_a_file_is_text(content: str) -> None:
    for widget in (one(content.encode()), one(b"x", name=f"a{content}".replace("/", "-")), one(b"x", reason=content)):
        for markup in (widget.disk.value, str(widget.static())):
            assert not re.search(r"<(script|img|h1)", markup)
            assert markup.count("<table") == markup.count("</table") == 1
    assert html.escape(content) in one(content.encode()).disk.value
    assert html.escape(content) in one(b"x", reason=content).static()


def test_what_turns_a_line_around_is_shown_as_its_code() -> None:
    shown = one("a\u202egpj.exe".encode()).disk.value
    assert "a\\u202egpj.exe" in shown and "\u202e" not in shown


def test_bytes_that_are_no_text_are_shown_as_their_codes() -> None:
    assert "\\xff\\xfe{" in one(b"\xff\xfe{").disk.value
    assert "ñ\\xc3" in one("ññ".encode()[:-1]).disk.value  # cut inside a letter


def test_a_long_file_is_shortened_to_its_two_ends_and_says_how_long_it_was() -> None:
    widget = one(b"<" + b"x" * 1_000_000 + b"END")
    assert len(widget.disk.value) < 4000
    assert "1000004 bytes" in said(widget.disk.value)
    assert "[… recortado: son 1000004 caracteres …]" in said(widget.disk.value)
    assert "&lt;xxx" in widget.disk.value and "xxxEND" in widget.disk.value
    assert len(widget.static()) < 4000
    assert len(one(b"x", name="n" * 5000).disk.value) < 4000


def test_the_content_is_folded_and_an_empty_file_has_none() -> None:
    assert one(b"").disk.value.count("<details>") == 0
    assert re.search(r"<details><summary>Ver el contenido</summary><pre>\{&quot;", one(b'{"').disk.value)


@each_save
def test_without_a_kernel_every_step_is_in_the_table(save: Callable[..., None]) -> None:
    widget = WriteExplorer(deaths(save), power_cut(deaths(save), old=OLD, new=NEW))
    rows = Table(str(widget.static())).rows
    steps = enumerate(named(deaths(save)), start=1)
    assert [row[0] for row in rows[1:]] == [f"{number}. {name}: {does}" for number, (name, does) in steps]
    for step, row in enumerate(rows[1:], start=1):
        widget.step = step
        live = Table(widget.disk.value).rows[2:]
        assert row[1:] == [cell for _, cell in live]


def test_without_a_kernel_each_write_has_its_table_and_needs_no_style() -> None:
    static = str(beside().static())
    assert re.findall(r"<caption[^>]*>([^<]*)", static) == [
        f"Cada paso de la escritura «{name}»: lo que queda en disco si el proceso muere después de él"
        for name in ("encima", "atómica")
    ]
    bare = re.sub(r"<(\w+)[^>]*>", r"<\1>", static)  # no style, role, class or scope
    assert said(bare) == said(static)
    assert set(re.findall(r"<(\w+)", static)) == {"table", "caption", "thead", "tbody", "tr", "th", "td", "span"} | {
        "div",
        "code",
        "p",
    }
    for label in ("= igual", "≠ distinto", "el viejo", "el nuevo", "roto"):
        assert label in said(bare)


def test_where_a_name_has_something_at_random_it_says_what_stands_for_it() -> None:
    assert "XXXXXXXX está en el lugar de ocho caracteres al azar." in said(WriteExplorer(deaths()).disk.value)
    assert "XXXXXXXX está en el lugar de ocho caracteres al azar." in said(str(WriteExplorer(deaths()).static()))
    assert "azar" not in said(WriteExplorer(deaths(save_in_place)).disk.value)


def test_as_text_it_is_the_explorer_of_each_write() -> None:
    cuts = power_cut(deaths(), old=OLD, new=NEW)
    assert WriteExplorer(deaths()).plain() == explorer(deaths())
    assert beside(cuts={"atómica": cuts}).plain().split("\n") == [
        "encima:",
        *explorer(deaths(save_in_place)).split("\n"),
        "atómica:",
        *explorer(deaths()).split("\n"),
        *explorer(deaths(), cuts).split("\n"),
    ]
    assert repr(WriteExplorer(deaths())) == explorer(deaths())


@each_save
def test_the_table_says_every_word_of_the_text(save: Callable[..., None]) -> None:
    widget = WriteExplorer({"una": deaths(save)}, {"una": power_cut(deaths(save), old=OLD, new=NEW)}, old=OLD)
    assert set(words_of(widget.plain())) <= set(words_of(said(str(widget.static()).replace("<", " <"))))


def test_two_runs_show_the_same() -> None:
    shown = [WriteExplorer(explore(old=OLD, new=NEW), old=OLD)._repr_mimebundle_() for _ in range(2)]
    for kind in ("text/plain", "text/html"):
        assert shown[0][kind] == shown[1][kind]
        assert not re.search(r"/tmp|0x[0-9a-f]{6}|Death\(|b'", shown[0][kind])


def test_a_cell_that_runs_twice_leaves_one_handler() -> None:
    cell = compile("explorer = WriteExplorer(found)", "cell", "exec")
    space: dict[str, Any] = {"WriteExplorer": WriteExplorer, "found": deaths()}
    exec(cell, space)
    first = space["explorer"]
    exec(cell, space)
    second = space["explorer"]
    changes: list[Any] = []
    second.disk.observe(changes.append, "value")
    second.next.click()
    assert len(changes) == 1
    assert (first.step, second.step) == (1, 2)
    assert len(second.next._click_handlers.callbacks) == len(second.previous._click_handlers.callbacks) == 1


def test_a_click_is_read_aloud_in_spanish() -> None:
    assert beside().disk.value.startswith('<div lang="es"><div role="status">')


@pytest.mark.parametrize("nothing", [[], {}, {"vacía": []}])
def test_a_write_without_steps_is_refused(nothing: Any) -> None:
    with pytest.raises(ValueError, match="no escribió nada"):
        WriteExplorer(nothing)


@pytest.mark.parametrize("cuts", [[("old",)], {"otra": [("old",)]}, {"atómica": [("old",)] * 9}])
def test_the_cuts_of_another_write_are_refused(cuts: Any) -> None:
    with pytest.raises(ValueError, match="de otra escritura"):
        beside(cuts=cuts)


def test_the_first_checkpoint_of_a_folder_can_be_explored_too() -> None:
    widget = WriteExplorer(deaths(first=True))
    assert Table(widget.disk.value).cells["checkpoint.json"] == ["no está "]
    assert Table(widget.disk.value).cells["el proceso siguiente lee"][0].strip() == "ninguno"
    widget.step = 10
    assert json.loads(widget.state()["writes"][0]["now"].files["checkpoint.json"]) == example(22, pending=True)


def test_nothing_is_said_of_chance_at_a_step_that_has_none_on_disk() -> None:
    widget = WriteExplorer(deaths())
    widget.step = len(widget.rows)
    assert "XXXXXXXX" not in said(widget.disk.value)
