# lost: one
# gives the entries, and not their ids

from lesson_code.harness.conversation import calls_in


def lost_calls(checkpoint, effects):
    known = {call["id"] for call in calls_in(checkpoint["messages"])}
    if checkpoint["pendingToolUse"]:
        known.add(checkpoint["pendingToolUse"]["id"])
    return [entry["name"] for name, entry in (effects or {}).items() if name not in known]
