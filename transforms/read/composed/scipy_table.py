"""The composed functions that stand for SciPy's, by their qualified names (`table.py`): imported where a program has loaded one of its packages."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.transforms.read.composed import (
    adaptive,
    analytic,
    assignment,
    associations,
    bases,
    binary_images,
    boundary_values,
    clusters,
    comparisons,
    constrained,
    correlations,
    cosines,
    count_distributions,
    counted_samples,
    counting,
    counts,
    cut_samples,
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
    found_objects,
    fourier_relatives,
    frozen,
    global_minima,
    graph_trees,
    graphs,
    group_tests,
    harmonics,
    hierarchies,
    image_splines,
    image_windows,
    images,
    interpolation,
    labelled_images,
    line_searches,
    linear_programs,
    linear_systems,
    link_tables,
    matrix_distributions,
    matrix_functions,
    minimizing,
    neighbours,
    normal_scores,
    ode,
    orthogonal,
    own_distributions,
    partial_fractions,
    peaks,
    phases,
    point_designs,
    point_sets,
    quadrature,
    quasi_random,
    radial_functions,
    rank_tests,
    rational,
    resampled_tests,
    resampling,
    responses,
    robust_lines,
    roots,
    rotations,
    sampled,
    sampled_filters,
    scipy_linalg,
    sequence_tables,
    several_integrals,
    several_tests,
    shaped_distributions,
    signal_windows,
    signals,
    smoothing,
    smoothing_splines,
    solvers,
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
    systems,
    tabled_samples,
    triangulations,
    units,
    vector_distributions,
)
from s2s.transforms.read.names import within

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

CALLING: dict[str, Callable[..., Any]] = {
    **quasi_random.ENGINES, **counted_samples.GIVING, **orthogonal.ORTHOGONAL, **labelled_images.CALLING, **tabled_samples.CALLING, **group_tests.MORE,
    **fit_tests.FIT_TESTS, **normal_scores.NORMAL_SCORES, **phases.UNEVEN, **point_sets.SLERP, **spread_tests.MORE, **fitting.FITTING, **equations.EQUATIONS,
    **global_minima.GLOBAL_MINIMA, **constrained.CONSTRAINED, **assignment.ASSIGNMENT, **linear_programs.LINEAR_PROGRAMS, **line_searches.LINE_SEARCHES,
    **several_integrals.INTEGRALS, **boundary_values.BOUNDARY_VALUES, **FREEZING, **sampled.SAMPLED, **distribution_fits.FITS, **distribution_searches.SEARCHES,
    **distribution_moments.EXPECTED, **sparse.SPARSE, **graphs.GRAPHS, **graph_trees.GRAPH_TREES, **sparse_linalg.SPARSE_LINALG, **sparse_iterations.SPARSE_ITERATIONS,
    **sparse_least_squares.SPARSE_LEAST_SQUARES, **interpolation.INTERPOLATION, **triangulations.TRIANGULATIONS, **splines.SPLINES, **systems.SYSTEMS,
    **resampled_tests.RESAMPLED_TESTS, **own_distributions.OWN_DISTRIBUTIONS, **smoothing_splines.SMOOTHING_SPLINES, **rational.RATIONAL,
    **radial_functions.RADIAL_FUNCTIONS, **rotations.ROTATIONS, **neighbours.NEIGHBOURS, **clusters.CLUSTERS, **vector_distributions.DRAWN, **found_objects.FOUND_OBJECTS,
    **solvers.SOLVERS,
    **within("scipy.integrate", fixed_quad=quadrature.fixed_quad, quad=adaptive.quad, odeint=ode.odeint, solve_ivp=ode.solve_ivp),
    **within(
        "scipy.optimize", bisect=roots.bisect, brenth=roots.brenth, brentq=roots.brentq, ridder=roots.ridder, fixed_point=roots.fixed_point, minimize=minimizing.minimize, newton=roots.newton,
        root_scalar=roots.root_scalar, toms748=roots.toms748,
    ),
}  # fmt: skip
"""Those that may call the user's functions, or give objects that do more than to hold arrays: they are read even if all of their arguments are known."""

FORMS: dict[str, Callable[..., Any]] = {**descriptive.DESCRIPTIVE, **cut_samples.CUT_SAMPLES, **counted_samples.COUNTED, **tabled_samples.TABLED, **group_tests.GROUP_TESTS, **robust_lines.ROBUST_LINES, **several_tests.SEVERAL_TESTS, **spread_tests.SPREAD_TESTS, **comparisons.COMPARISONS, **correlations.CORRELATIONS, **rank_tests.RANK_TESTS, **distances.PAIRS, **point_sets.POINT_SETS, **images.IMAGES, **image_windows.IMAGE_WINDOWS, **binary_images.BINARY_IMAGES, **labelled_images.LABELLED_IMAGES, **image_splines.IMAGE_SPLINES, **analytic.ANALYTIC, **signal_windows.WINDOWS, **spectral.SPECTRAL, **peaks.PEAKS, **phases.PHASES, **resampling.RESAMPLING, **responses.RESPONSES, **filter_forms.FILTER_FORMS, **linear_systems.LINEAR_SYSTEMS, **discrete_systems.DISCRETE_SYSTEMS, **filter_design.FILTER_DESIGN, **units.UNITS, **hierarchies.HIERARCHIES, **link_tables.LINK_TABLES, **sampled_filters.SAMPLED_FILTERS, **associations.ASSOCIATIONS, **point_designs.POINT_DESIGNS, **partial_fractions.PARTIAL_FRACTIONS, **fourier_relatives.FOURIER_RELATIVES, **filter_bands.FILTER_BANDS}
"""Of SciPy, by qualified name: `tests/test_scipy_forms.py`."""

COMPOSED: dict[str, Callable[..., Any]] = {
    **CALLING,
    **within("scipy.integrate", cumulative_trapezoid=quadrature.cumulative_trapezoid, simpson=quadrature.simpson, trapezoid=quadrature.trapezoid),
    **several_integrals.OF_SAMPLES, **within("scipy.signal", convolve=signals.convolve), **smoothing.SMOOTHING, **distances.DISTANCES,
    **within(
        "scipy.ndimage", convolve1d=signals.convolve1d, correlate1d=signals.correlate1d, gaussian_filter=signals.gaussian_filter,
        gaussian_filter1d=signals.gaussian_filter1d,
    ),
    **within(
        "scipy.linalg", block_diag=scipy_linalg.block_diag, circulant=scipy_linalg.circulant, expm=scipy_linalg.expm, hankel=scipy_linalg.hankel,
        lstsq=scipy_linalg.lstsq, lu_factor=scipy_linalg.lu_factor, lu_solve=scipy_linalg.lu_solve, sqrtm=scipy_linalg.sqrtm, toeplitz=scipy_linalg.toeplitz,
    ),
    **bases.BASES, **sequence_tables.TABLES,
    **within("scipy.special", comb=counting.comb, factorial=counting.factorial, multigammaln=counting.multigammaln, perm=counting.perm, polygamma=counting.polygamma,
             zeta=counting.zeta),
    **within("scipy.special", **special_forms.FORMS), **harmonics.HARMONICS,
    **within("scipy.special", log_softmax=special.log_softmax, logsumexp=special.logsumexp, softmax=special.softmax), **cosines.COSINES,
    **matrix_functions.MATRIX_FUNCTIONS, **filters.FILTERS, **STANDARDIZED, **distribution_moments.MOMENTS, **DISTRIBUTIONS, **vector_distributions.VECTORS,
    **matrix_distributions.MATRICES, **FORMS,
}  # fmt: skip
"""All of them."""
