"""Calls as JAX's tracer sees them, where a jaxpr is asked for: `jnp.where` is a function that jit made, `jnp.log(2.0)` an operation.

    np.where(x > 0, x, 0.0)        jit[name=_where jaxpr=…] b a 0.0:f64[]
    np.log(x) / np.log(2.0)        c:f64[] = log 2.0:f64[];  d:f64[] = div b c

In all other programs the first is a choice for each element, the second a number.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.ir import rewrite
from s2s.transforms.ir.jitted import Jitted, are_kept
from s2s.transforms.ir.program import Function
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.traced_order import is_traced_order
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import Computed, lift
from s2s.transforms.read.reader import Reader
from s2s.types import Array, Var

_JITTED = {np.where: "_where"}
"""Functions that jax.numpy has jitted, and what a jaxpr calls them."""


def traced_call(reader: Reader, function: Callable[..., Any], rule: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a function of the table gives for these arguments. What s2s's own functions call is no concern of a jaxpr's."""
    if not is_traced_order() or reader.frame.tree.at is not None or kwargs:
        return rule(*args, **kwargs)
    if function in _JITTED and len(args) == 3 and are_kept():
        return _jitted(reader, _JITTED[function], rule, [lift(arg) for arg in args])
    found = rule(*args)
    if isinstance(function, np.ufunc) and isinstance(found, float | np.floating) and all(type(arg) in (int, float) for arg in args):
        return Computed(found, rule, args)
    return found


def _jitted(reader: Reader, name: str, rule: Callable[..., Value], operands: list[Value]) -> Value:
    """A call of a jitted function of this name that does what the rule does with its parameters; one function for all operands of the same types."""
    types = tuple(operand.type for operand in operands)
    if any(isinstance(dim, Var) for type_ in types for dim in type_.shape):
        return rule(*operands)
    made, key = reader.session.functions, (name, types)
    if key not in made:
        made[key] = _function(name, rule, types, reader.builder.where)
    node = rewrite.call(made[key], tuple(operand.atom for operand in operands), (name.strip("_"),), reader.builder.where)
    reader.builder.add(node)
    return Value(reader.builder, node.outs[0])


def _function(name: str, rule: Callable[..., Any], types: tuple[Array, ...], where: Any) -> Function:
    inner = new_builder()
    inner.where = where
    params = tuple(Var(f"x{number}", type_) for number, type_ in enumerate(types))
    with building(inner):
        result = rule(*(Value(inner, param) for param in params))
    return Function(name, params, inner.block(result.atom), where, "", Jitted(name, tuple(range(len(params))), ()), derived=False)


__all__ = ["traced_call"]
