"""The exercises of lesson 5 in Spanish."""

from typing import Any

EXERCISES: dict[str, dict[str, Any]] = {}
