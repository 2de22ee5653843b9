"""Methods of NumPy's binary functions: ufunc.at, reduce, accumulate, reduceat and outer, as loops over one function of two elements."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math

import numpy as np

from s2s.transforms.read.composed.marks import unsupported

# ---- at ------------------------------------------------------------------------------------------------------------------


def at(op, a, indices, b, /):
    """op.at(a, indices, b): a[i] = op(a[i], b) for one index after the other, repeated ones repeatedly. What does not fit a's dtype is cast, as by a store."""
    b = np.asarray(b) if isinstance(b, (list, tuple)) else b
    indices = np.asarray(indices) if isinstance(indices, list) else indices
    if _is_once(indices):
        a[indices] = op(a[indices], b)
    elif _is_vector(indices):
        values = np.broadcast_to(b, (len(indices), *a.shape[1:]))
        for k in range(len(indices)):
            a[indices[k]] = op(a[indices[k]], values[k])
    else:
        places = np.arange(a.size).reshape(a.shape)[indices]
        values = np.broadcast_to(b, places.shape).ravel()
        places = places.ravel()
        flat = a.flatten()
        for k in range(places.size):
            flat[places[k]] = op(flat[places[k]], values[k])
        a[...] = flat.reshape(a.shape)


def applied_at(op, a, indices, /):
    """op.at(a, indices) of a function of one element, whatever its result is cast to."""
    op(np.ones(1, dtype=a.dtype))  # NumPy's error where the function takes no such elements, wherever they are
    indices = np.asarray(indices) if isinstance(indices, list) else indices
    if _is_once(indices):
        a[indices] = op(a[indices]).astype(a.dtype)
    elif _is_vector(indices):
        for k in range(len(indices)):
            a[indices[k]] = op(a[indices[k]]).astype(a.dtype)
    else:
        places = np.arange(a.size).reshape(a.shape)[indices].ravel()
        flat = a.flatten()
        for k in range(places.size):
            flat[places[k]] = op(flat[places[k]]).astype(a.dtype)
        a[...] = flat.reshape(a.shape)


def _is_once(indices):
    """Whether an index names no element twice for sure: it has no array of integers."""
    if isinstance(indices, tuple):
        return all(_is_once(item) for item in indices)
    if indices is None or indices is Ellipsis or isinstance(indices, slice):
        return True
    return np.ndim(indices) == 0 or np.asarray(indices).dtype.kind == "b"


def _is_vector(indices):
    """Whether an index is one vector of integers."""
    return not isinstance(indices, (tuple, list)) and np.ndim(indices) == 1


# ---- reduce, accumulate, reduceat, outer ---------------------------------------------------------------------------------------


def reduce(op, array, /, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """op.reduce: op(op(x[0], x[1]), x[2]) … along axes, from `initial` where that is given."""
    _refuse_out(op, out)
    array = _of_loop(op, np.asarray(array), dtype)
    if array.ndim == 0 and axis in (0, -1):
        array = array.reshape(1)
        return _along(op, array, initial, True if where is True else np.reshape(where, (1,)))
    if isinstance(axis, list):
        raise TypeError("'list' object cannot be interpreted as an integer")
    axes = tuple(range(array.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if len(axes) > 1 and op.identity is None and op not in EXTREMA:
        raise ValueError(f"reduction operation '{op.__name__}' is not reorderable, so at most one axis may be specified")
    moved = np.moveaxis(array, axes, tuple(range(len(axes))))
    rows = (math.prod(moved.shape[: len(axes)]), *moved.shape[len(axes) :])
    chosen = True if where is True else np.moveaxis(np.broadcast_to(where, array.shape), axes, tuple(range(len(axes)))).reshape(rows)
    found = _along(op, moved.reshape(rows), initial, chosen)
    return np.expand_dims(found, axes) if keepdims else found


def _along(op, x, initial, where):
    """The reduction along axis 0."""
    if where is not True and initial is None and op.identity is None:
        raise ValueError(f"reduction operation '{op.__name__}' does not have an identity, so to use a where mask one has to specify 'initial'")
    if op in (np.hypot, np.gcd) and initial is None:
        initial = op.identity  # of one number it is its size
    if initial is None and (op.identity is None or where is True and len(x) > 0):
        if len(x) == 0:
            raise ValueError(f"zero-size array to reduction operation {op.__name__} which has no identity")
        found, first = x[0] if x.ndim == 1 else np.array(x[0]), 1
    else:
        if np.ndim(initial) > 0:
            raise ValueError("setting an array element with a sequence.")
        start = np.full(1, np.asarray(op.identity if initial is None else initial).astype(x.dtype))[0]
        found, first = start if x.ndim == 1 else np.full(x.shape[1:], start), 0
    for k in range(first, len(x)):
        found = op(found, x[k]) if where is True else _chosen(op, found, x[k], where[k])
    return found


def _chosen(op, found, x, where):
    """op(found, x) where that is asked for, found elsewhere: there it is not computed, so that its derivative is not nan."""
    if np.ndim(found) == 0:
        return op(found, x) if where else found
    return op(found, x, out=found.copy(), where=where)


def accumulate(op, array, /, axis=0, dtype=None, out=None):
    """op.accumulate: all that op.reduce comes by."""
    _refuse_out(op, out)
    array = np.asarray(array)
    if array.ndim == 0:
        raise TypeError("cannot accumulate on a scalar")
    moved = np.moveaxis(_of_loop(op, array, dtype), axis, 0)
    found = np.array(moved)
    for k in range(1, len(moved)):
        found[k] = op(found[k - 1], moved[k])
    return np.array(np.moveaxis(found, 0, axis))


def reduceat(op, array, /, indices, axis=0, dtype=None, out=None):
    """op.reduceat: op.reduce of array[i:j] for each two indices in turn, array[i] where j is not larger."""
    _refuse_out(op, out)
    array = np.asarray(array)
    if array.ndim == 0:
        raise TypeError("cannot reduceat on a scalar")
    x = np.moveaxis(_of_loop(op, array, dtype), axis, 0)
    indices = np.asarray(indices)
    if indices.dtype == np.uint64:
        raise TypeError("Cannot cast array data from dtype('uint64') to dtype('int64') according to the rule 'safe'")
    for k in range(len(indices)):
        if indices[k] < 0 or indices[k] >= len(x):
            raise IndexError(f"index {indices[k]} out-of-bounds in {op.__name__}.reduceat [0, {len(x)})")
    found = np.zeros((len(indices), *x.shape[1:]), dtype=x.dtype)
    for k in range(len(indices)):
        end = indices[k + 1] if k + 1 < len(indices) else len(x)
        total = x[indices[k]]
        for j in range(indices[k] + 1, end):
            total = op(total, x[j])
        found[k] = total
    return np.array(np.moveaxis(found, 0, axis))


def outer(op, a, b, /, *, dtype=None, out=None):
    """op.outer: op of all pairs of elements."""
    a, b = np.asarray(a), np.asarray(b)
    wide = np.reshape(a, np.shape(a) + (1,) * np.ndim(b))
    return op(wide, b) if dtype is None else op(wide, b, dtype=dtype)


def _refuse_out(op, out):
    if out is not None:
        unsupported(f"np.{op.__name__}'s methods with out by its place", "out=…")


def _of_loop(op, x, dtype):
    """The operand in the dtype in which the function goes from element to element."""
    if dtype is not None:
        kind = np.dtype(dtype).char
        if kind + kind + "->" + kind not in op.types:
            raise TypeError(f"No loop matching the specified signature and casting was found for ufunc {op.__name__}")
        return x.astype(dtype)
    if op in LOGICAL:
        return x.astype(np.bool_)
    if op in COMPARISONS:
        if x.dtype.kind != "b":
            raise TypeError(f"No loop matching the specified signature and casting was found for ufunc {op.__name__}")
        return x
    if op in SUMS and (x.dtype.kind == "b" or x.dtype.kind in "iu" and x.dtype.itemsize < 8):
        return x.astype(np.uint64 if x.dtype.kind == "u" else np.int64)
    one = np.ones(1, dtype=x.dtype)
    return x.astype(op(one, one).dtype)


LOGICAL = (np.logical_and, np.logical_or, np.logical_xor)
COMPARISONS = (np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal)
SUMS = (np.add, np.multiply)
EXTREMA = (np.maximum, np.minimum, np.fmax, np.fmin)
FOLDED = (
    "add subtract multiply divide floor_divide remainder fmod maximum minimum fmax fmin logical_and logical_or logical_xor bitwise_and bitwise_or "
    "bitwise_xor left_shift right_shift hypot logaddexp logaddexp2 copysign heaviside gcd lcm nextafter"
)  # fmt: skip
"""Functions of two elements of one dtype that give one of it."""
PAIRED = "power float_power arctan2"
"""Of these NumPy's own `reduce` gives another number than the fold on some machines, by how its loop is vectorised; here it is the fold."""
SINGLE = (
    "negative positive square absolute fabs sign reciprocal conjugate deg2rad radians rad2deg degrees isnan isinf isfinite signbit cbrt exp exp2 expm1 log log2 "
    "log10 log1p sqrt sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh floor ceil trunc rint logical_not invert spacing bitwise_count"
)
"""Functions of one element."""
COMPARED = "less less_equal greater greater_equal equal not_equal"
OF_ROWS = frozenset(
    {"add.at", "subtract.at", "add.accumulate", "multiply.accumulate"}
    | {f"{name}.reduce" for name in ("add", "multiply", "maximum", "minimum", "logical_and", "logical_or")}
    | {f"{name}.outer" for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum")}
)
"""Those that `read/numpy/table.py` has."""
METHODS = {
    f"numpy.{name}.{method.__name__}": method
    for names, methods in ((f"{FOLDED} {PAIRED} {COMPARED}", (at, reduce, accumulate, reduceat, outer)), ("ldexp", (at, outer)), ("divmod", (outer,)))
    for name in names.split()
    for method in methods
    if f"{name}.{method.__name__}" not in OF_ROWS
} | {f"numpy.{name}.at": applied_at for name in SINGLE.split()}
"""They take the function as their first argument."""
