"""A rewind and a fork: `arbol.svg`, of lesson 5."""

from ...words import say
from .drawing import (
    INK,
    LINE,
    PALE_LINE,
    PALE_SAVED,
    PAPER,
    SAVED,
    WORLD,
    arrow,
    box,
    effect,
    inside,
    line,
    paragraph,
    svg,
    text,
)

FIRST, PITCH, SIZE = 206, 188, 64
MAIN, NEW, FORK = 178, 344, 500  # the height of each line


def tree() -> str:
    """Turns 1 to 5, a rewind to 3 with its new line, a fork from 2, and the effects that stay done."""
    parts = [box(24, 56, 1112, 352, PAPER, edge=LINE), box(24, 430, 1112, 134, PALE_SAVED, edge=SAVED)]
    parts.append(text(44, 88, say("figure_tree_folder"), size=18, weight=600, anchor="start"))
    parts.append(text(44, 462, say("figure_tree_fork_folder"), size=18, weight=600, anchor="start"))
    parts += [*_first_line(), *_rewound(), *_forked(), *_legend()]
    return svg(618, say("figure_tree_title"), parts)


def _at(turn: int) -> float:
    return FIRST + (turn - 1) * PITCH


def _first_line() -> list[str]:
    parts = [box(44, MAIN - 20, 72, 40, LINE, rx=20), inside(44, MAIN - 20, 72, 40, say("figure_tree_task"))]
    parts += _step(116, _at(1), MAIN, "1")
    for turn in (2, 3, 4, 5):
        parts += _step(_at(turn - 1) + SIZE / 2, _at(turn), MAIN, str(turn), left=turn > 3)
    return parts


def _rewound() -> list[str]:
    """The arrow from 5 back to 3, what it leaves aside, and the line that begins there."""
    over, edge = 104, MAIN - SIZE / 2
    parts = [arrow((_at(5), edge), (_at(5), over), (_at(3), over), (_at(3), edge), colour=INK)]
    parts.append(text(_at(4), over - 12, say("figure_tree_rewind"), weight=600))
    parts.append(text(_at(4) - 32, MAIN + 62, say("figure_tree_left"), weight=600, fill=LINE, anchor="start"))
    parts.append(text(_at(4) - 32, MAIN + 88, say("figure_tree_still"), fill=WORLD, anchor="start"))
    parts.append(line((_at(3), MAIN + SIZE / 2), (_at(3), NEW + 1)))
    parts += _step(_at(3), _at(4), NEW, "4′")
    parts.append(paragraph(_at(4) + 50, NEW - 4, say("figure_tree_new"), 22, weight=600, fill=SAVED))
    return parts


def _forked() -> list[str]:
    x = _at(2)
    parts = [arrow((x, MAIN + SIZE / 2), (x, FORK - SIZE / 2), colour=INK)]
    parts.append(text(x + 16, 394, say("figure_tree_fork"), weight=600, anchor="start"))
    parts += _node(x, FORK, "2", copied=True)
    for turn in (3, 4):
        parts += _step(_at(turn - 1) + SIZE / 2, _at(turn), FORK, str(turn))
    return [*parts, paragraph(_at(4) + 50, FORK - 16, say("figure_tree_inherits"), 32)]


def _step(start: float, x: float, y: float, name: str, *, left: bool = False) -> list[str]:
    """A turn: the way to its save B, with what it did in the world."""
    parts = [arrow((start, y), (x - SIZE / 2, y), dashed=left)]
    return [*parts, effect((start + x - SIZE / 2 - 8) / 2, y), *_node(x, y, name, left=left)]


def _node(x: float, y: float, name: str, *, left: bool = False, copied: bool = False) -> list[str]:
    """A save B, as a disc; dashed and pale if its line was abandoned, hollow if it is a copy."""
    place = (x - SIZE / 2, y - SIZE / 2, SIZE, SIZE)
    fill, ink = (PALE_LINE, LINE) if left else (PAPER, SAVED) if copied else (SAVED, PAPER)
    disc = box(*place, fill, edge=LINE if left else SAVED, dashed=left, rx=SIZE // 2)
    return [disc, inside(*place, name, say("figure_tree_b"), ink=ink)]


def _legend() -> list[str]:
    y = 592
    parts = [box(44, y - 12, 24, 24, SAVED, rx=12), text(78, y + 6, say("figure_tree_saved"), anchor="start")]
    parts += [
        box(300, y - 12, 24, 24, PAPER, edge=SAVED, rx=12),
        text(334, y + 6, say("figure_tree_copied"), anchor="start"),
    ]
    parts.append(box(456, y - 12, 24, 24, PALE_LINE, edge=LINE, dashed=True, rx=12))
    parts.append(text(490, y + 6, say("figure_tree_left_long"), anchor="start"))
    return [*parts, effect(666, y), text(688, y + 6, say("figure_tree_effect"), anchor="start")]
