"""scipy.optimize: roots and fixed points of functions of numbers, with the derivatives of the solution.

The steps are SciPy's, so the numbers are, too. Derivatives are those of the implicit function theorem at what was found (`lax_solves.custom_root`), whatever steps led there.
Method: Brent, Algorithms for Minimization without Derivatives, 1973, chapter 4.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed import marks
from s2s.transforms.read.composed.keyed_results import as_dict
from s2s.transforms.read.composed.lax_solves import custom_root
from s2s.transforms.read.composed.marks import unsupported

FINEST = 4 * 2.220446049250313e-16
"""SciPy's smallest relative tolerance."""
COARSE = 1e-6
"""Within a wider tolerance other steps end at a number that is seen to be another one."""


@as_dict("root", "iterations", "function_calls", "converged", "flag", "method")
class RootResults(NamedTuple):
    """What scipy.optimize.root_scalar gives."""

    root: Any
    iterations: Any
    function_calls: Any
    converged: Any
    method: str

    @property
    def flag(self):
        """How it ended."""
        return "converged" if self.converged else "convergence error"


def brentq(f, a, b, args=(), xtol=2e-12, rtol=FINEST, maxiter=100, full_output=False, disp=True):
    """scipy.optimize.brentq."""
    return _bracketed("brentq", _brent, f, a, b, args, xtol, rtol, maxiter, full_output, disp)


def brenth(f, a, b, args=(), xtol=2e-12, rtol=FINEST, maxiter=100, full_output=False, disp=True):
    """scipy.optimize.brenth: hyperbolas in place of parabolas."""
    return _bracketed("brenth", _brent_by_hyperbolas, f, a, b, args, xtol, rtol, maxiter, full_output, disp)


def ridder(f, a, b, args=(), xtol=2e-12, rtol=FINEST, maxiter=100, full_output=False, disp=True):
    """scipy.optimize.ridder."""
    return _bracketed("ridder", _ridder, f, a, b, args, xtol, rtol, maxiter, full_output, disp)


def bisect(f, a, b, args=(), xtol=2e-12, rtol=FINEST, maxiter=100, full_output=False, disp=True):
    """scipy.optimize.bisect."""
    return _bracketed("bisect", _halving, f, a, b, args, xtol, rtol, maxiter, full_output, disp)


def toms748(f, a, b, args=(), k=1, xtol=2e-12, rtol=FINEST, maxiter=100, full_output=False, disp=True):
    """scipy.optimize.toms748 by Brent's steps: the same root within the same tolerances."""
    if full_output:
        unsupported("scipy.optimize.toms748(…, full_output=True)", "scipy.optimize.brentq", "its steps are other ones")
    if k < 1:
        raise ValueError(f"k too small ({k} < 1)")
    if rtol > COARSE or xtol > COARSE:
        raise NotImplementedError("scipy.optimize.toms748 within so wide a tolerance is not supported: its steps are other ones, and so is where they end; scipy.optimize.brentq is there")
    if not np.isfinite(a):
        raise ValueError(f"a is not finite {a}")
    if not np.isfinite(b):
        raise ValueError(f"b is not finite {b}")

    def finite(x, *args):
        value = f(x, *args)
        if not np.isfinite(value):
            raise ValueError("Invalid function value: no finite number")
        return value

    return _between(_brent, finite, a, b, args if isinstance(args, tuple) else (args,), xtol, rtol, maxiter, disp).root


def newton(func, x0, fprime=None, args=(), tol=1.48e-08, maxiter=50, fprime2=None, x1=None, rtol=0.0, full_output=False, disp=True):
    """scipy.optimize.newton: Newton's steps with `fprime`, Halley's with `fprime2` too, else secants."""
    if tol <= 0:
        raise ValueError("tol too small (<= 0)")
    if maxiter < 1:
        raise ValueError("maxiter must be greater than 0")
    if np.shape(x0) != ():
        if full_output:
            unsupported("scipy.optimize.newton from an array with full_output", "leave it out")
        if not disp:
            unsupported("scipy.optimize.newton from an array with disp=False", "leave it out")
        return _each(func, np.asarray(x0), fprime, args, tol, maxiter, fprime2)
    found = _from(func, x0, x1, fprime, args, tol, rtol, maxiter, fprime2, disp)
    method = "secant" if fprime is None else "newton" if fprime2 is None else "halley"
    return (found.root, RootResults(found.root, found.iterations, found.function_calls, bool(found.converged), method)) if full_output else found.root


def root_scalar(f, args=(), method=None, bracket=None, fprime=None, fprime2=None, x0=None, x1=None, xtol=None, rtol=None, maxiter=None, options=None):
    """scipy.optimize.root_scalar by methods with a bracket, Newton's, Halley's or secants."""
    together = (fprime is True) + (fprime2 is True)  # how many derivatives f itself gives
    if fprime2 is True and fprime is not True:
        unsupported("scipy.optimize.root_scalar with fprime2=True and an fprime of its own", "both of f, or both as functions")
    wanted = {} if options is None else options
    if not all(word in ("xtol", "rtol", "maxiter", "disp") for word in wanted):
        unsupported(f"scipy.optimize.root_scalar(…, options={sorted(wanted)})", "xtol, rtol and maxiter")
    xtol, rtol, maxiter = wanted.get("xtol", xtol), wanted.get("rtol", rtol), wanted.get("maxiter", maxiter)
    if not isinstance(args, tuple):
        args = (args,)
    if together > 0:
        several = f

        def f(x, *args):
            return several(x, *args)[0]

        def fprime(x, *args):
            return several(x, *args)[1]

    if together > 1:

        def fprime2(x, *args):
            return several(x, *args)[2]

    if method is None:
        if bracket is None and x0 is None:
            raise ValueError("Unable to select a solver as neither bracket nor starting point provided.")
        method = "brentq" if bracket is not None else _from_one_number(fprime, fprime2, x1)
    if method in _WITH_BRACKET:
        if bracket is None:
            raise ValueError(f"Bracket needed for {method}")
        found = _between(
            _WITH_BRACKET[method], f, bracket[0], bracket[1], args,
            2e-12 if xtol is None else xtol, FINEST if rtol is None else rtol, 100 if maxiter is None else maxiter, wanted.get("disp", False),
        )  # fmt: skip
    elif method in ("newton", "secant", "halley"):
        if x0 is None:
            raise ValueError(f"x0 must not be None for {method}")
        if method == "halley" and fprime is None:
            raise ValueError("fprime must be specified for halley")
        if method == "halley" and fprime2 is None:
            raise ValueError("fprime2 must be specified for halley")
        slope = None if method == "secant" else _slope_of(f) if fprime is None else fprime
        bend = fprime2 if method == "halley" else None
        found = _from(f, x0, x1, slope, args, 1.48e-08 if xtol is None else xtol, 0.0 if rtol is None else rtol, 50 if maxiter is None else maxiter, bend, wanted.get("disp", False))
    else:
        unsupported(f"scipy.optimize.root_scalar by {method!r}", "method='brentq'")
    calls = (found.function_calls + together) // (together + 1) if method in ("newton", "halley") else found.function_calls  # one call gives all
    root = float(found.root) if method in _WITH_BRACKET and method != "toms748" else found.root
    return RootResults(root, found.iterations, calls, bool(found.converged), method)


def _from_one_number(fprime, fprime2, x1):
    """The method that root_scalar takes where no bracket is given."""
    if fprime is None:
        return "newton" if x1 is None else "secant"
    return "newton" if fprime2 is None else "halley"


def _slope_of(f):
    """The exact derivative, where SciPy takes differences."""
    return lambda x, *args: marks.ours("grad")(lambda x: np.float64(f(x, *args)))(x)


def fixed_point(func, x0, args=(), xtol=1e-8, maxiter=500, method="del2"):
    """scipy.optimize.fixed_point: by Steffensen's steps, or by those of func alone."""
    if method not in ("del2", "iteration"):
        raise ValueError("invalid method")
    start = np.asarray(x0, np.float64) * 1.0  # a number of a number

    def gap(x):
        return func(x, *args) - x

    def solve(gap, x):
        p, distance, trips = x * 1.0, np.inf, 0
        while not distance < xtol:
            if trips == maxiter:
                raise RuntimeError(f"Failed to converge after {maxiter} iterations")
            p0, trips = p, trips + 1
            p1 = gap(p0) + p0
            if method == "del2":
                p2 = gap(p1) + p1
                bend = p2 - 2.0 * p1 + p0
                p = np.where(bend == 0.0, p2, p0 - (p1 - p0) ** 2 / np.where(bend == 0.0, 1.0, bend)) * 1.0
            else:
                p = p1
            distance = np.max(np.where(p0 == 0.0, np.abs(p), np.abs((p - p0) / np.where(p0 == 0.0, 1.0, p0))))
        return p

    found = custom_root(gap, start, solve, solved)
    return np.asarray(found) if method == "del2" else found


def goes_on(x, value):
    """What is asked after each step where nobody is told of them: whether they stop."""
    del x, value
    return False


def root_of(equation, start, solve, stops):
    """What `solve` finds, with the derivatives of the solution of an equation, and what it tells of its steps. Where `stops` tells the user of them they are steps of the user's function, so that it may change what it sees."""
    if stops is goes_on:
        return custom_root(equation, start, solve, solved, has_aux=True)
    x, counts = solve(equation, start)
    return custom_root(equation, marks.constant(x), lambda _, x: x, solved), counts


def solved(linear, y):
    """The x with linear(x) = y, of any shape."""
    if y.ndim == 0:
        return y / linear(np.ones_like(y))
    columns = np.empty((y.size, y.size), y.dtype)
    for k in range(y.size):
        unit = np.zeros(y.size, y.dtype)
        unit[k] = 1.0
        columns[:, k] = linear(unit.reshape(y.shape)).ravel()
    return np.linalg.solve(columns, y.ravel()).reshape(y.shape)


def _bracketed(name, method, f, a, b, args, xtol, rtol, maxiter, full_output, disp):
    """The root as a Python float; with `full_output` how it was found, too."""
    if not isinstance(args, tuple):
        args = (args,)
    found = _between(method, f, a, b, args, xtol, rtol, maxiter, disp)
    root = float(found.root)
    return (root, RootResults(root, found.iterations, found.function_calls, bool(found.converged), name)) if full_output else root


# ---- between two numbers -----------------------------------------------------------------------------------------------------


def _between(method, f, a, b, args, xtol, rtol, maxiter, disp):
    """A root in a bracket: `method` finds it. `disp`: an error if it does not within `maxiter` steps."""
    if xtol <= 0:
        raise ValueError(f"xtol too small ({xtol:g} <= 0)")
    if rtol < FINEST:
        raise ValueError(f"rtol too small ({rtol:g} < {FINEST:g})")
    if maxiter < 1:
        raise ValueError("maxiter must be >= 1")
    low, high = np.float64(a), np.float64(b)

    def number(x):
        value = np.float64(f(x, *args))
        if np.isnan(value):
            raise ValueError("The function value at a point between is NaN; solver cannot continue.")
        return value

    root, counts = custom_root(
        number, low, lambda f, _: _from_ends(method, f, low, high, xtol, rtol, maxiter), lambda linear, y: y / linear(1.0), has_aux=True
    )
    if disp and not counts[2]:
        raise RuntimeError(f"Failed to converge after {maxiter} iterations.")
    return RootResults(root, counts[0], counts[1], counts[2], "")


def zero_between(f, a, b, xtol, rtol):
    """The root of f in a bracket, by Brent's method."""
    return _between(_brent, f, a, b, (), xtol, rtol, 100, True).root


def _different_signs(fa, fb):
    if np.signbit(fa) == np.signbit(fb):
        raise ValueError("f(a) and f(b) must have different signs")


def _from_ends(method, f, a, b, xtol, rtol, maxiter):
    """The root between two ends, one of which may be it, and (trips, calls of f, whether it is one)."""
    f_a, f_b = f(a), f(b)
    if f_a == 0:
        return a, (0, 2, True)
    if f_b == 0:
        return b, (0, 2, True)
    _different_signs(f_a, f_b)
    return method(f, a, f_a, b, f_b, xtol, rtol, maxiter)


def _brent(f, a, f_a, b, f_b, xtol, rtol, maxiter):
    return _by_brent(f, a, f_a, b, f_b, xtol, rtol, maxiter, False)


def _brent_by_hyperbolas(f, a, f_a, b, f_b, xtol, rtol, maxiter):
    return _by_brent(f, a, f_a, b, f_b, xtol, rtol, maxiter, True)


def _by_brent(f, before, f_before, now, f_now, xtol, rtol, maxiter, hyperbolas):
    """Brent's method: inverse quadratic (hyperbolic) steps or secants where they shrink the bracket quickly, halving elsewhere."""
    other, f_other, last, step = 0.0 * before, 0.0 * f_before, 0.0 * before, 0.0 * before
    trips, found = 0, False
    while not found and trips < maxiter:
        trips += 1
        if f_before != 0 and f_now != 0 and np.signbit(f_before) != np.signbit(f_now):
            other, f_other = before, f_before
            last = step = now - before
        if abs(f_other) < abs(f_now):
            before, now, other = now, other, now
            f_before, f_now, f_other = f_now, f_other, f_now
        allowed, half = (xtol + rtol * abs(now)) / 2, (other - now) / 2
        found = f_now == 0 or abs(half) < allowed
        if not found:
            if abs(last) > allowed and abs(f_now) < abs(f_before):
                if before == other:
                    wanted = -f_now * (now - before) / (f_now - f_before)
                else:
                    one, two = (f_before - f_now) / (before - now), (f_other - f_now) / (other - now)
                    if hyperbolas:
                        wanted = -f_now * (f_other - f_before) / (f_other * one - f_before * two)
                    else:
                        wanted = -f_now * (f_other * two - f_before * one) / (two * one * (f_other - f_before))
                if 2 * abs(wanted) < min(abs(last), 3 * abs(half) - allowed):
                    last, step = step, wanted
                else:
                    last = step = half
            else:
                last = step = half
            before, f_before = now, f_now
            now = now + (step if abs(step) > allowed else allowed if half > 0 else -allowed)
            f_now = f(now)
    return now, (trips, trips + (1 if found else 2), found)


def _halving(f, a, f_a, b, f_b, xtol, rtol, maxiter):
    width, middle, trips, found = b - a, a, 0, False
    while not found and trips < maxiter:
        trips += 1
        width = width * 0.5
        middle = a + width
        f_middle = f(middle)
        if np.signbit(f_middle) == np.signbit(f_a):
            a = middle
        found = f_middle == 0 or abs(width) < xtol + rtol * abs(middle)
    return middle, (trips, trips + 2, found)


def _ridder(f, a, f_a, b, f_b, xtol, rtol, maxiter):
    """Ridders' method: an exponential factor makes three values of f lie on a line."""
    allowed, trips, found, x = xtol + rtol * min(abs(a), abs(b)), 0, False, 0.0 * a
    while not found and trips < maxiter:
        trips += 1
        half = 0.5 * (b - a)
        middle = a + half
        f_middle = f(middle)
        step = (1.0 if f_b - f_a > 0 else -1.0) * half * f_middle / np.sqrt(f_middle * f_middle - f_a * f_b)
        x = middle - (1.0 if step > 0 else -1.0) * min(abs(step), abs(half) - 0.5 * allowed)
        value = f(x)
        if np.signbit(value) != np.signbit(f_middle):
            a, f_a, b, f_b = x, value, middle, f_middle
        elif np.signbit(value) != np.signbit(f_a):
            b, f_b = x, value
        else:
            a, f_a = x, value
        allowed = xtol + rtol * x
        found = value == 0.0 or abs(b - a) < allowed
    return x, (trips, 2 * trips + 2, found)


_WITH_BRACKET = {"brentq": _brent, "brenth": _brent_by_hyperbolas, "bisect": _halving, "ridder": _ridder, "toms748": _brent}
"""By root_scalar's names."""

# ---- from one number -----------------------------------------------------------------------------------------------------------


def _from(f, x0, x1, fprime, args, tol, rtol, maxiter, fprime2, disp):
    """A root near x0: by Newton's steps where there is a derivative, else by secants."""
    start = np.asarray(x0)[()] * 1.0
    if start.dtype.itemsize < (16 if np.iscomplexobj(start) else 8):
        unsupported(f"scipy.optimize.newton from a number of {start.dtype}", "np.float64(x0)", "whether its steps stay as short depends on what the function gives")
    number = np.complex128 if np.iscomplexobj(start) else np.float64

    def solve(f, x):
        if fprime is None:
            if x1 is None:
                second = x * (1 + 1e-4) + (1e-4 if x >= 0 else -1e-4)
            else:
                if x1 == x0:
                    raise ValueError("x1 and x0 must be different")
                second = number(x1)
            return _secants(f, x, second, tol, rtol, maxiter)
        return _newtons(f, lambda x: fprime(x, *args), None if fprime2 is None else lambda x: fprime2(x, *args), x, tol, rtol, maxiter)

    root, counts = custom_root(lambda x: number(f(x, *args)), number(start), solve, lambda linear, y: y / linear(number(1.0)), has_aux=True)
    trips, calls, converged, flat = counts
    if disp and flat:
        raise RuntimeError("Derivative was zero.")
    if disp and not converged:
        raise RuntimeError(f"Failed to converge after {maxiter} iterations, value is {root}.")
    return RootResults(root, trips, calls, converged, "")


def _newtons(f, fprime, fprime2, x, tol, rtol, maxiter):
    """Newton's steps; with a second derivative Halley's, where they are not much longer."""
    trips, found, flat, last = 0, False, False, 0
    while not found and not flat and trips < maxiter:
        value = f(x)
        slope = fprime(x)
        if value == 0:
            found, last = True, 1
        elif slope == 0:
            flat, trips, last = True, trips + 1, 0 if fprime2 is None else -1
        else:
            trips += 1
            step = value / slope
            if fprime2 is not None:
                turn = step * fprime2(x) / slope / 2
                step = step / (1.0 - turn) if abs(turn) < 1 else step
            after = x - step
            found = abs(after - x) <= tol + rtol * abs(x)
            x = after
    return x, (trips, (2 if fprime2 is None else 3) * trips + last, found, flat)


def _secants(f, x, other, tol, rtol, maxiter):
    value, new = f(x), f(other)
    if abs(new) < abs(value):
        before, f_before, now, f_now = other, new, x, value
    else:
        before, f_before, now, f_now = x, value, other, new
    trips, found, flat = 0, False, False
    while not found and not flat and trips < maxiter:
        trips += 1
        if f_now == f_before:
            flat = now != before
            found = not flat
        else:
            ratio = f_before / f_now if abs(f_now) > abs(f_before) else f_now / f_before
            after = (before - ratio * now) / (1 - ratio) if abs(f_now) > abs(f_before) else (now - ratio * before) / (1 - ratio)
            found = abs(after - now) <= tol + rtol * abs(now)
            before, f_before, now = now, f_now, after
            if not found:
                f_now = f(now)
    return now, (trips, trips + (1 if found or flat else 2), found, flat)


# ---- from an array of numbers --------------------------------------------------------------------------------------------------


def _each(func, x0, fprime, args, tol, maxiter, fprime2):
    """The roots of a function of each element, all at once as SciPy finds them: its steps go on until the largest one is short."""
    start = x0 if x0.dtype.kind == "c" else x0.astype(np.float64)

    def solve(f, x):
        if fprime is None:
            return _all_secants(f, x, tol, maxiter)
        return _all_newtons(f, lambda x: fprime(x, *args), None if fprime2 is None else lambda x: fprime2(x, *args), x, tol, maxiter)

    return custom_root(lambda x: np.asarray(func(x, *args)), start, solve, lambda linear, y: y / linear(np.ones_like(y)))


def _all_newtons(f, fprime, fprime2, x, tol, maxiter):
    trips, open_ = 0, True
    while open_:
        if trips == maxiter:
            raise RuntimeError(f"some failed to converge after {maxiter} iterations")
        trips += 1
        value = f(x)
        open_ = bool(np.any(value != 0))
        if open_:
            slope = fprime(x)
            there = slope != 0
            step = value / np.where(there, slope, 1.0)
            if fprime2 is not None:
                step = step / (1.0 - 0.5 * step * fprime2(x) / np.where(there, slope, 1.0))
            step = np.where(there, step, 0.0)
            x = x - step
            open_ = bool(np.any(there & (np.abs(step) >= tol)))
    return x


def _all_secants(f, x, tol, maxiter):
    dx = np.finfo(np.float64).eps ** 0.33
    after = x * (1 + dx) + np.where(x >= 0, dx, -dx)
    before, now = f(x), f(after)
    trips, open_ = 0, True
    while open_:
        if trips == maxiter:
            raise RuntimeError(f"some failed to converge after {maxiter} iterations")
        trips += 1
        there = now != before
        step = now * (after - x) / np.where(there, now - before, 1.0)
        new = np.where(there, after - step, (after + x) / 2.0)
        open_ = bool(np.any(there & (np.abs(step) >= tol)))
        x, after = after, new
        before = now
        if open_:
            now = f(after)
    return after
