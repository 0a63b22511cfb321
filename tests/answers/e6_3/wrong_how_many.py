# anywhere: middle
# counts: what is noted beyond the calls of the conversation must be lost

from lesson_code.harness.conversation import calls_in


def lost_calls(checkpoint, effects):
    asked = len(calls_in(checkpoint["messages"]))
    return list(effects or {})[asked:]
