"""scipy.special's orthogonal polynomials as objects: coefficients of their zeros, values by the recurrences. The classes are read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.polynomial_classes import Poly1d


class OrthogonalPolynomial(Poly1d):
    """One of them, of a known degree: what it is called by, its zeros with Gauss's weights, its first coefficient, its values and its weight function."""

    def __init__(self, made_by, zeros, first, values, weighing):
        self.made_by, self.zeros, self.first, self.values, self.weighing = made_by, zeros, first, values, weighing

    def __given_back__(self):
        """SciPy's own object."""
        import scipy.special as sp

        return getattr(sp, self.made_by[0])(*self.made_by[1:])

    @property
    def given(self):
        """The coefficients, the highest power first."""
        return np.atleast_1d(np.poly(self.zeros()[0])) * self.first

    @property
    def weights(self):
        """Of Gauss's quadrature: places, weights, and weights of the function itself."""
        places, weights = self.zeros()
        return np.stack((places, weights, weights / self.weighing(places)), axis=1)

    def __call__(self, v):
        if isinstance(v, Poly1d):
            unsupported("a poly1d of a poly1d", "a loop of products and sums: value = value * q + c for c in p")
        return self.values(np.asarray(v))


def _made(made_by, monic, zeros, first, values, weighing):
    """The polynomial, or the one whose first coefficient is 1."""
    degree = made_by[1]
    if not isinstance(degree, int):
        unsupported(f"scipy.special.{made_by[0]} of a degree that is known only at run time", f"scipy.special.eval_{made_by[0]}(n, x)")
    if degree < 0:
        raise ValueError("n must be nonnegative.")
    roots = zeros if degree > 0 else lambda: (np.zeros(0), np.zeros(0))
    if monic:
        return OrthogonalPolynomial((*made_by, True), roots, 1.0, lambda x: values(x) / first, weighing)
    return OrthogonalPolynomial(made_by, roots, first, values, weighing)


def jacobi(n, alpha, beta, monic=False):
    """scipy.special.jacobi."""
    import scipy.special as sp

    top = n + alpha + beta + 1.0
    first = sp.gamma(n + top) / 2.0**n / sp.gamma(n + 1) / sp.gamma(top) if n > 0 else 1.0
    values = (lambda x: sp.eval_jacobi(n, alpha, beta, x)) if n > 0 else np.ones_like
    return _made(("jacobi", n, alpha, beta), monic, lambda: sp.roots_jacobi(n, alpha, beta), first, values, lambda x: (1 - x) ** alpha * (1 + x) ** beta)


def sh_jacobi(n, p, q, monic=False):
    """scipy.special.sh_jacobi."""
    import scipy.special as sp

    share = sp.binom(2.0 * n + p - 1.0, n)
    values = (lambda x: sp.eval_jacobi(n, p - q, q - 1.0, 2.0 * x - 1.0) / share) if n > 0 else np.ones_like
    return _made(("sh_jacobi", n, p, q), monic, lambda: sp.roots_sh_jacobi(n, p, q), 1.0, values, lambda x: (1.0 - x) ** (p - q) * x ** (q - 1.0))


def genlaguerre(n, alpha, monic=False):
    """scipy.special.genlaguerre."""
    import scipy.special as sp

    if alpha <= -1:
        raise ValueError("alpha must be > -1")
    return _made(("genlaguerre", n, alpha), monic, lambda: sp.roots_genlaguerre(n, alpha), (-1) ** n / sp.gamma(n + 1), lambda x: sp.eval_genlaguerre(n, alpha, x), lambda x: np.exp(-x) * x**alpha)


def laguerre(n, monic=False):
    """scipy.special.laguerre."""
    import scipy.special as sp

    return _made(("laguerre", n), monic, lambda: sp.roots_laguerre(n), (-1) ** n / sp.gamma(n + 1), lambda x: sp.eval_laguerre(n, x), lambda x: np.exp(-x))


def hermite(n, monic=False):
    """scipy.special.hermite."""
    import scipy.special as sp

    return _made(("hermite", n), monic, lambda: sp.roots_hermite(n), 2.0**n, lambda x: sp.eval_hermite(n, x), lambda x: np.exp(-x * x))


def hermitenorm(n, monic=False):
    """scipy.special.hermitenorm."""
    import scipy.special as sp

    return _made(("hermitenorm", n), monic, lambda: sp.roots_hermitenorm(n), 1.0, lambda x: sp.eval_hermitenorm(n, x), lambda x: np.exp(-x * x / 2.0))


def gegenbauer(n, alpha, monic=False):
    """scipy.special.gegenbauer."""
    import scipy.special as sp

    if not np.isfinite(alpha) or alpha <= -0.5:
        raise ValueError("`alpha` must be a finite number greater than -1/2")
    base = jacobi(n, alpha - 0.5, alpha - 0.5)
    if monic or n == 0:
        return _made(("gegenbauer", n, alpha), monic, base.zeros, base.first, base.values, base.weighing)
    factor = sp.gamma(2 * alpha + n) * sp.gamma(alpha + 0.5) / sp.gamma(2 * alpha) / sp.gamma(alpha + 0.5 + n)
    return _made(("gegenbauer", n, alpha), False, base.zeros, base.first * factor, lambda x: sp.eval_gegenbauer(n, alpha, x), base.weighing)


def chebyt(n, monic=False):
    """scipy.special.chebyt."""
    import scipy.special as sp

    return _made(("chebyt", n), monic, lambda: sp.roots_chebyt(n), 2.0 ** (n - 1) if n > 0 else 1.0, lambda x: sp.eval_chebyt(n, x), lambda x: 1.0 / np.sqrt(1 - x * x))


def _scaled(made_by, base, monic, factor):
    """A multiple of another one."""
    values = base.values
    return _made(made_by, monic, base.zeros, base.first * factor, lambda x: values(x) * factor, base.weighing)


def chebyu(n, monic=False):
    """scipy.special.chebyu."""
    import scipy.special as sp

    return _scaled(("chebyu", n), jacobi(n, 0.5, 0.5), monic, np.sqrt(np.pi) / 2.0 * sp.gamma(n + 2) / sp.gamma(n + 1.5))


def legendre(n, monic=False):
    """scipy.special.legendre."""
    import scipy.special as sp

    return _made(("legendre", n), monic, lambda: sp.roots_legendre(n), sp.gamma(2 * n + 1) / sp.gamma(n + 1) ** 2 / 2.0**n, lambda x: sp.eval_legendre(n, x), np.ones_like)


def sh_legendre(n, monic=False):
    """scipy.special.sh_legendre."""
    import scipy.special as sp

    return _made(("sh_legendre", n), monic, lambda: sp.roots_sh_legendre(n), sp.gamma(2 * n + 1) / sp.gamma(n + 1) ** 2, lambda x: sp.eval_sh_legendre(n, x), np.ones_like)


def sh_chebyt(n, monic=False):
    """scipy.special.sh_chebyt."""
    return _scaled(("sh_chebyt", n), sh_jacobi(n, 0.0, 0.5), monic, 4.0**n / 2.0 if n > 0 else 1.0)


def sh_chebyu(n, monic=False):
    """scipy.special.sh_chebyu."""
    return _scaled(("sh_chebyu", n), sh_jacobi(n, 2.0, 1.5), monic, 4.0**n)


ORTHOGONAL: dict[str, Any] = {
    f"scipy.special.{function.__name__}": function
    for function in (jacobi, sh_jacobi, genlaguerre, laguerre, hermite, hermitenorm, gegenbauer, chebyt, chebyu, legendre, sh_legendre, sh_chebyt, sh_chebyu)
}
"""By qualified name: they give objects."""
