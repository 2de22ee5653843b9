"""pure_callback in the user's code: a call of a Python function that is not read, of whose result the type is given."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s import registry
from s2s.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from s2s.shape_dtype import ShapeDtypeStruct
from s2s.transforms.primitives.opaque import External
from s2s.transforms.read.calls import shapes, trees
from s2s.transforms.read.calls.registered import call_external
from s2s.transforms.read.describing import describe
from s2s.transforms.read.known import is_known, plain
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, ObjectRef, Outside
from s2s.types import Opaque, dim_atom

_OPTIONS = ("sharding", "vmap_method", "vectorized")


def call_pure_callback(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """pure_callback(callback, result_shape_dtypes, *args): an equation of the row `opaque`, as for registered functions."""
    if len(args) < 2:
        raise ArgumentTypeError(f"{function.__name__}() missing a required positional argument: 'callback' and 'result_shape_dtypes' are needed", where=reader.builder.where)
    callback, like, *operands = args
    for name, value in kwargs.items():
        if name not in _OPTIONS:
            raise reader.unsupported(f"pure_callback with the keyword argument {name} of the callback", "arguments by position")
        if name == "sharding" and value is not None:
            raise reader.unsupported("pure_callback(sharding=…)", "without: there is one device")
        if not is_known(reader, value):
            raise reader.unsupported(f"pure_callback with a {name} that is known only at run time", "a constant")
        if name == "vmap_method" and plain(reader, value) not in (None, "sequential", "sequential_unrolled", "expand_dims", "broadcast_all", "legacy_vectorized"):
            raise ArgumentValueError(f"vmap_method={plain(reader, value)!r} is none of JAX's", where=reader.builder.where)
    fields = _fields(reader, like)
    thing = callback.object if isinstance(callback, Outside) else callback
    if isinstance(thing, Opaque) or not callable(thing):
        raise reader.unsupported(f"pure_callback of {describe(reader, callback)}", "a function at the top level of a module, which emitted modules can import")
    try:
        name = registry.public_name(thing)
    except ArgumentValueError as error:
        raise UnsupportedError(
            f"pure_callback of {getattr(thing, '__name__', 'a function')}, which can't be imported by a name", where=reader.builder.where, why="emitted modules call it by one",
            instead="define it at the top level of a module",
        ) from error
    shape = tuple(dim_atom(dim) if isinstance(dim, int) else dim for dim in fields["shape"])
    call = External(name, thing, np.dtype(fields["dtype"]), len(shape), elementwise=False)
    return call_external(reader, call, shape, tuple(operands))


def _fields(reader: Reader, like: Abstract) -> Any:
    """The shape and dtype of the one result."""
    leaves, _ = trees.flatten(reader, like)
    if len(leaves) != 1 or leaves[0] is not like:
        raise reader.unsupported("pure_callback with a container of results", "a callback that gives one array, as many calls as there are results")
    if isinstance(like, ObjectRef) and like.kind is ShapeDtypeStruct:
        return reader.heap[like]
    found = like.object if isinstance(like, Outside) else like
    if isinstance(found, ShapeDtypeStruct):
        return {"shape": found.shape, "dtype": found.dtype}
    type_ = shapes.type_of(reader, like)
    return {"shape": type_.shape, "dtype": type_.dtype}


HANDLERS = {"s2s.pure_callback": call_pure_callback}

__all__ = ["HANDLERS", "call_pure_callback"]
