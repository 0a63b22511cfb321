"""A Python child of the laboratory: it works in the repository, speaks UTF-8, and dies only where it is told to."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_child(*arguments: str, program: str = "", **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run `python *arguments` to its end, with `program` on standard input and `variables` in its environment."""
    return subprocess.run(
        [sys.executable, *arguments],
        input=program,
        cwd=ROOT,
        env={**os.environ, "CRASH_AFTER": "", "PYTHONIOENCODING": "utf-8", **variables},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=120,
    )
