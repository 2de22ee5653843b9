"""scipy.stats' named distributions over drawn arguments: parameters at and outside of their domains, values at jumps, at the ends of the support and outside of it."""
from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.stats as st

import s2s

CONTINUOUS = ["norm", "expon", "gamma", "beta", "chi2", "laplace", "logistic", "lognorm", "uniform", "t", "cauchy"]
COUNTS = ["poisson", "binom", "bernoulli", "geom"]
SHAPES = {
    "binom": ((0.0, 1.0, 6.0, 2.5, -1.0, np.nan, 40.0), (0.0, 1.0, 0.3, 0.5, 0.999, -0.1, 1.1, np.nan)), "poisson": ((0.0, 1.0, 2.5, 0.3, -1.0, np.nan, 40.0),),
    "bernoulli": ((0.0, 1.0, 0.3, 0.5, 0.999, -0.1, 1.1, np.nan),), "geom": ((0.0, 1.0, 0.3, 0.5, 0.999, 1e-9, -0.1, 1.1, np.nan),),
}  # fmt: skip
SHAPE = (0.0, 1.0, 0.3, 2.5, 40.0, -0.5, np.nan)
PLACES = ((0.0, 1.0), (0.5, 2.0), (0.0, -1.0), (0.0, 0.0), (np.nan, 1.0), (-1.0, 0.3))
OF_COUNTS = ((0.0,), (2.0,), (0.5,), (np.nan,), (-3.0,))
X = np.array([-np.inf, -30.0, -2.5, -1.0, -1e-8, 0.0, 1e-8, 0.25, 0.5, 1 - 1e-9, 1.0, 1.5, 2.0, 2.0000001, 3.0, 6.0, 7.0, 37.5, 45.0, np.inf, np.nan])
Q = np.array([-0.5, 0.0, 1e-12, 1e-8, 0.1, 0.25, 0.3, 0.5, 0.6, 0.7, 0.9, 0.999, 1 - 1e-12, 1.0, 1.5, np.nan, np.inf])
RISING = ("cdf", "sf", "logcdf", "logsf", "ppf", "isf")


def parameters_of(name):
    """Columns: shapes, location and, of continuous ones, scale."""
    shapes = SHAPES.get(name, (SHAPE,) * getattr(st, name).numargs)
    drawn = [(*given, *places) for given in itertools.product(*shapes) for places in (OF_COUNTS if name in COUNTS else PLACES)]
    return [np.array(column)[:, np.newaxis] for column in zip(*drawn, strict=True)]


def unlike(name, method, points, parameters):
    """Where SciPy's number is not what it says: a logarithm of a count's cdf beyond what takes no such shape, a density that has underflown."""
    if name in COUNTS and method == "logcdf":
        return np.isinf(points) | ~np.isfinite(sum(parameters)) | (parameters[0] < 0) | np.isnan(getattr(st, name).mean(*parameters))
    if name == "geom" and method in ("ppf", "isf"):
        return (points < 1e-11) & (parameters[0] < 1e-8)  # 1 - q has lost what tells them apart
    return np.zeros(np.broadcast_shapes(*map(np.shape, (points, *parameters))), bool)


def agree(found, wanted, excused=False):
    assert type(found) is type(wanted)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(np.where(excused, 0.0, found), np.where(excused, 0.0, wanted), rtol=1e-7, atol=1e-13)


@pytest.mark.parametrize("name", [*CONTINUOUS, *COUNTS])
@pytest.mark.filterwarnings("ignore")
def test_of_points(name):
    distribution, parameters = getattr(st, name), parameters_of(name)
    for method in (*RISING, *(("pmf", "logpmf") if name in COUNTS else ("pdf", "logpdf"))):
        function, points = getattr(distribution, method), Q if method in ("ppf", "isf") else X
        with np.errstate(all="ignore"):
            found = s2s.jit(lambda x, *given, function=function: function(x, *given), target="numpy")(points, *parameters)
            agree(found, function(points, *parameters), unlike(name, method, points, parameters))


@pytest.mark.parametrize("name", [*CONTINUOUS, *COUNTS])
@pytest.mark.filterwarnings("ignore")
def test_of_parameters(name):
    distribution, parameters = getattr(st, name), parameters_of(name)
    parameters = [np.where(np.isnan(parameters[0]), 3.0, parameters[0]), *parameters[1:]] if name == "binom" else parameters  # SciPy's entropy raises at nan
    for method in ("entropy", "mean", "var", "std", "median"):
        function = getattr(distribution, method)
        with np.errstate(all="ignore"):
            agree(s2s.jit(lambda *given, function=function: function(*given), target="numpy")(*parameters), function(*parameters))


def test_jumps_of_the_complement():
    """isf at the very complements: what SciPy gives, be it by inverting the complement or by 1 - q."""
    chances = np.array([0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.9])
    for name, shapes in (("bernoulli", ()), ("binom", (3,)), ("geom", ())):
        function = getattr(st, name).isf
        agree(s2s.jit(lambda q, *given, function=function: function(q, *given), target="numpy")(chances, *shapes, chances[:, np.newaxis]), function(chances, *shapes, chances[:, np.newaxis]))
    assert s2s.jit(lambda q, p: st.bernoulli.isf(q, p))(0.3, 0.3) == st.bernoulli.isf(0.3, 0.3) == 0.0


@pytest.mark.filterwarnings("ignore")
def test_a_normal_among_t():
    """df = inf."""
    x, df = np.array([-30.0, -1.0, 0.0, 2.5, np.inf]), np.array([[np.inf], [3.5]])
    for method in ("pdf", "logpdf", "cdf", "sf"):
        function = getattr(st.t, method)
        agree(s2s.jit(lambda x, df, function=function: function(x, df), target="numpy")(x, df), function(x, df))
    for method in ("mean", "var", "std", "entropy", "median"):
        function = getattr(st.t, method)
        agree(s2s.jit(lambda df, function=function: function(df), target="numpy")(df), function(df))
    s2s.check_grads(s2s.jit(lambda x, df: st.t.logpdf(x, df), target="numpy"), (np.array([0.5, 1.5]), 3.5), order=2, modes=("fwd", "rev"))


LARGE = {
    "binom": (lambda n: (np.round(n / 2 + np.sqrt(n) * np.array([-1.0, 0.0, 0.7])), n, 0.5)), "binom of rare events": (lambda n: (np.array([0.0, 1.0, 3.0]), n, 2.0 / n)),
    "nbinom": (lambda n: (np.round(n / 2 + np.sqrt(n) * np.array([-1.0, 0.0, 0.7])), n / 2, 0.5)), "t": (lambda n: (np.array([-2.0, 0.3, 1.5]), n)),
}  # fmt: skip


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("name", LARGE)
def test_large_parameters(name, target):
    """No difference of large logarithms: as many digits as SciPy."""
    distribution = getattr(st, name.split(" ")[0])
    density = distribution.pdf if name == "t" else distribution.pmf
    f = s2s.jit(lambda *given: density(*given), target=target)
    for n in (30.0, 1e3, 1e6, 1e9, 1e12):
        given = LARGE[name](n)
        np.testing.assert_allclose(f(*given), density(*given), rtol=max(2e-11, 1e-21 * n))
    if name == "t":
        np.testing.assert_allclose(f(given[0], 1e50), st.norm.pdf(given[0]), rtol=1e-13)


@pytest.mark.parametrize("n", [5.0, 40.0, 1e5])
def test_slopes_of_chances(n):
    k = np.array([0.0, 1.0, np.floor(n / 3), n])
    for f in (lambda p: st.binom.logpmf(k, n, p), lambda p: st.nbinom.logpmf(k, 0.5 * n, p), lambda p: st.nbinom.logpmf(k, n * p, 0.4), lambda p: st.t.logpdf(k[:2], n * p)):
        s2s.check_grads(s2s.jit(f, target="numpy"), (np.array([0.3]),), order=2)


def test_moments_of_draws_without_putting_back():
    f = lambda M, n: (st.hypergeom.mean(M, n, 3), st.hypergeom.var(M, n, 3), st.hypergeom.std(M, n, 3, loc=2), st.hypergeom.stats(M, n, [1, 3]))  # noqa: E731
    for found, wanted in zip(s2s.jit(f, target="numpy")(9, 4), f(9, 4), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-13)


def test_far_tails_of_cauchys_density():
    x = np.array([0.0, 3.0, 9e8, 2e9, 1e200, -1e300, 1.7e308, np.inf, np.nan])
    f = s2s.jit(lambda x: st.cauchy.logpdf(x, 0.5, 2.0), target="numpy")
    np.testing.assert_allclose(f(x), st.cauchy.logpdf(x, 0.5, 2.0), rtol=1e-13)
    slopes = s2s.jit(s2s.grad(lambda x: np.sum(st.cauchy.logpdf(x))), target="numpy")(x[:7])
    np.testing.assert_allclose(slopes, np.array([0.0, -0.6, *(-2.0 / x[2:7])]), rtol=1e-13)
