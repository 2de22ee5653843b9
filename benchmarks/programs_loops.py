"""Programs of loops as a user writes them, from their definitions: in-place updates by scalars, and with slices of rows.

`CASES` holds for each: the function, its arguments for a size, the sizes to measure, and the aim for gradient / primal.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Case:
    """One program. `mutates`: whether it updates its first argument in place (timed with a copy); `argnums`: what is differentiated."""

    function: Callable[..., object]
    make: Callable[[int], tuple[object, ...]]
    sizes: Sequence[int]
    aim: float
    mutates: bool = False
    argnums: int | tuple[int, ...] = 0
    operations: Callable[[int], float] = float
    """How many operations a size stands for, up to a factor."""


# ---- scalar loops -------------------------------------------------------------------------------------------------------


def pendulum(theta, omega, steps):
    """A pendulum by Euler's method."""
    for _ in range(steps):
        theta, omega = theta + 0.001 * omega, omega - 0.001 * np.sin(theta)
    return theta


def lotka_volterra(prey, hunters, steps, dt):
    """Two species by the midpoint rule."""
    for _ in range(steps):
        p = prey + 0.5 * dt * (1.1 * prey - 0.4 * prey * hunters)
        h = hunters + 0.5 * dt * (0.1 * prey * hunters - 0.4 * hunters)
        prey = prey + dt * (1.1 * p - 0.4 * p * h)
        hunters = hunters + dt * (0.1 * p * h - 0.4 * h)
    return prey + hunters


def oscillator_rk4(x, v, k, steps, dt):
    """Van der Pol's oscillator by the classical Runge-Kutta method."""
    for _ in range(steps):
        a1 = k * (1.0 - x * x) * v - x
        x2, v2 = x + 0.5 * dt * v, v + 0.5 * dt * a1
        a2 = k * (1.0 - x2 * x2) * v2 - x2
        x3, v3 = x + 0.5 * dt * v2, v + 0.5 * dt * a2
        a3 = k * (1.0 - x3 * x3) * v3 - x3
        x4, v4 = x + dt * v3, v + dt * a3
        a4 = k * (1.0 - x4 * x4) * v4 - x4
        x = x + dt / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4)
        v = v + dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
    return x


def logistic_map(x, r, steps):
    """The logistic map."""
    for _ in range(steps):
        x = r * x * (1.0 - x)
    return x


# ---- linear algebra -----------------------------------------------------------------------------------------------------


def cholesky(A):
    """log det of a symmetric positive definite matrix by Cholesky in place, scalar by scalar."""
    n = A.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                A[i, j] -= A[i, k] * A[j, k]
            A[i, j] /= A[j, j]
        for k in range(i):
            A[i, i] -= A[i, k] * A[i, k]
        A[i, i] = np.sqrt(A[i, i])
    total = 0.0
    for i in range(n):
        total += np.log(A[i, i])
    return 2.0 * total


def cholesky_rows(A):
    """The same with dot products of slices."""
    n = A.shape[0]
    for i in range(n):
        for j in range(i):
            A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / A[j, j]
        A[i, i] = np.sqrt(A[i, i] - A[i, :i] @ A[i, :i])
    total = 0.0
    for i in range(n):
        total += np.log(A[i, i])
    return 2.0 * total


def cholesky_sum(A):
    """Cholesky into a matrix of its own with an accumulating scalar, as textbooks print it."""
    n = A.shape[0]
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if i == j:
                L[i, i] = np.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    total = 0.0
    for i in range(n):
        total += np.log(L[i, i])
    return 2.0 * total


def lu(A):
    """log |det A| by LU without pivoting, in place (k, i, j)."""
    n = A.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            for j in range(k + 1, n):
                A[i, j] -= A[i, k] * A[k, j]
    total = 0.0
    for i in range(n):
        total += np.log(np.abs(A[i, i]))
    return total


def lu_rows(A):
    """The same with slices of rows."""
    n = A.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            A[i, k + 1:] -= A[i, k] * A[k, k + 1:]
    total = 0.0
    for i in range(n):
        total += np.log(np.abs(A[i, i]))
    return total


def lu_doolittle(A):
    """The same by Doolittle's order: each element is finished by one accumulation."""
    n = A.shape[0]
    for i in range(n):
        for j in range(n):
            s = A[i, j]
            for k in range(min(i, j)):
                s -= A[i, k] * A[k, j]
            if j < i:
                s /= A[j, j]
            A[i, j] = s
    total = 0.0
    for i in range(n):
        total += np.log(np.abs(A[i, i]))
    return total


def gram_schmidt(V):
    """Modified Gram-Schmidt on the rows of V, in place, scalar by scalar; a weighted sum of what comes out."""
    m, n = V.shape
    for i in range(m):
        square = 0.0
        for k in range(n):
            square += V[i, k] * V[i, k]
        norm = np.sqrt(square)
        for k in range(n):
            V[i, k] /= norm
        for j in range(i + 1, m):
            along = 0.0
            for k in range(n):
                along += V[i, k] * V[j, k]
            for k in range(n):
                V[j, k] -= along * V[i, k]
    total = 0.0
    for i in range(m):
        for k in range(n):
            total += (i + 1.0) * V[i, k]
    return total


def gram_schmidt_rows(V):
    """The same with slices of rows."""
    m = V.shape[0]
    for i in range(m):
        V[i] /= np.sqrt(V[i] @ V[i])
        for j in range(i + 1, m):
            V[j] -= (V[i] @ V[j]) * V[i]
    total = 0.0
    for i in range(m):
        total += (i + 1.0) * np.sum(V[i])
    return total


def durbin(r):
    """The Yule-Walker equations of a symmetric Toeplitz matrix by the Levinson-Durbin recursion; the sum of the solution."""
    n = r.shape[0]
    y = np.zeros(n)
    z = np.zeros(n)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, n):
        beta = (1.0 - alpha * alpha) * beta
        s = r[k]
        for i in range(k):
            s += r[k - i - 1] * y[i]
        alpha = -s / beta
        for i in range(k):
            z[i] = y[i] + alpha * y[k - i - 1]
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha
    total = 0.0
    for i in range(n):
        total += y[i]
    return total


def durbin_rows(r):
    """The same with slices."""
    n = r.shape[0]
    y = np.zeros(n)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, n):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + r[:k][::-1] @ y[:k]) / beta
        y[:k] = y[:k] + alpha * y[:k][::-1]
        y[k] = alpha
    return np.sum(y)


def tri_solve(L, b):
    """L x = b by forward substitution; the sum of squares of x."""
    n = L.shape[0]
    x = np.zeros(n)
    for i in range(n):
        s = b[i]
        for j in range(i):
            s -= L[i, j] * x[j]
        x[i] = s / L[i, i]
    total = 0.0
    for i in range(n):
        total += x[i] * x[i]
    return total


def tri_solve_in_place(b, L):
    """The same in place of b, with dot products of slices."""
    n = L.shape[0]
    for i in range(n):
        b[i] = (b[i] - L[i, :i] @ b[:i]) / L[i, i]
    return b @ b


# ---- stencils -----------------------------------------------------------------------------------------------------------


def jacobi_1d(u, steps):
    """Jacobi sweeps over a line, two arrays that swap places."""
    n = u.shape[0]
    u, v = u.copy(), u.copy()
    for _ in range(steps):
        for i in range(1, n - 1):
            v[i] = (u[i - 1] + u[i] + u[i + 1]) / 3.0
        u, v = v, u
    total = 0.0
    for i in range(n):
        total += u[i] * u[i]
    return total


def jacobi_2d(u, steps):
    """Jacobi sweeps over a square, two arrays that swap places."""
    n, m = u.shape
    u, v = u.copy(), u.copy()
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                v[i, j] = 0.2 * (u[i, j] + u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u
    total = 0.0
    for i in range(n):
        for j in range(m):
            total += u[i, j] * u[i, j]
    return total


def gauss_seidel(u, sweeps):
    """Gauss-Seidel sweeps in place."""
    n, m = u.shape
    for _ in range(sweeps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    total = 0.0
    for i in range(n):
        for j in range(m):
            total += u[i, j] * u[i, j]
    return total


def relax(u, sweeps):
    """Nonlinear smoothing in place."""
    n = len(u)
    for _ in range(sweeps):
        for i in range(1, n - 1):
            u[i] = u[i] + 0.25 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) / (1.0 + u[i] * u[i])
    rough = 0.0
    for i in range(n - 1):
        rough += (u[i + 1] - u[i]) ** 2
    return rough


def heat(kappa, u0, steps, dt):
    """Heat in a rod whose conductivity differs from cell to cell; the gradient with respect to the conductivities."""
    n = u0.shape[0]
    u = u0.copy()
    flux = np.zeros(n + 1)
    for _ in range(steps):
        for i in range(1, n):
            flux[i] = kappa[i - 1] * (u[i] - u[i - 1])
        for i in range(n):
            u[i] += dt * (flux[i + 1] - flux[i])
    total = 0.0
    for i in range(n):
        total += u[i] * u[i]
    return total


def heat_slices(u, steps, c):
    """A nonlinear heat equation with slices."""
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += c * (1.0 + 0.1 * u[1:-1] ** 2) * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


def elman(recurrent, inner, xs):
    """An Elman network, its products written as such."""
    h = np.zeros(recurrent.shape[0])
    total = 0.0
    for t in range(xs.shape[0]):
        h = np.tanh(recurrent @ h + inner @ xs[t])
        total += np.sum(h * h)
    return total


# ---- the cases ----------------------------------------------------------------------------------------------------------


def _spd(n):
    a = np.random.default_rng(0).normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


def _dominant(n):
    return np.random.default_rng(0).normal(size=(n, n)) + n * np.eye(n)


def _wide(n):
    return np.random.default_rng(0).normal(size=(n, 2 * n)) + np.eye(n, 2 * n) * n


def _decaying(n):
    return 0.4 * 0.6 ** np.arange(n) * (1.0 + 0.1 * np.cos(np.arange(n)))


def _lower(n):
    return np.tril(np.random.default_rng(0).normal(size=(n, n))) / n + np.eye(n)


def _line(n):
    return np.sin(np.linspace(0.0, 7.0, n))


def _square(n):
    return np.random.default_rng(0).normal(size=(n, n))


def cube(n: int) -> float:
    """n³."""
    return float(n) ** 3


def square(n: int) -> float:
    """n²."""
    return float(n) ** 2


LINE, STEPS, MATRIX = (1_000, 8_000, 64_000), (10_000, 100_000), (25, 50, 100, 200)
CASES: dict[str, Case] = {
    "pendulum": Case(pendulum, lambda n: (0.5, 0.1, n), STEPS, 2.0),
    "Lotka-Volterra, midpoint": Case(lotka_volterra, lambda n: (10.0, 5.0, n, 1e-3), STEPS, 2.0),
    "Van der Pol, RK4": Case(oscillator_rk4, lambda n: (1.0, 0.5, 1.5, n, 1e-3), STEPS, 2.0),
    "logistic map": Case(logistic_map, lambda n: (0.3, 2.9, n), STEPS, 2.0),
    "Cholesky, scalars": Case(cholesky, lambda n: (_spd(n),), MATRIX, 4.0, mutates=True, operations=cube),
    "Cholesky, slices": Case(cholesky_rows, lambda n: (_spd(n),), MATRIX, 4.0, mutates=True, operations=cube),
    "Cholesky, textbook": Case(cholesky_sum, lambda n: (_spd(n),), MATRIX, 4.0, operations=cube),
    "LU, scalars": Case(lu, lambda n: (_dominant(n),), MATRIX, 4.0, mutates=True, operations=cube),
    "LU, slices": Case(lu_rows, lambda n: (_dominant(n),), MATRIX, 4.0, mutates=True, operations=cube),
    "LU, Doolittle": Case(lu_doolittle, lambda n: (_dominant(n),), MATRIX, 4.0, mutates=True, operations=cube),
    "Gram-Schmidt, scalars": Case(gram_schmidt, lambda n: (_wide(n),), (25, 50, 100), 4.0, mutates=True, operations=cube),
    "Gram-Schmidt, slices": Case(gram_schmidt_rows, lambda n: (_wide(n),), (25, 50, 100), 4.0, mutates=True, operations=cube),
    "Durbin, scalars": Case(durbin, lambda n: (_decaying(n),), (100, 200, 400, 800), 4.0, operations=square),
    "Durbin, slices": Case(durbin_rows, lambda n: (_decaying(n),), (100, 200, 400, 800), 4.0, operations=square),
    "triangular solve, scalars": Case(tri_solve, lambda n: (_lower(n), _line(n)), (100, 200, 400, 800), 4.0, argnums=(0, 1), operations=square),
    "triangular solve, slices": Case(tri_solve_in_place, lambda n: (_line(n), _lower(n)), (100, 200, 400, 800), 4.0, mutates=True, argnums=(0, 1), operations=square),
    "Jacobi 1-D, 20 sweeps": Case(jacobi_1d, lambda n: (_line(n), 20), LINE, 4.0),
    "Jacobi 2-D, 20 sweeps": Case(jacobi_2d, lambda n: (_square(n), 20), (50, 100, 200), 4.0, operations=square),
    "Gauss-Seidel, 10 sweeps": Case(gauss_seidel, lambda n: (_square(n), 10), (50, 100, 200), 4.0, mutates=True, operations=square),
    "nonlinear relaxation, 10 sweeps": Case(relax, lambda n: (_line(n), 10), LINE, 4.0, mutates=True),
    "heat, 20 steps": Case(heat, lambda n: (1.0 + 0.5 * _line(n)[:-1], _line(n), 20, 0.2), LINE, 4.0),
    "nonlinear heat, slices, 20 steps": Case(heat_slices, lambda n: (_line(n), 20, 0.2), LINE, 4.0),
    "Elman network, 64 units": Case(elman, lambda n: (0.1 * _square(64), _square(64)[:, :16].copy(), np.resize(_line(977), (n, 16))), (50, 200), 4.0),
}
