# lost: error
# expects a ledger to be there

from lesson_code.harness.conversation import calls_in


def lost_calls(checkpoint, effects):
    known = {call["id"] for call in calls_in(checkpoint["messages"])}
    if checkpoint["pendingToolUse"]:
        known.add(checkpoint["pendingToolUse"]["id"])
    return [name for name in effects if name not in known]
