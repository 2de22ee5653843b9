"""Make a faulty program small: statements are left out, and expressions made simpler, as long as the fault stays the same."""
from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator

from .check import Outcome


def minimise(text: str, outcome: Outcome, examine: Callable[[str], Outcome], *, seconds: float = 60.0) -> str:
    """A smaller program with the same kind of fault: what is found in so many seconds."""
    wanted = _kind(outcome)
    end = time.perf_counter() + seconds
    progress = True
    while progress and time.perf_counter() < end:
        progress = False
        for smaller in _smaller(text):
            if time.perf_counter() > end:
                break
            if _kind(examine(smaller)) == wanted:
                text, progress = smaller, True
                break
    return text


def _kind(outcome: Outcome) -> tuple[str, str, str]:
    words = outcome.detail.split("\n")[0].split(":")[0] if outcome.detail else ""
    return outcome.kind, outcome.stage, words


def _smaller(text: str) -> Iterator[str]:
    """Programs with one thing less in f, big things first."""
    count = sum(1 for _ in _changes(_function(ast.parse(text))))
    for number in range(count):
        tree = ast.parse(text)
        function = _function(tree)
        for k, change in enumerate(_changes(function)):
            if k == number:
                change()
                break
        ast.fix_missing_locations(tree)
        try:
            made = ast.unparse(tree) + "\n"
            ast.parse(made)
        except (SyntaxError, ValueError):
            continue
        if made != text:
            yield made


def _function(tree: ast.Module) -> ast.FunctionDef:
    return next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "f")


def _changes(function: ast.FunctionDef) -> Iterator[Callable[[], None]]:
    blocks = [value for node in ast.walk(function) for name in ("body", "orelse") if isinstance(value := getattr(node, name, None), list) and value]
    for block in blocks:
        for k, statement in enumerate(block):
            if isinstance(statement, ast.Return) and block is function.body:
                continue
            if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name) and statement.target.id.startswith("n"):
                continue  # counts the trips of a while
            yield lambda block=block, k=k: block.__setitem__(slice(k, k + 1), [] if len(block) > 1 else [ast.Pass()])
            if isinstance(statement, ast.If | ast.For | ast.While):
                yield lambda block=block, k=k, statement=statement: block.__setitem__(slice(k, k + 1), statement.body)
    for node in ast.walk(function):
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and not isinstance(value, ast.Name | ast.Constant) and name in ("value", "left", "right", "test", "iter", "operand", "func"):
                for part in _parts(value):
                    yield lambda node=node, name=name, part=part: setattr(node, name, part)
            if isinstance(value, list) and name in ("args", "elts", "comparators", "values"):
                for k, item in enumerate(value):
                    if isinstance(item, ast.expr) and not isinstance(item, ast.Name | ast.Constant):
                        for part in _parts(item):
                            yield lambda value=value, k=k, part=part: value.__setitem__(k, part)


def _parts(value: ast.expr) -> list[ast.expr]:
    """What may stand instead of an expression: its parts."""
    match value:
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.Call(args=args):
            return [arg for arg in args if not isinstance(arg, ast.Starred)]
        case ast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case ast.UnaryOp(operand=operand):
            return [operand]
        case ast.BoolOp(values=values):
            return list(values)
        case ast.Compare(left=left):
            return []
    return []
