# what is abandoned stays in its folder under another name; the fork is drafted beside and renamed at the end

import itertools
import json
import re
from pathlib import Path

from lesson_code.harness import CheckpointMissing, load_effects, write_atomic
from lesson_code.harness.conversation import calls_in


class Sequence:
    """Los puntos de control de una carpeta."""

    def __init__(self, folder):
        self.place = Path(folder) / "checkpoints"

    def path(self, turn, point):
        return self.place / f"turn-{turn:0>3}-{point}.json"

    def places(self):
        found = [re.fullmatch(r"turn-(\d+)-([AB])[.]json", path.name) for path in self.place.glob("turn-*")]
        return sorted((int(match.group(1)), match.group(2)) for match in found if match)

    def read(self, turn, point):
        if (turn, point) not in self.places():
            raise CheckpointMissing("Ese turno no está.")
        return json.loads(self.path(turn, point).read_bytes())


def save_checkpoint(checkpoint, folder):
    point = "BA"[bool(checkpoint["pendingToolUse"])]
    write_atomic(Sequence(folder).path(checkpoint["turns"], point), json.dumps(checkpoint, indent=1).encode())


def load_latest(folder):
    line = Sequence(folder)
    if not line.places():
        raise CheckpointMissing("No hay nada.")
    return line.read(*line.places()[-1])


def rewind_to(turn, folder):
    line = Sequence(folder)
    target = line.read(turn, "B")
    free = next(n for n in itertools.count(1) if not list(line.place.glob(f"*.abandoned-{n}")))
    for place in line.places()[::-1]:
        if place > (turn, "B"):
            path = line.path(*place)
            path.rename(path.with_suffix(f".abandoned-{free}"))
    return target


def fork_from(turn, branch, folder):
    folder = Path(folder)
    scene = Sequence(folder).read(turn, "B")
    place = folder.with_name(f"{folder.name}-{branch}")
    if place.exists():
        raise FileExistsError("Ya hay una con ese nombre.")
    draft = folder.with_name(f"{place.name}.tmp")
    save_checkpoint(scene, draft)
    known = {call["id"] for call in calls_in(scene["messages"])}
    inherited = {name: entry for name, entry in load_effects(folder).items() if name in known}
    write_atomic(draft / "effects.json", json.dumps(inherited).encode())
    draft.rename(place)
    return place
