"""Calls of functions that were registered (`s2s.register`): another function is read in their place, or they are called as they are."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s import registry
from s2s.errors import ArgumentTypeError
from s2s.registry import ELEMENTWISE, Registration
from s2s.transforms.primitives.opaque import External, opaque
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.callables import Ruled
from s2s.transforms.read.calls.hidden import enter
from s2s.transforms.read.describing import describe
from s2s.transforms.read.numpy.broadcasting import aligned
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import lift, result_type, supported
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.rules.custom import call_ruled
from s2s.transforms.read.values import Abstract, Outside, View, is_atom, is_number
from s2s.transforms.read.wrapping import unwrap_atom, wrap
from s2s.types import FLOAT64, SUPPORTED_DTYPES, Atom, Opaque, dim_atom, is_whole, kind_of

_REGISTERED = (("object", registry), ("attribute", "REGISTERED"))


def registered(reader: Reader, function: Abstract) -> Registration | None:
    """What was registered for a function that is called; that nothing was is noted too: it may come."""
    if isinstance(function, Opaque) and not isinstance(function, Outside):
        return None
    found = registry.registration(function.object if isinstance(function, Outside) else function)
    if found is None:
        reader.session.guard(registry.NAMES, registry.REGISTERED.names)
    return found


def call_registered(reader: Reader, found: Registration, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of a registered function."""
    steps = (*_REGISTERED, ("item", registry.key_of(found.function)))
    reader.session.guard(steps, found)
    if found.like is not None:
        return reader.rules.call(enter(reader, found.like, (*steps, ("attribute", "like"))), args, kwargs)
    if kwargs:
        raise reader.unsupported(f"keyword arguments of {found.name}, whose source can't be read", "arguments by position")
    rules = {name: enter(reader, getattr(found, name), (*steps, ("attribute", name))) for name in ("jvp", "jvps", "fwd", "bwd")}
    given = {name: rule for name, rule in rules.items() if rule is not None}
    body = Outside(found, steps)
    if not given:
        return call_plain(reader, body, args, {})
    makers = registry.makers()
    maker, names = (makers["custom_vjp"], ("fwd", "bwd")) if "fwd" in given else (makers["custom_jvp"], ("jvp", "jvps"))
    short = found.name.rpartition(".")[2]
    return call_ruled(reader, Ruled(maker, short, body, {name: rules[name] for name in names}, outside=True), args, {})


def call_plain(reader: Reader, function: Outside, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """The function itself, as a call that is written out."""
    del kwargs
    found: Registration = function.object
    _check_arguments(reader, found.name, args)
    with building(reader.builder):
        values = [lift(wrap(reader, arg)) for arg in args]
        if found.result == ELEMENTWISE:
            values = aligned(*values, dtypes=_operand_dtypes(found, values))
            dtype, shape = _result_dtype(found, values), values[0].shape
        else:
            like = lift(wrap(reader, reader.rules.call(enter(reader, found.result, None), args)))
            dtype, shape = like.dtype, like.shape
        call = External(
            found.name, found.function, dtype, len(shape), found.result == ELEMENTWISE, found.compiled, registry.stamp(found.compiled or found.name)
        )
        return _written(reader, call, tuple(dim_atom(dim) for dim in shape), values)


def call_external(reader: Reader, call: External, shape: tuple[Atom, ...], args: tuple[Abstract, ...]) -> Abstract:
    """A call of a function whose result has this shape."""
    _check_arguments(reader, call.name, args)
    with building(reader.builder):
        return _written(reader, call, shape, [lift(wrap(reader, arg)) for arg in args])


def _written(reader: Reader, call: External, shape: tuple[Atom, ...], values: list[Value]) -> Abstract:
    sizes = tuple(reader.value(dim) for dim in shape)
    if not values and not sizes:
        raise reader.unsupported(f"{call.name} without arguments", "a function of arguments")
    (out,) = reader.builder.equation(opaque, tuple(value.atom for value in (*sizes, *values)), {"call": call}, name=call.name.rpartition(".")[2])
    return unwrap_atom(reader, out)


def _check_arguments(reader: Reader, name: str, args: tuple[Abstract, ...]) -> None:
    for arg in args:
        if not (isinstance(arg, View) or is_atom(arg) or is_number(arg)):
            raise reader.unsupported(f"{describe(reader, arg)} as an argument of {name}, whose source can't be read", "arrays and numbers")


def _operand_dtypes(found: Registration, values: list[Value]) -> list[Any]:
    """An elementwise function gets floats, all of one dtype; a ufunc what NumPy would give it."""
    if isinstance(found.function, np.ufunc):
        return list(_resolved(found, values)[:-1])
    common = result_type(*values).dtype
    return [FLOAT64 if is_whole(common) else common] * len(values)


def _result_dtype(found: Registration, values: list[Value]) -> Any:
    dtype = _resolved(found, values)[-1] if isinstance(found.function, np.ufunc) else values[0].dtype
    return supported(dtype)


def _resolved(found: Registration, values: list[Value]) -> tuple[Any, ...]:
    """The dtypes with which a ufunc works: of the operands, then of the result."""
    assert isinstance(found.function, np.ufunc)
    given: tuple[Any, ...] = tuple(_PYTHON[kind_of(value.dtype)] if value.type.weak and not value.ndim else value.dtype for value in values)
    resolved: tuple[Any, ...] = found.function.resolve_dtypes((*given, None))
    if any(dtype not in SUPPORTED_DTYPES for dtype in resolved):
        raise ArgumentTypeError(f"{found.name} works with {', '.join(map(str, resolved))}, which s2s does not have")
    return resolved


_PYTHON = {"b": np.dtype(bool), "i": int, "f": float, "c": complex}
"""Dtypes of Python numbers, as NumPy's promotion takes them."""

__all__ = ["call_external", "call_plain", "call_registered", "registered"]
