# known: failed
# accuses also the calls that are asked for and not noted

from lesson_code.harness.conversation import calls_in


def lost_calls(checkpoint, effects):
    noted = list(effects or {})
    asked = [call["id"] for call in calls_in(checkpoint["messages"])]
    pending = checkpoint["pendingToolUse"]
    known = asked + ([pending["id"]] if pending else [])
    unnoted = [name for name in asked if name not in noted and not (pending and name == pending["id"])]
    return [name for name in noted if name not in known] + unnoted
