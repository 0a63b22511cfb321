"""The two writes, step by step: `escritura.svg`, of lesson 2."""

from collections.abc import Sequence

from ...words import say
from .drawing import (
    DEATH,
    INK,
    LINE,
    PALE_DEATH,
    PALE_LINE,
    PAPER,
    SAVED,
    arrow,
    box,
    inside,
    line,
    paragraph,
    shape,
    svg,
    text,
)

STEPS = (
    ("figure_writing_before", "figure_writing_before_does"),
    ("figure_writing_open", "figure_writing_open_does"),
    ("figure_writing_write", "figure_writing_write_does"),
    ("figure_writing_flush", "figure_writing_flush_does"),
    ("figure_writing_fsync", "figure_writing_fsync_does"),
    ("figure_writing_close", "figure_writing_close_does"),
    ("figure_writing_replace", "figure_writing_replace_does"),
    ("figure_writing_fsync", "figure_writing_folder_does"),
)
OLD, EMPTY, HALF, NEW = "figure_writing_old", "figure_writing_empty", "figure_writing_half", "figure_writing_new"
IN_PLACE = (OLD, EMPTY, HALF, "", "", NEW)  # it does not flush, and it does not sync
ATOMIC = (OLD, OLD, OLD, OLD, OLD, OLD, NEW, NEW)
TEMPORARY = ("", EMPTY, HALF, NEW, NEW, NEW)
LEFT, PITCH, CARD = 186, 120, 106
PLACE_Y, ATOMIC_Y, TEMPORARY_Y = 200, 354, 508  # the middle of the pages of each row


def writing() -> str:
    """Under each step of each write, what the next process finds if this one dies right after it."""
    parts = []
    for number, (name, does) in enumerate(STEPS):
        place = (LEFT + number * PITCH, 62, CARD, 68)
        fill, ink = (LINE, PAPER) if number else (PALE_LINE, INK)
        parts.append(box(*place, fill, edge=LINE) + inside(*place, say(name), say(does), ink=ink, size=16))
    parts.append(box(LEFT + PITCH - 6, PLACE_Y - 46, 2 * PITCH - 2, 140, PALE_DEATH, edge=DEATH, dashed=True))
    parts += _row(PLACE_Y, "figure_writing_in_place", "figure_writing_target", IN_PLACE, torn=DEATH)
    parts += _row(ATOMIC_Y, "figure_writing_atomic", "figure_writing_target", ATOMIC)
    parts += _row(TEMPORARY_Y, "figure_writing_atomic", "figure_writing_temporary", TEMPORARY)
    parts += [text(_middle(number), PLACE_Y, say("figure_writing_skips")) for number in (3, 4)]
    danger = LEFT + 2 * PITCH - 7
    parts.append(text(danger, PLACE_Y + 80, say("figure_writing_neither"), weight=600, fill=DEATH))
    parts.append(paragraph(LEFT + 6 * PITCH, PLACE_Y - 6, say("figure_writing_no_more"), 24))
    parts.append(text(LEFT, ATOMIC_Y + 82, say("figure_writing_always"), weight=600, fill=SAVED, anchor="start"))
    parts.append(text(LEFT, TEMPORARY_Y + 82, say("figure_writing_nobody"), anchor="start"))
    corner = (_middle(6), TEMPORARY_Y)
    parts.append(arrow((_middle(5) + 36, TEMPORARY_Y), corner, (_middle(6), ATOMIC_Y + 62), colour=SAVED))
    parts.append(paragraph(_middle(6) + 14, TEMPORARY_Y - 6, say("figure_writing_takes"), 16))
    parts.append(paragraph(24, TEMPORARY_Y + 122, say("figure_writing_power"), 120))
    return svg(TEMPORARY_Y + 146, say("figure_writing_title"), parts)


def _middle(number: int) -> float:
    return LEFT + number * PITCH + CARD / 2


def _row(y: float, name: str, file: str, found: Sequence[str], torn: str = LINE) -> list[str]:
    head = text(24, y - 4, say(name), size=18, weight=600, anchor="start") + text(24, y + 20, say(file), anchor="start")
    pages = [_page(_middle(number), y, key, torn) for number, key in enumerate(found) if key]
    return [head, *pages]


def _page(x: float, y: float, key: str, torn: str) -> str:
    """A sheet with its name below: old, empty, cut half way (both in the colour `torn`) or new."""
    sheet = [(x - 24, y - 34), (x + 10, y - 34), (x + 24, y - 20), (x + 24, y + 28), (x - 24, y + 28)]
    upper = [*sheet[:3], (x + 24, y), (x + 12, y - 9), (x, y), (x - 12, y - 9), (x - 24, y)]
    whole = key in (OLD, NEW)
    fill, edge, ink = {OLD: (PALE_LINE, LINE, LINE), NEW: (SAVED, SAVED, PAPER)}.get(key, (PAPER, torn, torn))
    parts = [shape(sheet, fill, edge=edge, dashed=not whole)]
    if key == HALF:
        parts.append(shape(upper, PALE_LINE, edge=torn))
    rows = 4 if whole else 1 if key == HALF else 0
    parts += [line((x - 15, y - 16 + 11 * n), (x + 15, y - 16 + 11 * n), colour=ink) for n in range(rows)]
    return "".join(parts) + text(x, y + 52, say(key), weight=600, fill=INK if whole else torn)
