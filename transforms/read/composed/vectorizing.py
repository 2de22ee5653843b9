"""np.vectorize: a function of numbers, of every element of the arrays that it is given."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import one_type, types_of


def vectorize(pyfunc=np._NoValue, otypes=None, doc=None, excluded=None, cache=False, signature=None):
    """np.vectorize: what it gives."""
    if pyfunc is np._NoValue:
        return lambda function: vectorize(function, otypes, doc, excluded, cache, signature)
    return lambda *args, **kwargs: vectorized(pyfunc, otypes, excluded, signature, args, kwargs)


def vectorized(pyfunc, otypes, excluded, signature, args, kwargs):
    """A call of it. Elements are handed over as Python's numbers; the results' dtypes are what the function gives for NumPy's numbers, as NumPy itself calls it first."""
    left_out = () if excluded is None else tuple(excluded)
    names = [name for name in kwargs if name not in left_out and kwargs[name] is not None]
    places = [k for k in range(len(args)) if k not in left_out and args[k] is not None]
    if not places and not names:
        return pyfunc(*args, **kwargs)
    if signature is not None:
        return _by_signature(pyfunc, otypes, signature, args, kwargs, places, names)
    arrays = np.broadcast_arrays(*[args[k] for k in places], *[kwargs[name] for name in names])
    shape = arrays[0].shape
    flat = [np.ravel(each) for each in arrays]
    if otypes is None and flat[0].size == 0:
        raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")

    def of_numbers(numbers):
        given, named = list(args), dict(kwargs)
        for number, place in enumerate(places):
            given[place] = numbers[number]
        for number, name in enumerate(names):
            named[name] = numbers[len(places) + number]
        return pyfunc(*given, **named)

    def at(k):
        found = of_numbers([each[k].item() for each in flat])
        return found if otypes is not None else one_type(found, "the result of a function in np.vectorize", "np.vectorize(…, otypes=[float])")

    likes = types_of(of_numbers, [each[0] for each in flat]) if otypes is None else None
    several = isinstance(likes, tuple) if otypes is None else len(otypes) > 1
    found = [at(k) for k in range(flat[0].size)]
    if not several:
        return _array(found, shape, likes.dtype if otypes is None else otypes[0])
    kinds = [each.dtype for each in likes] if otypes is None else otypes
    return tuple([_array([each[k] for each in found], shape, kinds[k]) for k in range(len(kinds))])


def _by_signature(pyfunc, otypes, signature, args, kwargs, places, names):
    """A call of a function of whole axes: the last ones, which the signature names."""
    ins, outs = [_axes(each) for each in signature.replace(" ", "").split("->")]
    if len(places) + len(names) != len(ins):
        raise TypeError(f"wrong number of positional arguments: expected {len(ins)}, got {len(places) + len(names)}")
    arrays = [np.asarray(each) for each in (*[args[k] for k in places], *[kwargs[name] for name in names])]
    sizes = _sizes(arrays, ins)
    loop = np.broadcast_shapes(*[each.shape[: each.ndim - len(axes)] for each, axes in zip(arrays, ins, strict=True)])
    whole = [np.broadcast_to(each, (*loop, *each.shape[each.ndim - len(axes) :])) for each, axes in zip(arrays, ins, strict=True)]
    flat = [each.reshape((-1, *each.shape[each.ndim - len(axes) :])) for each, axes in zip(whole, ins, strict=True)]
    count = int(np.prod(np.array((1, *loop))))
    if count == 0:
        raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")

    def at(k):
        given, named = list(args), dict(kwargs)
        for number, place in enumerate(places):
            given[place] = flat[number][k]
        for number, name in enumerate(names):
            named[name] = flat[len(places) + number][k]
        return pyfunc(*given, **named)

    found = [at(0)] if len(loop) == 0 else [at(k) for k in range(count)]
    kinds = [None] * len(outs) if otypes is None else list(otypes)
    if len(outs) == 1:
        return _stacked(found, loop, outs[0], sizes, kinds[0])
    return tuple([_stacked([each[number] for each in found], loop, outs[number], sizes, kinds[number]) for number in range(len(outs))])


def _axes(part):
    """The names of the axes of each argument or result: "(m,n),()" is [["m", "n"], []]."""
    return [each.split(",") if each else [] for each in part[1:-1].split("),(")]


def _sizes(arrays, ins):
    sizes = {}
    for each, axes in zip(arrays, ins, strict=True):
        if each.ndim < len(axes):
            raise ValueError(f"{each.ndim}-dimensional argument does not have enough dimensions for all core dimensions {tuple(axes)}")
        for name, size in zip(axes, each.shape[each.ndim - len(axes) :], strict=True):
            if size != sizes.setdefault(name, size):
                raise ValueError(f"inconsistent size for core dimension '{name}': {size} vs {sizes[name]}")
    return sizes


def _stacked(values, loop, axes, sizes, kind):
    """The results of all calls in one array."""
    found = np.array(values) if kind is None else np.array(values).astype(kind)
    if found.ndim != 1 + len(axes):
        raise ValueError("wrong number of dimensions of a result of a function with a signature")
    for name, size in zip(axes, found.shape[1:], strict=True):
        if size != sizes.get(name, size):
            raise ValueError(f"inconsistent size for core dimension '{name}': {size} vs {sizes[name]}")
    return found.reshape((*loop, *found.shape[1:]))


def _array(values, shape, kind):
    """The results in one array; they are cast as where NumPy makes an array of Python's numbers."""
    found, to = np.array(values), np.dtype(kind)
    if found.dtype.kind == "c" and to.kind in "iuf":
        raise TypeError(f"{'float() argument must be a string' if to.kind == 'f' else 'int() argument must be a string, a bytes-like object'} or a real number, not 'complex'")
    if to.kind in "iu" and found.dtype != to:
        for value in found:
            if not np.iinfo(to).min <= int(value) <= min(np.iinfo(to).max, np.iinfo(np.int64).max):
                raise OverflowError(f"Python integer {int(value)} out of bounds for {to.name}")
    return found.astype(to).reshape(shape)


CALLING: dict[str, Any] = {"numpy.vectorize": vectorize}
