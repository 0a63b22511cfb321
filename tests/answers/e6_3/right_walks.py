def lost_calls(checkpoint, effects):
    """Busca en todo el punto de control, a cualquier profundidad, los id que aparecen."""
    ids = set(ids_in(checkpoint))
    result = list(effects or {})
    for name in list(result):
        if name in ids:
            result.remove(name)
    return result


def ids_in(value):
    if isinstance(value, dict):
        if "id" in value and "name" in value:
            yield value["id"]
        for part in value.values():
            yield from ids_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from ids_in(part)
