"""What comes nearest to a function that is not there: said with each refusal.

    np.linalg.expm      ->  scipy.linalg.expm
    np.trapz            ->  np.trapezoid
    scipy.linalg.solv   ->  scipy.linalg.solve
"""
from __future__ import annotations

from difflib import get_close_matches
from functools import cache

import numpy as np

from s2s.transforms.read.composed.random_methods import METHODS
from s2s.transforms.read.composed.table import COMPOSED
from s2s.transforms.read.names import short
from s2s.transforms.read.numpy.table import ARRAY_ATTRIBUTES, ARRAY_METHODS, NUMPY_FUNCTIONS, UPDATES

FORMER = {
    "product": "np.prod", "cumproduct": "np.cumprod", "alltrue": "np.all", "sometrue": "np.any", "in1d": "np.isin", "trapz": "np.trapezoid", "sigmoid": "scipy.special.expit",
    "inverse": "np.linalg.inv", "determinant": "np.linalg.det", "ln": "np.log", "arcsec": "np.arccos", "relu": "np.maximum(x, 0)", "rms": "np.sqrt(np.mean(x * x))", "avg": "np.mean",
    "zscore": "(x - np.mean(x)) / np.std(x)", "null_space": "np.linalg.svd", "orth": "np.linalg.svd",
    "shgo": "scipy.optimize.differential_evolution", "dual_annealing": "scipy.optimize.differential_evolution or basinhopping", "direct": "scipy.optimize.differential_evolution",
    "quadratic_assignment": "scipy.optimize.linear_sum_assignment, whose cost is linear", "matrix": "np.array", "asmatrix": "np.array", "bmat": "np.block", "poly1d": "np.polyval, np.polymul, np.roots", "frompyfunc": "np.vectorize",
    "einsum_path": "np.einsum(…, optimize=True)", "frombuffer": "x.view(dtype)", "linprog": "scipy.optimize.minimize with constraints", "interp2d": "scipy.interpolate.RectBivariateSpline",
    "LinearNDInterpolator": "scipy.interpolate.RBFInterpolator", "eigsh": "np.linalg.eigh of a.toarray()", "eigs": "np.linalg.eig of a.toarray()", "svds": "np.linalg.svd of a.toarray()", "broadcast": "np.broadcast_arrays, np.broadcast_shapes",
    "shares_memory": "a copy of what is stored into", "may_share_memory": "a copy of what is stored into",
}  # fmt: skip
"""Names that programs write, and what stands for them here."""
_HOW_ALIKE = 0.66


@cache
def _by_last_part() -> dict[str, list[str]]:
    """The names of all functions that there are, by what stands behind the last dot."""
    found: dict[str, list[str]] = {}
    for name in (*NUMPY_FUNCTIONS.entries, *COMPOSED.entries, *UPDATES.entries):
        if not name.startswith(("builtins.", "s2s.", "numpy.ndarray.")):
            found.setdefault(name.rpartition(".")[2], []).append(short(name))
    return found


def nearest(shown: str) -> str:
    """The function that comes nearest to one that is called this ("np.linalg.expm"); "" where none is near."""
    space, _, name = shown.rpartition(".")
    if space == "np.random":
        return "".join(f"np.random.{each}" for each in get_close_matches(name, [*METHODS["RandomState"], "default_rng"], 1, _HOW_ALIKE))
    names = _by_last_part()
    alike = get_close_matches(name, [each for each, places in names.items() if any(place.rpartition(".")[0] == space for place in places)], 1, _HOW_ALIKE)
    if name in FORMER:
        return FORMER[name]
    if name in names and space.count(".") < 2:  # not of a distribution's methods
        return min(names[name], key=len)
    if alike or space.count(".") > 1:
        return f"{space}.{alike[0]}" if alike else ""
    anywhere = get_close_matches(name, list(names), 1, _HOW_ALIKE)
    return min(names[anywhere[0]], key=len) if anywhere else ""


def nearest_member(name: str) -> str:
    """The method or attribute of arrays that comes nearest to a name, or the function of that name."""
    members = get_close_matches(name, [*ARRAY_METHODS, *ARRAY_ATTRIBUTES, "mean", "std", "var", "flat"], 1, _HOW_ALIKE)
    return f"x.{members[0]}" if members else nearest(f"np.{name}") if hasattr(np, name) or name in FORMER else ""


def with_nearest(error: AttributeError, near: str) -> AttributeError:
    """The error, and what comes nearest to the name that is not there."""
    if near:
        error.add_note(f"what comes nearest: {near}")
    return error


__all__ = ["nearest", "nearest_member", "with_nearest"]
