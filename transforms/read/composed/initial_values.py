"""jax.experimental.ode.odeint: the solution of y' = func(y, t, *args) for any container y0."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed import ode
from s2s.tree_util import tree_flatten, tree_leaves, tree_unflatten


def odeint(func, y0, t, *args, rtol=1.4e-8, atol=1.4e-8, mxstep=np.inf, hmax=np.inf):
    """y at the times t, y0 at the first of them: y0's container with a first axis for the times.

    JAX's signature; the steps are those of scipy.integrate's RK45, so that numbers agree with JAX's within the tolerances. `mxstep` is accepted and not
    needed. Derivatives in both modes, of any order.

    >>> odeint(lambda y, t: -y, np.array([1.0]), np.array([0.0, 1.0]))[1].round(7)
    array([0.3678794])
    """
    leaves, treedef = tree_flatten(y0)
    arrays = [np.asarray(leaf, np.float64) for leaf in leaves]
    sizes = [each.size for each in arrays]
    ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]

    def parts(rows):
        """Rows (or one) of flat numbers as the container."""
        found = [np.reshape(rows[..., end - size : end], (*rows.shape[:-1], *each.shape)) for each, size, end in zip(arrays, sizes, ends, strict=True)]
        return tree_unflatten(treedef, found)

    def slope(at, y):
        return _flat(tree_leaves(func(parts(y), at, *args)))

    return parts(ode.states_at("RK45", slope, None, _flat(arrays), t, rtol, atol, None, hmax))


def _flat(leaves):
    return np.concatenate([np.ravel(np.asarray(leaf, np.float64)) for leaf in leaves])


EXPORTED = {"odeint": odeint}
"""By the names that they have in s2s.experimental.ode."""
