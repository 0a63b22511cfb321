# stays: stays
# gives the B back and leaves the later files where they are

import json
import re
from pathlib import Path

from lesson_code.harness import CheckpointMissing, load_effects, write_atomic
from lesson_code.harness.conversation import calls_in

NAME = re.compile(r"turn-(\d+)-([AB])\.json")


def sequence(folder):
    found = [(NAME.fullmatch(path.name), path) for path in (Path(folder) / "checkpoints").glob("*")]
    return dict(sorted(((int(match[1]), match[2]), path) for match, path in found if match))


def whole(turn, folder):
    found = sequence(folder)
    if (turn, "B") not in found:
        raise CheckpointMissing(f"No hay B del turno {turn}.")
    return found[turn, "B"]


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def save_checkpoint(checkpoint, folder):
    point = "A" if checkpoint["pendingToolUse"] else "B"
    data = json.dumps(checkpoint, ensure_ascii=False, indent=2).encode("utf-8")
    write_atomic(Path(folder) / "checkpoints" / f"turn-{checkpoint['turns']:03d}-{point}.json", data)


def load_latest(folder):
    found = list(sequence(folder).values())
    if not found:
        raise CheckpointMissing("No hay ningún punto de control.")
    return read(found[-1])


def rewind_to(turn, folder):
    return read(whole(turn, folder))


def fork_from(turn, branch, folder):
    checkpoint = read(whole(turn, folder))
    known = {call["id"] for call in calls_in(checkpoint["messages"])}
    inherited = {name: entry for name, entry in load_effects(folder).items() if name in known}
    place = Path(folder).with_name(f"{Path(folder).name}-{branch}")
    place.mkdir()
    write_atomic(place / "effects.json", json.dumps(inherited, ensure_ascii=False).encode("utf-8"))
    save_checkpoint(checkpoint, place)
    return place
