# anywhere: middle
# compares the names of the tools, and not the ids

from lesson_code.harness.conversation import calls_in


def lost_calls(checkpoint, effects):
    asked = {call["name"] for call in calls_in(checkpoint["messages"])}
    if checkpoint["pendingToolUse"]:
        asked.add(checkpoint["pendingToolUse"]["name"])
    return [name for name, entry in (effects or {}).items() if entry["name"] not in asked]
