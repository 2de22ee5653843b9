"""NumPy's broadcasting, made explicit: the shape that several have in common, and values spread to it."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.common import Shape, agreed, cast, reshape, retyped
from s2s.transforms.read.numpy.python_checks import check_bounds
from s2s.types import (
    INT64,
    Dim,
    Var,
    dim_atom,
    is_integer,
    is_one,
)


def broadcast_shape(builder: Builder, shapes: Sequence[Shape]) -> Shape:
    """The shape to which NumPy broadcasts these; Checks where equal sizes are known only at run time."""
    ndim = max(len(shape) for shape in shapes)
    message = "operands could not be broadcast together with shapes " + " ".join(braces(shape) for shape in shapes)
    values = tuple(dim_atom(dim) for shape in shapes for dim in shape)
    result: list[Dim] = []
    for axis in range(-ndim, 0):
        dims = [shape[axis] for shape in shapes if len(shape) >= -axis]
        long = [dim for dim in dims if not (isinstance(dim, int) and dim == 1)]
        result.append(agreed(builder, long, message, values, stretch=True) if long else 1)
    return tuple(result)


def braces(shape: Shape) -> str:
    """A shape whose sizes a message is filled with: ({},{})."""
    return "(" + ",".join("{}" for _ in shape) + ("," if len(shape) == 1 else "") + ")"


def spread(value: Value, shape: Shape) -> Value:
    """The value broadcast to a shape that its own fits (after broadcast_shape): length-1 axes dropped, then repeated."""
    offset = len(shape) - value.ndim
    kept = [axis for axis in range(value.ndim) if not (is_one(value.shape[axis]) and not is_one(shape[axis + offset]))]
    target = tuple(shape[axis + offset] for axis in kept)
    if len(kept) < value.ndim:
        value = reshape(value, tuple(value.shape[axis] for axis in kept))
    return retyped(value, target).broadcast_to(shape, tuple(axis + offset for axis in kept))


def aligned(*values: Value, dtypes: Sequence[np.dtype] | np.dtype | None = None, weak: bool = False) -> list[Value]:
    """The values cast to a dtype (one, or one each; None: as they are) and broadcast to one shape."""
    if dtypes is None:
        dtypes = [value.dtype for value in values]
    elif isinstance(dtypes, np.dtype):
        dtypes = [dtypes] * len(values)
    for value, dtype in zip(values, dtypes, strict=True):
        if value.type.weak and value.dtype == INT64 and is_integer(dtype) and dtype != INT64 and isinstance(value.atom, Var):
            check_bounds(value, dtype)
    scalars = [cast(value, dtype, weak=weak) for value, dtype in zip(values, dtypes, strict=True)]
    if all(value.ndim == 0 for value in scalars):
        return scalars
    shape = broadcast_shape(scalars[0].builder, [value.shape for value in scalars])
    return [spread(value, shape) for value in scalars]
