"""What JAX's equations with bodies do, run by NumPy: cond, scan, while, and calls."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s import handles
from s2s.errors import exception_class
from s2s.transforms.jaxprs.syntax import ClosedJaxpr, Jaxpr, Primitive, ShapedArray, eval_jaxpr


def _run(body: ClosedJaxpr | Jaxpr, *args: Any) -> list[Any]:
    return eval_jaxpr(body.jaxpr, body.consts, *args) if isinstance(body, ClosedJaxpr) else eval_jaxpr(body, (), *args)


def _cond(index: Any, *operands: Any, branches: tuple[ClosedJaxpr, ...]) -> list[Any]:
    return _run(branches[min(max(int(index), 0), len(branches) - 1)], *operands)


def _scan(*given: Any, jaxpr: ClosedJaxpr, length: int, num_carry: int, num_consts: int, reverse: bool, unroll: int) -> list[Any]:
    consts, carry, xs = given[:num_consts], list(given[num_consts : num_consts + num_carry]), given[num_consts + num_carry :]
    ys = [np.empty((length, *aval.shape), aval.dtype) for aval in jaxpr.out_avals[num_carry:]]
    for k in reversed(range(length)) if reverse else range(length):
        found = _run(jaxpr, *consts, *carry, *(x[k] for x in xs))
        carry = found[:num_carry]
        for y, value in zip(ys, found[num_carry:], strict=True):
            y[k] = value
    return [*carry, *ys]


def _while(*given: Any, cond_jaxpr: ClosedJaxpr, body_jaxpr: ClosedJaxpr, cond_nconsts: int, body_nconsts: int) -> list[Any]:
    test, body, carry = given[:cond_nconsts], given[cond_nconsts : cond_nconsts + body_nconsts], list(given[cond_nconsts + body_nconsts :])
    while _run(cond_jaxpr, *test, *carry)[0]:
        carry = _run(body_jaxpr, *body, *carry)
    return carry


def _call(*args: Any, name: str, jaxpr: ClosedJaxpr) -> list[Any]:
    return _run(jaxpr, *args)


def _remat(*args: Any, jaxpr: Jaxpr, policy: Any, differentiated: bool, prevent_cse: bool) -> list[Any]:
    return _run(jaxpr, *args)


def _with_rule(*args: Any, call_jaxpr: ClosedJaxpr, name: str, symbolic_zeros: bool, **rules: str) -> list[Any]:
    return _run(call_jaxpr, *args)


def _check(test: Any, *values: Any, error: str, message: str) -> list[Any]:
    if not test:
        raise exception_class(error)(message.format(*(np.asarray(value).tolist() for value in values)))
    return []


def clamped(low: Any, value: Any, high: Any) -> Any:
    """The value brought into [low, high]."""
    return np.minimum(np.maximum(value, low), high).astype(np.int32)[()]


COND = Primitive("cond", _cond, multiple_results=True)
SCAN = Primitive("scan", _scan, multiple_results=True)
WHILE = Primitive("while", _while, multiple_results=True)
JIT = Primitive("jit", _call, multiple_results=True, same_names=True)
REMAT = Primitive("remat2", _remat, multiple_results=True)
CUSTOM_JVP = Primitive("custom_jvp_call", _with_rule, multiple_results=True)
CUSTOM_VJP = Primitive("custom_vjp_call", _with_rule, multiple_results=True)
LINEAR_CALL = Primitive("linear_call", _with_rule, multiple_results=True)
def _print(*values: Any, fmt: str, end: str = "\n", flush: bool = False) -> list[Any]:
    """`print` of the user's: JAX's debug_print, in the order in which equations stand."""
    print(fmt.format(*values), end=end, flush=flush)  # noqa: T201 - the user's own
    return []


def _callback(number: Any, *values: Any, callback: str) -> list[Any]:
    """A callback of the user's, found by its number."""
    handles.run(number, *values)
    return []


DEBUG_CALLBACK = Primitive("debug_callback", _callback, multiple_results=True, effect=True)
DEBUG_PRINT = Primitive("debug_print", _print, multiple_results=True, effect=True)
CHECK = Primitive("check", _check, multiple_results=True, effect=True)
INT32 = ShapedArray((), np.dtype(np.int32))
