# copies all that is abandoned before it removes any of it; extra keyword parameters; no fsync

import json
import shutil
from operator import itemgetter
from pathlib import Path

from lesson_code.harness import CheckpointMissing, load_effects

POINTS = ("A", "B")


def numbered(folder):
    found = []
    for path in Path(folder, "checkpoints").glob("turn-*-[AB].json"):
        _, turn, point = path.stem.split("-")
        found.append((int(turn), POINTS.index(point), path))
    return sorted(found, key=itemgetter(0, 1))


def put(path, text):
    draft = path.with_suffix(".new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def save_checkpoint(checkpoint, folder, *, indent=2):
    sequence = Path(folder, "checkpoints")
    sequence.mkdir(parents=True, exist_ok=True)
    point = POINTS[checkpoint["pendingToolUse"] is None]
    put(sequence / f"turn-{str(checkpoint['turns']).zfill(3)}-{point}.json", json.dumps(checkpoint, indent=indent))


def load_latest(folder):
    try:
        return json.loads(numbered(folder)[-1][2].read_text(encoding="utf-8"))
    except IndexError:
        raise CheckpointMissing("Aquí no se guardó nada.") from None


def b_of(turn, folder):
    for number, point, path in numbered(folder):
        if (number, point) == (turn, 1):
            return path
    raise CheckpointMissing(f"El turno {turn} no tiene B.")


def rewind_to(turn, folder, accept=True):
    target = b_of(turn, folder)
    later = [path for number, _, path in numbered(folder) if number > turn]
    times = len(list(Path(folder).glob("left-*")))
    aside = Path(folder, f"left-{times}")
    aside.mkdir()
    for path in later:
        shutil.copy2(path, aside)
    for path in later[::-1]:
        path.unlink()
    return json.loads(target.read_text(encoding="utf-8"))


def fork_from(turn, branch, folder):
    origin = b_of(turn, folder)
    scene = json.loads(origin.read_text(encoding="utf-8"))
    said = [message["content"] for message in scene["messages"] if isinstance(message["content"], list)]
    asked = {block["id"] for blocks in said for block in blocks if block.get("type") == "tool_use"}
    place = Path(f"{folder}-{branch}")
    place.mkdir()
    effects = load_effects(folder)
    put(place / "effects.json", json.dumps({name: effects[name] for name in asked & effects.keys()}))
    (place / "checkpoints").mkdir()
    shutil.copy2(origin, place / "checkpoints" / "draft")
    (place / "checkpoints" / "draft").rename(place / "checkpoints" / origin.name)
    return str(place)
