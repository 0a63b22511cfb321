import json
import os
import re
from pathlib import Path

from lesson_code.harness import CheckpointMissing, load_effects, write_atomic
from lesson_code.harness.conversation import calls_in

NAME = re.compile(r"turn-(\d+)-([AB])\.json")


def sequence(folder):
    """Los archivos de la línea en uso, en orden: {(turno, punto): ruta}."""
    found = [(NAME.fullmatch(path.name), path) for path in (Path(folder) / "checkpoints").glob("*")]
    # El turno se compara como número: por nombre, el 1000 iría antes que el 999. Lo que tiene otro nombre no cuenta.
    return dict(sorted(((int(match[1]), match[2]), path) for match, path in found if match))


def whole(turn, folder):
    """El archivo del B de turn."""
    found = sequence(folder)
    if (turn, "B") not in found:
        raise CheckpointMissing(f"No hay B del turno {turn}.")  # antes de tocar nada
    return found[turn, "B"]


def save_checkpoint(checkpoint, folder):
    """Guarda el punto de control en la secuencia."""
    point = "A" if checkpoint["pendingToolUse"] else "B"
    data = json.dumps(checkpoint, ensure_ascii=False, indent=2).encode("utf-8")
    write_atomic(Path(folder) / "checkpoints" / f"turn-{checkpoint['turns']:03d}-{point}.json", data)


def load_latest(folder):
    """El punto de control más nuevo de la línea en uso."""
    found = list(sequence(folder).values())
    if not found:
        raise CheckpointMissing("No hay ningún punto de control.")
    return json.loads(found[-1].read_text(encoding="utf-8"))


def rewind_to(turn, folder):
    """Hace del B de turn el más nuevo de la línea en uso, y lo devuelve."""
    target = whole(turn, folder)
    later = [path for place, path in sequence(folder).items() if place > (turn, "B")]
    # Una carpeta nueva cada vez: lo que apartó otro rebobinado no se pisa. El registro no se toca: el mundo no vuelve.
    number = 1 + sum(1 for _ in (Path(folder) / "abandoned").glob("*"))
    aside = Path(folder) / "abandoned" / f"{number:03d}"
    aside.mkdir(parents=True)
    for path in reversed(later):  # del más nuevo al más viejo: si muere a la mitad, lo que queda sigue siendo una línea
        os.replace(path, aside / path.name)
    return json.loads(target.read_text(encoding="utf-8"))


def fork_from(turn, branch, folder):
    """Crea la carpeta hermana que sigue desde el B de turn, y devuelve su ruta."""
    checkpoint = json.loads(whole(turn, folder).read_text(encoding="utf-8"))
    known = {call["id"] for call in calls_in(checkpoint["messages"])}
    inherited = {name: entry for name, entry in load_effects(folder).items() if name in known}
    place = Path(folder).with_name(f"{Path(folder).name}-{branch}")
    place.mkdir()
    write_atomic(place / "effects.json", json.dumps(inherited, ensure_ascii=False).encode("utf-8"))
    save_checkpoint(checkpoint, place)  # con esto la bifurcación ya se puede reanudar: por eso va al final
    return place
