# anywhere: several
# gives the first one that it finds

from lesson_code.harness.conversation import calls_in


def lost_calls(checkpoint, effects):
    known = [call["id"] for call in calls_in(checkpoint["messages"])]
    if checkpoint["pendingToolUse"]:
        known.append(checkpoint["pendingToolUse"]["id"])
    for name in effects or {}:
        if name not in known:
            return [name]
    return []
