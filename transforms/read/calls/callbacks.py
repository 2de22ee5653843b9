"""pure_callback, io_callback and debug.callback in the user's code: calls of Python functions that are not read.

    pure_callback(f, like, x)             an equation of the row `opaque`: f by its public name where it has one and gives one array,
                                          else by a number (`s2s.handles`); several results come as one array and are taken apart
    debug.callback(f, x)                  a `Print` that calls f: once, in the order in which nodes stand
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s import handles, registry
from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.handles import How, number_of
from s2s.outside import Access
from s2s.shape_dtype import ShapeDtypeStruct
from s2s.transforms.ir.program import Print
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.opaque import External
from s2s.transforms.read.calls import shapes, trees
from s2s.transforms.read.calls.composed import call_composed, call_part
from s2s.transforms.read.calls.hidden import hidden_input
from s2s.transforms.read.calls.python_functions import python_function
from s2s.transforms.read.calls.registered import call_external
from s2s.transforms.read.composed.callback_results import unpacked
from s2s.transforms.read.describing import describe
from s2s.transforms.read.known import is_known, plain
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.values import Abstract, ObjectRef, Outside, StandIn, View, is_atom, is_number, is_runtime, number_literal
from s2s.tree_util import PyTreeDef, tree_structure
from s2s.types import FLOAT64, SIZE, Atom, Dim, Literal, dim_atom

METHODS = ("sequential", "sequential_unrolled", "expand_dims", "broadcast_all", "legacy_vectorized")
_WORDS = {"c": 2, "i": 2, "u": 2}


def call_pure_callback(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """pure_callback(callback, result_shape_dtypes, *args, **kwargs)."""
    kwargs = dict(kwargs)
    given = list(args)
    for name in ("callback", "result_shape_dtypes")[len(args) :]:
        if name not in kwargs:
            raise ArgumentTypeError(f"pure_callback() missing a required positional argument: {name!r}", where=reader.builder.where)
        given.append(kwargs.pop(name))
    callback, like, *operands = given
    _known(reader, "sharding", kwargs.pop("sharding", None), (None,))
    method = _known(reader, "vmap_method", kwargs.pop("vmap_method", None), (*METHODS, None))
    likes, result = trees.flatten(reader, like)
    fields = [_fields(reader, each) for each in likes]
    found = python_function(reader, callback)
    if found is None:
        raise reader.unsupported(f"pure_callback of {describe(reader, callback)}", "arguments for what it sees of the function around it", "it is called by Python, which knows no values of this program")
    public = registry.name_or_none(found[0])
    packed = len(likes) != 1 or likes[0] is not like
    plain_call = not kwargs and not packed and all(isinstance(arg, View) or is_atom(arg) or is_number(arg) for arg in operands)
    if public is not None and plain_call:
        call = External(public, found[0], np.dtype(fields[0]["dtype"]), len(fields[0]["shape"]), elementwise=False, batched=method or "")
        return call_external(reader, call, tuple(map(_length, fields[0]["shape"])), tuple(operands))
    leaves, structure = _leaves(reader, (tuple(operands), reader.new_dict(kwargs, dict)), describe(reader, callback))
    ranks, dtypes = tuple(len(each["shape"]) for each in fields), tuple(np.dtype(each["dtype"]) for each in fields)
    how = How(structure, _dtypes(reader, leaves), result, dtypes, ranks, packed)
    lengths = [_length(dim) for each in fields for dim in each["shape"]]
    operands = [_number(reader, found, how), *lengths, *leaves]
    shape = (_words(reader, fields),) if packed else tuple(map(_length, fields[0]["shape"]))
    call = External(f"{handles.__name__}.called", handles.called, FLOAT64 if packed else dtypes[0], len(shape), elementwise=False, batched=method or "", shown=_shown(found[0]), held=1 + len(lengths))
    words = call_external(reader, call, shape, tuple(operands))
    return call_part(reader, unpacked, (words, like), {}) if packed else words


def _known(reader: Reader, name: str, value: Abstract, allowed: tuple[Any, ...]) -> Any:
    """An option, which must be one of those that there are."""
    if not is_known(reader, value):
        raise reader.unsupported(f"pure_callback with a {name} that is known only at run time", "a constant")
    found = plain(reader, value)
    if found not in allowed and name == "sharding":
        raise reader.unsupported("pure_callback(sharding=…)", "without: there is one device")
    if found not in allowed:
        raise ArgumentValueError(f"vmap_method must be on of the allowed methods {list(allowed)}, but got: {found}", where=reader.builder.where)
    return found


def _shown(function: Any) -> str:
    return str(getattr(function, "__name__", type(function).__name__))


def _leaves(reader: Reader, tree: Abstract, name: str) -> tuple[list[Abstract], PyTreeDef]:
    """The arguments' arrays and numbers, and the structure of (args, kwargs)."""
    leaves, structure = trees.flatten(reader, tree)
    for leaf in leaves:
        if not (isinstance(leaf, View) or is_atom(leaf) or is_number(leaf)):
            raise reader.unsupported(f"{describe(reader, leaf)} as an argument of {name}, which is called by Python", "arrays and numbers, in any containers")
    return leaves, structure


def _dtypes(reader: Reader, leaves: list[Abstract]) -> tuple[np.dtype[Any], ...]:
    return tuple((load(reader, leaf) if isinstance(leaf, View) else number_literal(leaf) if is_number(leaf) else leaf).type.dtype for leaf in leaves)


def _number(reader: Reader, found: Any, how: How) -> Abstract:
    """The function's number: an argument of the emitted function."""
    function, steps = found
    return hidden_input(reader, Access((*steps, ("handle", how))), number_of(function, how))


def _length(dim: Dim) -> Atom:
    return dim_atom(dim) if isinstance(dim, int) else dim


def _words(reader: Reader, fields: list[Any]) -> Atom:
    """How many float64 numbers hold the results."""
    total: Atom = Literal(0, SIZE)
    for each in fields:
        size: Atom = Literal(_WORDS.get(np.dtype(each["dtype"]).kind, 1) if np.dtype(each["dtype"]).itemsize >= 8 else 1, SIZE)
        for dim in each["shape"]:
            size = sizes.times(reader.builder, size, _length(dim))
        total = reader.plus(total, size)
    return total


def _fields(reader: Reader, like: Abstract) -> Any:
    """The shape and dtype of a result."""
    if isinstance(like, ObjectRef) and like.kind is ShapeDtypeStruct:
        return reader.heap[like]
    found = like.object if isinstance(like, Outside) else like
    if isinstance(found, ShapeDtypeStruct):
        return {"shape": found.shape, "dtype": found.dtype}
    type_ = shapes.type_of(reader, like)
    return {"shape": type_.shape, "dtype": type_.dtype}


def _is_callable(value: Abstract) -> bool:
    thing = value.object if isinstance(value, Outside) else value
    return not is_runtime(thing) and (isinstance(thing, StandIn) or callable(thing))


def call_effect(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """debug.callback(callback, *args), and io_callback(callback, None, *args): the callback is called where the program comes by.

    One that sees values of the run, or that returns some, is read like any other function.
    """
    is_io = function.__name__ == "io_callback"
    names = ("callback", "result_shape_dtypes") if is_io else ("callback",)
    given = [*args[: len(names)], *(kwargs[name] for name in names[len(args) :] if name in kwargs)]
    if given and not _is_callable(given[0]):
        raise ArgumentTypeError(f"first argument to s2s.{'' if is_io else 'debug.'}{function.__name__} must be callable, but got {describe(reader, given[0])}", where=reader.builder.where)
    found = python_function(reader, given[0]) if len(given) == len(names) else None
    if found is None or is_io and given[1] is not None:
        return call_composed(reader, function, args, kwargs)
    options = ("ordered", "sharding", "partitioned", *names)
    named = {name: value for name, value in kwargs.items() if name not in options}
    leaves, structure = _leaves(reader, (tuple(args[len(names) :]), reader.new_dict(named, dict)), _shown(found[0]))
    how = How(structure, _dtypes(reader, leaves), tree_structure(None), (), (), packed=False)
    values = [_number(reader, found, how), *leaves]
    atoms = tuple(load(reader, value).atom if isinstance(value, View) else number_literal(value) if is_number(value) else value for value in values)
    reader.builder.add(Print("", atoms, "", False, reader.builder.where, f"{handles.__name__}.run"))
    return None


HANDLERS = {"s2s.pure_callback": call_pure_callback, "s2s.io_callback": call_effect, "s2s.debug.callback": call_effect}

__all__ = ["HANDLERS", "METHODS"]
