"""The exercises of lesson 4 in Spanish."""

from typing import Any

EXERCISES: dict[str, dict[str, Any]] = {}
