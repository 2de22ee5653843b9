"""scipy.interpolate: splines, interpolants of several variables and polynomials through points: SciPy's numbers, derivatives against differences."""
from __future__ import annotations

import numpy as np
import pytest
from scipy import interpolate

import s2s

pytestmark = pytest.mark.filterwarnings("ignore:`(lagrange|pade)` is deprecated")
RNG = np.random.default_rng(8)
X = np.cumsum(RNG.uniform(0.3, 1.0, size=8))
Y = RNG.normal(size=(8, 2))
AT = RNG.uniform(X[0], X[-1], size=(2, 3))
GRID = (np.cumsum(RNG.uniform(0.5, 1.0, 5)), np.cumsum(RNG.uniform(0.5, 1.0, 6)))
TABLE = RNG.normal(size=(5, 6))
SURFACE_KNOTS = (*interpolate.RectBivariateSpline(*GRID, TABLE).tck, 3, 3)
PLACES = np.stack([RNG.uniform(GRID[0][0], GRID[0][-1], 7), RNG.uniform(GRID[1][0], GRID[1][-1], 7)], axis=1)
FORMS = {
    **{f"interp1d {kind}": lambda x, y, a, kind=kind: interpolate.interp1d(x, y, kind=kind, axis=0)(a) for kind in ("cubic", "quadratic", "zero", 3, 5)},
    "interp1d beyond": lambda x, y, a: interpolate.interp1d(x, y[:, 0], kind="cubic", fill_value="extrapolate")(a + 2.0), "interp1d filled": lambda x, y, a: interpolate.interp1d(x, y[:, 0], kind="cubic", bounds_error=False, fill_value=(0.0, 1.0))(a + 2.0),
    "axis": lambda x, y, a: interpolate.CubicSpline(x, y.T, axis=1)(a, 1), "last axis": lambda x, y, a: interpolate.PchipInterpolator(x, y.T, axis=-1).antiderivative()(a),
    "akima": lambda x, y, a: interpolate.Akima1DInterpolator(x, y)(a), "makima": lambda x, y, a: interpolate.Akima1DInterpolator(x, y.T, axis=1, method="makima")(a), "akima beyond": lambda x, y, a: interpolate.Akima1DInterpolator(x, y)(a + 2.0),
    "hermite": lambda x, y, a: interpolate.CubicHermiteSpline(x, y, y * 0.5)(a), "ppoly": lambda x, y, a: interpolate.PPoly(np.stack((y[:-1], y[1:], y[:-1] * 2)), x)(a, 1), "pchip": lambda x, y, a: interpolate.pchip_interpolate(x, y[:, 0], a, der=1),
    "bspline": lambda x, y, a: interpolate.BSpline(np.arange(12.0), y, 3)(a + 2.0), "bspline ends": lambda x, y, a: interpolate.BSpline(np.arange(12.0), y, 3, extrapolate=False)(a + 2.0, 1), "bspline derivative": lambda x, y, a: interpolate.BSpline(np.arange(12.0), y, 3).derivative(2).c,
    "bspline integral": lambda x, y, a: interpolate.BSpline(np.arange(12.0), y, 3).integrate(3.2, 6.5),
    **{f"spline {k}": lambda x, y, a, k=k: interpolate.make_interp_spline(x, y, k=k)(a) for k in range(6)}, "coefficients": lambda x, y, a: interpolate.make_interp_spline(x, y).c, "natural": lambda x, y, a: interpolate.make_interp_spline(x, y, bc_type="natural")(a), "clamped": lambda x, y, a: interpolate.make_interp_spline(x, y, bc_type="clamped")(a, nu=2),
    "splev": lambda x, y, a: interpolate.splev(a, interpolate.splrep(x, y[:, 0])), "splev of slopes": lambda x, y, a: interpolate.splev(a + 2.0, interpolate.splrep(x, y[:, 0], k=2, s=0), der=1, ext=1), "splev at ends": lambda x, y, a: interpolate.splev(a + 2.0, interpolate.splrep(x, y[:, 0]), ext=3),
    "splint": lambda x, y, a: interpolate.splint(x[1], x[-1] + 1.0, interpolate.splrep(x, y[:, 0])), "univariate": lambda x, y, a: interpolate.UnivariateSpline(x, y[:, 0], s=0)(a), "integral": lambda x, y, a: interpolate.InterpolatedUnivariateSpline(x, y[:, 0], k=4).integral(x[1], x[3]),
    "splder": lambda x, y, a: interpolate.splev(a, interpolate.splder(interpolate.splrep(x, y[:, 0]), 2)), "splantider": lambda x, y, a: interpolate.splantider(interpolate.splrep(x, y[:, 0]))[1], "ext": lambda x, y, a: interpolate.InterpolatedUnivariateSpline(x, y[:, 0], ext=1)(a + 2.0), "univariate's": lambda x, y, a: interpolate.InterpolatedUnivariateSpline(x, y[:, 0]).derivatives(a[0, 0]) + interpolate.InterpolatedUnivariateSpline(x, y[:, 0]).get_coeffs()[:4],
    "smoothing": lambda x, y, a: interpolate.make_smoothing_spline(x, y, lam=0.1)(a), "smoothing, weighted": lambda x, y, a: interpolate.make_smoothing_spline(x, y.T, w=x, lam=2.0, axis=1).derivative()(a + 2.0), "smoothing coefficients": lambda x, y, a: interpolate.make_smoothing_spline(x, y[:, 0], lam=0.3).c,
    "near": lambda x, y, a: interpolate.UnivariateSpline(x, y[:, 0], s=1.5)(a), "near, weighted": lambda x, y, a: interpolate.UnivariateSpline(x, y[:, 0], w=x**2, k=2, s=4.0).derivative()(a), "near, usual": lambda x, y, a: interpolate.UnivariateSpline(x, 5 * y[:, 0])(a),
    "splrep near": lambda x, y, a: interpolate.splrep(x, y[:, 0], s=0.8)[1][:5], "splrep, weighted": lambda x, y, a: interpolate.splev(a, interpolate.splrep(x, y[:, 0], w=3.0 * x)), "splrep of knots": lambda x, y, a: interpolate.splev(a, interpolate.splrep(x, y[:, 0], t=x[3:5])),
    "curve": lambda x, y, a: np.stack(interpolate.splev(a / 6.0, interpolate.splprep([x, y[:, 0]], s=0)[0])), "curve near": lambda x, y, a: np.stack(interpolate.splev(a / 6.0, interpolate.splprep(y.T, s=2.0)[0])), "along": lambda x, y, a: interpolate.splprep([x, y[:, 0], y[:, 1]])[1],
    "surface integral": lambda x, y, a: interpolate.RectBivariateSpline(x, x[:5], np.outer(y[:, 0], y[:5, 1])).integral(x[1] - 0.1, x[4], x[0] - 1.0, x[3] + 0.1),
    "least squares": lambda x, y, a: interpolate.make_lsq_spline(x, y, np.concatenate((np.full(4, x[0]), x[3:5], np.full(4, x[-1]))), w=np.arange(1.0, 9.0))(a), "least squares, univariate": lambda x, y, a: interpolate.LSQUnivariateSpline(x, y[:, 0], x[3:4], k=2)(a), "periodic": lambda x, y, a: interpolate.CubicSpline(x, np.concatenate((y[:-1], y[:1])), bc_type="periodic")(a * 2.0, 1),
    **{f"cubic {k}": lambda x, y, a, ends=ends: interpolate.CubicSpline(x, y, bc_type=ends)(a, 1) for k, ends in enumerate(("clamped", ["not-a-knot", (2, np.array([0.3, 0.1]))], ((1, np.array([0.3, 0.1])), "natural")))},
    **{f"cubic through {n}, {ends}": lambda x, y, a, n=n, ends=ends: interpolate.CubicSpline(x[:n], np.concatenate((y[: n - 1], y[:1])), bc_type=ends)(a) for n in (2, 3, 4) for ends in ("periodic", "natural", ("not-a-knot", (1, np.array([0.3, 0.1]))))},
    **{f"roots {beyond}": lambda x, y, a, beyond=beyond: interpolate.CubicSpline(x, y[:, 0], extrapolate=beyond).roots() for beyond in (True, False, "periodic")}, "solve": lambda x, y, a: interpolate.PchipInterpolator(x, y[:, 0]).solve(0.2, extrapolate=False), "jumps": lambda x, y, a: interpolate.PPoly(np.array([[0.0, 0.0, 1.0], [0.0, 2.0, 0.0], [-1.0, 1.0, 0.0]]), x[:4]).roots(),
    "bisplev": lambda x, y, a: interpolate.bisplev(np.sort(a[0]), np.sort(a[1]), SURFACE_KNOTS), "bisplev at one": lambda x, y, a: interpolate.bisplev(a[0, 0], np.sort(a[1]), SURFACE_KNOTS, dy=1) + interpolate.bisplev(a[0, 0], a[0, 1] + 9.0, SURFACE_KNOTS, 1),
    "parts are zero": lambda x, y, a: interpolate.PPoly(np.array([[0.0, 0.0, 1.0], [0.0, 2.0, 0.0], [0.0, -1.0, -0.01]]), x[:4]).solve(extrapolate=False), "antiderivative of less": lambda x, y, a: interpolate.CubicSpline(x, y).derivative(-1)(a),
    **{f"integral {beyond} {a}": lambda x, y, at, beyond=beyond, a=a: interpolate.CubicSpline(x, y).integrate(a, 5.0, beyond) for beyond in (None, True, "periodic") for a in (1.0, 9.0, -30.0)},
    "griddata of a line": lambda x, y, a: interpolate.griddata(x[::-1], y[:, 0], a + 1.0, fill_value=0.5), "griddata of a line, nearest": lambda x, y, a: interpolate.griddata(x, y, a[0], "nearest"),
    "lagrange": lambda x, y, a: interpolate.lagrange(x[:5], y[:5, 0])(a), "lagrange's coefficients": lambda x, y, a: interpolate.lagrange(x[:5], y[:5, 0]).coef, "pade": lambda x, y, a: interpolate.pade(y[:, 0], 3)[0](a) / interpolate.pade(y[:, 0], 2, 3)[1](a),
    **{f"insert {k}": lambda x, y, a, k=k: interpolate.insert(a[0, 0], interpolate.splrep(x, y[:, 0], k=k))[1][: -k - 1] for k in (1, 2, 3)}, "inserted": lambda x, y, a: interpolate.insert(x[3], interpolate.splrep(x, y[:, 0]))[0], "at the last knot": lambda x, y, a: interpolate.insert(x[-1], interpolate.splrep(x, y[:, 0]))[1][:-4],
    "given knots": lambda x, y, a: interpolate.make_interp_spline(x, y, t=np.concatenate((np.full(4, x[0]), (x[2:-2] + x[1:-3]) / 2, np.full(4, x[-1]))))(a), "given knots of degree 2": lambda x, y, a: interpolate.make_interp_spline(x, y, 2, np.concatenate((np.full(3, x[0]), x[2:-1] - 0.1, np.full(3, x[-1]))))(a),
    "from a spline": lambda x, y, a: interpolate.PPoly.from_spline(interpolate.splrep(x, y[:, 0]))(a, 1), "from an object": lambda x, y, a: interpolate.PPoly.from_spline(interpolate.make_interp_spline(x, y[:, 0]))(a + 3.0), "roots of a spline": lambda x, y, a: interpolate.PPoly.from_spline(interpolate.splrep(x, y[:, 0])).roots(extrapolate=False),
    "barycentric": lambda x, y, a: interpolate.BarycentricInterpolator(x, y)(a), "krogh": lambda x, y, a: interpolate.krogh_interpolate(x, y, a), "at the points": lambda x, y, a: interpolate.barycentric_interpolate(x, y[:, 0], x),
}  # fmt: skip
TABLES = {
    "slinear": lambda u, v, z, p: interpolate.RegularGridInterpolator((u, v), z, method="slinear")(p), "surface's slopes": lambda u, v, z, p: interpolate.RectBivariateSpline(u, v, z).ev(p[:, 0], p[:, 1], dx=1) + interpolate.RectBivariateSpline(u, v, z, kx=2).ev(p[:, 0], p[:, 1], dy=2), "surface's slopes on a grid": lambda u, v, z, p: interpolate.RectBivariateSpline(u, v, z)(u[:2], v[1:3], dx=1, dy=1),
    "nearest point": lambda u, v, z, p: interpolate.NearestNDInterpolator(p, p[:, 0])(u, v[:5]) * z[0, 0], "griddata nearest": lambda u, v, z, p: interpolate.griddata(p, p * z[0, 0], (u[:, None], v), method="nearest"),
    "linear": lambda u, v, z, p: interpolate.RegularGridInterpolator((u, v), z)(p), "nearest": lambda u, v, z, p: interpolate.RegularGridInterpolator((u, v), z, method="nearest")(p), "beyond": lambda u, v, z, p: interpolate.RegularGridInterpolator((u, v), z, bounds_error=False, fill_value=None)(p + 1.0),
    "filled": lambda u, v, z, p: interpolate.RegularGridInterpolator((u, v), z, bounds_error=False, fill_value=0.5)(p + 1.0), "pair": lambda u, v, z, p: interpolate.RegularGridInterpolator((u, v), z)((p[:, 0], p[:, 1])), "one": lambda u, v, z, p: interpolate.RegularGridInterpolator((u, v), z)(p[0]),
    "one of numbers": lambda u, v, z, p: interpolate.RegularGridInterpolator((u, v), z)((p[0, 0], p[0, 1])), "interpn of numbers": lambda u, v, z, p: interpolate.interpn((u, v), z, (p[0, 0], p[0, 1])), "interpn of columns": lambda u, v, z, p: interpolate.interpn((u, v), z, (p[:, 0], p[:, 1])),
    "line": lambda u, v, z, p: interpolate.RegularGridInterpolator((u,), z)(p[:, 0]), "interpn": lambda u, v, z, p: interpolate.interpn((u, v), z, p), "surface": lambda u, v, z, p: interpolate.RectBivariateSpline(u, v, z)(np.sort(p[:, 0]), np.sort(p[:, 1])),
    "surface at points": lambda u, v, z, p: interpolate.RectBivariateSpline(u, v, z, kx=2).ev(p[:, 0] + 0.5, p[:, 1]),
    **{f"old {name}": lambda u, v, z, p, name=name: interpolate.Rbf(p[:, 0], p[:, 1], np.sin(p[:, 0]), function=name, epsilon=None if name == "cubic" else 1.3, smooth=0.1)(p[:3, 0] * 0.9, p[:3, 1]) for name in ("multiquadric", "inverse", "gaussian", "linear", "cubic", "quintic", "thin_plate")},
    "old of several values": lambda u, v, z, p: interpolate.Rbf(*p.T, np.sin(p), mode="N-D")(p[:2, :1] * 0.9, p[:2, 1:]), "old nodes": lambda u, v, z, p: interpolate.Rbf(p[:, 0], p[:, 1], p[:, 0]).nodes,
    **{kernel: lambda u, v, z, p, kernel=kernel: interpolate.RBFInterpolator(p, np.sin(p), kernel=kernel, epsilon=1.3, smoothing=0.1)(p[:3] * 0.9) for kernel in ("thin_plate_spline", "linear", "cubic", "multiquadric", "inverse_multiquadric", "inverse_quadratic", "gaussian")},
}  # fmt: skip
CASES = {**{name: (f, (X, Y, AT)) for name, f in FORMS.items()}, **{name: (f, (*GRID, TABLE, PLACES)) for name, f in TABLES.items()}}


@pytest.mark.parametrize("name", CASES)
def test_the_library_s_numbers(name):
    f, args = CASES[name]
    found, wanted = s2s.jit(f, target="numpy")(*args), f(*args)
    assert (np.asarray(found).dtype, np.shape(found)) == (np.asarray(wanted).dtype, np.shape(wanted))
    np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-9)


SLOPES = ("near", "near, weighted", "near, usual", "splrep near", "splrep, weighted", "splrep of knots", "curve", "curve near", "along", "surface integral", "old multiquadric", "old cubic", "old gaussian", "lagrange", "pade", "insert 3", "inserted", "given knots", "from a spline", "cubic 2", "cubic through 3, periodic", "roots True", "solve", "jumps", "integral periodic -30.0", "interp1d cubic", "axis", "makima", "hermite", "ppoly", "bspline ends", "bspline integral", "spline 2", "natural", "splint", "krogh", "filled", "line", "surface", "surface at points", "thin_plate_spline", "gaussian")


@pytest.mark.parametrize("name", SLOPES)
def test_derivatives(name):
    f, args = CASES[name]

    def total(*args):
        return np.nansum(np.sin(f(*args)))

    turns = [RNG.normal(size=each.shape) for each in args]
    ahead, behind = [total(*[each + step * turn for each, turn in zip(args, turns, strict=True)]) for step in (1e-6, -1e-6)]
    slopes = s2s.grad(s2s.jit(total, target="numpy"), argnums=tuple(range(len(args))))(*args)
    np.testing.assert_allclose(sum(np.sum(slope * turn) for slope, turn in zip(slopes, turns, strict=True)), (ahead - behind) / 2e-6, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize(("f", "error"), [
    (lambda x, y: interpolate.make_interp_spline(x[::-1], y)(x), ValueError), (lambda x, y: interpolate.RegularGridInterpolator((x,), y)(x + 1.0), ValueError), (lambda x, y: interpolate.RegularGridInterpolator((x[1:],), y)(x), ValueError),
    (lambda x, y: interpolate.UnivariateSpline(x[::-1], y[:, 0])(x), ValueError), (lambda x, y: interpolate.splrep(x, y[:, 0], s=0.1, per=1)[1], s2s.UnsupportedError),
])  # fmt: skip
def test_exceptions(f, error):
    with pytest.raises(error):
        s2s.jit(f, target="numpy")(X, Y)


def test_knots_are_fitpacks():
    """Samples with more or less noise, few and many, whose splines take from no inner knot to one at each sample."""
    f = s2s.jit(lambda x, y, w, s: (interpolate.splrep(x, y, w, s=s), interpolate.UnivariateSpline(x, y, w, k=2, s=s)(x), interpolate.splprep(y.reshape(2, -1), s=s)[0]), target="numpy")
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x, w = np.sort(rng.uniform(0, 10, 2 * rng.integers(5, 25))), rng.uniform(0.5, 2.0)
        y, s = np.sin(x) + 0.3 * rng.normal(size=x.size), float(rng.choice([0.01, 0.1, 1.0, 0.1 * x.size, x.size, 5.0 * x.size]))
        (t, c, _), along, curve = f(x, y, np.full(x.size, w), s)
        (knots, wanted, _), spline, path = interpolate.splrep(x, y, np.full(x.size, w), s=s), interpolate.UnivariateSpline(x, y, np.full(x.size, w), k=2, s=s)(x), interpolate.splprep(y.reshape(2, -1), s=s)[0]
        np.testing.assert_allclose(t, knots)
        np.testing.assert_allclose(c[:-4], wanted[:-4], rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(along, spline, rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(curve[0], path[0])
        np.testing.assert_allclose(np.stack(curve[1]), np.stack(path[1]), rtol=1e-5, atol=1e-7)


def test_compiled_near_samples():
    def f(x, y, a):
        return interpolate.UnivariateSpline(x, y[:, 0], s=1.5)(a), interpolate.splrep(x, y[:, 1], s=0.1)[0]

    for found, wanted in zip(s2s.jit(f)(X, Y, AT), f(X, Y, AT), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-8)


def test_compiled():
    def f(x, y, a, u, v, z, p):
        return interpolate.make_interp_spline(x, y)(a), interpolate.RegularGridInterpolator((u, v), z)(p)

    args = (X, Y, AT, *GRID, TABLE, PLACES)
    for found, wanted in zip(s2s.jit(f)(*args), f(*args), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-9)


STEPS = np.arange(8.0)
MADE = {
    **{name: getattr(interpolate, name)(STEPS, np.sin(STEPS)) for name in ("CubicSpline", "PchipInterpolator", "Akima1DInterpolator", "interp1d", "make_interp_spline", "UnivariateSpline", "InterpolatedUnivariateSpline")},
    "hermite": interpolate.CubicHermiteSpline(STEPS, np.sin(STEPS), np.cos(STEPS)), "rows": interpolate.CubicSpline(STEPS, np.stack((np.sin(STEPS), np.cos(STEPS)))[:, :, None], axis=1), "ends": interpolate.UnivariateSpline(STEPS, np.sin(STEPS), s=0.2, ext=3),
    "cubic lines": interpolate.interp1d(STEPS, np.sin(STEPS), kind="cubic", fill_value="extrapolate"), "filled": interpolate.interp1d(STEPS, np.sin(STEPS), kind="nearest", bounds_error=False, fill_value=(0.0, 2.0)), "periodic": interpolate.CubicSpline(STEPS, np.sin(STEPS * np.pi / 3.5).round(12), bc_type="periodic"),
}  # fmt: skip
GRIDDED, SURFACE = interpolate.RegularGridInterpolator(GRID, TABLE), interpolate.RectBivariateSpline(*GRID, TABLE)
AROUND = interpolate.RBFInterpolator(PLACES, PLACES[:, 0] * PLACES[:, 1])
KNOTS = interpolate.splrep(STEPS, np.sin(STEPS))


@pytest.mark.parametrize("name", MADE)
def test_made_outside(name):
    made = MADE[name]
    f = s2s.jit(lambda a: made(a), target="numpy")  # noqa: PLW0108 - a function of the user's
    np.testing.assert_allclose(f(AT), made(AT), rtol=1e-12, atol=1e-12)
    s2s.check_grads(f, (AT,), order=1, modes=("fwd", "rev"))


def test_made_outside_of_several_variables():
    def f(p, a):
        return GRIDDED(p), SURFACE.ev(p[:, 0], p[:, 1]), SURFACE(p[:1, 0], p[:1, 1]), AROUND(p + 0.1), interpolate.splev(a, KNOTS), MADE["UnivariateSpline"].derivative()(a), MADE["UnivariateSpline"].integral(0.5, 3.0), MADE["CubicSpline"].derivative()(a)

    for found, wanted in zip(s2s.jit(f, target="numpy")(PLACES, AT), f(PLACES, AT), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)


def test_made_outside_is_read_at_each_call():
    made = interpolate.CubicSpline(STEPS, np.sin(STEPS))
    f = s2s.jit(lambda a: made(a), target="numpy")  # noqa: PLW0108
    for other in (np.cos, np.exp):
        made.c[...] = interpolate.CubicSpline(STEPS, other(STEPS)).c
        np.testing.assert_allclose(f(AT), made(AT), rtol=1e-12)
    made = interpolate.PchipInterpolator(STEPS[:5], np.sin(STEPS[:5]), extrapolate=False)
    np.testing.assert_allclose(f(AT), made(AT), rtol=1e-12)


def test_products_of_cubic_splines():  # SciPy finds the coefficients by iteration, to six digits
    f = s2s.jit(lambda u, v, z, p: interpolate.RegularGridInterpolator((u, v), z, method="cubic")(p), target="numpy")
    np.testing.assert_allclose(f(*GRID, TABLE, PLACES), interpolate.RegularGridInterpolator(GRID, TABLE, method="cubic")(PLACES), atol=1e-4)
    np.testing.assert_allclose(f(*GRID, TABLE, PLACES), interpolate.RectBivariateSpline(*GRID, TABLE).ev(*PLACES.T), rtol=1e-11)
    made = interpolate.RegularGridInterpolator(GRID, TABLE, method="cubic")
    np.testing.assert_allclose(s2s.jit(lambda p: made(p), target="numpy")(PLACES), made(PLACES), rtol=1e-11)  # noqa: PLW0108 - a function of the user's


def test_interpolants_are_given_back_as_scipys_own():
    made = {
        "cubic": lambda x, y: interpolate.CubicSpline(x, y), "of an axis": lambda x, y: interpolate.CubicSpline(x, y.T, axis=1), "its slope": lambda x, y: interpolate.PchipInterpolator(x, y).derivative(), "akima": lambda x, y: interpolate.Akima1DInterpolator(x, y),
        "bspline": lambda x, y: interpolate.make_interp_spline(x, y), "pieces": lambda x, y: interpolate.PPoly(y[:-1].reshape(1, 7, 2), x),
    }  # fmt: skip
    found = s2s.jit(lambda x, y: {name: make(x, y) for name, make in made.items()}, target="numpy")(X, Y)
    for name, make in made.items():
        expected = make(X, Y)
        assert type(found[name]) is type(expected)
        np.testing.assert_allclose(found[name](AT), expected(AT), rtol=1e-11)


@pytest.mark.parametrize("options", [{}, {"kind": "cubic"}, {"kind": "nearest", "fill_value": "extrapolate"}, {"bounds_error": False, "fill_value": (0.0, 1.0)}, {"kind": 2, "bounds_error": False, "fill_value": 3.0}], ids=str)
def test_lines_come_back_as_scipys(options):
    def f(x, y):
        return interpolate.interp1d(x, y, axis=0, **options)

    at = np.array([X[0], 0.5 * (X[1] + X[2]), X[-1]]) + (1.0 if len(options) > 1 else 0.0) * np.array([-1.0, 0.0, 1.0])
    found = s2s.jit(f, target="numpy")(X, Y)
    assert type(found) is interpolate.interp1d
    np.testing.assert_allclose(found(at), f(X, Y)(at), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("make", [interpolate.CubicSpline, interpolate.PchipInterpolator, interpolate.interp1d, interpolate.make_interp_spline, interpolate.UnivariateSpline], ids=lambda make: make.__name__)
def test_interpolants_of_known_points(make):
    def f(x):
        return make([0.0, 1.0, 2.0, 3.0, 4.0], [1.0, 0.0, 2.0, 1.0, 3.0], **({"s": 0} if make is interpolate.UnivariateSpline else {}))(x)

    np.testing.assert_allclose(s2s.jit(f, target="numpy")(AT[0] % 3.0), f(AT[0] % 3.0), rtol=1e-9)


def test_what_determines_no_spline():
    for knots, kind in ((np.concatenate((np.full(4, X[0]), X[1] + 0.01 * np.arange(4), np.full(4, X[-1]))), np.linalg.LinAlgError), (np.arange(12.0)[::-1], ValueError), (np.arange(9.0), ValueError), (np.arange(14.0), ValueError), (np.arange(12.0) + 50.0, ValueError)):
        with pytest.raises(kind):
            interpolate.make_interp_spline(X, Y, t=knots)
        with pytest.raises(kind):
            s2s.jit(lambda x, t: interpolate.make_interp_spline(x, Y, t=t), target="numpy")(X, knots)


@pytest.mark.parametrize("f", [
    lambda y: interpolate.InterpolatedUnivariateSpline(X, y).set_smoothing_factor(1.0), lambda y: interpolate.KroghInterpolator(X, y).derivative(1.0),
])  # fmt: skip
def test_methods_that_are_not_there_are_refused_by_name(f):
    with pytest.raises(s2s.UnsupportedError, match="set_smoothing_factor of a scipy|derivative of a polynomial"):
        s2s.jit(f, target="numpy")(Y[:, 0])


def test_smoothing_of_least_cross_validation():
    def f(x, y):
        return interpolate.make_smoothing_spline(x, y)(AT), interpolate.make_smoothing_spline(x, y, w=y**2 + 0.1).c

    x = np.linspace(0.0, 5.0, 12)
    y = np.cos(x) + 0.1 * np.random.default_rng(1).normal(size=12)
    for one, other in zip(s2s.jit(f, target="numpy")(x, y), f(x, y), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)
    way, step = np.cos(3.0 * x), 1e-3
    slopes = s2s.jvp(s2s.jit(lambda y: interpolate.make_smoothing_spline(x, y)(AT), target="numpy"), (y,), (way,))[1]
    ahead, behind = [interpolate.make_smoothing_spline(x, y + sign * step * way)(AT) for sign in (1.0, -1.0)]
    np.testing.assert_allclose(slopes, (ahead - behind) / (2.0 * step), atol=2e-3)
    with pytest.raises(s2s.UnsupportedError, match="without lam"):
        s2s.jit(lambda x, y: interpolate.make_smoothing_spline(x, y).c, target="numpy")(X, Y)


def test_zeros_of_cubic_splines():
    def f(x, y):
        return interpolate.sproot(interpolate.splrep(x, y)), interpolate.sproot(interpolate.splder(interpolate.splrep(x, y, k=4))), interpolate.sproot(interpolate.splrep(x, np.sin(9.0 * x) + 0.1 * y), 30)

    x = np.linspace(0.0, 5.0, 12)
    y = np.where(np.arange(12) == 6, 0.0, np.cos(2.0 * x))
    for one, other in zip(s2s.jit(f, target="numpy")(x, y), f(x, y), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9)
    s2s.check_grads(s2s.jit(lambda x, y: f(x, y)[0], target="numpy"), (x, y), order=1, modes=("fwd", "rev"))


SCATTERED, HEIGHTS = np.random.default_rng(5).uniform(size=(30, 2)), np.random.default_rng(6).normal(size=30)
REGULAR = np.stack([each.ravel() for each in np.mgrid[0:1:5j, 0:1:6j]], axis=-1)
WITHIN = np.random.default_rng(7).uniform(0.3, 0.7, size=(6, 2))
OVER_TRIANGLES = [
    lambda p, v, q: interpolate.griddata(p, v, 2.0 * q - 0.5), lambda p, v, q: interpolate.griddata((p[:, 0], p[:, 1]), v, (q[:, 0], q[:, 1] + 0.5), fill_value=0.5), lambda p, v, q: interpolate.LinearNDInterpolator(p, v)(q[:, 0], q[:, 1]),
    lambda p, v, q: interpolate.LinearNDInterpolator(p, np.stack([v, v**2], 1), fill_value=7.0)(q.reshape(2, 3, 2)), lambda p, v, q: interpolate.LinearNDInterpolator(p * [1.0, 50.0], v * 1j, rescale=True)(q * [1.0, 50.0]),
    lambda p, v, q: interpolate.griddata(p, v, (np.linspace(0, 1, 7)[:, np.newaxis], np.linspace(0, 1, 5))), lambda p, v, q: interpolate.LinearNDInterpolator(p, v)(0.4, 0.5),
]  # fmt: skip


@pytest.mark.parametrize("call", OVER_TRIANGLES)
@pytest.mark.parametrize("points", [SCATTERED, REGULAR])
def test_planes_over_triangles(call, points):
    found, wanted = s2s.jit(call, target="numpy")(points, HEIGHTS, WITHIN), call(points, HEIGHTS, WITHIN)
    assert (np.asarray(found).dtype, np.shape(found)) == (np.asarray(wanted).dtype, np.shape(wanted))
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)


def test_planes_over_triangles_differentiated_batched_and_compiled():
    s2s.check_grads(s2s.jit(OVER_TRIANGLES[2], target="numpy"), (SCATTERED, HEIGHTS, WITHIN), order=1, modes=("fwd", "rev"))
    np.testing.assert_allclose(s2s.vmap(lambda v: interpolate.griddata(SCATTERED, v, WITHIN))(np.stack([HEIGHTS, HEIGHTS + 1])), [interpolate.griddata(SCATTERED, HEIGHTS + k, WITHIN) for k in (0, 1)], rtol=1e-10)
    np.testing.assert_allclose(s2s.jit(OVER_TRIANGLES[0])(SCATTERED, HEIGHTS, WITHIN), OVER_TRIANGLES[0](SCATTERED, HEIGHTS, WITHIN), rtol=1e-10)
    with pytest.raises(s2s.UnsupportedError, match="method='cubic'"):
        s2s.jit(lambda p, v: interpolate.griddata(p, v, p, method="cubic"), target="numpy")(SCATTERED, HEIGHTS)
    with pytest.raises(NotImplementedError, match="other than two variables"):
        s2s.jit(lambda p, v: interpolate.LinearNDInterpolator(p, v)(p), target="numpy")(np.ones((5, 3)), HEIGHTS[:5])


CONSTANTS = {
    "of a line": lambda x, y, q: interpolate.PPoly(np.stack([y[:-1], y[1:]]), x).derivative()(q), "constants": lambda x, y, q: interpolate.PPoly(y[np.newaxis, :-1], x, extrapolate=False)(q), "a fourth derivative": lambda x, y, q: interpolate.CubicSpline(x, y)(q, 4),
    "of degree 0": lambda x, y, q: interpolate.make_interp_spline(x, y, k=0)(q), "slopes": lambda x, y, q: interpolate.make_interp_spline(x, y, k=1)(q, 1),
    **{f"{kind}, {fill}": lambda x, y, q, kind=kind, fill=fill: interpolate.interp1d(x, y, kind=kind, bounds_error=False, fill_value=fill)(q) for kind in ("zero", "previous", "next", "nearest") for fill in (2.0, "extrapolate")},
}  # fmt: skip


@pytest.mark.parametrize("name", CONSTANTS)
def test_steps_at_nan_and_outside(name):
    x, y = np.array([0.0, 0.5, 1.5, 2.0, 3.0]), np.array([1.0, -1.0, 4.0, 2.0, 0.5])
    q = np.array([-1.0, 0.0, 0.2, 0.5, 1.9, 3.0, 4.0, np.nan])
    np.testing.assert_allclose(s2s.jit(CONSTANTS[name], target="numpy")(x, y, q), CONSTANTS[name](x, y, q), rtol=1e-12)
