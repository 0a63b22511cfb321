"""The colours: each is readable on its ground, in the light theme and in the dark one."""

import re

import pytest

from lesson_code.course.theme import LABELS, STYLE, contrast

LIGHT, DARK = "#ffffff", "#111111"  # JupyterLab's own grounds
RING = re.search(r":focus-visible \{ outline: (\d+)px solid (#[0-9a-f]{6})", STYLE)


@pytest.mark.parametrize(
    "text, ground, ratio",
    [
        ("#000000", "#ffffff", 21.0),
        ("#ffffff", "#000000", 21.0),
        ("#767676", "#ffffff", 4.54),
        ("#777777", "#ffffff", 4.48),
        ("#404040", "#ffffff", 10.37),
        ("#ff0000", "#ffffff", 4.0),
        ("#00ff00", "#ffffff", 1.37),
        ("#0000ff", "#ffffff", 8.59),
        ("#0072b2", "#ffffff", 5.19),
        ("#0a0a0a", "#000000", 1.06),
        ("#8a1c4a", "#8a1c4a", 1.0),
    ],
)
def test_contrast_is_what_wcag_reckons(text: str, ground: str, ratio: float) -> None:
    assert round(contrast(text, ground), 2) == ratio


@pytest.mark.parametrize("meaning", LABELS)
def test_a_label_is_readable(meaning: str) -> None:
    assert contrast(*LABELS[meaning]) >= 4.5


@pytest.mark.parametrize("meaning", LABELS)
def test_a_label_has_its_two_colours_in_the_style_sheet(meaning: str) -> None:
    """Both are fixed: a theme that changed one of them would leave a label that nobody can read."""
    text, ground = LABELS[meaning]
    assert f".curso-{meaning} {{ color: {text}; background: {ground}; }}" in STYLE


def test_no_two_labels_look_the_same() -> None:
    assert len(set(LABELS.values())) == len(LABELS)


@pytest.mark.parametrize("ground", [LIGHT, DARK])
def test_who_works_with_the_keyboard_sees_where_they_are(ground: str) -> None:
    assert RING
    assert int(RING[1]) >= 2
    assert contrast(RING[2], ground) >= 3


def test_what_the_theme_does_not_say_is_readable_all_the_same() -> None:
    """The colours of the theme are variables, and each has what is taken where there are none: Voilà, or an old Lab."""
    variables = re.findall(r"var\(([^()]*)\)", STYLE)
    assert variables
    assert [variable for variable in variables if "," not in variable] == []
    text, *_ = re.findall(r" color: var\(--jp-content-font-color1, (#[0-9a-f]{6})\)", STYLE)
    grounds = re.findall(r"background: var\(--jp-layout-color\d, (#[0-9a-f]{6})\)", STYLE)
    assert len(set(grounds)) > 1
    assert min(contrast(text, ground) for ground in grounds) >= 4.5


def test_the_style_sheet_is_whole_and_touches_the_widgets_only() -> None:
    sheet = STYLE.removeprefix("<style>").removesuffix("</style>")
    assert "<" not in sheet
    assert sheet.count("{") == sheet.count("}") > 10
    selectors = [one.strip() for rule in re.findall(r"([^{}]+)\{", sheet) for one in rule.split(",")]
    assert [selector for selector in selectors if not re.match(r"\.curso\b(?!-)", selector)] == []


def test_what_is_clicked_is_large_enough() -> None:
    """24 pixels, as WCAG 2.2 asks of a target, in what is drawn by ipywidgets and by the browser alike."""
    labels, buttons, folded = (
        re.search(rf"{re.escape(what)} \{{[^}}]*?min-height: (\d+)px", STYLE)
        for what in (".curso .widget-radio-box label", ".curso .jupyter-button", ".curso summary")
    )
    assert [int(found[1]) >= 24 for found in (labels, buttons, folded) if found] == [True] * 3
