"""The child of a real attack: one run of a harness, which dies where it is told to. See `real`."""

import importlib
import inspect
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..words import say
from .attempt import Place, Setting, accepts, attempt
from .crash import DIED
from .steps import Step, Watch


def main() -> None:
    """Do what the request on standard input says, and write what came of it to its `report`."""
    request = json.loads(sys.stdin.buffer.read())
    report: dict[str, Any] = {"reached": []}
    try:
        harness = load(request["target"], request["program"])
        points = {"crash_point": None} if accepts(harness, "crash_point") else {}
        inspect.signature(harness).bind(None, "", {}, "", resume=False, **points)
        if inspect.iscoroutinefunction(harness):
            raise TypeError(say("unfit_async"))
    except BaseException as error:  # SystemExit too: a module may end the process when it is imported
        report["unfit"] = told(error)
    else:
        run(harness, request, report)
    Path(request["report"]).write_text(json.dumps(report), encoding="utf-8")


def load(target: str, program: str | None = None) -> Callable[..., Any]:
    """The function that `PACKAGE.MODULE:FUNCTION` names; with a program, the one of that name that it defines."""
    module, _, name = target.partition(":")
    if program is None:
        sys.path.insert(0, os.getcwd())
        found: Any = importlib.import_module(module)
    else:
        found = sys.modules["__main__"]
        exec(compile(program, module, "exec"), vars(found))
    for part in name.split("."):
        found = getattr(found, part)
    if not callable(found):
        raise TypeError(f"{name!r} is not callable")
    return found  # type: ignore[no-any-return]  # it is callable


def run(harness: Callable[..., Any], request: dict[str, Any], report: dict[str, Any]) -> None:
    """Run the harness in its place, and die at the label of the request."""
    place, label = Place(Path(request["place"])), request["label"]

    def reach(reached: str) -> None:
        report["reached"].append(reached)
        if reached == label:
            Path(request["report"]).write_text(json.dumps({"died": label}), encoding="utf-8")
            if request["kill"]:
                os.kill(os.getpid(), signal.SIGKILL)
            os._exit(DIED)

    watch = watch_for(label, str(place.folder)) if request["watch"] or label.startswith("write:") else None
    try:
        report["answer"] = attempt(harness, Setting(**request["setting"]), place, resume=request["resume"], reach=reach)
    except BaseException as error:  # whatever stops it is a finding, and the report tells it
        report["raised"] = told(error)
    if watch:
        report["reached"] += writings(watch.steps)


def watch_for(label: str, folder: str) -> Watch:
    """Watch the files of `folder`, to die where `write:FILE.STEP` says."""
    save, step = label.removeprefix("write:").split(".") if label else ("0", "0")
    return Watch(folder, save=int(save), step=int(step))


def writings(steps: list[Step]) -> Iterator[str]:
    """The label of each step by which files were written: `write:1.1` is the opening of the first one."""
    save = step = 0
    for what, _, _ in steps:
        save, step = (save + 1, 1) if what == "open" else (save, step + 1)
        yield f"write:{save}.{step}"


def told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    main()
