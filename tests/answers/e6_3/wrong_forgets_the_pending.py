# known: elsewhere
# takes a pending call whose message was not saved for a lost one

from lesson_code.harness.conversation import calls_in


def lost_calls(checkpoint, effects):
    known = {call["id"] for call in calls_in(checkpoint["messages"])}
    return [name for name in effects or {} if name not in known]
