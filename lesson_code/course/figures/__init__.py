"""The course's figures: `python -m lesson_code.course.figures` draws them into notebooks/img."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from .loss import loss
from .tree import tree
from .turn import turn
from .way_back import way_back
from .window import window
from .writing import writing

IMAGES = Path(__file__).parents[3] / "notebooks" / "img"

FIGURES: dict[str, Callable[[], str]] = {
    "perdida.svg": loss,
    "escritura.svg": writing,
    "turno.svg": turn,
    "turno_en_disco.svg": partial(turn, disk=True),
    "vuelta.svg": way_back,
    "ventana.svg": window,
    "arbol.svg": tree,
}
