"""debug_nans, debug_infs, np.errstate: a call whose result holds nan or inf is run again, equation by equation, to say which of the user's operations made the first one."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from s2s.calls.guards import enter_and_look
from s2s.calls.request import Made, Request, leaf_names, request_of
from s2s.calls.rewrite import Rewritten, program_of
from s2s.calls.switch import numpy_raises, what_is_wrong
from s2s.errors import NotFiniteError
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Equation, Node, Var
from s2s.transforms.ir.staged import Staged
from s2s.tree_util import tree_flatten, tree_leaves, tree_map
from s2s.types import is_float


class Running(Rewritten, Protocol):
    """A function that is called."""

    def run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any: ...

    def knowing(self, request: Request, make: Callable[[], Made]) -> Made: ...

    def on_numpy(self) -> Running: ...


def run_checked(transformed: Running, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The call's result; NotFiniteError, a FloatingPointError, where it holds what must not be."""
    before = tree_map(_copied, (args, kwargs))
    with np.errstate(all="ignore"):  # the error says more than NumPy's warning
        result = transformed.run(args, kwargs)
    found = what_is_wrong((result, args, kwargs))
    if found:
        raise _explained(transformed, before, found)
    return result


def run_raising(transformed: Running, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The call's result where np.errstate or np.seterr ask for exceptions: compiled code raises none, so that NumPy runs the call again whose result holds nan or inf."""
    raising, before = numpy_raises(), tree_map(_copied, (args, kwargs))
    with np.errstate(all="ignore"):
        result = transformed.run(args, kwargs)
    floats = [np.asarray(leaf) for leaf in tree_leaves((result, args, kwargs)) if isinstance(leaf, float | complex | np.ndarray | np.generic)]
    if any(each.dtype.kind in "fc" and ("nan" in raising and np.isnan(each).any() or "inf" in raising and np.isinf(each).any()) for each in floats):
        transformed.on_numpy().run(*before)  # raises NumPy's FloatingPointError, if the operation that NumPy's state speaks of is there
    return result


def _copied(leaf: Any) -> Any:
    return leaf.copy() if isinstance(leaf, np.ndarray) else leaf


def _explained(transformed: Running, before: tuple[Any, ...], found: str) -> NotFiniteError:
    """The error, at the first operation that gives nan or inf when NumPy runs the program."""
    staged, values = program_and_values(transformed, *before)
    for param, value in zip(staged.function.params, values, strict=True):
        if wrong := what_is_wrong(value):
            return NotFiniteError(f"invalid value ({wrong}) in {param.name}, which {transformed.name} was given", where=staged.function.where)
    return _first(staged, values, transformed.public_name, found)


def program_and_values(transformed: Running, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Staged, list[Any]]:
    """The program of a call, and the values of its parameters."""
    request = request_of(transformed, args, kwargs)
    names = leaf_names(transformed, args, request.treedef)
    shape, staged = transformed.knowing(request, lambda: (asked := request.shape(names), program_of(transformed, asked)))
    leaves = tree_flatten((shape.args, shape.kwargs))[0]
    own = staged.function.params[: len(staged.function.params) - len(staged.hidden)]
    given = {leaf: value for leaf, value in zip(leaves, request.leaves, strict=True) if isinstance(leaf, Var)}
    tangents = (value for leaf, value in given.items() if leaf not in own and is_float(leaf.type.dtype))  # of jvp: parameters of its own
    values = [given[param] if param in given else next(tangents) for param in own]
    _, look = enter_and_look(transformed.root, tuple(item.access for item in staged.hidden), staged.guards, lambda *_: None, request.statics())
    return staged, [*values, *(look() or ())]


def explained_half(staged: Staged, given: tuple[Any, ...], name: str, found: str) -> NotFiniteError:
    """The error of a pullback or a linearized function that was given these residuals and arguments."""
    values: dict[Var, Any] = {}
    for parameter, value in zip(staged.parameters, given, strict=True):
        whole = tree_leaves(parameter.tree, is_leaf=lambda part: part is None)
        values.update((var, leaf) for var, leaf in zip(whole, tree_leaves(value), strict=True) if isinstance(var, Var))
    return _first(staged, [values[param] for param in staged.function.params], name, found)


def _first(staged: Staged, values: list[Any], name: str, found: str) -> NotFiniteError:
    """The error of the first operation that gives nan or inf of these values."""
    try:
        interpret(staged.function, *values, watch=_stop_at_first)
    except NotFiniteError as error:
        return error
    return NotFiniteError(f"invalid value ({found}) in the result of {name}", where=staged.function.where)


def _stop_at_first(node: Node, value_of: Callable[[Any], Any]) -> None:
    """Raise before a node that makes nan or inf."""
    if not isinstance(node, Equation):
        return
    made = node.primitive.evaluate(*map(value_of, node.ins), **node.params)
    wrong = what_is_wrong(made)
    if wrong:
        raise NotFiniteError(f"invalid value ({wrong}) encountered in {node.primitive.name}", where=node.where)


__all__ = ["explained_half", "program_and_values", "run_checked", "run_raising"]
