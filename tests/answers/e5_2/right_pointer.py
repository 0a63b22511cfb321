# as the harness does it: checkpoint.json says where the line in use stands, and a rewind writes it first

import json
import os
import re

from lesson_code.harness import CheckpointMissing, load_effects, write_atomic


def place_of(checkpoint):
    return checkpoint["turns"], "A" if checkpoint["pendingToolUse"] else "B"


def snapshots(folder):
    found = {}
    for path in (folder / "checkpoints").glob("turn-*.json"):
        match = re.fullmatch(r"turn-([0-9]{3,})-([AB])\.json", path.name)
        if match:
            found[int(match[1]), match[2]] = path
    return found


def save_checkpoint(checkpoint, folder):
    turn, point = place_of(checkpoint)
    data = json.dumps(checkpoint).encode("ascii")
    write_atomic(folder / "checkpoint.json", data)
    set_aside(folder, (turn, point))
    write_atomic(folder / "checkpoints" / f"turn-{turn:03d}-{point}.json", data)


def load_latest(folder):
    try:
        return json.loads((folder / "checkpoint.json").read_text("ascii"))
    except FileNotFoundError:
        raise CheckpointMissing(folder.name) from None


def set_aside(folder, here):
    later = [path for place, path in snapshots(folder).items() if place > here]
    if later:
        (folder / "abandoned").mkdir(exist_ok=True)
        aside = folder / "abandoned" / str(len(os.listdir(folder / "abandoned")))
        aside.mkdir()
        for path in later:
            path.rename(aside / path.name)


def rewind_to(turn, folder):
    found = snapshots(folder)
    if (turn, "B") not in found:
        raise CheckpointMissing(f"{turn}: {sorted(number for number, point in found if point == 'B')}")
    data = found[turn, "B"].read_bytes()
    write_atomic(folder / "checkpoint.json", data)
    set_aside(folder, (turn, "B"))
    return json.loads(data)


def fork_from(turn, branch, folder):
    found = snapshots(folder)
    if (turn, "B") not in found:
        raise CheckpointMissing(str(turn))
    scene = json.loads(found[turn, "B"].read_bytes())
    ids = []
    for message in scene["messages"]:
        if not isinstance(message["content"], str):
            ids += [block["id"] for block in message["content"] if block["type"] == "tool_use"]
    noted = load_effects(folder)
    place = folder.parent / (folder.name + "-" + branch)
    os.mkdir(place)
    write_atomic(place / "effects.json", json.dumps({name: noted[name] for name in ids if name in noted}).encode())
    save_checkpoint(scene, place)
    return place
