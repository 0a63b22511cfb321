"""The answers of each exercise. Of code: a file each, a wrong one with what it is promised in its first line.

Of a form: `answers.json`, `{"right": [answers], "wrong": [[answers, criterion]]}`. `equivalent.json`: the mutants of
the solution that nothing can tell from it, each with its reason.
"""

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
Verdicts = dict[str, Any]


def folder_of(number: str) -> Path:
    return HERE / f"e{number.replace('.', '_')}"


def answers_of(number: str) -> list[Path]:
    """`right_….py` and `wrong_….py` of an exercise."""
    return sorted(folder_of(number).glob("*_*.py"))


def form_answers(number: str) -> Any:
    """The answers of a form."""
    return json.loads((folder_of(number) / "answers.json").read_text(encoding="utf-8"))


def equivalent(number: str) -> dict[str, str]:
    """The mutants that may stay green, by name, each with its reason."""
    path = folder_of(number) / "equivalent.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def promised(path: Path) -> list[str]:
    """What the first line of a wrong answer promises: `# once: mails` (a criterion and its fault, or its `error`).

    Nothing for a right one.
    """
    first = path.read_text(encoding="utf-8").splitlines()[0]
    return [part.strip() for part in first.removeprefix("#").split(":")] if path.name.startswith("wrong_") else []


def is_accepted(found: Verdicts) -> bool:
    """Whether every criterion holds."""
    return bool(found) and not any(found.values())


def is_as_promised(path: Path, found: Verdicts) -> bool:
    """Whether the verdicts are those that the answer is promised."""
    if inner_errors(found):
        return False
    if not promised(path):
        return is_accepted(found)
    criterion, what = promised(path)
    verdict = found.get(criterion, {})
    return what == ("error" if "error" in verdict else verdict.get("fault", [""])[0])


def inner_errors(found: Verdicts) -> list[str]:
    """What a check itself raised: it has to say in a fault what it can't use."""
    errors = [verdict["error"] for verdict in found.values() if "error" in verdict]
    return [f"{error['kind']}: {error['message']}" for error in errors if "line" not in error]
