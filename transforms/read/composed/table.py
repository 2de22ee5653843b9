"""The composed functions by the qualified names of what they stand for. Each has its signature, and is right when it is called as it stands."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.primitives import scalar_helpers
from s2s.transforms.read.composed import (
    adaptive,
    analytic,
    array_api,
    assignment,
    associations,
    averages,
    bases,
    binary_images,
    boundary_values,
    calculus,
    checking,
    choices,
    clusters,
    collectives,
    comparisons,
    constrained,
    control,
    correlations,
    cosines,
    count_distributions,
    counted_samples,
    counting,
    counts,
    cut_samples,
    debugging,
    descriptive,
    discrete_systems,
    distances,
    distribution_fits,
    distribution_functions,
    distribution_moments,
    distribution_searches,
    distributions,
    equations,
    families,
    filter_bands,
    filter_design,
    filter_forms,
    filters,
    fit_tests,
    fitting,
    fourier,
    fourier_relatives,
    frozen,
    gamma_slopes,
    global_minima,
    graph_trees,
    graphs,
    group_tests,
    harmonics,
    hierarchies,
    histograms,
    image_scaling,
    image_splines,
    image_windows,
    images,
    in_memory,
    initial_values,
    interpolation,
    jax_dtypes,
    jax_numpy,
    jax_reductions,
    jax_scipy,
    jax_sparse_linalg,
    labelled_images,
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
    line_searches,
    linear_programs,
    linear_systems,
    matrix_distributions,
    matrix_functions,
    minimizing,
    nan,
    neighbours,
    nn,
    nn_attention,
    nn_initializers,
    normal_scores,
    ode,
    orthogonal,
    own_distributions,
    padding,
    partial_fractions,
    peaks,
    phases,
    point_designs,
    point_sets,
    polynomial_classes,
    polynomials,
    products,
    python_complex,
    python_math,
    quadrature,
    quasi_random,
    radial_functions,
    random_binomials,
    random_keys,
    random_orders,
    random_samplers,
    rank_tests,
    rational,
    raveling,
    rearranged,
    resampled_tests,
    resampling,
    responses,
    roots,
    rotations,
    running,
    sampled,
    scimath,
    scipy_linalg,
    segments,
    sequence_tables,
    series_functions,
    sets,
    several_integrals,
    shaped_distributions,
    signal_windows,
    signals,
    sized,
    small,
    smoothing,
    smoothing_splines,
    sparse,
    sparse_iterations,
    sparse_least_squares,
    sparse_linalg,
    special,
    special_forms,
    spectral,
    splines,
    spread_tests,
    standardized,
    statistics,
    systems,
    tabled_samples,
    triangulations,
    ufunc_methods,
    units,
    vector_distributions,
    vectorizing,
    windows,
)
from s2s.transforms.read.names import Table, within

DISTRIBUTIONS: dict[str, Callable[..., Any]] = {
    f"scipy.stats.{function.__name__.replace('_', '.')}": function
    for function in (*distributions.FUNCTIONS, *distribution_functions.FUNCTIONS, *shaped_distributions.FUNCTIONS, *count_distributions.FUNCTIONS)
}
"""By qualified name: a distribution's method."""

STANDARDIZED: dict[str, Callable[..., Any]] = {
    f"scipy.stats.{name}.{method}": function for name, family in families.FAMILIES.items() for method, function in standardized.methods_of(family).items()
} | {f"scipy.stats.{name}.{method}": function for name, family in counts.COUNTS.items() for method, function in counts.methods_of(family).items()}
"""Methods that follow from a distribution's formulas."""

FREEZING: dict[str, Callable[..., Any]] = {f"scipy.stats.{name}": frozen.freeze for name in sorted({name.split(".")[2] for name in (*DISTRIBUTIONS, *STANDARDIZED, *vector_distributions.VECTORS, *matrix_distributions.MATRICES)})}
"""The distributions themselves: called, they hold their parameters."""

LAX = {name: function for module in (lax_elements, lax_shapes, lax_parts, lax_reductions, lax_products) for name, function in module.EXPORTED.items()}
"""s2s.lax's functions of arrays, by name."""

LAX_MORE = {name: function for module in (lax_scatter, lax_convolutions, lax_more, lax_shape_rules, lax_bits, gamma_slopes) for name, function in module.EXPORTED.items()}
"""Its gather, scatter, convolutions and bits."""

OURS: Table[Callable[..., Any]] = Table({**within("s2s.lax", **collectives.EXPORTED, **control.EXPORTED, **lax_solves.EXPORTED, **LAX, **LAX_MORE, **running.OF_LAX), **within("s2s.experimental.checkify", **checking.EXPORTED), **within("s2s.image", **image_scaling.EXPORTED), **within("s2s.lax.linalg", **lax_linalg.EXPORTED), **within("s2s.nn", **nn.EXPORTED, **nn_attention.EXPORTED), **within("s2s.nn.initializers", **nn_initializers.EXPORTED), **within("s2s.ops", **segments.EXPORTED), **within("s2s.flatten_util", **raveling.EXPORTED), **within("s2s.experimental.ode", **initial_values.EXPORTED), **within("s2s.random", **random_keys.EXPORTED, **random_orders.EXPORTED, **random_samplers.EXPORTED, **random_binomials.EXPORTED),
    **within("s2s.numpy", **jax_numpy.EXPORTED, **jax_reductions.EXPORTED, **sized.EXPORTED), **within("s2s.dtypes", **jax_dtypes.EXPORTED), **within("s2s.numpy.linalg", **jax_numpy.LINALG), **within("s2s.scipy.sparse.linalg", **jax_sparse_linalg.EXPORTED), **within("s2s.scipy.special", **jax_scipy.SPECIAL), **within("s2s.scipy.signal", **jax_scipy.SIGNAL),
    **within("s2s.transforms.primitives.scalar_helpers", gamma_motion=scalar_helpers.gamma_motion),
    **within("s2s", **running.EXPORTED, io_callback=debugging.io_callback, typeof=debugging.typeof, ShapeDtypeStruct=debugging.shape_dtype_struct), **within("s2s.debug", **debugging.DEBUG),
})
"""s2s's own."""

CALLING: Table[Callable[..., Any]] = Table({
    **OURS.entries, **quasi_random.ENGINES, **counted_samples.GIVING, **orthogonal.ORTHOGONAL, **labelled_images.CALLING, **tabled_samples.CALLING, **group_tests.MORE, **fit_tests.FIT_TESTS, **normal_scores.NORMAL_SCORES, **phases.UNEVEN, **point_sets.SLERP, **spread_tests.MORE, **choices.CALLING, **series_functions.CALLING, **polynomial_classes.MAKERS, **vectorizing.CALLING, **fitting.FITTING, **equations.EQUATIONS, **global_minima.GLOBAL_MINIMA, **constrained.CONSTRAINED, **assignment.ASSIGNMENT, **linear_programs.LINEAR_PROGRAMS, **line_searches.LINE_SEARCHES, **several_integrals.INTEGRALS, **boundary_values.BOUNDARY_VALUES, **FREEZING, **sampled.SAMPLED, **distribution_fits.FITS, **distribution_searches.SEARCHES, **distribution_moments.EXPECTED, **sparse.SPARSE, **graphs.GRAPHS, **graph_trees.GRAPH_TREES, **sparse_linalg.SPARSE_LINALG, **sparse_iterations.SPARSE_ITERATIONS, **sparse_least_squares.SPARSE_LEAST_SQUARES, **interpolation.INTERPOLATION, **triangulations.TRIANGULATIONS, **splines.SPLINES, **systems.SYSTEMS, **resampled_tests.RESAMPLED_TESTS, **own_distributions.OWN_DISTRIBUTIONS, **smoothing_splines.SMOOTHING_SPLINES, **rational.RATIONAL, **radial_functions.RADIAL_FUNCTIONS, **rotations.ROTATIONS, **neighbours.NEIGHBOURS, **clusters.CLUSTERS, **vector_distributions.DRAWN,
    **within("scipy.integrate", fixed_quad=quadrature.fixed_quad, quad=adaptive.quad, odeint=ode.odeint, solve_ivp=ode.solve_ivp),
    **within(
        "scipy.optimize", bisect=roots.bisect, brenth=roots.brenth, brentq=roots.brentq, ridder=roots.ridder, fixed_point=roots.fixed_point, minimize=minimizing.minimize, newton=roots.newton,
        root_scalar=roots.root_scalar, toms748=roots.toms748,
    ),
})  # fmt: skip
"""Those that may call the user's functions, or give objects that do more than to hold arrays: they are read even if all of their arguments are known."""

OF_NUMPY = {
    **sets.SETS, **histograms.HISTOGRAMS, **polynomials.POLYNOMIALS, **choices.CHOICES, **in_memory.BROADCAST, **choices.STORES, **small.SMALL, **scimath.SCIMATH, **nan.ORDERS, **linalg.OF_ARRAYS, **array_api.LATE, **padding.PADDING, **rearranged.REARRANGED,
}  # fmt: skip
"""Of numpy and numpy.linalg, by qualified name: `tests/test_rest_of_numpy.py`."""
FORMS: dict[str, Callable[..., Any]] = {**descriptive.DESCRIPTIVE, **cut_samples.CUT_SAMPLES, **counted_samples.COUNTED, **tabled_samples.TABLED, **group_tests.GROUP_TESTS, **spread_tests.SPREAD_TESTS, **comparisons.COMPARISONS, **correlations.CORRELATIONS, **rank_tests.RANK_TESTS, **distances.PAIRS, **point_sets.POINT_SETS, **images.IMAGES, **image_windows.IMAGE_WINDOWS, **binary_images.BINARY_IMAGES, **labelled_images.LABELLED_IMAGES, **image_splines.IMAGE_SPLINES, **analytic.ANALYTIC, **signal_windows.WINDOWS, **spectral.SPECTRAL, **peaks.PEAKS, **phases.PHASES, **resampling.RESAMPLING, **responses.RESPONSES, **filter_forms.FILTER_FORMS, **linear_systems.LINEAR_SYSTEMS, **discrete_systems.DISCRETE_SYSTEMS, **filter_design.FILTER_DESIGN, **units.UNITS, **hierarchies.HIERARCHIES, **associations.ASSOCIATIONS, **point_designs.POINT_DESIGNS, **partial_fractions.PARTIAL_FRACTIONS, **fourier_relatives.FOURIER_RELATIVES, **filter_bands.FILTER_BANDS}
"""Of SciPy, by qualified name: `tests/test_scipy_forms.py`."""
COMPOSED: Table[Callable[..., Any]] = Table({
    **within(
        "numpy", mean=averages.mean, var=averages.var, std=averages.std, nanmean=nan.nanmean, nanvar=nan.nanvar, nanstd=nan.nanstd,
        cross=products.cross, convolve=windows.convolve, correlate=windows.correlate, corrcoef=statistics.corrcoef,
        cov=statistics.cov, ediff1d=calculus.ediff1d, gradient=calculus.gradient,
        nancumprod=nan.nancumprod, nancumsum=nan.nancumsum, nanmax=nan.nanmax, nanmin=nan.nanmin, nanprod=nan.nanprod, nansum=nan.nansum,
        trapezoid=calculus.trapezoid, unwrap=calculus.unwrap,
    ),
    **within("numpy.linalg", cond=linalg.cond, lstsq=linalg.lstsq, matrix_rank=linalg.matrix_rank, tensorinv=linalg.tensorinv, tensorsolve=linalg.tensorsolve),
    **within("scipy.integrate", cumulative_trapezoid=quadrature.cumulative_trapezoid, simpson=quadrature.simpson, trapezoid=quadrature.trapezoid), **several_integrals.OF_SAMPLES,
    **within("scipy.signal", convolve=signals.convolve), **smoothing.SMOOTHING, **distances.DISTANCES,
    **within(
        "scipy.ndimage", convolve1d=signals.convolve1d, correlate1d=signals.correlate1d, gaussian_filter=signals.gaussian_filter,
        gaussian_filter1d=signals.gaussian_filter1d,
    ),
    **within(
        "scipy.linalg", block_diag=scipy_linalg.block_diag, circulant=scipy_linalg.circulant, expm=scipy_linalg.expm, hankel=scipy_linalg.hankel,
        lstsq=scipy_linalg.lstsq, lu_factor=scipy_linalg.lu_factor, lu_solve=scipy_linalg.lu_solve, sqrtm=scipy_linalg.sqrtm, toeplitz=scipy_linalg.toeplitz,
    ),
    **bases.BASES, **sequence_tables.TABLES,
    **CALLING.entries,
    **within("cmath", **{name: getattr(python_complex, name) for name in (
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "isclose", "isfinite", "isinf", "isnan", "log", "log10", "phase", "polar", "rect", "sin", "sinh", "sqrt", "tan", "tanh",
    )}),
    **within("math", comb=python_math.comb, factorial=python_math.factorial, fsum=python_math.fsum, gcd=python_math.gcd, isqrt=python_math.isqrt,
             lcm=python_math.lcm, perm=python_math.perm, frexp=python_math.frexp, ldexp=python_math.ldexp, modf=python_math.modf, nextafter=python_math.nextafter,
             remainder=python_math.remainder, ulp=python_math.ulp),
    **within("scipy.special", comb=counting.comb, factorial=counting.factorial, multigammaln=counting.multigammaln, perm=counting.perm, polygamma=counting.polygamma,
             zeta=counting.zeta),
    **within("scipy.special", **special_forms.FORMS), **harmonics.HARMONICS,
    **within("scipy.special", log_softmax=special.log_softmax, logsumexp=special.logsumexp, softmax=special.softmax), **fourier.FOURIER, **cosines.COSINES, **matrix_functions.MATRIX_FUNCTIONS, **filters.FILTERS, **STANDARDIZED, **distribution_moments.MOMENTS, **DISTRIBUTIONS, **vector_distributions.VECTORS, **matrix_distributions.MATRICES, **ufunc_methods.METHODS, **small.OF_METHODS, **python_math.OF_INTS, **OF_NUMPY, **FORMS, **series_functions.SERIES,
})  # fmt: skip
COMPOSED_METHODS: dict[str, Callable[..., Any]] = {"mean": np.mean, "std": np.std, "var": np.var, "tolist": np.ndarray.tolist, "put": np.put, "argpartition": np.argpartition, "choose": np.choose, "partition": np.ndarray.partition, "bit_length": int.bit_length, "bit_count": int.bit_count}
"""Methods of arrays that are such functions of the array."""
