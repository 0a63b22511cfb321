"""The tree of a task as a widget: go back to a turn, or leave a second line from it, in a copy of its folder."""

import os
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from ipywidgets import HTML, Button, HBox, RadioButtons

from ..harness import fork_from, load_checkpoint, load_effects, rewind_to
from ..harness.storage import Folder
from ..lab.tree import Line, tree
from ..lab.world import World
from ..words import say
from .branches import branch_of, report_of, rows_of, turns_of
from .html import Html, items, join, page, table
from .task import Node, Task
from .tree import drawn
from .widget import Widget, chosen, group, show

Told = tuple[str, list[str]]
"""A sentence, and what it lists."""


class TimelineTree(Widget):
    """The tree of the task in `folder`, to rewind and to fork. It works on a copy: what it is given never changes.

    `world`: what the calls did; `run(folder)` resumes the task in a folder and gives its log; `turn`: the one chosen
    at first. From code, `turn = 3`, `rewind()`, `accept()`, `fork()`, `go_on()` and `start_over()` do the same as the
    clicks; `node = (name, turn)` also reaches a fork. Raises ValueError, CheckpointError, LedgerError.
    """

    def __init__(
        self,
        folder: Folder,
        world: World | None = None,
        run: Callable[[Path], Any] | None = None,
        *,
        turn: int | None = None,
    ) -> None:
        self.first, self.run, self.first_turn = Task(Path(os.path.realpath(folder)), world).copy(), run, turn
        self.choice, self.report, self.picture = RadioButtons(), HTML(), HTML()
        self.picked = self.when(self._tell)
        self.choice.observe(self.picked, "value")
        self.rewinding = self._button("lines_rewind", self.rewind)
        self.accepting = self._button("lines_accept", self._accept_what_is_asked)
        self.forking = self._button("lines_do_fork", self.fork)
        self.going_on = self._button("lines_go_on", self.go_on)
        self.starting = self._button("lines_start_over", self.start_over)
        row = [self.rewinding, self.forking, *([self.going_on] if run else []), self.starting]
        super().__init__(group(say("lines_choose"), self.choice), HBox(row), self.report, self.accepting, self.picture)
        self._begin()

    node = chosen("choice")

    @property
    def turn(self) -> int:
        """The turn that is chosen. It can be set to another one of the same folder."""
        return self._chosen()[1]

    @turn.setter
    def turn(self, turn: int) -> None:
        self._choose((self._chosen()[0], turn))

    def rewind(self) -> None:
        """Rewind to the turn that is chosen or, if there is something that this can't undo, ask first."""
        effects = self.task.beyond(self._chosen())
        if effects:
            self._tell(asked=effects)
            self.accepting.focus()  # it has just come, below what is on the screen
        else:
            self._rewind(accept=False)

    def accept(self) -> None:
        """Rewind, now that what this can't undo has been read."""
        if self.last["asked"]:
            self._rewind(accept=True)
            self.rewinding.focus()  # the button that was clicked is gone
        else:
            self._tell((say("lines_not_asked"), []))

    def _accept_what_is_asked(self) -> None:
        if self.last["asked"]:  # the second click of two finds the question answered, and the button gone
            self.accept()

    def fork(self) -> None:
        """Fork from the turn that is chosen, to a folder with the next free name, whose turn is then the one chosen."""
        (name, turn), folder = self._chosen(), self._folder()
        branches = (say("lines_branch", number=number) for number in count(1))
        place = fork_from(turn, next(each for each in branches if not os.path.lexists(f"{folder}-{each}")), folder)
        noted, unknown = load_effects(place), self.task.beyond((name, turn))
        inherited = [self.task.did(call_id, noted) for call_id in noted]
        self._refresh((place.name, turn))
        self._tell(
            (say("lines_forked", name=place.name, parent=name, turn=turn), []),
            (say("lines_inherits", number=len(inherited)), inherited),
            (say("lines_unknown", number=len(unknown), parent=name), unknown),
        )

    def go_on(self) -> None:
        """Resume the task in the folder of the turn that is chosen."""
        if self.run is None:
            raise ValueError(say("lines_no_run"))
        node = self._chosen()
        counts, before = self.task.counts(node[0]), turns_of(self._tree())
        self._tell((say("lines_waits", name=node[0]), []))
        try:
            log = self.run(self._folder())
        finally:  # what it did before it failed is on disk
            self._refresh(node)
            self._tell(new=turns_of(self._tree()) - before)
        lines = log if isinstance(log, list) else [log]
        told = [(say("lines_went_on", name=node[0]), []), *self._counted(node[0], counts)]
        self._tell(*told, log=[str(line) for line in lines], new=self.last["new"])

    def start_over(self) -> None:
        """Forget what was done here: a new copy of the task as it was."""
        self._begin((say("lines_started_over", name=self.first.folder.name), []))

    def state(self) -> dict[str, Any]:
        """The tree on disk, the B points and the chosen one, and what the last action asked, told, logged and added."""
        return {"tree": self._tree(), "nodes": self.nodes, "chosen": self.choice.value, **self.last}

    def static(self) -> Html:
        line = self._tree()
        rows = [row for one in line.every() for row in rows_of(one)]
        head = [say(key) for key in ("lines_line", "lines_turn", "lines_kept", "lines_did")]
        back = ([phrase, items(self._beyond(node))] for node, phrase in self.nodes.items())
        heads = [say("lines_back_to"), say("lines_not_undone")]
        return join([table(say("lines_tree", name=line.name), head, rows), table(say("lines_back"), heads, back)])

    def plain(self) -> str:
        rows = [drawn(self._tree()), "", f"{say('lines_back')} · {say('lines_not_undone')}:"]
        for node, phrase in self.nodes.items():
            rows += [phrase, *(f"    {effect}" for effect in self._beyond(node))]
        return "\n".join(rows)

    def _button(self, key: str, action: Callable[[], None]) -> Button:
        button = Button(description=say(key, name="", turn=0))  # which name and turn is known, and shown, later
        button.on_click(self.when(action))
        return button

    def _tree(self) -> Line:
        return tree(self.task.folder, self.task.world)

    def _beyond(self, node: Node) -> list[str]:
        return self.task.beyond(node) or [say("nothing")]

    def _chosen(self) -> Node:
        if self.node is None:
            raise ValueError(say("lines_no_nodes"))
        name, turn = self.node
        return name, turn

    def _choose(self, node: Node) -> None:
        if node not in self.nodes:
            turns = ", ".join(str(turn) for name, turn in self.nodes if name == node[0])
            raise ValueError(say("turn_missing", turn=node[1], turns=turns or say("nothing")))
        self.node = node

    def _folder(self) -> Path:
        return self.task.folder.with_name(self._chosen()[0])

    def _begin(self, *told: Told) -> None:
        """Take a new copy, and choose the newest turn to which a rewind leaves something undone."""
        self.task = self.first.copy()
        self._refresh(None)
        own = [node for node in self.nodes if node[0] == self.task.folder.name]
        if self.first_turn is not None:
            self._choose((self.task.folder.name, self.first_turn))
        elif own:
            self.node = ([node for node in own if self.task.beyond(node)] or own)[-1]
        self._tell(*told)

    def _rewind(self, *, accept: bool) -> None:
        name, turn = self._chosen()
        counts, aside = self.task.counts(name), self.task.aside(name)
        rewind_to(turn, self._folder(), accept=accept)
        moved = sorted(self.task.aside(name) - aside)
        self._refresh((name, turn))
        moves = (say("lines_moved" if moved else "lines_not_moved"), moved)
        self._tell((say("lines_rewound", name=name, turn=turn), []), moves, *self._counted(name, counts))

    def _counted(self, name: str, before: dict[str, int]) -> list[Told]:
        """The ledger and the world, before and after."""
        after = self.task.counts(name)
        changes = {key: say("seen_same" if after[key] == before[key] else "seen_different") for key in after}
        return [(say(key, name=name, before=before[key], after=after[key], change=changes[key]), []) for key in after]

    def _refresh(self, node: Node | None) -> None:
        """Look again which turns can be chosen, and choose `node`."""
        self.nodes = self.task.nodes()
        self.choice.unobserve(self.picked, "value")
        self.choice.options = [(phrase, each) for each, phrase in self.nodes.items()]
        self.choice.value = node if node in self.nodes else None
        self.choice.observe(self.picked, "value")

    def _tell(self, *told: Told, asked: Any = (), log: Any = (), new: Any = ()) -> None:
        """Keep what the last action did, and show everything."""
        self.last = {"told": list(told), "asked": list(asked), "log": list(log), "new": set(new)}
        state = self.state()
        self.report.value = show(*report_of(state))
        self.picture.value = str(page(branch_of(state["tree"], state)))
        self.accepting.layout.display = None if asked else "none"
        turn = load_checkpoint(self._folder())["turns"] if self.node else 0
        self.going_on.description = say("lines_go_on", name=self.node[0] if self.node else "", turn=turn)
