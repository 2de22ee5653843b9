"""The generator that a call of SciPy's draws from: what its `rng` makes, or what its older name does."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import inspect
from typing import Any

import numpy as np

OLDER: dict[str, tuple[str, int]] = {
    "scipy.cluster.vq.kmeans": ("seed", 99), "scipy.cluster.vq.kmeans2": ("seed", 99), "scipy.interpolate.BarycentricInterpolator": ("random_state", 99),
    "scipy.optimize.basinhopping": ("seed", 12), "scipy.optimize.check_grad": ("seed", 6), "scipy.optimize.differential_evolution": ("seed", 9), "scipy.sparse.linalg.svds": ("random_state", 9),
    "scipy.spatial.distance.directed_hausdorff": ("seed", 2), "scipy.spatial.transform.Rotation.random": ("random_state", 1), "scipy.stats.bootstrap": ("random_state", 99), "scipy.stats.permutation_test": ("random_state", 99),
}  # fmt: skip
"""By qualified name: the older name of `rng`, and the place from which on an argument without a name is that one (99: it has none)."""


def by_older_name(name: str, signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call with a generator that is given by its place under the older name: there an integer starts a RandomState, as `rng` it makes a Generator.

    Raises
    ------
    TypeError
        Where it is given twice, whatever the two are.
    """
    older, place = OLDER[name]
    if (older in kwargs) + ("rng" in kwargs) + (len(args) > place) > 1:
        raise TypeError(f"{name.rpartition('.')[2]}() got multiple values for argument now known as `rng`. Specify one of `rng` or `{older}`.")
    if len(args) <= place or any(each.kind is each.VAR_POSITIONAL for each in signature.parameters.values()):
        return args, kwargs
    names = list(signature.parameters)[place + 1 : len(args)]
    return args[:place], {older: args[place], **dict(zip(names, args[place + 1 :], strict=True)), **kwargs}


def generator_of(rng, older):
    """What np.random.default_rng makes of `rng`, or what scipy's check_random_state makes of the older one: without either NumPy's own RandomState."""
    if rng is not None:
        return np.random.default_rng(rng)
    if older is None or older is np.random:
        return np.random
    if isinstance(older, int | np.integer):
        return np.random.RandomState(older)
    if not isinstance(older, np.random.Generator | np.random.RandomState):
        raise ValueError(f"'{older}' cannot be used to seed a numpy.random.RandomState instance")  # noqa: TRY004 - SciPy's
    return older


def whole_number(generator, end, size=None):
    """From 0 to before the end, of a Generator or of a RandomState."""
    return generator.integers(end, size=size) if isinstance(generator, np.random.Generator) else generator.randint(end, size=size)
