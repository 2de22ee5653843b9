"""numpy.polynomial's functions of every basis: called as they stand, as they are read, and differentiated."""
from __future__ import annotations

import inspect

import numpy as np
import numpy.polynomial
import pytest

import s2s
from s2s.transforms.read.composed.basis import BASES
from s2s.transforms.read.composed.series_functions import CALLING, SERIES
from s2s.transforms.read.names import resolved

RNG = np.random.default_rng(5)
C, D, X, Y, N = RNG.normal(size=5), RNG.normal(size=3), RNG.uniform(-0.9, 0.9, (2, 3)), RNG.uniform(-0.9, 0.9, (2, 3)), RNG.integers(-4, 5, 4)
A, B = RNG.normal(size=(4, 3)), RNG.normal(size=(2, 3, 2))
V, W = RNG.uniform(-0.9, 0.9, 7), RNG.uniform(0.5, 1.0, 7)
ARGUMENTS = {
    "val": [(X, C), (0.5, C), (X, N), (X, A), (X[0], A, False), (X + 1j, C), (X.astype(np.float32), C.astype(np.float32)), ([0.1, 0.2], C[:1])], "val2d": [(X, Y, A)], "val3d": [(X, Y, X, B)],
    "grid2d": [(X[0], Y[0], A)], "grid3d": [(X[0], Y[0], V, B)], "vander": [(V, 3), (X, 2), (V, 0), (0.5, 1), (V, -1)], "vander2d": [(V, W, (1, 2))], "vander3d": [(V, W, V, (1, 0, 2))],
    "fit": [(V, W, 2), (V, W, [1, 3]), (V, np.stack([V, W], 1), 1), (V, W, 2, None, False, W), (V, W, 1, 0.1, True), (V, W[:3], 1), (V, W, -1)],
    "line": [(0.5, 2.0), (1.5, 0), (2, 3)], "add": [(C, D), (D, C), (C, -C), (N, D)], "sub": [(C, D), (C, C)], "mulx": [(C,), ([0.0],), (N,)], "mul": [(C, D), (D, N), (C, [0.0]), (C, [2.0, 0.0])],
    "div": [(C, D), (D, C), (C, [2.0]), (C, [0.0])], "pow": [(D, 3), (D, 0), (D, -1)], "der": [(C,), (C, 2), (C, 9), (C[:1],), (A, 1, 2.0, 1), (N, 1), (C, 0), (C, -1)],
    "int": [(C,), (C, 2, [1, 2]), (C, 1, 3.0, -1.0, 2.0), (A, 1, [], 0, 1, 1), ([0.0], 1, 2.0), (C, 0), (C, 1, [1, 2])], "fromroots": [(C,), (D + 1j,), ([],)],
}  # fmt: skip
OTHERS = {
    "numpy.polynomial.polynomial.polyvalfromroots": [(X, C), (0.5, A), (X[0], A, False)], "numpy.polynomial.chebyshev.chebpts1": [(1,), (4,), (0,)],
    "numpy.polynomial.chebyshev.chebpts2": [(2,), (5,), (1,)], "numpy.polynomial.polyutils.mapdomain": [(X, (0, 2), (-1, 1)), ([1.0, 2.0], (1, 2), (0, 1))],
    "numpy.polynomial.polyutils.mapparms": [((0.0, 2.0), (-1.0, 1.0))], "numpy.polynomial.polyutils.trimcoef": [(np.array([1.0, 0.1, 0.01]), 0.05), (C * 0,), (C,), (C, -1)],
    "numpy.polynomial.polyutils.trimseq": [(np.array([1.0, 0.0, 2.0, 0.0]),), (C * 0,)],
}  # fmt: skip
COMPLEX = "roots"
"""NumPy's are real where all of them are."""
NAMES = [name for name in SERIES if name not in OTHERS]


def cases(name):
    if name in OTHERS:
        return OTHERS[name]
    module, function = name.split(".")[-2:]
    prefix = BASES[module].prefix
    if function == f"{prefix}weight":
        return [(X,), (0.5,)]
    if prefix != "poly" and function in (f"{prefix}2poly", f"poly2{prefix}"):
        return [(C,), (N,), (D[:1],)]
    return [(C,), (N,), (D[:2],)] if function.endswith(COMPLEX) and not function.endswith("fromroots") else ARGUMENTS[function.removeprefix(prefix)]


def outcome(function, args):
    try:
        with np.errstate(all="ignore"):
            return function(*(each.copy() if isinstance(each, np.ndarray) else each for each in args))
    except (ValueError, TypeError, ZeroDivisionError) as error:
        return error


def same(found, wanted, name):
    if isinstance(wanted, Exception):
        assert type(wanted) in type(found).__mro__, found
        assert str(wanted) in str(found)
        return
    assert not isinstance(found, Exception), found
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            same(one, other, name)
        return
    assert np.shape(found) == np.shape(wanted)
    assert np.asarray(found).dtype == np.asarray(wanted).dtype or name.endswith(COMPLEX)
    np.testing.assert_allclose(found, wanted, rtol=1e-9 if np.asarray(wanted).dtype != np.float32 else 1e-5, atol=1e-10)


@pytest.mark.parametrize("name", [*SERIES])
def test_called_as_it_stands_and_as_it_is_read(name):
    function = resolved(name)
    for args in cases(name):
        count = len(args)
        wanted = outcome(function, args)
        same(outcome(SERIES[name], args), wanted, name)
        known = {k: arg for k, arg in enumerate(args) if not isinstance(arg, np.ndarray)}
        given = [arg for arg in args if isinstance(arg, np.ndarray)]

        def called(*arrays, function=function, known=known, count=count):
            left = list(arrays)
            return function(*[known[k] if k in known else left.pop(0) for k in range(count)])

        if given:
            same(outcome(s2s.jit(called, target="numpy"), given), wanted, name)


@pytest.mark.parametrize("name", [name for name in SERIES if not name.endswith(("line", "mapparms", "pts1", "pts2"))])
def test_signatures_are_numpys(name):
    own, library = (inspect.signature(each).parameters.values() for each in (SERIES[name], resolved(name)))
    assert [(each.name, each.default) for each in own] == [(each.name, each.default) for each in library]


@pytest.mark.parametrize("module", [*BASES])
def test_derivatives(module):
    library, prefix = getattr(np.polynomial, module), BASES[module].prefix
    val, fit, vander, mul, der, integral, div = (getattr(library, prefix + name) for name in ("val", "fit", "vander", "mul", "der", "int", "div"))

    def f(c, x):
        return val(x, c), vander(x, 2), mul(c, c[:2]), der(c, 2), integral(c, 1, c[0], x[0]), fit(x, x * c[0] + x**2 * c[1], 2), div(c, c[:3])[0]

    s2s.check_grads(s2s.jit(f, target="numpy"), (C, V), order=2 if module == "laguerre" else 1)


def test_interpolate():
    chebinterpolate = np.polynomial.chebyshev.chebinterpolate

    def f(a):
        return chebinterpolate(lambda x, b: np.exp(a * x) + b, 4, (a,))

    np.testing.assert_allclose(s2s.jit(f, target="numpy")(0.7), f(0.7), rtol=1e-12)
    s2s.check_grads(s2s.jit(f, target="numpy"), (0.7,), order=1)
    assert [*CALLING] == ["numpy.polynomial.chebyshev.chebinterpolate"]


@pytest.mark.parametrize("module", ["polynomial", "legendre"])
def test_compiled(module):
    library, prefix = getattr(np.polynomial, module), BASES[module].prefix
    val, vander, der = (getattr(library, prefix + name) for name in ("val", "vander", "der"))

    def f(c, x, n):
        return val(x, c), vander(x, n), der(c)

    for found, wanted in zip(s2s.jit(f)(C, V, 3), f(C, V, 3), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14)


POLYNOMIAL, OUTSIDE = np.polynomial.Polynomial, (np.poly1d([1.0, 2.0, 3.0]), np.polynomial.Chebyshev([1.0, 2.0, 3.0], domain=[0, 2]))


def of_poly1d(c, x):
    p, q = np.poly1d(c), np.poly1d(np.polyfit(x, x * c[0], 2))
    whole, rest = p / np.poly1d(c[:3])
    return (
        p(x), q(x), p.deriv()(x), p.integ(2, k=1.0)(x), (p * q)(x), (p + q - 2)(x), (3 * p).c, (-p)(0.5), (1 - p)(0.5), (p**2)(x), (p / 2).coeffs, whole(x), rest.coef, p.order, len(p), p[2], p[9], np.poly1d(c, True)(x),
        np.poly1d([1, -3, 2])(x), list(p), OUTSIDE[0](x) + OUTSIDE[0].deriv()(x), np.poly1d(np.zeros(3) * c[0]).order,
    )  # fmt: skip


def of_series(c, x):
    p, q = POLYNOMIAL(c), POLYNOMIAL.fit(x, x * c[0] + x**3, 2)
    other = np.polynomial.Legendre(c, domain=[0, 1])
    return (
        p(x), q(x), q.coef, q.convert().coef, q.domain, p.deriv(2)(x), other.deriv()(x), other.integ(1, [1.0], 0.5)(x), p.degree(), (p * p + 1)(x), (p**2)(x), (p // POLYNOMIAL(c[:3]))(x),
        (p % POLYNOMIAL(c[:3])).coef, *p.linspace(4), POLYNOMIAL.fromroots(c).coef, np.polynomial.Laguerre(c)(x), np.polynomial.HermiteE.basis(3)(x), OUTSIDE[1](x) * OUTSIDE[1].deriv()(x),
        np.polynomial.Chebyshev.fit(x, x**2, 1, domain=[-2, 2], window=[0, 1])(x), len(p), (p / 2)(0.5), (1 - p)(x),
    )  # fmt: skip


@pytest.mark.parametrize("f", [of_poly1d, of_series])
def test_classes(f):
    for found, wanted in zip(s2s.jit(f, target="numpy")(C, V), f(C, V), strict=True):
        assert type(found) is type(wanted)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-11)


def test_classes_have_derivatives():
    def f(c, x):
        p, q = np.poly1d(c), POLYNOMIAL.fit(x, x * c[0] + x**3, 2)
        return p(x), p.deriv()(x) * p.integ()(0.5), q(x), np.polynomial.Legendre(c, domain=[0, 1]).deriv()(x)

    s2s.check_grads(s2s.jit(f, target="numpy"), (C, V), order=1)


RESULTS = (
    np.poly1d, POLYNOMIAL, lambda c: [np.poly1d(c) * 2, {"slope": np.poly1d(c).deriv()}], lambda c: np.poly1d([0.0, 0.0, c[0]]), lambda c: np.polynomial.Chebyshev(c, domain=[0, 2]).integ(),
    lambda c: np.polynomial.Hermite.fit(c, c**2, 2), lambda c: np.polyadd(np.poly1d(c), [1.0]), lambda c: np.polysub([1.0], np.poly1d(c)), lambda c: np.polyint(np.poly1d(c), 2, k=[1.0, 2.0]),
    lambda c: np.polydiv(np.poly1d(c), [1.0, 2.0]), lambda c: np.polymul(np.poly1d(c), np.poly1d(c)), lambda c: np.polyder(np.poly1d(c)),
)  # fmt: skip


def held_by(result):
    if isinstance(result, np.poly1d):
        return ["poly1d", result.variable, result.coeffs]
    if hasattr(result, "coef"):
        return [type(result), result.coef, result.domain, result.window, result.symbol]
    parts = result.values() if isinstance(result, dict) else result if isinstance(result, list | tuple) else ()
    return [each for part in parts for each in held_by(part)]


@pytest.mark.parametrize("f", RESULTS)
def test_polynomials_are_results(f):
    found, wanted = s2s.jit(lambda c: f(c), target="numpy")(C), f(C)
    assert type(found) is type(wanted)
    assert held_by(wanted)
    for one, other in zip(held_by(found), held_by(wanted), strict=True):
        if isinstance(other, np.ndarray):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
        else:
            assert one == other


def test_what_a_polynomial_is():
    def f(c):
        p, q = np.poly1d(c), POLYNOMIAL(c)
        same = p == np.poly1d(c), p != np.poly1d(c[:2]), p == 3.0
        kinds = isinstance(p, np.poly1d), isinstance(p, np.ndarray), isinstance(q, POLYNOMIAL), isinstance(q, np.polynomial.Chebyshev), type(p) is np.poly1d
        p[1] = 7.0
        return same, kinds, p(0.5), np.polyval(p, c), np.sin(p), np.asarray(p)

    mine, theirs = C.copy(), C.copy()
    found, wanted = s2s.jit(f, target="numpy")(mine), f(theirs)
    assert found[:2] == wanted[:2]
    for one, other in zip((*found[2:], mine), (*wanted[2:], theirs), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize("f", [lambda c: np.poly1d(c)(np.poly1d(c)), lambda c: np.polyval(c, np.poly1d(c))])
def test_polynomials_of_polynomials_are_refused(f):
    with pytest.raises(s2s.UnsupportedError, match="of a poly1d"):
        s2s.jit(f, target="numpy")(C)
