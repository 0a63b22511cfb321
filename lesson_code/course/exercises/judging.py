"""Run each check of an exercise on what was handed in, and tell what came of it as data that goes through JSON."""

import __future__

import ast
import inspect
import linecache
import sys
import textwrap
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ... import harness
from .kinds import Criterion, NotYet, Task

ANSWER = "<respuesta>"  # the name of the file in which the learner's code is compiled

Verdict = dict[str, Any]
"""Empty: it holds. Or `fault: [key, fields]`, `error` (see `described`), `hangs` (see `place_of`); of a form, fields
that are `missing`, or in which it `differs` from the run."""

_moment: list[tuple[str, dict[str, Any]]] = []


def now(key: str, **fields: Any) -> None:
    """A check says what it is about to try: a key of the exercise's table of moments. An error will name it."""
    _moment[:] = [(key, fields)]


def load(program: str) -> dict[str, Any]:
    """What the program defines. Its lines can be found afterwards under `ANSWER`; its annotations are left unread."""
    linecache.cache[ANSWER] = len(program), None, program.splitlines(keepends=True), ANSWER
    module = sys.modules["respuesta"] = ModuleType("respuesta")  # a dataclass looks for its module there
    space = vars(module)
    exec(_compiled(program), space)
    return space


@lru_cache(maxsize=1)
def _compiled(program: str) -> CodeType:
    """A check that has it begin anew a hundred times compiles it once."""
    code: CodeType = compile(program, ANSWER, "exec", __future__.annotations.compiler_flag, dont_inherit=True)
    return code


def anew(function: Callable[..., Any]) -> Callable[..., Any]:
    """The learner's `function` as a process has it that has just begun: nothing is left of what its globals hold."""
    again: Callable[..., Any] = load("".join(linecache.getlines(ANSWER)))[function.__name__]
    return again


def judge(task: Task, functions: Sequence[Callable[..., Any]]) -> dict[str, Verdict]:
    """The verdict on each criterion that is checked by running."""
    return {criterion.id: verdict_on(criterion, functions) for criterion in task.criteria if criterion.check}


def verdict_on(criterion: Criterion, functions: Sequence[Callable[..., Any]]) -> Verdict:
    """The verdict on one criterion with a check."""
    _moment.clear()
    try:
        found = criterion.check(*functions) if criterion.check else None
    except NotYet as stopped:
        found = stopped.fault
    except BaseException as error:  # whatever the learner's code raises is told, exit() too
        return {"error": described(error)}
    return {"fault": [found.key, {name: told(value) for name, value in found.fields.items()}]} if found else {}


def told(value: Any) -> Any:
    """A value as it can be told: a number or a text, whatever a learner's code gave."""
    if type(value) in (str, int, float):
        return value
    try:
        return str(value)
    except BaseException:
        return type(value).__name__


def described(error: BaseException) -> dict[str, Any]:
    """What was raised, through which of the learner's functions, in which line, at which moment of the check."""
    frames = traceback.walk_tb(error.__traceback__)
    steps = [(frame.f_code, number) for frame, number in frames if is_learners(frame.f_code)]
    # What a lesson's cells define stands in the answer too, and its lines are none of the learner's.
    steps = steps[:1] + [step for step in steps[1:] if step[0].co_name not in harness.__all__]
    return {
        "kind": type(error).__name__,
        "message": told(error),
        "moment": _moment[0] if _moment else None,
        "calls": [code.co_name for code, _ in steps],
        **(place_of(*steps[-1]) if steps else {}),
    }


def is_learners(code: Any) -> bool:
    return bool(code.co_filename == ANSWER)


def place_of(code: Any, number: int) -> dict[str, Any]:
    """A line of the learner's: its function, its number counted from `def`, its text."""
    text = linecache.getline(ANSWER, number).strip()
    return {"function": code.co_name, "line": number - code.co_firstlineno + 1, "text": text}


def judge_form(task: Task, answers: Mapping[str, str], measured: Mapping[str, tuple[str, ...]]) -> dict[str, Verdict]:
    """The verdict on each criterion that is checked by comparing the form with a run."""
    verdicts: dict[str, Verdict] = {}
    for criterion in task.criteria:
        if criterion.fields:
            missing = [name for name in criterion.fields if name not in answers]
            differs = [name for name in criterion.fields if name in answers and answers[name] not in measured[name]]
            found = {"missing": missing, "differs": differs}
            verdicts[criterion.id] = {what: names for what, names in found.items() if names}
    return verdicts


def is_untouched(functions: Sequence[FunctionType], starters: Sequence[FunctionType]) -> bool:
    """Whether all are still what the lesson gave, comments and line breaks aside."""
    return all(_as_written(one) == _as_written(other) for one, other in zip(functions, starters, strict=True))


def _as_written(function: FunctionType) -> str | None:
    """Not the bytecode, which also tells what was imported in the same cell."""
    try:
        return ast.dump(ast.parse(textwrap.dedent(inspect.getsource(function))))
    except (OSError, SyntaxError):
        return None  # it was written where no source is kept


def fits(function: Any, parameters: str) -> bool:
    """Whether `function` can be called with these parameters (`checkpoint, tools, *, resume`)."""
    positional, _, named = parameters.partition("*")
    given = [name.strip() for name in positional.split(",") if name.strip()]
    names = [name.strip() for name in named.split(",") if name.strip()]
    try:
        inspect.signature(function).bind(*given, **dict.fromkeys(names))
    except TypeError:
        return False
    return True


def returns(function: Any) -> bool:
    """Whether calling `function` runs it: neither a generator nor asynchronous."""
    kinds = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
    return not any(is_kind(function) for is_kind in kinds)
