"""scipy.integrate and scipy.interpolate against SciPy itself, and their derivatives against differences of it."""
from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, interpolate

import s2s


def _hunted(t, z, a, b):
    prey, hunters = z
    return np.array([a * prey - prey * hunters, b * prey * hunters - 3.0 * hunters])


def _turning(t, z, w):
    return 1j * w * z


def _ended(method: str) -> Callable[..., Any]:
    def ended(a, z, end, rtol):
        sol = integrate.solve_ivp(_hunted, (0.0, end), z, method, args=(a, 1.0), rtol=rtol, atol=1e-9)
        return sol.t, sol.y, sol.nfev, sol.status, sol.success

    return ended


def _evaluated(method: str) -> Callable[..., Any]:
    def evaluated(a, z, end, rtol):
        times = np.linspace(0.0, end, 9)
        sol = integrate.solve_ivp(_hunted, (0.0, end), z, method=method, t_eval=times, args=(a, 1.0), rtol=rtol, atol=1e-9, max_step=0.5, first_step=1e-3)
        return sol.t, sol.y, sol.nfev

    return evaluated


def _by_odeint(a, z, end, rtol):
    return integrate.odeint(lambda z, t: _hunted(t, z, a, 1.0), z, np.linspace(0.0, end, 7), rtol=rtol * 1e-4, atol=1e-10)


@pytest.mark.parametrize("fun", [_ended("RK45"), _ended("RK23"), _evaluated("RK45"), _evaluated("RK23")], ids=("RK45", "RK23", "RK45 between", "RK23 between"))
def test_steps_are_scipys(fun: Callable[..., Any]) -> None:
    jitted, rng = s2s.jit(fun, target="numpy"), np.random.default_rng(5)
    for end in (2.0, -1.5, 0.3):
        args = rng.uniform(1.0, 2.0), rng.uniform(0.5, 4.0, 2), end, 10 ** rng.uniform(-7, -3)
        found, expected = jitted(*args), fun(*args)
        for each, other in zip(found, expected, strict=True):
            assert np.shape(each) == np.shape(other)
            np.testing.assert_allclose(each, other, rtol=1e-7, atol=1e-9)


def test_odeint_is_within_its_tolerance() -> None:
    args = 1.5, np.array([3.0, 1.0]), 4.0, 1e-4
    np.testing.assert_allclose(s2s.jit(_by_odeint, target="numpy")(*args), _by_odeint(*args), rtol=1e-6)


def test_a_complex_state_and_the_interval_of_nothing() -> None:
    def turned(w, z, end):
        sol = integrate.solve_ivp(_turning, (0.0, end), z, args=(w,), rtol=1e-6)
        return sol.t, sol.y

    jitted = s2s.jit(turned, target="numpy")
    for end, state in ((3.0, np.array([1.0 + 0j])), (0.0, np.array([1.0 + 0j])), (1.0, np.zeros(0, complex))):
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected_ones = turned(1.5, state, end)
        for found, expected in zip(jitted(1.5, state, end), expected_ones, strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_derivatives_are_those_of_the_solution() -> None:
    """By the parameters, the initial state, and both ends of time: against differences at tolerances so small that the steps do not show."""
    def last(a, z, start, end):
        return integrate.solve_ivp(_hunted, (start, end), z, args=(a, 1.0), rtol=1e-9, atol=1e-12).y[0, -1]

    def summed(a, z, start, end):
        return np.sum(integrate.solve_ivp(_hunted, (start, end), z, t_eval=np.linspace(start, end, 5), args=(a, 1.0), rtol=1e-9, atol=1e-12).y)

    args: tuple[Any, ...] = (1.5, np.array([2.0, 1.0]), 0.25, 1.75)
    for fun in (last, summed):
        backward = s2s.grad(fun, argnums=(0, 1, 2, 3))(*args)
        for k, own in enumerate(backward):
            direction = tuple(np.ones_like(arg) * (j == k) for j, arg in enumerate(args))
            slope = (fun(*(arg + 1e-5 * d for arg, d in zip(args, direction, strict=True))) - fun(*(arg - 1e-5 * d for arg, d in zip(args, direction, strict=True)))) / 2e-5
            np.testing.assert_allclose(np.sum(own), slope, rtol=2e-6, atol=1e-7)
        tangents = tuple(np.ones_like(arg) * 0.3 for arg in args)
        forward = s2s.jvp(fun, args, tangents)[1]
        np.testing.assert_allclose(forward, sum(np.sum(own * t) for own, t in zip(backward, tangents, strict=True)), rtol=1e-12)


def test_what_scipy_would_refuse_and_what_is_not_there() -> None:
    def solved(z, **options):
        return s2s.jit(lambda z: integrate.solve_ivp(_hunted, (0.0, 1.0), z, args=(1.0, 1.0), **options).y, target="numpy")(z)

    state = np.array([1.0, 2.0])
    for options, words in (({"t_eval": [0.0, 2.0]}, "not within"), ({"t_eval": [0.5, 0.2]}, "not properly sorted"), ({"first_step": -1.0}, "must be positive"), ({"max_step": -1.0}, "must be positive")):
        with pytest.raises(ValueError, match=words):
            solved(state, **options)
    with pytest.raises(ValueError, match="1-dimensional"):
        solved(np.ones((2, 1)))
    with pytest.raises(NotImplementedError, match="Adams"):
        solved(state, method="Adams")


SAMPLES: tuple[Callable[..., Any], ...] = (
    lambda y, x, axis: integrate.simpson(y, x, axis=axis), lambda y, x, axis: integrate.simpson(y, dx=0.3, axis=axis),
    lambda y, x, axis: integrate.cumulative_trapezoid(y, x, axis=axis), lambda y, x, axis: integrate.cumulative_trapezoid(y, axis=axis, initial=0),
    lambda y, x, axis: integrate.trapezoid(y, x, axis=axis),
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(SAMPLES)))
def test_integrals_of_samples(number: int) -> None:
    fun, rng = SAMPLES[number], np.random.default_rng(number)
    for n in (1, 2, 3, 4, 7, 8):
        for shape, axis in (((n,), -1), ((3, n), 1), ((n, 2), 0)):
            y, x = rng.normal(size=shape), np.sort(rng.normal(size=n))
            if n == 1 and number < 2:
                continue  # SciPy's Simpson of one point fails in its own ways
            np.testing.assert_allclose(s2s.jit(fun, target="numpy", static_argnums=2)(y, x, axis), fun(y, x, axis), rtol=1e-11, atol=1e-13)
    y, x = rng.normal(size=6), np.sort(rng.normal(size=6))
    s2s.check_grads(lambda y, x: np.sum(np.sin(fun(y, x, -1))), (y, x), order=2)


def test_an_integral_by_a_fixed_rule() -> None:
    def weighed(a, b, c):
        return integrate.fixed_quad(lambda t: np.exp(-c * t * t), a, b, n=7)[0]

    assert s2s.jit(weighed, target="numpy")(0.0, 1.5, 2.0) == pytest.approx(weighed(0.0, 1.5, 2.0), rel=1e-14)
    s2s.check_grads(weighed, (0.1, 1.5, 2.0), order=2)
    for end in (np.inf, -np.inf):  # known when it runs
        for a, b in ((end, 1.5), (0.0, end)):
            for transformed in (s2s.jit(weighed, target="numpy"), s2s.grad(weighed)):
                with pytest.raises(ValueError, match="only available for finite limits"):
                    transformed(a, b, 2.0)


INTERPOLANTS: dict[str, Callable[..., Any]] = {
    "not-a-knot": lambda x, y, q: interpolate.CubicSpline(x, y)(q),
    "natural": lambda x, y, q: interpolate.CubicSpline(x, y, bc_type="natural")(q),
    "slope": lambda x, y, q: interpolate.CubicSpline(x, y, bc_type="clamped")(q, 1),
    "bend": lambda x, y, q: interpolate.CubicSpline(x, y, bc_type=((1, 0.5), (2, -0.3)), extrapolate=False)(q, nu=2),
    "derivative": lambda x, y, q: interpolate.CubicSpline(x, y).derivative()(q),
    "antiderivative": lambda x, y, q: interpolate.CubicSpline(x, y).antiderivative()(q),
    "integral": lambda x, y, q: interpolate.CubicSpline(x, y).integrate(q[0], q[1]),
    "shape": lambda x, y, q: interpolate.PchipInterpolator(x, y)(q),
}


@pytest.mark.parametrize("name", INTERPOLANTS)
def test_interpolants(name: str) -> None:
    fun, rng = INTERPOLANTS[name], np.random.default_rng(len(name))
    for n, shape in ((2, (2,)), (3, (3,)), (4, (4,)), (7, (7,)), (7, (7, 2))):
        if name == "bend" and len(shape) > 1:
            continue
        x, y, q = np.sort(rng.normal(size=n)) + np.arange(n), rng.normal(size=shape), np.sort(rng.uniform(-1, n, 5))
        np.testing.assert_allclose(s2s.jit(fun, target="numpy")(x, y, q), fun(x, y, q), rtol=1e-8, atol=1e-10)
    x, y, q = np.arange(5.0) ** 1.5, rng.normal(size=5), np.array([0.3, 1.5, 4.0])
    s2s.check_grads(lambda x, y, q: np.sum(np.sin(fun(x, y, q))), (x, y, q), order=1)


def test_interpolants_refuse_what_scipy_refuses() -> None:
    def through(x, y):
        return interpolate.CubicSpline(x, y)(0.5)

    jitted = s2s.jit(through, target="numpy")
    for x, y, words in (([0.0, 2.0, 1.0], [1.0, 2.0, 3.0], "strictly increasing"), ([0.0, np.nan, 1.0], [1.0, 2.0, 3.0], "only finite"), ([1.0], [1.0], "at least 2")):
        with pytest.raises(ValueError, match=words):
            through(np.array(x), np.array(y))
        with pytest.raises(ValueError, match=words):
            jitted(np.array(x), np.array(y))


def test_slopes_that_are_written_into_one_array() -> None:
    def buffered(y):
        slopes = np.zeros(2)

        def turning(t, y):
            slopes[0], slopes[1] = y[1], -y[0]
            return slopes

        return integrate.solve_ivp(turning, (0.0, 3.0), y, rtol=1e-8, atol=1e-10).y[:, -1]

    def fresh(y):
        return integrate.solve_ivp(lambda t, y: np.array([y[1], -y[0]]), (0.0, 3.0), y, rtol=1e-8, atol=1e-10).y[:, -1]

    y = np.array([1.0, 0.5])
    np.testing.assert_array_equal(s2s.jit(buffered, target="numpy")(y), s2s.jit(fresh, target="numpy")(y))
    np.testing.assert_allclose(s2s.jit(buffered, target="numpy")(y), [np.cos(3.0) + 0.5 * np.sin(3.0), 0.5 * np.cos(3.0) - np.sin(3.0)], rtol=1e-6)


SLOPES = np.zeros(2)


def _into_one_array(t, z):
    SLOPES[0] = z[1]
    SLOPES[1] = -z[0]
    return SLOPES


class _Pendulum:
    def __init__(self) -> None:
        self.slopes = np.zeros(2)

    def __call__(self, z, t):
        self.slopes[0] = z[1]
        self.slopes[1] = -z[0]
        return self.slopes


def test_slopes_may_be_written_into_an_array_outside() -> None:
    pendulum = _Pendulum()

    def by_steps(z):
        return integrate.solve_ivp(_into_one_array, (0.0, 1.0), z, rtol=1e-9, atol=1e-9).y[:, -1]

    def by_odeint(z):
        return integrate.odeint(pendulum, z, np.linspace(0.0, 1.0, 4))[-1]

    z = np.random.default_rng(3).normal(size=2)
    turned = np.array([[np.cos(1.0), np.sin(1.0)], [-np.sin(1.0), np.cos(1.0)]])
    for fun in (by_steps, by_odeint):
        SLOPES[:], pendulum.slopes[:] = 0.0, 0.0
        np.testing.assert_allclose(s2s.jit(fun, target="numpy")(z), turned @ z, rtol=1e-6)
        assert SLOPES.any() or pendulum.slopes.any()
        np.testing.assert_allclose(s2s.grad(s2s.jit(lambda z, fun=fun: fun(z)[0], target="numpy"))(z), turned[0], rtol=1e-6)


def test_odeint_takes_what_lsoda_alone_uses() -> None:
    def f(z, rate):
        return integrate.odeint(lambda z, t, c: -c * z, z, np.linspace(0.0, 1.0, 4), (rate,), lambda z, t, c: -c * np.eye(2), 0, 0, None, None, 1e-9, 1e-10, mxstep=5000, mxordn=10)

    z = np.array([1.0, -0.5])
    np.testing.assert_allclose(s2s.jit(f, target="numpy")(z, 0.7), f(z, 0.7), rtol=1e-6)
    with pytest.raises(s2s.UnsupportedError, match="nst"):
        s2s.jit(lambda z: integrate.odeint(lambda z, t: -z, z, np.linspace(0.0, 1.0, 4), full_output=True)[1]["nst"], target="numpy")(z)

    def told(z):
        y, info = integrate.odeint(lambda z, t: -z, z, np.linspace(0.0, 1.0, 4), full_output=True)
        return y, info["message"]

    found, wanted = s2s.jit(told, target="numpy")(z), told(z)
    np.testing.assert_allclose(found[0], wanted[0], atol=1e-6)
    assert found[1] == wanted[1]


def _stiff(t, z, k):
    return np.array([-k * z[0] + 1e4 * z[1] * z[2], k * z[0] - 1e4 * z[1] * z[2] - 3e7 * z[1] ** 2, 3e7 * z[1] ** 2])


def _slopes_of_stiff(t, z, k):
    return np.array([[-k, 1e4 * z[2], 1e4 * z[1]], [k, -1e4 * z[2] - 6e7 * z[1], -1e4 * z[1]], [0.0, 6e7 * z[1], 0.0]])


def _stiff_by(method: str, jac: Any = None) -> Callable[..., Any]:
    def solution(k, z, end, rtol):
        sol = integrate.solve_ivp(_stiff, (0.0, end), z, method, args=(k,), rtol=rtol, atol=1e-8, jac=jac)
        return sol.t, sol.y, sol.nfev, sol.njev, sol.nlu, sol.status, sol.success, sol.message

    return solution


@pytest.mark.parametrize(("method", "jac"), [("Radau", None), ("BDF", _slopes_of_stiff)], ids=("Radau", "BDF"))
def test_steps_of_stiff_problems_are_scipys(method: str, jac: Any) -> None:
    """All counts too; the exact Jacobian stands in place of SciPy's differences."""
    fun, rng = _stiff_by(method, jac), np.random.default_rng(6)
    jitted = s2s.jit(fun, target="numpy")
    for end in (40.0, 0.3):
        args = rng.uniform(0.03, 0.05), np.array([1.0, 0.0, 0.0]), end, 10 ** rng.uniform(-6, -3)
        for found, expected in zip(jitted(*args), fun(*args), strict=True):
            assert found == expected if isinstance(expected, str) else np.shape(found) == np.shape(expected)
            if not isinstance(expected, str):
                np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-10)


@pytest.mark.parametrize("method", ["Radau", "BDF", "LSODA"])
def test_derivatives_of_stiff_problems_are_those_of_the_solution(method: str) -> None:
    """By the state, and by both ends of time, of a solution that has a formula; and of a batch."""
    def last(z, k, start, end):
        return integrate.solve_ivp(lambda t, z: np.array([-k * (z[0] - 1.0), z[0] - z[1]]), (start, end), z, method, rtol=1e-6, atol=1e-8, jac=lambda t, z: np.array([[-k, 0.0], [1.0, -1.0]])).y[1, -1]

    z, k, start, end = np.array([1.5, 0.4]), 200.0, 0.2, 0.9
    fast, slow = np.exp(-k * (end - start)), np.exp(start - end)
    value = 1.0 + (z[1] - 1.0) * slow + (z[0] - 1.0) * (fast - slow) / (1 - k)
    rise = 1.0 + (z[0] - 1.0) * fast - value
    by_k = (z[0] - 1.0) * ((start - end) * fast * (1 - k) + fast - slow) / (1 - k) ** 2
    found = s2s.jit(s2s.value_and_grad(last, argnums=(0, 1, 2, 3)), target="numpy")(z, k, start, end)
    np.testing.assert_allclose(np.concatenate(([found[0]], found[1][0], [100 * found[1][1]], found[1][2:])), [value, (fast - slow) / (1 - k), slow, 100 * by_k, -rise, rise], rtol=1e-3, atol=2e-4)
    if method != "BDF":
        return
    batch = np.array([z, [0.3, 0.8]])
    outs = s2s.jit(s2s.vmap(last, in_axes=(0, None, None, None)), target="numpy")(batch, k, start, end)
    np.testing.assert_allclose(outs, [last(each, k, start, end) for each in batch], rtol=1e-4)


def test_a_stiff_problem_with_events_and_between_the_steps() -> None:
    def fallen(k, end):
        sol = integrate.solve_ivp(lambda t, z: np.array([-k * (z[0] - np.cos(t))]), (0.0, end), np.array([0.0]), "BDF", events=lambda t, z: z[0] - 0.2, dense_output=True)
        return sol.t_events[0], sol.sol(np.array([0.1, 0.9]))

    for found, expected in zip(s2s.jit(fallen, target="numpy")(500.0, 2.0), fallen(500.0, 2.0), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_what_an_implicit_method_can_not_take() -> None:
    wrong = s2s.jit(lambda z: integrate.solve_ivp(lambda t, z: -z, (0, 1), z, "Radau", jac=np.eye(3)).y, target="numpy")
    with pytest.raises(ValueError, match=r"`jac` is expected to have shape"):
        wrong(np.ones(2))
    with pytest.raises(ValueError, match="`y0` is complex"):
        s2s.jit(lambda z: integrate.solve_ivp(lambda t, z: -z, (0, 1), z, "Radau").y, target="numpy")(np.ones(2) + 0j)


NODES = np.linspace(0.0, 1.0, 5)


def _bratu(x, w):
    sol = integrate.solve_bvp(lambda x, y: np.vstack((y[1], -w * np.exp(y[0]))), lambda a, b: np.array([a[0], b[0]]), x, np.zeros((2, x.size)), tol=1e-7)
    return sol.x, sol.y, sol.yp, sol.niter, sol.status, sol.success, sol.sol(0.3), sol.sol(np.linspace(0.0, 1.0, 4), 1), sol.p is None


def _of_a_parameter(x, w):
    y = np.zeros((2, x.size))
    y[0, 1], y[0, 3] = 1.0, -1.0
    sol = integrate.solve_bvp(lambda x, y, p: [y[1], -(p[0] ** 2) * w * y[0]], lambda a, b, p: [a[0], b[0], a[1] - p[0]], x, y, p=[6])
    return sol.x, sol.y, sol.p, sol.rms_residuals, sol.niter, sol.sol(0.3)


def _given_slopes(x, w):
    def slopes(x, y):
        return np.array([[np.zeros_like(x), np.ones_like(x)], [-w * np.exp(y[0]), np.zeros_like(x)]])

    def end_slopes(a, b):
        return np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([[0.0, 0.0], [1.0, 0.0]])

    sol = integrate.solve_bvp(lambda x, y: np.vstack((y[1], -w * np.exp(y[0]))), lambda a, b: np.array([a[0], b[0]]), x, np.zeros((2, x.size)), fun_jac=slopes, bc_jac=end_slopes, bc_tol=1e-4)
    return sol.x, sol.y, sol.niter


def _with_a_singular_term(x, w):
    term = np.array([[0.0, 0.0], [0.0, -2.0]])
    sol = integrate.solve_bvp(lambda x, y: np.vstack((y[1], -w * y[0] ** 5)), lambda a, b: np.array([a[1], b[0] - 0.75**0.5]), x, np.array([np.full(x.size, 0.9), np.zeros(x.size)]), S=term)
    return sol.x, sol.y, sol.yp, sol.niter


def _without_a_solution(x, w):
    sol = integrate.solve_bvp(lambda x, y: [y[1], 0.0 * y[0]], lambda a, b: [a[1] - 1.0, b[1] - w], x, np.ones((2, x.size)))
    few = integrate.solve_bvp(lambda x, y: [y[1], (y[0] - x) * 4e4], lambda a, b: [a[0] - 1.0, b[0] - w], x, np.ones((2, x.size)), tol=1e-6, max_nodes=60)
    return sol.status, sol.success, few.status, few.niter, few.x


@pytest.mark.parametrize("solve", [_bratu, _of_a_parameter, _given_slopes, _with_a_singular_term, _without_a_solution])
def test_values_at_both_ends(solve):
    found, wanted = s2s.jit(solve, target="numpy")(NODES, 0.9), solve(NODES.copy(), 0.9)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-9)


def test_derivatives_of_values_at_both_ends():
    def middle(w):
        x = np.linspace(0.0, w, 7)
        sol = integrate.solve_bvp(lambda x, y: np.vstack((y[1], -w * np.exp(y[0]))), lambda a, b: np.array([a[0], b[0]]), x, np.zeros((2, 7)), tol=1e-8)
        return sol.sol(0.4)[0]

    slope = (middle(1.001) - middle(0.999)) / 2e-3
    assert abs(s2s.jit(s2s.grad(middle), target="numpy")(1.0) - slope) < 1e-5
    assert abs(s2s.jit(lambda w: s2s.jvp(middle, (w,), (1.0,))[1], target="numpy")(1.0) - slope) < 1e-5


@pytest.mark.parametrize("method", ["RK45", "DOP853", "BDF", "Radau"])
def test_what_becomes_nan_ends_the_steps(method):
    def late(y):
        found = integrate.solve_ivp(lambda t, u: -u * np.sqrt(0.5 - t), (0.0, 1.0), y, method=method)
        return found.status, found.t[-1] <= 0.5

    def at_once(y):
        return integrate.solve_ivp(lambda t, u: u * np.nan, (0.0, 1.0), y, method=method).status

    with np.errstate(all="ignore"):
        assert s2s.jit(late, target="numpy")(np.array([1.0, 2.0])) == (-1, True)
        if method == "RK45":
            assert s2s.jit(at_once, target="numpy")(np.array([1.0])) == -1
        for y in ([np.nan, 1.0], [np.inf, 1.0]):
            with pytest.raises(ValueError, match="All components of the initial state `y0` must be finite"):
                s2s.jit(late, target="numpy")(np.array(y))


def test_odeint_of_nan_ends():
    with np.errstate(all="ignore"), pytest.raises(RuntimeError, match="step size"):
        s2s.jit(lambda y: integrate.odeint(lambda u, t: -u, y, np.linspace(0.0, 1.0, 3)), target="numpy")(np.array([np.nan]))
