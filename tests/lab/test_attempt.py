"""One run under attack: the case in words, what a harness is given, and the moments that it passes."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lesson_code.harness import run_agent
from lesson_code.lab.attempt import (
    AskedTooOften,
    Case,
    CaseError,
    Place,
    Setting,
    WatchedModel,
    accepts,
    attempt,
    is_moment,
)
from lesson_code.lab.crash import AT_END, IN_RESUME, IN_TURN
from lesson_code.lab.orders import KINDS, orders_task

pytestmark = pytest.mark.usefixtures("no_sync")

NUMBER = st.integers(1, 999_999_999)
LABEL = st.one_of(
    st.builds("{}:{}".format, st.sampled_from([*IN_TURN, "tool-entered", "tool-done", "next-request"]), NUMBER),
    st.builds("write:{}.{}".format, NUMBER, NUMBER),
    st.sampled_from([*IN_RESUME, AT_END, "returned"]),
)
SETTING = st.builds(Setting, st.sampled_from(KINDS), st.booleans(), st.booleans())
CASE = st.builds(Case, SETTING, st.lists(LABEL, max_size=4).map(tuple), st.booleans())


# A case in words


@given(CASE)
def test_a_case_is_what_its_text_says(case: Case) -> None:
    text = str(case)
    assert Case.parse(text) == case
    assert not set(text) & set(" '\"$&;|<>()*?!`\\\n")  # it is pasted into a shell


@pytest.mark.parametrize(
    "text, case",
    [
        ("appending", Case()),
        ("read_only/tool-done:2", Case(Setting("read_only"), ("tool-done:2",))),
        ("twice/hasty/same-ids/kill/write:2.1", Case(Setting("twice", True, False), ("write:2.1",), True)),
        ("raising/after-tool:1/resume-after-tool", Case(Setting("raising"), ("after-tool:1", "resume-after-tool"))),
    ],
)
def test_the_text_is_this(text: str, case: Case) -> None:
    assert str(case) == text and Case.parse(text) == case


NO_CASE = [
    "",
    "/",
    "nada",
    "Appending",
    " appending",
    "appending/",
    "appending//tool-done:2",
    "hasty/appending",
    "appending/Hasty",
    "appending/tool-done",
    "appending/tool-done:0",
    "appending/tool-done:02",
    "appending/tool-done:1\n",
    "appending/tool-done:1/otra",
    "appending/tool-done:1234567890",
    "appending/tool-done:\u0661",
    "appending/write:1",
    "appending/write:1.0",
    "appending/write:1.1.1",
    "appending/write:1x1",
    "appending/after-save-end:1",
    "appending/resume-after-tool:1",
    "appending/tool-entered:1.1",
    "appending/killed:1",
    "appending/returned:1",
    "appending, hasty",
]


@pytest.mark.parametrize("text", NO_CASE, ids=ascii)
def test_what_is_no_case_is_refused_with_what_one_is_made_of(text: str) -> None:
    with pytest.raises(CaseError) as refusal:
        Case.parse(text)
    said = str(refusal.value)
    assert "no es un caso" in said and "\n" not in said
    for part in (*KINDS, "hasty", "same-ids", "kill"):
        assert part in said


def test_the_settings_are_plain_unless_it_is_said() -> None:
    assert Setting() == Setting(kind="appending", hasty=False, fresh_ids=True, orders=3)
    assert Case() == Case(Setting(), (), kill=False)


@given(LABEL)
def test_what_a_death_can_be_called_is_a_moment(label: str) -> None:
    assert is_moment(label)


@pytest.mark.parametrize("label", ["", "mi-momento", "after-tool", "x after-tool:1", "after-tool:1 ", "tool-done:1:2"])
def test_any_other_label_is_none(label: str) -> None:
    assert not is_moment(label)


# The place


def test_a_copy_has_all_but_the_lock_and_is_beside(tmp_path: Path) -> None:
    place = Place.new(tmp_path)
    place.witness.note(died="x")
    (place.folder / "sub").mkdir(parents=True)
    (place.folder / ".lock").touch()
    (place.folder / "sub" / "ñ").write_bytes(b"1")
    (place.folder / "link").symlink_to("sub/ñ")
    copy = place.copy()
    assert copy.path != place.path and copy.path.parent == place.path.parent == tmp_path
    assert sorted(path.relative_to(copy.folder).as_posix() for path in copy.folder.rglob("*")) == [
        "link",
        "sub",
        "sub/ñ",
    ]
    assert (copy.folder / "link").is_symlink() and copy.witness.lines() == [{"died": "x"}]
    assert (place.folder / ".lock").exists()


def test_the_evidence_is_not_in_the_harness_s_folder(tmp_path: Path) -> None:
    place = Place.new(tmp_path)
    assert place.folder.parent == place.path == place.witness.path.parent


# A run

PLAIN = Setting()


def passed(harness: Any, place: Place, setting: Setting = PLAIN, **options: Any) -> list[str]:
    """The moments of a run to its end."""
    labels: list[str] = []
    answer = attempt(harness, setting, place, **{"resume": False, "reach": labels.append, **options})
    assert answer == f"Los {setting.orders} pedidos están entregados."
    return labels


def test_the_lesson_s_harness_passes_every_moment_of_every_turn(tmp_path: Path) -> None:
    turns = [
        [
            f"next-request:{turn - 1}",
            f"after-answer:{turn}",
            f"after-save-a:{turn}",
            f"tool-entered:{turn}",
            f"tool-done:{turn}",
            f"after-tool:{turn}",
            f"after-effect-write:{turn}",
            f"after-save-b:{turn}",
        ]
        for turn in (1, 2)
    ]
    end = ["next-request:2", "after-answer:3", "after-save-end", "returned"]
    assert passed(run_agent, Place.new(tmp_path), Setting(orders=2)) == [*turns[0][1:], *turns[1], *end]


def without_points(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str:
    return run_agent(client, task, tools, folder, resume=resume)


def test_of_a_harness_that_takes_no_crash_point_only_the_outside_is_seen(tmp_path: Path) -> None:
    labels = passed(without_points, Place.new(tmp_path), Setting(orders=2))
    first, second = ["tool-entered:1", "tool-done:1"], ["tool-entered:2", "tool-done:2"]
    assert labels == [*first, "next-request:1", *second, "next-request:2", "returned"]


def test_what_a_harness_does_not_take_it_is_not_given(tmp_path: Path) -> None:
    given: list[set[str]] = []

    def takes_one(client: Any, task: str, tools: Any, folder: Path, *, resume: bool, emit: Any = None) -> str:
        given.append({"emit"} if emit else set())
        return without_points(client, task, tools, folder, resume=resume)

    def takes_the_other(client: Any, task: str, tools: Any, folder: Path, *, resume: bool, crash_point: Any) -> str:
        given.append({"crash_point"})
        return without_points(client, task, tools, folder, resume=resume)

    def takes_all(client: Any, task: str, tools: Any, folder: Path, *, resume: bool, **points: Any) -> str:
        given.append(set(points))
        return without_points(client, task, tools, folder, resume=resume)

    for harness in (takes_one, takes_the_other, takes_all):
        passed(harness, Place.new(tmp_path))
    assert given == [{"emit"}, {"crash_point"}, set()]  # what it does not name it may hand on to who knows whom
    assert [accepts(takes_one, "emit"), accepts(takes_one, "crash_point"), accepts(takes_all, "x")] == [
        True,
        False,
        False,
    ]


def test_what_it_emits_goes_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = Place.new(tmp_path)
    passed(run_agent, place)
    passed(run_agent, place)  # a fresh start over a finished run, of which the command warns
    assert (place.folder / "previous").is_dir() and capsys.readouterr() == ("", "")


def test_a_label_that_is_no_moment_reaches_nobody(tmp_path: Path) -> None:
    def talks(*given: Any, resume: bool, crash_point: Any) -> str:
        for label in ("", "a mi manera", "after-tool", "after-tool:0", "after-save-b:1"):
            crash_point(label)
        return without_points(*given, resume=resume)

    assert [label for label in passed(talks, Place.new(tmp_path)) if label.startswith("a")] == ["after-save-b:1"]


def test_a_harness_is_given_the_task_the_tools_and_an_empty_folder(tmp_path: Path) -> None:
    seen: list[Any] = []

    def looks(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str:
        seen.append((task, sorted(tools), list(folder.iterdir()), resume))
        return "7"

    place = Place.new(tmp_path)
    for resume in (False, True):
        assert attempt(looks, Setting(orders=2), place, resume=resume, reach=lambda label: None) == "7"
    assert seen == [(orders_task(2), ["deliver", "look"], [], resume) for resume in (False, True)]


def test_what_a_harness_raises_is_raised(tmp_path: Path) -> None:
    def breaks(*given: Any, **more: Any) -> str:
        raise ZeroDivisionError("ay")

    with pytest.raises(ZeroDivisionError, match="ay"):
        attempt(breaks, PLAIN, Place.new(tmp_path), resume=False, reach=print)


# The model

REQUEST: dict[str, Any] = {"model": "claude-sonnet-5-5", "max_tokens": 10}


def model_in(place: Place, setting: Setting = PLAIN) -> WatchedModel:
    return WatchedModel(setting, place.witness, lambda label: None)


def described(tools: Any) -> list[dict[str, Any]]:
    return [{"name": name, "description": "d", "input_schema": tool.input_schema} for name, tool in tools.items()]


def own_blocks(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str:
    """As an `anthropic` user writes it: what came back in `content` is sent again as it is."""
    messages: list[Any] = [{"role": "user", "content": task}]
    while True:
        response = client.messages.create(
            model="claude-sonnet-5-5", max_tokens=99, tools=described(tools), messages=messages
        )
        messages.append({"role": "assistant", "content": response.content})
        if response.stop_reason == "end_turn":
            return str(response.content[0].text)
        use = response.content[-1]
        told = {"type": "tool_result", "tool_use_id": use.id, "content": str(tools[use.name].run(**use.input))}
        messages.append({"role": "user", "content": [told]})


def test_a_client_takes_back_its_own_blocks_and_asks_for_no_more_than_the_package(tmp_path: Path) -> None:
    place = Place.new(tmp_path)
    passed(own_blocks, place)
    assert [line["told"] for line in place.witness.lines("told")] == ["toolu_01", "toolu_02", "toolu_03"]
    assert place.witness.lines("refused") == []


def test_what_the_api_refuses_is_raised_and_noted(tmp_path: Path) -> None:
    place = Place.new(tmp_path)
    model = model_in(place)
    asked = model.create(messages=[{"role": "user", "content": "Entrega."}], **REQUEST)
    open_call = {"role": "assistant", "content": [block.to_dict() for block in asked.content]}
    with pytest.raises(Exception, match="`tool_use` ids were found without `tool_result` blocks") as refusal:
        model.create(messages=[{"role": "user", "content": "Entrega."}, open_call], **REQUEST)
    assert place.witness.lines() == [{"asked": "toolu_01", "name": "deliver"}, {"refused": str(refusal.value)}]


def test_asked_again_it_gives_a_new_id_and_in_another_attack_the_same_ones(tmp_path: Path) -> None:
    def ids(**setting: Any) -> list[str]:
        place = Place.new(tmp_path)
        for _ in range(2):  # two processes
            for _ in range(2):
                model_in(place, Setting(**setting)).create(messages=[{"role": "user", "content": "E."}], **REQUEST)
        return [line["asked"] for line in place.witness.calls()]

    assert ids(fresh_ids=True) == ids(fresh_ids=True) == ["toolu_01", "toolu_02", "toolu_03", "toolu_04"]
    assert ids(fresh_ids=False) == ["toolu_01"] * 4


@pytest.mark.parametrize("fresh_ids", [False, True])
def test_two_runs_of_an_attack_leave_the_same_evidence(tmp_path: Path, fresh_ids: bool) -> None:
    places = [Place.new(tmp_path) for _ in range(2)]
    for place in places:
        passed(run_agent, place, Setting("raising", fresh_ids=fresh_ids))
    first, second = (place.witness.path.read_bytes() for place in places)
    assert first == second


def test_a_later_request_is_a_moment_before_the_model_has_heard_anything(tmp_path: Path) -> None:
    place = Place.new(tmp_path)
    seen: list[tuple[str, int]] = []

    def reach(label: str) -> None:
        if label.startswith("next"):
            seen.append((label, len(place.witness.lines("told"))))

    attempt(run_agent, PLAIN, place, resume=False, reach=reach)
    assert seen == [("next-request:1", 0), ("next-request:2", 1), ("next-request:3", 2)]


@pytest.mark.parametrize("orders", [1, 3])
def test_a_harness_that_asks_and_asks_is_stopped(tmp_path: Path, orders: int) -> None:
    asked: list[int] = []

    def deaf(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str:
        while True:
            client.messages.create(messages=[{"role": "user", "content": task}], **REQUEST)
            asked.append(1)

    with pytest.raises(AskedTooOften, match="una y otra vez"):
        attempt(deaf, replace(PLAIN, orders=orders), Place.new(tmp_path), resume=False, reach=lambda label: None)
    assert len(asked) == 12 * orders


def test_a_model_that_gives_up_is_not_yet_asked_too_often(tmp_path: Path) -> None:
    def never_works(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str:
        unable = {name: replace(tool, run=lambda item: 1 // 0) for name, tool in tools.items()}
        return run_agent(client, task, unable, folder, resume=resume)

    for kind in KINDS:
        answer = attempt(never_works, Setting(kind), Place.new(tmp_path), resume=False, reach=lambda label: None)
        assert answer == "No consigo entregar el pedido p01."


def test_the_evidence_is_whole_json(tmp_path: Path) -> None:
    place = Place.new(tmp_path)
    passed(run_agent, place, Setting("unserialisable"))
    lines = [json.loads(line) for line in place.witness.path.read_text(encoding="ascii").splitlines()]
    assert [next(iter(line)) for line in lines] == [*["asked", "done", "returned", "told"] * 3]
