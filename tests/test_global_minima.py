"""scipy.optimize's searches with random numbers: point by point SciPy's own, since they draw what it draws; and the derivatives of what is found."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize as so
from turns import in_turn

import s2s

CENTRE, BOUNDS = np.array([0.3, -0.7]), [(-2, 2), (-2, 2.5)]


def waves(z, centre):
    """With several minima."""
    return np.sum((z - centre) ** 2) + 0.3 * np.sum(1 - np.cos(5 * (z - centre)))


def evolved(centre, generator, **options):
    found = so.differential_evolution(waves, BOUNDS, (centre,), **options, **({"rng": generator} if "seed" not in options else {}))
    return found.x, found.fun, found.nit, found.nfev, found.success, found.message, found.population, found.population_energies


def same(found, wanted, rtol=1e-10):
    for one, other in zip(found, wanted, strict=True):
        if isinstance(other, str | bool | int | list):
            assert one == other
        else:
            assert np.shape(one) == np.shape(other)
            np.testing.assert_allclose(one, other, rtol=rtol, atol=1e-12)


OPTIONS = {
    **{f"{name}{way}": {"strategy": f"{name}{way}", "maxiter": 12} for name, way in (("best1", "bin"), ("rand1", "exp"), ("randtobest1", "bin"), ("currenttobest1", "exp"), ("best2", "bin"), ("rand2", "exp"))},
    "random": {"init": "random", "x0": [0.0, 0.5], "popsize": 6, "maxiter": 9}, "one amount": {"mutation": 0.7, "recombination": 0.4, "maxiter": 9}, "given": {"init": np.linspace(-1.0, 1.5, 16).reshape(8, 2), "maxiter": 9},
    "to the end": {"tol": 1e-3}, "seed": {"seed": 5, "maxiter": 9}, "no step": {"maxiter": 0},
}  # fmt: skip


OFTEN = ("best1bin", "rand2exp")
"""Those of each run; the others are run in turn."""


@pytest.mark.parametrize("name", [name if name in OFTEN else pytest.param(name, marks=pytest.mark.slow) for name in OPTIONS])
def test_members_evolve_as_scipys(name):
    options = {"polish": False, **OPTIONS[name]}
    plain, own = np.random.default_rng(3), np.random.default_rng(3)
    same(s2s.jit(lambda centre, rng: evolved(centre, rng, **options), target="numpy")(CENTRE, own), evolved(CENTRE, plain, **options))
    assert plain.uniform() == own.uniform()


@pytest.mark.parametrize("target", in_turn(["numpy", "cpu"], 2))
def test_minima_that_evolution_finds(target):
    def f(centre):
        found = so.differential_evolution(waves, so.Bounds([-2, -2], [2, 2.5]), (centre,), seed=1, tol=1e-4)
        return found.x, found.fun

    x, least = s2s.jit(f, target=target)(CENTRE)
    np.testing.assert_allclose(x, f(CENTRE)[0], atol=1e-6)
    assert least == pytest.approx(0.0, abs=1e-10)
    np.testing.assert_allclose(s2s.jacrev(s2s.jit(f, target=target))(CENTRE)[0], np.eye(2), atol=1e-6)
    np.testing.assert_allclose(s2s.jacfwd(s2s.jit(f, target=target))(CENTRE)[0], np.eye(2), atol=1e-6)


def hopped(centre, **options):
    found = so.basinhopping(waves, [1.7, 1.2], minimizer_kwargs={"args": (centre,), "method": "L-BFGS-B", "options": {"gtol": 1e-9, "ftol": 1e-14}}, **options)
    return found.x, found.fun, found.nit, found.success, found.message


@pytest.mark.parametrize("options", in_turn([{"seed": 2, "niter": 25}, {"rng": 2, "niter": 60, "T": 0.1, "interval": 10, "stepsize": 0.9}, {"seed": 1, "niter": 12, "T": 0}], 3, 1))
def test_basins_that_are_hopped_through(options):
    same(s2s.jit(lambda centre: hopped(centre, **options), target="numpy")(CENTRE), hopped(CENTRE, **options), 1e-6)


def test_basins_that_are_left_when_nothing_better_comes():
    """After how many hops, the last digits of equal minima say."""
    found, wanted = (f(CENTRE) for f in (s2s.jit(lambda centre: hopped(centre, rng=4, niter=40, niter_success=5), target="numpy"), lambda centre: hopped(centre, rng=4, niter=40, niter_success=5)))
    assert found[4] == wanted[4]
    assert found[2] < 40
    np.testing.assert_allclose(found[0], wanted[0], atol=1e-6)


def test_basins_compiled_and_their_derivatives():
    f = s2s.jit(lambda centre: hopped(centre, seed=2, niter=9)[0])
    np.testing.assert_allclose(f(CENTRE), hopped(CENTRE, seed=2, niter=9)[0], atol=1e-6)
    np.testing.assert_allclose(s2s.jacrev(f)(CENTRE), np.eye(2), atol=1e-5)


def test_what_is_refused_and_raised():
    for call, words in (
        (lambda c: so.differential_evolution(waves, BOUNDS, (c,), rng=None).x, "rng=None"), (lambda c: so.differential_evolution(waves, BOUNDS, (c,), rng=1, updating="deferred").x, "deferred"),
        (lambda c: so.basinhopping(waves, [0.0, 0.0], minimizer_kwargs={"args": (c,)}, rng=None).x, "rng=None"),
    ):  # fmt: skip
        with pytest.raises(s2s.UnsupportedError, match=words):
            s2s.jit(call, target="numpy")(CENTRE)
    for call in (
        lambda c: so.differential_evolution(waves, BOUNDS, (c,), strategy="best", rng=1).x, lambda c: so.differential_evolution(waves, BOUNDS, (c,), mutation=(0.5, 2.5), rng=1).x,
        lambda c: so.differential_evolution(waves, BOUNDS, (c,), x0=c + 3.0, rng=1, polish=False).x, lambda c: so.basinhopping(waves, c, target_accept_rate=2.0, rng=1).x,
    ):  # fmt: skip
        with pytest.raises(ValueError) as raised:
            call(CENTRE)
        with pytest.raises(ValueError) as ours:
            s2s.jit(call, target="numpy")(CENTRE)
        assert str(raised.value)[:30] in str(ours.value)
