"""The answers of each exercise of code: a file each, wrong ones with what they are promised in their first line."""

from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def answers_of(number: str) -> list[Path]:
    """`right_….py` and `wrong_….py` of an exercise."""
    return sorted((HERE / f"e{number.replace('.', '_')}").glob("*_*.py"))


def promised(path: Path) -> list[str]:
    """What the first line of a wrong answer promises: `# once: mails` (a criterion and its fault, or its `error`).

    Nothing for a right one.
    """
    first = path.read_text(encoding="utf-8").splitlines()[0]
    return [part.strip() for part in first.removeprefix("#").split(":")] if path.name.startswith("wrong_") else []


def is_as_promised(path: Path, found: dict[str, Any]) -> bool:
    """Whether the verdicts are those that the answer is promised."""
    if not promised(path):
        return bool(found) and not any(found.values())
    criterion, what = promised(path)
    verdict = found.get(criterion, {})
    return not inner_errors(found) and what == ("error" if "error" in verdict else verdict.get("fault", [""])[0])


def inner_errors(found: dict[str, Any]) -> list[str]:
    """What a check itself raised: it has to say in a fault what it can't use."""
    errors = [verdict["error"] for verdict in found.values() if "error" in verdict]
    return [f"{error['kind']}: {error['message']}" for error in errors if "line" not in error]
