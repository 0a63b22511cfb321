"""What lesson 5 gives to begin with in 5.2."""

import json
from pathlib import Path

from lesson_code.harness import write_atomic


def save_checkpoint(checkpoint, folder):
    """Guarda el punto de control; pisa el anterior."""
    data = json.dumps(checkpoint, ensure_ascii=False, indent=2).encode("utf-8")
    write_atomic(Path(folder) / "checkpoint.json", data)


def load_latest(folder):
    """El punto de control más nuevo de la línea en uso."""
    return json.loads((Path(folder) / "checkpoint.json").read_text(encoding="utf-8"))


def rewind_to(turn, folder):
    """Hace del B de turn el más nuevo de la línea en uso, y lo devuelve."""
    ...


def fork_from(turn, branch, folder):
    """Crea la carpeta hermana que sigue desde el B de turn, y devuelve su ruta."""
    ...
