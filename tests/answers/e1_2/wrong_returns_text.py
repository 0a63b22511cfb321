# values: kind
# does the writing of the file too

import json


def what_to_save(scene):
    return json.dumps({name: scene[name] for name in ("task", "turns", "tokensUsed", "messages", "call")})
