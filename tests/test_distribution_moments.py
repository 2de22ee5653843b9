"""scipy.stats: moments, supports, expectations and fits of the named distributions, beside SciPy's own."""
from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.stats as st
from turns import in_turn

import s2s
from s2s.errors import UnsupportedError
from s2s.transforms.read.composed.distribution_moments import MOMENTS
from s2s.transforms.read.composed.higher_moments import HIGHER

COUNTS = {
    "poisson": ((1.0, 3.5, 40.0, -1.0, np.nan),), "binom": ((1.0, 6.0, 40.0, -1.0, 2.5), (0.3, 0.5, 1.2, np.nan)), "bernoulli": ((0.0, 0.3, 0.5, 1.0, 1.2),), "geom": ((0.3, 0.5, 0.999, 0.0, 1.2),),
}  # fmt: skip
CONTINUOUS = ["norm", "expon", "gamma", "beta", "chi2", "laplace", "logistic", "lognorm", "uniform", "t", "cauchy"]
NAMES = [*CONTINUOUS, *COUNTS]
SHAPE = (0.3, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, -1.0, np.nan)
PLACES = ((0.0, 1.0), (0.5, 2.0), (-1.0, 0.3), (0.0, -1.0), (np.nan, 1.0))
DATA = np.array([0.31, 0.72, 0.15, 0.44, 0.93, 0.58, 0.27, 0.66])
EXAMPLES = {"gamma": (2.5,), "beta": (2.0, 3.5), "chi2": (3.0,), "lognorm": (0.5,), "t": (5.5,), "poisson": (3.5,), "binom": (6.0, 0.3), "bernoulli": (0.3,), "geom": (0.4,)}


def parameters_of(name):
    shapes = COUNTS.get(name, (SHAPE,) * getattr(st, name).numargs)
    drawn = [(*given, *places) for given in itertools.product(*shapes) for places in (((0.0,), (2.0,), (-3.5,), (np.nan,)) if name in COUNTS else PLACES)]
    return [np.array(column) for column in zip(*drawn, strict=True)]


def run(function, *args, target="numpy"):
    with np.errstate(all="ignore"):
        return s2s.jit(function, target=target)(*args)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
def test_moments(name):
    distribution, parameters = getattr(st, name), parameters_of(name)
    for moments in ("mvsk", "k", "sm"):
        found, wanted = run(lambda *given, moments=moments: distribution.stats(*given, moments=moments), *parameters), distribution.stats(*parameters, moments=moments)
        for one, other in zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]:
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-13)
            assert one.dtype == other.dtype
    for order in (1, 2, 3, 4):
        each = [distribution.moment(order, *given) for given in zip(*parameters, strict=True)]
        np.testing.assert_allclose(run(lambda *given, order=order: distribution.moment(order, *given), *parameters), each, rtol=1e-9, atol=1e-13)


OF_HIGHER = {
    "hypergeom": ((20.0, 9.0, 5.0), (7.0, 3.0, 10.0), (4.0, 2.0, 8.0)), "pareto": ((4.5, 6.0, -1.0, np.nan),), "nbinom": ((1.0, 6.5, -1.0), (0.3, 0.999, 1.2, np.nan)), "planck": ((0.3, 2.5, -1.0),), "dlaplace": ((0.3, 2.5, -1.0),), "skellam": ((0.3, 2.5, -1.0), (1.0, 4.0)),
    "randint": ((0.0, 2.0, 1.5), (4.0, 9.0)), "f": ((0.5, 3.0, 8.0), (1.5, 3.5, 5.0, 7.0, 9.5, 12.0, -1.0)), "triang": ((0.0, 0.3, 1.0, 1.2),), "erlang": ((1.0, 3.0, 0.5),), "skewnorm": ((-3.0, 0.0, 0.5, np.nan),), "weibull_min": ((0.8, 1.0, 1.7, 3.6, -1.0),), "weibull_max": ((0.8, 1.0, 1.7, 3.6, -1.0),),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(HIGHER))
@pytest.mark.filterwarnings("ignore")
def test_higher_moments(name):
    """Not of a Pareto distribution whose moments diverge (SciPy integrates what is infinite), nor of what has no variance and infinite skewness (SciPy: nan)."""
    distribution = getattr(st, name)
    shapes = OF_HIGHER.get(name, (SHAPE,) * distribution.numargs)
    drawn = [(*given, *places) for given in itertools.product(*shapes) for places in (((0.0,), (2.0,)) if hasattr(distribution, "pmf") else PLACES)]
    parameters = [np.array(column) for column in zip(*drawn, strict=True)]
    for moments in ("mvsk", "k", "sm"):
        found, wanted = run(lambda *given, moments=moments: distribution.stats(*given, moments=moments), *parameters), distribution.stats(*parameters, moments=moments)
        for one, other in zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]:
            np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-8)
            assert one.dtype == other.dtype
    for order in (3, 4):
        each = [distribution.moment(order, *given) for given in drawn]
        np.testing.assert_allclose(run(lambda *given, order=order: distribution.moment(order, *given), *parameters), each, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("name", ["pareto", "f", "skewnorm", "weibull_min", "nbinom", "invgamma", "powerlaw"])
def test_slopes_of_higher_moments(name):
    given = np.array({"f": (5.0, 12.5), "nbinom": (5.0, 0.3), "skewnorm": (1.5,), "weibull_min": (1.7,)}.get(name, (6.5,)))
    s2s.check_grads(s2s.jit(lambda p: np.stack(getattr(st, name).stats(*p, moments="sk")), target="numpy"), (given,), order=2)


@pytest.mark.parametrize("name", CONTINUOUS)
def test_supports(name):
    distribution, parameters = getattr(st, name), parameters_of(name)
    for found, wanted in zip(run(distribution.support, *parameters), distribution.support(*parameters), strict=True):
        np.testing.assert_allclose(found, wanted)


@pytest.mark.parametrize("name", in_turn(NAMES, 3))
@pytest.mark.filterwarnings("ignore")
def test_expected(name):
    distribution, shapes = getattr(st, name), EXAMPLES.get(name, ())
    place = {"loc": 1.0} if name in COUNTS else {"loc": 0.5, "scale": 2.0}

    def of_square(*shapes):
        return distribution.expect(lambda x: np.exp(-x * x / 9.0), shapes, **place)

    def between(*shapes):
        return distribution(*shapes, **place).expect(np.cos, lb=2.0 if name in COUNTS else 1.5, ub=2.0 if name == "bernoulli" else 4.0, conditional=True)

    for function in (of_square, between):
        np.testing.assert_allclose(run(function, *shapes), function(*shapes), rtol=1e-7)


def test_slopes():
    """Of an expectation, of moments and of fits, against differences."""
    s2s.check_grads(s2s.jit(lambda loc, scale: st.norm.expect(lambda x: np.sin(x) ** 2, loc=loc, scale=scale), target="numpy"), (0.3, 1.2), order=1, modes=("rev",))
    s2s.check_grads(s2s.jit(lambda mu: st.poisson.expect(lambda k: np.sqrt(k + 1.0), (mu,)), target="numpy"), (3.5,), order=1, modes=("rev",))
    s2s.check_grads(s2s.jit(lambda a, loc: st.gamma.moment(3, a, loc) + st.gamma.stats(a, moments="s"), target="numpy"), (2.5, 0.5), order=2, modes=("fwd", "rev"))
    for fit in FITS:
        s2s.check_grads(s2s.jit(lambda data, fit=fit: [each + 0.0 for each in fit(data)], target="numpy"), (DATA,), order=1, modes=("rev",), rtol=1e-4)


FITS = (
    lambda data: st.norm.fit(data), lambda data: st.norm.fit(data, floc=0.2), lambda data: st.expon.fit(data), lambda data: st.laplace.fit(data), lambda data: st.uniform.fit(data),
    lambda data: st.uniform.fit(data, fscale=2.0), lambda data: st.uniform.fit(data, floc=0.0), lambda data: st.gamma.fit(data, floc=0), lambda data: st.gamma.fit(data, floc=-0.5, f0=2.0),
    lambda data: st.lognorm.fit(data, floc=0), lambda data: st.lognorm.fit(data, floc=-1.0, fscale=1.5), lambda data: st.beta.fit(data, floc=0, fscale=1), lambda data: st.logistic.fit(data),
    lambda data: st.rayleigh.fit(data, floc=0),
)  # fmt: skip


@pytest.mark.parametrize("fit", FITS)
def test_fits(fit):
    np.testing.assert_allclose(run(fit, DATA), fit(DATA), rtol=1e-6)


@pytest.mark.parametrize("loc", [0.0, -1.5])
def test_fits_of_weibulls(loc):
    """SciPy's search ends some digits before the maximum."""
    rng = np.random.default_rng(1)
    for shape in (0.4, 1.0, 3.5, 20.0):
        data = 2.0 * rng.weibull(shape, 40) + loc
        found, wanted = run(lambda data: st.weibull_min.fit(data, floc=loc), data), st.weibull_min.fit(data, floc=loc)
        np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-4)
        assert st.weibull_min.nnlf(found, data) <= st.weibull_min.nnlf(wanted, data) + 1e-12
    f, turn = s2s.jit(lambda data: np.sum(np.stack(st.weibull_min.fit(data, floc=loc)[::2]) ** 2)), np.linspace(-1.0, 1.0, DATA.size)
    assert s2s.grad(f)(DATA) @ turn == pytest.approx((f(DATA + 1e-5 * turn) - f(DATA - 1e-5 * turn)) / 2e-5, rel=1e-6)
    assert s2s.grad(f)(DATA) @ turn == pytest.approx(s2s.jvp(f, (DATA,), (turn,))[1], rel=1e-12)
    with pytest.raises(NotImplementedError, match="below the location"):
        run(lambda data: st.weibull_min.fit(data, floc=5.0), DATA)


def test_what_fits_refuse():
    for fit, data in ((lambda data: st.gamma.fit(data, floc=0), DATA - 0.5), (lambda data: st.lognorm.fit(data, floc=0.2), DATA), (lambda data: st.uniform.fit(data, floc=0.5), DATA),
                      (lambda data: st.uniform.fit(data, fscale=0.1), DATA), (lambda data: st.beta.fit(data, floc=0, fscale=0.5), DATA), (lambda data: st.norm.fit(data), DATA * np.nan)):  # fmt: skip
        with pytest.raises(ValueError) as wanted:  # noqa: PT011 - whatever SciPy says
            fit(data)
        with pytest.raises(ValueError) as found:  # noqa: PT011
            run(fit, data)
        assert str(found.value).split("\n")[0][:60] == "".join(wanted.value.args)[:60]  # SciPy's words are the letters, one by one
    for fit in (lambda data: st.lognorm.fit(data), lambda data: st.beta.fit(data), lambda data: st.gamma.fit(data, method="MM"), lambda data: st.t.fit(data, optimizer="powell")):
        with pytest.raises(UnsupportedError, match="fit"):
            s2s.jit(fit)(DATA)


TAILS = 1.0 + np.random.default_rng(5).gamma(2.0, size=40)
SEARCHED = {
    "t": lambda data: st.t.fit(data), "t of known shape": lambda data: st.t.fit(data, fdf=3), "t from a guess": lambda data: st.t.fit(data, 4.0, loc=1.0, scale=2.0), "gamma": lambda data: st.gamma.fit(data),
    "gamma of known shape": lambda data: st.gamma.fit(data, fix_a=2.0), "weibull_min": lambda data: st.weibull_min.fit(data), "weibull_min of known shape": lambda data: st.weibull_min.fit(data, fc=1.5),
    "genextreme": lambda data: st.genextreme.fit(data), "genpareto": lambda data: st.genpareto.fit(data, floc=0.9), "invgamma": lambda data: st.invgamma.fit(data), "cauchy": lambda data: st.cauchy.fit(data), "triang": lambda data: st.triang.fit(data),
    "gumbel_r": lambda data: st.gumbel_r.fit(data), "gumbel_r of known place": lambda data: st.gumbel_r.fit(data, floc=2.0), "gumbel_r of known width": lambda data: st.gumbel_r.fit(data, fscale=2.0), "gumbel_l": lambda data: st.gumbel_l.fit(data, scale=3.0),
    "rayleigh": lambda data: st.rayleigh.fit(data), "rayleigh of known width": lambda data: st.rayleigh.fit(data, fscale=1.0), "halfnorm": lambda data: st.halfnorm.fit(data), "halfnorm of known place": lambda data: st.halfnorm.fit(data, floc=0.5, method="MLE"),
}  # fmt: skip
"""By a search, from SciPy's start by SciPy's steps; those below the simplices' by roots and formulas."""


@pytest.mark.parametrize("name", SEARCHED)
def test_fits_by_searching(name):
    np.testing.assert_allclose(run(SEARCHED[name], TAILS), SEARCHED[name](TAILS), rtol=1e-5)


def test_fits_by_searching_compiled():
    np.testing.assert_allclose(s2s.jit(lambda data: st.gamma.fit(data))(TAILS), st.gamma.fit(TAILS), rtol=1e-5)


@pytest.mark.parametrize("name", ["gumbel_r", "rayleigh", "halfnorm"])
def test_slopes_of_fits(name):
    f, turn = s2s.jit(lambda data: SEARCHED[name](data)[1] ** 2, target="numpy"), np.linspace(-1.0, 1.0, TAILS.size)
    assert s2s.grad(f)(TAILS) @ turn == pytest.approx((f(TAILS + 1e-5 * turn) - f(TAILS - 1e-5 * turn)) / 2e-5, rel=1e-5)


def test_what_searches_refuse():
    for fit, error in ((lambda data: st.t.fit(data, foo=1), TypeError), (lambda data: st.t.fit(data, 1.0, 2.0), TypeError), (lambda data: st.t.fit(data, f0=1, floc=1, fscale=2), ValueError), (lambda data: st.t.fit(data, f0=1, fdf=1), ValueError),
                       (lambda data: st.t.fit(data * np.nan), ValueError), (lambda data: st.halfnorm.fit(data, floc=2.0), ValueError)):  # fmt: skip
        for call in (fit, s2s.jit(fit, target="numpy")):
            with pytest.raises(error):
                call(TAILS)
    with pytest.raises(NotImplementedError, match="for ever"):
        run(lambda data: st.t.fit(data, floc=0), np.random.default_rng(0).uniform(-1, 1, 50))


def test_compiled():
    def program(data, q):
        shape, loc, scale = st.gamma.fit(data, floc=0)
        fitted = st.gamma(shape, loc, scale)
        return fitted.ppf(q), fitted.moment(3), fitted.stats("mvsk"), fitted.support()[0]

    def flat(found):
        return np.array([found[0], found[1], *found[2], found[3]])

    np.testing.assert_allclose(flat(s2s.jit(program)(DATA, 0.9)), flat(program(DATA, 0.9)), rtol=1e-7)


def test_what_moments_refuse():
    for function, words in ((lambda a: st.gamma.moment(1.5, a), "integer"), (lambda a: st.gamma.moment(-1, a), "positive")):
        with pytest.raises(ValueError, match=words):
            s2s.jit(function, target="numpy")(2.0)
    for function in (lambda a: st.gamma.moment(5, a), lambda a: st.exponnorm.stats(a, moments="k")):
        with pytest.raises(UnsupportedError):
            s2s.jit(function, target="numpy")(2.0)


OTHERS = sorted({name.split(".")[2] for name in MOMENTS if name.endswith(".stats")} - set(NAMES))
SHAPED = {
    "boltzmann": (0.7, 5), "zipfian": (1.3, 5), "yulesimon": (2.5,), "nhypergeom": (20, 7, 5), "betanbinom": (5.0, 3.5, 2.5), "skewcauchy": (0.4,), "genhalflogistic": (0.7,), "genexpon": (1.7, 2.3, 0.6), "truncweibull_min": (1.7, 0.3, 2.3), "trapezoid": (0.2, 0.65),
    "norminvgauss": (1.7, 0.6), "erlang": (3.0,), "genhyperbolic": (0.7, 2.3, 0.5), "ncf": (3.0, 6.5, 1.2),
    "bernoulli": (0.3,), "geom": (0.3,), "binom": (7, 0.3),
    "triang": (0.3,), "truncnorm": (-1.0, 2.0), "loguniform": (0.5, 2.5), "reciprocal": (0.5, 2.5), "betabinom": (6.0, 2.0, 3.0), "hypergeom": (20, 7, 12), "randint": (-2, 5), "nbinom": (4.0, 0.3),
    "logser": (0.6,), "zipf": (4.5,), "genpareto": (-0.3,), "wrapcauchy": (0.4,), "f": (3.0, 6.5), "fisk": (3.5,), "lomax": (3.5,), "pareto": (3.5,), "invgamma": (3.5,), "burr12": (2.5, 2.5), "betaprime": (2.0, 4.5),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_moments_of_others(name):
    """Of all that are told by their formulas: mean and variance, and where the density is not 0."""
    distribution = getattr(st, name)
    shapes = SHAPED.get(name, (1.7, 2.3)[: distribution.numargs])
    for place in ((), (2,)) if isinstance(distribution, st.rv_discrete) else ((), (0.5, 2.0)):
        np.testing.assert_allclose(run(lambda *given: distribution.stats(*given), *map(float, (*shapes, *place))) if shapes or place else distribution.stats(), distribution.stats(*shapes, *place), rtol=1e-8)
        for order in (1, 2):
            found = run(lambda *given, order=order: distribution.moment(order, *given), *map(float, (*shapes, *place))) if shapes or place else distribution.moment(order)
            np.testing.assert_allclose(found, distribution.moment(order, *shapes, *place), rtol=1e-8)


@pytest.mark.parametrize("name", sorted({name.split(".")[2] for name in MOMENTS}))
def test_supports_of_all(name):
    """Of all: floats, of counts integers where all that decides is."""
    distribution = getattr(st, name)
    shapes = SHAPED.get(name, (1.7, 2.3)[: distribution.numargs])
    for place in ((), (2,)) if isinstance(distribution, st.rv_discrete) else ((0.5, 2.0),):
        found, wanted = run(lambda given, place=place: distribution.support(*given, *place), shapes), distribution.support(*shapes, *place)
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
        assert [each.dtype for each in found] == [each.dtype for each in wanted]
