"""What a death left, in words: what each place holds and what changed; whatever somebody else wrote there is text."""

import html
import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from lesson_code.course import death
from lesson_code.course.html import bare
from lesson_code.course.seen import Line, as_table, as_text, changes, json_of, lines
from lesson_code.harness import run_agent
from lesson_code.harness.tools import tool_result
from lesson_code.lab import without_ledger
from lesson_code.lab.deaths import NOTHING, UNKNOWN, Bench, Seen, look
from lesson_code.lab.scene import Outcome, new_folder, play
from lesson_code.words import say

pytestmark = pytest.mark.usefixtures("no_sync")
CHECKPOINT, LEDGER, WORLD = "`checkpoint.json`", "`effects.json`", "el mundo"
PENDING = "`turns` 3 · `tokensUsed` 660 · `messages` 6 · `pendingToolUse` write_report (toolu_03)"
CLOSED = "`turns` 3 · `tokensUsed` 660 · `messages` 7 · `pendingToolUse` null"
TWO, THREE = "`toolu_01` read_notes · `toolu_02` count_words", "`toolu_03` write_report"
ABSENT, NOTHING_YET, REPORT = "el archivo no existe", "nada", "write_report → report.txt"
OPENED = ["`turns`: 2 → 3", "`tokensUsed`: 340 → 660", "`messages`: 5 → 6"]
OPENED += ["`pendingToolUse`: null → write_report (toolu_03)"]
BEGUN = [
    "`turns`: 0 → 1",
    "`tokensUsed`: 0 → 120",
    "`messages`: 1 → 2",
    "`pendingToolUse`: null → read_notes (toolu_01)",
]
OPEN_1 = "`turns` 1 · `tokensUsed` 120 · `messages` 2 · `pendingToolUse` read_notes (toolu_01)"
FILLED = ["`messages`: 6 → 7", "`pendingToolUse`: write_report (toolu_03) → null"]

# label now, label before → the checkpoint, the ledger and the world: what each holds and what changed
SEEN: dict[tuple[str, str], list[tuple[str, list[str]]]] = {
    ("after-save-a:3", "after-answer:3"): [(PENDING, OPENED), (TWO, []), (NOTHING_YET, [])],
    ("after-tool:3", "after-save-a:3"): [(PENDING, []), (TWO, []), (REPORT, [f"ocurrió: {REPORT}"])],
    ("after-effect-write:3", "after-tool:3"): [
        (PENDING, []),
        (f"{TWO} · {THREE}", ["se anotó: toolu_03 write_report"]),
        (REPORT, []),
    ],
    ("after-save-b:3", "after-effect-write:3"): [(CLOSED, FILLED), (f"{TWO} · {THREE}", []), (REPORT, [])],
    ("after-save-b:3", "after-tool:3"): [
        (CLOSED, FILLED),
        (f"{TWO} · {THREE}", ["se anotó: toolu_03 write_report"]),
        (REPORT, []),
    ],
    ("after-save-a:1", "after-answer:1"): [(OPEN_1, BEGUN), (ABSENT, []), (NOTHING_YET, [])],
    ("after-tool:1", "after-save-a:1"): [(OPEN_1, []), (ABSENT, []), (NOTHING_YET, [])],
    ("after-effect-write:1", "after-tool:1"): [
        (OPEN_1, []),
        ("`toolu_01` read_notes", ["se anotó: toolu_01 read_notes"]),
        (NOTHING_YET, []),
    ],
}


@cache
def scene(label: str, *, ledger: bool = True) -> Outcome:
    return play(new_folder(), label, harness=run_agent if ledger else without_ledger.run_agent)


def said(markup: str) -> str:
    """What a reader sees of some markup."""
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


@pytest.mark.parametrize("now, before", SEEN)
def test_each_place_says_what_it_holds_and_what_changed(now: str, before: str) -> None:
    expected = [Line(name, *one) for name, one in zip((CHECKPOINT, LEDGER, WORLD), SEEN[now, before], strict=True)]
    assert lines(look(scene(now)), look(scene(before)), ledger=True) == expected
    if "effect" not in now + before:
        bare_scenes = [look(scene(label, ledger=False)) for label in (now, before)]
        assert lines(*bare_scenes, ledger=False) == [expected[0], expected[2]]


def test_a_file_that_was_not_there_changed_in_every_field_and_one_that_is_gone_changed_too() -> None:
    seen, nothing = look(scene("after-save-b:3")), Seen(None, None, [])
    first = lines(seen, nothing, ledger=True)
    assert first[0].changes == [f"`{field}`: – → {value}" for field, value in re.findall(r"`(\w+)` (\w+)", CLOSED)]
    assert first[1].changes == [f"se anotó: toolu_0{n} {name}" for n, name in enumerate(death.CALLS.values(), 1)]
    assert first[2].changes == [f"ocurrió: {REPORT}"]
    gone = lines(nothing, replace(seen, effects=None), ledger=True)[0]
    assert (gone.holds, gone.changes) == (ABSENT, ["el contenido cambió"])
    assert lines(nothing, nothing, ledger=True) == [
        Line(CHECKPOINT, ABSENT, []),
        Line(LEDGER, ABSENT, []),
        Line(WORLD, NOTHING_YET, []),
    ]


def test_an_empty_ledger_is_not_a_missing_one() -> None:
    assert lines(Seen(None, {}, []), Seen(None, None, []), ledger=True)[1].holds == NOTHING_YET


def test_what_differs_in_no_number_differs_all_the_same() -> None:
    seen = look(scene("after-save-b:3"))
    other = {**seen.checkpoint, "messages": [*seen.checkpoint["messages"][:-1], "otra"]}
    assert lines(replace(seen, checkpoint=other), seen, ledger=True)[0].changes == ["el contenido cambió"]


def test_a_second_effect_of_the_same_kind_is_a_new_one() -> None:
    seen = look(scene("after-tool:3"))
    twice = replace(seen, world=seen.world * 2)
    line = lines(twice, seen, ledger=True)[2]
    assert (line.holds, line.changes) == (f"{REPORT} · {REPORT}", [f"ocurrió: {REPORT}"])


def test_a_label_says_in_words_whether_anything_changed() -> None:
    same, other = '<span class="curso-label curso-same">= igual</span>', "curso-label curso-changed"
    assert changes(Line("a", "b", [])) == same
    assert changes(Line("a", "b", ["`x`: 1 → 2", "<b>"])) == (
        f'<span class="{other}">≠ distinto</span><div><code>x</code>: 1 → 2</div><div>&lt;b&gt;</div>'
    )


def test_the_lines_are_a_table_and_a_text_that_say_the_same() -> None:
    found = lines(look(scene("after-tool:3")), look(scene("after-save-a:3")), ledger=True)
    table = as_table(found, caption="Quedó:", against="①")
    cells = [[said(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in table.split("<tr>")[1:]]
    holds = [PENDING.replace("`", ""), TWO.replace("`", ""), REPORT]
    assert cells == [
        ["dónde", "qué hay", "comparado con ①"],
        ["checkpoint.json", holds[0], "= igual"],
        ["effects.json", holds[1], "= igual"],
        ["el mundo", holds[2], f"≠ distintoocurrió: {REPORT}"],
    ]
    assert "Quedó:</caption>" in table and "<code>checkpoint.json</code>" in table and "el mundo</th>" in table
    assert as_text(found, "①").split("\n") == [
        f"checkpoint.json: {holds[0]}",
        "    comparado con ①: = igual",
        f"effects.json: {holds[1]}",
        "    comparado con ①: = igual",
        f"el mundo: {holds[2]}",
        f"    comparado con ①: ≠ distinto · ocurrió: {REPORT}",
    ]


@pytest.mark.parametrize("label, ledger, names", [
    ("after-save-b:3", True, ["checkpoint.json", "effects.json"]),
    ("after-save-b:3", False, ["checkpoint.json"]),
    ("after-tool:3", True, ["checkpoint.json", "effects.json"]),
])  # fmt: skip
def test_the_files_and_the_world_are_folded_and_whole(label: str, ledger: bool, names: list[str]) -> None:
    dead = scene(label, ledger=ledger)
    summaries, raws = folds(json_of(look(dead), ledger=ledger))
    world = "el mundo: los efectos que ocurrieron, tal como los anotó el laboratorio"
    assert summaries == [*(f"{name}, tal como está en disco" for name in names), world]
    assert raws[:-1] == [(dead.folder / name).read_text(encoding="utf-8") for name in names]
    assert json.loads(raws[-1]) == dead.world.effects() != []


def folds(markup: str) -> tuple[list[str], list[str]]:
    """The summaries of what is folded, and what is in each."""
    found = re.findall(r"<details><summary>(.*?)</summary><pre>(.*?)</pre></details>", markup, re.DOTALL)
    return [summary for summary, _ in found], [html.unescape(raw) for _, raw in found]


def test_without_a_ledger_there_is_no_second_file_to_show() -> None:
    summaries, _ = folds(json_of(look(scene("after-save-b:3")), ledger=False))
    assert not [summary for summary in summaries if "effects.json" in summary]


# What somebody else wrote

FOREIGN = {
    "script": "<script>alert(1)</script>",
    "image": '<img src=x onerror="alert(1)">',
    "end": "</pre></td></table><h1>",
    "ampersand": "a & b &lt;",
    "right to left": "a\u202egpj.exe",
    "emoji": "👍🏽 ñ שלום",
    "megabyte": "<" * 1_000_000,
    "lines": "\n[done] listo\r\x1b[2J",
}
ALLOWED = set("table caption thead tbody tr th td code strong div span p ul li details summary pre".split())
foreign = pytest.mark.parametrize("words", FOREIGN.values(), ids=FOREIGN)


def written_by_others(words: str, place: Path) -> Outcome:
    """What a death at ② left, with these words wherever a tool, a model or a file from elsewhere can put them."""
    dead = Bench().die("②", 3)
    for name in ("checkpoint.json", "effects.json", "world.jsonl"):
        (place / name).write_bytes((dead.folder / name).read_bytes())
    scene = json.loads((place / "checkpoint.json").read_text(encoding="utf-8"))
    scene["pendingToolUse"]["id"] = f"id {words}"
    scene["messages"][1]["content"][0]["text"] = words
    effects = {f"id {words}": {"name": f"nota {words}", "input": {}, "result": words, "at": 0}}
    (place / "checkpoint.json").write_text(json.dumps(scene), encoding="utf-8")
    (place / "effects.json").write_text(json.dumps(effects), encoding="utf-8")
    with (place / "world.jsonl").open("a", encoding="ascii") as file:
        file.write(json.dumps({"done": "x", "name": f"hizo {words}", "about": f"de {words}"}) + "\n")
    return Outcome(place, [f"[done] {words}"], [words], 137)


def assert_text(markup: str) -> None:
    """No element that is not of ours, nothing that turns a line, and no more than a reader can take."""
    assert {name.lower() for name in re.findall(r"<\s*/?\s*([^\s>/]*)", markup)} <= ALLOWED
    assert not re.search(r"<[^>]*\bon\w+\s*=", markup)
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", markup)
    assert len(markup) < 200_000 and markup.encode("utf-8")


@foreign
def test_what_others_wrote_on_disk_is_text_and_is_shortened(words: str, tmp_path: Path) -> None:
    left = written_by_others(words, tmp_path)
    found = lines(look(left), look(scene("after-save-a:3")), ledger=True)
    dead = death.Death(Bench(), "②", 3, left, found, "①")
    told = death.told(dead)
    end = death.End(left, UNKNOWN, 1, found, tool_result("x", words, is_error=True))
    for markup in (told, death.told_end(dead, end, NOTHING), as_table(found, caption=words, against=words)):
        assert_text(markup)
    seen = said(told)
    shown = re.split("[\n\u202e]", words)[0][:30]
    assert [f"{before} {shown}" in seen for before in ("id", "nota", "hizo", "de")] == [True] * 4
    assert f"[done] {shown}" in said(death.told_end(dead, end, None))


@foreign
def test_a_megabyte_is_cut_in_a_file_too_and_its_size_is_said(words: str, tmp_path: Path) -> None:
    seen = look(written_by_others(words, tmp_path))
    markup = json_of(seen, ledger=True)
    assert_text(markup)
    assert len(folds(markup)[0]) == 3
    assert ("recortado: son " in markup) == (len(words) == 1_000_000)
    if len(words) == 1_000_000:
        assert f"{len(json.dumps(seen.effects, ensure_ascii=False, indent=2))} caracteres" in markup


def test_a_name_that_somebody_else_chose_is_short() -> None:
    seen, x = look(scene("after-tool:3")), "x" * 61
    pending = {**seen.checkpoint["pendingToolUse"], "name": x, "id": x}
    other = Seen({**(seen.checkpoint or {}), "pendingToolUse": pending}, None, [{"name": x, "about": x}])
    checkpoint, world = lines(other, seen, ledger=False)
    assert checkpoint.holds.endswith(f"`pendingToolUse` {x[:60]}… ({x[:60]}…)")
    assert world.holds == f"{x[:60]}… → {x[:60]}…"


FOREIGN = "**a** `b`\u202e\n[done] \\ listo"


def test_what_somebody_else_wrote_is_no_mark_of_ours_and_neither_breaks_nor_turns_a_line() -> None:
    seen = Seen(None, {FOREIGN: {"name": FOREIGN}}, [{"name": FOREIGN, "about": FOREIGN}])
    found = lines(seen, Seen(None, None, []), ledger=True)
    shown = html.unescape(re.sub("<[^>]*>", "", as_table(found, caption="c", against="①")))
    for text in (shown, as_text(found, "①")):
        assert text.count(r"**a** `b`\u202e\n[done] \ listo") == 8
    assert len(as_text(found, "①").split("\n")) == 6


def test_a_megabyte_that_somebody_else_wrote_is_short_everywhere() -> None:
    seen = Seen(None, {"t": {"name": "`a`" * 330_000}}, [{"name": "n", "about": "*" * 1_000_000}])
    found = lines(seen, Seen(None, None, []), ledger=True)
    assert len(as_table(found, caption="c", against="①")) < 5_000 and len(as_text(found, "①")) < 2_000


def test_a_ledger_whose_entry_changed_or_is_gone_is_not_the_same_but_its_clock_does_not_count() -> None:
    entry = {"name": "x", "input": {}, "result": "1", "at": 0}
    before = Seen(None, {"t": entry}, [])
    for effects in ({"t": {**entry, "result": "2"}}, {}, None):
        assert lines(Seen(None, effects, []), before, ledger=True)[1].changes == ["el contenido cambió"]
    assert lines(Seen(None, {"t": {**entry, "at": 9}}, []), before, ledger=True)[1].changes == []


# What who resumes sees


def expected(moment: str, turn: int, ledger: bool) -> list[str]:
    """The sentences, by what the protocol says of a death there."""
    if moment == "③":
        return [bare(say("death_sees_null"))]
    call = {"name": death.CALLS[turn], "id": f"toolu_0{turn}"}
    note = say("death_sees_entry" if moment == "★" else "death_sees_no_entry", id=call["id"])
    kind = say("death_sees_writer" if turn == 3 else "death_sees_reader", name=call["name"])
    of_writer = {"①": "death_blind_not_done", "②": "death_blind_done"}
    blind = "death_blind_to_nothing" if moment == "★" else of_writer[moment] if turn == 3 else "death_blind_to_reading"
    sentences = [say("death_sees_call", **call), *([note] if ledger else []), kind, say(blind)]
    return [bare(sentence) for sentence in sentences]


@pytest.mark.parametrize("turn", [1, 2, 3])
@pytest.mark.parametrize("ledger, moment", [(ledger, m) for ledger in (True, False) for m in Bench(ledger).moments])
def test_it_says_what_who_resumes_can_read_and_what_it_cannot(ledger: bool, moment: str, turn: int) -> None:
    dead = death.die(Bench(ledger), moment, turn)
    shown = death.told(dead)
    heading, listed = shown.split(say("death_sees"))
    assert [said(one) for one in re.findall("<li>(.*?)</li>", listed)] == expected(moment, turn, ledger)
    assert bare(say("death_caption", moment=moment, turn=turn, code=137)) in said(heading)


def test_a_call_is_named_with_its_kind() -> None:
    assert [death.call_named(turn) for turn in death.CALLS] == [
        "turno 1: `read_notes`, de solo lectura",
        "turno 2: `count_words`, de solo lectura",
        "turno 3: `write_report`, con efectos secundarios",
    ]
