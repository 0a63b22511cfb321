"""The words: one table per language, one function that renders, and no field that breaks a line."""

import ast
import errno
import re
import string
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from lesson_code import words
from lesson_code.course.board import HEADS
from lesson_code.engines.attacks import ENGINES
from lesson_code.harness.client import STATUSES
from lesson_code.harness.conversation import Fault
from lesson_code.lab.orders import KINDS
from lesson_code.lab.strategies import STRATEGIES
from lesson_code.lab.verdict import MOMENTS, READING
from lesson_code.words import gate, indented, is_warning, one_line, reason, say, use, warn
from lesson_code.words.es import SENTENCES
from tests.notebooks.lint import faults_of_gate

ROOM = Path(words.__file__).parents[1]
RENDERERS = {"say", "emit", "show", "warn", "announce"}
FAULTS = re.search(r"`kind`: ([\w, ]+)", str(Fault.__doc__))
VARIABLE = {
    "fault_": {name for name in re.findall(r"\w+", FAULTS[1] if FAULTS else "") if name != "or"},
    "client_": {*map(str, STATUSES), "5xx", "other"},
    "board_": set(STRATEGIES),
    "tablero_head_": set(HEADS),
    "engine_": set(ENGINES),
    "kind_": set(KINDS),
    "moment_": set(MOMENTS),
    "row_": set(READING),
    "ex_is_": {"untried", "not_yet", "checked", "error"},
    "read_": {*READING.values(), "write", "order", "finished", "unnoted"},
    "errno_": set(errno.errorcode.values()) | {"EDQUOT"},
}
"""The keys that are put together: what stands before the braces, and what may follow."""


def code() -> Iterator[tuple[Path, ast.AST]]:
    for path in sorted(ROOM.rglob("*.py")):
        if path.parent.name != "words" or path.name == "__init__.py":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                yield path, node


def literals(node: ast.expr) -> list[str]:
    """The keys that an argument can be, as far as they are written out."""
    if isinstance(node, ast.IfExp):
        return literals(node.body) + literals(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def calls() -> list[tuple[str, str, ast.Call]]:
    """Where it stands, the key, and the call, for each call that renders a sentence."""
    return [
        (f"{path.relative_to(ROOM)}:{node.lineno}", key, node)
        for path, node in code()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RENDERERS and node.args
        for key in literals(node.args[0])
    ]


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def test_every_sentence_that_the_code_says_is_in_the_table() -> None:
    found = calls()
    assert len(found) > 60
    assert [(place, key) for place, key, _ in found if key not in SENTENCES] == []


def test_every_sentence_of_the_table_is_said_somewhere() -> None:
    written: dict[Path, set[str]] = {}
    for path, node in code():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            written.setdefault(path, set()).add(node.value)
    said = set().union(*written.values())
    for path, node in code():
        if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            prefix, *rest = [str(part.value) if isinstance(part, ast.Constant) else None for part in node.values]
            last = str(rest[-1] or "") if rest else ""
            said |= {f"{prefix}{middle}{last}" for middle in VARIABLE.get(str(prefix), written[path])}
    assert [key for key in SENTENCES if key not in said] == []


@pytest.mark.parametrize("prefix", ["fault_", "client_", "board_", "engine_", "kind_", "moment_", "row_", "read_"])
def test_every_key_that_is_put_together_is_in_the_table(prefix: str) -> None:
    assert VARIABLE[prefix]
    assert [ending for ending in VARIABLE[prefix] if prefix + ending not in SENTENCES] == []


def test_every_caller_passes_the_fields_of_its_sentence_and_no_other() -> None:
    wrong = []
    for place, key, call in calls():
        given = {keyword.arg for keyword in call.keywords}
        if None not in given and given != placeholders(SENTENCES[key]):
            wrong.append((place, key, given, placeholders(SENTENCES[key])))
    assert wrong == []


@pytest.mark.parametrize("language", words.TABLES)
def test_every_placeholder_is_a_plain_name(language: str) -> None:
    for key, sentence in words.TABLES[language].items():
        for _, name, spec, conversion in string.Formatter().parse(sentence):
            assert name is None or (re.fullmatch("[a-z]+", name) and not spec and not conversion), key


@pytest.mark.parametrize("language", words.TABLES)
def test_every_language_says_the_same_with_the_same_fields(language: str) -> None:
    table = words.TABLES[language]
    assert {key: placeholders(text) for key, text in table.items()} == {
        key: placeholders(text) for key, text in SENTENCES.items()
    }


@pytest.mark.parametrize("language, key", [(language, key) for language, gates in words.GATES.items() for key in gates])
def test_every_gate_has_a_reason_for_each_option_and_one_that_is_right(language: str, key: str) -> None:
    question, options = words.GATES[language][key]
    assert faults_of_gate(question, options) == []
    assert all(one_line(part) == part for part in (question, *(part for pair in options for part in pair)))


@pytest.mark.parametrize("language", words.GATES)
def test_every_language_asks_the_same_gates_with_as_many_options(language: str) -> None:
    assert set(words.GATES) == set(words.TABLES)
    assert shape(words.GATES[language]) == shape(words.GATES["es"])


def shape(gates: dict[str, tuple[str, list[tuple[str, str]]]]) -> dict[str, int]:
    """How many options each gate has."""
    return {key: len(options) for key, (_, options) in gates.items()}


def test_a_gate_is_asked_for_by_its_key() -> None:
    assert gate("who_runs_the_tool") == words.GATES["es"]["who_runs_the_tool"]
    with pytest.raises(KeyError):
        gate("nada")


def test_every_sentence_of_an_error_is_one_line() -> None:
    many = {key for key, sentence in SENTENCES.items() if "\n" in sentence}
    assert many <= {"help", "attack_help", "sample_notes"}


def test_an_unknown_language_is_refused_and_the_old_one_stays() -> None:
    with pytest.raises(KeyError):
        use("xx")
    assert say("interrupted").startswith("Interrumpido")
    use("es")
    assert say("interrupted").startswith("Interrumpido")


def test_an_unknown_key_and_a_missing_field_are_errors() -> None:
    with pytest.raises(KeyError):
        say("nada")
    with pytest.raises(KeyError):
        say("save_b")


@pytest.mark.parametrize(
    "text, shown",
    [
        ("listo", "listo"),
        ("ñandú, «sí» — ①★ 日本 👍", "ñandú, «sí» — ①★ 日本 👍"),
        ("a\nb", r"a\nb"),
        ("a\r\nb", r"a\r\nb"),
        ("a\tb", r"a\tb"),
        ("\x00\x1b[2J\x7f\x85\x9b", r"\x00\x1b[2J\x7f\x85\x9b"),
        ("\u061c\u200e\u200f\u202a\u202e\u2066\u2069", r"\u061c\u200e\u200f\u202a\u202e\u2066\u2069"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("a\udcf1\ud800", r"a\udcf1\ud800"),
        (None, "None"),
        (4, "4"),
        (ValueError("x\ny"), r"x\ny"),
    ],
    ids=ascii,
)
def test_a_field_stays_on_one_line(text: object, shown: str) -> None:
    assert one_line(text) == shown


def test_nothing_that_breaks_or_turns_a_line_gets_through() -> None:
    bidi = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    for character in map(chr, range(0x110000)):
        breaks = unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or len(f"a{character}b".splitlines()) > 1
        if breaks or unicodedata.bidirectional(character) in bidi or character in "\u061c\u200e\u200f":
            assert one_line(character).isascii() and one_line(character).isprintable(), ascii(character)
        elif unicodedata.category(character)[0] in "LNPS":
            assert one_line(character) == character


@pytest.mark.parametrize(
    "text, shown",
    [
        ("", ""),
        ("listo", "listo"),
        ("uno\ndos", "uno\n  dos"),
        ("uno\r\ndos\n", "uno\n  dos\n  "),
        ("\n[done] x", "\n  [done] x"),
        ("uno\r[done] x", r"uno\r[done] x"),
        ("uno\u2028[done]\x0b[done]\x0c[done]\x85[done]", r"uno\u2028[done]\x0b[done]\x0c[done]\x85[done]"),
    ],
    ids=ascii,
)
def test_no_line_of_an_answer_but_the_first_begins_at_the_margin(text: str, shown: str) -> None:
    assert indented(text) == shown


def test_a_field_cannot_forge_a_line() -> None:
    assert say("save_a", turn=1, name="x\n[done] listo\x1b[2J") == r"[turn 1][save A] pending=x\n[done] listo\x1b[2J"


def test_a_field_is_not_taken_for_a_template() -> None:
    assert say("save_a", turn="{name}", name="{turn!r:>999}") == "[turn {name}][save A] pending={turn!r:>999}"


@pytest.mark.parametrize("code", ["EACCES", "EPERM", "ENOSPC", "EROFS", "ENOTDIR", "ENAMETOOLONG", "EISDIR", "EIO"])
def test_the_system_s_reasons_are_said_in_our_words_and_without_the_path(code: str) -> None:
    number = getattr(errno, code)
    assert reason(OSError(number, "English words", "/ruta")) == SENTENCES[f"errno_{code}"]


def test_a_reason_without_words_of_ours_is_the_system_s_own() -> None:
    assert reason(OSError(errno.EPIPE, "Broken pipe", "/ruta")) == "Broken pipe"
    assert reason(OSError("es un enlace")) == "es un enlace"
    assert reason(ValueError("x")) == "x"


def test_only_warnings_are_printed_when_nobody_listens(capsys: pytest.CaptureFixture[str]) -> None:
    warn("save_b", turn=1)
    warn("warning_task_first")
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", SENTENCES["warning_task_first"] + "\n")
    assert is_warning("warning_task_first") and not is_warning("save_b")


def test_a_warning_that_cannot_be_written_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def write(self, text: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def flush(self) -> None: ...

    monkeypatch.setattr(sys, "stderr", Full())
    words.warn("warning_task_first")
