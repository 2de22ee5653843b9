"""scipy.special's functions as the formulas of distributions call them: SciPy is looked at when one is called, never imported with us."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations


def betainc(a, b, x):
    """scipy.special.betainc."""
    import scipy.special as sp

    return sp.betainc(a, b, x)


def betainccinv(a, b, q):
    """scipy.special.betainccinv."""
    import scipy.special as sp

    return sp.betainccinv(a, b, q)


def betaincinv(a, b, q):
    """scipy.special.betaincinv."""
    import scipy.special as sp

    return sp.betaincinv(a, b, q)


def betaln(a, b):
    """scipy.special.betaln."""
    import scipy.special as sp

    return sp.betaln(a, b)


def chndtr(y, df, nc):
    """scipy.special.chndtr."""
    import scipy.special as sp

    return sp.chndtr(y, df, nc)


def erf(x):
    """scipy.special.erf."""
    import scipy.special as sp

    return sp.erf(x)


def erfc(x):
    """scipy.special.erfc."""
    import scipy.special as sp

    return sp.erfc(x)


def erfinv(x):
    """scipy.special.erfinv."""
    import scipy.special as sp

    return sp.erfinv(x)


def expit(x):
    """scipy.special.expit."""
    import scipy.special as sp

    return sp.expit(x)


def gammainc(a, x):
    """scipy.special.gammainc."""
    import scipy.special as sp

    return sp.gammainc(a, x)


def gammaincc(a, x):
    """scipy.special.gammaincc."""
    import scipy.special as sp

    return sp.gammaincc(a, x)


def gammainccinv(a, q):
    """scipy.special.gammainccinv."""
    import scipy.special as sp

    return sp.gammainccinv(a, q)


def gammaincinv(a, q):
    """scipy.special.gammaincinv."""
    import scipy.special as sp

    return sp.gammaincinv(a, q)


def gammaln(x):
    """scipy.special.gammaln."""
    import scipy.special as sp

    return sp.gammaln(x)


def k1e(x):
    """scipy.special.k1e."""
    import scipy.special as sp

    return sp.k1e(x)


def kve(order, x):
    """scipy.special.kve."""
    import scipy.special as sp

    return sp.kve(order, x)


def log_ndtr(x):
    """scipy.special.log_ndtr."""
    import scipy.special as sp

    return sp.log_ndtr(x)


def logit(q):
    """scipy.special.logit."""
    import scipy.special as sp

    return sp.logit(q)


def ndtr(x):
    """scipy.special.ndtr."""
    import scipy.special as sp

    return sp.ndtr(x)


def ndtri(q):
    """scipy.special.ndtri."""
    import scipy.special as sp

    return sp.ndtri(q)


def polygamma(order, c):
    """scipy.special.polygamma."""
    import scipy.special as sp

    return sp.polygamma(order, c)


def powm1(q, power):
    """scipy.special.powm1."""
    import scipy.special as sp

    return sp.powm1(q, power)


def psi(c):
    """scipy.special.psi."""
    import scipy.special as sp

    return sp.psi(c)


def stdtrit(df, q):
    """scipy.special.stdtrit."""
    import scipy.special as sp

    return sp.stdtrit(df, q)


def xlogy(x, y):
    """scipy.special.xlogy."""
    import scipy.special as sp

    return sp.xlogy(x, y)


def zeta(order, c):
    """scipy.special.zeta."""
    import scipy.special as sp

    return sp.zeta(order, c)
