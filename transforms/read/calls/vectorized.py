"""s2s.numpy.vectorize in the code that is read: vmaps of the function, one for each axis along which its arguments are broadcast.

    vectorize(f)(x, y)   of x[n, m], y[m]   ->   vmap(vmap(f, (0, 0)), (0, None))(x, y)
"""
from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from types import FunctionType
from typing import Any

import numpy as np

from s2s import registry
from s2s.errors import ArgumentTypeError, ArgumentValueError, UnknownSizeError
from s2s.transforms.batching.core_axes import Core, core_axes, levels, on_vectorized, wrong_number
from s2s.transforms.read.callables import Applied
from s2s.transforms.read.calls.composed import call_part
from s2s.transforms.read.calls.hidden import enter, whole
from s2s.transforms.read.composed import vectorizing
from s2s.transforms.read.known import is_known
from s2s.transforms.read.numpy.common import agreed
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.values import Abstract, ListRef, Outside, SetRef, View
from s2s.types import Dim, dim_atom, is_one

Make = Callable[[Reader, Any, tuple[Abstract, ...], dict[str, Abstract]], Abstract]


def vectorize(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """The function that it gives, which exists only while reading."""
    given = {**dict(zip(("pyfunc",), args, strict=False)), **kwargs}
    excluded, signature = _items(reader, given.get("excluded", ())), given.get("signature")
    if not is_known(reader, (excluded, signature)):
        raise reader.unsupported("an option of s2s.numpy.vectorize that is known only at run time", "a constant")
    excluded, signature = tuple(whole(reader, each) for each in excluded), whole(reader, signature)
    made = function(len, excluded=frozenset(excluded), signature=signature)  # its errors
    return Applied(registry.makers()["vectorized"], (given["pyfunc"], made.excluded, signature), {})


def _items(reader: Reader, value: Abstract) -> tuple[Abstract, ...]:
    if isinstance(value, Outside):
        value = whole(reader, value)
    return tuple(reader.heap[value]) if isinstance(value, ListRef | SetRef) else tuple(value)


def call_object(make: Make, reader: Reader, function: Outside, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of an object from outside that vectorize made."""
    thing = function.object
    steps = (("object", thing),) if function.steps is None else function.steps
    for name in ("excluded", "signature"):
        reader.session.guard((*steps, ("attribute", name)), getattr(thing, name))
    path = (*steps, ("attribute", "fun"))
    fun = enter(reader, thing.fun, path)
    fun = Outside(fun, path) if isinstance(fun, FunctionType) else fun
    return call(make, reader, thing, (fun, thing.excluded, thing.signature, *args), kwargs)


def call_of_numpy(reader: Reader, function: Outside, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of an object from outside that np.vectorize made."""
    thing = function.object
    steps = (("object", thing),) if function.steps is None else function.steps
    for name in ("otypes", "signature"):
        reader.session.guard((*steps, ("attribute", name)), getattr(thing, name))
    made = (enter(reader, thing.pyfunc, (*steps, ("attribute", "pyfunc"))), thing.otypes, None, tuple(thing.excluded), False, thing.signature)
    return reader.rules.call(call_part(reader, vectorizing.vectorize, made, {}, "np.vectorize"), args, kwargs)


def call(make: Make, reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of f, vectorized: args are f, what is excluded, the signature, then its arguments."""
    fun, excluded, signature, *operands = args
    says = on_vectorized(excluded, signature)
    unknown = [name for name in kwargs if name not in excluded]
    if unknown:
        raise reader.unsupported(f"the keyword argument {unknown[0]} of a vectorized function", "its position, or excluded={…}")
    if kwargs:
        fun = Applied(fun, (), kwargs)
    passed = [number in excluded or each is None for number, each in enumerate(operands)]
    operands = [each if skip else _array(reader, each) for each, skip in zip(operands, passed, strict=True)]
    cores, wanted = _cores(reader, signature, operands, excluded)
    lengths: dict[str, Dim] = {}
    loops: list[tuple[Dim, ...] | None] = []
    for number, (each, core) in enumerate(zip(operands, cores, strict=True)):
        loops.append(None if passed[number] else _note(reader, lengths, _shape(reader, each), core, says))
        operands[number] = each if passed[number] else _squeezed(reader, each, loops[-1])
    _check_loops(reader, loops)
    mapped, ones = levels(loops)
    for axes in mapped:
        fun = make(reader, registry.makers()["vmap"], (fun,), {"in_axes": axes})
    result = reader.rules.call(fun, tuple(operands), {})
    if wanted is not None:
        _check_results(reader, result, wanted, lengths, len(mapped), says)
    return _expanded(reader, result, ones)


def _check_loops(reader: Reader, loops: list[tuple[Dim, ...] | None]) -> None:
    """The sizes along which arguments are broadcast, where they are known, fit."""
    shapes = [shape for shape in loops if shape is not None]
    for axes in zip_longest(*(shape[::-1] for shape in shapes)):
        if len({dim for dim in axes if isinstance(dim, int) and dim != 1}) > 1:
            if all(isinstance(dim, int) for shape in shapes for dim in shape):
                raise ArgumentValueError(f"Incompatible shapes for broadcasting: shapes={shapes}", where=reader.builder.where)
            raise UnknownSizeError("arguments of a vectorized function that don't broadcast", where=reader.builder.where)


def _array(reader: Reader, value: Abstract) -> Abstract:
    return reader.rules.call(np.asarray, (value,), {}) if isinstance(value, ListRef | tuple | Outside) else value


def _shape(reader: Reader, value: Abstract) -> tuple[Dim, ...]:
    return load(reader, value).shape if isinstance(value, View) else np.shape(value) if isinstance(value, np.ndarray) else ()


def _squeezed(reader: Reader, value: Abstract, loops: tuple[Dim, ...] | None) -> Abstract:
    """An argument without the axes of length 1 that are not the function's own."""
    ones = tuple(axis for axis, dim in enumerate(loops or ()) if is_one(dim))
    return reader.rules.call(np.squeeze, (value, ones), {}) if ones else value


def _expanded(reader: Reader, result: Abstract, ones: tuple[int, ...]) -> Abstract:
    if not ones:
        return result
    if isinstance(result, tuple):
        return tuple(_expanded(reader, each, ones) for each in result)
    return reader.rules.call(np.expand_dims, (result, ones), {})


# ---- signatures ---------------------------------------------------------------------------------------------------------------


def _cores(
    reader: Reader, signature: str | None, operands: list[Abstract], excluded: tuple[int | str, ...]
) -> tuple[list[Core], tuple[Core, ...] | None]:
    """The own axes of each argument (of those that are excluded none), and of the results."""
    if signature is None:
        return [()] * len(operands), None
    ins, outs = core_axes(signature)
    mapped = [number for number in range(len(operands)) if number not in excluded]
    wrong = wrong_number(signature, excluded, len(operands))
    if wrong:
        raise ArgumentTypeError(wrong, where=reader.builder.where)
    cores = dict(zip(mapped, ins, strict=True))
    missing = {number for number, each in enumerate(operands) if each is None and cores.get(number)}
    if missing:
        raise ArgumentValueError(f"Cannot pass None at locations {missing} with signature={signature!r}", where=reader.builder.where)
    return [cores.get(number, ()) for number in range(len(operands))], outs


def _note(reader: Reader, lengths: dict[str, Dim], shape: tuple[Dim, ...], core: Core, says: str) -> tuple[Dim, ...]:
    """Compare an argument's own axes with those of the arguments before; its other axes."""
    if len(shape) < len(core):
        raise _misfit(reader, shape, f"input with shape {shape!r} does not have enough dimensions for all core dimensions {core!r} {says}")
    _agree(reader, lengths, shape[len(shape) - len(core) :], core, says)
    return shape[: len(shape) - len(core)]


def _misfit(reader: Reader, shape: tuple[Dim, ...], words: str) -> Exception:
    """The words name sizes: they are those of a call."""
    kind = ArgumentValueError if all(isinstance(dim, int) for dim in shape) else UnknownSizeError
    return kind(words, where=reader.builder.where)


def _agree(reader: Reader, lengths: dict[str, Dim], shape: tuple[Dim, ...], core: Core, says: str) -> None:
    words = says.replace("{", "{{").replace("}", "}}")
    for name, dim in zip(core, shape, strict=True):
        known = lengths.setdefault(name, dim)
        agreed(reader.builder, (known, dim), f"inconsistent size for core dimension {name!r}: {{}} vs {{}} {words}", (dim_atom(dim), dim_atom(known)))


def _check_results(reader: Reader, result: Abstract, wanted: tuple[Core, ...], lengths: dict[str, Dim], depth: int, says: str) -> None:
    where = reader.builder.where
    if len(wanted) > 1 and not isinstance(result, tuple):
        raise ArgumentTypeError(f"output must be a tuple when multiple outputs are expected {says}", where=where)
    results = result if isinstance(result, tuple) else (result,)
    if len(results) != len(wanted):
        raise ArgumentTypeError(f"wrong number of output arguments: expected {len(wanted)}, got {len(results)} {says}", where=where)
    for each, core in zip(results, wanted, strict=True):
        own = _shape(reader, each)[depth:]
        if len(own) != len(core):
            raise _misfit(reader, own, f"output shape {own!r} does not match core dimensions {core!r} {says}")
        _agree(reader, lengths, own, core, says)


__all__ = ["call", "call_object", "call_of_numpy", "vectorize"]
