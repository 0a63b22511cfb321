# sequence: names
# writes A and B of a turn to the same file

import json
import os
import re
from pathlib import Path

from lesson_code.harness import CheckpointMissing, load_effects, write_atomic
from lesson_code.harness.conversation import calls_in

NAME = re.compile(r"turn-(\d+)\.json")


def sequence(folder):
    found = [(NAME.fullmatch(path.name), path) for path in (Path(folder) / "checkpoints").glob("*")]
    return dict(sorted(((int(match[1]), "B"), path) for match, path in found if match))


def whole(turn, folder):
    found = sequence(folder)
    if (turn, "B") not in found:
        raise CheckpointMissing(f"No hay B del turno {turn}.")
    return found[turn, "B"]


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def save_checkpoint(checkpoint, folder):
    data = json.dumps(checkpoint, ensure_ascii=False, indent=2).encode("utf-8")
    write_atomic(Path(folder) / "checkpoints" / f"turn-{checkpoint['turns']:03d}.json", data)


def load_latest(folder):
    found = list(sequence(folder).values())
    if not found:
        raise CheckpointMissing("No hay ningún punto de control.")
    return read(found[-1])


def rewind_to(turn, folder):
    target = whole(turn, folder)
    number = 1 + sum(1 for _ in (Path(folder) / "abandoned").glob("*"))
    aside = Path(folder) / "abandoned" / f"{number:03d}"
    aside.mkdir(parents=True)
    for place, path in reversed(sequence(folder).items()):
        if place > (turn, "B"):
            os.replace(path, aside / path.name)
    return read(target)


def fork_from(turn, branch, folder):
    checkpoint = read(whole(turn, folder))
    known = {call["id"] for call in calls_in(checkpoint["messages"])}
    inherited = {name: entry for name, entry in load_effects(folder).items() if name in known}
    place = Path(folder).with_name(f"{Path(folder).name}-{branch}")
    place.mkdir()
    write_atomic(place / "effects.json", json.dumps(inherited, ensure_ascii=False).encode("utf-8"))
    save_checkpoint(checkpoint, place)
    return place
