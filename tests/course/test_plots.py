"""The plots: opaque, the same wherever they are drawn, and silent on a machine that never drew one."""

import io
from pathlib import Path
from typing import Any

import pytest
from matplotlib.image import imread

from lesson_code.course.plots import COLOURS, LINES, MARKERS, chart
from tests.support import ROOT, child

DRAWS = """
import sys
from pathlib import Path
from lesson_code.course.plots import chart
image = chart({"medido": ([1, 2, 3], [1, 4, 9])}, x="turnos", y="tamaño (bytes)", title="Crece", alt="una curva")
Path(sys.argv[1]).write_bytes(image.data)
"""


def drawn(**changes: Any) -> Any:
    given = {"x": "turnos", "y": "tamaño (bytes)", "title": "Crece", "alt": "una curva", **changes}
    return chart({"medido": ([1, 2, 3], [1, 4, 9])}, **given)


def pixels(data: bytes) -> Any:
    return imread(io.BytesIO(data), format="png")


def test_a_plot_is_an_opaque_png_on_white() -> None:
    image = drawn()
    picture = pixels(image.data)
    assert image.data.startswith(b"\x89PNG\r\n") and picture.shape[:2] == (440, 792)
    assert picture.shape[2] == 3 or picture[..., 3].min() == 1
    assert all(picture[at][:3].tolist() == [1, 1, 1] for at in [(0, 0), (0, -1), (-1, 0), (-1, -1)])
    assert picture[..., :3].min() < 0.5  # and something is drawn on it


def test_who_cannot_see_a_plot_can_read_it() -> None:
    data, metadata = drawn(alt="una «curva» que sube")._repr_mimebundle_()
    assert list(data) == ["image/png"] and metadata["image/png"]["alt"] == "una «curva» que sube"


def test_a_plot_is_drawn_twice_to_the_byte_and_another_is_another() -> None:
    assert drawn().data == drawn().data != drawn(log=True).data


def test_two_series_are_told_apart_without_colour() -> None:
    assert len({*zip(LINES, MARKERS, strict=True)}) == len(COLOURS) == 4


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("colour", COLOURS)
def test_a_line_is_dark_enough_on_white(colour: str) -> None:
    assert 1.05 / (luminance(colour) + 0.05) >= 4.5


def drawn_elsewhere(tmp_path: Path, settings: Path) -> bytes:
    """The same plot from a process whose settings and home are in `settings`; it says nothing."""
    (tmp_path / "tmp").mkdir()
    places = {name: str(settings) for name in ("MPLCONFIGDIR", "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
    environment = {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path / "tmp"), **places}
    ended = child(DRAWS, tmp_path / "plot.png", env=environment)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("", "", 0)
    return (tmp_path / "plot.png").read_bytes()


@pytest.mark.parametrize("kind", ["empty", "impossible"])
def test_the_first_plot_on_a_machine_is_this_one_and_says_nothing(tmp_path: Path, kind: str) -> None:
    (tmp_path / "archivo").touch()
    place = tmp_path / "archivo" / "casa" if kind == "impossible" else tmp_path  # not even root can make the former
    assert drawn_elsewhere(tmp_path, place) == drawn().data


def test_the_settings_of_a_machine_do_not_change_a_plot(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text("savefig.transparent: True\nfont.size: 30\n", encoding="ascii")
    assert drawn_elsewhere(tmp_path, tmp_path) == drawn().data
