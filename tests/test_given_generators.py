"""SciPy's functions with a generator: what `rng`, its older name and its place stand for, and that each call draws anew."""
from __future__ import annotations

import inspect
import itertools
import warnings

import numpy as np
import pytest
import scipy.cluster.vq as codes
import scipy.optimize as so
import scipy.sparse.linalg as sla
import scipy.stats as st
from scipy.spatial import distance

import s2s
from s2s.transforms.read.composed import given_generators
from s2s.transforms.read.composed.table import CALLING, COMPOSED

X = np.random.default_rng(1).normal(size=(30, 2))
Y = X[:, 0].copy()
BOUNDS = [(-2, 2), (-1, 3)]


def gap(a, b):
    return np.mean(a) - np.mean(b)


def evolved(**given):
    return so.differential_evolution(so.rosen, BOUNDS, maxiter=3, popsize=4, polish=False, **given).x


def evolved_by_place(rng):
    return so.differential_evolution(so.rosen, BOUNDS, (), "best1bin", 3, 4, 0.01, (0.5, 1), 0.7, rng, None, False, False).x


def hopped(**given):
    found = so.basinhopping(so.rosen, np.array([0.0, 1.0]), niter=3, stepsize=3.0, minimizer_kwargs={"method": "Nelder-Mead", "options": {"maxiter": 5}}, **given)
    lowest = found.lowest_optimization_result
    return found.x, found.fun, found.nfev, found.minimization_failures, found.success, lowest.x, lowest.fun, lowest.nit, lowest.nfev, lowest.success


def hopped_by_place(rng):
    found = so.basinhopping(so.rosen, np.array([0.0, 1.0]), 3, 1.0, 3.0, {"method": "Nelder-Mead", "options": {"maxiter": 5}}, None, None, None, 50, False, None, rng)
    return found.x, found.fun


NAMED = {
    "differential_evolution": ("seed", evolved), "basinhopping": ("seed", hopped), "kmeans": ("seed", lambda **given: codes.kmeans(X, 3, iter=1, **given)[0]),
    **{f"kmeans2 {minit}": ("seed", lambda minit=minit, **given: codes.kmeans2(X, 3, 1, minit=minit, **given)[0]) for minit in ("points", "random", "++")},
    "kmeans2 of numbers": ("seed", lambda **given: codes.kmeans2(Y, 3, 1, **given)), "kmeans2 of few rows": ("seed", lambda **given: codes.kmeans2(X[:6].reshape(3, 4), 2, 1, **given)[0]),
    "bootstrap": ("random_state", lambda **given: st.bootstrap((Y,), np.mean, n_resamples=20, **given).confidence_interval),
    **{f"permutation_test {kind}": ("random_state", lambda kind=kind, **given: st.permutation_test((Y, X[:, 1]), gap, permutation_type=kind, n_resamples=20, **given).null_distribution) for kind in ("independent", "samples")},
    "permutation_test pairings": ("random_state", lambda **given: st.permutation_test((Y, X[:, 1]), lambda a, b: np.sum(a * b**2), permutation_type="pairings", n_resamples=20, **given).null_distribution),
}  # fmt: skip
TIED = np.array([[0.0, 1.0], [0.0, 0.0], [-5.0, 3.0], [1.0, 1.0]])
BY_PLACE = {"differential_evolution": evolved_by_place, "basinhopping": hopped_by_place, "svds": lambda rng: sla.svds(X, 1, None, 0, "LM", None, None, False, "arpack", rng), "directed_hausdorff": lambda rng: distance.directed_hausdorff(X, X[:9] + 1.0, rng)}
GIVEN = {"an integer": 7, "one of NumPy's": np.int64(7), "a Generator": np.random.default_rng(7), "a RandomState": np.random.RandomState(7)}


def quietly(function, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **kwargs)


def same(f, *args):
    """What f gives of copies of the arguments, and leaves in NumPy's own generator, as Python runs it."""
    np.random.seed(3)  # noqa: NPY002
    wanted = quietly(f, *[clone(each) for each in args])
    next_one, jitted = np.random.uniform(), s2s.jit(f, target="numpy")  # noqa: NPY002
    for _ in range(2):
        np.random.seed(3)  # noqa: NPY002
        found = jitted(*[clone(each) for each in args])
        for one, other in zip(found, wanted, strict=True) if isinstance(wanted, tuple) else ((found, wanted),):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
        assert np.random.uniform() == next_one  # noqa: NPY002


def clone(given):
    if not isinstance(given, np.random.Generator | np.random.RandomState):
        return given
    made = type(given)(type(given.bit_generator if isinstance(given, np.random.Generator) else given._bit_generator)())
    if isinstance(given, np.random.Generator):
        made.bit_generator.state = given.bit_generator.state
    else:
        made.set_state(given.get_state())
    return made


@pytest.mark.parametrize(("name", "kind"), [*itertools.product(NAMED, GIVEN)])
def test_by_name(name, kind):
    older, f = NAMED[name]
    same(lambda rng: f(rng=rng), GIVEN[kind])
    if older == "seed":
        same(lambda rng: f(seed=rng), GIVEN[kind])
    else:
        same(lambda rng: f(random_state=rng), GIVEN[kind])


@pytest.mark.parametrize("name", NAMED)
def test_without_one(name):
    older, f = NAMED[name]
    same(f)
    if older == "seed":
        same(lambda: f(seed=None))
        same(lambda: f(seed=np.random))
        same(lambda: f(seed=7))
    else:
        same(lambda: f(random_state=None))
    same(lambda: f(rng=7))
    with pytest.raises(s2s.UnsupportedError, match="rng=None"):
        s2s.jit(lambda: f(rng=None), target="numpy")()


@pytest.mark.parametrize(("name", "kind"), [*itertools.product(BY_PLACE, GIVEN)])
def test_by_place(name, kind):
    if name != "directed_hausdorff" or kind != "a RandomState":  # SciPy wants it to be a seed
        same(BY_PLACE[name], GIVEN[kind])


def test_by_place_an_integer_is_a_seed_of_a_random_state():
    def f():
        return so.differential_evolution(so.rosen, BOUNDS, (), "best1bin", 3, 4, 0.01, (0.5, 1), 0.7, 7, None, False, False).x

    same(f)


@pytest.mark.parametrize(
    "call", [lambda: evolved(rng=3, seed=3), lambda: evolved(rng=3, seed=None), lambda: evolved(seed=[1, 2]), lambda: evolved(seed=2.5), lambda: st.norm.rvs(size=3, rng=7), lambda: st.norm.rvs(0, 1, 3, 7), lambda: st.gamma.rvs(size=3), lambda: st.gamma.rvs(2.0, a=3), lambda: codes.kmeans2(X, 3, minit="some"), lambda: codes.kmeans2(X, 0)]
)
def test_exceptions(call):
    with pytest.raises((TypeError, ValueError)) as expected:
        call()
    with pytest.raises(type(expected.value)) as raised:
        s2s.jit(call, target="numpy")()
    assert str(raised.value).split("\n")[0] == str(expected.value)


DRAWN_ANEW = [
    lambda: st.multivariate_normal.rvs([0.0, 1.0], np.eye(2), 2), lambda: st.multivariate_normal([0.0, 1.0]).rvs(2), lambda: st.dirichlet.rvs([1.0, 2.0], 2), lambda: st.dirichlet([1.0, 2.0]).rvs(2), lambda: st.norm.rvs(size=3), lambda: st.poisson.rvs(2.0, size=3), lambda: codes.kmeans2([[0.0], [1.0], [3.0], [5.0]], 2)[0],
]  # fmt: skip


@pytest.mark.parametrize("call", DRAWN_ANEW)
def test_each_call_draws_anew(call):
    same(call)


def test_a_generator_made_of_a_random_state_draws_from_its_memory():
    def f(old):
        new = np.random.default_rng(old)
        return new.normal(size=2), old.normal(), new.integers(9), np.random.default_rng(seed=old).uniform(), np.random.default_rng(new).uniform()

    same(f, np.random.RandomState(7))
    same(lambda: f(np.random.RandomState(7)))


def test_what_takes_a_generator_is_called_in_each_call():
    drawing = {"rng", "seed", "random_state"}
    known = [name for name, function in COMPOSED.entries.items() if name.startswith("scipy.") and name.endswith(".rvs") | bool(drawing & set(inspect.signature(function).parameters)) and name not in CALLING.entries]
    assert sorted(known) == ["scipy.stats.iqr", "scipy.stats.multivariate_normal.cdf", "scipy.stats.multivariate_normal.logcdf"]  # no draw changes these, and iqr's rng is a range
    assert set(given_generators.OLDER) <= set(COMPOSED.entries)


@pytest.mark.parametrize("kind", ["an integer", "one of NumPy's", "a Generator"])
def test_the_loneliest_of_points_that_are_as_lonely(kind):
    """The draws decide, and are drawn."""
    for x, y in ((TIED[1:3], TIED), (TIED, TIED[::-1]), (X, X[:9] + 1.0)):
        same(lambda rng, x=x, y=y: (distance.directed_hausdorff(x, y, rng=rng), distance.directed_hausdorff(x, y, seed=rng), distance.directed_hausdorff(x, y), distance.directed_hausdorff(x, y, rng=5)), GIVEN[kind])

    def f(rng):
        found = distance.directed_hausdorff(TIED, TIED, rng)
        return found, rng.normal()

    same(f, np.random.default_rng(3))
    s2s.check_grads(s2s.jit(lambda x: distance.directed_hausdorff(x, x[::-1] + 0.3)[0], target="numpy"), (X,), order=1)
