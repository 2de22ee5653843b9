"""scipy.optimize: roots of several equations, sums of squares, and the older names of what minimizes. Derivatives are those of the implicit function theorem at what was found."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed import marks
from s2s.transforms.read.composed.bounded import condition, cost, curved, damped, limits, units_of
from s2s.transforms.read.composed.fitting import LOSSES, Found, _root, minimize_scalar
from s2s.transforms.read.composed.keyed_results import as_dict
from s2s.transforms.read.composed.lax_solves import custom_root
from s2s.transforms.read.composed.least_squares import among, free_of_nnls
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.minimizing import minimize
from s2s.transforms.read.composed.roots import solved

ROOTS = ("hybr", "lm", "krylov", "broyden1", "broyden2", "anderson", "df-sane", "linearmixing", "diagbroyden", "excitingmixing")
"""By Newton's steps, whatever the method: within the same tolerances the same root."""
_OF_ANY_SHAPE = ROOTS[2:]
"""Those that hand the function an x of the shape of the start, and take what it gives in any shape."""
STEERING = (
    "xtol", "maxfev", "col_deriv", "eps", "disp", "maxiter", "fatol", "ftol", "gtol", "factor", "diag", "band", "nit", "xatol", "tol_norm", "line_search", "jac_options", "fnorm", "fscale", "eta_strategy", "M",
    "sigma_0", "sigma_eps", "epsfcn",
)  # fmt: skip
"""Options of SciPy's steps."""


@as_dict()
class RootResult(NamedTuple):
    """What scipy.optimize.root gives; `nfev` is of steps of our own."""

    x: Any
    fun: Any
    success: Any
    status: Any
    nfev: Any
    method: str

    def keys(self):
        """What SciPy's holds by this method."""
        if self.method == "hybr":
            return ["x", "success", "status", "method", "nfev", "fjac", "r", "qtf", "fun", "message"]
        if self.method == "lm":
            return ["x", "message", "status", "success", "cov_x", "fun", "method", "nfev", "fjac", "ipvt", "qtf"]
        if self.method == "df-sane":
            return ["x", "success", "message", "fun", "nfev", "nit", "method"]
        return ["x", "method", "nit", "fun", "status", "success", "message", "nfev"]

    @property
    def message(self):
        """How it ended: what finds none raises."""
        return "The solution converged."


@as_dict("x", "cost", "fun", "jac", "grad", "optimality", "active_mask", "nfev", "njev", "status", "message", "success")
class LeastSquaresResult(NamedTuple):
    """What scipy.optimize.least_squares gives."""

    x: Any
    cost: Any
    fun: Any
    jac: Any
    grad: Any
    optimality: Any
    nfev: Any
    njev: Any
    status: Any
    success: Any
    active_mask: Any

    @property
    def message(self):
        """How it ended."""
        return _ENDINGS[self.status]


_ENDINGS = (
    "The maximum number of function evaluations is exceeded.", "`gtol` termination condition is satisfied.", "`ftol` termination condition is satisfied.", "`xtol` termination condition is satisfied.",
    "Both `ftol` and `xtol` termination conditions are satisfied.",
)  # fmt: skip
"""By the status of least_squares."""


class Bounds(NamedTuple):
    """scipy.optimize.Bounds."""

    lb: Any
    ub: Any


def bounds(lb=-np.inf, ub=np.inf, keep_feasible=False):
    """scipy.optimize.Bounds."""
    if keep_feasible is not False:
        unsupported("scipy.optimize.Bounds(…, keep_feasible=…)", "lb and ub alone")
    return Bounds(lb, ub)


def _tuple(args):
    return args if isinstance(args, tuple) else (args,)


def root(fun, x0, args=(), method="hybr", jac=None, tol=None, callback=None, options=None):
    """scipy.optimize.root."""
    if not isinstance(method, str) or method.lower() not in ROOTS:
        unsupported(f"scipy.optimize.root by {method!r}", "method='hybr'")
    if callback is not None:
        unsupported("scipy.optimize.root with a callback", "a print in the function")
    wanted = {} if options is None else options
    if not all(word in STEERING for word in wanted) or wanted.get("col_deriv", 0):
        unsupported(f"scipy.optimize.root(…, options={sorted(wanted)})", "xtol and maxfev")
    args = _tuple(args)
    xtol = wanted.get("xtol", 1.49012e-08 if tol is None else tol)
    together = jac is True
    equations, slopes = fun, jac if callable(jac) else None
    if together:

        def equations(x, *args):
            return fun(x, *args)[0]

        def slopes(x, *args):
            return fun(x, *args)[1]

    start = np.asarray(x0, np.float64)
    if method.lower() in _OF_ANY_SHAPE:
        shaped = np.atleast_1d(start)
        found, count = _root_of_shape(equations, shaped, args, xtol)
        return RootResult(found, np.ravel(np.asarray(equations(found, *args), np.float64)), True, 1, count, method.lower())
    found, count = _root(equations, start.ravel(), args, slopes, xtol, wanted.get("maxfev", 0))
    return RootResult(found, np.asarray(equations(found, *args), np.float64), True, 1, count, method.lower())


def _root_of_shape(equations, start, args, xtol):
    """Where a function of an array of any shape is zero."""
    found, count = _root(lambda x, *args: np.ravel(np.asarray(equations(x.reshape(start.shape), *args), np.float64)), start.ravel(), args, None, xtol, 0)
    return found.reshape(start.shape), count


def least_squares(
    fun, x0, jac="2-point", bounds=(-np.inf, np.inf), method="trf", ftol=1e-8, xtol=1e-8, gtol=1e-8, x_scale=None, loss="linear", f_scale=1.0, diff_step=None, tr_solver=None, tr_options=None,
    jac_sparsity=None, max_nfev=None, verbose=0, args=(), kwargs=None, callback=None, workers=None,
):  # fmt: skip
    """scipy.optimize.least_squares by damped Gauss-Newton steps with the exact Jacobian: SciPy's minimum within the tolerances; the numbers of its steps are its own."""
    if method not in ("trf", "dogbox", "lm"):
        raise ValueError("`method` must be 'trf', 'dogbox' or 'lm'.")
    if callable(loss) or loss not in LOSSES:
        unsupported(f"scipy.optimize.least_squares(…, loss={loss!r})", "loss='linear', 'huber', 'soft_l1', 'cauchy' or 'arctan'")
    if method == "lm" and loss != "linear":
        raise ValueError("method='lm' supports only 'linear' loss function.")
    if jac_sparsity is not None or callback is not None or verbose:
        unsupported("scipy.optimize.least_squares with jac_sparsity, callback or verbose", "leave them out")
    start = np.atleast_1d(np.asarray(x0, np.float64))
    if start.ndim > 1:
        raise ValueError("`x0` must have at most 1 dimension.")
    args, words = _tuple(args), {} if kwargs is None else kwargs

    def gaps(x):
        return np.atleast_1d(np.asarray(fun(x, *args, **words), np.float64))

    slopes = (lambda x: np.atleast_2d(np.asarray(jac(x, *args, **words), np.float64))) if callable(jac) else marks.ours("jacfwd")(gaps)
    low, high = _pair_of_limits(bounds, start)
    if method == "lm" and np.any(np.isfinite(low) | np.isfinite(high)):
        raise ValueError("Method 'lm' doesn't support bounds.")
    if np.any((start < low) | (start > high)):
        raise ValueError("`x0` is infeasible.")
    most = start.size * 100 if max_nfev is None else max_nfev
    units = units_of(x_scale, method, start.size)
    small = [0.0 if each is None else each for each in (ftol, xtol, gtol)]
    slope = marks.ours("grad")(lambda x: cost(gaps(x), loss, f_scale))
    x, counts = custom_root(condition(slope, low, high), start, lambda _, x: damped(gaps, slopes, x, low, high, loss, f_scale, small[0], small[1], small[2], most, units), solved, has_aux=True)
    njev, nfev, status = counts
    left, rise = gaps(x), slope(x)
    held = marks.constant(np.where(x <= low, -1, np.where(x >= high, 1, 0)))
    if method == "trf" and not hasattr(bounds, "lb") and np.ndim(bounds[0]) == 0 and np.ndim(bounds[1]) == 0 and tuple(bounds) == (-np.inf, np.inf):
        held = held.astype(np.float64)  # as SciPy's where it knows of no bounds
    return LeastSquaresResult(x, cost(left, loss, f_scale), left, curved(left, slopes(x), loss, f_scale), rise, np.max(np.abs(x - np.clip(x - rise, low, high)), initial=0.0), nfev, njev, status, status > 0, held)


def _pair_of_limits(bounds, start):
    if hasattr(bounds, "lb"):
        return limits(bounds, start.size)
    if len(bounds) != 2:
        raise ValueError("`bounds` must contain 2 elements.")
    low, high = np.asarray(bounds[0], np.float64) + np.zeros(start.size), np.asarray(bounds[1], np.float64) + np.zeros(start.size)
    if np.any(low >= high):
        raise ValueError("Each lower bound must be strictly less than each upper bound.")
    return low, high


def leastsq(func, x0, args=(), Dfun=None, full_output=False, col_deriv=False, ftol=1.49012e-8, xtol=1.49012e-8, gtol=0.0, maxfev=0, epsfcn=None, factor=100, diag=None):
    """scipy.optimize.leastsq: the minimum, and 1; besides the covariances and what is left."""
    if col_deriv:
        unsupported("scipy.optimize.leastsq with col_deriv", "scipy.optimize.least_squares")
    found = least_squares(func, x0, "2-point" if Dfun is None else Dfun, ftol=ftol, xtol=xtol, gtol=max(gtol, 1e-12), max_nfev=maxfev if maxfev > 0 else None, args=args)
    if not found.success:
        raise RuntimeError("scipy.optimize.leastsq: the number of calls to function has reached maxfev")
    if not full_output:
        return found.x, 1
    return found.x, np.linalg.inv(found.jac.T @ found.jac), Found(found.fun), f"Both actual and predicted relative reductions in the sum of squares\n  are at most {ftol:f}", 1


def _by_newton(name):
    def found(F, xin, iter=None, **options):
        for word in options:
            if word not in ("f_tol", "f_rtol", "x_tol", "x_rtol", "maxiter", "verbose", "method", "line_search", "inner_maxiter", "alpha", "w0", "M", "rdiff", "max_rank"):
                unsupported(f"scipy.optimize.{name}(…, {word}=…)", "f_tol and x_tol")
        start = np.asarray(xin, np.float64)
        return _root_of_shape(F, start, (), 1.49012e-08)[0]

    return found


def newton_krylov(F, xin, iter=None, **options):
    """scipy.optimize.newton_krylov."""
    return _by_newton("newton_krylov")(F, xin, iter, **options)


def broyden1(F, xin, iter=None, **options):
    """scipy.optimize.broyden1."""
    return _by_newton("broyden1")(F, xin, iter, **options)


def anderson(F, xin, iter=None, **options):
    """scipy.optimize.anderson."""
    return _by_newton("anderson")(F, xin, iter, **options)


def nnls(A, b, maxiter=None, atol=None):
    """scipy.optimize.nnls: the least squares of numbers that are not negative, and the length of what is left (Lawson and Hanson 1974)."""
    matrix, b = np.asarray(A, np.float64), np.asarray(b, np.float64)
    if matrix.ndim != 2 or b.ndim != 1 or atol is not None:
        unsupported("scipy.optimize.nnls of other than a matrix and a vector, or with atol", "a matrix and a vector")
    if matrix.shape[0] != b.shape[0]:
        raise ValueError(f"Incompatible dimensions. The first dimension of A is {matrix.shape[0]}, while the shape of b is {b.shape}")
    n = matrix.shape[1]
    free = marks.constant(free_of_nnls(matrix, b, 3 * n if maxiter is None else maxiter))
    x = among(matrix, b, free)
    return x, float(np.linalg.norm(matrix @ x - b))


# ---- the older names -----------------------------------------------------------------------------------------------------------------


def _only(name, full_output, *others):
    if full_output or any(each not in (None, 0, False) for each in others):
        unsupported(f"scipy.optimize.{name} with full_output, retall or a callback", "scipy.optimize.minimize")


def fmin(func, x0, args=(), xtol=1e-4, ftol=1e-4, maxiter=None, maxfun=None, full_output=0, disp=1, retall=0, callback=None, initial_simplex=None):
    """scipy.optimize.fmin: the minimum by simplices."""
    _only("fmin", 0, retall, callback, initial_simplex)
    wanted = {"xatol": xtol, "fatol": ftol}
    if maxiter is not None:
        wanted["maxiter"] = maxiter
    if maxfun is not None:
        wanted["maxfev"] = maxfun
    found = minimize(func, x0, args, "Nelder-Mead", options=wanted)
    return (found.x, found.fun, found.nit, found.nfev, found.status) if full_output else found.x


def fmin_bfgs(
    f, x0, fprime=None, args=(), gtol=1e-5, norm=np.inf, epsilon=1.4901161193847656e-08, maxiter=None, full_output=0, disp=1, retall=0, callback=None, xrtol=0, c1=1e-4, c2=0.9, hess_inv0=None,
):  # fmt: skip
    """scipy.optimize.fmin_bfgs."""
    _only("fmin_bfgs", 0, retall, callback, hess_inv0, xrtol)
    found = minimize(f, x0, args, "BFGS", fprime, options={"gtol": gtol, "norm": norm} if maxiter is None else {"gtol": gtol, "norm": norm, "maxiter": maxiter})
    return (found.x, found.fun, found.jac, found.hess_inv, found.nfev, found.njev, found.status) if full_output else found.x


def fmin_cg(f, x0, fprime=None, args=(), gtol=1e-5, norm=np.inf, epsilon=1.4901161193847656e-08, maxiter=None, full_output=0, disp=1, retall=0, callback=None, c1=1e-4, c2=0.4):
    """scipy.optimize.fmin_cg."""
    _only("fmin_cg", 0, retall, callback)
    found = minimize(f, x0, args, "CG", fprime, options={"gtol": gtol, "norm": norm} if maxiter is None else {"gtol": gtol, "norm": norm, "maxiter": maxiter})
    return (found.x, found.fun, found.nfev, found.njev, found.status) if full_output else found.x


def fmin_powell(func, x0, args=(), xtol=1e-4, ftol=1e-4, maxiter=None, maxfun=None, full_output=0, disp=1, retall=0, callback=None, direc=None):
    """scipy.optimize.fmin_powell."""
    _only("fmin_powell", full_output, retall, callback, direc, maxfun)
    return minimize(func, x0, args, "Powell", options={"xtol": xtol, "ftol": ftol} if maxiter is None else {"xtol": xtol, "ftol": ftol, "maxiter": maxiter}).x


def fmin_ncg(f, x0, fprime, fhess_p=None, fhess=None, args=(), avextol=1e-5, epsilon=1.4901161193847656e-08, maxiter=None, full_output=0, disp=1, retall=0, callback=None, c1=1e-4, c2=0.9):
    """scipy.optimize.fmin_ncg."""
    _only("fmin_ncg", full_output, retall, callback)
    return minimize(f, x0, args, "Newton-CG", fprime, fhess, fhess_p, options={"xtol": avextol} if maxiter is None else {"xtol": avextol, "maxiter": maxiter}).x


def fmin_l_bfgs_b(func, x0, fprime=None, args=(), approx_grad=0, bounds=None, m=10, factr=1e7, pgtol=1e-5, epsilon=1e-8, maxfun=15000, maxiter=15000, callback=None, maxls=20):
    """scipy.optimize.fmin_l_bfgs_b: the minimum, the least value, and of what was counted the gradient and the numbers of steps and values."""
    _only("fmin_l_bfgs_b", 0, callback)
    given = fprime if fprime is not None else None if approx_grad else True
    found = minimize(func, x0, args, "L-BFGS-B", given, bounds=bounds, options={"gtol": pgtol, "ftol": factr * 2.220446049250313e-16, "maxiter": maxiter})
    return found.x, found.fun, {"grad": found.jac, "funcalls": found.nfev, "nit": found.nit, "warnflag": found.status}


def fmin_slsqp(
    func, x0, eqcons=(), f_eqcons=None, ieqcons=(), f_ieqcons=None, bounds=(), fprime=None, fprime_eqcons=None, fprime_ieqcons=None, args=(), iter=100, acc=1e-6, iprint=1, disp=None, full_output=0,
    epsilon=1.4901161193847656e-08, callback=None,
):  # fmt: skip
    """scipy.optimize.fmin_slsqp."""
    _only("fmin_slsqp", full_output, callback)
    constraints = [{"type": "eq", "fun": each, "args": _tuple(args)} for each in (*eqcons, *(() if f_eqcons is None else (f_eqcons,)))]
    constraints = constraints + [{"type": "ineq", "fun": each, "args": _tuple(args)} for each in (*ieqcons, *(() if f_ieqcons is None else (f_ieqcons,)))]
    return minimize(func, x0, args, "SLSQP", fprime, bounds=bounds if len(bounds) > 0 else None, constraints=constraints, options={"ftol": acc, "maxiter": iter}).x


def lsq_linear(A, b, bounds=(-np.inf, np.inf), method="trf", tol=1e-10, lsq_solver=None, lsmr_tol=None, max_iter=None, verbose=0, *, lsmr_maxiter=None):
    """scipy.optimize.lsq_linear by the steps of least_squares."""
    matrix, right = np.asarray(A, np.float64), np.asarray(b, np.float64)
    if matrix.ndim != 2 or right.ndim != 1 or matrix.shape[0] != right.shape[0]:
        raise ValueError(f"Inconsistent shapes between `A` and `b`: {matrix.shape} and {right.shape}.")
    low, high = _pair_of_limits(bounds, np.zeros(matrix.shape[1]))
    start = np.clip(marks.constant(np.linalg.lstsq(matrix, right)[0]), low, high)
    return least_squares(lambda x: matrix @ x - right, start, lambda x: matrix, bounds, ftol=1e-3 * tol, xtol=1e-3 * tol, gtol=1e-3 * tol)


def golden(func, args=(), brack=None, tol=1.4901161193847656e-08, full_output=0, maxiter=5000):
    """scipy.optimize.golden."""
    found = minimize_scalar(func, brack, args=args, method="golden", options={"xtol": tol, "maxiter": maxiter})
    return (found.x, found.fun, found.nfev) if full_output else found.x


def fminbound(func, x1, x2, args=(), xtol=1e-5, maxfun=500, full_output=0, disp=1):
    """scipy.optimize.fminbound."""
    found = minimize_scalar(func, bounds=(x1, x2), args=args, method="bounded", options={"xatol": xtol, "maxiter": maxfun})
    return (found.x, found.fun, np.where(found.success, 0, 1)[()], found.nfev) if full_output else found.x


def brent(func, args=(), brack=None, tol=1.48e-08, full_output=0, maxiter=500):
    """scipy.optimize.brent."""
    found = minimize_scalar(func, brack, args=args, method="brent", options={"xtol": tol, "maxiter": maxiter})
    return (found.x, found.fun, found.nit, found.nfev) if full_output else found.x


def rosen(x):
    """scipy.optimize.rosen."""
    x = np.asarray(x)
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1 - x[:-1]) ** 2.0, axis=0)


def _inexact(x):
    """As floats unless they are some."""
    x = np.asarray(x)
    return x if x.dtype.kind in "fc" else x.astype(np.float64)


def rosen_der(x):
    """scipy.optimize.rosen_der."""
    x = _inexact(x)
    middle, before, behind = x[1:-1], x[:-2], x[2:]
    found = np.zeros_like(x)
    found[1:-1] = 200 * (middle - before**2) - 400 * (behind - middle**2) * middle - 2 * (1 - middle)
    found[0] = -400 * x[0] * (x[1] - x[0] ** 2) - 2 * (1 - x[0])
    found[-1] = 200 * (x[-1] - x[-2] ** 2)
    return found


def rosen_hess(x):
    """scipy.optimize.rosen_hess."""
    x = np.atleast_1d(_inexact(x))
    diagonal = np.zeros(len(x), dtype=x.dtype)
    diagonal[0] = 1200 * x[0] ** 2 - 400 * x[1] + 2
    diagonal[-1] = 200
    diagonal[1:-1] = 202 + 1200 * x[1:-1] ** 2 - 400 * x[2:]
    return np.diag(-400 * x[:-1], 1) - np.diag(400 * x[:-1], -1) + np.diag(diagonal)


def rosen_hess_prod(x, p):
    """scipy.optimize.rosen_hess_prod."""
    x = np.atleast_1d(_inexact(x))
    return rosen_hess(x) @ np.asarray(p, x.dtype)


@as_dict("x", "weights", "blocks")
class IsotonicResult(NamedTuple):
    """What scipy.optimize.isotonic_regression gives."""

    x: Any
    weights: Any
    blocks: Any


def isotonic_regression(y, *, weights=None, increasing=True):
    """scipy.optimize.isotonic_regression: the nearest numbers that rise, by pooling neighbours that don't (Barlow and others, 1972)."""
    y = np.asarray(y)
    if y.dtype.kind == "c":
        unsupported("scipy.optimize.isotonic_regression of complex numbers", "real ones")
    if y.ndim != 1:
        raise ValueError(f"Input array y has incorrect shape {y.shape}. Must be 1D.")
    y = y.astype(np.float64)
    shares = np.ones(y.shape[0]) if weights is None else np.asarray(weights, np.float64)
    if shares.shape != y.shape:
        raise ValueError("Input arrays y and w must have one dimension of equal length.")
    if np.any(shares <= 0):
        raise ValueError("Weights w must be strictly positive.")
    count, starts, means, sums = _pooled(y, shares) if increasing else _pooled(y[::-1].copy(), shares[::-1].copy())
    ends = np.append(starts[:count], y.shape[0])
    whole = np.repeat(means[:count], np.diff(ends))
    if increasing:
        return IsotonicResult(whole, sums[:count], ends)
    return IsotonicResult(whole[::-1].copy(), sums[:count][::-1].copy(), (y.shape[0] - ends)[::-1].copy())


def _pooled(y, shares):
    """How many blocks there are, where they begin, their means and weights."""
    starts, means, sums = np.zeros(y.shape[0], np.int64), np.zeros(y.shape[0]), np.zeros(y.shape[0])
    count = 0
    for k in range(y.shape[0]):
        start, mean, total = k, y[k], shares[k]
        while count > 0 and means[count - 1] >= mean:
            count -= 1
            both = sums[count] + total
            mean = (sums[count] * means[count] + total * mean) / both
            start, total = starts[count], both
        starts[count], means[count], sums[count] = start, mean, total
        count += 1
    return count, starts, means, sums


def broyden2(F, xin, iter=None, **options):
    """scipy.optimize.broyden2."""
    return _by_newton("broyden2")(F, xin, iter, **options)


def diagbroyden(F, xin, iter=None, **options):
    """scipy.optimize.diagbroyden."""
    return _by_newton("diagbroyden")(F, xin, iter, **options)


EQUATIONS: dict[str, Any] = {
    f"scipy.optimize.{function.__name__}": function
    for function in (root, nnls, newton_krylov, broyden1, anderson, least_squares, leastsq, fmin, fmin_bfgs, fmin_cg, fmin_powell, fmin_ncg, fmin_l_bfgs_b, fmin_slsqp, lsq_linear, fminbound, brent, golden, rosen, rosen_der, rosen_hess, rosen_hess_prod, isotonic_regression, broyden2, diagbroyden)
} | {"scipy.optimize.Bounds": bounds}
"""By qualified name."""
