"""What the ledger covers and what nobody can know: `ventana.svg`, of lesson 4."""

from textwrap import wrap

from ...words import say
from .drawing import (
    DEATH,
    INK,
    LEADING,
    LINE,
    PALE_DEATH,
    PALE_LINE,
    PALE_SAVED,
    PALE_WORLD,
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

A, INTENT, START, EFFECT, RETURN, NOTE, B, END = 246, 432, 502, 586, 672, 812, 982, 1140
AXIS, TOP, TALL, PITCH = 158, 274, 72, 86  # the time line; the first row, how tall a row is and how far the next
DEATHS = (("①", 342), ("②", 712), ("★", 897), ("③", 1088))
NOBODY, COVERED, OTHER = (PALE_DEATH, DEATH, True), (PALE_SAVED, SAVED, False), (PALE_LINE, LINE, False)
NOT_YET, DONE = (PAPER, WORLD, True), (PALE_WORLD, WORLD, False)

Stretch = tuple[int, int, tuple[str, str, bool], str]
"""From, to, its look (fill, edge, dashed), and what it says."""

ROWS: dict[str, list[Stretch]] = {
    "figure_window_world": [
        (A, EFFECT, NOT_YET, "figure_window_not_yet"),
        (EFFECT, END, DONE, "figure_window_done"),
    ],
    "figure_window_disk": [
        (A, NOTE, OTHER, "figure_disk_a"),
        (NOTE, B, COVERED, "figure_disk_ledger"),
        (B, END, COVERED, "figure_disk_b"),
    ],
    "figure_window_resume": [
        (A, NOTE, NOBODY, "figure_window_nobody"),
        (NOTE, B, COVERED, "figure_window_hit"),
        (B, END, OTHER, "figure_window_go_on"),
    ],
    "figure_window_intent_row": [
        (A, INTENT, COVERED, "figure_window_not_begun"),
        (INTENT, NOTE, NOBODY, "figure_window_as_before"),
        (NOTE, END, OTHER, "figure_window_same"),
    ],
}


def window() -> str:
    """A turn in time and, below, what happened, what the disk says and what a resume can do after a death there."""
    parts = [*_brackets(), *_time_line()]
    for mark, x in DEATHS:
        parts.append(line((x, AXIS + 8), (x, TOP - 50), colour=DEATH, dashed=True))
        parts.append(text(x, TOP - 20, mark, size=26, weight=700, fill=DEATH))
    for number, (name, stretches) in enumerate(ROWS.items()):
        top = TOP + number * PITCH
        parts.append(_said(24, top, say(name), 20, weight=600, anchor="start"))
        for left, right, (fill, edge, dashed), key in stretches:
            parts.append(box(left + 3, top, right - left - 6, TALL, fill, edge=edge, dashed=dashed))
            parts.append(_said((left + right) / 2, top, say(key), (right - left) // 10))
    return svg(TOP + len(ROWS) * PITCH + 4, say("figure_window_title"), parts)


def _said(x: float, top: float, words: str, letters: int, *, weight: int = 400, anchor: str = "middle") -> str:
    """`words` half way down the row that begins at `top`."""
    first = top + TALL / 2 + 6 - LEADING / 2 * (len(wrap(words, letters)) - 1)
    return paragraph(x, first, words, letters, weight=weight, anchor=anchor)


def _time_line() -> list[str]:
    parts = [arrow((A, AXIS), (END, AXIS)), text((A + INTENT) / 2, AXIS - 40, say("figure_window_wait"), size=16)]
    place = (START, AXIS - 28, RETURN - START, 56)
    parts.append(box(*place, WORLD) + inside(*place, say("figure_tool")))
    parts += [effect(EFFECT, AXIS - 30, 12), text(EFFECT, AXIS - 48, say("figure_window_effect"), size=16)]
    for x, key in ((A, "figure_save_a"), (NOTE, "figure_window_note"), (B, "figure_save_b")):
        place = (x - 66, AXIS - 22, 132, 44)
        parts.append(box(*place, SAVED) + inside(*place, say(key)))
    place = (INTENT - 60, AXIS - 22, 120, 44)
    return [*parts, box(*place, PAPER, edge=SAVED, dashed=True), inside(*place, say("figure_window_intent"), ink=INK)]


def _brackets() -> list[str]:
    window = line((EFFECT, 96), (EFFECT, 88), (NOTE - 4, 88), (NOTE - 4, 96), colour=DEATH)
    covered = line((NOTE + 4, 96), (NOTE + 4, 88), (B, 88), (B, 96), colour=SAVED)
    named = text(NOTE - 14, 78, say("figure_window_window"), weight=600, fill=DEATH, anchor="end")
    return [
        window,
        covered,
        named,
        text(NOTE + 4, 78, say("figure_window_covers"), weight=600, fill=SAVED, anchor="start"),
    ]
