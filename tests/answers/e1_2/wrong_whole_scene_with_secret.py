# left_out: secret
# leaves out what is no JSON, and keeps the key of the API


def what_to_save(scene):
    return {name: value for name, value in scene.items() if name not in ("tools", "client")}
