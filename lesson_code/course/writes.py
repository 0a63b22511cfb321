"""The write explorer as a widget: step through a write, and see what a death right there leaves on disk."""

from collections.abc import Mapping, Sequence
from typing import Any

from ipywidgets import HTML, Button, HBox, Layout, RadioButtons, VBox

from ..harness.checkpoint import CHECKPOINT_FILE, Checkpoint
from ..lab.disk import NEW, OLD, Death
from ..words import say
from .explorer import READS, explorer
from .html import Html, folded, join, label, prose, table, tag, text
from .steps import Cuts, Write, named, together, writes_of
from .widget import Widget, chosen, group, show

PEEK, NAME = 300, 120  # characters of a file, from its two ends, and of its name
RANDOM = "X" * 8  # how the laboratory shows what a name has at random


class WriteExplorer(Widget):
    """The write explorer. `step` is the step shown, from 1; to set it does the same as a click. Raises ValueError.

    `deaths`: what `lab.disk.explore` gives, or several of them by name, to be seen beside each other; `cuts`: what
    `lab.power.power_cut` gives for them, by the same names; `old`: the checkpoint that was saved before, if any.
    """

    def __init__(
        self,
        deaths: Sequence[Death] | Mapping[str, Sequence[Death]],
        cuts: Cuts | Mapping[str, Cuts] = (),
        *,
        old: Checkpoint | None = None,
    ) -> None:
        self.writes, self.note = writes_of(deaths, cuts, old), ""
        self.rows = together(self.writes)
        options = [
            (say("writes_after", number=number, step=name), number)
            for number, ((name, _), _) in enumerate(self.rows, start=1)
        ]
        self.choice = RadioButtons(options=options, value=1)
        self.previous, self.next = (Button(description=say(key)) for key in ("writes_previous", "writes_next"))
        self.disk = HTML()
        beside = VBox([self.disk], layout=Layout(flex="1 1 0", min_width="440px"))
        steps = HBox([group(say("writes_jump"), self.choice), beside])
        super().__init__(HBox([self.previous, self.next]), steps)
        self.previous.on_click(self.when(lambda: self._move(-1)))
        self.next.on_click(self.when(lambda: self._move(1)))
        self.choice.observe(self.when(self._draw), "value")
        self._draw()

    step = chosen("choice")

    def state(self) -> dict[str, Any]:
        """The step shown, of how many, what it does, and for each write its disk there (see `Write.seen`)."""
        (name, does), takers = self.rows[self.step - 1]
        reached = [sum(which in some for _, some in self.rows[: self.step]) for which in range(len(self.writes))]
        seen = [write.seen(reached[which], taken=which in takers) for which, write in enumerate(self.writes)]
        return {"step": self.step, "of": len(self.rows), "does": f"{name}: {does}", "note": self.note, "writes": seen}

    def static(self) -> Html:
        names = [name for write in self.writes for death in write.deaths for name in death.files]
        return join([*map(_whole, self.writes), _random(names)])

    def plain(self) -> str:
        parts = []
        for write in self.writes:
            parts += [f"{write.name}:"] if write.name else []
            parts += [explorer(write.deaths)] + ([explorer(write.deaths, write.cuts)] if write.cuts else [])
        return "\n".join(parts)

    def _move(self, steps: int) -> None:
        target = self.step + steps
        if 1 <= target <= len(self.rows):
            self.step = target
            return
        self.note = say("writes_first" if target < 1 else "writes_last")
        self._draw()
        self.note = ""

    def _draw(self) -> None:
        state = self.state()
        where = tag("strong", say("writes_step", step=state["step"], of=state["of"]))
        note = tag("p", state["note"]) if state["note"] else ""
        disks = [disk for one in state["writes"] for disk in (one["now"], one["was"]) if disk]
        shown = [name for disk in disks for name in disk.files]
        self.disk.value = show(tag("p", where, " ", state["does"]), note, _beside(state["writes"]), _random(shown))


def _beside(seen: Sequence[dict[str, Any]]) -> Html:
    """The disks of the writes at a step, a column each."""
    cut = any(one["may_read"] is not None for one in seen)
    columns = [[_taken(one), *_cells(one, cut, peek=True)] for one in seen]
    names = [one["write"] or say("writes_left") for one in seen]
    rows = zip([say("writes_own_step"), *_heads(cut)], *columns, strict=True)
    return table(say("writes_disk"), [say("writes_where"), *names], rows)


def _whole(write: Write) -> Html:
    """Every step of a write, a row each."""
    cut = bool(write.cuts)
    rows = [
        [f"{number}. {step}: {does}", *_cells(write.seen(number), cut)]
        for number, (step, does) in enumerate(named(write.deaths), start=1)
    ]
    caption = say("writes_whole_of", name=write.name) if write.name else say("writes_whole")
    return table(caption, [say("disk_dies"), *_heads(cut)], rows)


def _heads(cut: bool) -> list[object]:
    heads: list[object] = [tag("code", CHECKPOINT_FILE), say("disk_temporary"), say("disk_reads")]
    return [*heads, say("disk_may_read")] if cut else heads


def _taken(one: dict[str, Any]) -> Html:
    """Which step of its own this is for a write, and on what file; or that it has none here."""
    if not one["step"]:
        return text(say("writes_not_begun"))
    if not one["taken"]:
        return text(say("writes_not_taken", step=one["step"]))
    files = [tag("code", text(name, NAME)) for name in one["now"].step[1:] if name not in ("", ".")]
    return join([one["step"], ": " if files else "", join(files, " → ")])


def _cells(one: dict[str, Any], cut: bool, *, peek: bool = False) -> list[Html]:
    """The checkpoint's file, the others, what the next process reads and, with `cut`, what it may read after one."""
    now, was = one["now"], one["was"]
    if now is None:
        return [text(say("writes_unknown"))] * (4 if cut else 3)
    names = sorted({*now.files, *(was.files if was else ())} - {CHECKPOINT_FILE})
    others = [tag("div", tag("code", text(name, NAME)), " ", _file(name, now, was, peek)) for name in names]
    whole = now.reads in (OLD, NEW)
    cells = [_file(CHECKPOINT_FILE, now, was, peek), join(others or [say("writes_none")])]
    read = label("arrived" if whole else "lost", say(READS[now.reads]))
    reason = f" ({now.reason})" if now.reason else ""
    cells.append(join([read, " ", _change(was.reads == now.reads) if was else "", reason]))
    may_read = say("disk_or").join(say(READS[reads]) for reads in one["may_read"] or ())
    return [*cells, text(may_read or say("writes_no_cut"))] if cut else cells


def _file(name: str, now: Death, was: Death | None, peek: bool) -> Html:
    """How long a file is, whether it was like this before the step, and its two ends."""
    data, before = now.files.get(name), was.files.get(name) if was else None
    parts: list[object] = [say("writes_gone") if data is None else say("writes_bytes", size=len(data)), " "]
    if was and data != before:
        said = say("writes_new") if before is None else say("writes_was", size=len(before))
        parts += [_change(False), " ", said]
    elif was:
        parts.append(_change(True))
    if data and peek:
        parts.append(folded(say("writes_peek"), tag("pre", text(data.decode("utf-8", "backslashreplace"), PEEK))))
    return join(parts)


def _random(names: Sequence[str]) -> Html:
    """What stands in a name for what it has at random, if any of these files has that."""
    found = any(RANDOM in name for name in names)
    return tag("p", prose(say("writes_random", shown=RANDOM))) if found else Html()


def _change(same: bool) -> Html:
    return label("same", say("seen_same")) if same else label("changed", say("seen_different"))
