"""scipy.stats' distributions: SciPy's own numbers inside and outside of the support, at the edges, for shapes and scales that are none."""
from __future__ import annotations

import inspect

import numpy as np
import pytest
import scipy.stats as st

import s2s
from s2s.transforms.read.composed.table import DISTRIBUTIONS
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
