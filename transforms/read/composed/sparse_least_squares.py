"""scipy.sparse.linalg: least squares by iteration, in SciPy's steps and by its tests.

Methods: Golub and Kahan's bidiagonal form of the matrix, column by column; its least squares by rotations (Paige and Saunders, LSQR, 1982), or those of the normal equations
(Fong and Saunders, LSMR, 2011). Derivatives are those of the steps.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.lax_solves import custom_linear_solve
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.sparse_base import Sparse
from s2s.transforms.read.composed.sparse_linalg import _product, aslinearoperator

EPS = 2.220446049250313e-16


def _rotation(a, b):
    """The cosine and the sine that turn (a, b) to (r, 0), and r."""
    r = np.hypot(a, b)
    below = 1.0 if r == 0 else r
    return a / below, b / below, r


def _length(x):
    return np.sqrt(np.sum(x * x))


def _unit(x):
    """A vector of length 1, and the length before; of 0 itself."""
    size = _length(x) if np.any(x != 0) else 0.0 * np.sum(x)
    return x / (1.0 if size == 0 else size), size


def _given(name, A, b, x0):
    """The matrix as products, the right side, where to start, and what is left there."""
    product, b = aslinearoperator(A), np.asarray(b)
    if b.ndim != 1:
        unsupported(f"scipy.sparse.linalg.{name} of a right side that is no vector", "b.ravel()")
    if b.dtype.kind == "c":
        unsupported(f"scipy.sparse.linalg.{name} of complex numbers", "the real and the imaginary part side by side")
    if A.shape[0] != b.shape[0]:
        raise ValueError("shapes of A and b are incompatible")
    b = b.astype(np.float64)
    if np.any(np.isnan(b)):
        raise NotImplementedError(f"scipy.sparse.linalg.{name} of a right side with nan is not supported")
    if x0 is None:
        return product, b, np.zeros(product.shape[1]), b
    x = np.asarray(x0).astype(np.float64)
    return product, b, x, b - product.matvec(x)


def _ended(steps, most, small, slope, condition, tests):
    """Why it ends: 0 (it does not), or SciPy's numbers, of which the least counts."""
    ctol, atol, rtol, relative = tests
    if small <= rtol:
        return 1
    if slope <= atol:
        return 2
    if condition <= ctol:
        return 3
    if 1.0 + relative <= 1.0:
        return 4
    if 1.0 + slope <= 1.0:
        return 5
    if 1.0 + condition <= 1.0:
        return 6
    return 7 if steps >= most else 0


def lsqr(A, b, damp=0.0, atol=1e-06, btol=1e-06, conlim=100000000.0, iter_lim=None, show=False, calc_var=False, x0=None):
    """scipy.sparse.linalg.lsqr of real numbers."""
    if show:
        unsupported("scipy.sparse.linalg.lsqr(…, show=True)", "what it gives")
    product, b, x, left = _given("lsqr", A, b, x0)
    most = 2 * product.shape[1] if iter_lim is None else iter_lim
    whole, ctol = _length(b), 1.0 / conlim if conlim > 0 else 0.0
    u, beta = _unit(left)
    v, alpha = _unit(product.rmatvec(u))
    w, variances = v, np.zeros(product.shape[1])
    rho_bar, phi_bar, rest, damped = alpha, beta, beta, beta
    size, spread, squares, hidden, x_size, x_squares, z = 0.0 * beta, 0.0 * beta, 0.0 * beta, 0.0 * beta, 0.0 * beta, 0.0 * beta, 0.0 * beta
    cosine, sine, slope, stop, steps = -1.0 + 0.0 * beta, 0.0 * beta, alpha * beta, 0, 0
    while stop == 0 and steps < most and alpha * beta != 0 or stop == 0 and 0 < steps < most:
        steps += 1
        u, beta = _unit(product.matvec(v) - alpha * u)
        if beta > 0:
            size = np.sqrt(size**2 + alpha**2 + beta**2 + damp**2)
            v, alpha = _unit(product.rmatvec(u) - beta * v)
        c, s, rho = _rotation(rho_bar, damp)
        psi, phi_bar = s * phi_bar, c * phi_bar
        c, s, rho = _rotation(rho, beta)
        theta, rho_bar, phi, phi_bar = s * alpha, -c * alpha, c * phi_bar, s * phi_bar
        x, step = x + (phi / rho) * w, w / rho
        w, squares = v - (theta / rho) * w, squares + np.sum(step**2)
        variances = variances + step**2 if calc_var else variances
        right, corner = phi - sine * rho * z, -cosine * rho
        x_size = np.sqrt(x_squares + (right / corner) ** 2)
        cosine, sine, gamma = _rotation(corner, theta)
        z = right / gamma
        x_squares, hidden = x_squares + z**2, hidden + psi**2
        spread, rest = size * np.sqrt(squares), np.sqrt(phi_bar**2 + hidden)
        slope = alpha * np.abs(s * phi)
        gap = rest**2 - damp**2 * x_squares
        damped = np.where(gap < 0, -1.0, 1.0) * np.sqrt(np.abs(gap)) if damp > 0 else rest
        share = size * x_size / whole
        stop = _ended(steps, most, rest / whole, slope / (size * rest + EPS), 1.0 / (spread + EPS), (ctol, atol, btol + atol * share, rest / whole / (1.0 + share)))
    return x, stop, steps, float(damped), float(rest), float(size), float(spread), slope, float(x_size), variances


def lsmr(A, b, damp=0.0, atol=1e-06, btol=1e-06, conlim=100000000.0, maxiter=None, show=False, x0=None):
    """scipy.sparse.linalg.lsmr of real numbers."""
    if show:
        unsupported("scipy.sparse.linalg.lsmr(…, show=True)", "what it gives")
    product, b, x, left = _given("lsmr", A, b, x0)
    most = min(*product.shape) if maxiter is None else maxiter
    whole, ctol = _length(b), 1.0 / conlim if conlim > 0 else 0.0
    u, beta = _unit(left)
    v, alpha = _unit(product.rmatvec(u))
    zero, one = 0.0 * beta, 1.0 + 0.0 * beta
    zeta_bar, alpha_bar, rho, rho_bar, c_bar, s_bar = alpha * beta, alpha, one, one, one, zero
    h, h_bar = v, np.zeros(product.shape[1])
    beta_dd, beta_d, rho_d, tau_old, theta_tilde, zeta, lost = beta, zero, one, zero, zero, zero, zero
    squares, size, condition, x_size, rest, slope = alpha**2, alpha, one, zero, beta, alpha * beta
    greatest, least, stop, steps = zero, 1e100 + zero, 0, 0
    while stop == 0 and steps < most and alpha * beta != 0 or stop == 0 and 0 < steps < most:
        steps += 1
        u, beta = _unit(product.matvec(v) - alpha * u)
        if beta > 0:
            v, alpha = _unit(product.rmatvec(u) - beta * v)
        c_hat, s_hat, alpha_hat = _rotation(alpha_bar, damp)
        rho_old, rho_bar_old, zeta_old = rho, rho_bar, zeta
        c, s, rho = _rotation(alpha_hat, beta)
        theta, alpha_bar = s * alpha, c * alpha
        theta_bar, rho_now = s_bar * rho, c_bar * rho
        c_bar, s_bar, rho_bar = _rotation(c_bar * rho, theta)
        zeta, zeta_bar = c_bar * zeta_bar, -s_bar * zeta_bar
        h_bar = h - (theta_bar * rho / (rho_old * rho_bar_old)) * h_bar
        x = x + (zeta / (rho * rho_bar)) * h_bar
        h = v - (theta / rho) * h
        beta_acute, beta_check = c_hat * beta_dd, -s_hat * beta_dd
        beta_hat, beta_dd = c * beta_acute, -s * beta_acute
        theta_tilde_old = theta_tilde
        c_tilde, s_tilde, rho_tilde = _rotation(rho_d, theta_bar)
        theta_tilde, rho_d, beta_d = s_tilde * rho_bar, c_tilde * rho_bar, c_tilde * beta_hat - s_tilde * beta_d
        tau_old = (zeta_old - theta_tilde_old * tau_old) / rho_tilde
        tau = (zeta - theta_tilde * tau_old) / rho_d
        lost = lost + beta_check**2
        rest = np.sqrt(lost + (beta_d - tau) ** 2 + beta_dd**2)
        size = np.sqrt(squares + beta**2)
        squares = squares + beta**2 + alpha**2
        greatest = np.maximum(greatest, rho_bar_old)
        least = np.minimum(least, rho_bar_old) if steps > 1 else least
        condition = np.maximum(greatest, rho_now) / np.minimum(least, rho_now)
        slope, x_size = np.abs(zeta_bar), _length(x)
        share = size * x_size / whole
        both = size * rest
        stop = _ended(steps, most, rest / whole, slope / both if both != 0 else np.inf + zero, 1.0 / condition, (ctol, atol, btol + atol * share, rest / whole / (1.0 + share)))
    return x, stop, steps, float(rest), slope, float(size), condition, x_size


# ---- symmetric systems ------------------------------------------------------------------------------------------------------------------------


def minres(A, b, x0=None, *, rtol=1e-05, shift=0.0, maxiter=None, M=None, callback=None, show=False, check=False):
    """scipy.sparse.linalg.minres of a symmetric matrix, less `shift` on its diagonal (Paige and Saunders 1975)."""
    if show or check or callback is not None or M is not None:
        unsupported("scipy.sparse.linalg.minres with show, check, M or a callback", "leave them out")
    b = np.asarray(b)
    if b.ndim != 1 or b.dtype.kind == "c":
        unsupported("scipy.sparse.linalg.minres of a right side that is no vector of real numbers", "b.ravel()")
    if A.shape[0] != A.shape[1] or A.shape[0] != b.shape[0]:
        raise ValueError("expected a square matrix, and as many numbers on the right side")
    b = b if b.dtype.kind == "f" else b.astype(np.float64)
    first = np.zeros_like(b) if x0 is None else np.asarray(x0).astype(b.dtype)
    most = 5 * b.shape[0] if maxiter is None else maxiter

    def solve(product, right):
        return _least_residuals(product, right, first, rtol, most)

    if isinstance(A, Sparse):
        row, column = A._coordinates()
        return custom_linear_solve(lambda x: _product(A.values, row, column, x) - shift * x, b, solve, symmetric=True, has_aux=True)
    return custom_linear_solve(lambda x: A @ x - shift * x, b, solve, symmetric=True, has_aux=True)


def _least_residuals(product, b, first, rtol, most):
    """The x of the least residual, and 0 or how many steps were too few."""
    eps = np.finfo(b.dtype).eps
    before = b - product(first)
    start = np.sqrt(before @ before)
    if start == 0 or np.all(b == 0):
        return (first if start == 0 else b), 0
    x, current, y, beta, beta_old = first, before, before, start, start
    w, w_old = np.zeros_like(b), np.zeros_like(b)
    zero = 0.0 * start
    bar, epsilon, phi_bar, squares, greatest, least = zero, zero, start, zero, zero, zero
    cosine, sine, early, ended, short, steps = zero - 1.0, zero, False, False, False, 0
    while not ended and steps < most:
        steps += 1
        v = y / beta
        y = product(v)
        y = y - (beta / beta_old) * before if steps > 1 else y
        alpha = v @ y
        y = y - (alpha / beta) * current
        before, current, beta_old = current, y, beta
        beta = np.sqrt(y @ y)
        squares = squares + alpha**2 + beta_old**2 + beta**2
        early = steps == 1 and beta / start <= 10 * eps
        epsilon_old, delta, corner = epsilon, cosine * bar + sine * alpha, sine * bar - cosine * alpha
        epsilon, bar = sine * beta, -cosine * beta
        root, gamma = np.hypot(corner, bar), np.maximum(np.hypot(corner, beta), eps)
        cosine, sine = corner / gamma, beta / gamma
        phi, phi_bar = cosine * phi_bar, sine * phi_bar
        w_older, w_old = w_old, w
        w = (v - epsilon_old * w_older - delta * w_old) / gamma
        x = x + phi * w
        greatest = np.maximum(greatest, gamma)
        least = np.minimum(least, gamma) if steps > 1 else gamma
        size, x_size = np.sqrt(squares), np.sqrt(x @ x)
        left = phi_bar / (size * x_size) if size * x_size != 0 else np.inf + zero
        turned = root / size if size != 0 else np.inf + zero
        good = left <= rtol or turned <= rtol or greatest / least >= 0.1 / eps or size * x_size * eps >= start
        short = not good and not early and steps >= most
        ended = good or early or 1.0 + left <= 1.0 or 1.0 + turned <= 1.0
        beta = beta if ended else np.where(beta == 0, 1.0, beta).astype(b.dtype)[()]
    return x, (most if short else 0)


SPARSE_LEAST_SQUARES: dict[str, Any] = {f"scipy.sparse.linalg.{function.__name__}": function for function in (lsqr, lsmr, minres)}
"""By qualified name."""
