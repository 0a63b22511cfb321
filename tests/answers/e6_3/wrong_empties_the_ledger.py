# lost: spoiled
# takes the known calls out of the ledger that it was given

from lesson_code.harness.conversation import calls_in


def lost_calls(checkpoint, effects):
    if effects is None:
        return []
    known = [call["id"] for call in calls_in(checkpoint["messages"])]
    if checkpoint["pendingToolUse"]:
        known.append(checkpoint["pendingToolUse"]["id"])
    for name in known:
        effects.pop(name, None)
    return list(effects)
