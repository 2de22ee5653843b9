"""A user's function at a point, as the checks see it: its program, its arguments by name, and itself to take differences of."""
from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.calls import making
from s2s.calls.request import Request, leaf_names, positional_names, request_of
from s2s.calls.switch import DISABLED
from s2s.calls.transformations import JIT
from s2s.calls.transformed import Transformed
from s2s.codegen.modules.call import Static
from s2s.codegen.modules.entry import parameter_pairs
from s2s.errors import ArgumentTypeError, SizesError
from s2s.hidden import fetch
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.one_kind import of_one_kind
from s2s.transforms.ir.program import Function
from s2s.transforms.ir.staged import Cut, Picked, Result, Rows, Staged
from s2s.transforms.simplify.simplification import simplify
from s2s.tree_util import PyTreeDef, tree_flatten, tree_leaves, tree_unflatten
from s2s.types import Var, is_float
from s2s.verification.gradient_checks import Case, program_truth
from s2s.verification.returned import results_in


def case_of(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Case, float, float]:
    """The case; how much its program's results differ from the function's own, and how large they are."""
    transformed = f if isinstance(f, Transformed) else making.transformed(f, JIT.made(), making.options(f))
    transformed.check_call(args, kwargs)
    request = request_of(transformed, args, kwargs)

    def made() -> tuple[Case, float, float]:
        return transformed.knowing(request, lambda: _case(transformed, request, args))

    try:
        return made()
    except SizesError:
        request.exact = True
        return transformed.exactly(request, made)


def _case(transformed: Transformed, request: Request, args: tuple[Any, ...]) -> tuple[Case, float, float]:
    shape = request.shape(leaf_names(transformed, args, request.treedef))
    leaves, treedef = tree_flatten((shape.args, shape.kwargs))
    plain = [leaf.value if isinstance(leaf, Static) else leaf for leaf in leaves]
    params = tuple(dict.fromkeys(leaf for leaf in leaves if isinstance(leaf, Var)))
    staged = of_one_kind(transformed.stage(params, *tree_unflatten(treedef, plain)))
    function = simplify(staged.function)

    theirs = dict(parameter_pairs(staged, shape))
    numbers = {leaf: number for number, leaf in reversed(list(enumerate(leaves))) if isinstance(leaf, Var)}
    positions = {param: numbers[theirs[param]] for param in function.params if param in theirs}
    hidden = {item.param: fetch(transformed.root, item.access) for item in staged.hidden}
    operands = tuple(request.leaves[positions[param]] if param in positions else hidden[param] for param in function.params)
    positional = _positional(request.treedef)
    active = tuple(param in positions and positions[param] in positional and is_float(param.type.dtype) for param in function.params)
    if not any(active):
        raise ArgumentTypeError(f"check_grads: {transformed.name} has no float or complex argument to differentiate with respect to", where=function.where)
    names = _argument_names(transformed, args, request.treedef)
    results, useful = _results(function, staged)
    if not any(useful):
        raise ArgumentTypeError(f"check_grads: {transformed.name} returns no float or complex number", where=function.where)
    labels = tuple(names[positions[param]] if param in positions else param.name for param in function.params)
    if transformed.chain():  # a derivative: its program is all there is
        truth, precision = program_truth(function, operands, active, useful), _precision(operands)
    else:
        chosen = [positions[param] for param, on in zip(function.params, active, strict=True) if on]
        truth = _python(transformed.root, request.leaves, request.treedef, chosen, staged.result, useful)
        precision = _precision(truth(tuple(_double(request.leaves[number]) for number in chosen)))
    case = Case(function, operands, labels, active, results, useful, truth, precision, transformed.public_name.removesuffix("_jit"))
    return case, *_off(case)


def _positional(treedef: PyTreeDef) -> set[int]:
    """The numbers of the leaves that are in positional arguments."""
    return {number for number, accessor in enumerate(treedef.accessors()) if accessor[0].entry == 0}


def _argument_names(transformed: Transformed, args: tuple[Any, ...], treedef: PyTreeDef) -> list[str]:
    """x, params['w'], layers[0].bias: each leaf as the user would write it."""
    positional = positional_names(transformed.signature, len(args))
    return [
        accessor[2:].codify(positional[accessor[1].entry] if accessor[0].entry == 0 else str(accessor[1].entry)) for accessor in treedef.accessors()
    ]


def _results(function: Function, staged: Staged) -> tuple[tuple[str, ...], tuple[bool, ...]]:
    """A name for each result, and which are floats that the function returns."""
    parts, treedef = tree_flatten(staged.result, is_leaf=lambda node: isinstance(node, Picked | Rows | Cut))
    names = [f"result {number}" for number in range(len(function.body.results))]
    useful = [False] * len(names)
    for part, accessor in zip(parts, treedef.accessors(), strict=True):
        own = tree_leaves(part, is_leaf=lambda node: isinstance(node, Picked))
        for column, leaf in enumerate(own):
            if isinstance(leaf, Result):
                names[leaf.number] = accessor.codify("result") + (f" column {column} " if len(own) > 1 else "")
                useful[leaf.number] = is_float(function.body.results[leaf.number].type.dtype)
    return tuple(names), tuple(useful)


def _python(fun: Callable[..., Any], leaves: list[Any], treedef: PyTreeDef, chosen: list[int], result: Any, useful: tuple[bool, ...]) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """The user's own function, run by Python on copies, of just the chosen leaves."""

    def truth(values: tuple[Any, ...]) -> tuple[Any, ...]:
        moved = [leaf.value if isinstance(leaf, Static) else copy.deepcopy(leaf) for leaf in leaves]
        for number, value in zip(chosen, values, strict=True):
            moved[number] = _like(leaves[number], value)
        args, kwargs = tree_unflatten(treedef, moved)
        token = DISABLED.set(True)  # what is jitted inside runs as it is written
        try:
            with np.errstate(all="ignore"):
                found = results_in(result, fun(*args, **kwargs))
        finally:
            DISABLED.reset(token)
        return tuple(np.array(found[number]) for number, on in enumerate(useful) if on)

    return truth


def _like(leaf: Any, value: Any) -> Any:
    """The value as the leaf is: a Python number, a NumPy scalar or an array of its own."""
    if isinstance(leaf, np.ndarray):
        return np.array(value)
    return np.asarray(value).item() if type(leaf) in (float, complex) else np.asarray(value)[()]


def _double(value: Any) -> Any:
    array = np.asarray(value)
    return array.astype(np.result_type(array.dtype, np.float64))


def _precision(values: tuple[Any, ...]) -> float:
    """The rounding error of the least precise of them."""
    return max((float(np.finfo(np.asarray(value).dtype).eps) for value in values if np.asarray(value).dtype.kind in "fc"), default=2.3e-16)


def _off(case: Case) -> tuple[float, float]:
    found = [np.asarray(value) for value, on in zip(interpret(case.function, *case.operands), case.useful, strict=True) if on]
    wanted = [np.asarray(value) for value in case.truth(case.chosen())]
    off = max((float(np.max(np.abs(a - b), initial=0.0)) if a.shape == b.shape else np.inf for a, b in zip(found, wanted, strict=True)), default=0.0)
    return off, max((float(np.max(np.abs(b), initial=0.0)) for b in wanted), default=0.0)
