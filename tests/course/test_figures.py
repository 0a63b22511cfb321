"""The figures: what is committed is what the script draws, whole, inside its boxes and readable."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest
from matplotlib import get_data_path
from matplotlib.ft2font import FT2Font

from lesson_code.course.figures import FIGURES, IMAGES
from tests.benchmarks.__main__ import PICTURE
from tests.notebooks.guards import NOTEBOOKS

each_figure = pytest.mark.parametrize("name", FIGURES)


class Place(NamedTuple):
    """Where something stands on the sheet: a text, a box, a closed shape or a line, with its colour."""

    kind: str
    left: float
    top: float
    right: float
    bottom: float
    fill: str
    says: str = ""

    def holds(self, other: "Place") -> bool:
        across = self.left <= other.left and other.right <= self.right
        return across and self.top <= other.top and other.bottom <= self.bottom

    def touches(self, other: "Place") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


@cache
def drawn(name: str) -> ElementTree.Element:
    return ElementTree.fromstring(FIGURES[name]())


def title_of(name: str) -> str:
    return drawn(name)[0].text or ""


def width_of(words: str, size: float, weight: int) -> float:
    """In DejaVu Sans, the widest of the fonts that a browser takes for `system-ui`."""
    face = "DejaVuSans-Bold.ttf" if weight >= 600 else "DejaVuSans.ttf"
    font = FT2Font(str(Path(get_data_path(), "fonts", "ttf", face)))
    font.set_size(size, 72)
    font.set_text(words)
    width, _ = font.get_width_height()
    return float(width) / 64


def place_of(part: ElementTree.Element) -> Place:
    kind, has = part.tag.split("}")[1], part.attrib
    if kind == "text":
        size, words, line = float(has["font-size"]), part.text or "", float(has["y"])
        width = width_of(words, size, int(has["font-weight"]))
        left = float(has["x"]) - width * {"start": 0, "middle": 0.5, "end": 1}[has["text-anchor"]]
        return Place(kind, left, line - 0.75 * size, left + width, line + 0.22 * size, has["fill"], words)
    if kind == "rect":
        left, top = float(has.get("x", 0)), float(has.get("y", 0))
        return Place(kind, left, top, left + float(has["width"]), top + float(has["height"]), has["fill"])
    if kind == "line":
        numbers = [float(has[end]) for end in ("x1", "y1", "x2", "y2")]
    else:
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", has["d"])]
    across, down = numbers[::2], numbers[1::2]
    return Place(kind, min(across), min(down), max(across), max(down), has.get("fill", ""))


@cache
def places(name: str) -> list[Place]:
    """All that is on the sheet, in the order in which it was drawn; the sheet itself first."""
    return [place_of(part) for part in list(drawn(name))[1:]]


def texts(name: str) -> Iterator[tuple[Place, Place, list[Place]]]:
    """Each text, what it stands on (the last box or shape drawn under its middle), and the lines over that."""
    everything = places(name)
    for number, text in enumerate(everything):
        if text.kind == "text":
            x, y = (text.left + text.right) / 2, (text.top + text.bottom) / 2
            middle = Place("point", x, y, x, y, "")
            under = [n for n in range(number) if everything[n].kind in ("rect", "path") and everything[n].holds(middle)]
            over = [place for place in everything[under[-1] :] if place.kind == "line"]
            yield text, everything[under[-1]], over


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@each_figure
def test_a_committed_figure_is_what_the_script_draws(name: str) -> None:
    assert (IMAGES / name).read_text(encoding="utf-8") == FIGURES[name]()


@each_figure
def test_a_figure_is_whole_on_any_background_and_has_a_title(name: str) -> None:
    figure = drawn(name)
    title, paper = list(figure)[:2]
    assert title.tag.endswith("title") and title.text
    assert figure.attrib["viewBox"] == f"0 0 {paper.attrib['width']} {paper.attrib['height']}"
    assert set(paper.attrib) == {"width", "height", "fill"} and paper.attrib["fill"] == "#ffffff"
    assert (figure.attrib["role"], figure.attrib["lang"]) == ("img", "es")


def test_two_drawings_never_have_the_same_title() -> None:
    drawings = {name: draw.func if isinstance(draw, partial) else draw for name, draw in FIGURES.items()}
    assert len({title_of(name) for name in FIGURES}) == len(set(drawings.values()))


@each_figure
def test_nothing_is_drawn_off_the_sheet(name: str) -> None:
    sheet, *rest = places(name)
    assert [place for place in rest if not sheet.holds(place)] == []


@each_figure
def test_every_text_stays_inside_its_box(name: str) -> None:
    assert [(text.says, box) for text, box, _ in texts(name) if not box.holds(text)] == []


@each_figure
def test_nothing_is_written_over_a_text(name: str) -> None:
    written = [text for text, _, _ in texts(name)]
    assert [(one.says, other.says) for one, other in combinations(written, 2) if one.touches(other)] == []
    assert [(text.says, line) for text, _, over in texts(name) for line in over if text.touches(line)] == []


@each_figure
def test_every_text_can_be_read(name: str) -> None:
    sizes = [float(part.attrib["font-size"]) for part in drawn(name) if part.tag.endswith("text")]
    assert min(sizes) >= 15
    assert [text.says for text, box, _ in texts(name) if contrast(text.fill, box.fill) < 4.5] == []


def test_no_figure_in_the_folder_is_without_its_script() -> None:
    """One more is drawn from what was measured, by tests/benchmarks."""
    assert {path.name for path in IMAGES.iterdir()} == {*FIGURES, PICTURE.name}


@each_figure
def test_a_figure_is_shown_in_a_lesson(name: str) -> None:
    assert any(f"](img/{name})" in path.read_text(encoding="utf-8") for path in NOTEBOOKS)
