"""Functions of padded arrays of which only a part counts: `s2s.mask`. The part is cut out, the result put into zeros of the padded size.

    in_shapes ['(n, m)', 'm'], out_shape '(n + 1,)'        sizes are polynomials: sums of (factor, names), read by `s2s.api.masking`
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.tree_util import tree_flatten, tree_unflatten


def masked_of(fun, in_shapes, out_shapes, names):
    """The function of (padded arguments, {name: logical size}). `in_shapes`: of each argument's leaves; `out_shapes`: of the result's."""

    def masked(args, logical_env):
        leaves, treedef = tree_flatten(args)
        if len(leaves) != len(in_shapes):
            raise TypeError(f"in_shapes has {len(in_shapes)} shapes, but there are {len(leaves)} arrays")
        padded = {}
        for x, shape in zip(leaves, in_shapes, strict=True):
            if np.ndim(x) != len(shape):
                raise TypeError(f"an argument of {np.ndim(x)} axes does not have as many as its shape in in_shapes, {len(shape)}")
            for size, dim in zip(np.shape(x), shape, strict=True):
                if len(dim) == 1 and dim[0][0] == 1 and len(dim[0][1]) == 1 and dim[0][1][0] not in padded:
                    padded[dim[0][1][0]] = size
        for name in names:
            if name not in logical_env:
                raise KeyError(name)
        parts = [_part(x, shape, logical_env) for x, shape in zip(leaves, in_shapes, strict=True)]
        found, out = tree_flatten(fun(*tree_unflatten(treedef, parts)))
        if len(found) != len(out_shapes):
            raise TypeError(f"out_shape has {len(out_shapes)} shapes, but the function gives {len(found)} arrays")
        return tree_unflatten(out, [_padded(x, shape, logical_env, padded) for x, shape in zip(found, out_shapes, strict=True)])

    return masked


def size_of(dim, env):
    """The value of a polynomial."""
    total = 0
    for factor, names in dim:
        term = factor
        for name in names:
            term = term * env[name]
        total = total + term
    return total


def _part(x, shape, env):
    if not shape:
        return x
    for size, dim in zip(np.shape(x), shape, strict=True):
        if size_of(dim, env) > size:
            raise ValueError("a logical size is larger than the padded one")
    return x[tuple([slice(0, size_of(dim, env)) for dim in shape])]


def _padded(x, shape, env, padded):
    if not shape:
        return x
    out = np.zeros(tuple([size_of(dim, padded) for dim in shape]), dtype=x.dtype)
    if np.ndim(x) != len(shape):
        raise TypeError(f"the function gives an array of {np.ndim(x)} axes, out_shape has {len(shape)}")
    for size, dim in zip(np.shape(x), shape, strict=True):
        if size != size_of(dim, env):
            raise ValueError("the function gives an array of another size than out_shape says")
    out[tuple([slice(0, size) for size in np.shape(x)])] = x
    return out


__all__ = ["masked_of", "size_of"]
