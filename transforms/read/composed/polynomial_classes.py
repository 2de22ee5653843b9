"""What np.poly1d and numpy.polynomial's classes give. These classes are read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed import series
from s2s.transforms.read.composed.basis import BASES
from s2s.transforms.read.composed.marks import unsupported


class Poly1d:
    """np.poly1d: `given` are its coefficients, the highest power first, maybe with zeros in front."""

    def __init__(self, given):
        self.given = given

    def __given_back__(self):
        """NumPy's own object."""
        return np.poly1d(self.given)

    @property
    def coeffs(self):
        """The coefficients, without zeros in front."""
        first = 0
        while first < len(self.given) - 1 and self.given[first] == 0:
            first += 1
        return self.given[first:]

    c = coef = coefficients = coeffs

    @property
    def order(self):
        """The highest power."""
        return len(self.coeffs) - 1

    o = order

    @property
    def roots(self):
        """The zeros."""
        return np.roots(self.given)

    r = roots

    def __call__(self, val):
        if isinstance(val, Poly1d):
            unsupported("a poly1d of a poly1d", "a loop of products and sums: value = value * q + c for c in p")
        return np.polyval(self.given, val)

    def __len__(self):
        return self.order

    def __getitem__(self, val):
        coeffs = self.coeffs
        return coeffs[len(coeffs) - 1 - val] if 0 <= val < len(coeffs) else coeffs[0] * 0

    def __setitem__(self, key, val):
        if key < 0:
            raise ValueError("Does not support negative powers.")
        coeffs = self.coeffs
        if key >= len(coeffs):
            raise NotImplementedError("a store into a poly1d that makes it one of a higher degree is not supported: np.poly1d of all coefficients")
        coeffs[len(coeffs) - 1 - key] = val

    def __iter__(self):
        return iter(self.coeffs)

    def __array__(self, dtype=None, copy=None):
        return self.coeffs if dtype is None else np.asarray(self.coeffs, dtype)

    def __eq__(self, other):
        if not isinstance(other, Poly1d):
            return NotImplemented
        return np.array_equal(self.coeffs, other.coeffs)

    __hash__ = None

    def __neg__(self):
        return Poly1d(-self.given)

    def __pos__(self):
        return self

    def __add__(self, other):
        return Poly1d(np.polyadd(self.given, _given(other)))

    __radd__ = __add__

    def __sub__(self, other):
        return Poly1d(np.polysub(self.given, _given(other)))

    def __rsub__(self, other):
        return Poly1d(np.polysub(_given(other), self.given))

    def __mul__(self, other):
        return Poly1d(np.polymul(self.given, _given(other)))

    __rmul__ = __mul__

    def __truediv__(self, other):
        if np.isscalar(other):
            return Poly1d(self.given / other)
        quotient, rest = np.polydiv(self.coeffs, _given(other))
        return Poly1d(quotient), Poly1d(rest)

    def __pow__(self, val):
        if not isinstance(val, (int, np.integer)) or val < 0:
            raise ValueError("Power to non-negative integers only.")
        found = np.ones(1)
        for _ in range(val):
            found = np.polymul(found, self.given)
        return Poly1d(found)

    def deriv(self, m=1):
        """The derivative."""
        return Poly1d(np.polyder(self.given, m))

    def integ(self, m=1, k=0):
        """The antiderivative."""
        return Poly1d(np.polyint(self.given, m, k))


def _given(other):
    return other.given if isinstance(other, Poly1d) else np.atleast_1d(other)


def poly1d(c_or_r, r=False, variable=None):
    """np.poly1d: of coefficients, or of zeros."""
    if isinstance(c_or_r, Poly1d):
        return Poly1d(c_or_r.given)
    given = np.atleast_1d(np.poly(c_or_r) if r else c_or_r)
    if given.ndim > 1:
        raise ValueError("Polynomial must be 1d only.")
    return Poly1d(given if given.shape[0] > 0 else np.zeros(1, dtype=given.dtype))


class Series:
    """A polynomial in one of the bases: its coefficients, the lowest degree first, of x mapped from the domain to the window."""

    def __init__(self, basis, coef, domain, window):
        self.basis, self.coef, self.domain, self.window = basis, coef, domain, window

    def __given_back__(self):
        """NumPy's own object."""
        return getattr(np.polynomial, next(CLASSES[name] for name, basis in BASES.items() if basis is self.basis))(self.coef, self.domain, self.window)

    def __call__(self, arg):
        off, scl = self.mapparms()
        return series.value(self.basis, off + scl * (np.asarray(arg) if isinstance(arg, (list, tuple)) else arg), self.coef, True)

    def mapparms(self):
        """What maps the domain to the window."""
        return series.mapparms(self.domain, self.window)

    def __len__(self):
        return len(self.coef)

    def __iter__(self):
        return iter(self.coef)

    def degree(self):
        """The highest degree."""
        return len(self.coef) - 1

    def copy(self):
        """The same."""
        return self._of(self.coef)

    def _of(self, coef):
        return Series(self.basis, coef, self.domain, self.window)

    def __neg__(self):
        return self._of(-self.coef)

    def __pos__(self):
        return self

    def __add__(self, other):
        return self._of(series.total(self.coef, _coef(other), 1))

    __radd__ = __add__

    def __sub__(self, other):
        return self._of(series.total(self.coef, _coef(other), -1))

    def __rsub__(self, other):
        return self._of(series.total(_coef(other), self.coef, -1))

    def __mul__(self, other):
        return self._of(series.product(self.basis, self.coef, _coef(other)))

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self._of(self.coef / other)

    def __floordiv__(self, other):
        return self._of(series.quotient(self.basis, self.coef, _coef(other))[0])

    def __mod__(self, other):
        return self._of(series.quotient(self.basis, self.coef, _coef(other))[1])

    def __pow__(self, exponent):
        return self._of(series.power(self.basis, self.coef, exponent, 100))

    def deriv(self, m=1):
        """The derivative."""
        _, scl = self.mapparms()
        return self._of(series.derivative(self.basis, self.coef, m, scl, 0))

    def integ(self, m=1, k=[], lbnd=None):  # noqa: B006 - NumPy's own default, which is not changed
        """The antiderivative that is k at lbnd."""
        off, scl = self.mapparms()
        start = 0 if lbnd is None else off + scl * lbnd
        return self._of(series.integral(self.basis, self.coef, m, k, start, 1.0 / scl, 0))

    def roots(self):
        """The zeros."""
        return series.mapdomain(series.zeros(self.basis, self.coef), self.window, self.domain)

    def linspace(self, n=100, domain=None):
        """Points in the domain, and the polynomial there."""
        ends = self.domain if domain is None else domain
        x = np.linspace(ends[0], ends[1], n)
        return x, self(x)

    def convert(self, domain=None, kind=None, window=None):
        """The same polynomial of x itself."""
        if kind is not None or domain is not None or window is not None:
            unsupported("convert(…) to another kind, domain or window", "convert()")
        ends = np.array(DOMAINS[self.basis.prefix])
        off, scl = self.mapparms()
        shift, stretch = series.mapparms(ends, ends)
        found = np.zeros(1)
        powers = series.in_powers(self.basis, self.coef)
        line = np.array([off + scl * shift, scl * stretch])
        for k in range(len(powers) - 1, -1, -1):
            found = series.total(series.product(BASES["polynomial"], found, line), powers[k], 1)
        return Series(self.basis, series.of_powers(self.basis, found), ends, ends)


DOMAINS = {"poly": (-1.0, 1.0), "cheb": (-1.0, 1.0), "leg": (-1.0, 1.0), "herm": (-1.0, 1.0), "herme": (-1.0, 1.0), "lag": (0.0, 1.0)}
"""By the prefix of a basis: where a series is defined, unless it says otherwise."""


def in_numpy(kind, held):
    """The class of NumPy's that an object of ours stands for, which holds `held`."""
    if kind is Poly1d:
        return np.poly1d
    basis = getattr(held["basis"], "object", held["basis"])  # the reader's stand-in for what is outside
    return getattr(np.polynomial, next(CLASSES[module] for module, each in BASES.items() if each is basis))


def _coef(other):
    return other.coef if isinstance(other, Series) else other


def _ends(basis, given):
    return np.array(DOMAINS[basis.prefix]) if given is None else np.asarray(given) + 0.0


def makers_of(basis):
    """The class itself, and its class methods."""
    b = basis

    def made(coef, domain=None, window=None, symbol="x"):
        coef = np.array(coef, ndmin=1) + 0.0
        if coef.ndim != 1:
            raise ValueError("Coefficient array is not 1-d")
        return Series(b, coef, _ends(b, domain), _ends(b, window))

    def fit(x, y, deg, domain=None, rcond=None, full=False, w=None, window=None, symbol="x"):
        x = np.asarray(x)
        if isinstance(domain, list) and len(domain) == 0:
            ends = _ends(b, None)
        else:
            ends = np.array([np.min(x), np.max(x)]) if domain is None else np.asarray(domain) + 0.0
        target = _ends(b, window)
        found = series.fitted(b, series.mapdomain(x, ends, target), y, deg, rcond, full, w)
        return (Series(b, found[0], ends, target), found[1]) if full else Series(b, found, ends, target)

    def fromroots(roots, domain=[], window=None, symbol="x"):  # noqa: B006 - NumPy's own default, which is not changed
        if not isinstance(domain, list) or len(domain) > 0 or window is not None:
            unsupported("fromroots(…) with a domain or window", "fromroots(roots)")
        return Series(b, series.of_roots(b, roots), _ends(b, None), _ends(b, None))

    def unit(deg, domain=None, window=None, symbol="x"):
        coef = np.zeros(deg + 1)
        coef[deg] = 1.0
        return Series(b, coef, _ends(b, domain), _ends(b, window))

    return {"": made, ".fit": fit, ".fromroots": fromroots, ".basis": unit}


CLASSES = {"polynomial": "Polynomial", "chebyshev": "Chebyshev", "legendre": "Legendre", "hermite": "Hermite", "hermite_e": "HermiteE", "laguerre": "Laguerre"}
"""By the module of numpy.polynomial."""
MAKERS = {"numpy.poly1d": poly1d} | {
    f"numpy.polynomial.{module}.{CLASSES[module]}{method}": function for module, basis in BASES.items() for method, function in makers_of(basis).items()
}  # fmt: skip
"""What gives objects of these classes, by qualified name."""

__all__ = ["MAKERS", "Poly1d", "in_numpy"]
