"""Dense linear algebra as people write it with loops, mostly in place."""
import math

import numpy as np

from programs.case import Case, dominant, spd


def cholesky(A):
    """The lower Cholesky factor, in place, by scalars."""
    n = A.shape[0]
    for j in range(n):
        for k in range(j):
            A[j, j] -= A[j, k] * A[j, k]
        if A[j, j] <= 0.0:
            raise ValueError("matrix is not positive definite")
        A[j, j] = math.sqrt(A[j, j])
        for i in range(j + 1, n):
            for k in range(j):
                A[i, j] -= A[i, k] * A[j, k]
            A[i, j] /= A[j, j]
    for i in range(n):
        for j in range(i + 1, n):
            A[i, j] = 0.0
    return A


def log_det(A):
    """log det of a symmetric positive definite matrix, by Cholesky in place, with dot products of row slices."""
    n = A.shape[0]
    for i in range(n):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[j, :j]
            A[i, j] /= A[j, j]
        A[i, i] -= A[i, :i] @ A[i, :i]
        A[i, i] = np.sqrt(A[i, i])
    total = 0.0
    for i in range(n):
        total += np.log(A[i, i])
    return 2.0 * total


def lu(A):
    """LU without pivots; both factors in one matrix."""
    A = A.copy()
    n = len(A)
    for k in range(n - 1):
        A[k + 1:, k] /= A[k, k]
        A[k + 1:, k + 1:] -= np.outer(A[k + 1:, k], A[k, k + 1:])
    return A


def lu_pivot(A):
    """LU with partial pivoting; rows are swapped element by element."""
    n = A.shape[0]
    LU = A.copy()
    perm = np.arange(n)
    swaps = 0
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(LU[i, k]) > abs(LU[p, k]):
                p = i
        if LU[p, k] == 0.0:
            raise ZeroDivisionError("singular matrix")
        if p != k:
            swaps += 1
            for j in range(n):
                LU[k, j], LU[p, j] = LU[p, j], LU[k, j]
            perm[k], perm[p] = perm[p], perm[k]
        for i in range(k + 1, n):
            LU[i, k] = LU[i, k] / LU[k, k]
            for j in range(k + 1, n):
                LU[i, j] -= LU[i, k] * LU[k, j]
    return LU, perm, swaps


def determinant(A):
    """Gaussian elimination with an early return for a zero pivot."""
    n = A.shape[0]
    B = A.copy()
    det = 1.0
    for k in range(n):
        if abs(B[k, k]) < 1e-14:
            return 0.0
        det *= B[k, k]
        for i in range(k + 1, n):
            factor = B[i, k] / B[k, k]
            B[i, k:] -= factor * B[k, k:]
    return det


def forward_substitution(L, b):
    """Solve L x = b."""
    n = L.shape[0]
    x = np.zeros(n)
    for i in range(n):
        s = b[i]
        for j in range(i):
            s -= L[i, j] * x[j]
        x[i] = s / L[i, i]
    return x


def back_substitution(U, b):
    """Solve U x = b in place of b, from the last row up."""
    n = len(b)
    for i in range(n - 1, -1, -1):
        b[i] -= U[i, i + 1:] @ b[i + 1:]
        b[i] /= U[i, i]
    return b


def gram_schmidt(A):
    """Modified Gram-Schmidt on columns."""
    m, n = A.shape
    Q = A.copy()
    R = np.zeros((n, n))
    for k in range(n):
        R[k, k] = np.sqrt(np.sum(Q[:, k] ** 2))
        Q[:, k] /= R[k, k]
        for j in range(k + 1, n):
            R[k, j] = np.dot(Q[:, k], Q[:, j])
            Q[:, j] -= R[k, j] * Q[:, k]
    return Q, R


def durbin(r):
    """The Yule-Walker equations by Durbin's recursion, with a reversed slice."""
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(r[:k][::-1], y[:k])) / beta
        y[:k] += alpha * y[:k][::-1]
        y[k] = alpha
    return y


def householder(A):
    """The R of a QR factorisation by Householder reflections."""
    m, n = A.shape
    R = A.copy()
    for k in range(n):
        x = R[k:, k].copy()
        norm = np.sqrt(np.dot(x, x))
        x[0] += norm if x[0] > 0 else -norm
        scale = 2.0 / np.dot(x, x)
        for j in range(k, n):
            R[k:, j] -= scale * np.dot(x, R[k:, j]) * x
    return R


def thomas(lower, diagonal, upper, rhs):
    """A tridiagonal system by the Thomas algorithm; the inputs are left alone."""
    n = len(diagonal)
    c = upper.copy()
    d = rhs.copy()
    c[0] /= diagonal[0]
    d[0] /= diagonal[0]
    for i in range(1, n):
        m = diagonal[i] - lower[i - 1] * c[i - 1]
        if i < n - 1:
            c[i] /= m
        d[i] = (d[i] - lower[i - 1] * d[i - 1]) / m
    for i in reversed(range(n - 1)):
        d[i] -= c[i] * d[i + 1]
    return d


def power_iteration(A, x, steps):
    """The largest eigenvalue by a run-time number of steps."""
    for _ in range(steps):
        y = A @ x
        x = y / np.sqrt(y @ y)
    return x @ A @ x


def conjugate_gradient(A, b):
    """CG until the residual is small, at most 2 n steps."""
    x = np.zeros_like(b)
    r = b - A @ x
    p = r
    rs = r @ r
    steps = 0
    while rs > 1e-20 and steps < 2 * len(b):
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x = x + alpha * p
        r = r - alpha * Ap
        rs_new = r @ r
        p = r + (rs_new / rs) * p
        rs = rs_new
        steps += 1
    return x


def matrix_product(A, B):
    """Three loops."""
    n, m = A.shape
    p = B.shape[1]
    C = np.zeros((n, p))
    for i in range(n):
        for j in range(p):
            for k in range(m):
                C[i, j] += A[i, k] * B[k, j]
    return C


def givens(A):
    """Triangular form by Givens rotations, with a helper that returns two numbers."""
    n = A.shape[0]
    for j in range(n):
        for i in range(n - 1, j, -1):
            c, s = rotation(A[i - 1, j], A[i, j])
            for k in range(j, n):
                up, down = A[i - 1, k], A[i, k]
                A[i - 1, k] = c * up + s * down
                A[i, k] = c * down - s * up
    return A


def rotation(a, b):
    """cos and sin that rotate b away."""
    r = math.hypot(a, b)
    return a / r, b / r


CASES = (
    Case(cholesky, lambda rng: (spd(rng, 5),), wrt=(0,), more=(lambda rng: (spd(rng, 3),), lambda rng: (spd(rng, 1),)),
         fails=((lambda rng: (-np.eye(3) + 0.0 * rng.normal(size=(3, 3)),), ValueError),)),
    Case(log_det, lambda rng: (spd(rng, 5),), wrt=(0,), more=(lambda rng: (spd(rng, 8),), lambda rng: (np.zeros((0, 0)),))),
    Case(lu, lambda rng: (dominant(rng, 5),), wrt=(0,), more=(lambda rng: (dominant(rng, 2),),)),
    Case(lu_pivot, lambda rng: (rng.normal(size=(5, 5)),), wrt=(0,),
         fails=((lambda rng: (np.zeros((3, 3)),), ZeroDivisionError),)),
    Case(determinant, lambda rng: (dominant(rng, 4),), wrt=(0,), more=(lambda rng: (np.zeros((4, 4)),),)),
    Case(forward_substitution, lambda rng: (dominant(rng, 5), rng.normal(size=5)), wrt=(0, 1),
         fails=((lambda rng: (dominant(rng, 5), rng.normal(size=4)), IndexError),)),
    Case(back_substitution, lambda rng: (dominant(rng, 5), rng.normal(size=5)), wrt=(0, 1)),
    Case(gram_schmidt, lambda rng: (rng.normal(size=(6, 4)),), wrt=(0,)),
    Case(durbin, lambda rng: (0.5 ** np.arange(1, 6) + 0.01 * rng.normal(size=5),), wrt=(0,), more=(lambda rng: (rng.normal(size=1),),)),
    Case(householder, lambda rng: (rng.normal(size=(5, 3)),), wrt=(0,)),
    Case(thomas, lambda rng: (rng.normal(size=5), 5.0 + rng.random(6), rng.normal(size=5), rng.normal(size=6)), wrt=(0, 1, 2, 3)),
    Case(power_iteration, lambda rng: (spd(rng, 4), rng.normal(size=4), 6), wrt=(0, 1),
         more=(lambda rng: (spd(rng, 3), rng.normal(size=3), 0),),
         fails=((lambda rng: (rng.normal(size=(4, 4)), rng.normal(size=3), 2), ValueError),)),
    Case(conjugate_gradient, lambda rng: (spd(rng, 5), rng.normal(size=5)), wrt=(1,)),
    Case(conjugate_gradient, lambda rng: (spd(rng, 5), np.zeros(5)), name="conjugate_gradient_no_trip"),
    Case(matrix_product, lambda rng: (rng.normal(size=(3, 4)), rng.normal(size=(4, 2))), wrt=(0, 1),
         more=(lambda rng: (rng.normal(size=(2, 0)), rng.normal(size=(0, 3))),),
         fails=((lambda rng: (rng.normal(size=(3, 4)), rng.normal(size=(3, 2))), IndexError),)),
    Case(givens, lambda rng: (rng.normal(size=(4, 4)),), wrt=(0,)),
)
