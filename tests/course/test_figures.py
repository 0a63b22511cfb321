import xml.etree.ElementTree as ElementTree

import pytest

from lesson_code.course.figures import FIGURES, IMAGES


@pytest.mark.parametrize("name", FIGURES)
def test_a_committed_figure_is_what_the_script_draws(name: str) -> None:
    assert (IMAGES / name).read_text(encoding="utf-8") == FIGURES[name]()


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_whole_on_any_background_and_has_a_title(name: str) -> None:
    figure = ElementTree.fromstring(FIGURES[name]())
    _, _, width, height = (float(side) for side in figure.attrib["viewBox"].split())
    title, paper = list(figure)[:2]
    assert title.tag.endswith("title") and title.text
    assert (float(paper.attrib["width"]), float(paper.attrib["height"])) == (width, height)
    assert all(0 <= float(part.attrib["x"]) <= width for part in figure.iter() if "x" in part.attrib)


def test_no_figure_in_the_folder_is_without_its_script() -> None:
    assert {path.name for path in IMAGES.iterdir()} == set(FIGURES)
