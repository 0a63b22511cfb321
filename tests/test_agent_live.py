"""The command with the real client, which asks the stand-in of the API: what it says and leaves, whatever happens."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from lesson_code.agent import command
from lesson_code.harness import client
from lesson_code.lab.crash import MOMENTS
from lesson_code.lab.fake_api import FakeApi
from lesson_code.lab.model import ScriptedModel
from lesson_code.lab.scene import Outcome, play
from lesson_code.lab.tools import TASK
from lesson_code.lab.trouble import Status
from lesson_code.lab.world import World
from tests.harness.test_folder import snapshot_without_lock
from tests.outside import PROXIES, Ended, assert_no_key, live, nothing_of_this_machine  # noqa: F401
from tests.support import ROOT, answer, call, end, snapshot, text
from tests.test_agent import WHOLE, agent, environment, posix_only

pytestmark = pytest.mark.usefixtures("no_sync")
PAGE = b"<html><body>" + b"<p>Proxy error</p>" * 20_000
AS_HTML = {"content-type": "text/html; charset=utf-8", "retry-after-ms": "1"}
SOON = {"retry-after-ms": "1"}


def scene(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "checkpoint.json").read_bytes()))


def in_child(api: FakeApi, folder: Path, *options: Any, **changes: str) -> Ended:
    """The same in a process of its own."""
    before = len(api.requests)
    ended = agent("--live", "--workdir", folder, *options, **api.environment, **changes)
    out, err = ended.stdout.decode("utf-8"), ended.stderr.decode("utf-8")
    assert_no_key(api, folder, out, err)
    return Ended(ended.returncode, out, err, len(api.requests) - before)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """The task in process, with the scripted model and no network: what all must come to."""
    place = tmp_path_factory.mktemp("casa") / "carpeta"
    place.mkdir()
    (place / "sales-notes.txt").write_text("enero: 10\nfebrero: 12\n", encoding="utf-8")
    return play(place)


def assert_same_end(folder: Path, whole: Outcome) -> None:
    """Checkpoint and report are those of the run that nothing disturbed, and the report was written once."""
    assert scene(folder) == whole.checkpoint
    assert (folder / "report.txt").read_bytes() == (whole.folder / "report.txt").read_bytes()
    assert World(folder).times("write_report") == 1
    effects = json.loads((folder / "effects.json").read_bytes())
    assert {name: {**entry, "at": 0} for name, entry in effects.items()} == {
        name: {**entry, "at": 0} for name, entry in whole.effects.items()
    }


# The same loop


def test_a_whole_task_says_and_leaves_what_the_scripted_one_does(folder: Path, whole: Outcome) -> None:
    with FakeApi(ScriptedModel()) as api:
        ended = live(api, folder, **PROXIES)
    assert ended == (0, WHOLE.decode(), "", 4)
    assert_same_end(folder, whole)
    first = api.requests[0].body
    assert (first["model"], first["max_tokens"]) == (client.MODEL, 4096) and "system" not in first
    assert first["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}
    assert [tool["name"] for tool in first["tools"]] == ["read_notes", "count_words", "write_report"]
    origin = json.loads((folder / "origin.json").read_bytes())
    assert origin == {"model": client.MODEL, "system": "", "tools": first["tools"]}


def test_even_where_the_package_logs_all_it_does_the_key_is_said_nowhere(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    with FakeApi(ScriptedModel(), trouble=[None, Status(500, headers=SOON), Status(429, headers=SOON), 401]) as api:
        assert live(api, folder).requests == 4
    assert "Request options" in caplog.text and "429" in caplog.text
    assert_no_key(api, folder, caplog.text)


def test_where_nothing_is_live_the_package_is_not_even_loaded(folder: Path) -> None:
    code = "import sys\nfrom lesson_code.agent import command\ncommand(sys.argv[1:])\nprint('anthropic' in sys.modules)"
    command = [sys.executable, "-c", code, "--workdir", str(folder)]
    ended = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, timeout=60)
    assert ended.stdout.splitlines()[-1] == b"False" and ended.stderr == b""
    assert json.loads((folder / "origin.json").read_bytes())["model"] == "scripted"


# Deaths


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_at_each_of_the_four_moments_it_comes_to_the_end_that_it_has_in_process(
    folder: Path, whole: Outcome, moment: str
) -> None:
    label = f"{MOMENTS[moment]}:3"
    dead = play(folder, label)
    expected = play(dead.folder, resume=True)
    with FakeApi(ScriptedModel()) as api:
        ended = in_child(api, folder, CRASH_AFTER=label)
        assert (ended.code, ended.out.splitlines(), ended.err, ended.requests) == (137, dead.log, "", 3)
        assert scene(folder) == dead.checkpoint and (dead.effects or {}).keys() == effects_of(folder).keys()
        resumed = live(api, folder, "--resume")
    assert (resumed.code, resumed.out.splitlines(), resumed.err) == (0, expected.log, "")
    assert scene(folder) == expected.checkpoint and World(folder).times("write_report") == 1
    if moment in "★③":
        assert resumed.requests == 1
        assert_same_end(folder, whole)


def effects_of(folder: Path) -> dict[str, Any]:
    path = folder / "effects.json"
    return dict(json.loads(path.read_bytes())) if path.exists() else {}


def test_killed_while_it_waits_for_an_answer_it_asks_again_and_nothing_is_lost(folder: Path, whole: Outcome) -> None:
    arrived = threading.Event()
    with FakeApi(ScriptedModel(), [*[None] * 3, "hang"], on_request=lambda n: n == 4 and arrived.set()) as api:
        line = [sys.executable, "-m", "lesson_code.agent", "--live", "--workdir", str(folder)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT}
        with subprocess.Popen(line, env=environment(**api.environment), **pipes) as child:  # type: ignore[call-overload]
            assert arrived.wait(30)
            child.kill()
            _, err = child.communicate()
        assert child.returncode not in (0, 1) and err == b""
        assert (scene(folder)["turns"], scene(folder)["pendingToolUse"]) == (3, None)
        resumed = live(api, folder, "--resume")
    assert (resumed.code, resumed.err, resumed.requests) == (0, "", 1)
    assert api.requests[3].body == api.requests[4].body
    assert_same_end(folder, whole)


@posix_only
def test_ctrl_c_while_it_waits_is_130_and_one_line(folder: Path, whole: Outcome) -> None:
    def interrupt(number: int) -> None:
        if number == 3:
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets its jobs ignore it
    try:
        with FakeApi(ScriptedModel(), trouble=[None, None, "hang"], on_request=interrupt) as api:
            ended = live(api, folder)
            assert (ended.code, ended.err) == (130, "Interrumpido con Ctrl+C. Continúa con --resume.\n")
            assert live(api, folder, "--resume").code == 0
    finally:
        signal.signal(signal.SIGINT, before)
    assert_same_end(folder, whole)


# What the API or the network refuses: [what happens, how many requests, what is said]

FAILURES: dict[str, tuple[Any, int, str]] = {
    "400": (Status(400, "messages.3: no"), 1, r"La API rechazó la solicitud \(messages.3: no\). .* reanuda la tarea"),
    "401": (401, 1, r"La API no acepta la clave \(invalid x-api-key\). .* corrige ANTHROPIC_API_KEY y reanuda"),
    "402": (402, 1, r"La solicitud volvió con el estado 402 \(Error\). .* reanuda"),
    "403": (403, 1, r"La clave no tiene permiso para esto \(Permission denied\). .* reanuda"),
    "404": (
        Status(404, "model: nada"),
        1,
        r"La API no encuentra lo que se le pidió \(model: nada\). .*\(--model\) y re",
    ),
    "413": (413, 1, r"La conversación es más grande .* al reanudar pasará lo mismo: rebobina a un turno anterior"),
    "429": (Status(429, headers={"x-should-retry": "false"}), 1, r"La API pide esperar: .* espera 1 s y reanuda"),
    "429, wait": (Status(429, headers={**SOON, "retry-after": "37"}), 3, r"espera 37 s y reanuda"),
    "429, no wait": (Status(429, headers={**SOON, "retry-after": ""}), 3, r"espera un rato y reanuda"),
    "429, a date": (
        Status(429, headers={**SOON, "retry-after": "Mon, 30 Nov 2026 07:28:00 GMT"}),
        3,
        r"espera un rato",
    ),
    "500": (Status(500, headers=SOON), 3, r"La API falló por dentro \(estado 500: Internal server error\). .* reanuda"),
    "503, text": (Status(503, headers=SOON), 3, r"\(estado 503: lo que llegó no son palabras de la API\). .* reanuda"),
    "529": (Status(529, headers=SOON), 3, r"La API está sobrecargada \(Overloaded\). .* espera un rato y reanuda"),
    "502, a page": (
        Status(502, headers=AS_HTML, body=PAGE),
        3,
        r"\(estado 502: lo que llegó no son palabras de la API\)",
    ),
    "529, a page": (
        Status(529, headers=AS_HTML, body=PAGE),
        3,
        r"\(estado 529: lo que llegó no son palabras de la API\)",
    ),
    "403, a page": (
        Status(403, headers=AS_HTML, body=PAGE),
        1,
        r"La solicitud volvió con el estado 403 \(lo que llegó",
    ),
    "407, a page": (
        Status(407, headers=AS_HTML, body=PAGE),
        1,
        r"La solicitud volvió con el estado 407 \(lo que llegó",
    ),
    "401, odd": (Status(401, body=b'{"error": "no"}'), 1, r"La solicitud volvió con el estado 401 \(lo que llegó"),
    "400, odd": (Status(400, body=b'{"error": {"message": 7}}'), 1, r"La solicitud volvió con el estado 400 \(lo que"),
    "304": (Status(304, body=b""), 1, r"La solicitud volvió con el estado 304"),
    "reset": ("reset", 3, r"Se cortó la conexión con la API \(ReadError\). .* revisa la red y reanuda"),
    "cut": ("cut", 3, r"Se cortó la conexión con la API \(RemoteProtocolError\). .* revisa la red y reanuda"),
    "200, a page": (Status(200, headers=AS_HTML, body=PAGE), 1, r"no tiene la forma de la API \(AttributeError: 'str'"),
    "200, half": (Status(200, body=b'{"content": ['), 1, r"La solicitud al modelo falló \(JSONDecodeError: .* reanuda"),
    "200, empty": (Status(200, body=b""), 1, r"La solicitud al modelo falló \(JSONDecodeError: .* reanuda"),
    "200, null": (Status(200, body=b"null"), 1, r"no tiene la forma de la API \(AttributeError: 'NoneType'"),
    "200, an error": (Status(200, body=b'{"type": "error", "error": {}}'), 1, r"no tiene la forma de la API"),
}


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failure_is_one_sentence_and_exit_1_and_the_resume_goes_on_as_if_nothing_had_happened(
    folder: Path, whole: Outcome, kind: str
) -> None:
    trouble, requests, words = FAILURES[kind]
    dead = play(folder, "after-save-b:3")  # the report is written, and the model is still to be told
    before = snapshot_without_lock(dead.folder)
    with FakeApi(ScriptedModel(), trouble=[trouble] * requests) as api:
        ended = live(api, dead.folder, "--resume")
        assert (ended.out, ended.requests) == ("[resume] leído turn=3 pending=null\n", requests)
        assert re.search(words, ended.sentence), ended
        after = snapshot_without_lock(dead.folder)
        assert after == {**before, ".lock": None, "origin.json": after["origin.json"]}
        again = live(api, dead.folder, "--resume")
    assert again.code == 0 and again.out == ended.out + WHOLE.decode().splitlines(keepends=True)[-1]
    assert (again.err, again.requests) == ("", 1)
    assert_same_end(dead.folder, whole)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_failure_at_any_request_counts_no_turn_twice_and_runs_no_tool_twice(
    folder: Path, whole: Outcome, number: int
) -> None:
    with FakeApi(ScriptedModel(), trouble=[*[None] * (number - 1), 401]) as api:
        ended = live(api, folder)
        assert ended.sentence and ended.requests == number and scene(folder)["turns"] == number - 1
        assert list(effects_of(folder)) == ["toolu_01", "toolu_02"][: number - 1]
        again = live(api, folder, "--resume")
    assert (again.code, again.err, again.requests) == (0, "", 5 - number)
    assert_same_end(folder, whole)


def test_a_failure_that_is_over_before_the_package_gives_up_is_not_even_said(folder: Path, whole: Outcome) -> None:
    with FakeApi(ScriptedModel(), trouble=[None, Status(529, headers=SOON), Status(429, headers=SOON)]) as api:
        assert live(api, folder) == (0, WHOLE.decode(), "", 6)
    assert_same_end(folder, whole)


def test_an_answer_that_never_comes_is_given_up(folder: Path, whole: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "TIMEOUT", 0.2)
    with FakeApi(ScriptedModel(), trouble=[None] * 3 + ["hang"] * 3) as api:
        ended = live(api, folder)
        assert ended.sentence.startswith("La API no respondió a tiempo.") and ended.requests == 6
        monkeypatch.undo()
        assert live(api, folder, "--resume").code == 0
    assert_same_end(folder, whole)


def test_where_nobody_listens_the_connection_is_said_to_be_refused(folder: Path, whole: Outcome) -> None:
    dead = play(folder, "after-save-b:3")
    with FakeApi() as api:
        gone = api.url
    with FakeApi(ScriptedModel()) as api:
        ended = live(api, dead.folder, "--resume", ANTHROPIC_BASE_URL=gone)
        assert "Se cortó la conexión con la API (ConnectError)." in ended.sentence and ended.requests == 0
        assert live(api, dead.folder, "--resume").code == 0
    assert_same_end(dead.folder, whole)


def test_a_server_that_answers_with_the_key_does_not_make_it_known(folder: Path) -> None:
    with FakeApi(ScriptedModel(), trouble=[Status(401, "unknown key: not-a-real-key (not-a-real-key)")]) as api:
        assert "(unknown key: … (…))" in live(api, folder).sentence


# What the model answers and can't be used


CUT = call("toolu_02", "write_report", path="report.txt", content="medio")
REFUSED: dict[str, tuple[Any, str]] = {
    "max_tokens": (answer(text("Pero"), stop_reason="max_tokens", tokens=(7, 3)), "stop_reason=max_tokens"),
    "max_tokens in a call": (
        answer(text("Voy."), CUT, stop_reason="max_tokens", tokens=(7, 3)),
        "stop_reason=max_tokens",
    ),
    "refusal": (answer(stop_reason="refusal", tokens=(7, 3)), "stop_reason=refusal"),
    "pause_turn": (answer(text("Pausa"), stop_reason="pause_turn", tokens=(7, 3)), "stop_reason=pause_turn"),
    "window": (
        answer(text("x"), stop_reason="model_context_window_exceeded", tokens=(7, 3)),
        "stop_reason=model_context_window_exceeded",
    ),
    "of tomorrow": (answer(text("x"), stop_reason="x\n[done] listo", tokens=(7, 3)), r"stop_reason=x\n[done] listo"),
    "none": ({"content": [text("x")], "stop_reason": None, "usage": {"input_tokens": 7, "output_tokens": 3}}, "=None"),
    "two calls": (answer(CUT, {**CUT, "id": "toolu_03"}, tokens=(7, 3)), "pidió 2 herramientas en una respuesta"),
    "an old call": (answer({**CUT, "id": "toolu_01"}, tokens=(7, 3)), "repitió el id toolu_01"),
    "nothing": (answer(stop_reason="end_turn", tokens=(7, 3)), "terminó sin escribir nada"),
    "half a letter": (
        Status(
            200,
            body=b'{"id":"m","type":"message","role":"assistant","model":"m","stop_reason":"end_turn","content":'
            b'[{"type":"text","text":"\\ud83d"}],"usage":{"input_tokens":7,"output_tokens":3}}',
        ),
        "trae algo que la API no acepta o que no se puede guardar",
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_an_answer_that_cannot_be_used_is_paid_and_said_and_asked_for_again(folder: Path, kind: str) -> None:
    refused, words = REFUSED[kind]
    write = call("toolu_01", "write_report", path="report.txt", content="total: 22")
    answers, trouble = [answer(text("Voy."), write), refused, end()], []
    if isinstance(refused, Status):
        answers, trouble = [answers[0], end()], [None, refused]
    with FakeApi(answers, trouble=trouble) as api:
        ended = live(api, folder)
        assert words in ended.sentence and ended.requests == 2
        assert ended.out == "[turn 1][save A] pending=write_report\n[turn 1][save B]\n"
        saved = scene(folder)
        assert (saved["turns"], saved["tokensUsed"], saved["pendingToolUse"]) == (1, 15 + 10, None)
        assert len(saved["messages"]) == 3 and list(effects_of(folder)) == ["toolu_01"]
        again = live(api, folder, "--resume")
    assert (again.code, again.err, again.requests) == (0, "", 1)
    assert again.out == "[resume] leído turn=1 pending=null\n[done] Listo.\n"
    assert api.requests[1].body == api.requests[2].body
    assert (scene(folder)["turns"], scene(folder)["tokensUsed"]) == (1, 15 + 10 + 15)
    assert World(folder).times("write_report") == 1 and (folder / "report.txt").read_bytes() == b"total: 22"


# Limits


def test_the_limit_of_tokens_is_the_whole_task_s_and_stops_it_before_it_asks(folder: Path, whole: Outcome) -> None:
    with FakeApi(ScriptedModel()) as api:
        ended = live(api, folder, "--max-tokens-total", 200)
        assert "La tarea ya gastó 340 tokens y su tope es 200" in ended.sentence and "--max-tokens-total" in ended.err
        assert ended.requests == 2 and scene(folder)["turns"] == 2
        for limit in (1, 340):
            assert live(api, folder, "--resume", "--max-tokens-total", limit).requests == 0
        again = live(api, folder, "--resume", "--max-tokens-total", 341)
        assert again.requests == 1 and "ya gastó 660" in again.sentence and World(folder).times("write_report") == 1
        assert live(api, folder, "--resume").code == 0
    assert_same_end(folder, whole)


def test_the_limit_of_turns_is_the_whole_task_s(folder: Path) -> None:
    with FakeApi(ScriptedModel()) as api:
        ended = live(api, folder, "--max-turns", 2)
        assert "Se alcanzó el máximo de turnos de la tarea" in ended.sentence and ended.requests == 3
        again = live(api, folder, "--resume", "--max-turns", 2)
        assert "Se alcanzó el máximo" in again.sentence and World(folder).times("write_report") == 0
        assert live(api, folder, "--resume", "--max-turns", 3).code == 0
    assert scene(folder)["turns"] == 3 and World(folder).times("write_report") == 1
    assert scene(folder)["tokensUsed"] == 120 + 220 + 320 * 3 + 420  # the third answer was paid three times


def test_a_task_that_is_finished_gives_its_answer_whatever_the_limit(folder: Path) -> None:
    with FakeApi(ScriptedModel()) as api:
        live(api, folder)
        ended = live(api, folder, "--resume", "--max-tokens-total", 1, "--max-turns", 1)
    assert (ended.code, ended.err, ended.requests) == (0, "", 0)


def test_the_scripted_model_has_limits_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["--workdir", str(folder), "--max-tokens-total", "100"]) == 1
    assert "ya gastó 120 tokens y su tope es 100" in capsys.readouterr().err
    assert command(["--workdir", str(folder), "--resume", "--max-turns", "2"]) == 1
    assert scene(folder)["turns"] == 2


# The key and the model


@pytest.mark.parametrize("resume", [[], ["--resume"]], ids=["fresh", "resume"])
@pytest.mark.parametrize(
    "key, words",
    [
        ("", "No hay clave de la API"),
        (" ", "letras raras"),
        (" sk-real", "letras raras"),
        ("sk-real\n", "letras raras"),
        ("sk-re\nal", "letras raras"),
        ("sk-réal", "letras raras"),
        ("«sk-real»", "letras raras"),
        ("sk-re\x7fal", "letras raras"),
    ],
    ids=ascii,
)
def test_without_a_key_that_can_be_sent_it_is_one_sentence_and_nothing_is_touched(
    tmp_path: Path, key: str, words: str, resume: list[str]
) -> None:
    with FakeApi() as api:
        ended = live(api, tmp_path / "nueva", *resume, ANTHROPIC_API_KEY=key)
    assert words in ended.sentence and ended.requests == 0 and ended.out == ""
    assert "real" not in ended.err and "réal" not in ended.err and list(tmp_path.iterdir()) == []


def test_without_a_key_a_task_that_waits_stays_as_it_is(folder: Path) -> None:
    dead = play(folder, "after-tool:3")
    before = snapshot(dead.folder)
    with FakeApi() as api:
        for options in ([], ["--resume"]):
            assert "ANTHROPIC_API_KEY" in live(api, dead.folder, *options, ANTHROPIC_API_KEY="").sentence
    assert snapshot(dead.folder) == before


def test_an_unknown_crash_after_is_said_before_the_key_is_looked_for(tmp_path: Path) -> None:
    with FakeApi() as api:
        ended = live(api, tmp_path / "nueva", ANTHROPIC_API_KEY="", CRASH_AFTER="nada")
    assert "CRASH_AFTER=nada" in ended.sentence and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "options, variable, model",
    [
        ([], "", client.MODEL),
        ([], "claude-haiku-5-5", "claude-haiku-5-5"),
        (["--model", "claude-opus-5-5"], "claude-haiku-5-5", "claude-opus-5-5"),
    ],
)
def test_the_model_is_that_of_the_option_or_of_the_variable_or_a_current_one(
    folder: Path, options: list[str], variable: str, model: str
) -> None:
    with FakeApi([end()]) as api:
        assert live(api, folder, *options, ANTHROPIC_MODEL=variable).code == 0
    assert api.requests[0].body["model"] == model == json.loads((folder / "origin.json").read_bytes())["model"]


@pytest.mark.parametrize("name", ["mi modelo", " ", "modelo\n[done] listo", "ñ", "a\udcf1"], ids=ascii)
def test_a_name_that_is_no_model_s_is_one_sentence_and_touches_nothing(tmp_path: Path, name: str) -> None:
    with FakeApi() as api:
        assert "modelo «" in live(api, tmp_path / "nueva", ANTHROPIC_MODEL=name).sentence
        if name.strip():
            assert "modelo «" in live(api, tmp_path / "nueva", "--model", name).sentence
    assert api.requests == [] and list(tmp_path.iterdir()) == []


def test_a_model_that_is_none_can_be_put_right_and_nothing_is_said_of_another_one(folder: Path, whole: Outcome) -> None:
    with FakeApi(ScriptedModel()) as api:
        assert "(model: claude-nada)" in live(api, folder, "--model", "claude-nada").sentence
        assert scene(folder)["messages"] == [{"role": "user", "content": TASK}]
        ended = live(api, folder, "--resume")
    assert (ended.code, ended.err) == (0, "")
    assert_same_end(folder, whole)


# A task that another model began


OTHER = "aviso: esta tarea empezó con el modelo {} y sigue con {}; hay modelos que rechazan una conversación"


def test_another_model_is_said_on_standard_error_each_time_and_the_task_goes_on(folder: Path, whole: Outcome) -> None:
    said = OTHER.format(client.MODEL, "claude-opus-5-5")
    with FakeApi(ScriptedModel(), trouble=[None, 401, 401]) as api:
        live(api, folder)
        ended = live(api, folder, "--resume", "--model", "claude-opus-5-5")
        assert ended.code == 1 and ended.err.count("\n") == 2 and ended.err.startswith(said)
        ended = live(api, folder, "--resume", "--model", "claude-opus-5-5")
    assert ended.code == 0 and ended.err.count("\n") == 1 and ended.err.startswith(said) and "aviso" not in ended.out
    assert_same_end(folder, whole)


def test_a_task_of_the_scripted_model_goes_on_live_and_that_is_said(folder: Path, whole: Outcome) -> None:
    assert agent("--workdir", folder, crash="after-effect-write:3").returncode == 137
    with FakeApi(ScriptedModel()) as api:
        ended = live(api, folder, "--resume")
        assert ended.code == 0 and ended.err.startswith(OTHER.format("scripted", client.MODEL))
        assert ended.err.count("\n") == 1 and "aviso" not in ended.out
        assert live(api, folder, "--resume") == (0, "[resume] leído turn=3 pending=null\n" + ended.out[-54:], "", 0)
    assert_same_end(folder, whole)


def test_a_fresh_start_puts_the_origin_away_with_the_rest(folder: Path) -> None:
    with FakeApi([end(), end()]) as api:
        live(api, folder)
        ended = live(api, folder, "--model", "claude-opus-5-5")
        assert ended.code == 0 and ended.err.count("\n") == 1 and "previous/001" in ended.err
    models = [json.loads(path.read_bytes())["model"] for path in sorted(folder.rglob("origin.json"))]
    assert models == ["claude-opus-5-5", client.MODEL]


def test_a_fork_and_a_rewind_go_on_with_the_origin(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fork = folder.with_name(f"{folder.name}-otra")
    with FakeApi(ScriptedModel(fresh_ids=True)) as api:
        live(api, folder, "--history")
        assert command(["--workdir", str(folder), "--fork", "2", "otra"]) == 0
        assert command(["--workdir", str(folder), "--rewind", "2"]) == 0
        for place in (folder, fork):
            assert live(api, Path(shutil.copytree(place, f"{place}-igual")), "--resume").err == ""
            ended = live(api, place, "--resume", "--model", "claude-opus-5-5")
            assert ended.code == 0 and ended.err.startswith(OTHER.format(client.MODEL, "claude-opus-5-5"))
