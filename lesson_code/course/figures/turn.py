"""The turn of the loop, with its two saves and the four moments of death: `turno.svg` and `turno_en_disco.svg`."""

from ...words import say
from .drawing import DEATH, LINE, SAVED, WORLD, arrow, box, inside, line, svg, text

STEPS = ("answer", "save_a", "tool", "ledger", "save_b")
FILLS = {"save_a": SAVED, "ledger": SAVED, "save_b": SAVED, "tool": WORLD}
LEFT_ON_DISK = ("figure_disk_a", "figure_disk_a", "figure_disk_ledger", "figure_disk_b")
DEATHS = ("①", "②", "★", "③")  # after save A, the tool, the ledger and save B
STEP, GAP = 164, 46


def turn(*, disk: bool = False) -> str:
    """One turn of the loop: its five steps, the four moments of death and, with `disk`, what each leaves on disk."""
    parts = []
    for number, step in enumerate(STEPS):
        left = 30 + number * (STEP + GAP)
        words = inside(left, 70, STEP, 76, say(f"figure_{step}"), say(f"figure_{step}_does"), size=15)
        parts.append(box(left, 70, STEP, 76, FILLS.get(step, LINE)) + words)
        if number < len(STEPS) - 1:
            parts.append(arrow((left + STEP, 108), (left + STEP + GAP, 108)))
        if number:
            parts.append(_death(left + STEP + GAP / 2, DEATHS[number - 1]))
    for number, key in enumerate(LEFT_ON_DISK if disk else ()):
        middle = 30 + (number + 1) * (STEP + GAP) + STEP + GAP / 2
        parts.append(text(middle, 272, say(key), size=16))
    if disk:
        parts.append(text(30, 272, say("figure_disk"), size=16, weight=600, anchor="start"))
    return svg(300 if disk else 256, say("figure_turn_title"), parts)


def _death(x: float, mark: str) -> str:
    return line((x, 120), (x, 200), colour=DEATH, dashed=True) + text(x, 232, mark, size=26, weight=700, fill=DEATH)
