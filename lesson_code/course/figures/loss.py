"""What a death takes and what it leaves: `perdida.svg`, of lesson 1."""

from ...words import say
from .drawing import (
    DEATH,
    LINE,
    PALE_LINE,
    PALE_SAVED,
    PALE_WORLD,
    PAPER,
    SAVED,
    WIDTH,
    WORLD,
    arrow,
    box,
    cross,
    inside,
    line,
    paragraph,
    svg,
    text,
)

MEMORY, DISK, OUTSIDE = (128, 488), (640, 240), (904, 232)  # left and width of the three places
BEFORE, AFTER, TALL = 100, 366, 178
CARDS = (
    (MEMORY[0] + 14, 0, "figure_loss_messages", "figure_loss_messages_is"),
    (MEMORY[0] + 250, 0, "figure_loss_turns", "figure_loss_turns_is"),
    (MEMORY[0] + 14, 1, "figure_loss_tokens", "figure_loss_tokens_is"),
    (MEMORY[0] + 250, 1, "figure_loss_call", "figure_loss_call_is"),
)


def loss() -> str:
    """The memory of the process, the disk and the world, before and after the death."""
    parts = []
    for (left, width), key in zip(
        (MEMORY, DISK, OUTSIDE), ("figure_loss_memory", "figure_loss_disk", "figure_loss_world"), strict=True
    ):
        parts.append(text(left + width / 2, 84, say(key), size=19, weight=600))
    for top, key in ((BEFORE, "figure_loss_before"), (AFTER, "figure_loss_after")):
        parts.append(paragraph(24, top + TALL / 2 - 6, say(key), 8, weight=600))
        parts += [_memory(top, gone=top == AFTER), *_what_stays(top)]
    parts += _death((BEFORE + TALL + AFTER) / 2)
    end = AFTER + TALL + 30
    parts.append(paragraph(MEMORY[0], end, say("figure_loss_memory_end"), 50))
    parts.append(paragraph(DISK[0], end, say("figure_loss_disk_end"), 26))
    parts.append(paragraph(OUTSIDE[0], end, say("figure_loss_world_end"), 25))
    return svg(end + 48, say("figure_loss_title"), parts)


def _memory(top: float, *, gone: bool) -> str:
    left, width = MEMORY
    parts = [box(left, top, width, TALL, PAPER if gone else PALE_LINE, edge=LINE, dashed=gone)]
    for x, row, name, what in CARDS:
        y = top + 14 + row * 80
        parts.append(box(x, y, 224, 70, PAPER if gone else LINE, edge=LINE, dashed=gone))
        parts.append(inside(x, y, 224, 70, say(name), say(what), ink=LINE if gone else PAPER))
        if gone:
            parts.append(cross(x + 210, y + 14, 5))
    return "".join(parts)


def _what_stays(top: float) -> list[str]:
    left, width = DISK
    parts = [box(left, top, width, TALL, PALE_SAVED, edge=SAVED)]
    for row, (name, what) in enumerate(
        (("figure_loss_reports", "figure_loss_reports_is"), ("figure_loss_notes", "figure_loss_notes_is"))
    ):
        place = (left + 14, top + 14 + row * 80, width - 28, 70)
        parts.append(box(*place, SAVED) + inside(*place, say(name), say(what)))
    left, width = OUTSIDE
    place = (left + 14, top + 14, width - 28, 150)
    parts.append(box(left, top, width, TALL, PALE_WORLD, edge=WORLD))
    parts.append(
        box(*place, WORLD) + inside(*place, say("figure_loss_notices"), say("figure_loss_notices_is"), letters=16)
    )
    return parts


def _death(y: float) -> list[str]:
    """The line that the disk and the world cross, and the memory does not."""
    low, high = BEFORE + TALL, AFTER
    stopped = MEMORY[0] + MEMORY[1] / 2
    parts = [line((24, y), (WIDTH - 24, y), colour=DEATH, dashed=True)]
    parts.append(line((stopped, low), (stopped, y - 10)) + cross(stopped, y))
    parts += [arrow((left + width / 2, low), (left + width / 2, high)) for left, width in (DISK, OUTSIDE)]
    return [*parts, text(MEMORY[0], y - 12, say("figure_loss_death"), weight=600, fill=DEATH, anchor="start")]
