"""The laboratory: a model as strict as the API, a world that remembers, and the places where a harness is killed."""
