"""The composed functions by the qualified names of what they stand for. Each has its signature, and is right when it is called as it stands."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.primitives import scalar_helpers
from s2s.transforms.read.composed import (
    array_api,
    averages,
    calculus,
    checking,
    choices,
    collectives,
    control,
    debugging,
    fourier,
    gamma_slopes,
    histograms,
    image_scaling,
    in_memory,
    initial_values,
    jax_dtypes,
    jax_numpy,
    jax_reductions,
    jax_scipy,
    jax_sparse_linalg,
    lax_bits,
    lax_convolutions,
    lax_elements,
    lax_linalg,
    lax_more,
    lax_parts,
    lax_products,
    lax_reductions,
    lax_scatter,
    lax_shape_rules,
    lax_shapes,
    lax_solves,
    linalg,
    nan,
    nn,
    nn_attention,
    nn_initializers,
    padding,
    polynomial_classes,
    polynomials,
    products,
    python_complex,
    python_math,
    random_binomials,
    random_keys,
    random_orders,
    random_samplers,
    raveling,
    rearranged,
    running,
    scimath,
    segments,
    series_functions,
    sets,
    sized,
    small,
    statistics,
    ufunc_methods,
    vectorizing,
    windows,
)
from s2s.transforms.read.names import Table, within

SCIPY = (
    "scipy.cluster", "scipy.constants", "scipy.fft", "scipy.fftpack", "scipy.integrate", "scipy.interpolate", "scipy.linalg", "scipy.ndimage", "scipy.optimize", "scipy.signal", "scipy.sparse",
    "scipy.spatial", "scipy.special", "scipy.stats",
)  # fmt: skip
"""One of these is loaded where a program calls a function of SciPy. What those are made of is a hundred modules, which take as long to import as a function of thirty lines takes to be read."""


def _calling_of_scipy() -> dict[str, Callable[..., Any]]:
    from s2s.transforms.read.composed.scipy_table import CALLING

    return CALLING


def _composed_of_scipy() -> dict[str, Callable[..., Any]]:
    from s2s.transforms.read.composed.scipy_table import COMPOSED

    return COMPOSED


LAX = {name: function for module in (lax_elements, lax_shapes, lax_parts, lax_reductions, lax_products) for name, function in module.EXPORTED.items()}
"""s2s.lax's functions of arrays, by name."""

LAX_MORE = {name: function for module in (lax_scatter, lax_convolutions, lax_more, lax_shape_rules, lax_bits, gamma_slopes) for name, function in module.EXPORTED.items()}
"""Its gather, scatter, convolutions and bits."""

OURS: Table[Callable[..., Any]] = Table({**within("s2s.lax", **collectives.EXPORTED, **control.EXPORTED, **lax_solves.EXPORTED, **LAX, **LAX_MORE, **running.OF_LAX), **within("s2s.experimental.checkify", **checking.EXPORTED), **within("s2s.image", **image_scaling.EXPORTED), **within("s2s.lax.linalg", **lax_linalg.EXPORTED), **within("s2s.nn", **nn.EXPORTED, **nn_attention.EXPORTED), **within("s2s.nn.initializers", **nn_initializers.EXPORTED), **within("s2s.ops", **segments.EXPORTED), **within("s2s.flatten_util", **raveling.EXPORTED), **within("s2s.experimental.ode", **initial_values.EXPORTED), **within("s2s.random", **random_keys.EXPORTED, **random_orders.EXPORTED, **random_samplers.EXPORTED, **random_binomials.EXPORTED),
    **within("s2s.numpy", **jax_numpy.EXPORTED, **jax_reductions.EXPORTED, **sized.EXPORTED), **within("s2s.dtypes", **jax_dtypes.EXPORTED), **within("s2s.numpy.linalg", **jax_numpy.LINALG), **within("s2s.scipy.sparse.linalg", **jax_sparse_linalg.EXPORTED), **within("s2s.scipy.special", **jax_scipy.SPECIAL), **within("s2s.scipy.signal", **jax_scipy.SIGNAL),
    **within("s2s.transforms.primitives.scalar_helpers", gamma_motion=scalar_helpers.gamma_motion),
    **within("s2s", **running.EXPORTED, io_callback=debugging.io_callback, typeof=debugging.typeof, ShapeDtypeStruct=debugging.shape_dtype_struct), **within("s2s.transforms.jaxprs.atoms", ShapedArray=debugging.shaped_array), **within("s2s.debug", **debugging.DEBUG),
})
"""s2s's own."""

_CALLING: dict[str, Callable[..., Any]] = {**OURS.entries, **choices.CALLING, **series_functions.CALLING, **polynomial_classes.MAKERS, **vectorizing.CALLING}
CALLING: Table[Callable[..., Any]] = Table(_CALLING, later=(SCIPY, _calling_of_scipy))
"""Those that may call the user's functions, or give objects that do more than to hold arrays: they are read even if all of their arguments are known."""

OF_NUMPY = {
    **sets.SETS, **histograms.HISTOGRAMS, **polynomials.POLYNOMIALS, **choices.CHOICES, **in_memory.BROADCAST, **choices.STORES, **small.SMALL, **scimath.SCIMATH, **nan.ORDERS, **linalg.OF_ARRAYS, **array_api.LATE, **padding.PADDING, **rearranged.REARRANGED,
}  # fmt: skip
"""Of numpy and numpy.linalg, by qualified name: `tests/test_rest_of_numpy.py`."""
COMPOSED: Table[Callable[..., Any]] = Table({
    **within(
        "numpy", mean=averages.mean, var=averages.var, std=averages.std, nanmean=nan.nanmean, nanvar=nan.nanvar, nanstd=nan.nanstd,
        cross=products.cross, convolve=windows.convolve, correlate=windows.correlate, corrcoef=statistics.corrcoef,
        cov=statistics.cov, ediff1d=calculus.ediff1d, gradient=calculus.gradient,
        nancumprod=nan.nancumprod, nancumsum=nan.nancumsum, nanmax=nan.nanmax, nanmin=nan.nanmin, nanprod=nan.nanprod, nansum=nan.nansum,
        trapezoid=calculus.trapezoid, unwrap=calculus.unwrap,
    ),
    **within("numpy.linalg", cond=linalg.cond, lstsq=linalg.lstsq, matrix_rank=linalg.matrix_rank, tensorinv=linalg.tensorinv, tensorsolve=linalg.tensorsolve), **_CALLING,
    **within("cmath", **{name: getattr(python_complex, name) for name in (
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "isclose", "isfinite", "isinf", "isnan", "log", "log10", "phase", "polar", "rect", "sin", "sinh", "sqrt", "tan", "tanh",
    )}),
    **within("math", comb=python_math.comb, factorial=python_math.factorial, fsum=python_math.fsum, gcd=python_math.gcd, isqrt=python_math.isqrt,
             lcm=python_math.lcm, perm=python_math.perm, frexp=python_math.frexp, ldexp=python_math.ldexp, modf=python_math.modf, nextafter=python_math.nextafter,
             remainder=python_math.remainder, ulp=python_math.ulp),
    **fourier.FOURIER, **ufunc_methods.METHODS, **small.OF_METHODS, **python_math.OF_INTS, **OF_NUMPY, **series_functions.SERIES,
}, later=(SCIPY, _composed_of_scipy))  # fmt: skip
COMPOSED_METHODS: dict[str, Callable[..., Any]] = {"mean": np.mean, "std": np.std, "var": np.var, "tolist": np.ndarray.tolist, "put": np.put, "argpartition": np.argpartition, "choose": np.choose, "partition": np.ndarray.partition, "bit_length": int.bit_length, "bit_count": int.bit_count}
"""Methods of arrays that are such functions of the array."""
