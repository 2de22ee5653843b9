"""scipy.optimize: minima of functions of one number, roots of several equations, curves fitted to data; with the derivatives of the solution.

Minima between or from brackets take SciPy's own steps (Brent 1973, chapter 5), so the numbers are SciPy's. Roots are found by Newton's steps, fits by Levenberg's and Marquardt's, with the
exact Jacobian where MINPACK takes differences: the numbers agree as far as both tolerances say. Derivatives are those of the implicit function theorem at what was found.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed import marks
from s2s.transforms.read.composed.bounded import condition as at_minimum
from s2s.transforms.read.composed.bounded import cost, curved, damped, units_of
from s2s.transforms.read.composed.keyed_results import as_dict
from s2s.transforms.read.composed.lax_solves import custom_root
from s2s.transforms.read.composed.marks import constant, unsupported
from s2s.transforms.read.composed.roots import solved

GOLDEN, SHORTER, GROWTH, TINY, LEAST = 0.3819660, 1.0 - 0.61803399, 1.618034, 1e-21, 1.0e-11
"""SciPy's constants of the golden section (of Brent's, of its own), of growing brackets, of denominators and of the least tolerance."""
LOSSES = ("linear", "huber", "soft_l1", "cauchy", "arctan")
FINE = 1.4832396974191326e-08
"""The root of 2.2e-16."""
SECTION = 0.5 * (3.0 - 2.23606797749979)


@as_dict()
class ScalarResult(NamedTuple):
    """What scipy.optimize.minimize_scalar gives."""

    x: Any
    fun: Any
    nit: Any
    nfev: Any
    success: Any
    method: str = "brent"

    def keys(self):
        """What SciPy's holds by this method."""
        if self.method == "bounded":
            return ["fun", "status", "success", "message", "x", "nfev", "nit"]
        return ["fun", "nfev", "x", "nit", "success", "message"] if self.method == "golden" else ["fun", "x", "nit", "nfev", "success", "message"]


@as_dict("nfev", "fvec", unsure=("fjac", "r", "qtf", "ipvt"))
class Found(NamedTuple):
    """What is told of fsolve's root besides: of SciPy's own steps (their counts, the decomposition of the Jacobian) nothing."""

    fvec: Any


def minimize_scalar(fun, bracket=None, bounds=None, args=(), method=None, tol=None, options=None):
    """scipy.optimize.minimize_scalar by Brent's method, or within bounds."""
    if not isinstance(args, tuple):
        args = (args,)
    if method is None:
        method = "brent" if bounds is None else "bounded"
    if not isinstance(method, str) or method.lower() not in ("brent", "bounded", "golden"):
        unsupported(f"scipy.optimize.minimize_scalar by {method!r}", "method='brent', or 'bounded'")
    known = ("xatol", "maxiter", "disp") if method.lower() == "bounded" else ("xtol", "maxiter", "disp")
    wanted = {} if options is None else options
    if not all(name in known for name in wanted):
        unsupported(f"scipy.optimize.minimize_scalar(…, options={sorted(wanted)})", " and ".join(known))

    def value(x):
        return np.float64(fun(x, *args))

    slope = marks.ours("grad")(value)
    by_sections = method.lower() == "golden"
    most = wanted.get("maxiter", 5000 if by_sections else 500)
    if method.lower() != "bounded":
        if bounds is not None:
            raise ValueError(f"Use of `bounds` is incompatible with 'method={method}'.")
        xtol = wanted.get("xtol", (1.4901161193847656e-08 if by_sections else 1.48e-8) if tol is None else tol)
        if xtol < 0 and not by_sections:
            raise ValueError(f"tolerance should be >= 0, got {xtol!r}")
        _need_bracket(value, bracket)
        search = _golden if by_sections else _brent
        x, counts = custom_root(slope, np.float64(0.0), lambda slope, _: search(value, bracket, xtol, most), _one, has_aux=True)
    else:
        if bounds is None:
            raise ValueError("The `bounds` parameter is mandatory for method `bounded`.")
        if len(bounds) != 2:
            raise ValueError("bounds must have two elements.")
        low, high = np.float64(bounds[0]), np.float64(bounds[1])
        if not (np.isfinite(low) and np.isfinite(high)):
            raise ValueError("Optimization bounds must be finite scalars.")
        if low > high:
            raise ValueError("The lower bound exceeds the upper bound.")
        xatol = wanted.get("xatol", 1e-5 if tol is None else tol)

        def condition(x):  # at a bound the minimum moves with it
            near = 4.0 * (FINE * np.abs(constant(x)) + xatol / 3.0)
            rise = slope(x)
            at_low, at_high = (constant(x - low) < near) & (constant(rise) > 0), (constant(high - x) < near) & (constant(rise) < 0)
            return np.where(at_low, x - low, np.where(at_high, x - high, rise)) * 1.0

        x, counts = custom_root(condition, low, lambda condition, _: _bounded(value, low, high, xatol, most), _one, has_aux=True)
    nit, nfev = counts
    least = value(x)
    return ScalarResult(x, least, nit, nfev, nit < most and not (np.isnan(x) or np.isnan(least)), method.lower())


def _one(linear, y):
    return y / linear(1.0)


def _bracket(f, first, second):
    """Three points of which the middle one is the lowest, by growing steps downhill: scipy.optimize.bracket."""
    xa, xb = np.float64(first), np.float64(second)
    fa, fb = f(xa), f(xb)
    if fa < fb:
        xa, xb, fa, fb = xb, xa, fb, fa
    xc = xb + GROWTH * (xb - xa)
    fc = f(xc)
    count, trips, open_ = 3, 0, fc < fb
    while open_:
        if trips > 1000:
            raise RuntimeError("No valid bracket was found before the iteration limit was reached. Consider trying different initial points or increasing `maxiter`.")
        trips += 1
        one, two = (xb - xa) * (fb - fc), (xb - xc) * (fb - fa)
        bend = two - one
        w = xb - ((xb - xc) * two - (xb - xa) * one) / (2.0 * TINY if np.abs(bend) < TINY else 2.0 * bend)
        limit = xb + 110.0 * (xc - xb)
        ended, further = False, False
        fw = fc
        if (w - xc) * (xb - w) > 0.0:
            fw = f(w)
            count += 1
            if fw < fc:
                xa, fa, xb, fb, ended = xb, fb, w, fw, True
            elif fw > fb:
                xc, fc, ended = w, fw, True
            else:
                further = True
        elif (w - limit) * (limit - xc) >= 0.0:
            w = limit
            fw = f(w)
            count += 1
        elif (w - limit) * (xc - w) > 0.0:
            fw = f(w)
            count += 1
            if fw < fc:
                xb, fb, xc, fc = xc, fc, w, fw
                further = True
        else:
            further = True
        if further:
            w = xc + GROWTH * (xc - xb)
            fw = f(w)
            count += 1
        if not ended:
            xa, xb, xc = xb, xc, w
            fa, fb, fc = fb, fc, fw
        open_ = not ended and fc < fb
    lowest = (fb < fc and fb <= fa) or (fb < fa and fb <= fc)
    if not (lowest and (xa < xb < xc or xc < xb < xa) and np.isfinite(xa) and np.isfinite(xb) and np.isfinite(xc)):
        raise RuntimeError("The algorithm terminated without finding a valid bracket. Consider trying different initial points.")
    return xa, xb, xc, fb, count


def _need_bracket(f, bracket):
    """SciPy's errors for what is no bracket."""
    if bracket is None:
        return
    if len(bracket) not in (2, 3):
        raise ValueError("Bracketing interval must be length 2 or 3 sequence.")
    if len(bracket) == 3:
        low, middle, high = _ordered(bracket)
        if not (low < middle < high):
            raise ValueError("Bracketing values (xa, xb, xc) do not fulfill this requirement: (xa < xb) and (xb < xc)")
        if not (f(middle) < f(low) and f(middle) < f(high)):
            raise ValueError("Bracketing values (xa, xb, xc) do not fulfill this requirement: (f(xb) < f(xa)) and (f(xb) < f(xc))")


def _ordered(bracket):
    """Three points, the ends in order."""
    low, middle, high = np.float64(bracket[0]), np.float64(bracket[1]), np.float64(bracket[2])
    return (high, middle, low) if low > high else (low, middle, high)


def _start(f, bracket):
    """A bracket, the function in its middle, and how many calls that took."""
    if bracket is None or len(bracket) == 2:
        first, second = (0.0, 1.0) if bracket is None else (bracket[0], bracket[1])
        return _bracket(f, first, second)
    low, middle, high = _ordered(bracket)
    return low, middle, high, f(middle), 3


def _golden(f, bracket, xtol, most):
    """SciPy's golden sections."""
    low, middle, high, _, count = _start(f, bracket)
    if np.abs(high - middle) > np.abs(middle - low):
        one, two = middle, middle + SHORTER * (high - middle)
    else:
        one, two = middle - SHORTER * (middle - low), middle
    at_one, at_two, trips = f(one), f(two), 0
    while trips < most and not np.abs(high - low) <= xtol * (np.abs(one) + np.abs(two)):
        if at_two < at_one:
            low, one, two, at_one = one, two, (1.0 - SHORTER) * two + SHORTER * high, at_two
            at_two = f(two)
        else:
            high, two, one, at_two = two, one, (1.0 - SHORTER) * one + SHORTER * low, at_one
            at_one = f(one)
        trips += 1
    return (one if at_one < at_two else two), (trips, count + 2 + trips)


def _brent(f, bracket, xtol, most):
    """SciPy's Brent: parabolas where they shrink the bracket, golden sections elsewhere."""
    xa, x, xc, fx, count = _start(f, bracket)
    a, b = (xa, xc) if xa < xc else (xc, xa)
    w, v, fw, fv = x, x, fx, fx
    step, last, trips, found = 0.0 * x, 0.0 * x, 0, False
    while trips < most and not found:
        small = xtol * np.abs(x) + LEAST
        middle = 0.5 * (a + b)
        found = np.abs(x - middle) < (2.0 * small - 0.5 * (b - a))
        if not found:
            golden = np.abs(last) <= small
            if not golden:
                one, two = (x - w) * (fx - fv), (x - v) * (fx - fw)
                p = (x - v) * two - (x - w) * one
                two = 2.0 * (two - one)
                p = -p if two > 0.0 else p
                two = np.abs(two)
                before, last = last, step
                if p > two * (a - x) and p < two * (b - x) and np.abs(p) < np.abs(0.5 * two * before):
                    step = p / two
                    u = x + step
                    if (u - a) < 2.0 * small or (b - u) < 2.0 * small:
                        step = small if middle - x >= 0 else -small
                else:
                    golden = True
            if golden:
                last = a - x if x >= middle else b - x
                step = GOLDEN * last
            u = (x + small if step >= 0 else x - small) if np.abs(step) < small else x + step
            fu = f(u)
            count += 1
            a, b, x, w, v, fx, fw, fv = _moved(a, b, x, w, v, u, fx, fw, fv, fu)
            trips += 1
    return x, (trips, count)


def _moved(a, b, x, w, v, u, fx, fw, fv, fu):
    """The bracket and the three best points after a new one."""
    if fu > fx:
        if u < x:
            a = u
        else:
            b = u
        if fu <= fw or w == x:
            v, w, fv, fw = w, u, fw, fu
        elif fu <= fv or v in (x, w):
            v, fv = u, fu
    else:
        if u >= x:
            a = x
        else:
            b = x
        v, w, x, fv, fw, fx = w, x, u, fw, fx, fu
    return a, b, x, w, v, fx, fw, fv


def _bounded(f, a, b, xatol, most):
    """SciPy's fminbound: as above, between two points."""
    x = a + SECTION * (b - a)
    w, v, step, last = x, x, 0.0 * x, 0.0 * x
    fx = f(x)
    fw, fv, count = fx, fx, 1
    middle = 0.5 * (a + b)
    small = FINE * np.abs(x) + xatol / 3.0
    while count < most and np.abs(x - middle) > 2.0 * small - 0.5 * (b - a):
        golden = not np.abs(last) > small
        if not golden:
            r, q = (x - w) * (fx - fv), (x - v) * (fx - fw)
            p = (x - v) * q - (x - w) * r
            q = 2.0 * (q - r)
            p = -p if q > 0.0 else p
            q = np.abs(q)
            r, last = last, step
            if np.abs(p) < np.abs(0.5 * q * r) and p > q * (a - x) and p < q * (b - x):
                step = p / q
                u = x + step
                if (u - a) < 2.0 * small or (b - u) < 2.0 * small:
                    step = small if middle - x >= 0 else -small
            else:
                golden = True
        if golden:
            last = a - x if x >= middle else b - x
            step = SECTION * last
        u = x + (1.0 if step >= 0 else -1.0) * max(np.abs(step), small)
        fu = f(u)
        count += 1
        if fu <= fx:
            if u >= x:
                a = x
            else:
                b = x
            v, w, x, fv, fw, fx = w, x, u, fw, fx, fu
        else:
            if u < x:
                a = u
            else:
                b = u
            if fu <= fw or w == x:
                v, w, fv, fw = w, u, fw, fu
            elif fu <= fv or v in (x, w):
                v, fv = u, fu
        middle = 0.5 * (a + b)
        small = FINE * np.abs(x) + xatol / 3.0
    return x, (count, count)


# ---- several equations ----------------------------------------------------------------------------------------------------------


def fsolve(func, x0, args=(), fprime=None, full_output=0, col_deriv=0, xtol=1.49012e-8, maxfev=0, band=None, epsfcn=None, factor=100, diag=None):
    """scipy.optimize.fsolve, by Newton's steps that are halved until the equations get better."""
    if col_deriv or band is not None or diag is not None:
        unsupported("scipy.optimize.fsolve with col_deriv, band or diag", "the function, where it starts, args, fprime and xtol")
    if not isinstance(args, tuple):
        args = (args,)
    x, _ = _root(func, x0, args, fprime, xtol, maxfev)
    if not full_output:
        return x
    return x, Found(np.atleast_1d(np.asarray(func(x.reshape(np.shape(x0)), *args), np.float64)).ravel()), 1, "The solution converged."


def _root(func, x0, args, fprime, xtol, maxfev):
    """The root, and how many values it took."""
    start = np.atleast_1d(np.asarray(x0, np.float64)).ravel()

    def equations(x):
        found = np.atleast_1d(np.asarray(func(x, *args), np.float64)).ravel()
        if found.shape[0] != x.shape[0]:
            raise TypeError(f"fsolve: there is a mismatch between the input and output shape of the 'func' argument: {found.shape[0]} equations for {x.shape[0]} numbers.")
        return found

    jacobian = marks.ours("jacfwd")(equations) if fprime is None else lambda x: np.asarray(fprime(x, *args), np.float64)
    most = maxfev if maxfev > 0 else 200 * (start.size + 1)
    return custom_root(equations, start, lambda equations, x: _newton(equations, jacobian, x, xtol, most), solved, has_aux=True)


def _newton(equations, jacobian, x, xtol, most):
    value = equations(x)
    count, found = 1, np.max(np.abs(value), initial=0.0) == 0.0
    while not found:
        step = np.linalg.solve(jacobian(x), -value)
        size, part = np.linalg.norm(value), 1.0
        after, value_after = x + step, equations(x + step)
        count += 1
        while not np.linalg.norm(value_after) < size and part > 1e-10 and np.max(np.abs(part * step) - 1e-14 * np.abs(x)) > 0:
            part = 0.5 * part
            after = x + part * step
            value_after = equations(after)
            count += 1
        moved = np.linalg.norm(after - x)
        found = moved <= 1e-3 * xtol * np.linalg.norm(after) or np.max(np.abs(value_after)) == 0.0
        if not found and (part <= 1e-10 or count >= most):
            raise RuntimeError("scipy.optimize.fsolve: the iteration is not making good progress")
        x, value = after, value_after
    return x, count


# ---- fits --------------------------------------------------------------------------------------------------------------------------


def curve_fit(f, xdata, ydata, p0=None, sigma=None, absolute_sigma=False, check_finite=None, bounds=(-np.inf, np.inf), method=None, jac=None, *, full_output=False, nan_policy=None, **kwargs):
    """scipy.optimize.curve_fit, within bounds or without. What steers SciPy's differences (diff_step, …) changes nothing here."""
    if method not in (None, "lm", "trf", "dogbox"):
        raise ValueError(f"`method` must be 'trf', 'dogbox' or 'lm', not {method!r}.")
    for word, value in kwargs.items():
        if word not in _KNOWN or word == "verbose" and value:
            unsupported(f"scipy.optimize.curve_fit(…, {word}=…)", "ftol, xtol, maxfev, loss and f_scale")
    if nan_policy not in (None, "raise", "omit"):
        raise ValueError("nan_policy must be one of {None, 'raise', 'omit'}")
    held = hasattr(bounds, "lb") or np.ndim(bounds[0]) > 0 or np.ndim(bounds[1]) > 0 or tuple(bounds) != (-np.inf, np.inf)
    if held and method == "lm":
        raise ValueError("Method 'lm' only works for unconstrained problems. Use 'trf' instead.")
    count = marks.argument_count(f) - 1 if p0 is None else len(np.atleast_1d(p0))
    low, high = _sides(bounds, count)
    start = np.atleast_1d(np.asarray(p0, np.float64)) if p0 is not None else _between_sides(low, high) if held else np.ones(count)
    xdata, ydata, sigma = _of_numbers(xdata, ydata, sigma, nan_policy, check_finite)
    popt, pcov, left = _fitted(f, xdata, ydata, start, count, low, high, sigma, absolute_sigma, jac if callable(jac) else None, method if method is not None else "trf" if held else "lm", kwargs)
    if not full_output:
        return popt, pcov
    return popt, pcov, Found(left), "Both actual and predicted relative reductions in the sum of squares\n  are at most 0.000000", 1


_KNOWN = ("ftol", "xtol", "gtol", "maxfev", "max_nfev", "loss", "f_scale", "x_scale", "verbose", "epsfcn", "diff_step", "tr_solver", "tr_options", "factor", "diag")


def _of_numbers(xdata, ydata, sigma, nan_policy, check_finite):
    """The data as arrays of floats, without those that are nan if they are to be left out."""
    xdata, ydata = np.asarray(xdata, np.float64), np.asarray(ydata, np.float64)
    if (nan_policy is None if check_finite is None else check_finite) and not (np.all(np.isfinite(xdata)) and np.all(np.isfinite(ydata))):
        raise ValueError("array must not contain infs or NaNs")
    if ydata.size == 0:
        raise ValueError("`ydata` must not be empty!")
    if nan_policy == "raise" and (np.any(np.isnan(xdata)) or np.any(np.isnan(ydata))):
        raise ValueError("The input contains nan values")
    if nan_policy != "omit":
        return xdata, ydata, sigma
    there = ~(np.isnan(ydata) | np.any(np.isnan(xdata), axis=tuple(range(xdata.ndim - 1))))
    errors = None if sigma is None else np.asarray(sigma, np.float64)
    return xdata[..., there], ydata[there], None if errors is None else errors[there] if errors.ndim == 1 else errors[there][:, there]


def _sides(bounds, count):
    one, two = (bounds.lb, bounds.ub) if hasattr(bounds, "lb") else (bounds[0], bounds[1])
    return np.asarray(one, np.float64) + np.zeros(count), np.asarray(two, np.float64) + np.zeros(count)


def _between_sides(low, high):
    """Where SciPy starts within bounds: in the middle, or 1 beside the only bound."""
    one, two = np.isfinite(low), np.isfinite(high)
    middle = 0.5 * (np.where(one, low, 0.0) + np.where(two, high, 0.0))
    return np.where(one & two, middle, np.where(one, low + 1, np.where(two, high - 1, 1.0)))


def _fitted(f, xdata, ydata, start, count, low, high, sigma, absolute_sigma, jac, method, kwargs):
    """The parameters, their covariances and what is left of the data."""
    if start.size > ydata.size:
        raise TypeError(f"The number of func parameters={start.size} must not exceed the number of data points={ydata.size}")
    weigh = _weights(sigma, ydata)

    def gaps(p):
        return weigh(np.asarray(f(xdata, *[p[k] for k in range(count)]), np.float64) - ydata)

    jacobian = marks.ours("jacfwd")(gaps) if jac is None else lambda p: weigh(np.asarray(jac(xdata, *[p[k] for k in range(count)]), np.float64))
    loss, scale = kwargs.get("loss", "linear"), kwargs.get("f_scale", 1.0)
    if callable(loss) or loss not in LOSSES:
        unsupported(f"scipy.optimize.curve_fit(…, loss={loss!r})", "loss='linear', 'huber', 'soft_l1', 'cauchy' or 'arctan'")
    slope = marks.ours("grad")(lambda p: cost(gaps(p), loss, scale))
    ftol, xtol = kwargs.get("ftol", 1.49012e-8), kwargs.get("xtol", 1.49012e-8)
    most = kwargs.get("maxfev", kwargs.get("max_nfev", 0))
    most = most if most > 0 else 200 * (start.size + 1)
    if np.any((start < low) | (start > high)):
        raise ValueError("`x0` is infeasible.")
    units = units_of(kwargs.get("x_scale"), method, start.size)
    popt, counts = custom_root(at_minimum(slope, low, high), start, lambda _, p: damped(gaps, jacobian, p, low, high, loss, scale, ftol, xtol, kwargs.get("gtol", 1e-8), most, units), solved, has_aux=True)
    if counts[2] == 0:
        raise RuntimeError(f"Optimal parameters not found: Number of calls to function has reached maxfev = {most}.")
    left = gaps(popt)
    there = curved(left, jacobian(popt), loss, scale)
    covariance = np.linalg.inv(there.T @ there)
    if absolute_sigma:
        return popt, covariance, left
    if not ydata.size > start.size:
        raise NotImplementedError("scipy.optimize.curve_fit of as many parameters as data (the covariance is infinite) is not supported")
    return popt, covariance * (2.0 * cost(left, loss, scale) / (ydata.size - start.size)), left


def _weights(sigma, ydata):
    """What the differences are multiplied by, given the errors of the data or their covariances."""
    if sigma is None:
        return lambda gaps: gaps
    sigma = np.asarray(sigma, np.float64)
    if sigma.ndim == 2 and sigma.shape[0] == ydata.size:
        factor = np.linalg.cholesky(sigma)
        return lambda gaps: np.linalg.solve(factor, gaps)
    if sigma.ndim != 1 or sigma.shape[0] != ydata.size:
        raise ValueError("`sigma` has incorrect shape.")
    return lambda gaps: gaps / (sigma if gaps.ndim == 1 else sigma[:, np.newaxis])


def bracket(func, xa=0.0, xb=1.0, args=(), grow_limit=110.0, maxiter=1000):
    """scipy.optimize.bracket: three points of which the middle one is the lowest, the values there, and how many were tried."""
    if grow_limit != 110.0 or maxiter != 1000:
        unsupported("scipy.optimize.bracket(…, grow_limit=…, maxiter=…)", "xa and xb")
    if not isinstance(args, tuple):
        args = (args,)
    low, middle, high, least, count = _bracket(lambda x: np.float64(func(x, *args)), xa, xb)
    return low, middle, high, np.float64(func(low, *args)), least, np.float64(func(high, *args)), count


FITTING = {f"scipy.optimize.{function.__name__}": function for function in (minimize_scalar, fsolve, curve_fit, bracket)}
"""By qualified name."""
