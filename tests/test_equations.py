"""scipy.optimize: minima within bounds, roots of several equations, sums of squares: SciPy's within the tolerances, derivatives against differences of what was found."""
from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize
from turns import in_turn

import s2s

RNG = np.random.default_rng(4)
GOAL = np.array([0.7, -0.4, 0.1, 1.5])
TIMES = np.linspace(0.0, 2.0, 9)
DATA = 1.7 * np.exp(-0.8 * TIMES) + 0.05 * RNG.normal(size=9)


def bowl(p, goal):
    return np.sum(np.cosh(p - goal)) + 0.1 * np.sum(p) ** 2


def slope(p, goal):
    return np.sinh(p - goal) + 0.2 * np.sum(p)


def bends(p, goal):
    return np.diag(np.cosh(p - goal)) + 0.2


def turned(p, v, goal):
    return np.cosh(p - goal) * v + 0.2 * np.sum(v)


START = np.zeros(4)
SIDES = [(-0.2, 0.5), (None, None), (0.3, None), (None, 1.0)]
MINIMA = {
    "bounds": lambda c: optimize.minimize(bowl, START, (c,), bounds=SIDES, options={"ftol": 1e-15, "gtol": 1e-9}).x,
    "object": lambda c: optimize.minimize(bowl, START, (c,), bounds=optimize.Bounds(-0.2, [0.5, 1.0, 1.0, 0.4]), method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-9}).x,
    "moving": lambda c: optimize.minimize(bowl, START, (c,), method="L-BFGS-B", bounds=[(c[0] * 0.1 - 0.4, c[2])] * 4, options={"ftol": 1e-15, "gtol": 1e-9}).x,
    "tnc": lambda c: optimize.minimize(bowl, START, (c,), "TNC", slope, bounds=SIDES, tol=1e-12).x, "slsqp": lambda c: optimize.minimize(bowl, START, (c,), "SLSQP", bounds=SIDES, tol=1e-14).x,
    "no bounds": lambda c: optimize.minimize(bowl, START, (c,), "L-BFGS-B", tol=1e-12).x, "differences": lambda c: optimize.minimize(bowl, START, (c,), jac="2-point", tol=1e-9).x,
    "newton": lambda c: optimize.minimize(bowl, START, (c,), "Newton-CG", slope, bends, options={"xtol": 1e-9}).x, "newton of products": lambda c: optimize.minimize(bowl, START, (c,), "Newton-CG", slope, hessp=turned, options={"xtol": 1e-9}).x,
    "newton alone": lambda c: optimize.minimize(bowl, START, (c,), "Newton-CG", slope, options={"xtol": 1e-9}).x, "trust": lambda c: optimize.minimize(bowl, START, (c,), "trust-exact", slope, bends, tol=1e-9).x,
    "powell": lambda c: optimize.minimize(bowl, START, (c,), "Powell", tol=1e-10).x,
    "fmin": lambda c: optimize.fmin(bowl, START, (c,), 1e-9, 1e-9, 5000, 5000, disp=0), "fmin_bfgs": lambda c: optimize.fmin_bfgs(bowl, START, slope, (c,), 1e-9, disp=0),
    "fmin_cg": lambda c: optimize.fmin_cg(bowl, START, slope, (c,), 1e-9, disp=0), "fmin_ncg": lambda c: optimize.fmin_ncg(bowl, START, slope, args=(c,), avextol=1e-9, disp=0), "fmin_powell": lambda c: optimize.fmin_powell(bowl, START, (c,), 1e-10, 1e-12, disp=0),
    "fmin_l_bfgs_b": lambda c: optimize.fmin_l_bfgs_b(bowl, START, slope, (c,), bounds=SIDES, factr=1.0, pgtol=1e-10)[0],
    "fminbound": lambda c: optimize.fminbound(lambda p: np.cosh(p - c[0]), -1.0, 2.0, xtol=1e-9), "brent": lambda c: optimize.brent(lambda p: np.cosh(p - c[0]), tol=1e-10),
}  # fmt: skip
EQUATIONS = {
    "root": lambda c: optimize.root(lambda p: p**3 + p + np.sum(p) - c, START).x, "matrix": lambda c: optimize.root(lambda p: p**3 + p - c, START, jac=lambda p: np.diag(3 * p**2 + 1), method="lm").x,
    "both": lambda c: optimize.root(lambda p, c: (p**3 + p - c, np.diag(3 * p**2 + 1)), START, (c,), jac=True, tol=1e-12).x, "krylov": lambda c: optimize.newton_krylov(lambda p: p**3 + p - c, START + 0.2, f_tol=1e-6, rdiff=1e-7),
    "krylov of a matrix": lambda c: optimize.root(lambda p: p**3 + p + np.cosh(p).mean() ** 2 - c.reshape(2, 2), np.zeros((2, 2)), method="krylov", tol=1e-11).x,
    "broyden of a matrix": lambda c: optimize.broyden1(lambda p: p**3 + p - c.reshape(2, 2), START.reshape(2, 2), f_tol=1e-11),
    "broyden2": lambda c: optimize.broyden2(lambda p: p**3 + p - c, START, f_tol=1e-11), "diagbroyden": lambda c: optimize.diagbroyden(lambda p: p**3 + p - c, START, f_tol=1e-11),
    "broyden1": lambda c: optimize.broyden1(lambda p: p**3 + p - c, START, f_tol=1e-11), "anderson": lambda c: optimize.anderson(lambda p: p**3 + p - c, START, f_tol=1e-11),
}  # fmt: skip
SQUARES = {
    "curve": lambda c: optimize.least_squares(lambda p: p[0] * np.exp(-p[1] * TIMES) - DATA * c[0], [1.0, 1.0], ftol=1e-15, xtol=1e-15, gtol=1e-12).x,
    "matrix": lambda c: optimize.least_squares(lambda p: np.outer(c, c + 1) @ p[:, None][:, 0] + p - c, START, jac=lambda p: np.outer(c, c + 1) + np.eye(4)).x,
    "bounds": lambda c: optimize.least_squares(lambda p, k: p[0] * np.exp(-p[1] * TIMES) - DATA * k, [1.0, 0.5], bounds=([0.0, 0.0], [5.0, c[0]]), args=(1.0,), xtol=1e-14, ftol=1e-14).x,
    **{loss: lambda c, loss=loss: optimize.least_squares(lambda p: p[0] * np.exp(-p[1] * TIMES) - DATA * c[0], [1.0, 1.0], loss=loss, f_scale=0.05, ftol=1e-15, xtol=1e-15, gtol=1e-12).x for loss in ("soft_l1", "cauchy")},
    "leastsq": lambda c: optimize.leastsq(lambda p: p[0] * np.exp(-p[1] * TIMES) - DATA * c[0], [1.0, 1.0], xtol=1e-14, ftol=1e-14)[0],
    "curve_fit": lambda c: optimize.curve_fit(lambda t, a, k: a * np.exp(-k * t), TIMES, DATA * c[0])[0], "curve_fit in bounds": lambda c: optimize.curve_fit(lambda t, a, k: a * np.exp(-k * t), TIMES, DATA * c[0], bounds=(0, [3.0, 0.6]))[0],
    "isotonic": lambda c: optimize.isotonic_regression(c).x, "falling": lambda c: optimize.isotonic_regression(np.sin(7.0 * c), weights=c**2 + 1.0, increasing=False).x,
    "mask and matrix": lambda c: (lambda found: found.jac * (1.0 + np.sum(found.active_mask)))(optimize.least_squares(lambda p: p[0] * np.exp(-p[1] * TIMES) - DATA * c[0], [1.0, 0.3], bounds=([0, 0], [3, 0.4]), loss="soft_l1", f_scale=0.3, ftol=1e-15, xtol=1e-15, gtol=1e-12)),
    "robust curve": lambda c: optimize.curve_fit(lambda t, a, k: a * np.exp(-k * t), TIMES, DATA * c[0], method="trf", loss="cauchy", f_scale=0.2, x_scale=[1.0, 2.0], ftol=1e-15, xtol=1e-15, gtol=1e-12)[1],
    "norm of the slope": lambda c: optimize.minimize(bowl, START, (c,), "BFGS", slope, options={"norm": 2, "gtol": 1e-8, "hess_inv0": 0.5 * np.eye(4)}).x,
    "nnls": lambda c: optimize.nnls(np.outer(TIMES, c) + np.cos(np.outer(TIMES, np.arange(4))), DATA)[0],
}  # fmt: skip
ALL = {**MINIMA, **EQUATIONS, **SQUARES}


@pytest.mark.parametrize("name", ALL)
def test_what_is_found_is_the_library_s(name):
    np.testing.assert_allclose(s2s.jit(ALL[name], target="numpy")(GOAL), ALL[name](GOAL), atol=5e-6)


@pytest.mark.parametrize("name", in_turn(ALL, 3))
def test_derivatives(name):
    f = s2s.jit(lambda c: np.sum(np.sin(ALL[name](c))), target="numpy")
    turn = RNG.normal(size=4)
    found = s2s.jvp(f, (GOAL,), (turn,))[1]
    np.testing.assert_allclose(found, (f(GOAL + 1e-4 * turn) - f(GOAL - 1e-4 * turn)) / 2e-4, atol=2e-3)
    np.testing.assert_allclose(s2s.grad(f)(GOAL) @ turn, found, rtol=1e-9, atol=1e-12)


def test_what_is_at_a_bound_moves_with_it():
    f = s2s.jit(lambda low: optimize.minimize(lambda p: np.sum((p - GOAL) ** 2), START + 2.0, bounds=[(low, None)] * 4).x, target="numpy")
    np.testing.assert_allclose(f(0.5), np.maximum(GOAL, 0.5), atol=1e-6)
    np.testing.assert_allclose(s2s.jacfwd(f)(0.5), GOAL < 0.5, atol=1e-9)


def test_results_say_how_it_ended():
    def parts(c):
        one, two = optimize.minimize(bowl, START, (c,), bounds=SIDES), optimize.least_squares(lambda p: p - c, START)
        return one.success, one.status, one.fun, one.jac, two.success, two.cost, two.grad, two.optimality

    for found, wanted in zip(s2s.jit(parts, target="numpy")(GOAL), parts(GOAL), strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-4)


def decaying(t, a, k):
    return a * np.exp(-k * t)


FULL = {
    "brent": lambda c: optimize.brent(lambda p: np.cosh(p - c[0]) + p, full_output=True), "golden": lambda c: optimize.golden(lambda p: np.cosh(p - c[0]) + p, full_output=True)[:2], "fminbound": lambda c: optimize.fminbound(lambda p: np.cosh(p - c[0]), -1, 2, full_output=True),
    "fmin": lambda c: optimize.fmin(bowl, START, (c,), disp=0, full_output=True), "fmin_bfgs": lambda c: optimize.fmin_bfgs(bowl, START, slope, (c,), disp=0, full_output=True)[:3], "fmin_cg": lambda c: optimize.fmin_cg(bowl, START, slope, (c,), disp=0, full_output=True)[:2],
    "brute": lambda c: optimize.brute(lambda p: np.sum((p - c[:2]) ** 2), ((-1, 1), slice(-1, 1, 0.4)), Ns=3, full_output=True, finish=None), "brute of one": lambda c: optimize.brute(lambda p: np.sum((p - c[0]) ** 2), ((-1, 1),), Ns=5, full_output=True, finish=None),
    "isotonic": lambda c: tuple(optimize.isotonic_regression(np.round(3.0 * np.sin(7.0 * np.concatenate((c, c**2, c + 1.0)))))[name] for name in ("x", "weights", "blocks")), "rosen": lambda c: (optimize.rosen_hess_prod(c, c**2),),
    "brute and fmin": lambda c: optimize.brute(lambda p: np.sum((p - c[:2]) ** 2), ((-1, 1), slice(-1, 1, 0.4)), Ns=3, full_output=True)[:2], "bracket": lambda c: optimize.bracket(lambda p: (p - 5.0 * c[0]) ** 2),
    "leastsq": lambda c: (lambda found: (*found[:2], found[2]["fvec"]))(optimize.leastsq(lambda p: p[0] * np.exp(-p[1] * TIMES) - DATA * c[0], [1.0, 1.0], full_output=True)),
    "curve_fit": lambda c: (lambda found: (*found[:2], found[2]["fvec"]))(optimize.curve_fit(decaying, TIMES, DATA * c[0], full_output=True)), "golden by name": lambda c: (optimize.minimize_scalar(lambda p: np.cosh(p - c[0]) + p, method="golden", options={"disp": 0}).x,),
    "without nan": lambda c: optimize.curve_fit(decaying, TIMES, np.where(TIMES == TIMES[2], np.nan, DATA * c[0]), nan_policy="omit", sigma=1.0 + TIMES),
    "options": lambda c: (optimize.minimize(bowl, START, (c,), "CG", slope, options={"norm": np.inf, "disp": False, "eps": 1e-8, "gtol": 1e-8, "maxiter": 90}).x,),
}  # fmt: skip


@pytest.mark.parametrize("name", FULL)
def test_full_output(name):
    for found, wanted in zip(s2s.jit(FULL[name], target="numpy")(GOAL), FULL[name](GOAL), strict=True):
        np.testing.assert_allclose(found, wanted, atol=5e-5)


RESULTS = {
    **{method: lambda c, method=method: optimize.minimize(bowl, START, (c,), method, slope, bends) for method in ("Newton-CG", "trust-exact", "trust-constr")},
    **{method: lambda c, method=method: optimize.minimize(bowl, START, (c,), method) for method in ("BFGS", "L-BFGS-B", "TNC", "SLSQP", "Nelder-Mead", "Powell", "CG")},
    **{f"root by {method}": lambda c, method=method: optimize.root(lambda p: p**3 + p - c, START, method=method) for method in ("hybr", "lm", "df-sane", "broyden1")},
    **{f"of a number by {method}": lambda c, method=method: optimize.minimize_scalar(lambda p: np.cosh(p - c[0]), method=method, bounds=(-1.0, 2.0) if method == "bounded" else None) for method in ("brent", "bounded", "golden")},
    "squares": lambda c: optimize.least_squares(lambda p: p - c, START), "section": lambda c: optimize.root_scalar(lambda p: p**3 - c[0], bracket=(-2.0, 2.0)),
    "rising": lambda c: optimize.isotonic_regression(c),
}  # fmt: skip
"""Results that are dicts in SciPy."""


@pytest.mark.parametrize("name", in_turn(RESULTS, 5))
def test_results_are_dicts(name):
    def looked_at(c):
        r = RESULTS[name](c)
        first = "root" if "root" in r else "x"
        return r[first], r.get(first), r.get("no such name", 2.5), first in r, "x" in r.keys(), len(r), [key for key in r], sorted(r.keys()), "jac" in r, "hess_inv" in r, "maxcv" in r  # noqa: C416, SIM118

    found, wanted = s2s.jit(looked_at, target="numpy")(GOAL), looked_at(GOAL)
    np.testing.assert_allclose(found[0], wanted[0], atol=5e-3)  # within SciPy's own tolerances
    np.testing.assert_allclose(found[1], found[0])
    assert found[2:] == wanted[2:]
    result = s2s.jit(RESULTS[name], target="numpy")(GOAL)
    assert list(result.keys()) == wanted[6]
    assert wanted[6][0] in result


def test_what_minima_tell_by_name():
    def told(c):
        r = optimize.minimize(bowl, START, (c,))
        kept = {key: value for key, value in r.items() if key in ("x", "fun", "success")}
        squares = optimize.least_squares(lambda p: p - c, START)
        return kept, squares.active_mask, optimize.least_squares(lambda p: p - c, START, bounds=(-9.0, 9.0)).active_mask, optimize.root(lambda p: p - c, START).nfev > 0

    found, wanted = s2s.jit(told, target="numpy")(GOAL), told(GOAL)
    assert set(found[0]) == set(wanted[0])
    for one, other in zip([*found[0].values(), *found[1:]], [*wanted[0].values(), *wanted[1:]], strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(one, other, atol=1e-5)
    with pytest.raises(KeyError):
        s2s.jit(lambda c: optimize.minimize(bowl, START, (c,))[0], target="numpy")(GOAL)
    with pytest.raises(s2s.UnsupportedError, match="ipvt"):
        s2s.jit(lambda c: "ipvt" in optimize.fsolve(lambda p: p - c, START, full_output=True)[1], target="numpy")(GOAL)


def test_compiled():
    f = s2s.jit(MINIMA["bounds"])
    np.testing.assert_allclose(f(GOAL), MINIMA["bounds"](GOAL), atol=5e-6)


def test_rosenbrock_s_valley():
    for function in (optimize.rosen, optimize.rosen_der, optimize.rosen_hess):
        np.testing.assert_allclose(s2s.jit(lambda x, function=function: function(x), target="numpy")(GOAL), function(GOAL), rtol=1e-13)


@pytest.mark.parametrize("f", [
    lambda c: optimize.minimize(bowl, START, (c,), "BFGS", constraints=[{"type": "eq", "fun": lambda p: np.sum(p) - 1}]).x, lambda c: optimize.root(lambda p: p - c, START).fjac,
    lambda c: optimize.least_squares(lambda p: p - c, START, verbose=1).x, lambda c: optimize.leastsq(lambda p: p - c, START, col_deriv=True)[0],
])  # fmt: skip
def test_what_is_refused(f):
    with pytest.raises(s2s.UnsupportedError, match=r"scipy\.optimize|SciPy gives"):
        s2s.jit(f, target="numpy")(GOAL)


@pytest.mark.parametrize(("f", "words"), [
    (lambda c: optimize.minimize(bowl, START, (c,), bounds=[(0, 1)]).x, "length of x0"), (lambda c: optimize.minimize(bowl, START, (c,), bounds=[(1, 0)] * 4).x, "upper bound"),
    (lambda c: optimize.minimize(bowl, START, (c,), "Newton-CG").x, "Jacobian is required"), (lambda c: optimize.least_squares(lambda p: p - c, START - 3.0, bounds=(0, 1)).x, "infeasible"),
])  # fmt: skip
def test_exceptions(f, words):
    with pytest.raises(ValueError, match=words):
        s2s.jit(f, target="numpy")(GOAL)


@pytest.mark.parametrize("words", [{"loss": "huber"}, {"bounds": (0.0, 2.0)}])
def test_what_lm_does_not_take_is_scipys_error(words):
    def f(x):
        return optimize.least_squares(lambda p: p**2 - 2.0, x, method="lm", **words).x

    for call in (f, s2s.jit(f, target="numpy")):
        with pytest.raises(ValueError, match="support"):
            call(np.ones(2))
