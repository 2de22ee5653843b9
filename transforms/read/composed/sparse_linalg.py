"""scipy.sparse.linalg: systems of equations, by elimination in the band where there is one, and by iteration.

Derivatives are those of the solution (`lax_solves.custom_linear_solve`): another system with the same matrix, or with its transpose.
Methods: Hestenes and Stiefel 1952 (cg), van der Vorst 1992 (bicgstab), Saad and Schultz 1986 (gmres); steps and tests in SciPy's order.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.lax_solves import custom_linear_solve
from s2s.transforms.read.composed.marks import surely, unsupported
from s2s.transforms.read.composed.matrix_equations import solve_banded
from s2s.transforms.read.composed.sparse import _matrix, csc_array, csc_matrix, csr_array, csr_matrix
from s2s.transforms.read.composed.sparse_base import Sparse

# ---- by elimination -------------------------------------------------------------------------------------------------------------------


def spsolve(A, b, permc_spec=None, use_umfpack=True):
    """scipy.sparse.linalg.spsolve; of a sparse right side of several columns a sparse matrix."""
    a = _matrix(A)
    right = b.toarray() if isinstance(b, Sparse) else np.asarray(b)
    if a.shape[0] != a.shape[1]:
        raise ValueError(f"matrix must be square (has shape {a.shape})")
    if right.shape[0] != a.shape[0]:
        raise ValueError(f"matrix - rhs dimension mismatch ({a.shape} - {right.shape[0]})")
    if right.ndim == 2 and surely(right.shape[1] == 1):
        return _solved(a, right.ravel())
    if right.ndim == 2 and right.shape[1] == 1:
        raise NotImplementedError("scipy.sparse.linalg.spsolve of a right side of which only the run knows that it has one column is not supported")
    found = _solved(a, right)
    return _like(a, found) if isinstance(b, Sparse) else found


def _like(a, found):
    """An array as a sparse matrix of the form of another one."""
    if a.format == "csc":
        return csc_matrix(found) if a.starred else csc_array(found)
    return csr_matrix(found) if a.starred else csr_array(found)


def _solved(a, b):
    """The x with a @ x = b."""
    dtype = np.result_type(a.values, b, np.float32)
    a, b = a.astype(np.float64 if dtype.kind == "f" and dtype.itemsize < 4 else dtype), b.astype(dtype)
    if np.any(np.isnan(a.values)):
        raise NotImplementedError("the solution of a sparse system with nan in its matrix is not supported: which of its numbers are nan depends on the order of elimination")
    row, column = a._coordinates()
    return custom_linear_solve(
        lambda x: _product(a.values, row, column, x), b,
        lambda product, right: _eliminated(a.values, row, column, right), lambda product, right: _eliminated(a.values, column, row, right),
    )  # fmt: skip


def _product(values, row, column, x):
    """A square matrix times a vector or a matrix, of which the result has the size."""
    found = np.zeros(x.shape, np.result_type(values, x))
    for e in range(values.shape[0]):
        found[row[e]] += values[e] * x[column[e]]
    return found


def _eliminated(values, row, column, b):
    """In the band that holds all elements; of one that is as wide as the matrix, as an array."""
    n = b.shape[0]
    if n == 0:
        return b.copy()
    lower, upper = max(np.max(row - column), 0), max(np.max(column - row), 0)
    if 3 * (lower + upper) < n:
        band = np.zeros((lower + upper + 1, n), values.dtype)
        np.add.at(band, (upper + row - column, column), values)
        return solve_banded((lower, upper), band, b)
    whole = np.zeros((n, n), values.dtype)
    np.add.at(whole, (row, column), values)
    return np.linalg.solve(whole, b)


class Factors:
    """What splu gives: the matrix, of which systems are solved."""

    def __init__(self, matrix):
        self.matrix, self.shape = matrix, matrix.shape

    def solve(self, rhs, trans="N"):
        """The solution for a right side; of the transposed matrix with trans='T'."""
        if trans not in ("N", "T", "H"):
            raise ValueError("trans must be N, T, or H")
        a = self.matrix if trans == "N" else self.matrix.transpose() if trans == "T" else self.matrix.conj().transpose()
        if rhs.shape[0] != a.shape[0]:
            raise ValueError("b is of incompatible size")
        if rhs.dtype.kind == "c" and a.dtype.kind != "c":
            raise TypeError(f"Cannot cast array data from dtype('{rhs.dtype}') to dtype('{a.dtype}') according to the rule 'safe'")
        return _solved(a, rhs)

    def __getattr__(self, name):
        unsupported(f"{name} of a factorised sparse matrix", "its solve")


def splu(A, permc_spec=None, diag_pivot_thresh=None, relax=None, panel_size=None, options=None):
    """scipy.sparse.linalg.splu: for its solve."""
    a = _matrix(A)
    if a.shape[0] != a.shape[1]:
        raise ValueError("can only factor square matrices")
    return Factors(a)


def factorized(A):
    """scipy.sparse.linalg.factorized."""
    return splu(A).solve


def inv(A):
    """scipy.sparse.linalg.inv."""
    a = _matrix(A)
    found = np.linalg.inv(a.toarray())
    return csc_matrix(found) if a.starred else csc_array(found)


def spsolve_triangular(A, b, lower=True, overwrite_A=False, overwrite_b=False, unit_diagonal=False):
    """scipy.sparse.linalg.spsolve_triangular."""
    a, b = _matrix(A), np.asarray(b)
    if a.shape[0] != a.shape[1]:
        raise ValueError(f"A must be a square matrix but its shape is {a.shape}.")
    row, column = a._coordinates()
    if np.any(((row < column) if lower else (row > column)) & (a.values != 0)):
        raise np.linalg.LinAlgError("A is not triangular.")
    if b.shape[0] != a.shape[0]:
        raise ValueError(f"The size of the dimensions of A must be equal to the size of the first dimension of b but the shape of A is {a.shape} and the shape of b is {b.shape}.")
    if not unit_diagonal:
        return _solved(a, b)
    whole = np.zeros(a.shape, a.values.dtype)
    np.add.at(whole, (row, column), np.where(row == column, 0, a.values))
    return np.linalg.solve(whole + np.eye(a.shape[0], dtype=whole.dtype), b)


def spbandwidth(A):
    """scipy.sparse.linalg.spbandwidth: how far below and above the diagonal something is stored."""
    a = _matrix(A)
    a._check_exact("scipy.sparse.linalg.spbandwidth")
    row, column = a._coordinates()
    there = (a.values != 0) | (a.exact == 1)
    row, column = row[there], column[there]
    return int(np.max(row - column, initial=0)), int(np.max(column - row, initial=0))


def is_sptriangular(A):
    """scipy.sparse.linalg.is_sptriangular: whether nothing is stored above the diagonal, whether nothing below."""
    below, above = spbandwidth(A)
    return above == 0, below == 0


def expm(A):
    """scipy.sparse.linalg.expm: by the exponential of all of the matrix."""
    import scipy.linalg

    if not isinstance(A, Sparse):
        return scipy.linalg.expm(np.asarray(A))
    a = _matrix(A)
    return _like(a, scipy.linalg.expm(a.toarray()))


def matrix_power(A, power):
    """scipy.sparse.linalg.matrix_power, of powers from 1 on."""
    a = _matrix(A)
    if a.shape[0] != a.shape[1]:
        raise TypeError("sparse matrix is not square")
    if not isinstance(power, int) or power == 0:
        unsupported("scipy.sparse.linalg.matrix_power to the 0, or of a power that is known only at run time", "scipy.sparse.eye_array, and a loop")
    if power < 0:
        raise ValueError("exponent must be >= 0")
    found = a
    for _ in range(power - 1):
        found = found @ a
    return found


# ---- eigenvalues and singular values, of all of the matrix ------------------------------------------------------------------------------


def _whole(A):
    """A matrix or operator as an array."""
    if isinstance(A, Sparse):
        return A.toarray()
    return A @ np.eye(A.shape[1]) if isinstance(A, Operator) else np.asarray(A)


def eigsh(A, k=6, M=None, sigma=None, which="LM", v0=None, ncv=None, maxiter=None, tol=0, return_eigenvectors=True, Minv=None, OPinv=None, mode="normal", rng=None):
    """scipy.sparse.linalg.eigsh: of all eigenvalues of the matrix those that are asked for, rising."""
    if M is not None or Minv is not None or OPinv is not None or mode != "normal":
        unsupported("scipy.sparse.linalg.eigsh of two matrices, or of given inverses", "scipy.linalg.eigh(a, m) of arrays")
    if not return_eigenvectors and which not in ("LA", "BE"):
        unsupported(f"scipy.sparse.linalg.eigsh(…, which={which!r}, return_eigenvectors=False)", "eigsh(…)[0]", "ARPACK's order is not that of the numbers")
    a = _whole(A)
    n = a.shape[0]
    if a.ndim != 2 or n != a.shape[1]:
        raise ValueError(f"expected square matrix (shape={a.shape})")
    if k <= 0:
        raise ValueError(f"k={k} must be greater than 0.")
    if k >= n:
        raise TypeError("Cannot use scipy.linalg.eigh for sparse A with k >= N. Use scipy.linalg.eigh(A.toarray()) or reduce k.")
    w, v = np.linalg.eigh(a)
    measure = w if sigma is None else 1.0 / (w - sigma)
    chosen = np.sort(_chosen(measure, k, which))
    return (w[chosen], v[:, chosen]) if return_eigenvectors else w[chosen]


def _chosen(measure, k, which):
    """The places of k numbers by their size, or the size of what is between them and 0."""
    if which in ("LM", "SM"):
        order = np.argsort(np.abs(measure), kind="stable")
        return order[-k:] if which == "LM" else order[:k]
    order = np.argsort(measure, kind="stable")
    if which == "LA":
        return order[-k:]
    if which == "SA":
        return order[:k]
    if which == "BE":
        return np.concatenate((order[: k // 2], order[measure.shape[0] - (k - k // 2) :]))
    raise ValueError("which must be one of LM SM LA SA BE")


def svds(A, k=6, ncv=None, tol=0, which="LM", v0=None, maxiter=None, return_singular_vectors=True, solver="arpack", rng=None, options=None, *, random_state=None):
    """scipy.sparse.linalg.svds: of all singular values of the matrix the k largest or smallest ones, rising."""
    a = _whole(A)
    if which not in ("LM", "SM"):
        raise ValueError("`which` must be in {'LM', 'SM'}.")
    if not isinstance(k, int | np.integer) or k < 1 or k >= min(a.shape) + (solver == "propack"):
        raise ValueError("`k` must be an integer satisfying `0 < k < min(A.shape)`.")
    if tol < 0:
        raise ValueError("`tol` must be a non-negative floating point value.")
    if maxiter is not None and int(maxiter) < 1:
        raise ValueError("`maxiter` must be a positive integer.")
    if v0 is not None and np.shape(v0) != ((a.shape[0] if solver == "propack" else min(a.shape)),):
        raise ValueError(f"`v0` must have shape ({a.shape[0] if solver == 'propack' else min(a.shape)},).")
    if return_singular_vectors not in (True, False, "u", "vh"):
        raise ValueError("`return_singular_vectors` must be in {False, True, 'u', 'vh'}.")
    u, s, vh = np.linalg.svd(a if a.dtype.kind in "fc" else a.astype(np.float64), full_matrices=False)
    first = 0 if which == "LM" else s.shape[0] - k
    u, s, vh = u[:, first : first + k][:, ::-1], s[first : first + k][::-1], vh[first : first + k][::-1]
    if not return_singular_vectors:
        return s
    return (None if return_singular_vectors == "vh" else u), s, (None if return_singular_vectors == "u" else vh)


def norm(x, ord=None, axis=None):
    """scipy.sparse.linalg.norm of a whole matrix, or of its rows or columns."""
    a = abs(x)
    along = axis[0] if isinstance(axis, tuple) and len(axis) == 1 else axis
    if isinstance(along, int):
        if ord not in (None, 1, 2):
            unsupported(f"scipy.sparse.linalg.norm(…, {ord!r}, axis={axis})", "np.linalg.norm of its toarray()")
        return np.ravel(np.asarray(a.sum(axis=along))) if ord == 1 else np.sqrt(np.ravel(np.asarray(a.power(2).sum(axis=along))))
    if axis is not None:
        unsupported(f"scipy.sparse.linalg.norm(…, axis={axis})", "leave axis out")
    if ord in (None, "fro", "f"):
        return np.sqrt(np.sum(a.values**2))
    if ord == 2:
        return np.linalg.svd(x.toarray(), compute_uv=False)[0]
    if ord not in (1, -1, np.inf, -np.inf):
        unsupported(f"scipy.sparse.linalg.norm(…, {ord!r})", "np.linalg.norm of its toarray()")
    sums = np.ravel(np.asarray(a.sum(axis=0 if abs(ord) == 1 else 1)))
    return np.max(sums) if ord > 0 else np.min(sums)


def expm_multiply(A, B, start=None, stop=None, num=None, endpoint=None, traceA=None):
    """scipy.sparse.linalg.expm_multiply, at time 1 or at times that lie equally far apart: by the exponential of all of the matrix."""
    import scipy.linalg

    a, b = _whole(A), np.asarray(B)
    if start is None and stop is None and num is None and endpoint is None:
        return scipy.linalg.expm(a) @ b
    if start is None or stop is None:
        unsupported("scipy.sparse.linalg.expm_multiply of an end without the other one", "start=… and stop=…")
    ends = endpoint is None or endpoint
    times = np.linspace(start, stop, 50 if num is None else num, endpoint=ends)
    found = np.zeros((times.shape[0], *b.shape), np.result_type(a, b, np.float64))
    found[0] = scipy.linalg.expm(a * times[0]) @ b
    step = scipy.linalg.expm(a * (times[1] - times[0]))
    for k in range(1, times.shape[0]):
        found[k] = step @ found[k - 1]
    return found


# ---- by iteration -----------------------------------------------------------------------------------------------------------------------


class Operator:
    """scipy.sparse.linalg.LinearOperator: a shape and functions."""

    def __init__(self, shape, matvec, rmatvec=None, of_matrix=None):
        self.shape, self.matvec, self.rmatvec, self.of_matrix = shape, matvec, rmatvec, of_matrix

    def matmat(self, x):
        """Each column's product."""
        if self.of_matrix is not None:
            return self.of_matrix(x)
        return np.stack([np.reshape(self.matvec(x[:, j]), self.shape[0]) for j in range(x.shape[1])], axis=1)

    def __matmul__(self, x):
        return self.matvec(x) if np.ndim(x) == 1 else self.matmat(x)

    def dot(self, x):
        return self @ x

    def __call__(self, x):
        return self @ x

    def __mul__(self, x):
        return self @ x

    @property
    def T(self):  # noqa: N802 - the name that it has
        return self.H

    @property
    def H(self):  # noqa: N802 - likewise
        if self.rmatvec is None:
            unsupported("the adjoint of a scipy.sparse.linalg.LinearOperator without rmatvec", "rmatvec=…")
        return Operator(self.shape[::-1], self.rmatvec, self.matvec)

    def __getattr__(self, name):
        unsupported(f"{name} of a scipy.sparse.linalg.LinearOperator", "products: a @ x, a.matvec(x)")


def linear_operator(shape, matvec, rmatvec=None, matmat=None, dtype=None, rmatmat=None):
    """scipy.sparse.linalg.LinearOperator of functions."""
    return Operator(shape, matvec, rmatvec, matmat)


def aslinearoperator(A):
    """scipy.sparse.linalg.aslinearoperator."""
    return A if isinstance(A, Operator) else Operator(A.shape, lambda x: A @ x, lambda x: A.conj().T @ x, lambda x: A @ x)


def cg(A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None, callback=None):
    """scipy.sparse.linalg.cg."""
    return _iterated("cg", conjugate_gradients, A, b, x0, rtol, atol, maxiter, M, callback, True)


def bicgstab(A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None, callback=None):
    """scipy.sparse.linalg.bicgstab."""
    return _iterated("bicgstab", stabilised, A, b, x0, rtol, atol, maxiter, M, callback, False)


def gmres(A, b, x0=None, *, rtol=1e-05, atol=0.0, restart=None, maxiter=None, M=None, callback=None, callback_type=None):
    """scipy.sparse.linalg.gmres."""
    if restart is not None:
        return _iterated("gmres", lambda *args: least_residuals(*args, restart), A, b, x0, rtol, atol, maxiter, M, callback, False)
    return _iterated("gmres", lambda *args: least_residuals(*args, 20), A, b, x0, rtol, atol, maxiter, M, callback, False)


def _iterated(name, steps, A, b, x0, rtol, atol, maxiter, M, callback, symmetric):
    if callback is not None:
        unsupported(f"scipy.sparse.linalg.{name} with a callback", "leave it out")
    if atol is None or atol < 0:
        raise ValueError(f"'scipy.sparse.linalg.{name}' called with invalid `atol`={atol}; if set, `atol` must be a real, non-negative number.")
    b = np.asarray(b)
    if b.ndim != 1:
        unsupported(f"scipy.sparse.linalg.{name} of a right side that is no vector", "b.ravel()")
    b = b if b.dtype.kind in "fc" else b.astype(np.float64)
    if A.shape[0] != A.shape[1] or A.shape[0] != b.shape[0]:
        raise ValueError(f"expected square matrix, but got shape={A.shape}" if A.shape[0] != A.shape[1] else f"shapes of A {A.shape} and b {b.shape} are incompatible")
    held = A.values if isinstance(A, Sparse) else A
    if isinstance(held, np.ndarray):
        b = b.astype(np.result_type(held, b))
    most = b.shape[0] * 10 if maxiter is None else maxiter
    first = np.zeros_like(b) if x0 is None else np.asarray(x0).astype(b.dtype)

    def solve(product, right):
        return steps(product, right, first, rtol, atol, most, (lambda r: r) if M is None else lambda r: M @ r)

    if isinstance(A, Sparse):
        row, column = A._coordinates()
        return custom_linear_solve(lambda x: _product(A.values, row, column, x), b, solve, None if symmetric else solve, symmetric=symmetric, has_aux=True)
    return custom_linear_solve(lambda x: A @ x, b, solve, None if symmetric else solve, symmetric=symmetric, has_aux=True)


def conjugate_gradients(product, b, first, rtol, atol, most, precondition):
    """The solution, and 0 or how many steps were too few; `product` is symmetric and positive definite."""
    size = np.linalg.norm(b)
    least, x, r = max(atol, rtol * size), first.copy(), b - product(first)
    p, before, count = np.zeros_like(b), b.dtype.type(1.0), 0
    while size != 0 and count < most and not np.linalg.norm(r) < least:  # nan never is
        z = precondition(r)
        now = np.vdot(r, z)
        p = z + (now / before) * p if count > 0 else z + 0 * p
        q = product(p)
        alpha = now / np.vdot(p, q)
        x = x + alpha * p
        r = r - alpha * q
        before = now
        count += 1
    return (x if size != 0 else b), (count if size != 0 and count >= most else 0)


def stabilised(product, b, first, rtol, atol, most, precondition):
    """The solution by stabilised biconjugate gradients, and what SciPy says of how it ended."""
    size = np.linalg.norm(b)
    least, x, r = max(atol, rtol * size), first.copy(), b - product(first)
    shadow, p, v = r, np.zeros_like(b), np.zeros_like(b)
    before, alpha, omega, count, info = b.dtype.type(1.0), b.dtype.type(1.0), b.dtype.type(1.0), 0, 0
    tiny = np.finfo(b.dtype).eps ** 2
    running = size != 0
    while running:
        if count >= most:
            info, running = most, False
        elif np.linalg.norm(r) < least:
            running = False
        else:
            rho = np.vdot(shadow, r)
            if np.abs(rho) < tiny or count > 0 and np.abs(omega) < tiny:
                info, running = (-10 if np.abs(rho) < tiny else -11), False
            else:
                p = r + (rho / before) * (alpha / omega) * (p - omega * v) if count > 0 else r + 0 * p
                ahead = precondition(p)
                v = product(ahead)
                alpha = rho / np.vdot(shadow, v)
                s = r - alpha * v
                if np.linalg.norm(s) < least:
                    x = x + alpha * ahead
                    running = False
                else:
                    beside = precondition(s)
                    t = product(beside)
                    omega = np.vdot(t, s) / np.vdot(t, t)
                    x = x + alpha * ahead + omega * beside
                    r = s - omega * t
                    before = rho
                    count += 1
    return (x if size != 0 else b), info


def least_residuals(product, b, first, rtol, atol, most, precondition, restart):
    """With the residual of least norm in the space of products with the residual; from there again after `restart` of them."""
    n, size = b.shape[0], np.linalg.norm(b)
    least, x, r = max(atol, rtol * size), first.copy(), b - product(first)
    width, eps = min(restart, n), np.finfo(b.dtype).eps
    factor, rounds, running = 1.0, 0, size != 0
    inner = np.linalg.norm(precondition(b)) * min(1.0, least / size) if size != 0 else 0.0
    if running and np.linalg.norm(r) < least:
        running = False
    while running and rounds < most:
        x, within, broken = _round(product, precondition, x, r, width, inner, eps)
        r = b - product(x)
        rest = np.linalg.norm(r)
        rounds += 1
        if rest <= least or broken:
            running = False
        else:
            factor = max(eps, 0.25 * factor) if within <= inner else min(1.0, 1.5 * factor)
            inner = within * min(factor, least / rest)
    return (x if size != 0 else b), (0 if size == 0 or np.linalg.norm(r) <= least else most)


def _round(product, precondition, x, r, width, inner, eps):
    """One round of gmres: x with what the space adds, the residual's estimate, whether the space was exhausted."""
    start = precondition(r)
    length = np.linalg.norm(start)
    v, h = np.zeros((width + 1, x.shape[0]), x.dtype), np.zeros((width + 1, width), x.dtype)
    v[0] = start / length
    turned, cosines, sines = np.zeros(width + 1, x.dtype), np.zeros(width, x.dtype), np.zeros(width, x.dtype)
    turned[0] = length
    column, broken, within = 0, False, length + inner
    while column < width and within > inner and not broken:
        w = precondition(product(v[column]))
        before = np.linalg.norm(w)
        for k in range(column + 1):
            h[k, column] = np.vdot(v[k], w)
            w = w - h[k, column] * v[k]
        after = np.linalg.norm(w)
        broken = bool(after <= eps * before)
        if not broken:
            h[column + 1, column] = after
            v[column + 1] = w / after
        for k in range(column):
            above = cosines[k] * h[k, column] + sines[k] * h[k + 1, column]
            h[k + 1, column] = cosines[k] * h[k + 1, column] - np.conj(sines[k]) * h[k, column]
            h[k, column] = above
        radius = np.sqrt(np.abs(h[column, column]) ** 2 + np.abs(h[column + 1, column]) ** 2)
        if radius > 0:
            size = np.abs(h[column, column])
            phase = h[column, column] / size if size != 0 else x.dtype.type(1.0)
            cosines[column] = size / radius
            sines[column] = phase * np.conj(h[column + 1, column]) / radius
            h[column, column] = phase * radius
        h[column + 1, column] = 0.0
        turned[column + 1] = -np.conj(sines[column]) * turned[column]
        turned[column] = cosines[column] * turned[column]
        within = np.abs(turned[column + 1])
        column += 1
    y = np.zeros(width, x.dtype)
    for k in range(column - 1, -1, -1):
        y[k] = (turned[k] - h[k, k + 1 : column] @ y[k + 1 : column]) / h[k, k] if h[k, k] != 0 else 0.0
    return x + y @ v[:width], within, broken


SPARSE_LINALG: dict[str, Any] = {
    f"scipy.sparse.linalg.{name}": function for name, function in {
        "spsolve": spsolve, "spbandwidth": spbandwidth, "is_sptriangular": is_sptriangular, "expm": expm, "matrix_power": matrix_power, "eigsh": eigsh, "svds": svds,
        "splu": splu, "factorized": factorized, "inv": inv, "spsolve_triangular": spsolve_triangular, "norm": norm, "expm_multiply": expm_multiply,
        "LinearOperator": linear_operator, "aslinearoperator": aslinearoperator, "cg": cg, "bicgstab": bicgstab, "gmres": gmres,
    }.items()
}  # fmt: skip
"""By qualified name."""
