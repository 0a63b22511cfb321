"""Draw the figures."""

from . import FIGURES, IMAGES

for name, draw in FIGURES.items():
    (IMAGES / name).write_text(draw(), encoding="utf-8", newline="\n")
