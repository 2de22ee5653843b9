"""check_grads, check_jvp, check_vjp: derivatives against differences, under the names of jax.test_util."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s.api import checks
from s2s.errors import GradientCheckError
from s2s.not_here import refusing
from s2s.tree_util import tree_leaves, tree_map
from s2s.types import FLOAT0


def check_grads(
    f: Callable[..., Any], args: Sequence[Any], order: int, modes: Sequence[str] = ("fwd", "rev"), atol: float | None = None, rtol: float | None = None, eps: float | None = None
) -> None:
    """Derivatives of `f` at `args` up to `order`, against differences: `s2s.check_grads` with jax.test_util's parameters.

    Raises
    ------
    GradientCheckError
        An AssertionError: a derivative is wrong.

    >>> import numpy as np
    >>> check_grads(np.sin, (0.5,), order=2, modes=["rev"])
    """
    checks.check_grads(f, tuple(args), order, modes=tuple(modes), atol=atol, rtol=rtol, eps=eps)


def check_jvp(f: Callable[..., Any], f_jvp: Callable[..., Any], args: Sequence[Any], atol: float | None = None, rtol: float | None = None, eps: float = 1e-4, err_msg: str = "") -> None:
    """`f_jvp(args, tangents)`, mostly partial(s2s.jvp, f), against central differences of `f` at `args` along one drawn direction.

    Raises
    ------
    GradientCheckError
        An AssertionError: they differ.

    >>> import s2s
    >>> from functools import partial
    >>> check_jvp(np.sin, partial(s2s.jvp, np.sin), (0.5,))
    """
    rng = np.random.default_rng(0)
    dots = tree_map(lambda x: _drawn(rng, x), tuple(args))
    out, out_dot = f_jvp(tuple(args), dots)
    _compare(f(*args), out, atol, rtol, f"{err_msg} JVP primal")
    _compare(_difference(f, args, dots, eps), out_dot, atol, rtol, f"{err_msg} JVP tangent")


def check_vjp(f: Callable[..., Any], f_vjp: Callable[..., Any], args: Sequence[Any], atol: float | None = None, rtol: float | None = None, eps: float = 1e-4, err_msg: str = "") -> None:
    """`f_vjp(*args)`, mostly partial(s2s.vjp, f), against central differences of `f` at `args`: both paired with a drawn direction and a drawn cotangent.

    Raises
    ------
    GradientCheckError
        An AssertionError: they differ.

    >>> import s2s
    >>> from functools import partial
    >>> check_vjp(np.sin, partial(s2s.vjp, np.sin), (0.5,))
    """
    rng = np.random.default_rng(0)
    out, pullback = f_vjp(*args)
    _compare(f(*args), out, atol, rtol, f"{err_msg} VJP primal")
    dots = tree_map(lambda x: _drawn(rng, x), tuple(args))
    bars = tree_map(lambda x: _drawn(rng, x), out)
    slopes = _difference(f, args, dots, eps)
    _compare(_paired(bars, slopes), _paired(pullback(bars), dots), atol, rtol, f"{err_msg} VJP cotangent projection")


def _drawn(rng: np.random.Generator, x: Any) -> Any:
    """A direction in which a number or array can go; float0 where it can't."""
    x = np.asarray(x)
    if x.dtype.kind not in "fc":
        return np.zeros(x.shape, FLOAT0)
    drawn = rng.normal(size=x.shape) + (1j * rng.normal(size=x.shape) if x.dtype.kind == "c" else 0)
    return np.asarray(drawn).astype(x.dtype)[()]


def _moved(x: Any, dot: Any, step: float) -> Any:
    return x if np.asarray(x).dtype.kind not in "fc" else (np.asarray(x) + step * dot).astype(np.asarray(x).dtype)[()]


def _difference(f: Callable[..., Any], args: Sequence[Any], dots: Any, eps: float) -> Any:
    up, down = (f(*tree_map(lambda x, dot, step=step: _moved(x, dot, step), tuple(args), dots)) for step in (0.5 * eps, -0.5 * eps))
    return tree_map(lambda one, other: (one - other) / eps, up, down)


def _paired(bars: Any, dots: Any) -> Any:
    """The sum of the products, of what has derivatives."""
    pairs = zip(tree_leaves(bars), tree_leaves(dots), strict=True)
    return sum(np.real(np.sum(np.asarray(bar) * np.asarray(dot))) for bar, dot in pairs if np.asarray(bar).dtype.kind in "fc")


def _compare(wanted: Any, found: Any, atol: float | None, rtol: float | None, what: str) -> None:
    for one, other in zip(tree_leaves(wanted), tree_leaves(found), strict=True):
        if np.asarray(other).dtype.kind not in "fc":
            continue
        loose = 2e-2 if np.finfo(np.asarray(other).dtype).eps > 1e-10 else 1e-5
        if not np.allclose(other, one, rtol=loose if rtol is None else rtol, atol=loose if atol is None else atol, equal_nan=True):
            raise GradientCheckError(f"{what.strip()}: {other} is not near {one}, which differences say")


__all__ = ["check_grads", "check_jvp", "check_vjp"]

__getattr__ = refusing(__name__)
