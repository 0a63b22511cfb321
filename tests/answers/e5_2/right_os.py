# os and mkstemp instead of pathlib, names taken apart by hand, a random name for each folder of the abandoned

import json
import os
import secrets
import tempfile

from lesson_code.harness import CheckpointMissing


def put(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=os.path.dirname(path))
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(value, file)
        file.flush()
        os.fsync(file.fileno())
    os.rename(draft, path)


def names(folder):
    """[(turno, letra, nombre)], del más viejo al más nuevo."""
    found = []
    try:
        listed = os.listdir(os.path.join(folder, "checkpoints"))
    except FileNotFoundError:
        return found
    for name in listed:
        parts = name.removesuffix(".json").split("-")
        if name.endswith(".json") and len(parts) == 3 and parts[0] == "turn" and parts[1].isdecimal():
            found.append((int(parts[1]), parts[2], name))
    return sorted(found)


def get(folder, name):
    with open(os.path.join(folder, "checkpoints", name), encoding="utf-8") as file:
        return json.load(file)


def save_checkpoint(checkpoint, folder):
    letter = "B" if checkpoint["pendingToolUse"] is None else "A"
    put(os.path.join(folder, "checkpoints", "turn-{:03}-{}.json".format(checkpoint["turns"], letter)), checkpoint)


def load_latest(folder):
    found = names(folder)
    if not found:
        raise CheckpointMissing("vacía")
    return get(folder, found[-1][2])


def rewind_to(turn, folder):
    found = names(folder)
    at = [index for index, (number, letter, _) in enumerate(found) if (number, letter) == (turn, "B")]
    if not at:
        raise CheckpointMissing(str(turn))
    later = found[at[0] + 1 :]
    if later:
        aside = os.path.join(folder, "rewind-" + secrets.token_hex(8))
        os.mkdir(aside)
        for _, _, name in later[::-1]:
            os.rename(os.path.join(folder, "checkpoints", name), os.path.join(aside, name))
    return load_latest(folder)


def fork_from(turn, branch, folder):
    chosen = [name for number, letter, name in names(folder) if number == turn and letter == "B"]
    if not chosen:
        raise CheckpointMissing(str(turn))
    scene = get(folder, chosen[0])
    with open(os.path.join(folder, "effects.json"), encoding="utf-8") as file:
        effects = json.load(file)
    written = json.dumps(scene["messages"])
    place = f"{folder}-{branch}"
    os.mkdir(place)
    put(os.path.join(place, "effects.json"), {name: effects[name] for name in effects if f'"id": "{name}"' in written})
    save_checkpoint(scene, place)
    return place
