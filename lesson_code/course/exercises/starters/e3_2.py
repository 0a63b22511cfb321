"""What lesson 3 gives to begin with in 3.2."""


def reconcile(checkpoint, tools):
    """El tool_result de la llamada colgante, o None si no hay ninguna."""
    ...
