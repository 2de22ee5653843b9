"""Gradients of ordinary programs: s2s beside jax.jit(jax.grad(…)), with NumPy arrays in for both.

For JAX each loop is written the way its manual asks for (scan, fori_loop); for s2s it is the plain NumPy function.
"""
from __future__ import annotations

import numpy as np
from common import interleaved, jax_or_none, machine, ms, table

import s2s


def logistic(w, x, y):
    """Array code."""
    z = x @ w
    return np.mean(np.log(1.0 + np.exp(-z)) + (1.0 - y) * z)


def log_det(A):
    """In-place Cholesky."""
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


def pendulum(theta, omega, steps):
    """A scalar loop."""
    for _ in range(steps):
        theta, omega = theta + 0.001 * omega, omega - 0.001 * np.sin(theta)
    return theta


def elman(recurrent, inner, xs):
    """An Elman network."""
    h = np.zeros(recurrent.shape[0])
    total = 0.0
    for t in range(xs.shape[0]):
        h = np.tanh(recurrent @ h + inner @ xs[t])
        total += np.sum(h * h)
    return total


def jax_versions(jax):
    """The same mathematics for JAX, by name."""
    jnp, lax = jax.numpy, jax.lax

    def logistic(w, x, y):
        z = x @ w
        return jnp.mean(jnp.log(1.0 + jnp.exp(-z)) + (1.0 - y) * z)

    def log_det(A):
        n = A.shape[0]

        def row(i, A):
            def column(j, A):
                below = jnp.arange(n) < j
                s = jnp.sum(jnp.where(below, A[i] * A[j], 0.0))
                return A.at[i, j].set((A[i, j] - s) / A[j, j])

            A = lax.fori_loop(0, n, lambda j, A: lax.cond(j < i, lambda A: column(j, A), lambda A: A, A), A)
            s = jnp.sum(jnp.where(jnp.arange(n) < i, A[i] * A[i], 0.0))
            return A.at[i, i].set(jnp.sqrt(A[i, i] - s))

        A = lax.fori_loop(0, n, row, A)
        return 2.0 * jnp.sum(jnp.log(jnp.diag(A)))

    def pendulum(theta, omega, steps):
        def step(carry, _):
            theta, omega = carry
            return (theta + 0.001 * omega, omega - 0.001 * jnp.sin(theta)), None

        return lax.scan(step, (theta, omega), None, length=steps)[0][0]

    def elman(recurrent, inner, xs):
        def step(h, x):
            h = jnp.tanh(recurrent @ h + inner @ x)
            return h, jnp.sum(h * h)

        return jnp.sum(lax.scan(step, jnp.zeros(recurrent.shape[0]), xs)[1])

    return {"logistic": logistic, "log_det": log_det, "pendulum": pendulum, "elman": elman}


def main() -> None:
    """Print the table."""
    print(machine())
    jax = jax_or_none()
    rng = np.random.default_rng(0)
    a = rng.normal(size=(60, 60))
    inputs = {
        logistic: (rng.normal(size=50), rng.normal(size=(20_000, 50)), (rng.random(20_000) > 0.5) * 1.0),
        log_det: (a @ a.T + 60 * np.eye(60),),
        pendulum: (0.5, 0.1, 100_000),
        elman: (0.1 * rng.normal(size=(64, 64)), rng.normal(size=(64, 16)), rng.normal(size=(200, 16))),
    }
    rows = []
    for fun, args in inputs.items():
        primal, gradient = s2s.jit(fun), s2s.grad(fun)

        def run_primal(primal=primal, fun=fun, args=args):
            primal(*(arg.copy() if fun is log_det else arg for arg in args))

        calls = [run_primal, lambda g=gradient, args=args: g(*args)]
        if jax is not None:
            theirs = jax.jit(jax.grad(jax_versions(jax)[fun.__name__]), static_argnums=(2,) if fun is pendulum else ())
            np.testing.assert_allclose(np.tril(theirs(*args)) if fun is log_det else theirs(*args), gradient(*args), rtol=1e-8, atol=1e-10)
            calls.append(lambda g=theirs, args=args: np.asarray(g(*args)))
        times = interleaved(*calls, repeat=5)
        rows.append((fun.__name__, ms(times[0]), ms(times[1]), f"{times[1] / times[0]:.2f}", *((ms(times[2]), f"{times[2] / times[1]:.2f}") if jax else ("-", "-"))))
    table("Gradients", ("program", "s2s.jit", "s2s.grad", "gradient / primal", "JAX gradient", "JAX / s2s"), rows)


if __name__ == "__main__":
    main()
