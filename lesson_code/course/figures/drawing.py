"""The hand that draws every figure: its colours, its letters, its boxes and its arrows.

A sheet is `WIDTH` units across; x grows to the right and y downwards. What stands in a figure is SVG text.
"""

from html import escape
from math import hypot
from textwrap import wrap

INK, PAPER, LINE, SAVED, WORLD, DEATH = "#1b1f24", "#ffffff", "#5b6570", "#0b5cad", "#8a4b00", "#a3151f"
PALE_LINE, PALE_SAVED, PALE_WORLD, PALE_DEATH = "#f1f3f5", "#e6f0fa", "#f9eedd", "#fcebec"
FONT = "font-family='system-ui, sans-serif'"
WIDTH = 1160
LEADING = 24  # from one line of a paragraph to the next

Point = tuple[float, float]


def svg(height: int, title: str, parts: list[str]) -> str:
    """The whole file: an opaque sheet with its title above, and `parts` on it."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" lang="es">'
    paper = f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>'
    heading = text(WIDTH / 2, 34, title, size=20, weight=600)
    return "\n".join([head, f"<title>{escape(title)}</title>", paper, heading, *parts, "</svg>", ""])


def text(
    x: float, y: float, words: str, *, size: int = 17, weight: int = 400, fill: str = INK, anchor: str = "middle"
) -> str:
    style = f'font-size="{size}" font-weight="{weight}" fill="{fill}" text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}" {FONT} {style}>{escape(words)}</text>'


def paragraph(
    x: float, y: float, words: str, letters: int, *, weight: int = 400, fill: str = INK, anchor: str = "start"
) -> str:
    """`words` in lines of at most so many `letters`, the first at `y`."""
    lines = enumerate(wrap(words, letters))
    return "".join(text(x, y + LEADING * n, line, weight=weight, fill=fill, anchor=anchor) for n, line in lines)


def box(
    left: float,
    top: float,
    width: float,
    height: float,
    fill: str,
    *,
    edge: str = "",
    dashed: bool = False,
    rx: int = 8,
) -> str:
    place = f'x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="{rx}"'
    return f'<rect {place} fill="{fill}"{_stroke(edge, dashed)}/>'


def inside(
    left: float,
    top: float,
    width: float,
    height: float,
    name: str,
    does: str = "",
    *,
    ink: str = PAPER,
    size: int = 17,
    letters: int = 99,
) -> str:
    """The name of a shape and, in lines of at most so many `letters`, what it does, in the middle of its place."""
    below = wrap(does, letters)
    middle, first = left + width / 2, top + height / 2 + 6 - LEADING / 2 * len(below)
    lines = [text(middle, first + LEADING * n, line, size=size, fill=ink) for n, line in enumerate(below, start=1)]
    return text(middle, first, name, size=18, weight=600, fill=ink) + "".join(lines)


def shape(points: list[Point], fill: str, *, edge: str = "", dashed: bool = False) -> str:
    """A closed shape with straight sides."""
    corners = " L".join(f"{x:g} {y:g}" for x, y in points)
    return f'<path d="M{corners} Z" fill="{fill}"{_stroke(edge, dashed)}/>'


def line(*points: Point, colour: str = LINE, dashed: bool = False) -> str:
    """A line through `points`, each leg upright or level."""
    parts = []
    for number, ((x1, y1), (x2, y2)) in enumerate(zip(points, points[1:], strict=False), start=2):
        dx, dy = _direction((x1, y1), (x2, y2)) if number < len(points) else (0, 0)  # one more, to fill the corner
        place = f'x1="{x1:g}" y1="{y1:g}" x2="{x2 + dx:g}" y2="{y2 + dy:g}"'
        parts.append(f"<line {place}{_stroke(colour, dashed)}/>")
    return "".join(parts)


def arrow(*points: Point, colour: str = LINE, dashed: bool = False) -> str:
    """A line through `points`, with its head at the last."""
    x, y = points[-1]
    dx, dy = _direction(points[-2], points[-1])
    head = [(x - 9 * dx + 6 * dy, y - 9 * dy - 6 * dx), (x, y), (x - 9 * dx - 6 * dy, y - 9 * dy + 6 * dx)]
    return line(*points[:-1], (x - 8 * dx, y - 8 * dy), colour=colour, dashed=dashed) + shape(head, colour)


def cross(x: float, y: float, size: float = 9) -> str:
    """The mark of what a death takes."""
    falling, rising = ((x - size, y - size), (x + size, y + size)), ((x - size, y + size), (x + size, y - size))
    return line(*falling, colour=DEATH) + line(*rising, colour=DEATH)


def effect(x: float, y: float, size: float = 11) -> str:
    """The mark of what was done in the world."""
    return shape([(x, y - size), (x + size, y), (x, y + size), (x - size, y)], WORLD, edge=PAPER)


def _stroke(colour: str, dashed: bool) -> str:
    if not colour:
        return ""
    return f' stroke="{colour}" stroke-width="2"' + (' stroke-dasharray="5 4"' if dashed else "")


def _direction(start: Point, end: Point) -> Point:
    """One step from `start` towards `end`."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length
