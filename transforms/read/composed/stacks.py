"""scipy.linalg's functions of one matrix for stacks of them along leading axes: a vmap of the function for each of these axes."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import ours
from s2s.transforms.read.names import Table, within

RIGHT = 12
"""The axes of a right side: a matrix where it has two or more, else a vector."""


TAKE_NONE = ("solve", "inv", "det", "sqrtm")
"""The functions that SciPy calls for a stack of no matrix, too."""


def over_stacks(function, name, cores, arrays, options):
    """A function of arrays by name, each with so many axes of its own behind the stacks', which are broadcast."""
    names = tuple(arrays)
    parts = [np.asarray(arrays[each]) for each in names]
    widths = [min(x.ndim, 2) if core == RIGHT else core for x, core in zip(parts, cores, strict=True)]
    leading = np.broadcast_shapes(*[x.shape[: x.ndim - width] for x, width in zip(parts, widths, strict=True)])
    if name not in TAKE_NONE and 0 in leading:
        raise ValueError(f"`{name}` does not support zero-size batches.")
    whole = [np.broadcast_to(x, (*leading, *x.shape[x.ndim - width :])) for x, width in zip(parts, widths, strict=True)]

    if name == "lstsq":
        function = _least_squares

    def one(*given):
        return function(**dict(zip(names, given, strict=True)), **options)

    for _ in leading:
        one = ours("vmap")(one)
    found = one(*whole)
    return found if not isinstance(found, tuple) else found[0] if len(found) == 1 else list(found)  # as SciPy


def _least_squares(a, b, **options):
    """scipy.linalg.lstsq, with as many residuals for all matrices: what SciPy gives goes by the sizes."""
    import scipy.linalg

    x, residuals, rank, s = scipy.linalg.lstsq(a, b, **options)
    return x, residuals if len(tuple(a)) > len(tuple(a.T)) else np.zeros(0, x.dtype), rank, s


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    """scipy.linalg.cho_solve of stacks: `lower` is one flag, or that of each matrix, which scipy.linalg.cho_factor gives."""
    import scipy.linalg

    c, lower = c_and_lower

    def one(c, b, lower=lower):
        return scipy.linalg.cho_solve((c, True), b, check_finite=check_finite) if lower else scipy.linalg.cho_solve((c, False), b, check_finite=check_finite)

    if isinstance(lower, np.ndarray):
        return over_stacks(one, "cho_solve", (2, RIGHT, 0), {"c": c, "b": b, "lower": lower}, {})
    return over_stacks(one, "cho_solve", (2, RIGHT), {"c": c, "b": b}, {})


def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    """scipy.linalg.lu_solve of stacks."""
    import scipy.linalg

    lu, piv = lu_and_piv
    return over_stacks(lambda lu, piv, b: scipy.linalg.lu_solve((lu, piv), b, trans, check_finite=check_finite), "lu_solve", (2, 1, RIGHT), {"lu": lu, "piv": piv, "b": b}, {})


def cho_solve_banded(cb_and_lower, b, overwrite_b=False, check_finite=True):
    """scipy.linalg.cho_solve_banded of stacks."""
    import scipy.linalg

    cb, lower = cb_and_lower
    return over_stacks(lambda cb, b: scipy.linalg.cho_solve_banded((cb, lower), b, check_finite=check_finite), "cho_solve_banded", (2, RIGHT), {"cb": cb, "b": b}, {})


PAIRS: Table[Callable[..., Any]] = Table(within("scipy.linalg", cho_solve=cho_solve, cho_solve_banded=cho_solve_banded, lu_solve=lu_solve))
"""Functions whose first argument is a pair: what serves stacks."""
_A, _CAPITAL = {"a": 2}, {"A": 2}
CORES: Table[Mapping[str, int]] = Table({
    **{f"scipy.linalg.{name}": _A for name in ("bandwidth", "cho_factor", "cholesky", "det", "hessenberg", "inv", "ishermitian", "issymmetric", "lu_factor", "pinv", "pinvh", "polar", "qr", "rq", "schur", "svd", "svdvals")},
    **{f"scipy.linalg.{name}": _CAPITAL for name in ("coshm", "cosm", "fractional_matrix_power", "funm", "ldl", "logm", "matrix_balance", "signm", "sinhm", "sinm", "sqrtm", "tanhm", "tanm")},
    **{f"scipy.linalg.{name}": {"a": 2, "b": 2} for name in ("eig", "eigh", "eigvals", "eigvalsh", "khatri_rao")},
    **{f"scipy.linalg.{name}": {"a": 2, "b": RIGHT} for name in ("lstsq", "solve", "solve_triangular")},
    **{f"scipy.linalg.{name}": {"a": 2, "b": 2, "q": 2, "r": 2, "e": 2, "s": 2} for name in ("solve_continuous_are", "solve_discrete_are")},
    **{f"scipy.linalg.{name}": {"a_band": 2} for name in ("eig_banded", "eigvals_banded")},
    **{f"scipy.linalg.{name}": {"a": 2, "q": 2} for name in ("solve_continuous_lyapunov", "solve_discrete_lyapunov")},
    **within(
        "scipy.linalg", solve_sylvester={"a": 2, "b": 2, "q": 2}, expm_frechet={"A": 2, "E": 2}, orthogonal_procrustes={"A": 2, "B": 2}, leslie={"f": 1, "s": 1},
        eigh_tridiagonal={"d": 1, "e": 1}, eigvalsh_tridiagonal={"d": 1, "e": 1}, toeplitz={"c": 1, "r": 1}, circulant={"c": 1}, companion={"a": 1}, fiedler={"a": 1},
        convolution_matrix={"a": 1}, solve_banded={"ab": 2, "b": RIGHT}, cholesky_banded={"ab": 2}, solveh_banded={"ab": 2, "b": RIGHT},
        rsf2csf={"T": 2, "Z": 2}, diagsvd={"s": 1}, qr_multiply={"a": 2, "c": RIGHT},
    ),
})  # fmt: skip
"""The arrays of SciPy's functions that take stacks, and how many axes each has without."""


@cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


def given_to(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """The arrays of such a function's call by name, and its other arguments; None of other functions."""
    if function not in CORES:
        return None
    try:
        bound = _signature(function).bind(*args, **kwargs).arguments
    except TypeError:  # no call of SciPy's: whoever serves it says what it lacks
        return None
    arrays = {name: bound.pop(name) for name in CORES[function] if bound.get(name) is not None}
    return arrays, {name: value for name, value in bound.items() if name not in CORES[function]}


__all__ = ["CORES", "PAIRS", "given_to", "over_stacks"]
