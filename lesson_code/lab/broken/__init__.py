"""Harnesses that look right and fall: what an attack says of each is told in its docstring."""
