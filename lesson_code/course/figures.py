"""The course's figures, drawn: `python -m lesson_code.course.figures` writes them to notebooks/img."""

from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path

from ..words import say

IMAGES = Path(__file__).parents[2] / "notebooks" / "img"

INK, PAPER, LINE, SAVED, WORLD, DEATH = "#1b1f24", "#ffffff", "#5b6570", "#0b5cad", "#8a4b00", "#a3151f"
FONT = "font-family='system-ui, sans-serif'"

STEPS = ("answer", "save_a", "tool", "ledger", "save_b")
FILLS = {"save_a": SAVED, "ledger": SAVED, "save_b": SAVED, "tool": WORLD}
LEFT_ON_DISK = ("figure_disk_a", "figure_disk_a", "figure_disk_ledger", "figure_disk_b")
DEATHS = ("①", "②", "★", "③")  # after save A, the tool, the ledger and save B
WIDTH, STEP, GAP = 1160, 164, 46


def turn(*, disk: bool = False) -> str:
    """One turn of the loop: its five steps, the four moments of death and, with `disk`, what each leaves on disk."""
    parts = [_text(WIDTH / 2, 34, say("figure_turn_title"), size=20, weight=600)]
    for number, step in enumerate(STEPS):
        left = 30 + number * (STEP + GAP)
        parts.append(_box(left, 70, FILLS.get(step, LINE), say(f"figure_{step}"), say(f"figure_{step}_does")))
        if number < len(STEPS) - 1:
            parts.append(_arrow(left + STEP, left + STEP + GAP))
        if number:
            parts.append(_death(left + STEP + GAP / 2, DEATHS[number - 1]))
    for number, key in enumerate(LEFT_ON_DISK if disk else ()):
        middle = 30 + (number + 1) * (STEP + GAP) + STEP + GAP / 2
        parts.append(_text(middle, 272, say(key), size=16))
    if disk:
        parts.append(_text(30, 272, say("figure_disk"), size=16, weight=600, anchor="start"))
    return _svg(WIDTH, 300 if disk else 256, say("figure_turn_title"), parts)


FIGURES: dict[str, Callable[[], str]] = {"turno.svg": turn, "turno_en_disco.svg": partial(turn, disk=True)}


def _svg(width: int, height: int, title: str, parts: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" lang="es">'
    paper = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", paper, *parts, "</svg>", ""])


def _text(
    x: float, y: float, text: str, *, size: int, weight: int = 400, fill: str = INK, anchor: str = "middle"
) -> str:
    style = f'font-size="{size}" font-weight="{weight}" fill="{fill}" text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}" {FONT} {style}>{escape(text)}</text>'


def _box(left: float, top: float, fill: str, name: str, does: str) -> str:
    box = f'<rect x="{left:g}" y="{top:g}" width="{STEP}" height="76" rx="8" fill="{fill}"/>'
    middle = left + STEP / 2
    return (
        box
        + _text(middle, top + 32, name, size=18, weight=600, fill=PAPER)
        + _text(middle, top + 56, does, size=15, fill=PAPER)
    )


def _arrow(left: float, right: float) -> str:
    line = f'<line x1="{left:g}" y1="108" x2="{right - 8:g}" y2="108" stroke="{LINE}" stroke-width="2"/>'
    return line + f'<path d="M{right - 9:g} 102 L{right:g} 108 L{right - 9:g} 114 Z" fill="{LINE}"/>'


def _death(x: float, mark: str) -> str:
    line = f'<line x1="{x:g}" y1="120" x2="{x:g}" y2="200" stroke="{DEATH}" stroke-width="2" stroke-dasharray="5 4"/>'
    return line + _text(x, 232, mark, size=26, weight=700, fill=DEATH)


if __name__ == "__main__":
    for name, draw in FIGURES.items():
        (IMAGES / name).write_text(draw(), encoding="utf-8", newline="\n")
