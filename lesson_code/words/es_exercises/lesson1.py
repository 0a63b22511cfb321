"""The exercises of lesson 1 in Spanish."""

from typing import Any

EXERCISES: dict[str, dict[str, Any]] = {}
