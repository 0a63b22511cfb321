# anywhere: backwards
# gives them in an order of its own

from lesson_code.harness.conversation import calls_in


def lost_calls(checkpoint, effects):
    known = {call["id"] for call in calls_in(checkpoint["messages"])}
    known |= {checkpoint["pendingToolUse"]["id"]} if checkpoint["pendingToolUse"] else set()
    return sorted(set(effects or {}) - known)
