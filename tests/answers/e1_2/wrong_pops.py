# untouched: spoiled
# takes out of the scene what is not to be saved: the loop goes on without its client


def what_to_save(scene):
    for name in ("api_key", "tools", "client"):
        scene.pop(name)
    return scene
