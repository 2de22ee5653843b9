"""scipy.stats' distributions: SciPy's own numbers inside and outside of the support, at the edges, for shapes and scales that are none."""
from __future__ import annotations

import inspect
import re

import numpy as np
import pytest
import scipy.stats as st

import s2s
from s2s.transforms.read.composed.counts import COUNTS
from s2s.transforms.read.composed.families import FAMILIES
from s2s.transforms.read.composed.sampled import SAMPLED
from s2s.transforms.read.composed.scipy_table import DISTRIBUTIONS, STANDARDIZED
from s2s.transforms.read.names import resolved

SHAPES = {"lognorm": (0.7,), "gamma": (2.5,), "chi2": (3.0,), "beta": (2.0, 3.5), "t": (4.5,), "poisson": (2.5,), "binom": (6.0, 0.3), "bernoulli": (0.3,), "geom": (0.4,)}
POINTS = np.array([-np.inf, -2.5, -1.0, 0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 6.0, 7.0, np.nan])


def distribution_of(name):
    return name.split(".")[2]


def is_discrete(name):
    return distribution_of(name) in ("poisson", "binom", "bernoulli", "geom")


def arguments(name):
    shapes = SHAPES.get(distribution_of(name), ())
    yield shapes
    if not is_discrete(name):
        yield (*shapes, 0.5, 2.0)
        yield (*shapes, 0.0, -1.0)
        yield (*shapes, np.linspace(-1.0, 1.0, len(POINTS)), np.linspace(0.5, 3.0, len(POINTS)))
    if shapes:
        yield (*(-abs(shape) for shape in shapes),)
        yield tuple(np.linspace(0.5, 1.0, len(POINTS)) * shape if distribution_of(name) != "binom" else shape for shape in shapes)


CHANCES = np.array([-0.5, 0.0, 1e-8, 0.1, 0.25, 0.5, 0.6, 0.7, 0.9, 0.999, 1.0, 1.5, np.nan])


@pytest.mark.parametrize("name", [name for name in DISTRIBUTIONS if name.endswith("entropy")])
@pytest.mark.filterwarnings("ignore")
def test_entropies(name):
    function = resolved(name)
    for given in arguments(name):
        if not any(np.ndim(each) for each in given):
            wanted = function(*given)
            found = s2s.jit(lambda *given: function(*given), target="numpy")(*map(float, given)) if given else function()
            np.testing.assert_allclose(found, wanted, rtol=1e-10)
            assert found.dtype == wanted.dtype


@pytest.mark.parametrize("name", [name for name in DISTRIBUTIONS if not name.endswith("entropy")])
@pytest.mark.filterwarnings("ignore")
def test_values(name):
    function = resolved(name)
    points = CHANCES if name.endswith("ppf") else POINTS
    for given in arguments(name):
        if name in ("scipy.stats.binom.logcdf", "scipy.stats.bernoulli.logcdf") and np.min(given[0]) < 0:
            continue  # SciPy gives 0 beyond what it takes for the support; here it is nan, as cdf is
        for x in (points, points.astype(np.float32), np.arange(-1, 5) if all(np.ndim(each) == 0 for each in given) else points, 1.0):
            if np.ndim(x) == 0 and any(np.ndim(each) for each in given):
                continue
            wanted = function(x, *given)
            with np.errstate(all="ignore"):
                found = s2s.jit(lambda x, *rest: function(x, *rest), target="numpy")(x, *given)
            assert type(found) is type(wanted)
            assert found.dtype == wanted.dtype
            single = name.endswith("ppf") and np.asarray(x).dtype == np.float32  # SciPy's are rounded to float32 on the way
            np.testing.assert_allclose(found, wanted, rtol=3e-6 if single else 1e-10, atol=1e-300, err_msg=f"{name}{given} at {x}")


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_parameters(name):
    """SciPy's are *args, its documents name these."""
    first = ["q"] if name.endswith("ppf") else [] if name.endswith("entropy") else ["k" if is_discrete(name) else "x"]
    parameters = list(inspect.signature(DISTRIBUTIONS[name]).parameters)
    shapes = getattr(st, distribution_of(name)).shapes
    assert parameters == [*first, *(shapes.split(", ") if shapes else ()), "loc", *(() if is_discrete(name) else ("scale",))]


@pytest.mark.parametrize("name", [name for name in DISTRIBUTIONS if not is_discrete(name) and not name.endswith("entropy")])
def test_derivatives(name):
    function, shapes = resolved(name), SHAPES.get(distribution_of(name), ())
    x = np.array([0.2, 0.45, 0.8])
    s2s.check_grads(s2s.jit(lambda x, loc, scale: function(x, *shapes, loc, scale), target="numpy"), (x, -0.05, 1.2), order=2, modes=("fwd", "rev"))


def likelihood(theta, x, counts):
    mean, spread, rate = theta
    return np.sum(st.norm.logpdf(x, mean, np.exp(spread))) + np.sum(st.poisson.logpmf(counts, np.exp(rate))) + st.norm.logpdf(mean)


def test_compiled():
    theta, x, counts = np.array([0.1, 0.2, 0.3]), np.linspace(-1.0, 2.0, 7), np.arange(5)
    np.testing.assert_allclose(s2s.jit(likelihood)(theta, x, counts), likelihood(theta, x, counts), rtol=1e-12)
    plain = s2s.grad(s2s.jit(likelihood, target="numpy"))(theta, x, counts)
    np.testing.assert_allclose(s2s.grad(likelihood)(theta, x, counts), plain, rtol=1e-12)


# ---- distributions by their formulas ---------------------------------------------------------------------------------------------

SHAPED = {
    "betabinom": [(6.0, 2.0, 3.0)], "hypergeom": [(20.0, 7.0, 12.0)], "randint": [(-2.0, 5.0)], "nbinom": [(4.0, 0.3)], "binom": [(6.0, 0.3)], "bernoulli": [(0.3,)], "geom": [(0.4,)], "logser": [(0.6,)], "zipf": [(2.5,)],
    "truncnorm": [(-1.0, 2.0), (1.0, 3.0), (-5.0, -2.0)], "loguniform": [(0.5, 2.5)], "reciprocal": [(0.5, 2.5)], "wrapcauchy": [(0.4,)], "triang": [(0.3,), (0.0,), (1.0,)], "genpareto": [(0.3,), (0.0,), (-0.4,)],
    "skellam": [(2.5, 1.5)], "planck": [(0.7,)], "boltzmann": [(0.7, 5.0)], "zipfian": [(1.3, 5.0), (0.4, 4.0)], "yulesimon": [(2.5,)], "nhypergeom": [(20.0, 7.0, 5.0)], "betanbinom": [(5.0, 3.5, 2.5)],
    "genextreme": [(0.3,), (0.0,), (-0.4,)], "genhalflogistic": [(0.7,)], "genexpon": [(1.7, 2.3, 0.6)], "truncpareto": [(1.7, 2.3)], "truncweibull_min": [(1.7, 0.3, 2.3)], "trapezoid": [(0.2, 0.65), (0.0, 0.9), (0.4, 1.0)],
    "skewcauchy": [(0.4,)], "foldcauchy": [(0.7,)], "foldnorm": [(0.7,)], "pearson3": [(0.7,), (-0.7,), (0.0,)],
    "norminvgauss": [(1.7, 0.6)], "geninvgauss": [(1.7, 2.3), (-0.6, 0.5)], "genhyperbolic": [(0.7, 2.3, 0.5), (-1.3, 1.2, -0.4)], "ncf": [(1.7, 5.3, 2.3)], "tukeylambda": [(0.7,), (-0.4,), (0.0,)],
    "gengamma": [(2.0, 1.5), (2.0, -1.5)], "erlang": [(3.0,)], "gausshyper": [(1.7, 2.3, 0.8, 1.4), (1.2, 1.0, 2.3, 0.4)], "nct": [(2.4, 0.7), (1.7, 2.3)], "skewnorm": [(2.0,), (-1.0,)], "f": [(3.0, 6.0), (3.0, 3.0)], "t": [(4.5,), (1.5,), (0.5,)],
}  # fmt: skip
LONG = np.array([-np.inf, -3.0, -2.5, -1.0, -0.3, 0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 6.0, 7.0, np.inf, np.nan])
OF_SHAPES = ("entropy", "mean", "var", "std", "median", "stats")
BY_ADDING_UP = ("hypergeom", "logser", "yulesimon")  # SciPy's cdf between two counts is nan, that of the next one, or a number between them


def formulas_of(name):
    return FAMILIES[name] if name in FAMILIES else COUNTS[name]


def first_of(distribution, method):
    if method in OF_SHAPES:
        return ()
    if method in ("ppf", "isf"):
        return (CHANCES,)
    if method == "interval":
        return (np.array([0.1, 0.5, 0.9]),)
    return (np.round(LONG) if distribution in BY_ADDING_UP else LONG[1:-2] if distribution in ("geninvgauss", "genhyperbolic", "ncx2", "ncf", "skellam") else LONG,)  # at infinity SciPy's are nan


def shapes_of(distribution):
    count = len(formulas_of(distribution).names)
    return SHAPED.get(distribution, [(1.7, 2.3)[:count]])


def arguments_by_formulas(distribution):
    for shapes in shapes_of(distribution):
        for given in (shapes, tuple(-abs(shape) - 0.5 for shape in shapes)):
            for more in [(), (2,)] if distribution in COUNTS else [(), (0.5, 2.0), (0.0, -1.0)]:
                yield (*given, *more)


def agree(found, wanted, method, distribution):
    sought = method == "isf" and distribution in FAMILIES and FAMILIES[distribution].ppf is None  # of 1 - q in SciPy, which has lost digits of q
    rtol = 1e-8 if sought else 2e-9
    for one, other in zip(found, wanted, strict=True) if method in ("interval", "stats") else [(found, wanted)]:
        assert type(one) is type(other)
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=rtol, atol=1e-13)


@pytest.mark.parametrize("name", [name for name in STANDARDIZED if name not in DISTRIBUTIONS])
@pytest.mark.filterwarnings("ignore")
def test_values_by_formulas(name):
    distribution, method = name.split(".")[2:]
    for given in arguments_by_formulas(distribution):
        if method == "logcdf" and not formulas_of(distribution).valid(*given[: len(formulas_of(distribution).names)]):
            continue  # SciPy's is 0 beyond what it takes for the support; here it is nan, as cdf is
        first = first_of(distribution, method)
        with np.errstate(all="ignore"):
            agree(STANDARDIZED[name](*first, *given), resolved(name)(*first, *given), method, distribution)


READ = sorted({(name.split(".")[3], name.split(".")[2]) for name in STANDARDIZED if name not in DISTRIBUTIONS})


@pytest.mark.parametrize(("method", "distribution"), [(m, d) if m in ("logpdf", "logpmf") or d in ("gumbel_r", "truncnorm", "nbinom") else pytest.param(m, d, marks=pytest.mark.slow) for m, d in READ])
@pytest.mark.filterwarnings("ignore")
def test_read_by_formulas(method, distribution):
    """With a location given by name, and frozen."""
    function, shapes = getattr(getattr(st, distribution), method), shapes_of(distribution)[0]
    first = tuple(each[1:-2] for each in first_of(distribution, method))
    with np.errstate(all="ignore"):
        agree(s2s.jit(lambda *args: function(*args, loc=1), target="numpy")(*first, *shapes), function(*first, *shapes, loc=1), method, distribution)
        held = s2s.jit(lambda first, *shapes: getattr(getattr(st, distribution)(*shapes), method)(*first), target="numpy")(first, *shapes)
        agree(held, getattr(getattr(st, distribution)(*shapes), method)(*first), method, distribution)


@pytest.mark.parametrize("name", [name for name in STANDARDIZED if name.rpartition(".")[2] in ("logpdf", "cdf", "ppf") and name.split(".")[2] in FAMILIES and name not in DISTRIBUTIONS])
@pytest.mark.slow
def test_derivatives_by_formulas(name):
    distribution, method = name.split(".")[2:]
    function, shapes = resolved(name), shapes_of(distribution)[0]
    low, high = getattr(st, distribution).support(*shapes)
    x = np.array([0.2, 0.45, 0.8]) if method == "ppf" else np.array([0.21, 0.45, 0.83]) * (min(high, 2.0) - max(low, -1.0)) + max(low, -1.0)
    x = x + 0.9 if name == "scipy.stats.kstwobign.logpdf" else x  # SciPy's own series ends too early around 1
    moved = (x * 1.2 - 0.05) if method != "ppf" else x
    s2s.check_grads(s2s.jit(lambda x, loc, scale: function(x, *shapes, loc, scale), target="numpy"), (moved, -0.05, 1.2), order=2, modes=("fwd", "rev"))


@pytest.mark.parametrize(("distribution", "shapes"), [("weibull_min", (1.7,)), ("gennorm", (1.4,)), ("invgauss", (1.3,)), ("truncnorm", (-1.2, 2.1)), ("vonmises", (1.5,)), ("pareto", (2.2,))])
def test_derivatives_by_shapes(distribution, shapes):
    function = getattr(st, distribution).logpdf
    x = np.array([1.2, 1.45, 1.8])
    s2s.check_grads(s2s.jit(lambda x, *shapes: function(x, *shapes), target="numpy"), (x, *shapes), order=2, modes=("fwd", "rev"))


def test_example_shapes_are_valid():
    for family in COUNTS.values():
        assert np.all(family.valid(*map(np.float64, family.example)))


def test_names_of_shapes():
    for name in (*FAMILIES, *COUNTS):
        assert formulas_of(name).shapes == (getattr(st, name).shapes or "")


def mixture(theta, x, counts):
    return np.sum(st.gumbel_r(theta[0], np.exp(theta[1])).logpdf(x)) + np.sum(st.nbinom.logpmf(counts, 3.0, 1.0 / (1.0 + np.exp(theta[2]))))


def test_compiled_by_formulas():
    theta, x, counts = np.array([0.1, 0.2, 0.3]), np.linspace(-1.0, 2.0, 7), np.arange(5)
    np.testing.assert_allclose(s2s.jit(mixture)(theta, x, counts), mixture(theta, x, counts), rtol=1e-12)
    np.testing.assert_allclose(s2s.grad(mixture)(theta, x, counts), s2s.grad(s2s.jit(mixture, target="numpy"))(theta, x, counts), rtol=1e-12)


def test_errors_of_shapes():
    with pytest.raises(TypeError):
        s2s.jit(lambda x: st.weibull_min.logpdf(x), target="numpy")(0.5)
    with pytest.raises(TypeError):
        s2s.jit(lambda x: st.gumbel_r.logpdf(x, 0.0, 1.0, 2.0), target="numpy")(0.5)


# ---- what is drawn, and fits -----------------------------------------------------------------------------------------------------


SIZES = ({}, {"size": 4}, {"size": (2, 3)}, {"size": 2, "loc": 1})
DRAWN_SHAPES = {"gamma": (2.3,), "beta": (2.0, 3.0), "chi2": (3.5,), "lognorm": (0.7,), "t": (4.5,), "poisson": (2.5,), "binom": (7, 0.3), "bernoulli": (0.3,)}
FURTHER_SHAPES = {
    "weibull_min": (1.5,), "weibull_max": (1.5,), "exponweib": (1.5, 0.8), "pareto": (2.0,), "lomax": (2.0,), "powerlaw": (1.7,), "loguniform": (1.0, 9.0), "reciprocal": (1.0, 9.0), "genpareto": (0.1,), "burr12": (2.0, 1.5), "fisk": (2.5,), "truncnorm": (-1.0, 1.5),
    "johnsonsu": (0.5, 1.5), "invgamma": (2.5,), "truncexpon": (2.0,), "laplace_asymmetric": (1.4,), "f": (3.0, 4.0), "chi": (2.5,), "nakagami": (2.0,), "gengamma": (2.0, 1.5), "betaprime": (2.0, 3.0), "exponnorm": (1.2,), "invgauss": (1.3,), "triang": (0.3,),
    "vonmises": (2.0,), "skewnorm": (2.0,), "geom": (0.3,), "nbinom": (5, 0.3), "hypergeom": (20, 7, 12), "logser": (0.6,), "zipf": (3.0,), "betabinom": (6, 2.0, 3.0), "dlaplace": (0.8,),
    **dict.fromkeys(("cauchy", "gumbel_r", "gumbel_l", "levy", "arcsine", "anglit", "halfcauchy", "hypsecant", "halfnorm", "rayleigh", "maxwell", "moyal", "wald", "semicircular"), ()),
}  # fmt: skip


@pytest.mark.parametrize("name", FURTHER_SHAPES)
def test_further_ones_are_drawn_as_scipy_draws(name):
    distribution, shapes = getattr(st, name), FURTHER_SHAPES[name]

    def drawn(rng):
        return distribution.rvs(*shapes, random_state=rng), distribution.rvs(*shapes, size=(2, 2), loc=1, random_state=rng)

    for seeded in (np.random.default_rng, np.random.RandomState):
        plain, own = seeded(3), seeded(3)
        for found, wanted in zip(s2s.jit(drawn, target="numpy")(own), drawn(plain), strict=True):
            assert (type(found), np.shape(found)) == (type(wanted), np.shape(wanted))
            np.testing.assert_allclose(found, wanted, rtol=1e-12)
        assert plain.uniform() == own.uniform()


@pytest.mark.parametrize("name", [name for name in SAMPLED if name.endswith("rvs") and name.split(".")[2] not in FURTHER_SHAPES])
def test_drawn_as_scipy_draws(name):
    distribution, shapes = getattr(st, name.split(".")[2]), DRAWN_SHAPES.get(name.split(".")[2], ())
    for options in SIZES:
        for seeded in (np.random.default_rng, np.random.RandomState):
            plain, own = seeded(3), seeded(3)
            wanted = distribution.rvs(*shapes, **options, random_state=plain)
            found = s2s.jit(lambda rng: distribution.rvs(*shapes, **options, random_state=rng), target="numpy")(own)
            assert (type(found), np.shape(found)) == (type(wanted), np.shape(wanted))
            np.testing.assert_array_equal(found, wanted)
            assert plain.uniform() == own.uniform()
    np.testing.assert_array_equal(s2s.jit(lambda x: distribution(*shapes).rvs(3, random_state=7) + x, target="numpy")(0.0), distribution(*shapes).rvs(3, random_state=7))


def test_drawn_with_parameters_of_run_time():
    def f(rng, loc, scale):
        return np.sum(st.norm.rvs(loc, scale, random_state=rng) ** 2) + st.expon(scale=scale[0]).rvs(random_state=rng)

    loc, scale = np.array([0.5, -1.0, 2.0]), np.array([1.0, 0.3, 2.0])
    for target in ("numpy", "cpu"):
        assert s2s.jit(f, target=target)(np.random.default_rng(1), loc, scale) == pytest.approx(f(np.random.default_rng(1), loc, scale), rel=1e-14)
        slope = s2s.grad(s2s.jit(f, target=target), argnums=2)(np.random.default_rng(1), loc, scale)
        ahead, behind = (f(np.random.default_rng(1), loc, scale + sign * np.array([0.0, 1e-6, 0.0])) for sign in (1, -1))
        assert slope[1] == pytest.approx((ahead - behind) / 2e-6, rel=1e-6)
    with pytest.raises(ValueError, match="Domain error in arguments"):
        s2s.jit(f, target="numpy")(np.random.default_rng(1), loc, -scale)


@pytest.mark.parametrize("name", ["scipy.stats.norm.fit", "scipy.stats.expon.fit", "scipy.stats.laplace.fit"])
def test_fits(name):
    distribution = getattr(st, name.split(".")[2])
    data = np.random.default_rng(0).normal(1.0, 2.0, size=(3, 4))
    for options in ({}, {"floc": -9.0}, {"fscale": 2.5}):
        found, wanted = s2s.jit(lambda x: distribution.fit(x, **options), target="numpy")(data), distribution.fit(data, **options)
        np.testing.assert_allclose(found, wanted, rtol=1e-14)
    for bad, options in ((np.array([1.0, np.nan]), {}), (data, {"floc": 0.0, "fscale": 1.0})):
        with pytest.raises((ValueError, RuntimeError)) as raised:
            distribution.fit(bad, **options)
        with pytest.raises(type(raised.value), match=f"^{re.escape(str(raised.value))}"):
            s2s.jit(lambda x: distribution.fit(x, **options), target="numpy")(bad)
    s2s.check_grads(s2s.jit(lambda x: distribution.fit(x)[1], target="numpy"), (data,), order=2)


@pytest.mark.parametrize("shape", [0.0, 0.5, np.nan, -1.0])
def test_shapes_at_the_edges_of_their_domain(shape):
    def f(x, c):
        generalised = st.genpareto.logsf(x, c), st.genpareto.cdf(x, c), st.genpareto.pdf(x, c)
        return (*generalised, st.ncx2.logpdf(x, 3.0, c), st.ncx2.pdf(x, 2.0, c), st.ncx2.cdf(x, 3.0, c), st.ncx2.var(3.0, c), st.ncf.pdf(x, 3.0, 4.0, c))

    x = np.array([0.1, 1.0, 3.0, 20.0, -1.0])
    with np.errstate(all="ignore"):
        for one, other in zip(s2s.jit(f, target="numpy")(x, shape), f(x, shape), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


def test_infinitely_far_from_the_centre():
    assert np.isnan(s2s.jit(lambda x, c: st.ncf.pdf(x, 3.0, 4.0, c), target="numpy")(0.7, np.inf))


NEARLY_SURE = {
    "norm": (), "expon": (), "cauchy": (), "uniform": (), "lognorm": (0.9,), "gamma": (2.5,), "chi2": (7.0,), "beta": (2.3, 1.7), "t": (4.5,), "alpha": (3.5,), "anglit": (), "arcsine": (),
    "cosine": (), "exponweib": (2.9, 1.9), "f": (5.0, 6.0), "genextreme": (-0.1,), "invgamma": (4.0,), "laplace_asymmetric": (2.0,), "loggamma": (0.4,), "maxwell": (), "mielke": (10.4, 4.6), "ncf": (4.0, 6.0, 2.0), "ncx2": (5.0, 2.0), "nakagami": (4.9,),
}  # fmt: skip


@pytest.mark.parametrize("name", NEARLY_SURE)
@pytest.mark.filterwarnings("ignore")
def test_logarithms_of_what_is_nearly_sure(name):
    """To all digits of what is left of 1."""
    distribution, shapes = getattr(st, name), NEARLY_SURE[name]
    low, high = distribution.support(*shapes)
    x = np.array([max(low, -60.0) + 1e-4, max(low, -7.0) + 1e-3, min(high, 7.0) - 1e-3, min(high, 60.0) - 1e-4])
    for method in ("logcdf", "logsf"):
        wanted = getattr(distribution, method)(x, *shapes)
        np.testing.assert_allclose(s2s.jit(lambda x, method=method: getattr(distribution, method)(x, *shapes), target="numpy")(x), np.where(np.isfinite(wanted), wanted, -np.inf), rtol=1e-8)


def test_quantiles_of_zipf_far_out():
    """Millions of counts away; beyond, SciPy's sums of as many numbers leave fewer digits."""

    def f(q, a):
        return st.zipf.isf(q, a), st.zipf.ppf(1.0 - q, a)

    for target in ("numpy", "cpu"):
        found = s2s.jit(f, target=target)
        for q, a in ((1e-5, 2.0), (3e-7, 2.0), (1e-12, 3.0), (1e-12, 4.5), (0.3, 1.5)):
            np.testing.assert_allclose(found(q, a), f(q, a), rtol=1e-3 if q < 1e-10 else 0.0)


def test_quantiles_far_out():
    chances = np.array([1e-300, 1e-100, 1e-30, 1e-16, 1e-3, 0.4, 0.999])
    for f in (lambda q: st.exponweib.isf(q, 2.9, 1.9), lambda q: st.laplace_asymmetric.isf(q, 2.0), lambda q: st.loggamma.ppf(q, 0.4)):
        np.testing.assert_allclose(s2s.jit(f, target="numpy")(chances), f(chances), rtol=1e-10)
    points = st.crystalball.isf(chances, 2.0, 3.0)
    core = (points > -2.0) & np.isfinite(points) & (chances > 1e-8)
    np.testing.assert_allclose(s2s.jit(lambda q: st.crystalball.isf(q, 2.0, 3.0), target="numpy")(chances[core]), points[core], rtol=1e-10)
    assert np.all(np.isfinite(s2s.jit(lambda q: st.crystalball.isf(q, 2.0, 3.0), target="numpy")(chances)))


def test_quantiles_by_search():
    """Twice by their chances and shapes, in a batch, compiled; where SciPy's shapes have no derivative by the chance alone."""
    q = np.array([0.02, 0.4, 0.93])
    for f in (lambda q, a: st.skewnorm.ppf(q, a), lambda q, a: st.invgauss.isf(q, a, 0.5, 2.0), lambda q, a: st.vonmises.ppf(q, a), lambda q, a: st.exponnorm.ppf(q, a)):
        s2s.check_grads(s2s.jit(f, target="numpy"), (q, 1.3), order=2)
        np.testing.assert_allclose(s2s.vmap(f, in_axes=(0, None))(q, 1.3), f(q, 1.3), rtol=1e-9)
    s2s.check_grads(s2s.jit(lambda q: st.ncx2.ppf(q, 3.0, 1.5) + st.betaprime.ppf(q, 3.0, 4.0), target="numpy"), (q,), order=2)
    np.testing.assert_allclose(s2s.jit(lambda q: st.skewnorm.ppf(q, 3.0), target="numpy")(1e-300), -np.sqrt(690.6 / 5.0), rtol=1e-2)  # as the density falls, where SciPy's is -36
    with pytest.raises(s2s.UnsupportedError, match="betainc with respect to a"):
        s2s.jit(s2s.grad(lambda a: st.betaprime.ppf(0.3, a, 4.0)), target="numpy")(3.0)
