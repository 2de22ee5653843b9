"""The special functions: error functions, gamma functions, logistic functions and entropies, with SciPy's values at the edges.

Derivatives at edges as JAX: xlogy's and entr's are those of their formulas. SciPy is imported when one of them is computed, not before.
"""
from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from typing import Any

from s2s.transforms.primitives.elementwise import exp, log, log1p
from s2s.transforms.primitives.families import POSITIVE, REAL, Domain, Over, Partials, elementwise
from s2s.transforms.primitives.row import NotYet, Primitive
from s2s.transforms.primitives.value import Number, Value

TWO_OVER_ROOT_PI = 2.0 / math.sqrt(math.pi)
INSIDE: Domain = (0.1, 0.9)


def of_scipy(name: str) -> Callable[..., Any]:
    """SciPy's function, looked up when it is called."""

    def evaluate(*operands: Any) -> Any:
        module, _, own = f"scipy.special.{name}".rpartition(".")
        return getattr(importlib.import_module(module), own)(*operands)

    return evaluate


def _row(name: str, partials: Partials, scalar: str, *domains: Domain, own_name: str = "", is_complex: bool = False) -> Primitive:
    """A row for scipy.special's function of this name; `scalar` in terms of `math` and `scalar_helpers`.

    `own_name`: the row's, where users call variables like the function (a variable that is called like a row is taken for one without a name). `is_complex`: it takes complex numbers as well,
    of which `complex_…` is SciPy's C function.
    """
    operands = ", ".join("ab"[: len(domains)])
    return elementwise(
        own_name or name, of_scipy(name), partials=partials, array=f"scipy.special.{name}({operands})", scalar=scalar, domains=domains,
        dtypes="fc" if is_complex else "f", complex_scalar=f"complex_{own_name or name}({operands})" if is_complex else "", widens=True,
    )  # fmt: skip


def digamma_of(x: Value) -> Value:
    """Of real or of complex numbers."""
    return complex_digamma(x) if x.dtype.kind == "c" else digamma(x)


erf = _row("erf", lambda ans, x: (TWO_OVER_ROOT_PI * exp(-(x * x)),), "erf(a)", REAL, is_complex=True)
erfc = _row("erfc", lambda ans, x: (-TWO_OVER_ROOT_PI * exp(-(x * x)),), "erfc(a)", REAL, is_complex=True)
expit = _row("expit", lambda ans, x: (ans * (1 - ans),), "1 / (1 + exp(-a))", REAL)
logit = _row("logit", lambda ans, x: (Over(x * (1 - x)),), "logit(a)", INSIDE, own_name="log_odds")
gamma = _row("gamma", lambda ans, x: (ans * digamma_of(x),), "gamma(a)", POSITIVE, own_name="gamma_function", is_complex=True)
gammaln = _row("gammaln", lambda ans, x: (digamma(x),), "a if a == -np.inf else lgamma(a)", POSITIVE)
digamma: Primitive = _row("digamma", lambda ans, x: (hurwitz_zeta(x, order=2),), "digamma(a)", POSITIVE)
complex_digamma = elementwise(
    "complex_digamma", of_scipy("digamma"), partials=NotYet("no function of SciPy's gives the derivative of scipy.special.digamma of complex numbers"),
    array="scipy.special.digamma(a)", scalar="complex_digamma(a)", domains=(POSITIVE,), dtypes="c", widens=True,
)  # fmt: skip
xlogy = _row("xlogy", lambda ans, x, y: (log(y), x / y), "xlogy(a, b)", POSITIVE, POSITIVE, is_complex=True)
xlog1py = _row("xlog1py", lambda ans, x, y: (log1p(y), x / (1 + y)), "xlog1py(a, b)", POSITIVE, POSITIVE, is_complex=True)
entr = _row("entr", lambda ans, x: (-(log(x) + 1),), "entr(a)", POSITIVE)


def _zeta_partials(ans: Value, x: Value, *, order: int) -> tuple[Value | Number]:
    return (-order * hurwitz_zeta(x, order=order + 1),)


hurwitz_zeta: Primitive = elementwise(
    "hurwitz_zeta", lambda x, *, order: of_scipy("zeta")(order, x).astype(x.dtype), partials=_zeta_partials,
    array="scipy.special.zeta(order, a)", scalar="hurwitz_zeta(order, a)", domains=(POSITIVE,), dtypes="f", widens=True, params=({"order": 2}, {"order": 3}),
)  # fmt: skip
"""hurwitz_zeta(x; order): the sum over k of (x + k) ** -order, of which the derivatives of digamma are made."""

ROWS: tuple[Primitive, ...] = (erf, erfc, expit, logit, gamma, gammaln, digamma, complex_digamma, hurwitz_zeta, xlogy, xlog1py, entr)
