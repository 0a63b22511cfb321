from lesson_code.harness.conversation import tool_uses


def lost_calls(checkpoint, effects):
    """Los ids anotados que el punto de control no conoce, en el orden del registro."""
    known = {call["id"] for message in checkpoint["messages"] for call in tool_uses(message["content"])}  # pedidas
    pending = checkpoint["pendingToolUse"]
    if pending is not None:
        known.add(pending["id"])  # o colgante, aunque su mensaje no se haya guardado
    return [tool_use_id for tool_use_id in effects or {} if tool_use_id not in known]
