"""The examples of docstrings as functions: what stands behind `>>>`, run by Python one statement after the other, and as one function that s2s reads.

    >>> x = np.array([1, 2, 3])          def example(x):
    >>> np.cumsum(x)                         first = np.cumsum(x)
                                             return (first,)

Arrays that are written out become arguments. Statements that print, draw, plot or fail are left out, and what is no number or array is not returned.
"""
from __future__ import annotations

import ast
import contextlib
import doctest
import inspect
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from fuzz.check import load

MAKERS = ("np.array", "np.arange", "np.linspace", "np.ones", "np.eye", "np.asarray")
"""Calls of constants that make an argument."""
LEFT_OUT = ("plt", "print", "random", "rng", "plot", "timeit", "save", "open(", "memmap")
"""Words of statements that are not run."""
LONG = 100_000
"""Elements of an argument from which an example is left out."""


@dataclass
class Step:
    """A statement of an example. `kind`: 'import', 'statement', 'result', or 'argument' (a name and its array)."""

    kind: str
    text: str
    value: Any = None


@dataclass
class Example:
    """A function that gives all results of a docstring, or one of them."""

    text: str
    function: Callable[..., Any]
    arguments: tuple[np.ndarray, ...]

    def copies(self) -> tuple[np.ndarray, ...]:
        """The arguments, for one call."""
        return tuple(each.copy() for each in self.arguments)


def is_number(value: Any) -> bool:
    """Whether s2s gives such a value."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in "biufc"
    return isinstance(value, bool | int | float | complex)


def _is_result(value: Any, depth: int = 0) -> bool:
    return is_number(value) or depth < 2 and isinstance(value, tuple | list) and len(value) < 50 and all(_is_result(each, depth + 1) for each in value)


def _is_argument(node: ast.stmt, known: dict[str, Any]) -> bool:
    """Whether it binds a name to an array that is written out."""
    if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and len(node.targets) == 1 and isinstance(node.value, ast.Call)):
        return False
    found, parts = known[node.targets[0].id], [part for arg in node.value.args for part in ast.walk(arg)]
    written = all(isinstance(part, ast.Constant | ast.List | ast.Tuple | ast.UnaryOp | ast.Load | ast.USub) for part in parts)
    return ast.unparse(node.value.func) in MAKERS and written and isinstance(found, np.ndarray) and is_number(found)


def steps_of(doc: str, known: dict[str, Any]) -> Iterator[Step]:
    """The statements of a docstring that Python can run; `known` is what they see."""
    for example in doctest.DocTestParser().get_examples(doc):
        with contextlib.suppress(SyntaxError):
            for node in ast.parse(example.source).body:
                with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
                    yield from _step(node, known)


def _step(node: ast.stmt, known: dict[str, Any]) -> Iterator[Step]:
    text = ast.unparse(node)
    if any(word in text for word in LEFT_OUT):
        return
    if isinstance(node, ast.Expr):
        value = eval(text, known)
        if _is_result(value):
            yield Step("result", text, value)
        elif value is None:
            yield Step("statement", text)
        return
    exec(text, known)
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield Step("import", text)
    elif isinstance(node, ast.Assign) and _is_argument(node, known):
        yield Step("argument", node.targets[0].id, known[node.targets[0].id].copy())  # type: ignore[attr-defined]
    else:
        yield Step("statement", text)


def example_of(steps: list[Step], head: str, last: int, *, alone: bool) -> Example:
    """The function of all results up to a step, or of that one `alone`."""
    lines: list[str] = []
    arguments: list[np.ndarray] = []
    results = 0
    for number, step in enumerate(steps[: last + 1]):
        if step.kind == "argument":
            lines.append(f"{step.text} = given_{len(arguments)}.copy()")
            arguments.append(step.value)
        elif step.kind == "statement":
            lines += step.text.split("\n")
        elif step.kind == "result" and (number == last or not alone):
            lines.append(f"result_{results} = {step.text}")
            results += 1
    lines.append(f"return ({', '.join(f'result_{k}' for k in range(results))},)")
    params = ", ".join(f"given_{k}" for k in range(len(arguments)))
    imports = [head, *(step.text for step in steps if step.kind == "import")]
    text = "\n".join([*imports, "", f"def example({params}):", *(f"    {line}" for line in lines), ""])
    return Example(text, load(text).example, tuple(arguments))


def examples_of(function: Any, head: str) -> Iterator[tuple[Example, Callable[[], list[Example]]]]:
    """The example of a function's docstring, and how it is taken apart, result by result."""
    known: dict[str, Any] = {}
    exec(head, known)
    steps = list(steps_of(inspect.getdoc(function) or "", known))
    results = [number for number, step in enumerate(steps) if step.kind == "result"]
    if results and all(step.value is None or np.size(step.value) < LONG for step in steps if step.kind == "argument"):
        yield example_of(steps, head, len(steps) - 1, alone=False), lambda: [example_of(steps, head, number, alone=True) for number in results]


__all__ = ["Example", "examples_of", "is_number", "steps_of"]
