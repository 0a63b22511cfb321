"""Break a solution in every way there is: drop each statement, swap each adjacent pair, negate each condition."""

import ast
from collections.abc import Iterator

BODIES = ("body", "orelse", "finalbody")


def mutants_of(source: str) -> Iterator[tuple[str, str]]:
    """Each mutant of the functions of `source`: what was done to it, and the source. Docstrings stay.

    The name says the kind, the line as it is written, and which of equal lines it is: `drop: return None #2`.
    """
    seen: dict[str, int] = {}
    whole = ast.unparse(ast.parse(source))
    count = sum(1 for _ in _changes(ast.parse(source)))
    for wanted in range(count):
        tree = ast.parse(source)
        for number, (name, change) in enumerate(_changes(tree)):
            if number == wanted:
                change()
                seen[name] = seen.get(name, 0) + 1
                mutant = ast.unparse(ast.fix_missing_locations(tree))
                if mutant != whole:  # two equal lines were swapped
                    yield name + (f" #{seen[name]}" if seen[name] > 1 else ""), mutant
                break


def _changes(tree: ast.Module):  # type: ignore[no-untyped-def]
    for function in [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]:
        for node in ast.walk(function):
            for body in [part for name in BODIES if isinstance(part := getattr(node, name, None), list) and part]:
                yield from _of_body(body)
            for field in ("test", "ifs", "guard"):
                yield from _of_condition(node, field)


def _of_body(body: list[ast.stmt]):  # type: ignore[no-untyped-def]
    for index, statement in enumerate(body):
        if _is_docstring(statement) or isinstance(statement, ast.Pass):
            continue
        yield f"drop: {_line(statement)}", lambda index=index: body.__setitem__(index, ast.Pass())
        if index and not _is_docstring(body[index - 1]):
            name = f"swap: {_line(body[index - 1])} | {_line(statement)}"
            yield name, lambda i=index: body.__setitem__(slice(i - 1, i + 1), [body[i], body[i - 1]])


def _of_condition(node: ast.AST, field: str):  # type: ignore[no-untyped-def]
    value = getattr(node, field, None)
    if isinstance(value, ast.expr):
        yield f"negate: {ast.unparse(value)}", lambda: setattr(node, field, _not(value))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield f"negate: {ast.unparse(each)}", lambda i=index, each=each: value.__setitem__(i, _not(each))


def _not(value: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), value)


def _line(statement: ast.stmt) -> str:
    return ast.unparse(statement).splitlines()[0]


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
