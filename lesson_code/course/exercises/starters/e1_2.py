"""What lesson 1 gives to begin with in 1.2."""


def what_to_save(scene):
    """Lo que un proceso nuevo necesita de la escena para seguir."""
    return {}
