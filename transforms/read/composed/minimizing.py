"""scipy.optimize.minimize: quasi-Newton steps of Broyden, Fletcher, Goldfarb and Shanno, conjugate gradients, Nelder's and Mead's simplices, with the derivatives of the minimum.

Method: Nocedal and Wright, Numerical Optimization (2nd edition, 2006), algorithms 6.1, 3.5 and 3.6. The gradient is exact, where SciPy's default takes differences; the steps are our own, so
that numbers agree with SciPy's as far as both tolerances say. Derivatives of the minimum are those of the implicit function theorem for a gradient that is zero.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed import marks
from s2s.transforms.read.composed.bounded import condition, limits, newtons, projected_bfgs
from s2s.transforms.read.composed.constrained import minimum
from s2s.transforms.read.composed.keyed_results import as_dict
from s2s.transforms.read.composed.marks import constant, unsupported
from s2s.transforms.read.composed.roots import goes_on, root_of
from s2s.transforms.read.composed.simplices import conjugate_gradients, largest, nelder_mead, powell

DECREASE, CURVATURE = 1e-4, 0.9
"""What a step must bring: this part of the slope's promise, and a slope below this part of the first one."""
_NEWTON = ("newton-cg", "trust-ncg", "trust-exact", "trust-krylov", "dogleg")
_BOUNDED = ("l-bfgs-b", "tnc", "slsqp")
_CONSTRAINED = ("slsqp", "trust-constr", "cobyla", "cobyqa")
_ALONG_LINES = ("gtol", "norm", "maxiter", "disp", "eps", "finite_diff_rel_step", "c1", "c2")
OPTIONS = {
    "cg": _ALONG_LINES, "bfgs": (*_ALONG_LINES, "hess_inv0"),
    **dict.fromkeys(_BOUNDED, ("gtol", "ftol", "maxiter", "disp", "maxfun", "maxcor", "maxls", "eps", "iprint")),
    **dict.fromkeys(_NEWTON, ("gtol", "xtol", "maxiter", "disp", "initial_trust_radius", "max_trust_radius", "eta")),
    **dict.fromkeys(_CONSTRAINED[1:], ("gtol", "xtol", "ftol", "maxiter", "disp", "rhobeg", "tol", "catol", "verbose")),
    "nelder-mead": ("xatol", "fatol", "adaptive", "initial_simplex", "maxiter", "maxfev", "disp"),
    "powell": ("xtol", "ftol", "maxiter", "maxfev", "disp"),
}
"""What is taken by each method."""
_BY_SLOPES = ("fun", "jac", "nfev", "njev", "status", "success", "message", "x", "nit")
_BY_TRUST = ("x", "success", "status", "fun", "jac", "nfev", "njev", "nhev", "nit", "message", "hess")
KEYS = {
    "nelder-mead": ("fun", "nit", "nfev", "status", "success", "message", "x", "final_simplex"), "powell": ("fun", "direc", "nit", "nfev", "status", "success", "message", "x"),
    "cg": _BY_SLOPES, "bfgs": (*_BY_SLOPES[:2], "hess_inv", *_BY_SLOPES[2:]), "newton-cg": (*_BY_SLOPES[:4], "nhev", *_BY_SLOPES[4:]),
    "l-bfgs-b": ("fun", "jac", "nfev", "njev", "nit", "status", "message", "x", "success", "hess_inv"), "tnc": ("x", "fun", "jac", "nfev", "nit", "status", "message", "success"),
    "cobyla": ("x", "status", "success", "message", "nfev", "fun", "maxcv"), "cobyqa": ("message", "success", "status", "x", "fun", "maxcv", "nfev", "nit"),
    "slsqp": ("x", "fun", "jac", "nit", "nfev", "njev", "status", "message", "success", "multipliers"), **dict.fromkeys(_NEWTON[1:], _BY_TRUST),
    "trust-constr": (
        "nit", "nfev", "njev", "nhev", "cg_niter", "cg_stop_cond", "fun", "grad", "lagrangian_grad", "constr", "jac", "constr_nfev", "constr_njev", "constr_nhev", "v", "method", "x", "optimality",
        "constr_violation", "execution_time", "tr_radius", "constr_penalty", "status", "niter", "success", "message",
    ),
}  # fmt: skip
"""What SciPy's results hold, by method."""


@as_dict()
class SimplexResult(NamedTuple):
    """What scipy.optimize.minimize gives by Nelder's and Mead's simplices, and by Powell's directions."""

    x: Any
    fun: Any
    nit: Any
    nfev: Any
    status: Any
    success: Any
    method: str

    def keys(self):
        """What SciPy's holds by this method."""
        return list(KEYS[self.method])

    @property
    def message(self):
        """How it ended."""
        return "Optimization terminated successfully." if self.status == 0 else _TOO_MANY if self.status == 2 else _TOO_MANY_VALUES if self.status == 1 else _STOPPED


@as_dict("x", "fun")
class Intermediate(NamedTuple):
    """What a callback is told of."""

    x: Any
    fun: Any


@as_dict()
class OptimizeResult(NamedTuple):
    """What scipy.optimize.minimize gives by gradients."""

    x: Any
    fun: Any
    jac: Any
    nit: Any
    nfev: Any
    njev: Any
    status: Any
    success: Any
    method: str = "bfgs"
    inverse: Any = None
    lags: Any = None

    def keys(self):
        """What SciPy's holds by this method."""
        return list(KEYS[self.method])

    @property
    def multipliers(self):
        """Of the constraints, the equalities first."""
        return unsupported("multipliers of a minimum without constraints, or with other ones than dicts", "constraints={'type': …, 'fun': …} and method='SLSQP'") if self.lags is None else self.lags

    @property
    def message(self):
        """How it ended."""
        return _message(self.status, self.method)

    @property
    def hess_inv(self):
        """What the steps have made of the inverse Hessian: an approximation as SciPy's, of other steps."""
        return unsupported("hess_inv of a minimum by another method than BFGS", "np.linalg.inv(s2s.hessian(fun)(x))") if self.inverse is None else self.inverse


_STOPPED = "`callback` raised `StopIteration`."
_TOO_MANY, _TOO_MANY_VALUES = "Maximum number of iterations has been exceeded.", "Maximum number of function evaluations has been exceeded."
ENDINGS = {
    "slsqp": ("Optimization terminated successfully", "Iteration limit reached", "Positive directional derivative for linesearch"),
    "l-bfgs-b": ("CONVERGENCE: NORM OF PROJECTED GRADIENT <= PGTOL", "STOP: TOTAL NO. OF ITERATIONS REACHED LIMIT", "ABNORMAL: "),
}
"""How a method may end: at a minimum, after too many steps, where no step brings less."""
_ENDINGS = ("Optimization terminated successfully.", _TOO_MANY, "Desired error not necessarily achieved due to precision loss.")


def _message(status, method):
    """How our steps ended, in the words of SciPy's."""
    if method == "trust-constr":
        return "`gtol` termination condition is satisfied." if status == 1 else "The maximum number of function evaluations is exceeded." if status == 0 else "`xtol` termination condition is satisfied."
    if status == 99:
        return _STOPPED
    done, many, stuck = ENDINGS.get(method, _ENDINGS)
    return done if status == 0 else many if status in (1, 9) else "Inequality constraints incompatible" if status == 4 else stuck


def minimize(fun, x0, args=(), method=None, jac=None, hess=None, hessp=None, bounds=None, constraints=(), tol=None, callback=None, options=None):
    """scipy.optimize.minimize, within bounds or without."""
    bound = hasattr(constraints, "lb") or len(constraints) > 0
    name = ("slsqp" if bound else "bfgs" if bounds is None else "l-bfgs-b") if method is None else method.lower() if isinstance(method, str) else ""
    if name not in OPTIONS:
        unsupported(f"scipy.optimize.minimize by {method!r}", "method='BFGS', 'L-BFGS-B', 'CG', 'Newton-CG', 'Powell' or 'Nelder-Mead'")
    stops = _stops(callback, name)
    if bound and name not in _CONSTRAINED:
        unsupported(f"scipy.optimize.minimize with constraints by {method!r}", "method='SLSQP'")
    if bounds is not None and name not in (*_BOUNDED, *_CONSTRAINED, "nelder-mead"):
        unsupported(f"scipy.optimize.minimize with bounds by {method!r}", "method='L-BFGS-B'")
    wanted = {} if options is None else options
    if not all(word in OPTIONS[name] for word in wanted):
        unsupported(f"scipy.optimize.minimize(…, options={sorted(wanted)}) by {method!r}", " and ".join(OPTIONS[name]))
    if not isinstance(args, tuple):
        args = (args,)
    start = np.atleast_1d(np.asarray(x0, np.float64))
    if start.ndim != 1:
        raise ValueError("'x0' must only have one dimension.")
    if name in ("nelder-mead", "powell"):
        return _by_values(name, (lambda x, *args: fun(x, *args)[0]) if jac is True else fun, start, args, bounds, tol, wanted, stops)
    value_and_slope = _with_slope(fun, args, jac)
    most = wanted.get("maxiter", start.size * 200)
    gtol = wanted.get("gtol", 1e-5 if tol is None else tol)
    if not bound and name in _CONSTRAINED[1:]:
        return _without_constraints(value_and_slope, start, bounds, gtol, wanted.get("maxiter", 1000), name, stops)
    if bound:
        ftol = min(wanted.get("ftol", 1e-6 if tol is None else tol), 1e-6)
        x, value, slope, counts, lags = minimum(value_and_slope, constraints, start, bounds, ftol, wanted.get("maxiter", 1000), stops)
        return OptimizeResult(x, value, slope, counts[0], counts[1], counts[0] + 1, _numbered(counts[2], name), counts[2] == 0, name, None, lags if name == "slsqp" and _all_dicts(constraints) else None)
    if name in _BOUNDED:
        if name == "tnc" and not callable(jac) and jac is not True:
            _check_inside(start, bounds)
        return _within_bounds(value_and_slope, start, bounds, gtol, wanted.get("ftol", 2.220446049250313e-09 if tol is None else tol), wanted.get("maxiter", 15000), name, stops)
    if name in _NEWTON:
        if jac is None:
            raise ValueError(f"Jacobian is required for {method} method")
        if name != "newton-cg" and hess is None and hessp is None:
            raise ValueError(f"Hessian is required for {method}")
        bends = _with_bends(value_and_slope, args, hess, hessp)
        gtol = min(gtol, 1e-2 * wanted.get("xtol", 1e-5))

    def solve(_, x):
        if name in _NEWTON:
            return newtons(value_and_slope, bends, x, gtol, most, stops)
        size = _size_by(wanted.get("norm", np.inf))
        return conjugate_gradients(value_and_slope, _line_search, x, gtol, most, stops, size) if name == "cg" else _bfgs(value_and_slope, x, gtol, most, stops, size, wanted.get("hess_inv0"))

    x, counts = root_of(lambda x: value_and_slope(x)[1], start, solve, stops)
    return _result(value_and_slope, x, counts, name)


def _size_by(norm):
    """How the length of a slope is measured."""
    if norm == np.inf:
        return largest
    if norm == -np.inf:
        return lambda x: np.min(np.abs(x))
    return lambda x: np.sum(np.abs(x) ** norm) ** (1.0 / norm)


def _all_dicts(constraints):
    return all(isinstance(each, dict) for each in ((constraints,) if isinstance(constraints, dict) or hasattr(constraints, "lb") else constraints))


def _stops(callback, name):
    """What is asked after each step, of x and its value: whether the callback, which is told of both, wants no more of them."""
    if callback is None:
        return goes_on
    if name == "trust-constr":
        unsupported("scipy.optimize.minimize by 'trust-constr' with a callback", "a callback of another method", "it is told of SciPy's own state")
    if marks.parameter_names(callback) == ("intermediate_result",):
        return _stopped_by(lambda x, value: callback(intermediate_result=Intermediate(x, value)))
    return _stopped_by(lambda x, value: callback(x))


def _stopped_by(tell):
    def stops(x, value):
        try:
            tell(constant(x.copy()), constant(value))
        except StopIteration:
            return True
        return False

    return stops


def _result(value_and_slope, x, counts, name="bfgs"):
    value, slope = value_and_slope(x)
    nit, nfev, status, inverse = counts if len(counts) == 4 else (*counts, None)
    return OptimizeResult(x, value, slope, nit, nfev, nfev, _numbered(status, name), status == 0, name, inverse)


def _numbered(status, name):
    """trust-constr's own numbers of how it ended."""
    return status if name != "trust-constr" or status == 99 else 1 if status == 0 else 0 if status in (1, 9) else 2


def _without_constraints(value_and_slope, start, bounds, gtol, most, name, stops):
    """What methods for constraints find where there are none."""
    if bounds is not None:
        return _within_bounds(value_and_slope, start, bounds, gtol, 1e-12, most, name, stops)
    x, counts = root_of(lambda x: value_and_slope(x)[1], start, lambda _, x: _bfgs(value_and_slope, x, gtol, most, stops), stops)
    return _result(value_and_slope, x, counts[:3], name)


def _check_inside(start, bounds):
    """SciPy's TNC starts outside of the bounds only where it takes no differences."""
    low, high = limits(bounds, start.size)
    if np.any((start < low) | (start > high)):
        raise ValueError("`x0` violates bound constraints.")


def _within_bounds(value_and_slope, start, bounds, gtol, ftol, most, name, stops):
    """A minimum at a bound moves with it."""
    low, high = limits(bounds, start.size)
    equation = condition(lambda x: value_and_slope(x)[1], low, high)
    x, counts = root_of(equation, start, lambda _, x: projected_bfgs(value_and_slope, x, low, high, gtol, ftol, most, stops), stops)
    return _result(value_and_slope, x, counts, name)


def _with_bends(value_and_slope, args, hess, hessp):
    """The function that gives the Hessian at x."""
    if callable(hess):
        return lambda x: np.asarray(hess(x, *args), np.float64)
    if hessp is not None:
        return lambda x: np.stack([hessp(x, unit, *args) for unit in np.eye(x.size)])
    return marks.ours("jacfwd")(lambda x: value_and_slope(x)[1])


def _by_values(name, fun, start, args, bounds, tol, wanted, stops):
    """By values alone; the derivatives of the minimum are those of where the gradient is zero, too."""
    usual = start.size * (200 if name == "nelder-mead" else 1000)
    most, most_values = wanted.get("maxiter", np.inf if "maxfev" in wanted else usual), wanted.get("maxfev", np.inf if "maxiter" in wanted else usual)
    low, high = limits(bounds, start.size)

    def value(x):
        return a_number(fun(x, *args))

    def solve(_, x):
        if name == "powell":
            return powell(value, x, wanted.get("xtol", 1e-4 if tol is None else tol), wanted.get("ftol", 1e-4 if tol is None else tol), most, most_values, stops)
        return nelder_mead(value, x, low, high, wanted.get("initial_simplex"), wanted.get("xatol", 1e-4 if tol is None else tol), wanted.get("fatol", 1e-4 if tol is None else tol), wanted.get("adaptive", False), most, most_values, stops)

    slope = marks.ours("grad")(value)
    x, counts = root_of(slope if bounds is None else condition(slope, low, high), start, solve, stops)
    nit, nfev, status = counts
    return SimplexResult(x, value(x), nit, nfev, status, status == 0, name)


def a_number(value):
    """The value of the function that is made small: a number, or an array of one."""
    value = np.asarray(value, np.float64)
    if value.ndim > 0 and value.size != 1:
        unsupported("a minimum of what has several numbers", "a function that gives one, for example np.sum(…)")
    return value.reshape(())[()] if value.ndim > 0 else value[()]


def _with_slope(fun, args, jac):
    """The function that gives value and gradient at x."""
    if jac is True:
        return lambda x: fun(x, *args)
    if jac not in (None, False, "2-point", "3-point", "cs") and not callable(jac):
        unsupported(f"scipy.optimize.minimize(…, jac={jac!r})", "jac=None: the exact gradient")
    if not callable(jac):
        return marks.ours("value_and_grad")(lambda x: a_number(fun(x, *args)))
    return lambda x: (a_number(fun(x, *args)), jac(x, *args))


def _bfgs(value_and_slope, x, gtol, most, stops, size=largest, first_inverse=None):
    """The minimum; and how many steps and values it took, how it ended: 0, 1 (too many steps), 2 (no step brings less) or 99 (`stops` of x and its value), and the inverse Hessian."""
    value, slope = value_and_slope(x)
    inverse = np.eye(x.size) if first_inverse is None else np.asarray(first_inverse, np.float64)
    nit, nfev, status = 0, 1, 0
    last = value + np.linalg.norm(slope) / 2
    while status == 0 and size(slope) > gtol:
        if nit == most:
            status = 1
        else:
            direction = -(inverse @ slope)
            promise = slope @ direction
            first = min(1.0, 2.02 * (value - last) / promise) if promise < 0 else 1.0
            step, value_new, slope_new, tries = _line_search(value_and_slope, x, direction, value, promise, first if first > 0 else 1.0)
            nfev += tries
            if step == 0.0:
                status = 2
            else:
                nit += 1
                moved, turned = step * direction, slope_new - slope
                x = x + moved
                last, value, slope = value, value_new, slope_new
                inverse = _updated(inverse, moved, turned)
                if stops(x, value):
                    status = 99
    return x, (nit, nfev, status, inverse)


def _updated(inverse, moved, turned):
    """The inverse Hessian that also maps the slope's change to the step."""
    along = moved @ turned
    if along <= 0:
        return inverse
    image = inverse @ turned
    outer = np.outer(image, moved)
    return inverse + ((along + turned @ image) / along**2) * np.outer(moved, moved) - (outer + outer.T) / along


def _line_search(value_and_slope, x, direction, value, promise, first, curvature=CURVATURE):
    """A step that decreases value and slope enough (the strong Wolfe conditions; 0: none was found), value and gradient there, and how many were tried.

    Steps double until they bracket one, then the bracket is halved: `low` is its end with the least value.
    """
    low, high, value_low, step = 0.0, np.inf, value, first
    tries, found = 0, False
    value_new, slope_new = value, 0.0 * x
    while not found and tries < 60:
        value_new, slope_new = value_and_slope(x + step * direction)
        tries += 1
        promise_new = slope_new @ direction
        if value_new > value + DECREASE * step * promise or not value_new < value_low:
            high = step
        elif abs(promise_new) <= -curvature * promise:
            found = True
        else:
            if promise_new * (high - low) >= 0:
                high = low
            low, value_low = step, value_new
        if not found:
            step = 2.0 * step if np.isinf(high) else (low + high) / 2
    return (step if found else 0.0), value_new, slope_new, tries
