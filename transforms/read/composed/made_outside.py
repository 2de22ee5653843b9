"""NumPy's and SciPy's objects that a user's function finds outside: of which of their attributes what stands for them here is made.

Their arrays are read at each call, what else they hold is known while reading, under a guard.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from s2s.transforms.read.composed import interpolants, neighbours, polynomial_classes, rotations, sparse, spline_classes
from s2s.transforms.read.composed.basis import BASES
from s2s.transforms.read.names import Table, within


class Stand(NamedTuple):
    """What stands for an object: a function of the object's attributes, each told by the names and places that lead to it, and of constants."""

    make: Callable[..., Any]
    parts: tuple[tuple[str | int, ...], ...]
    first: tuple[Any, ...] = ()


def _of(make: Callable[..., Any], *parts: str, first: tuple[Any, ...] = ()) -> Stand:
    return Stand(make, tuple(tuple(int(step) if step.isdigit() else step for step in part.split(".")) for part in parts), first)


_UNIVARIATE = _of(spline_classes.Univariate, "_eval_args.0", "_eval_args.1", "_eval_args.2", "ext")

MADE_OUTSIDE: Table[Stand] = Table({
    **{f"scipy.sparse.{kind}_{form}": _of(sparse.from_outside, *parts, first=(f"{kind}_{form}",)) for kind, parts in {
        "csr": ("shape", "data", "indices", "indptr"), "csc": ("shape", "data", "indices", "indptr"), "coo": ("shape", "data", "coords.0", "coords.1"), "dia": ("shape", "data", "offsets"),
    }.items() for form in ("array", "matrix")},
    **{f"scipy.spatial.{name}": _of(neighbours.from_outside, "data", first=(name,)) for name in ("KDTree", "cKDTree")},
    "scipy.spatial.transform.Rotation": _of(rotations.from_outside, "_quat", "_single"),
    "numpy.poly1d": _of(polynomial_classes.Poly1d, "coeffs"),
    **{
        f"numpy.polynomial.{module}.{polynomial_classes.CLASSES[module]}": _of(polynomial_classes.Series, "coef", "domain", "window", first=(basis,))
        for module, basis in BASES.items()
    },
    **within(
        "scipy.interpolate", **{
            name: _of(interpolants.piecewise_from_outside, "c", "x", "extrapolate", "axis", first=(name,))
            for name in ("CubicSpline", "PchipInterpolator", "Akima1DInterpolator", "CubicHermiteSpline", "PPoly")
        },
        BSpline=_of(spline_classes.BSpline, "t", "c", "k", "extrapolate", "axis"),
        RegularGridInterpolator=_of(spline_classes.Grid, "grid", "values", "method", "bounds_error", "fill_value", "_spline"),
        NdBSpline=_of(spline_classes.Tensor, "t", "c", "k"), NearestNDInterpolator=_of(spline_classes.Nearest, "points", "values"),
        interp1d=_of(interpolants.lines_from_outside, "x", "y", "_kind", "axis", "bounds_error", "_extrapolate", "_fill_value_below", "_fill_value_above", "_spline"),
        UnivariateSpline=_UNIVARIATE, InterpolatedUnivariateSpline=_UNIVARIATE, LSQUnivariateSpline=_UNIVARIATE,
        RectBivariateSpline=_of(spline_classes.surface_from_outside, "tck.0", "tck.1", "tck.2", "degrees.0", "degrees.1"),
        RBFInterpolator=_of(spline_classes.radial_from_outside, "y", "_coeffs", "kernel", "epsilon", "powers.shape", "_shift", "_scale", "d_shape", "neighbors", "d_dtype"),
    ),
})  # fmt: skip
