"""scipy.optimize under constraints, assignments, and integrals over several variables: SciPy's numbers, derivatives against differences and each other."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.integrate as si
import scipy.optimize as so

import s2s

RNG = np.random.default_rng(0)
C = RNG.normal(size=3)
MATRIX = RNG.normal(size=(5, 3))
START = np.zeros(3)


def loss(p, c):
    return np.sum((p - c) ** 2) + 0.1 * p[0] * p[1] + 0.05 * np.sum(p**4)


MINIMA = {
    "equality": lambda c: so.minimize(loss, START, args=(c,), constraints={"type": "eq", "fun": lambda p: np.sum(p) - 1}).x,
    "both": lambda c: so.minimize(loss, START, args=(c,), constraints=[{"type": "eq", "fun": lambda p: np.sum(p) - 1}, {"type": "ineq", "fun": lambda p, k: k - p[0] ** 2 - p[1] ** 2, "args": (0.3,)}]).x,
    "bounds": lambda c: so.minimize(loss, START + 0.1, args=(c,), bounds=[(0, 1), (None, 0.2), (-1, None)], method="SLSQP", constraints=[{"type": "eq", "fun": lambda p: p[0] + p[1] - 0.5 * c[0]}]).x,
    "linear": lambda c: so.minimize(loss, START, args=(c,), constraints=so.LinearConstraint([[1, 1, 0], [0, 1, 1]], [-0.1, -0.2], [0.1, np.inf])).x,
    "nonlinear": lambda c: so.minimize(loss, START, args=(c,), method="trust-constr", constraints=so.NonlinearConstraint(lambda p: p[0] ** 2 + p[1] ** 2, -np.inf, 0.2)).x,
    "several": lambda c: so.minimize(loss, START, args=(c,), constraints={"type": "ineq", "fun": lambda p: np.array([p[0] - 0.1, 0.4 - p[1], p[2] + p[0]])}).x,
    "old name": lambda c: so.fmin_slsqp(loss, START, args=(c,), f_eqcons=lambda p, c: p[:1] - p[1:2], iprint=0),
    "lsq_linear": lambda c: so.lsq_linear(MATRIX, MATRIX @ c + 0.1, (-0.3, 0.5)).x,
    "golden": lambda c: so.golden(lambda t: (t - c[0]) ** 2, brack=(-1.0, 1.0)) * np.ones(3),
    "newton of arrays": lambda c: so.newton(lambda t: t**3 - np.abs(c) - 1, np.ones(3), fprime=lambda t: 3 * t * t),
    "secants of arrays": lambda c: so.newton(lambda t, k: t**3 - k - 1, np.ones(3), args=(np.abs(c),)), "halley": lambda c: so.newton(lambda t: t**3 - np.abs(c) - 1, np.ones(3), fprime=lambda t: 3 * t * t, fprime2=lambda t: 6 * t),
}  # fmt: skip


@pytest.mark.parametrize("name", MINIMA)
def test_minima(name):
    np.testing.assert_allclose(s2s.jit(MINIMA[name], target="numpy")(C), MINIMA[name](C), atol=1e-3)


@pytest.mark.parametrize("name", ["bounds", "several", "lsq_linear", "secants of arrays", "halley"])
def test_derivatives_of_minima(name):
    f, slopes = s2s.jit(MINIMA[name], target="numpy"), s2s.jit(s2s.jacrev(MINIMA[name]), target="numpy")(C)
    np.testing.assert_allclose(slopes, np.stack([(f(C + 1e-4 * unit) - f(C - 1e-4 * unit)) / 2e-4 for unit in np.eye(3)], axis=-1), atol=2e-4)


def test_both_modes():
    f = s2s.jit(MINIMA["equality"], target="numpy")
    np.testing.assert_allclose(s2s.jit(s2s.jacfwd(f), target="numpy")(C), s2s.jit(s2s.jacrev(f), target="numpy")(C), atol=1e-12)


def test_of_a_textbook():  # Hock and Schittkowski's problem 71
    def f(c):
        found = so.minimize(
            lambda x: x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2], np.array([1.0, 5.0, 5.0, 1.0]), bounds=[(1, 5)] * 4,
            constraints=[{"type": "ineq", "fun": lambda x: x[0] * x[1] * x[2] * x[3] - c}, {"type": "eq", "fun": lambda x: np.sum(x**2) - 40}],
        )  # fmt: skip
        return found.x, found.fun, found.success

    x, value, success = s2s.jit(f)(25.0)
    np.testing.assert_allclose(x, (1.0, 4.7429994, 3.8211503, 1.3794082), rtol=1e-6)
    assert (round(float(value), 6), bool(success)) == (17.014017, True)
    np.testing.assert_allclose(s2s.grad(lambda c: f(c)[1])(25.0), 0.5522937, rtol=1e-4)  # the multiplier


def test_what_can_not_hold_together():
    f = s2s.jit(lambda c: so.minimize(loss, START, args=(c,), constraints=[{"type": "ineq", "fun": lambda p: p[0] - 1}, {"type": "ineq", "fun": lambda p: -p[0] - 1}]).success, target="numpy")
    assert not f(C)


def test_assignments():
    f = s2s.jit(lambda cost: (*so.linear_sum_assignment(cost), *so.linear_sum_assignment(cost, maximize=True)), target="numpy")
    for seed in range(40):
        rng = np.random.default_rng(seed)
        cost = rng.integers(0, 4, rng.integers(1, 7, 2)).astype(float) if seed % 2 else rng.normal(size=rng.integers(1, 7, 2))
        for found, wanted in zip(f(cost), (*so.linear_sum_assignment(cost), *so.linear_sum_assignment(cost, maximize=True)), strict=True):
            np.testing.assert_array_equal(found, wanted, strict=True)
    cost = RNG.normal(size=(4, 5))
    s2s.check_grads(s2s.jit(lambda cost: np.sum(cost[so.linear_sum_assignment(cost)] ** 2), target="numpy"), (cost,), order=1)
    with pytest.raises(ValueError, match="infeasible"):
        f(np.full((2, 2), np.inf))


INTEGRALS = {
    "dblquad": lambda c: si.dblquad(lambda u, v: np.exp(-u * v * c[0] ** 2), 0, c[1] ** 2, lambda v: v * c[2], 2.0)[0], "tplquad": lambda c: si.tplquad(lambda u, v, w: u * v * w * c[0], 0, 1, 0, lambda w: w, 0, lambda w, v: v * c[1])[0],
    "nquad": lambda c: si.nquad(lambda u, v, k: np.sin(u * v * k), [lambda v, k: (0, v), (0, 1)], args=(c[0],))[0], "quad_vec": lambda c: si.quad_vec(lambda t: np.sin(t * c), 0, c[0])[0],
    "points": lambda c: si.quad(lambda t: np.abs(t - c[0]), -2, 2, points=[c[0], 5.0])[0], "points backwards": lambda c: si.quad(lambda t: np.abs(t - c[0]), 2, -2, points=[c[0], 0.5])[0], "weight": lambda c: si.quad(lambda t: t * c[0], 0, 1, weight="sin", wvar=c[1])[0],
    "romb": lambda c: si.romb(np.cos(np.arange(9) * c[0]), 0.2) + si.romb(c[:2]) + si.romb(MATRIX * c, axis=0)[1], "approx_fprime": lambda c: so.approx_fprime(c, lambda p: np.sum(p**2), 1e-6), "approx_fprime of several": lambda c: so.approx_fprime(c, lambda p: p[:2] * p[2], np.array([1e-6, 1e-5, 1e-6])),
    "brute along one axis": lambda c: so.brute(lambda p: (p[0] - c[0]) ** 2, ((-1, 1),), finish=None), "check_grad of a list": lambda c: so.check_grad(lambda p: np.sum(p**2), lambda p: 2.5 * p, [c[0], c[1]]), "check_grad": lambda c: so.check_grad(lambda p: np.sum(p**2), lambda p: 2.5 * p, c), "brute": lambda c: so.brute(lambda p: np.sum((p - c[:2]) ** 2), ((-1, 1), slice(-1, 1, 0.3)), Ns=5, finish=None) * c[2],
    **{f"cumulative_simpson {n}": lambda c, n=n: tuple([si.cumulative_simpson(np.stack((np.sin(np.arange(n) * c[0]), np.cos(np.arange(n) * c[1]))), **words) for words in ({"dx": 0.3, "initial": 1.5}, {"x": np.cumsum(np.arange(1.0, n + 1))})]) for n in (2, 3, 6, 7)},
}  # fmt: skip


@pytest.mark.parametrize("words", [{}, {"dx": 2, "initial": 1}, {"dx": np.float32(0.5), "initial": 1.5}, {"x": np.arange(5, dtype=np.float32), "initial": 0}], ids=str)
def test_cumulative_simpson_of_float32(words):
    y = np.arange(5, dtype=np.float32) ** 2
    wanted, found = si.cumulative_simpson(y, **words), s2s.jit(lambda y: si.cumulative_simpson(y, **words), target="numpy")(y)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("name", INTEGRALS)
def test_integrals(name):
    f = s2s.jit(INTEGRALS[name], target="numpy")
    found, wanted = f(C), INTEGRALS[name](C)
    for one, other in zip(found if isinstance(wanted, tuple) else (found,), wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-9)
        assert np.shape(one) == np.shape(other)
    if name not in ("approx_fprime", "approx_fprime of several", "check_grad", "tplquad"):  # differences of differences; long to read
        s2s.check_grads(f, (C,), order=1, modes=("fwd", "rev"))


def _ended(found):
    return found["x"], found.success, found.status, found.message


ENDINGS = {
    **{method: lambda c, method=method: _ended(so.minimize(loss, START, args=(c,), method=method)) for method in ("BFGS", "CG", "Nelder-Mead", "Powell", "SLSQP")},
    "L-BFGS-B": lambda c: _ended(so.minimize(loss, START, args=(c,), method="L-BFGS-B", options={"ftol": 0.0})),
    "few": lambda c: _ended(so.minimize(loss, START, args=(c,), method="Nelder-Mead", options={"maxiter": 3}))[1:],
    "root": lambda c: _ended(so.root(lambda p: p**3 + p - c, START)),
    "fsolve": lambda c: [(x, told["fvec"], number, words) for x, told, number, words in (so.fsolve(lambda p: p**3 + p - c, START, full_output=True),)],
    "root_scalar": lambda c: (lambda found: (found["root"], found.converged, found.flag))(so.root_scalar(lambda t: t**3 - c[0] - 9, bracket=(0, 4))),
    "solve_ivp": lambda c: (lambda found: (found["y"][:, -1], found["success"], found.message))(si.solve_ivp(lambda t, y: c * y, (0.0, 1.0), c)),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDINGS)
def test_results_say_how_they_ended_in_scipys_words(name):
    """They are read by SciPy's names, as attributes and as keys."""
    found, expected = s2s.jit(ENDINGS[name], target="numpy")(C), ENDINGS[name](C)
    for each, other in zip(*((value[0] if isinstance(value, list) else value) for value in (found, expected)), strict=True):
        assert each == other if isinstance(other, str) else np.allclose(each, other, atol=1e-3)


def test_derivatives_of_minima_by_methods_for_constraints_without_any():
    f = s2s.jit(lambda c: so.minimize(loss, START, args=(c,), method="COBYLA", tol=1e-10).x, target="numpy")
    slopes = s2s.jit(s2s.jacrev(f), target="numpy")(C)
    np.testing.assert_allclose(slopes, np.stack([(f(C + 1e-4 * unit) - f(C - 1e-4 * unit)) / 2e-4 for unit in np.eye(3)], axis=-1), atol=2e-4)


# ---- linear programs ---------------------------------------------------------------------------------------------------------------

RATES, SIDES = np.array([[-3.0, 1.0], [1.0, 2.0]]), np.array([6.0, 4.0])


def parts_of_program(found):
    return found.x, found.fun, found.slack, found.con, found.ineqlin.marginals, found.eqlin.marginals, found.lower.marginals, found.upper.marginals, found.lower.residual


PROGRAMS = [
    lambda x: so.linprog([-1 + 0.1 * x[0], 4.0], RATES * (1 + 0.01 * x[1]), SIDES + x[2:4], bounds=[(-50.0, None), (-3, None)]), lambda x: so.linprog(x[:4] ** 2, A_eq=np.ones((1, 4)) * (1 + x[0] ** 2), b_eq=[1 + x[5] ** 2]),
    lambda x: so.linprog(x[:4], np.eye(4)[:2], x[2:4] ** 2, bounds=(-1, 4)), lambda x: so.linprog(x[:3], bounds=np.stack((-(x[:3] ** 2), x[3:] ** 2 + 1), axis=1)),
    lambda x: so.linprog(x[:2] ** 2, A_ub=-np.eye(2), b_ub=-x[2:4], bounds=[(-9, 9)]), lambda x: so.linprog([1.0, 2.0], A_eq=[[1.0, -1.0]], b_eq=[x[1]], bounds=(0, 5)),
]  # fmt: skip


@pytest.mark.parametrize("call", PROGRAMS)
def test_linear_programs(call):
    x = np.array([0.7, -0.3, 1.1, 0.4, -0.9, 0.5])
    for one, other in zip(s2s.jit(lambda x: parts_of_program(call(x)), target="numpy")(x), parts_of_program(call(x)), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)
    s2s.check_grads(s2s.jit(lambda x: parts_of_program(call(x))[:8], target="numpy"), (x,), order=1, modes=("fwd", "rev"))


def test_linear_programs_without_an_end():
    def f(b, low):
        none, never = so.linprog([1.0, 1.0], [[1.0, 0.0]], b), so.linprog([1.0, -1.0], bounds=[(low, None), (None, None)])
        return none.status, none.success, never.status, never.x, none.fun, never.x is None, 1.0 if none.fun is None else none.fun + np.sum(none.x)

    def added(b):
        return 1.0 + so.linprog([1.0, 1.0], [[1.0, 0.0]], b).x

    read = s2s.jit(f, target="numpy")
    assert read(np.array([-1.0]), 0.0) == f(np.array([-1.0]), 0.0) == (2, False, 3, None, None, True, 1.0)
    assert read(np.array([1.0]), 0.0) == f(np.array([1.0]), 0.0)
    for target in ("numpy", "cpu"):
        with pytest.raises(TypeError, match="unsupported operand"):
            s2s.jit(added, target=target)(np.array([-1.0]))
    np.testing.assert_array_equal(s2s.vmap(added)(np.array([[1.0], [2.0]])), [[1.0, 1.0]] * 2)
    with pytest.raises(s2s.UnsupportedError, match="integrality"):
        s2s.jit(lambda c: so.linprog(c, integrality=1).x, target="numpy")(np.ones(2))


def test_drawn_linear_programs():
    rng = np.random.default_rng(0)
    read = s2s.jit(lambda c, above, most, equal, at: (lambda found: (found.status, found.fun))(so.linprog(c, above, most, equal, at, (-1, 4))), target="numpy")
    for k in range(60):
        n, m, e = 5, int(rng.integers(1, 7)), int(rng.integers(1, 3))
        given = rng.normal(size=n), np.round(2 * rng.normal(size=(m, n))) if k % 2 else rng.normal(size=(m, n)), np.round(3 * rng.normal(size=m) + 2), rng.normal(size=(e, n)), rng.normal(size=e)
        wanted = so.linprog(*given, (-1, 4))
        status, least = read(*given)
        assert status == wanted.status
        if status == 0:
            assert least == pytest.approx(wanted.fun, abs=1e-8)
