"""Both READMEs say what is true, and the same."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from lesson_code.lab.child import run_child
from lesson_code.lab.crash import AT_END, IN_RESUME, IN_TURN
from lesson_code.lab.scene import play_for_real
from tests.notebooks.guards import NOTEBOOKS, ROOT, broken_links, easy_words

READMES = [ROOT / "README.md", ROOT / "README.es.md"]
EASY = re.compile(r"\b(easy|easily|just|simple|simply|obvious|obviously|trivial|straightforward)\b", re.IGNORECASE)

each_readme = pytest.mark.parametrize("text", [path.read_text(encoding="utf-8") for path in READMES], ids=["en", "es"])


@each_readme
def test_its_links_and_pictures_are_there(text: str) -> None:
    assert broken_links(text, ROOT) == []


@each_readme
def test_it_calls_nothing_easy(text: str) -> None:
    assert easy_words(text) + EASY.findall(text) == []


@each_readme
def test_it_says_why_each_dependency_is_here(text: str) -> None:
    files = [ROOT / place / "requirements.txt" for place in ("", "tests", "lesson_code/engines")]
    asked = [re.split(r"[<>=[]", line)[0] for path in files for line in lines(path) if line[0] not in "#-"]
    assert [name for name in asked if f"\n| {name} | " not in text] == []


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


@each_readme
def test_it_shows_what_the_command_prints(text: str, tmp_path: Path) -> None:
    folder = tmp_path / "agent-run"
    folder.mkdir()
    died = play_for_real(folder, "after-effect-write:3")
    ended = play_for_real(died.folder, resume=True)
    shown = [block.splitlines() for block in re.findall(r"```text\n(\[.*?)```", text, re.DOTALL)]
    assert [block[:-1] for block in shown] == [died.log, ended.log]
    assert [int(block[-1].split(": ")[1]) for block in shown] == [died.exit_code, ended.exit_code]


@cache
def ran(arguments: str) -> "subprocess.CompletedProcess[str]":
    """The command that both show, run once."""
    return run_child("-m", *arguments.split())


@each_readme
def test_it_shows_what_an_attack_prints(text: str) -> None:
    arguments = re.findall(r"bin/python -m (lesson_code\.lab\.attack \S+ --quick)", text)[0]
    attack = ran(arguments)
    shown = re.findall(r"```text\n(el proceso muere.*?)\n[^\n]+: (\d)\n```", text, re.DOTALL)
    assert shown == [(attack.stdout.strip(), str(attack.returncode))]


@each_readme
def test_it_names_every_moment_to_die_at(text: str) -> None:
    labels = [*(f"{name}:N" for name in IN_TURN), AT_END, *IN_RESUME]
    assert [label for label in labels if f"`{label}`" not in text] == []


@each_readme
def test_it_links_every_lesson_that_exists(text: str) -> None:
    assert [path.name for path in NOTEBOOKS if f"](notebooks/{path.name})" not in text] == []


def test_both_have_the_same_commands() -> None:
    english, spanish = (
        re.findall(r"```(?:bash|powershell)\n(.*?)```", path.read_text("utf-8"), re.DOTALL) for path in READMES
    )
    assert [command.replace("código de salida", "exit code") for command in spanish] == english


@each_readme
def test_its_map_shows_each_room_once(text: str) -> None:
    rooms = [path.name for path in (ROOT / "lesson_code").iterdir() if any(path.glob("*.py"))]
    shown = re.findall(r"^  (\w+)/ ", text, re.MULTILINE)
    assert sorted(shown) == sorted(rooms)


def test_both_glossaries_have_the_same_terms() -> None:
    english, spanish = (path.read_text("utf-8").split("| Español | English |")[1] for path in READMES)
    terms = [re.findall(r"^\| ([^|]+) \|", glossary, re.MULTILINE) for glossary in (english, spanish)]
    assert terms[0] == terms[1]


@each_readme
def test_the_smallest_function_that_it_shows_can_be_attacked_and_falls(text: str, tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "my_agent.py").write_text(code, encoding="utf-8")
    attack = run_child("-m", "lesson_code.lab.attack", "my_agent:run_agent", "--case", CASE, PYTHONPATH=str(tmp_path))
    assert (attack.returncode, attack.stderr) == (1, "")
    assert "el pedido p01 se entrega más de una vez" in attack.stdout


CASE = "appending/tool-done:1"
