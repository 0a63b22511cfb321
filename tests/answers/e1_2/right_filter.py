LEFT_OUT = {"tools", "client", "api_key"}


def what_to_save(scene):
    return {name: value for name, value in scene.items() if name not in LEFT_OUT}
