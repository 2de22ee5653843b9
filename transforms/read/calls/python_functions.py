"""Functions that the emitted module calls as they are: the Python object behind what the reader has for a function, and where each call finds it.

    lambda value: seen.append(value)      inside of the function that is read: made of its own code and of the cells of the function around it
"""
from __future__ import annotations

from functools import partial
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

import libcst as cst

from s2s.errors import Location
from s2s.hidden import cell_of
from s2s.outside import Itself
from s2s.transforms.read.callables import Applied, Closure, ContainerMethod, Method
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax.frame import Frame
from s2s.transforms.read.values import Abstract, Missing, Outside, Steps
from s2s.types import Opaque

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
"""What a function may see of the function around it: values that nobody changes."""


@asks_python
def python_function(reader: Reader, function: Abstract) -> tuple[Any, Steps] | None:
    """The object, and the steps to it; None where there is none: it sees values of the run."""
    if isinstance(function, Outside):
        return function.object, (("object", Itself(function.object)),) if function.steps is None else function.steps
    if isinstance(function, Closure):
        made = _made(reader, function)
        return None if made is None else (made, (("object", Itself(made)),))
    if isinstance(function, Method) and isinstance(function.first, Outside) and isinstance(function.function, Outside):
        owner, name = function.first, function.function.object.__name__
        steps = (("object", Itself(owner.object)),) if owner.steps is None else owner.steps
        return MethodType(function.function.object, owner.object), (*steps, ("attribute", name))
    if isinstance(function, Applied):
        return reader.session.partials[id(function)][1:] if id(function) in reader.session.partials else _partial(reader, function)
    if isinstance(function, ContainerMethod) and function.container in reader.session.containers:
        container, steps = reader.session.containers[function.container]
        return getattr(container, function.name), (*steps, ("attribute", function.name))
    if isinstance(function, Opaque) or not callable(function):
        return None
    return function, (("object", Itself(function)),)


def _partial(reader: Reader, function: Applied) -> tuple[Any, Steps] | None:
    """A partial of such a function and plain values."""
    inner = python_function(reader, function.function)
    if inner is None or not all(isinstance(value, _PLAIN) for value in (*function.args, *function.kwargs.values())):
        return None
    made = partial(inner[0], *function.args, **function.kwargs)
    return made, (("object", Itself(made)),)


def _made(reader: Reader, function: Closure) -> FunctionType | None:
    """A function of the user's, defined inside of the one that is read, as Python would make it."""
    around = _around(function)
    code = None if around is None else _code(around.__code__, function)
    if around is None or code is None or function.defaults:
        return None
    made = reader.session.made_functions.get(function.node)
    if made is not None:
        return made
    cells = [_cell(around, function, name) for name in code.co_freevars]
    if any(cell is None for cell in cells):
        return None
    made = FunctionType(code, around.__globals__, code.co_name, None, tuple(cell for cell in cells if cell is not None))
    if all(name in around.__code__.co_freevars for name in code.co_freevars):
        reader.session.made_functions[function.node] = made
    return made


def _around(function: Closure) -> FunctionType | None:
    """The Python function in which it is defined, where that is the one that is read."""
    frame = function.frame
    while frame.python is None and frame.outer is not None:
        frame = frame.outer
    return frame.python if isinstance(frame.python, FunctionType) and frame.tree.locations is function.tree.locations else None


def _code(around: CodeType, function: Closure) -> CodeType | None:
    """Its code, by its place in the source."""
    where, name = function.tree.where(function.node), "<lambda>" if isinstance(function.node, cst.Lambda) else function.name
    waiting = [around]
    while waiting:
        inside = [each for each in waiting.pop(0).co_consts if isinstance(each, CodeType)]
        waiting += inside
        for code in inside:  # what is nested in a lambda stands within its place, too, and comes later
            if code.co_name == name and code.co_firstlineno == where.line and (name != "<lambda>" or _is_within(code, where)):
                return code
    return None


def _is_within(code: CodeType, where: Location) -> bool:
    """Whether all of a function's code stands there."""
    places = [(first, start, last, end) for first, last, start, end in code.co_positions() if end]  # without the one of RESUME
    return bool(places) and all((where.line, where.column) <= (first, start) and (last, end) <= (where.end_line, where.end_column) for first, start, last, end in places)


def _cell(around: FunctionType, function: Closure, name: str) -> CellType | None:
    """What it sees under a name: the cell of the function around, which may change, or a plain value."""
    if name in around.__code__.co_freevars:
        return cell_of(around, name)
    frame: Frame | None = function.frame
    while frame is not None:
        if name in frame.names:
            value = frame.names[name]
            return CellType(value) if isinstance(value, _PLAIN) and not isinstance(value, Missing) else None
        frame = frame.outer
    return None


__all__ = ["python_function"]
