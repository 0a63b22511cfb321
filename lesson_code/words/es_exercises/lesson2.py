"""The exercises of lesson 2 in Spanish."""

from typing import Any

EXERCISES: dict[str, dict[str, Any]] = {}
