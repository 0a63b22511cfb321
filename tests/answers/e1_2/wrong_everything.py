# json: not_json
# saves the whole scene, with what no file takes


def what_to_save(scene):
    return dict(scene)
