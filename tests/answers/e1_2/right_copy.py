import copy
import json


def is_json(value):
    try:
        json.dumps(value)
    except TypeError:
        return False
    return True


def what_to_save(scene):
    saved = {name: copy.deepcopy(value) for name, value in scene.items() if is_json(value)}
    saved.pop("api_key")
    return saved
