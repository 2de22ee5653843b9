"""Gradients of loop programs: s2s on the plain NumPy loops, beside jax.jit(jax.grad(…)) of the same mathematics for JAX.

For JAX each program is written the way its manual asks for: scan and fori_loop with static trip counts, whole rows and
arrays where the algorithm allows it (masked where lengths vary), `.at[].set` where it updates single elements.
"""
from __future__ import annotations

import sys
from typing import Any

import numpy as np
from common import interleaved, jax_or_none, machine, ms, table
from programs_loops import CASES

import s2s

SIZES = {
    "pendulum": 100_000, "Lotka-Volterra, midpoint": 100_000, "Van der Pol, RK4": 100_000, "logistic map": 100_000,
    "Cholesky, scalars": 60, "LU, scalars": 60, "triangular solve, scalars": 100, "Gram-Schmidt, scalars": 40,
    "Gauss-Seidel, 10 sweeps": 30, "Jacobi 1-D, 20 sweeps": 8_000, "Jacobi 2-D, 20 sweeps": 100,
    "nonlinear heat, slices, 20 steps": 8_000, "Elman network, 64 units": 200,
}


def jax_programs(jax: Any) -> dict[str, Any]:
    """By name, a function of the case's float arguments (the numbers of steps bound)."""
    jnp, lax = jax.numpy, jax.lax

    def steps(step: Any, state: Any, count: int) -> Any:
        return lax.scan(lambda state, _: (step(*state), None), state, None, length=count)[0]

    def pendulum(theta, omega, count):
        return steps(lambda a, b: (a + 0.001 * b, b - 0.001 * jnp.sin(a)), (theta, omega), count)[0]

    def lotka_volterra(prey, hunters, count, dt):
        def step(prey, hunters):
            p = prey + 0.5 * dt * (1.1 * prey - 0.4 * prey * hunters)
            h = hunters + 0.5 * dt * (0.1 * prey * hunters - 0.4 * hunters)
            return prey + dt * (1.1 * p - 0.4 * p * h), hunters + dt * (0.1 * p * h - 0.4 * h)

        return sum(steps(step, (prey, hunters), count))

    def oscillator(x, v, k, count, dt):
        def slope(x, v):
            return v, k * (1.0 - x * x) * v - x

        def step(x, v):
            x1, v1 = slope(x, v)
            x2, v2 = slope(x + 0.5 * dt * x1, v + 0.5 * dt * v1)
            x3, v3 = slope(x + 0.5 * dt * x2, v + 0.5 * dt * v2)
            x4, v4 = slope(x + dt * x3, v + dt * v3)
            return x + dt / 6.0 * (x1 + 2.0 * x2 + 2.0 * x3 + x4), v + dt / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4)

        return steps(step, (x, v), count)[0]

    def logistic_map(x, r, count):
        return steps(lambda x: (r * x * (1.0 - x),), (x,), count)[0]

    def cholesky(A):
        n = A.shape[0]
        before = jnp.arange(n)

        def element(i, j, A):
            s = jnp.sum(jnp.where(before < j, A[i] * A[j], 0.0))
            return A.at[i, j].set((A[i, j] - s) / A[j, j])

        def row(i, A):
            A = lax.fori_loop(0, n, lambda j, A: lax.cond(j < i, lambda A: element(i, j, A), lambda A: A, A), A)
            s = jnp.sum(jnp.where(before < i, A[i] * A[i], 0.0))
            return A.at[i, i].set(jnp.sqrt(A[i, i] - s))

        return 2.0 * jnp.sum(jnp.log(jnp.diag(lax.fori_loop(0, n, row, A))))

    def lu(A):
        n = A.shape[0]
        after = jnp.arange(n)

        def column(k, A):
            factors = jnp.where(after > k, A[:, k] / A[k, k], 0.0)
            A = A - jnp.outer(factors, jnp.where(after > k, A[k], 0.0))
            return A.at[:, k].set(jnp.where(after > k, factors, A[:, k]))

        return jnp.sum(jnp.log(jnp.abs(jnp.diag(lax.fori_loop(0, n, column, A)))))

    def tri_solve(L, b):
        n = L.shape[0]
        x = lax.fori_loop(0, n, lambda i, x: x.at[i].set((b[i] - L[i] @ x) / L[i, i]), jnp.zeros(n))
        return x @ x

    def gram_schmidt(V):
        m = V.shape[0]
        after = jnp.arange(m)

        def row(i, V):
            unit = V[i] / jnp.sqrt(V[i] @ V[i])
            along = jnp.where(after > i, V @ unit, 0.0)
            return (V - jnp.outer(along, unit)).at[i].set(unit)

        return jnp.sum((jnp.arange(m) + 1.0)[:, None] * lax.fori_loop(0, m, row, V))

    def gauss_seidel(u, sweeps):
        n, m = u.shape

        def point(k, u):
            i, j = 1 + k // (m - 2), 1 + k % (m - 2)
            return u.at[i, j].set(0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]))

        u = lax.fori_loop(0, sweeps, lambda _, u: lax.fori_loop(0, (n - 2) * (m - 2), point, u), u)
        return jnp.sum(u * u)

    def jacobi_1d(u, count):
        u = steps(lambda u: (u.at[1:-1].set((u[:-2] + u[1:-1] + u[2:]) / 3.0),), (u,), count)[0]
        return jnp.sum(u * u)

    def jacobi_2d(u, count):
        def step(u):
            return (u.at[1:-1, 1:-1].set(0.2 * (u[1:-1, 1:-1] + u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])),)

        u = steps(step, (u,), count)[0]
        return jnp.sum(u * u)

    def heat_slices(u, count, c):
        u = steps(lambda u: (u.at[1:-1].add(c * (1.0 + 0.1 * u[1:-1] ** 2) * (u[2:] - 2.0 * u[1:-1] + u[:-2])),), (u,), count)[0]
        return jnp.sum(u * u)

    def elman(recurrent, inner, xs):
        def step(h, x):
            h = jnp.tanh(recurrent @ h + inner @ x)
            return h, jnp.sum(h * h)

        return jnp.sum(lax.scan(step, jnp.zeros(recurrent.shape[0]), xs)[1])

    programs = (
        pendulum, lotka_volterra, oscillator, logistic_map, cholesky, lu, tri_solve, gram_schmidt, gauss_seidel, jacobi_1d, jacobi_2d, heat_slices, elman,
    )
    return dict(zip(SIZES, programs, strict=True))


def main() -> None:
    """Print the table."""
    print(machine())
    jax = jax_or_none()
    if jax is None:
        print("\nJAX is not installed: no comparison")
        return
    words, rows = sys.argv[1:], []
    for name, theirs in jax_programs(jax).items():
        if words and not any(word.lower() in name.lower() for word in words):
            continue
        case = CASES[name]
        args = case.make(SIZES[name])
        static = tuple(number for number, arg in enumerate(args) if isinstance(arg, int))
        ours, other = s2s.grad(case.function), jax.jit(jax.grad(theirs), static_argnums=static)
        mine, reference = ours(*args), np.asarray(other(*args))
        if name.startswith("Cholesky"):  # the loops read the lower triangle only
            reference = np.tril(reference)
        np.testing.assert_allclose(mine, reference, rtol=1e-7, atol=1e-9)
        times = interleaved(lambda f=ours, a=args: f(*a), lambda f=other, a=args: np.asarray(f(*a)), repeat=9, at_least=0.005)
        rows.append((name, str(SIZES[name]), ms(times[0]), ms(times[1]), f"{times[1] / times[0]:.3g}"))
    table("Gradients of loops, against JAX", ("program", "size", "s2s", "JAX", "JAX / s2s"), rows)


if __name__ == "__main__":
    main()
