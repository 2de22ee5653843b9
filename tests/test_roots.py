"""scipy.optimize's roots and fixed points: SciPy's numbers, and the derivatives of the solution."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import optimize

import s2s


def _cubic(x, a, b):
    return x**3 + a * x - b


def _steep(x, a, b):
    return np.exp(a * x) - 3.0 * b


def _slope(x, a, b):
    return 3.0 * x**2 + a


def _bend(x, a, b):
    return 6.0 * x


FINDERS: dict[str, Callable[..., Any]] = {
    "brentq": lambda a, b: optimize.brentq(_cubic, -2.0, 4.0, args=(a, b)),
    "brentq steep": lambda a, b: optimize.brentq(lambda x: _steep(x, a, b), -3.0, b + 9.0, xtol=1e-10, rtol=1e-11),
    "bisect": lambda a, b: optimize.bisect(_cubic, -2.0, 4.0, args=(a, b)),
    "newton": lambda a, b: optimize.newton(_cubic, 1.0, fprime=_slope, args=(a, b)),
    "secant": lambda a, b: optimize.newton(_cubic, 1.0, args=(a, b)),
    "from two": lambda a, b: optimize.newton(_cubic, 1.0, args=(a, b), x1=1.5, tol=1e-12),
    "root_scalar": lambda a, b: optimize.root_scalar(_cubic, args=(a, b), bracket=(-2.0, 4.0)).root,
    "root_scalar newton": lambda a, b: optimize.root_scalar(_cubic, args=(a, b), x0=1.0, fprime=_slope).root,
    "root_scalar secant": lambda a, b: optimize.root_scalar(_cubic, args=(a, b), x0=1.0, x1=1.5).root,
    "brenth": lambda a, b: optimize.brenth(_cubic, -2.0, 4.0, args=(a, b)), "ridder": lambda a, b: optimize.ridder(_cubic, -2.0, 4.0, args=(a, b)),
    "brentq's output": lambda a, b: optimize.brentq(_cubic, -2.0, 4.0, args=(a, b), full_output=True)[1].root,
    "halley": lambda a, b: optimize.newton(_cubic, 1.0, fprime=_slope, args=(a, b), fprime2=_bend), "root_scalar halley": lambda a, b: optimize.root_scalar(_cubic, args=(a, b), x0=1.0, fprime=_slope, fprime2=_bend).root,
    "root_scalar ridder": lambda a, b: optimize.root_scalar(_cubic, args=(a, b), bracket=(-2.0, 4.0), method="ridder").root,
    "fixed point": lambda a, b: optimize.fixed_point(lambda x: np.cos(a * x) / b, 0.5),
    "iteration": lambda a, b: optimize.fixed_point(lambda x, c: np.cos(c * x) / b, 0.5, args=(0.2 * a,), method="iteration", xtol=1e-10),
}


@pytest.mark.parametrize("name", FINDERS)
def test_the_numbers_are_scipys(name: str) -> None:
    fun, rng = FINDERS[name], np.random.default_rng(len(name))
    jitted = s2s.jit(fun, target="numpy")
    for _ in range(6):
        a, b = rng.uniform(0.5, 1.5), rng.uniform(1.0, 3.0)
        assert jitted(a, b) == pytest.approx(float(fun(a, b)), rel=1e-14)


@pytest.mark.parametrize("name", FINDERS)
def test_derivatives_are_those_of_the_solution(name: str) -> None:
    """Both modes, and second order; the implicit function theorem's own numbers at what was found."""
    fun = FINDERS[name]
    args = 0.9, 1.7
    s2s.check_grads(fun, args, order=1 if "iteration" in name or "fixed" in name else 2, rtol=1e-5, atol=1e-5)
    backward, forward = s2s.grad(fun, argnums=(0, 1))(*args), s2s.jvp(fun, args, (0.3, -0.7))[1]
    assert forward == pytest.approx(0.3 * backward[0] - 0.7 * backward[1], rel=1e-12)
    if "steep" not in name and "point" not in name and "iteration" not in name:
        x = fun(*args)
        assert backward == pytest.approx((-x / (3 * x**2 + 0.9), 1 / (3 * x**2 + 0.9)), rel=1e-12)


def test_fixed_points_of_vectors() -> None:
    matrix = np.array([[0.1, 0.4, 0.0], [0.3, -0.2, 0.1], [0.0, 0.2, 0.3]])

    def settled(matrix, b):
        return optimize.fixed_point(lambda x: np.tanh(matrix @ x) + b, np.zeros(3), method="iteration", xtol=1e-13)

    b = np.array([0.5, -0.2, 0.1])
    np.testing.assert_allclose(s2s.jit(settled, target="numpy")(matrix, b), settled(matrix, b), rtol=1e-12)
    s2s.check_grads(lambda matrix, b: np.sum(settled(matrix, b) ** 2), (matrix, b), order=1)


def test_a_batch_of_roots() -> None:
    found = s2s.vmap(s2s.value_and_grad(FINDERS["brentq"]), in_axes=(0, None))(np.array([0.5, 1.0, 1.5]), 2.0)
    np.testing.assert_allclose(found[0], [FINDERS["brentq"](a, 2.0) for a in (0.5, 1.0, 1.5)], rtol=1e-14)


def test_what_scipy_raises() -> None:
    for fun, kind, words in (
        (lambda a: optimize.brentq(_cubic, 2.0, 4.0, args=(a, 1.0)), ValueError, "must have different signs"), (lambda a: optimize.brentq(_cubic, -2.0, 4.0, args=(a, 1.0), maxiter=2), RuntimeError, "Failed to converge"),
        (lambda a: optimize.brentq(_cubic, -2.0, 4.0, args=(a, 1.0), xtol=-1.0), ValueError, "xtol too small"), (lambda a: optimize.newton(lambda x: x * x + a, 1.0, maxiter=5), RuntimeError, "Failed to converge"),
        (lambda a: optimize.root_scalar(_cubic, args=(a, 1.0), method="brentq"), ValueError, "Bracket needed"),
    ):  # fmt: skip
        for each in (fun, s2s.jit(fun, target="numpy")):
            with pytest.raises(kind, match=words):
                each(1.0)
    for refused in (lambda a: optimize.toms748(_cubic, -2.0, 4.0, args=(a, 1.0), full_output=True),):
        with pytest.raises(NotImplementedError):
            s2s.jit(refused, target="numpy")(1.0)


def test_how_a_root_was_found() -> None:
    def all_of(a):
        found = [optimize.root_scalar(_cubic, args=(a, 1.0), bracket=(-2.0, 4.0), method=method) for method in ("brentq", "brenth", "ridder", "bisect")]
        one, two = optimize.ridder(_cubic, -2.0, 4.0, args=(a, 1.0), full_output=True)[1], optimize.newton(_cubic, 1.0, _slope, (a, 1.0), fprime2=_bend, full_output=True)[1]
        return [(each.root, each.iterations, each.function_calls, each.converged) for each in (*found, one, two)]

    jitted = s2s.jit(all_of, target="numpy")
    for a in (0.5, 1.0, 2.5):
        assert jitted(a) == all_of(a)


def test_simplices_move_as_scipys() -> None:
    def least(x0, a, xatol, adaptive, most):
        found = optimize.minimize(_valley, x0, args=(a,), method="Nelder-Mead", options={"xatol": xatol, "fatol": xatol, "adaptive": adaptive, "maxiter": most})
        return found.x, found.fun, found.nit, found.nfev, found.status, found.success

    jitted = s2s.jit(least, target="numpy", static_argnums=3)
    start = np.array([-1.2, 1.0, 0.0])
    for xatol, adaptive, most in ((1e-4, False, 600), (1e-9, False, 2000), (1e-6, True, 600), (1e-6, False, 10)):
        for found, wanted in zip(jitted(start, 1.5, xatol, adaptive, most), least(start, 1.5, xatol, adaptive, most), strict=True):
            np.testing.assert_array_equal(found, wanted)
    point = optimize.minimize(_valley, start, args=(1.5,), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-9, "maxiter": 2000}).x
    slope = s2s.jacfwd(lambda a: least(start, a, 1e-9, False, 2000)[0])(1.5)
    hessian, mixed = s2s.hessian(_valley)(point, 1.5), s2s.jacfwd(lambda a: s2s.grad(_valley)(point, a))(1.5)
    np.testing.assert_allclose(slope, -np.linalg.solve(hessian, mixed), rtol=1e-8)


@pytest.mark.parametrize("method", ["CG", "L-BFGS-B"])
def test_other_gradient_methods_find_the_minimum(method: str) -> None:
    start = np.array([-0.4, 1.0, 0.3])
    found = s2s.jit(lambda x: optimize.minimize(_valley, x, args=(1.2,), method=method, options={"gtol": 1e-8}).x, target="numpy")(start)
    np.testing.assert_allclose(found, optimize.minimize(_valley, start, args=(1.2,), tol=1e-8).x, atol=5e-6)


def _valley(x, a):
    return np.sum(5.0 * (x[1:] - x[:-1] ** 2) ** 2 + (a - x[:-1]) ** 2)


def test_a_minimum() -> None:
    """SciPy's within both tolerances; derivatives by the implicit function theorem, so that they are right to the last digits."""
    def least(x0, a):
        found = optimize.minimize(_valley, x0, args=(a,), method="BFGS", tol=1e-10)
        return found.x, found.fun, found.success

    jitted = s2s.jit(least)
    for start, a in ((np.array([-1.2, 1.0, 0.5]), 1.0), (np.array([2.0, -1.0]), 0.7)):
        x, value, success = jitted(start, a)
        expected = optimize.minimize(_valley, start, args=(a,), options={"gtol": 1e-7})
        assert success
        assert value <= expected.fun + 1e-12
        np.testing.assert_allclose(x, expected.x, atol=2e-5)
    start = np.array([2.0, -1.0, 0.3])

    def seen(a):
        return np.sum(np.sin(least(start, a)[0]))

    run = s2s.jit(seen)
    assert s2s.grad(seen)(0.8) == pytest.approx((run(0.8 + 1e-5) - run(0.8 - 1e-5)) / 2e-5, rel=1e-5)
    assert s2s.jvp(seen, (0.8,), (1.0,))[1] == pytest.approx(s2s.grad(seen)(0.8), rel=1e-12)


def test_how_a_search_for_a_minimum_ends() -> None:
    def few(x0):
        found = optimize.minimize(_valley, x0, args=(1.0,), options={"maxiter": 2})
        return found.status, found.success, found.nit

    def known_slope(x0):
        return optimize.minimize(lambda x: np.sum((x - 3.0) ** 2), x0, jac=lambda x: 2.0 * (x - 3.0)).x

    assert s2s.jit(few, target="numpy")(np.array([-1.2, 1.0])) == (1, False, 2)
    np.testing.assert_allclose(s2s.jit(known_slope, target="numpy")(np.zeros(2)), [3.0, 3.0], atol=1e-6)
    for refused in (lambda x: optimize.minimize(_valley, x, (1.0,), "steepest").x, lambda x: optimize.minimize(_valley, x, (1.0,), "BFGS", bounds=[(0, 1)] * 2).x):
        with pytest.raises(NotImplementedError, match=r"scipy\.optimize\.minimize"):
            s2s.jit(refused, target="numpy")(np.ones(2))


def test_roots_with_value_and_slope_in_one_and_with_options():
    def both(z, a):
        return z**3 - a, 3.0 * z**2

    for method in (None, "newton", "secant"):
        f = s2s.jit(lambda a: optimize.root_scalar(both, args=(a,), x0=0.5, x1=0.6, fprime=True, method=method), target="numpy")
        found, wanted = f(0.37), optimize.root_scalar(both, args=(0.37,), x0=0.5, x1=0.6, fprime=True, method=method)
        assert (found.iterations, found.function_calls) == (wanted.iterations, wanted.function_calls)
        np.testing.assert_allclose(found.root, wanted.root, rtol=1e-14)
    f = s2s.jit(lambda a: optimize.root_scalar(lambda z: z**3 - a, bracket=(0, 1), options={"xtol": 1e-4, "maxiter": 30}), target="numpy")
    assert f(0.37).iterations == optimize.root_scalar(lambda z: z**3 - 0.37, bracket=(0, 1), options={"xtol": 1e-4, "maxiter": 30}).iterations


def test_toms748_finds_the_same_root():
    def root(a):
        return optimize.toms748(lambda z: z**3 - a, 0.0, 2.0)

    np.testing.assert_allclose(s2s.jit(root)(0.37), root(0.37), rtol=1e-11)
    s2s.check_grads(s2s.jit(root, target="numpy"), (0.37,), order=2)
    with pytest.raises(ValueError):
        s2s.jit(root, target="numpy")(-1.0)
    with pytest.raises(s2s.UnsupportedError, match="full_output"):
        s2s.jit(lambda a: optimize.toms748(lambda z: z - a, 0.0, 2.0, full_output=True), target="numpy")(0.5)


def _far(x, p):
    return (x[0] - p[0]) ** 2 + 2.0 * (x[1] - p[1]) ** 2 + 0.1 * (x[0] * x[1]) ** 2


def _recorded(p):
    seen = []
    found = optimize.minimize(_far, np.array([0.5, -0.3]), (p,), "Nelder-Mead", callback=seen.append, bounds=[(0.0, 0.7), (None, 2.0)])
    return found.x, np.array(seen)[:, 0], found.nit


def _counted(p):
    count = 0

    def tell(intermediate_result):
        nonlocal count
        count += 1
        if intermediate_result.fun < 1.0:
            raise StopIteration

    found = optimize.minimize(_far, np.array([0.5, -0.3]), (p,), "Nelder-Mead", callback=tell, options={"initial_simplex": np.array([[0.0, 0.0], [0.5, 0.0], [0.0, 1.0]])})
    return found.x, found.status, found.success, found.message, count


@pytest.mark.parametrize("f", [_recorded, _counted], ids=("recorded", "stopped"))
def test_callbacks_are_told_of_each_step(f: Callable[..., Any]) -> None:
    p = np.array([1.0, 0.5])
    for found, wanted in zip(s2s.jit(f, target="numpy")(p), f(p), strict=True):
        if isinstance(wanted, str):
            assert found == wanted
        else:
            np.testing.assert_allclose(found, wanted, rtol=1e-9)


@pytest.mark.parametrize("method", ("BFGS", "CG", "L-BFGS-B", "TNC", "SLSQP", "Powell"))
def test_minima_are_differentiated_whoever_is_told_of_the_steps(method: str) -> None:
    def told(p):
        seen = []
        return optimize.minimize(_far, np.array([0.5, -0.3]), (p,), method, callback=lambda x: seen.append(x[0]), tol=1e-12).x

    p = np.array([1.0, 0.5])
    with s2s.disable_jit():
        np.testing.assert_allclose(s2s.jacrev(told)(p), s2s.jacfwd(lambda p: optimize.minimize(_far, np.array([0.5, -0.3]), (p,), method, tol=1e-12).x)(p), rtol=1e-6)


def test_the_inverse_hessian_is_what_the_steps_made_of_it() -> None:
    p = np.array([1.0, 0.5])
    found = s2s.jit(lambda p: optimize.minimize(_far, np.array([0.5, -0.3]), (p,), tol=1e-10), target="numpy")(p)
    np.testing.assert_allclose(found.hess_inv, np.linalg.inv(s2s.hessian(_far)(found.x, p)), rtol=0.1, atol=0.02)


def test_multipliers_are_scipy_s() -> None:
    above: list[dict[str, Any]] = [{"type": "ineq", "fun": lambda x: x[0] - 2 * x[1] + 2}, {"type": "eq", "fun": lambda x: x[0] + x[1] - 3.0}]

    def found(x):
        return optimize.minimize(lambda x: (x[0] - 1) ** 2 + (x[1] - 2.5) ** 2, x, bounds=((0, None), (0, None)), constraints=above).multipliers

    np.testing.assert_allclose(s2s.jit(found, target="numpy")(np.array([2.0, 0.0])), found(np.array([2.0, 0.0])), atol=1e-6)
    with pytest.raises(s2s.UnsupportedError, match="multipliers of a minimum without constraints"):
        s2s.jit(lambda x: optimize.minimize(lambda x: np.sum(x**2), x).multipliers, target="numpy")(np.ones(2))


@pytest.mark.parametrize("name", ["fmin", "fmin_bfgs", "fmin_powell", "fmin_cg"])
def test_values_that_are_arrays_of_one(name: str) -> None:
    function = getattr(optimize, name)
    np.testing.assert_allclose(s2s.jit(lambda p: function(lambda x: (x - p) ** 2, 1.0, disp=False), target="numpy")(2.0), [2.0], atol=1e-4)
    with pytest.raises(s2s.UnsupportedError, match="a minimum of what has several numbers"):
        s2s.jit(lambda p: function(lambda x: np.stack((x, x)) - p, 1.0, disp=False), target="numpy")(2.0)


UNFINISHED: dict[str, Callable[..., Any]] = {
    **{name: lambda a, b, name=name: getattr(optimize, name)(_cubic, -2.0, 4.0, args=(a, b), maxiter=2, disp=False) for name in ("brentq", "brenth", "bisect", "ridder")},
    "newton": lambda a, b: optimize.newton(_cubic, 1.0, fprime=_slope, args=(a, b), maxiter=1, disp=False), "secant": lambda a, b: optimize.newton(_cubic, 1.0, args=(a, b), maxiter=1, disp=False),
}
RESULTS: dict[str, Callable[..., Any]] = {
    **{f"{method}, {most} steps": lambda a, b, method=method, most=most: optimize.root_scalar(_cubic, (a, b), method, bracket=(-2.0, 4.0), maxiter=most) for method in ("brentq", "brenth", "bisect", "ridder") for most in (2, 90)},
    "secant": lambda a, b: optimize.root_scalar(_cubic, (a, b), x0=1.0, x1=1.5), "secant, 2 steps": lambda a, b: optimize.root_scalar(_cubic, (a, b), "secant", x0=1.0, maxiter=2),
    "all of one": lambda a, b: optimize.root_scalar(lambda x: (_cubic(x, a, b), _slope(x, a, b), _bend(x, a, b)), x0=1.0, fprime=True, fprime2=True),
    "flat": lambda a, b: optimize.root_scalar(lambda x: x * x + 1.0, x0=0.0 * a, fprime=lambda x: 2.0 * x),
}


@pytest.mark.parametrize("name", UNFINISHED)
def test_what_does_not_converge_is_given_back(name: str) -> None:
    np.testing.assert_allclose(s2s.jit(UNFINISHED[name], target="numpy")(1.3, 2.1), UNFINISHED[name](1.3, 2.1), rtol=1e-12)


@pytest.mark.filterwarnings("ignore:Derivative was zero")
@pytest.mark.parametrize("name", RESULTS)
def test_results_say_how_it_ended(name: str) -> None:
    found, wanted = s2s.jit(RESULTS[name], target="numpy")(1.3, 2.1), RESULTS[name](1.3, 2.1)
    np.testing.assert_allclose(found.root, wanted.root, rtol=1e-12)
    assert (found.converged, found.flag, found.method, found.iterations, found.function_calls) == (wanted.converged, wanted.flag, wanted.method, wanted.iterations, wanted.function_calls)


def test_newtons_steps_take_the_exact_slope_where_none_is_given() -> None:
    f = lambda a, b: optimize.root_scalar(_cubic, (a, b), x0=1.0)  # noqa: E731
    found = s2s.jit(f, target="numpy")(1.3, 2.1)
    assert found.method == f(1.3, 2.1).method == "newton"
    np.testing.assert_allclose(found.root, optimize.brentq(_cubic, -2.0, 4.0, (1.3, 2.1)), rtol=1e-9)


def test_a_function_that_sees_none_or_a_number() -> None:
    def root(a, b):
        level = 2.0 * a if b > 1.0 else None
        kind = "square" if a > 1.0 else "cube"
        return optimize.newton(lambda x: (x * x if kind == "square" else x**3) - (b if level is None else level), 1.0)

    for a, b in ((1.3, 2.1), (0.7, 2.1), (1.3, 0.5), (0.7, 0.5)):
        np.testing.assert_allclose(s2s.jit(root, target="numpy")(a, b), root(a, b), rtol=1e-7)
        slopes = [(root(a + h, b + k) - root(a - h, b - k)) / 2e-5 for h, k in ((1e-5, 0.0), (0.0, 1e-5))]
        np.testing.assert_allclose(s2s.grad(root, argnums=(0, 1))(a, b), slopes, atol=1e-6)


def _holomorphic(z: Any) -> Any:
    return (
        optimize.newton(lambda x: x**2 + 1, z, lambda x: 2 * x), optimize.newton(lambda x: x**3 - 1, z), optimize.newton(lambda x: x**3 - 1, z, x1=z + 0.1),
        optimize.newton(lambda x: x**3 - 1, z, lambda x: 3 * x**2, fprime2=lambda x: 6 * x), optimize.root_scalar(lambda x: x**2 + z, x0=z, fprime=lambda x: 2 * x).root,
    )  # fmt: skip


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_complex_roots(target: str) -> None:
    for start in np.random.default_rng(4).uniform(0.2, 0.9, (3, 2)) @ [1, 1j]:
        np.testing.assert_allclose(s2s.jit(_holomorphic, target=target)(complex(start)), _holomorphic(complex(start)), rtol=1e-12, atol=1e-12)


def test_derivatives_of_complex_roots() -> None:
    def height(c: Any) -> Any:
        return optimize.newton(lambda x: x**2 + c, 0.5 + 0.7j, lambda x: 2 * x).imag

    assert np.isclose(s2s.grad(height)(1.5), 0.5 / np.sqrt(1.5))


@pytest.mark.parametrize("search", [
    lambda z: optimize.minimize(lambda u: abs(u[0] - z) ** 2, np.array([z])).x, lambda z: optimize.least_squares(lambda u: u - z, np.array([1.0])).x,
    lambda z: optimize.brentq(lambda u: u - z, 0.0, 2.0), lambda z: optimize.linear_sum_assignment(np.array([[z, 1.0], [1.0, z]])),
])  # fmt: skip
def test_complex_numbers_are_refused_where_real_ones_are_sought(search: Any) -> None:
    with pytest.raises((NotImplementedError, TypeError)):
        s2s.jit(search, target="numpy")(0.7 + 0.4j)
