"""scipy.integrate.quad: the interval with the largest error is halved until the whole error is small enough.

Gauss's and Kronrod's rule of 21 points and its estimate of the error (Piessens et al., QUADPACK, 1983), without QUADPACK's extrapolation: the integral agrees with SciPy's as far as both
tolerances say, the estimate is of the same kind and another number. Infinite ranges are mapped to finite ones. Derivatives are those of the rule on the intervals as they were chosen.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from s2s.transforms.read.composed.keyed_results import as_dict
from s2s.transforms.read.composed.marks import constant, surely, unsupported


@as_dict(unsure=("neval", "last", "iord", "alist", "blist", "rlist", "elist"))
class Intervals(NamedTuple):
    """What is told of scipy.integrate.quad's integral besides: of QUADPACK's own intervals nothing."""

    how: str


_HALF = np.array((
    0.995657163025808080735527280689003, 0.973906528517171720077964012084452, 0.930157491355708226001207180059508, 0.865063366688984510732096688423493,
    0.780817726586416897063717578345042, 0.679409568299024406234327365114874, 0.562757134668604683339000099272694, 0.433395394129247190799265943165784,
    0.294392862701460198131126603103866, 0.148874338981631210884826001129720,
))  # fmt: skip
NODES = np.concatenate((_HALF, [0.0], -_HALF[::-1]))
_GAUSS_HALF = (0.066671344308688137593568809893332, 0.149451349150580593145776339657697, 0.219086362515982043995534934228163, 0.269266719309996355091226921569469, 0.295524224714752870173892994651338)
_KRONROD_HALF = (
    0.011694638867371874278064396062192, 0.032558162307964727478818972459390, 0.054755896574351996031381300244580, 0.075039674810919952767043140916190, 0.093125454583697605535065465083366,
    0.109387158802297641899210590325805, 0.123491976262065851077958109831074, 0.134709217311473325928054001771707, 0.142775938577060080797094273138717, 0.147739104901338491374841515972068,
)  # fmt: skip
KRONROD = np.array((*_KRONROD_HALF, 0.149445554002916905664936468389821, *_KRONROD_HALF[::-1]))
GAUSS = np.zeros(21)
GAUSS[1::2] = (*_GAUSS_HALF, *_GAUSS_HALF[::-1])
"""The rule's points, and its weights with and without the points between Gauss's."""


def quad(
    func, a, b, args=(), full_output=0, epsabs=1.49e-8, epsrel=1.49e-8, limit=50, points=None, weight=None, wvar=None, wopts=None, maxp1=50, limlst=50, complex_func=False,
):  # fmt: skip
    """scipy.integrate.quad of functions without singularities inside the range."""
    if full_output:
        return *quad(func, a, b, args, 0, epsabs, epsrel, limit, points, weight, wvar, wopts, maxp1, limlst, complex_func), Intervals("halved")
    if complex_func:
        real, error = quad(lambda x, *args: np.real(func(x, *args)), a, b, args, 0, epsabs, epsrel, limit, points, weight, wvar)
        imaginary, beside = quad(lambda x, *args: np.imag(func(x, *args)), a, b, args, 0, epsabs, epsrel, limit, points, weight, wvar)
        return real + 1j * imaginary, error + 1j * beside
    if not isinstance(args, tuple):
        args = (args,)
    if weight is not None:
        if weight not in ("cos", "sin") or points is not None:
            unsupported(f"scipy.integrate.quad(…, weight={weight!r}) with these arguments", "the product as the function")
        wave = np.cos if weight == "cos" else np.sin
        return quad(lambda x, *args: func(x, *args) * wave(wvar * x), a, b, args, 0, epsabs, epsrel, limit)
    if epsabs <= 0 and epsrel < 5e-29:
        raise ValueError("Integration tolerance (epsabs) and relative tolerance (epsrel) must be positive.")
    a, b = np.float64(a), np.float64(b)
    if np.isnan(a) or np.isnan(b):
        raise ValueError("scipy.integrate.quad between numbers that are nan")
    ends = _kind(a), _kind(b)
    if points is not None:
        if ends != (0, 0):
            raise ValueError("Infinity inputs cannot be used with break points.")
        inner = np.sort(np.atleast_1d(np.asarray(points, np.float64)))
        edges = np.concatenate((np.atleast_1d(a), np.clip(inner, a, b) if a <= b else np.clip(inner, b, a)[::-1], np.atleast_1d(b)))
        return _adaptive(lambda x: func(x, *args), edges, epsabs, epsrel, limit)
    if surely(ends == (0, 0)):
        return _adaptive(lambda x: func(x, *args), np.stack((a, b)), epsabs, epsrel, limit)
    return _ranges(func, args, a, b, ends, epsabs, epsrel, limit)


def _kind(x):
    return 1 if x == np.inf else -1 if x == -np.inf else 0


def _ranges(func, args, a, b, ends, epsabs, epsrel, limit):
    """Ranges that may be infinite: x = end + (1 - t) / t for t from 0 to 1, both halves of the line at once."""
    if ends == (0, 0):
        return _adaptive(lambda x: func(x, *args), np.stack((a, b)), epsabs, epsrel, limit)
    if a == b:
        return 0.0, 0.0
    sign = -1.0 if a > b else 1.0
    whole = ends[0] != 0 and ends[1] != 0
    end = 0.0 if whole else a if ends[0] == 0 else b
    way = 1.0 if ends[0] > 0 or ends[1] > 0 else -1.0

    def mapped(t):
        far = (1.0 - t) / t
        there = func(end + way * far, *args)
        if whole:
            there = there + func(end - way * far, *args)
        return there / (t * t)

    found, error = _adaptive(mapped, np.array([0.0, 1.0]), epsabs, epsrel, limit)
    return float(sign * found), error


def _rule(f, a, b):
    """The integral from a to b by the rule, and how far off it may be."""
    middle, half = 0.5 * (a + b), 0.5 * (b - a)
    values = np.empty(21)
    for k in range(21):
        values[k] = f(middle + half * NODES[k])
    kronrod, there, size = KRONROD @ values, constant(values), constant(np.abs(half))
    error = np.abs(KRONROD @ there - GAUSS @ there) * size
    spread = (KRONROD @ np.abs(there - 0.5 * (KRONROD @ there))) * size
    if spread != 0.0 and error != 0.0:
        error = spread * min(1.0, (200.0 * error / spread) ** 1.5)
    rounding = 50.0 * np.finfo(np.float64).eps * (KRONROD @ np.abs(there)) * size
    return half * kronrod, max(error, rounding) if rounding > 1e-300 else error, rounding


def _adaptive(f, edges, epsabs, epsrel, limit):
    """The integral over all intervals between edges."""
    starts, stops, parts, errors, floors = np.empty(limit), np.empty(limit), np.empty(limit), np.zeros(limit), np.zeros(limit)
    count = edges.shape[0] - 1
    for k in range(count):
        starts[k], stops[k] = edges[k], edges[k + 1]
        parts[k], errors[k], floors[k] = _rule(f, edges[k], edges[k + 1])
    total, error = np.sum(constant(parts[:count])), np.sum(errors[:count])
    while error > max(epsabs, epsrel * np.abs(total)) and error > np.sum(floors[:count]) * 1.01:
        if count == limit:
            raise RuntimeError("scipy.integrate.quad: the maximum number of subdivisions has been achieved; the integral may diverge, or its function have a singularity")
        worst = np.argmax(errors[:count])
        middle = 0.5 * (starts[worst] + stops[worst])
        starts[count], stops[count], stops[worst] = middle, stops[worst], middle
        parts[count], errors[count], floors[count] = _rule(f, middle, stops[count])
        parts[worst], errors[worst], floors[worst] = _rule(f, starts[worst], middle)
        count += 1
        total, error = np.sum(constant(parts[:count])), np.sum(errors[:count])
    if not np.isfinite(total):
        raise RuntimeError("scipy.integrate.quad: the function is not finite where it was asked")
    return float(np.sum(parts[:count])), float(error)
