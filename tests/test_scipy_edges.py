"""SciPy's functions at the edges of their arguments: small integers that wrap, nan and infinite numbers, rows that are too short. Against SciPy itself."""
from __future__ import annotations

from functools import partial

import agreement
import numpy as np
import pytest
import scipy.cluster.hierarchy
import scipy.interpolate
import scipy.linalg
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.sparse.linalg
import scipy.spatial.distance
import scipy.stats

import s2s

RNG = np.random.default_rng(5)
BYTES, OTHERS = RNG.integers(0, 255, 8).astype(np.uint8), RNG.integers(0, 255, 8).astype(np.uint8)
DISTANCE, STATS = scipy.spatial.distance, scipy.stats
PLANES = np.diag([4.0, 3.0, 2.0, 5.0]) + 0.1


agree = partial(agreement.agree, atol=1e-12, raises=(ValueError, TypeError))
"""The same numbers, dtype and shape, or an exception of the same class."""


def between(u, v):
    return DISTANCE.cosine(u, v), DISTANCE.euclidean(u, v), DISTANCE.minkowski(u, v, 3), DISTANCE.chebyshev(u, v), DISTANCE.correlation(u, v), DISTANCE.mahalanobis(u, v, np.eye(8)), DISTANCE.seuclidean(u, v, np.arange(1.0, 9.0))


def of_pairs(u, v):
    return tuple(STATS.ttest_rel(u, v))


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("pair", [(BYTES, OTHERS), (BYTES, OTHERS / 7.0), (BYTES.astype(np.float32), OTHERS.astype(np.float32)), (BYTES.astype(np.uint16) * np.uint16(250), OTHERS.astype(np.uint16) * np.uint16(200))], ids=str)
def test_small_integers_wrap_where_scipys_do(pair, target):
    agree(between, *pair, target=target)
    agree(of_pairs, *pair, target=target)


def test_sums_that_wrap_to_below_zero_raise():
    agree(lambda u, v: DISTANCE.cosine(u, v), np.array([100, 27], np.int8), np.array([27, 100], np.int8))
    agree(lambda u, v: DISTANCE.seuclidean(u, v, u), np.array([-1.0, 2.0]), np.array([3.0, 4.0]))


@pytest.mark.parametrize("call", [lambda u, v: DISTANCE.chebyshev(u, v), lambda u, v: DISTANCE.chebyshev(u, v, np.array([1.0, 0.0, 2.0])), lambda u, v: DISTANCE.cdist(u[None], v[None], "chebyshev"), lambda u, v: DISTANCE.euclidean(u, v)])
def test_nan_in_distances(call):
    for place in range(3):
        u = np.array([1.0, 2.0, 4.0])
        u[place] = np.nan
        agree(call, u, np.array([2.0, 2.0, 2.0]))


def test_hausdorffs_distance_of_nan_is_refused():
    with pytest.raises(NotImplementedError, match="order"):
        s2s.jit(lambda u, v: DISTANCE.directed_hausdorff(u, v), target="numpy")(np.array([[0.0, np.nan]]), np.zeros((2, 2)))


def test_less_than_one_cluster_is_refused():
    tree = scipy.cluster.hierarchy.linkage(RNG.normal(size=(6, 2)))
    cut = s2s.jit(lambda tree, t: scipy.cluster.hierarchy.fcluster(tree, t, criterion="maxclust"), target="numpy")
    with pytest.raises(NotImplementedError, match="fewer than one"):
        cut(tree, 0.8)
    assert np.array_equal(cut(tree, 2.7), scipy.cluster.hierarchy.fcluster(tree, 2.7, criterion="maxclust"))


@pytest.mark.parametrize("name", ["cg", "gmres", "bicg", "bicgstab", "cgs"])
def test_systems_with_nan_are_not_solved(name):
    solve = getattr(scipy.sparse.linalg, name)
    for b in ([1.0, np.nan, 2.0, 3.0], [1.0, np.inf, 2.0, 3.0], [0.0, 0.0, 0.0, 0.0]):
        agree(lambda a, b, solve=solve: solve(a, b), PLANES, np.array(b))


def test_kendalls_tau_of_infinite_numbers():
    for x in ([1.0, 2.0, np.inf, 4.0, 5.0, 3.0], [1.0, np.inf, -np.inf, np.inf, 5.0, 2.5]):
        agree(lambda x, y: tuple(STATS.kendalltau(x, y)), np.array(x), np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0]))
    for refused in (lambda x: STATS.siegelslopes(x), lambda x: STATS.shapiro(x)):
        with pytest.raises(NotImplementedError, match="infinite"):
            s2s.jit(refused, target="numpy")(np.array([1.0, 2.0, np.inf, 4.0]))


IMAGES, SIGNAL = scipy.ndimage, scipy.signal
NAN_REFUSED = [
    lambda x: IMAGES.maximum_filter(x, 3), lambda x: IMAGES.median_filter(x, 3), lambda x: IMAGES.percentile_filter(x, 40, 3), lambda x: IMAGES.uniform_filter(x, 3), lambda x: SIGNAL.medfilt(x, 3),
    lambda x: IMAGES.grey_dilation(x, 3), lambda x: IMAGES.minimum_filter1d(x, 3),
]  # fmt: skip


@pytest.mark.parametrize("call", NAN_REFUSED)
def test_filters_that_compare_refuse_nan(call):
    read, x = s2s.jit(call, target="numpy"), RNG.normal(size=9)
    np.testing.assert_allclose(read(x), call(x), rtol=1e-12)
    x[3] = np.nan
    with pytest.raises(NotImplementedError, match="nan"):
        read(x)


DTYPES = [
    (lambda z, p: SIGNAL.zpk2tf(z, p, 2.0), np.array([1, 5, -3]), np.array([2, 2, 1])), (lambda z, p: SIGNAL.zpk2tf(z, p, 1), np.array([1.0, 5.0]), np.array([100, 2, 1], np.int8)),
    (lambda b, a: SIGNAL.freqz(b, a), np.arange(4, dtype=np.float32), np.array([2, 1])),
    (lambda z, p: SIGNAL.freqz_zpk(z, p, 2.0, 16), np.array([0.5, 0.25], np.float32), np.array([0.1, 0.2], np.float32)), (lambda z, p: SIGNAL.freqz_zpk(z, p, 2.0, 16), np.array([3, 4]), np.array([2, 5])),
]  # fmt: skip


@pytest.mark.parametrize("case", DTYPES, ids=range(len(DTYPES)))
def test_precision_of_filters(case):
    wanted, found = agreement.quietly(case[0], *case[1:]), s2s.jit(case[0], target="numpy")(*case[1:])
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-3 if one.dtype.name in ("float32", "complex64") else 1e-9)


def test_what_other_steps_than_scipys_would_give_is_refused():
    root = s2s.jit(lambda rtol: scipy.optimize.toms748(lambda x: x**3 - 2.0, 0.0, 2.0, rtol=rtol), target="numpy")
    with pytest.raises(NotImplementedError, match="tolerance"):
        root(1.0)
    assert abs(root(1e-9) - 2.0 ** (1 / 3)) < 1e-8
    with pytest.raises(s2s.errors.UnsupportedError, match="nit"):
        s2s.jit(lambda c: scipy.optimize.linprog(c, bounds=(0, 1)).nit, target="numpy")(np.ones(2))


COMPLEX_REFUSED = [lambda x: DISTANCE.dice(x, x + 1.0), lambda x: STATS.expectile(x)]


@pytest.mark.parametrize("call", COMPLEX_REFUSED)
def test_complex_numbers_lose_nothing(call):
    with pytest.raises(s2s.errors.UnsupportedError, match="complex"):
        s2s.jit(call, target="numpy")(np.array([1.0 + 2.0j, 3.0]))


GRID, KNOTS = np.arange(6.0), np.array([0.0] * 4 + [5.0] * 4)
FLOAT32 = np.sin(np.arange(12.0)).reshape(3, 4).astype(np.float32)
PLACES = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
INTERPOLATE, OPTIMIZE = scipy.interpolate, scipy.optimize
DRAWN = {
    "slope outside": lambda y: (INTERPOLATE.InterpolatedUnivariateSpline(GRID, y, ext=3)(np.array([-1.0, 0.5, 7.0]), nu=1), INTERPOLATE.UnivariateSpline(GRID, y, s=0, ext="const").derivative()(np.array([-1.0, 0.5, 7.0]))),
    "slope outside by tck": lambda y: INTERPOLATE.splev(np.array([-1.0, 0.5, 7.0]), INTERPOLATE.splrep(GRID, y), der=1, ext=3),
    "grid of nan": lambda y: INTERPOLATE.RegularGridInterpolator((GRID, GRID), y[:, None] * y)(np.array([[np.nan, 1.0], [1.0, 1.0]])),
    "least squares of nan": lambda y: INTERPOLATE.make_lsq_spline(GRID, np.where(GRID == 2, np.nan, y), KNOTS)(1.5), "least squares backwards": lambda y: INTERPOLATE.make_lsq_spline(GRID[::-1], y, KNOTS[::-1])(1.5),
    "least squares of few": lambda y: INTERPOLATE.make_lsq_spline(GRID[:3], y[:3], KNOTS)(1.5), "least squares outside": lambda y: INTERPOLATE.make_lsq_spline(GRID + 1, y, KNOTS)(1.5),
    "least squares unsorted": lambda y: INTERPOLATE.make_lsq_spline(GRID[np.array([0, 2, 1, 3, 4, 5])], y, KNOTS)(1.5),
    "nearest": lambda y: INTERPOLATE.griddata(PLACES, np.round(y[:4]).astype(int), PLACES + 0.1, method="nearest"), "nearest of float32": lambda y: INTERPOLATE.interpn((GRID[:3], GRID[:4]), FLOAT32, np.stack([y[:2] + 1, y[:2] + 1], -1), "nearest"),
    "rosen": lambda y: (OPTIMIZE.rosen_der(np.round(y).astype(int)), OPTIMIZE.rosen_hess(np.round(y).astype(int)), OPTIMIZE.rosen_hess_prod(np.round(y).astype(int), np.round(3 * y).astype(int))),
    "confidence": lambda y: STATS.gamma.interval(1 + y[0] ** 2, 2.0), "no confidence": lambda y: STATS.poisson.interval(-1 - y[0] ** 2, 2.0), "confidences": lambda y: STATS.beta(2.0, 3.0).interval(np.abs(y)),
    "no power": lambda y: (STATS.powerlaw.pdf(np.array([0, 1]), 0.5 + y[0] ** 2), STATS.powerlaw.logpdf(np.array([0, 1]), 0.5 + y[0] ** 2), STATS.powerlaw.pdf(np.array([0, 1]), 1.0 + y[0] ** 2), STATS.powerlaw.pdf(np.array([0, 1]), 2.0)),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.filterwarnings("ignore")
def test_what_draws_found(name):
    agree(DRAWN[name], np.cos(GRID) * (GRID != 0))


BETWEEN_COUNTS = np.array([-1.0, 0.5, 1.0, 1.5, 2.0, 2.75, np.nan, np.inf])
COUNTED = {
    "logser": lambda p: (STATS.logser.sf(BETWEEN_COUNTS, p), STATS.logser.logsf(BETWEEN_COUNTS, p), STATS.logser.cdf(BETWEEN_COUNTS, p), STATS.logser.isf(np.array([0.3, 1e-3]), p)),
    "yulesimon": lambda p: (STATS.yulesimon.sf(BETWEEN_COUNTS, p), STATS.yulesimon.cdf(BETWEEN_COUNTS, p), STATS.yulesimon.logcdf(BETWEEN_COUNTS, p), STATS.yulesimon.logsf(BETWEEN_COUNTS, p)),
    "bernoulli": lambda p: (STATS.bernoulli.cdf(np.float32([0, 1]), np.float32(p)), STATS.bernoulli.sf(np.float32(0), np.float32(p)), STATS.bernoulli.entropy(np.float32(p)), STATS.geom.entropy(np.float32(p))),
    "moment 0": lambda p: (STATS.norm.moment(0, loc=np.nan * p), STATS.gamma.moment(0, np.nan * p), STATS.poisson.moment(0, p, np.inf), STATS.norm.moment(0, scale=-p)),
    "ends": lambda p: (STATS.truncnorm.support(-p, p), STATS.truncnorm.support(p, -p), STATS.truncexpon.support(p), STATS.gamma.support(p, 2, 3)),
}  # fmt: skip


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("name", COUNTED)
@pytest.mark.filterwarnings("ignore")
def test_between_counts_and_in_single_precision(name, target):
    agree(COUNTED[name], 0.3, target=target)


def test_ends_that_are_integers():
    agree(lambda p, q: (STATS.truncnorm.support(p, q), STATS.truncexpon.support(q), STATS.truncnorm.support(p, q, loc=0.5), STATS.loguniform.support(q, q + 1)), -2, 3)


BRACKETS = {
    "infinite end": lambda c: OPTIMIZE.toms748(lambda x: x * x - c, 0.0, np.inf), "infinite value": lambda c: OPTIMIZE.toms748(lambda x: np.where(x > 1.0, np.inf, -c), 0.0, 2.0),
    "nan between": lambda c: OPTIMIZE.bisect(lambda x: np.nan if abs(x - 1) < 1e-3 else x * x - c, 0.0, 2.0), "nan at an end": lambda c: OPTIMIZE.brentq(lambda x: np.sqrt(1.5 - x) - c, -9.0, 2.0),
    "a complex right side": lambda c: scipy.sparse.linalg.splu(scipy.sparse.csc_array(PLANES)).solve(np.full(4, c + 1j)),
}  # fmt: skip


@pytest.mark.parametrize("name", BRACKETS)
def test_what_solvers_refuse(name):
    agree(BRACKETS[name], 2.0)


UNSAID = {
    "single": (lambda x: OPTIMIZE.newton(lambda z: z * z - 2, np.float32(x)), s2s.errors.UnsupportedError), "complex places": (lambda x: INTERPOLATE.interp1d(GRID + 0j, GRID)(x), s2s.errors.UnsupportedError),
    "at complex numbers": (lambda x: INTERPOLATE.CubicSpline(GRID, GRID)(x + 1j), s2s.errors.UnsupportedError),
    "nan in a system": (lambda x: scipy.sparse.linalg.spsolve(scipy.sparse.csc_array(PLANES + np.where(x > 0, np.nan, 0.0)), np.ones(4)), NotImplementedError),
    "between counts": (lambda x: STATS.hypergeom.cdf(x, 21, 3, 12), NotImplementedError), "above them": (lambda x: STATS.hypergeom.logsf(x + 0.25, 21, 3, 12), NotImplementedError),
    "nan on the right": (lambda x: scipy.sparse.linalg.lsqr(scipy.sparse.csc_array(PLANES), np.full(4, x * np.nan))[0], NotImplementedError),
}  # fmt: skip


@pytest.mark.parametrize("name", UNSAID)
def test_what_would_be_another_number_is_refused(name):
    call, error = UNSAID[name]
    with pytest.raises(error):
        s2s.jit(call, target="numpy")(1.5)


SIGNAL, IMAGES = scipy.signal, scipy.ndimage
FURTHER = {
    "truncated": lambda y: (STATS.tvar(np.where(GRID == 2, np.inf, y)), STATS.tstd(np.where(GRID == 2, -np.inf, y), (None, 4.0)), STATS.tsem(y, (-0.5, 2.0)), STATS.tvar(np.where(GRID == 2, np.nan, y))),
    "small integers": lambda y: (STATS.tmean(BYTES), STATS.tmean(BYTES, (0, 200)), STATS.tmean(BYTES > 90), STATS.tmean(BYTES.astype(np.int64))),
    "single response": lambda y: (SIGNAL.freqz(y.astype(np.float32), worN=8), SIGNAL.freqz(y.astype(np.float32), np.float32([1, 2]), worN=8), SIGNAL.freqz(y, worN=8)),
    "convolved with bools": lambda y: (SIGNAL.fftconvolve(y > 0, y.astype(np.float32)), SIGNAL.oaconvolve(np.round(y).astype(np.int16), y.astype(np.float32)), SIGNAL.oaconvolve(y.astype(np.float32), y.astype(np.float32))),
    "weights that are none": lambda y: (IMAGES.correlate(y, np.array([1.0, np.nan, 2.0])), IMAGES.convolve(np.where(GRID == 2, np.inf, y), np.array([0.0, 1.0, 1e-17])), IMAGES.correlate(y, np.array([1, 0, 2]))),
    "complex variance": lambda y: (IMAGES.variance(y + 1j * GRID), IMAGES.standard_deviation(y * 1j, np.array([1, 1, 2, 2, 0, 0])), IMAGES.variance(y, np.array([1, 1, 2, 2, 0, 0]), np.array([1, 2]))),
    "stopped": lambda y: (*SIGNAL.butter(3, np.array([0.2, 0.5 + y[0]]), "bandstop", output="zpk"), *SIGNAL.cheby2(4, 30, np.array([0.2, 0.5 + y[0]]), "bandstop", output="zpk"), *SIGNAL.ellip(1, 1, 30, 0.3 + y[0])),
    "sections": lambda y: [SIGNAL.butter(n, 40.0 + y[0], how, fs=200.0, output="sos") for n, how in ((4, "low"), (3, "high"))],
    "sections of bands": lambda y: [make(2, *ripples, np.array([low, 90.0 + y[0]]), how, fs=200.0, output="sos") for make, ripples, low, how in ((SIGNAL.butter, (), 30.0, "band"), (SIGNAL.butter, (), 1.0, "band"), (SIGNAL.ellip, (1, 30), 60.0, "bandstop"))],
    "sections of ripples": lambda y: (SIGNAL.cheby2(5, 30, 0.3 + 0.1 * y[0], output="sos"), SIGNAL.sosfilt(SIGNAL.bessel(3, 0.3 + 0.1 * y[0], output="sos"), y)),
    "no output": lambda y: SIGNAL.butter(2, 0.3 + 0.1 * y[0], output="nope"),
    "no length": lambda y: SIGNAL.windows.hann(5.5 + y[0]), "no mode": lambda y: IMAGES.spline_filter(y, mode="nope"), "no weights": lambda y: DISTANCE.cdist(y[:, None], y[:, None], w=np.ones(3)),
    "no variances": lambda y: DISTANCE.cdist(y[:, None], y[:, None], "seuclidean", V=np.ones(3)), "fewer weights": lambda y: DISTANCE.hamming(y, y, np.ones(1)),
    "complex sums": lambda y: IMAGES.sum_labels(y + 1j, np.array([1, 1, 2, 2, 0, 0]), np.array([1, 2])),
}  # fmt: skip


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("name", FURTHER)
@pytest.mark.filterwarnings("ignore")
def test_what_further_draws_found(name, target):
    agreement.agree(FURTHER[name], np.cos(GRID) * (GRID != 0), target=target, atol=1e-6 if "single" in name or "bools" in name else 1e-12, raises=(ValueError, TypeError, RuntimeError))


BOOLS = np.array([[True, True, False, True], [False] * 4])


def of_bools(x):
    return (
        np.sum(x, dtype=bool) * 1.0, np.sum(x, axis=0, dtype=bool) + 0, np.cumsum(x, axis=-1, dtype=bool) * 1.0, np.cumprod(x, dtype=bool) * 2, np.prod(x, axis=-1, dtype=bool) * 1.0, np.add.reduce(x, axis=1, dtype=bool) * 1.0,
        np.sum(x, dtype=bool, initial=True) * 3, np.sum(x, dtype=bool, where=x > 5) * 3, np.prod(x, dtype=bool, initial=False) * 3,
    )  # fmt: skip


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("x", [BOOLS, BOOLS * 2.5, BOOLS[:0]], ids=["bools", "floats", "none"])
def test_sums_of_bools_as_bools(x, target):
    agree(of_bools, x, target=target)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_counts_of_a_hypergeometric_distribution(target):
    counts = np.array([-1.0, -0.5, 0.0, 1.0, 2.0, 3.0, 3.5, np.inf])
    agree(lambda k, m: (STATS.hypergeom.cdf(k, m, 3, 12), STATS.hypergeom.sf(k, m, 3, 12), STATS.hypergeom.ppf(np.array([0.3, 0.9]), m, 3, 12)), counts, 21, target=target)


def whats_a_tuple(x):
    y = x[::-1] ** 2
    return isinstance(STATS.ttest_rel(x, y), tuple), isinstance(STATS.pearsonr(x, y), tuple | list), isinstance(STATS.spearmanr(x, y), float), isinstance(STATS.ttest_1samp(x, 1.0), str)


SURE = {
    "results that are tuples": (whats_a_tuple, np.array([1.0, 2.0, 4.0, 4.5])),
    "the power 0 of a matrix": (lambda x: (scipy.sparse.csr_matrix(x.reshape(2, 2)) ** 0).toarray(), np.array([1.0, 2.0, 4.0, 4.5])),
    "format of diagonals times an array": (lambda x: (scipy.sparse.dia_array(x.reshape(2, 2)) * x[:2]).format == "dia", np.array([1.0, 2.0, 4.0, 4.5])),
    "iqr of bools": (lambda x: STATS.iqr(x > 1), np.arange(4.0)),
    "mode of bools": (lambda x: STATS.mode(x > 1), np.arange(4.0)),
    "quantile of bools": (lambda x: STATS.quantile(x > 1, 0.5), np.arange(4.0)),
    "probabilities that are bools": (lambda x: STATS.false_discovery_control(x > 1), np.arange(4.0)),
    "a window of a bool": (lambda x: x[0] * scipy.signal.windows.hann(True), np.arange(4.0)),
    "a distance with weights": (lambda x: DISTANCE.euclidean(x, x[::-1], x), np.arange(4.0)),
    "the root of a column": (lambda x: scipy.optimize.root(lambda z: np.ravel(z) ** 2 - np.ravel(x), x).x, np.array([[1.0], [2.0]])),
    "complex frequencies": (lambda x: scipy.signal.freqz(x + 1j, worN=x), np.arange(4.0)),
    "kstat": (lambda x: STATS.kstat(x, 3), np.array([200, 100, 250, 3])),
    "likelihoods": (lambda x: (STATS.boxcox_llf(0.5, x), STATS.yeojohnson_llf(0.5, x)), np.array([1.0, 2.0, 4.0, 4.5])),
}
"""What this file's next test draws nothing for: each was another number, silently."""


@pytest.mark.parametrize("name", SURE)
@pytest.mark.filterwarnings("ignore")
def test_kinds_and_errors_of_results(name):
    call, x = SURE[name]
    agree(call, x, target="numpy")


INFINITE, HOLED = np.array([1.0, np.inf, 3.0, 4.0]), np.array([1.0, np.nan, 3.0, 4.0])
REFUSED_NUMBERS = {
    "kstat of bytes": (lambda x: STATS.kstat(x, 2), BYTES), "kstatvar of bytes": (lambda x: STATS.kstatvar(x, 1), BYTES), "gmean of bytes": (lambda x: STATS.gmean(x), BYTES),
    "lmoment": (lambda x: STATS.lmoment(x), INFINITE), "bayes_mvs": (lambda x: STATS.bayes_mvs(x)[0].statistic, INFINITE), "expectile": (lambda x: STATS.expectile(x, 0.3), INFINITE),
    "boxcox_llf of equal ones": (lambda x: STATS.boxcox_llf(0.5, x), np.full(3, 2.0)), "yeojohnson_llf of infinite ones": (lambda x: STATS.yeojohnson_llf(2.0, x), INFINITE),
    "minimum of nan": (lambda x: scipy.ndimage.minimum(x, np.array([1, 1, 2, 2]), np.array([1, 2])), HOLED), "extrema of nan": (lambda x: scipy.ndimage.extrema(x)[0], HOLED),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED_NUMBERS)
@pytest.mark.filterwarnings("ignore")
def test_what_is_rounding_or_an_order_in_scipy_is_refused(name):
    call, x = REFUSED_NUMBERS[name]
    with pytest.raises((NotImplementedError, s2s.UnsupportedError), match="not supported"):
        s2s.jit(call, target="numpy")(x)


LINALG = scipy.linalg
NARROW = {
    "qr": lambda a: LINALG.qr(a)[1] ** 2, "qr of pivots": lambda a: LINALG.qr(a, mode="economic", pivoting=True)[2], "rq": lambda a: LINALG.rq(a)[0] ** 2, "pinv": lambda a: LINALG.pinv(a), "pinvh": lambda a: LINALG.pinvh(a),
    "polar": lambda a: LINALG.polar(a), "orth": lambda a: LINALG.orth(a) ** 2, "null_space": lambda a: LINALG.null_space(a - a), "lstsq": lambda a: LINALG.lstsq(a, a[0])[0], "ldl": lambda a: LINALG.ldl(a), "balanced": lambda a: LINALG.matrix_balance(a)[0],
    "angles": lambda a: LINALG.subspace_angles(a[:, :1], a[:, 1:]), "of diagonals": lambda a: LINALG.eigvalsh_tridiagonal(a[0], a[1, 1:]), "solveh_banded": lambda a: LINALG.solveh_banded(a[:1], a[1]),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4"])
@pytest.mark.parametrize("name", NARROW)
def test_lapacks_precision_of_narrow_integers(name, dtype):
    agreement.agree(NARROW[name], np.array([[3, 1], [1, 2]], dtype), target="numpy", atol=1e-6)


def test_of_a_real_matrix_and_a_complex_direction():
    agree(lambda a: LINALG.expm_frechet(a, a * 1j), PLANES / 9, target="numpy")
    with pytest.raises(NotImplementedError, match="leading square"):
        s2s.jit(lambda a: LINALG.bandwidth(a), target="numpy")(np.ones((3, 2)))


INTERPOLATE = scipy.interpolate
BETWEEN = np.linspace(0.0, 6.0, 9)
THROUGH = {
    "zeros": lambda y: (INTERPOLATE.UnivariateSpline(BETWEEN, y, s=0).roots(), INTERPOLATE.UnivariateSpline(BETWEEN, y, s=0.1).roots()), "zeros of another degree": lambda y: INTERPOLATE.UnivariateSpline(BETWEEN, y, s=0, k=4).roots(),
    "what a spline is": lambda y: INTERPOLATE.make_interp_spline(BETWEEN, y).tck[:2], "several at once": lambda y: INTERPOLATE.InterpolatedUnivariateSpline(BETWEEN, np.outer(y, y))(1.0),
    "a grid that falls": lambda y: INTERPOLATE.RegularGridInterpolator((BETWEEN[::-1], BETWEEN[:3]), np.outer(y, y[:3]))(np.stack([y[:3] + 2, BETWEEN[:3]], -1)),
    "a grid that falls second": lambda y: INTERPOLATE.interpn((BETWEEN, BETWEEN[2::-1]), np.outer(y, y[:3]), np.stack([y[:3] + 2, BETWEEN[:3]], -1)),
    "a grid that stays": lambda y: INTERPOLATE.RegularGridInterpolator((0 * BETWEEN, BETWEEN[:3]), np.outer(y, y[:3]))(BETWEEN[:2]),
    "a column of points": lambda y: (INTERPOLATE.griddata(BETWEEN[:, None], y, BETWEEN[:4]), INTERPOLATE.griddata(BETWEEN[:, None], y, BETWEEN[:4, None], method="nearest")),
}  # fmt: skip


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("name", THROUGH)
def test_through_points(name, target):
    agreement.agree(THROUGH[name], np.cos(1.7 * BETWEEN), target=target, atol=1e-9, raises=(ValueError, NotImplementedError))


def test_slopes_of_a_splines_zeros():
    y, step = np.cos(1.7 * BETWEEN), 1e-6

    def total(y):
        return np.sum(INTERPOLATE.UnivariateSpline(BETWEEN, y, s=0).roots())

    expected = [(total(y + step * row) - total(y - step * row)) / (2 * step) for row in np.eye(9)]
    np.testing.assert_allclose(s2s.grad(total)(y), expected, atol=1e-6)


@pytest.mark.parametrize("function", [
    lambda x: scipy.stats.differential_entropy(x, base=-2), lambda x: scipy.stats.false_discovery_control(x, axis=1.5), lambda x: scipy.stats.false_discovery_control(x, axis=(1, 2)),
    lambda x: scipy.stats.mannwhitneyu(x, x, use_continuity="ekki"), lambda x: scipy.spatial.distance.directed_hausdorff(x[:, None], x[:, None], seed=np.random.RandomState(3)),
])  # fmt: skip
def test_arguments_that_scipy_refuses(function):
    x = np.linspace(0.1, 0.9, 12)
    with pytest.raises((ValueError, TypeError)) as wanted:
        function(x)
    with pytest.raises(wanted.type) as found:
        s2s.jit(function, target="numpy")(x)
    assert str(found.value)[:20] == str(wanted.value)[:20]
