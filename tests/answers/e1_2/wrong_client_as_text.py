# left_out: as_text
# turns whatever is no JSON into a text


def what_to_save(scene):
    saved = {}
    for name, value in scene.items():
        if name != "api_key":
            saved[name] = (
                value if isinstance(value, (str, int, list, dict, type(None))) and name != "tools" else str(value)
            )
    return saved
