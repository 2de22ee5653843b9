"""scipy.optimize's minima of one number, roots of several equations and fits; scipy.integrate.quad; scipy.interpolate.interp1d: SciPy's numbers, and derivatives against differences."""
from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import integrate, interpolate, optimize

import s2s
from s2s.errors import UnsupportedError

RNG = np.random.default_rng(0)
POINTS, VALUES = np.arange(5.0), RNG.normal(size=5)
INSIDE, BEYOND = RNG.uniform(0.1, 3.9, size=6), np.array([-0.5, 0.3, 2.0, 4.7])


def read(f):
    return s2s.jit(f, target="numpy")


# ---- minima of functions of one number -----------------------------------------------------------------------------------------

MINIMA = {
    "brent": lambda s: optimize.minimize_scalar(lambda y: (y - s) ** 4 + y * s), "two": lambda s: optimize.minimize_scalar(lambda y: np.cos(y * s) + y * y / 9, bracket=(0.0, 2.0)),
    "three": lambda s: optimize.minimize_scalar(lambda y: np.cos(y * s) + y * y / 9, bracket=(0.0, 2.0, 19.0)), "bounded": lambda s: optimize.minimize_scalar(lambda y: np.cos(y * s) + y * y / 9, bounds=(0.0, 4.0)),
    "args": lambda s: optimize.minimize_scalar(lambda y, c: (y - c) ** 2 + np.abs(y) ** 3, args=(s,), bounds=(0.0, 2.0), method="bounded", options={"xatol": 1e-9}),
    "tolerance": lambda s: optimize.minimize_scalar(lambda y: np.exp(y) - s * y, tol=1e-10), "far": lambda s: optimize.minimize_scalar(lambda y: (y - 1000.0 * s) ** 2),
    "sections": lambda s: optimize.minimize_scalar(lambda y: np.cos(y * s) + y * y / 9, method="golden"), "sections of three": lambda s: optimize.minimize_scalar(lambda y: (y - s) ** 2, bracket=(0, 1, 5), method="golden", tol=1e-3),
    "few sections": lambda s: optimize.minimize_scalar(lambda y: (y - s) ** 2, bracket=(6.0, 1.0, 0.0), method="golden", options={"maxiter": 4}),
    "at a bound": lambda s: optimize.minimize_scalar(lambda y: (y - s) ** 2, bounds=(1.5, 4.0)),
}  # fmt: skip


@pytest.mark.parametrize("name", MINIMA)
def test_minima_take_the_library_s_steps(name):
    for s in (0.7, 1.2):
        wanted = MINIMA[name](s)
        x, fun, nit, nfev, success = read(lambda s: parts(MINIMA[name](s)))(s)
        assert (nit, nfev, success) == (wanted.nit, wanted.nfev, wanted.success)
        np.testing.assert_allclose((x, fun), (wanted.x, wanted.fun), rtol=1e-12)


def test_golden_sections_alone():
    def least(s):
        return optimize.golden(lambda y, c: (y - c) ** 2 * (1 + y * y / 9), args=(s,), full_output=True)

    assert read(least)(0.7)[2] == least(0.7)[2]
    np.testing.assert_allclose(s2s.grad(lambda s: least(s)[0])(2.0), 1.0, rtol=1e-7)  # the minimum is s


def parts(r):
    return r.x, r.fun, r.nit, r.nfev, r.success


def test_derivatives_of_minima():
    found = s2s.jit(lambda s: optimize.minimize_scalar(lambda y: np.exp(y) - s * y, tol=1e-10).x, target="numpy")
    assert np.allclose((s2s.grad(found)(1.7), s2s.grad(s2s.grad(found))(1.7)), (1 / 1.7, -1 / 1.7**2), rtol=1e-6)  # log(s)
    bound = s2s.jit(lambda s, low: optimize.minimize_scalar(lambda y: (y - s) ** 2, bounds=(low, 4.0)).x, target="numpy")
    assert s2s.grad(bound, argnums=(0, 1))(0.7, 1.5) == (0.0, 1.0)
    np.testing.assert_allclose(s2s.grad(bound, argnums=(0, 1))(2.7, 1.5), (1.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(s2s.vmap(found)(np.array([1.0, 2.0, 3.0])), np.log([1.0, 2.0, 3.0]), atol=1e-7)


@pytest.mark.parametrize("f", [
    lambda s: optimize.minimize_scalar(lambda y: (y - s) ** 2, bracket=(0.0, 3.0, 2.0)).x, lambda s: optimize.minimize_scalar(lambda y: (y - s) ** 2, bracket=(1.0,)).x,
    lambda s: optimize.minimize_scalar(lambda y: (y - s) ** 2, bounds=(2.0, 1.0)).x, lambda s: optimize.minimize_scalar(lambda y: (y - s) ** 2, bounds=(0.0, np.inf)).x,
    lambda s: optimize.minimize_scalar(lambda y: (y - s) ** 2, bounds=(0.0, 1.0), method="brent").x, lambda s: optimize.minimize_scalar(lambda y: (y - s) ** 2, method="bounded").x,
])  # fmt: skip
def test_exceptions_of_minima(f):
    with pytest.raises(ValueError) as wanted:  # noqa: PT011
        f(0.7)
    with pytest.raises(ValueError) as found:  # noqa: PT011
        read(f)(0.7)
    assert str(found.value).splitlines()[0] == str(wanted.value).splitlines()[0]


# ---- several equations ---------------------------------------------------------------------------------------------------------------


def system(y, a):
    return [y[0] * np.cos(y[1]) - 4.0 * a, y[1] * y[0] - y[1] - 5.0]


def test_roots_of_systems():
    def f(a):
        return optimize.fsolve(system, [1.0, 1.0], args=(a,))

    found = read(f)
    for a in (0.7, 1.0):
        np.testing.assert_allclose(found(a), f(a), rtol=1e-7)
    np.testing.assert_allclose(s2s.jacfwd(found)(0.9), (found(0.9 + 1e-6) - found(0.9 - 1e-6)) / 2e-6, rtol=1e-6)
    s2s.check_grads(found, (0.9,), order=2)
    one = read(lambda x: optimize.fsolve(lambda y: y**3 - x, np.ones(5), fprime=lambda y: np.diag(3 * y**2)))
    x = np.arange(1.0, 6.0)
    np.testing.assert_allclose(one(x), np.cbrt(x), rtol=1e-9)
    s2s.check_grads(one, (x,), order=2)
    np.testing.assert_allclose(read(lambda a: optimize.fsolve(lambda y: y**3 - a, 1.0))(0.7), [0.7 ** (1 / 3)], rtol=1e-12)


def test_what_has_no_root_is_an_error():
    with pytest.raises(RuntimeError, match="good progress"):
        read(lambda a: optimize.fsolve(lambda y: y**2 + a, 1.3))(1.0)
    with pytest.raises(TypeError, match="mismatch"):
        read(lambda x: optimize.fsolve(lambda y: y[:1] - x[:1], np.ones(2)))(np.ones(3))
    with pytest.raises(UnsupportedError, match="col_deriv"):
        read(lambda a: optimize.fsolve(lambda y: y - a, 1.0, col_deriv=True))(1.0)


# ---- fits -----------------------------------------------------------------------------------------------------------------------------


def decay(t, a, c):
    return a * np.exp(-c * t) + 0.1


@pytest.mark.parametrize("words", [{}, {"sigma": 0.1 + 0.02 * POINTS}, {"sigma": 0.1 + 0.02 * POINTS, "absolute_sigma": True}, {"sigma": np.eye(5) + 0.2}])
def test_fits(words):
    def f(y):
        return optimize.curve_fit(decay, POINTS, y, p0=(1.0, 0.5), **words)

    y = decay(POINTS, 2.0, 0.7) + 0.03 * RNG.normal(size=5)
    found = read(f)
    for one, other in zip(found(y), f(y), strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-4)
    total = read(lambda y: np.sum(f(y)[0] ** 2) + np.sum(np.sqrt(np.diagonal(f(y)[1]))))
    slope, step, way = s2s.grad(total), 1e-4, RNG.normal(size=5)
    np.testing.assert_allclose(slope(y) @ way, (total(y + step * way) - total(y - step * way)) / (2 * step), rtol=1e-4)
    np.testing.assert_allclose(s2s.jvp(slope, (y,), (way,))[1], (slope(y + step * way) - slope(y - step * way)) / (2 * step), rtol=1e-3)
    np.testing.assert_allclose(s2s.vmap(read(lambda y: f(y)[0]))(np.stack((y, 1.1 * y))), np.stack((found(y)[0], found(1.1 * y)[0])), rtol=1e-8)


@pytest.mark.parametrize("x_scale", [[1000, 1, 1], "jac"])
def test_fits_of_parameters_of_other_sizes(x_scale):
    places = np.linspace(0.0, 4.0, 50)
    sizes = (500000.0, 0.01, 15.0) if x_scale != "jac" else (300.0, 0.8, 1e-3)

    def f(y):
        return optimize.curve_fit(lambda x, a, b, c: a * np.exp(-b * x) + c, places, y, method="trf", x_scale=x_scale)[0]

    found = read(f)(sizes[0] * np.exp(-sizes[1] * places) + sizes[2])
    np.testing.assert_allclose(sizes[0] * np.exp(-sizes[1] * places) - found[0] * np.exp(-found[1] * places), found[2] - sizes[2], atol=1e-6 * sizes[0])
    with pytest.raises(ValueError, match="x_scale"):
        read(lambda y: optimize.least_squares(lambda p: p - y, y, x_scale=-1.0).x)(places)


def test_fits_that_are_refused_or_fail():
    for f in (lambda y: optimize.curve_fit(np.hypot, POINTS, y), lambda y: optimize.curve_fit(decay, POINTS, y, p0=(1.0, 1.0), full_output=True)[2]["nfev"]):
        with pytest.raises(UnsupportedError, match="curve_fit|SciPy gives"):
            read(f)(VALUES)
    with pytest.raises(ValueError, match="infs or NaNs"):
        read(lambda y: optimize.curve_fit(decay, POINTS, y, p0=(1.0, 1.0))[0])(np.array([1.0, np.nan, 1.0, 1.0, 1.0]))
    with pytest.raises(TypeError, match="must not exceed"):
        read(lambda y: optimize.curve_fit(decay, POINTS[:1], y[:1], p0=(1.0, 1.0))[0])(VALUES)


# ---- integrals ------------------------------------------------------------------------------------------------------------------------

INTEGRALS = {
    "smooth": lambda s: integrate.quad(lambda t: np.exp(-s * t), 0.0, 1.0), "half line": lambda s: integrate.quad(lambda t: np.exp(-t * t * s), 0.0, np.inf),
    "line": lambda s: integrate.quad(lambda t: np.exp(-t * t * s), -np.inf, np.inf), "backwards": lambda s: integrate.quad(lambda t: np.exp(-t * t * s), np.inf, -np.inf),
    "from below": lambda s: integrate.quad(np.exp, -np.inf, s), "args": lambda s: integrate.quad(lambda t, a, b: np.exp(-a * t) * b, 0.0, 1.0, args=(s, 2.0)),
    "waves": lambda s: integrate.quad(lambda t: np.sin(40 * t) / (t * t + 0.01 * s), 0.0, 3.0), "kink": lambda s: integrate.quad(lambda t: np.abs(t - s), 0.0, 3.0),
    "ends": lambda s: integrate.quad(lambda t: t * s, s, 2 * s), "turned": lambda s: integrate.quad(lambda t: t * s, 2.0, 0), "root": lambda s: integrate.quad(lambda t: t**s, 0, 2), "nothing": lambda s: integrate.quad(lambda t: t * s, 1.0, 1.0),
}  # fmt: skip


@pytest.mark.parametrize("name", INTEGRALS)
def test_integrals(name):
    found, error = read(INTEGRALS[name])(0.7)
    wanted, _ = INTEGRALS[name](0.7)
    assert type(found) is type(error) is float
    assert abs(found - wanted) <= 2e-8 * max(1.0, abs(wanted))
    assert error <= 1.5e-8 * max(1.0, abs(wanted))
    if name != "nothing":
        slope = (INTEGRALS[name](0.7 + 1e-4)[0] - INTEGRALS[name](0.7 - 1e-4)[0]) / 2e-4
        assert abs(s2s.grad(lambda s: INTEGRALS[name](s)[0])(0.7) - slope) < 2e-4 * max(1.0, abs(slope))


def test_integrals_of_complex_functions():
    for f in (
        lambda s: integrate.quad(lambda t: np.exp(-1j * s * t), 0.0, 1.0, complex_func=True), lambda s: integrate.quad(lambda t, b: np.exp(-(1 + 1j * b) * t), 0.0, np.inf, (s,), complex_func=True),
        lambda s: integrate.quad(lambda t: 1j * s * t, 0.0, 1.0, weight="cos", wvar=3.0, complex_func=True),
    ):  # fmt: skip
        found, wanted = read(f)(0.7), f(0.7)
        assert found[0] == pytest.approx(wanted[0], rel=1e-8)
        assert abs(found[1]) < 1e-7
    f = read(lambda s: np.abs(integrate.quad(lambda t: np.exp(-1j * s * t), 0.0, 1.0, complex_func=True)[0]))
    assert s2s.grad(f)(0.7) == pytest.approx((f(0.7 + 1e-5) - f(0.7 - 1e-5)) / 2e-5, rel=1e-6)


def test_integrals_that_do_not_converge_or_are_refused():
    with pytest.raises(RuntimeError, match="subdivisions"):
        read(lambda s: integrate.quad(lambda t: s / t, 0.0, 1.0)[0])(1.0)
    with pytest.raises(UnsupportedError, match="neval"):
        read(lambda s: integrate.quad(lambda t: s * t, 0.0, 1.0, full_output=1)[2]["neval"])(1.0)
    value, error, _ = integrate.quad(lambda t: np.exp(t), 0.0, 1.0, full_output=1)
    found = read(lambda s: integrate.quad(lambda t: np.exp(s * t), 0.0, 1.0, full_output=1)[:2])(1.0)
    np.testing.assert_allclose(found, (value, error), atol=1e-9)


# ---- lines and steps between points -----------------------------------------------------------------------------------------------------

LINES = {
    "numbers": lambda y, s: interpolate.interp1d(POINTS, y)(s), "arrays": lambda y, s: interpolate.interp1d(POINTS, y)(s * np.array([[0.1, 1.0], [2.0, 0.5]])),
    "beyond": lambda y, s: interpolate.interp1d(POINTS, y, fill_value="extrapolate")(BEYOND * s), "filled": lambda y, s: interpolate.interp1d(POINTS, y, bounds_error=False, fill_value=(s, 2.0))(BEYOND),
    "nan": lambda y, s: np.nan_to_num(interpolate.interp1d(POINTS, y, bounds_error=False)(BEYOND)), "unsorted": lambda y, s: interpolate.interp1d(np.array([3.0, 0.0, 1.0, 4.0, 2.0]), y)(INSIDE),
    "last axis": lambda y, s: interpolate.interp1d(POINTS, np.stack((y, s * y)))(INSIDE), "first axis": lambda y, s: interpolate.interp1d(POINTS, np.outer(y, y), axis=0)(s * INSIDE[:, None] * 0.5 + 0.3),
    **{kind: lambda y, s, kind=kind: interpolate.interp1d(POINTS, y, kind=kind)(np.append(INSIDE, POINTS)) for kind in ("nearest", "nearest-up", "previous", "next", "slinear")},
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_lines(name):
    args = VALUES, 1.3
    found, wanted = read(LINES[name])(*args), LINES[name](*args)
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14)
    s2s.check_grads(read(LINES[name]), args, order=2)


def test_lines_beyond_their_points():
    for x in (np.array([-1.0, 9.0]), np.array([1.0, 9.0])):
        with pytest.raises(ValueError, match="interpolation range") as wanted:
            interpolate.interp1d(POINTS, VALUES)(x)
        with pytest.raises(ValueError, match="interpolation range") as found:
            read(lambda y, x: interpolate.interp1d(POINTS, y)(x))(VALUES, x)
        assert str(found.value).splitlines()[0] == str(wanted.value)


def test_compiled():
    def f(s, y):
        root = optimize.fsolve(system, [1.0, 1.0], args=(s,))
        fit = optimize.curve_fit(decay, POINTS, y, p0=(1.0, 0.5))[0]
        return optimize.minimize_scalar(lambda z: np.exp(z) - s * z).x * np.sum(root) + integrate.quad(lambda t: np.exp(-s * t * t), 0.0, np.inf)[0] + np.sum(fit) + interpolate.interp1d(POINTS, y)(s)

    y = decay(POINTS, 2.0, 0.7) + 0.03 * np.cos(POINTS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert abs(s2s.jit(f)(0.7, y) - f(0.7, y)) < 1e-5
    assert abs(s2s.grad(f)(0.7, y) - (f(0.7 + 1e-4, y) - f(0.7 - 1e-4, y)) / 2e-4) < 1e-2


def _waves(x):
    return np.sum(np.cos(x) * x + x**4)


def _slopes_of_waves(x):
    return np.cos(x) - x * np.sin(x) + 4 * x**3


LINE_SEARCHES = [
    lambda x, p: optimize.line_search(_waves, _slopes_of_waves, x, p), lambda x, p: optimize.line_search(_waves, _slopes_of_waves, x, p, c2=0.1), lambda x, p: optimize.line_search(_waves, _slopes_of_waves, x, p, amax=0.3),
    lambda x, p: optimize.line_search(_waves, _slopes_of_waves, x, p, gfk=_slopes_of_waves(x), old_fval=_waves(x), old_old_fval=_waves(x) + 0.5, c2=0.3), lambda x, p: optimize.line_search(_waves, _slopes_of_waves, x, p, maxiter=1, c2=0.001),
    lambda x, p: optimize.line_search(_waves, _slopes_of_waves, x, p, extra_condition=lambda step, x, f, slopes: step > 0.05),
]  # fmt: skip


@pytest.mark.parametrize("search", LINE_SEARCHES)
def test_line_searches(search):
    rng, compiled = np.random.default_rng(0), s2s.jit(search, target="numpy")
    for k in range(12):
        x = rng.normal(size=3) * (0.5, 1.0, 2.0)[k % 3]
        p = -_slopes_of_waves(x) * (1.0, 0.01, 0.1)[k // 3 % 3] * (-1.0 if k == 11 else 1.0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = search(x, p)
        for one, other in zip(compiled(x, p), wanted, strict=True):
            assert (one is None) == (other is None)
            if other is not None:
                np.testing.assert_allclose(one, other, rtol=1e-9)


def test_derivatives_of_steps():
    def value(x):
        return optimize.line_search(_waves, _slopes_of_waves, x, -_slopes_of_waves(x), c2=0.1)[3]

    x, along = np.array([0.9, -1.2, 0.4]), np.array([0.3, 0.1, -0.5])
    slope = (value(x + 1e-6 * along) - value(x - 1e-6 * along)) / 2e-6
    assert abs(s2s.jit(s2s.grad(value), target="numpy")(x) @ along - slope) < 1e-5
    assert abs(s2s.jit(lambda x: s2s.jvp(value, (x,), (along,))[1], target="numpy")(x) - slope) < 1e-5
