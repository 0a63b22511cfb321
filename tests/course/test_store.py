"""What a learner has done is kept: whoever dies, writes at the same time or spoils the file, nothing of it is lost."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from lesson_code.course.exercises import store
from tests.support import DROP_RIGHTS, NOT_STRICT, ROOT, child, dies_at_step, let_others_in, snapshot

POSIX = pytest.mark.skipif(os.name == "nt", reason="forks, and rights of POSIX")
FIRST = {"checked": {"once": True}, "answer": {"program": "ñ"}, "ticked": ["cause"], "texts": {"cause": "porque sí"}}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_sync: None) -> Path:
    """Where the progress of a test is."""
    place = tmp_path / "avance" / "mío.json"
    monkeypatch.setenv(store.VARIABLE, str(place))
    return place


def tick(name: str) -> Any:
    return lambda entry: entry["ticked"].append(name)


def put(entry: store.Entry) -> None:
    entry.update(json.loads(json.dumps(FIRST)))


def test_the_file_stands_in_the_course_and_git_ignores_it_and_all_that_comes_with_it() -> None:
    assert store.FILE == ROOT / "mi-progreso.json"
    names = [store.FILE.name, "mi-progreso.json.lock", "mi-progreso.json.0123abcd.tmp", "mi-progreso-ilegible-001.json"]
    asked = subprocess.run(["git", "check-ignore", *names], cwd=ROOT, capture_output=True, encoding="utf-8")
    if "not a git repository" in asked.stderr:
        pytest.skip("not a clone")
    assert asked.stdout.splitlines() == names


def test_another_path_can_be_given_and_without_one_it_is_in_the_course(monkeypatch: pytest.MonkeyPatch) -> None:
    assert store.path().name == "mío.json"
    for value in ("", None):
        monkeypatch.delenv(store.VARIABLE) if value is None else monkeypatch.setenv(store.VARIABLE, value)
        assert store.path() == store.FILE


def test_what_was_kept_is_read_and_each_exercise_has_its_own() -> None:
    assert store.read() == {} and store.entry_of("3.2")["ticked"] == []
    assert store.change("3.2", put) == []
    assert store.change("5.1", tick("why")) == []
    assert store.entry_of("3.2") == FIRST
    assert store.read() == {
        "3.2": FIRST,
        "5.1": {"checked": {}, "answer": None, "ticked": ["why"], "texts": {}},
    }


def test_looking_writes_nothing(place: Path) -> None:
    store.read(), store.entry_of("3.2")
    assert not place.parent.exists()


def test_a_person_can_read_the_file(place: Path) -> None:
    store.change("3.2", put)
    assert '"porque sí"' in place.read_text(encoding="utf-8")
    assert json.loads(place.read_bytes()).keys() == {"version", "exercises"}


def test_half_a_character_is_kept_as_far_as_it_can_be() -> None:
    assert store.change("3.2", lambda entry: entry["texts"].update(cause="a\ud800ñ")) == []
    assert store.entry_of("3.2")["texts"] == {"cause": "a?ñ"}


def test_an_action_that_fails_changes_nothing() -> None:
    store.change("3.2", put)

    def action(entry: store.Entry) -> None:
        entry["ticked"].clear()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.change("3.2", action)
    assert store.entry_of("3.2") == FIRST
    assert store.change("3.2", tick("x")) == []


# Who dies


@POSIX
def test_whoever_dies_in_the_middle_of_a_save_loses_nothing(place: Path) -> None:
    store.change("3.2", put)
    step = 1
    while dies_at_step(step, lambda: store.change("5.1", tick("why")), place.parent):
        found = store.read()
        assert found["3.2"] == FIRST
        assert found.get("5.1", {"ticked": []})["ticked"] in ([], ["why"])
        assert store.change("3.2", lambda entry: None) == []
        store.change("5.1", lambda entry: entry["ticked"].clear())
        assert [path.name for path in place.parent.iterdir() if path.suffix == ".tmp"] == []
        step += 1
    assert step > 4
    assert store.read()["5.1"]["ticked"] == ["why"]


KILLED = """
import os, sys
from lesson_code.course.exercises import store
def replace(*given): os.kill(os.getpid(), 9)
os.replace = replace
store.change("5.1", lambda entry: entry["ticked"].append("why"))
"""


@POSIX
def test_whoever_is_killed_leaves_a_temporary_that_the_next_one_sweeps_with_the_lock_free(place: Path) -> None:
    store.change("3.2", put)
    assert child(KILLED).returncode == -9
    assert len(list(place.parent.glob("*.tmp"))) == 1
    assert store.change("5.1", tick("x")) == []
    assert sorted(path.name for path in place.parent.iterdir()) == ["mío.json", "mío.json.lock"]
    assert store.read()["3.2"] == FIRST


def test_only_its_own_temporaries_are_swept(place: Path) -> None:
    store.change("3.2", put)
    others = ["mío.json.tmp", "mío.json.0123.tmp", "otro.json.0123abcd.tmp", "mío.json.0123abcd.tmp.bak"]
    for name in others:
        (place.parent / name).write_bytes(b"x")
    store.change("3.2", tick("x"))
    assert {path.name for path in place.parent.iterdir()} == {*others, "mío.json", "mío.json.lock"}


# Who writes at the same time

MANY = """
import sys
from lesson_code.course.exercises import store
for number in range(40):
    said = store.change(sys.argv[1], lambda entry: entry["ticked"].append(sys.argv[2] + str(number)))
    assert said == [], said
"""


def test_two_who_write_at_the_same_time_lose_nothing_of_each_other() -> None:
    command = [sys.executable, "-c", MANY]
    options: dict[str, Any] = {"cwd": ROOT, "env": {**os.environ, "PYTHONPATH": str(ROOT)}, "stderr": subprocess.PIPE}
    some = [subprocess.Popen([*command, number, name], **options) for number, name in (("3.2", "a"), ("3.2", "b"))]
    some.append(subprocess.Popen([*command, "5.1", "c"], **options))
    assert [one.communicate(timeout=60)[1] for one in some] == [b"", b"", b""]
    ticked = store.read()["3.2"]["ticked"]
    assert sorted(ticked) == sorted(f"{name}{number}" for name in "ab" for number in range(40))
    for name in "ab":
        assert [each for each in ticked if each[0] == name] == [f"{name}{number}" for number in range(40)]
    assert len(store.read()["5.1"]["ticked"]) == 40


def test_whoever_waits_too_long_says_so(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.change("3.2", put)
    monkeypatch.setattr(store, "WAIT", 0.05)
    with FileLock(f"{place}.lock"):
        said = store.change("3.2", tick("x"))
    assert len(said) == 1 and said[0].startswith("Tu avance no se pudo guardar en mío.json (")
    assert "(otro cuaderno lo está usando)" in said[0]
    assert store.entry_of("3.2") == FIRST


# What can't be read

WHOLE = {"version": 1, "exercises": {"3.2": FIRST}}
STRANGE: dict[str, Any] = {
    "a list": [],
    "a text": "hola",
    "nothing in it": {},
    "a newer version": {**WHOLE, "version": 2},
    "version true": {**WHOLE, "version": True},
    "no exercises": {"version": 1},
    "exercises in a list": {"version": 1, "exercises": [FIRST]},
    "an entry that is none": {"version": 1, "exercises": {"3.2": "hola"}},
    "an entry without a part": {"version": 1, "exercises": {"3.2": {**FIRST, "texts": None}}},
    "an entry without an answer": {"version": 1, "exercises": {"3.2": {k: FIRST[k] for k in FIRST if k != "answer"}}},
}
UNREADABLE = {**NOT_STRICT, **{name: json.dumps(value).encode() for name, value in STRANGE.items()}}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_file_that_was_not_written_here_is_set_aside_byte_for_byte(place: Path, name: str) -> None:
    place.parent.mkdir()
    place.write_bytes(UNREADABLE[name])
    with pytest.raises(ValueError):
        store.read()
    assert store.entry_of("3.2")["ticked"] == []
    assert place.read_bytes() == UNREADABLE[name]
    said = store.change("3.2", put)
    assert said == ["mío.json no se podía leer: quedó aparte, entero, como mío-ilegible-001.json, y empezó uno nuevo."]
    assert (place.parent / "mío-ilegible-001.json").read_bytes() == UNREADABLE[name]
    assert store.read() == {"3.2": FIRST}
    assert store.change("3.2", put) == []


def test_what_was_set_aside_before_is_not_written_over(place: Path) -> None:
    place.parent.mkdir()
    for number in range(1, 4):
        place.write_bytes(b"%d" % number)
        assert f"mío-ilegible-{number:03d}.json" in store.change("3.2", put)[0]
    aside = [place.parent / f"mío-ilegible-{number:03d}.json" for number in range(1, 4)]
    assert [path.read_bytes() for path in aside] == [b"1", b"2", b"3"]


# Where nothing can be written


@POSIX
def test_a_place_of_somebody_else_s_is_said_in_a_sentence(place: Path) -> None:
    store.change("3.2", put)
    let_others_in(place)
    place.parent.chmod(0o555)
    before = snapshot(place.parent)
    code = f"from lesson_code.course.exercises import store\n{DROP_RIGHTS}\nprint(*store.change('3.2', print))"
    ended = child(code, env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"})
    place.parent.chmod(0o755)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert re.fullmatch(r"Tu avance no se pudo guardar en mío\.json \([^()/]+\)\. [^\n]+\n", ended.stdout)
    assert snapshot(place.parent) == before


@pytest.mark.parametrize("what", ["a file above it", "a folder in its place", "a link in its place"])
def test_a_place_that_is_no_place_is_said_in_a_sentence_and_stays(place: Path, what: str, tmp_path: Path) -> None:
    if what == "a file above it":
        place.parent.write_bytes(b"x")
    else:
        place.parent.mkdir()
        place.mkdir() if what == "a folder in its place" else place.symlink_to(tmp_path / "elsewhere")
    before = {name: value for name, value in snapshot(tmp_path).items() if not name.endswith(".lock")}
    said = store.change("3.2", put)
    assert len(said) == 1 and said[0].startswith("Tu avance no se pudo guardar en mío.json (")
    assert "Errno" not in said[0] and str(tmp_path) not in said[0]
    assert {name: value for name, value in snapshot(tmp_path).items() if not name.endswith(".lock")} == before
    assert store.entry_of("3.2")["ticked"] == []
