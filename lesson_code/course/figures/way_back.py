"""The way back from the disk into the loop: `vuelta.svg`, of lesson 3."""

from ...words import say
from .drawing import (
    DEATH,
    INK,
    LINE,
    PALE_DEATH,
    PALE_LINE,
    PALE_SAVED,
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

WIDE, TALL, PITCH, LEFT = 188, 80, 228, 24
MAIN, SIDE, MOVES, CLOSE = 98, 236, 376, 512  # the top of each level
STEPS = ("load", "valid", "finished", "open", "loop")


def way_back() -> str:
    """From `load_checkpoint` to the loop: three questions, two ends aside, and the call that a death left open."""
    parts = [*_main(), *_aside(), *_open_call(), *_legend()]
    return svg(CLOSE + 100, say("figure_way_title"), parts)


def _main() -> list[str]:
    middle = MAIN + TALL / 2
    parts = [box(LEFT, MAIN, WIDE, TALL, SAVED), box(LEFT + 4 * PITCH, MAIN, WIDE, TALL, LINE, rx=40)]
    parts += [_question(LEFT + number * PITCH, MAIN) for number in (1, 2, 3)]
    for number, name in enumerate(STEPS):
        left = LEFT + number * PITCH
        parts.append(_says((left, MAIN, WIDE, TALL), name, INK if 0 < number < 4 else PAPER))
        if number:
            parts.append(arrow((left - PITCH + WIDE, middle), (left, middle)))
    for number, key in enumerate(("figure_way_yes", "figure_way_no", "figure_way_no")):
        parts.append(text(LEFT + (number + 2) * PITCH - 20, middle - 14, say(key), weight=600))
    end = LEFT + PITCH + WIDE
    parts.append(line((LEFT, MAIN - 8), (LEFT, MAIN - 16), (end, MAIN - 16), (end, MAIN - 8)))
    return [*parts, text((LEFT + end) / 2, MAIN - 25, say("figure_way_reads"), weight=600)]


def _aside() -> list[str]:
    """The two ways out: it is refused, or it was already finished."""
    parts = []
    for number, key, name, fill, edge in (
        (1, "figure_way_no", "refuse", PALE_DEATH, DEATH),
        (2, "figure_way_yes", "answer", PALE_SAVED, SAVED),
    ):
        middle = LEFT + number * PITCH + WIDE / 2
        place = (middle - 102, SIDE, 204, TALL)
        parts += [arrow((middle, MAIN + TALL), (middle, SIDE)), text(middle + 20, SIDE - 26, say(key), weight=600)]
        parts.append(box(*place, fill, edge=edge, dashed=number == 1, rx=40))
        parts.append(_says(place, name, INK))
    return parts


def _open_call() -> list[str]:
    """By the nature of the tool: run again, or told as unknown; then save B, and the loop."""
    middle, apart, wide = LEFT + 3 * PITCH + WIDE / 2, 124, 232
    tee, join = (SIDE + TALL + MOVES) / 2, (MOVES + TALL + CLOSE) / 2
    parts = [
        arrow((middle, MAIN + TALL), (middle, SIDE)),
        text(middle + 20, SIDE - 26, say("figure_way_yes"), weight=600),
    ]
    parts += [_question(middle - 106, SIDE, 212), _says((middle - 106, SIDE, 212, TALL), "kind", INK)]
    for side, key, name in ((-1, "figure_way_yes", "again"), (1, "figure_way_no", "unknown")):
        x = middle + side * apart
        parts.append(arrow((middle, tee), (x, tee), (x, MOVES)))
        parts.append(text(x - side * 26, tee - 10, say(key), weight=600))
        place = (x - wide / 2, MOVES, wide, TALL)
        parts.append(box(*place, LINE) + _says(place, name))
        parts.append(line((x, MOVES + TALL), (x, join), (middle, join)))
    parts += [line((middle, SIDE + TALL), (middle, tee)), arrow((middle, join), (middle, CLOSE))]
    place = (middle - 150, CLOSE, 300, TALL)
    parts.append(box(*place, SAVED) + inside(*place, say("figure_save_b"), say("figure_way_close_does"), size=16))
    back = LEFT + 4 * PITCH + WIDE - 42
    level = CLOSE + TALL / 2
    return [*parts, arrow((middle + 150, level), (back, level), (back, MAIN + TALL))]


def _legend() -> list[str]:
    top = MOVES + 4
    parts = [box(LEFT, top, 56, 26, PAPER, edge=LINE), _question(LEFT, top + 44, 56, 26)]
    parts.append(box(LEFT, top + 88, 56, 26, PAPER, edge=LINE, rx=13))
    for number, key in enumerate(("figure_way_a_step", "figure_way_a_question", "figure_way_an_end")):
        parts.append(text(LEFT + 72, top + 19 + 44 * number, say(key), anchor="start"))
    return [*parts, paragraph(LEFT, top + 158, say("figure_way_ledger"), 48)]


def _says(place: tuple[float, float, float, float], name: str, ink: str = PAPER) -> str:
    """What is written in a shape of the way: its name, and what it does."""
    return inside(*place, say(f"figure_way_{name}"), say(f"figure_way_{name}_does"), ink=ink, size=16)


def _question(left: float, top: float, wide: float = WIDE, tall: float = TALL) -> str:
    """A six-sided shape."""
    tip, middle, right = tall / 4, top + tall / 2, left + wide
    upper = [(left, middle), (left + tip, top), (right - tip, top)]
    return shape([*upper, (right, middle), (right - tip, top + tall), (left + tip, top + tall)], PALE_LINE, edge=LINE)
