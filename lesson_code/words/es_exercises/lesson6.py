"""The exercises of lesson 6 in Spanish."""

from typing import Any

EXERCISES: dict[str, dict[str, Any]] = {}
