"""The gradient of in-place sweeps against the sweeps themselves, over sizes; and JAX's, where it is installed.

The aim: at most 3 times the primal, and linear in the number of points.
"""
from __future__ import annotations

import numpy as np
from common import interleaved, jax_or_none, machine, ms, table

import s2s


def gauss_seidel(u, sweeps):
    """Sweeps in place over a square grid; the sum of squares that is left."""
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


def jax_gauss_seidel(jax, sweeps):
    """The same loops with fori_loop (static trip counts, so that reverse mode is allowed) and .at[].set."""
    def loss(u):
        n, m = u.shape

        def point(k, u):
            i, j = 1 + k // (m - 2), 1 + k % (m - 2)
            return u.at[i, j].set(0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]))

        for _ in range(sweeps):
            u = jax.lax.fori_loop(0, (n - 2) * (m - 2), point, u)
        return (u * u).sum()

    return jax.jit(jax.grad(loss))


def rows_of(fun, sizes, sweeps):
    """One row for each size: primal, gradient, ratio, and nanoseconds of the gradient a point and sweep."""
    primal, gradient = s2s.jit(fun), s2s.grad(fun)
    for size in sizes:
        u = np.random.default_rng(0).normal(size=size)
        work = u.copy()

        def run_primal(u=u, work=work):
            work[...] = u  # the primal writes into its argument; the gradient copies it itself
            primal(work, sweeps)

        a, b = interleaved(run_primal, lambda u=u: gradient(u, sweeps))
        yield ("x".join(map(str, size)), ms(a), ms(b), f"{b / a:.2f}", f"{b / u.size / sweeps * 1e9:.2f}")


def main() -> None:
    """Print the tables."""
    print(machine())
    head = ("size", "primal", "gradient", "ratio", "gradient, ns a point and sweep")
    table("Gauss-Seidel in place, 10 sweeps", head, list(rows_of(gauss_seidel, ((50, 50), (100, 100), (200, 200), (400, 400)), 10)))
    table("Nonlinear relaxation in place, 10 sweeps", head, list(rows_of(relax, ((1_000,), (10_000,), (100_000,)), 10)))
    jax = jax_or_none()
    if jax is None:
        print("\nJAX is not installed: no comparison")
        return
    rows = []
    gradient = s2s.grad(gauss_seidel)
    for n in (50, 100):
        u = np.random.default_rng(0).normal(size=(n, n))
        theirs, device = jax_gauss_seidel(jax, 2), jax.numpy.asarray(u)
        np.testing.assert_allclose(theirs(device), gradient(u, 2), rtol=1e-10)
        a, b = interleaved(lambda u=u: gradient(u, 2), lambda f=theirs, x=device: f(x).block_until_ready(), repeat=3)
        rows.append((f"{n}x{n}", ms(a), ms(b), f"{b / a:.0f}"))
    table("Gradient of Gauss-Seidel, 2 sweeps, against JAX", ("size", "s2s", "JAX", "JAX / s2s"), rows)


if __name__ == "__main__":
    main()
