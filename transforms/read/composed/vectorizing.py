"""np.vectorize: a function of numbers, of every element of the arrays that it is given."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import one_type, types_of, unsupported


def vectorize(pyfunc=np._NoValue, otypes=None, doc=None, excluded=None, cache=False, signature=None):
    """np.vectorize: what it gives."""
    if pyfunc is np._NoValue:
        return lambda function: vectorize(function, otypes, doc, excluded, cache, signature)
    return lambda *args, **kwargs: vectorized(pyfunc, otypes, excluded, signature, args, kwargs)


def vectorized(pyfunc, otypes, excluded, signature, args, kwargs):
    """A call of it. Elements are handed over as Python's numbers, the results' dtype is that of all of them (NumPy's: that of the first one)."""
    if signature is not None:
        unsupported("np.vectorize(…, signature=…)", "s2s.vmap, or s2s.numpy.vectorize")
    left_out = () if excluded is None else tuple(excluded)
    names = [name for name in kwargs if name not in left_out]
    places = [k for k in range(len(args)) if k not in left_out]
    if not places and not names:
        return pyfunc(*args, **kwargs)
    arrays = np.broadcast_arrays(*[args[k] for k in places], *[kwargs[name] for name in names])
    shape = arrays[0].shape
    flat = [np.ravel(each) for each in arrays]
    if otypes is None and flat[0].size == 0:
        raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")

    def at(k):
        given, named = list(args), dict(kwargs)
        for number, place in enumerate(places):
            given[place] = flat[number][k].item()
        for number, name in enumerate(names):
            named[name] = flat[len(places) + number][k].item()
        found = pyfunc(*given, **named)
        return found if otypes is not None else one_type(found, "the result of a function in np.vectorize", "np.vectorize(…, otypes=[float])")

    several = isinstance(types_of(at, 0), tuple) if otypes is None else len(otypes) > 1
    found = [at(k) for k in range(flat[0].size)]
    if not several:
        return _array(found, shape, None if otypes is None else otypes[0])
    count = len(types_of(at, 0)) if otypes is None else len(otypes)
    return tuple([_array([each[k] for each in found], shape, None if otypes is None else otypes[k]) for k in range(count)])


def _array(values, shape, kind):
    return np.array(values).reshape(shape) if kind is None else np.array(values).astype(kind).reshape(shape)


CALLING: dict[str, Any] = {"numpy.vectorize": vectorize}
