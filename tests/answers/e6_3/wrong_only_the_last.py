# anywhere: middle
# looks at the last entry and at no other

from lesson_code.harness.conversation import calls_in


def lost_calls(checkpoint, effects):
    if not effects:
        return []
    last = list(effects)[-1]
    known = [call["id"] for call in calls_in(checkpoint["messages"])]
    pending = checkpoint["pendingToolUse"]
    return [] if last in known or (pending and pending["id"] == last) else [last]
