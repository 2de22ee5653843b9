"""Diffusion on a square by alternating directions (Peaceman and Rachford 1955): tridiagonal systems along columns, then along rows."""
import numpy as np

ARGNUMS = (0,)
STATIC = (1,)


def loss(start, steps):
    """The squares of the field after some steps."""
    u = start.copy()
    n = u.shape[0]
    v = np.zeros_like(u)
    p = np.zeros_like(u)
    q = np.zeros_like(u)
    dx = 1.0 / n
    dt = 1.0 / steps
    a = -dt / (2.0 * dx * dx)
    b = 1.0 - 2.0 * a
    for _ in range(steps):
        v[0, 1:-1] = 1.0
        p[1:-1, 0] = 0.0
        q[1:-1, 0] = v[0, 1:-1]
        for j in range(1, n - 1):
            p[1:-1, j] = -a / (a * p[1:-1, j - 1] + b)
            right = -a * u[j, :-2] + (1.0 + 2.0 * a) * u[j, 1:-1] - a * u[j, 2:]
            q[1:-1, j] = (right - a * q[1:-1, j - 1]) / (a * p[1:-1, j - 1] + b)
        v[-1, 1:-1] = 1.0
        for j in range(n - 2, 0, -1):
            v[j, 1:-1] = p[1:-1, j] * v[j + 1, 1:-1] + q[1:-1, j]
        u[1:-1, 0] = 1.0
        p[1:-1, 0] = 0.0
        q[1:-1, 0] = u[1:-1, 0]
        for j in range(1, n - 1):
            p[1:-1, j] = -a / (a * p[1:-1, j - 1] + b)
            right = -a * v[:-2, j] + (1.0 + 2.0 * a) * v[1:-1, j] - a * v[2:, j]
            q[1:-1, j] = (right - a * q[1:-1, j - 1]) / (a * p[1:-1, j - 1] + b)
        u[1:-1, -1] = 1.0
        for j in range(n - 2, 0, -1):
            u[1:-1, j] = p[1:-1, j] * u[1:-1, j + 1] + q[1:-1, j]
    return np.sum(u * u)


def arguments():
    """A square of 12 points a side."""
    return np.random.default_rng(0).normal(size=(12, 12)), 3


def twin(own):
    """The sweeps as scans over columns."""
    from jax.lax import fori_loop, scan

    jnp = own["np"]

    def solved(right, a, b):
        """All systems whose right sides are the columns of right (n - 2 unknowns, systems), 1 at both ends."""

        def forward(state, r):
            p, q = state
            below = a * p + b
            p, q = -a / below, (r - a * q) / below
            return (p, q), (p, q)

        zero = jnp.zeros(right.shape[1])
        _, (p, q) = scan(forward, (zero, zero + 1.0), right)

        def backward(v, pq):
            v = pq[0] * v + pq[1]
            return v, v

        return scan(backward, zero + 1.0, (p, q), reverse=True)[1]

    def loss(start, steps):
        n = start.shape[0]
        dt, dx = 1.0 / steps, 1.0 / n
        a = -dt / (2.0 * dx * dx)
        b = 1.0 - 2.0 * a

        def step(_, fields):
            u, v = fields
            right = -a * u[1:-1, :-2] + (1.0 + 2.0 * a) * u[1:-1, 1:-1] - a * u[1:-1, 2:]
            v = v.at[1:-1, 1:-1].set(solved(right, a, b)).at[0, 1:-1].set(1.0).at[-1, 1:-1].set(1.0)
            right = -a * v[:-2, 1:-1] + (1.0 + 2.0 * a) * v[1:-1, 1:-1] - a * v[2:, 1:-1]
            u = u.at[1:-1, 1:-1].set(solved(right.T, a, b).T).at[1:-1, 0].set(1.0).at[1:-1, -1].set(1.0)
            return u, v

        u, _ = fori_loop(0, steps, step, (start, jnp.zeros_like(start)))
        return jnp.sum(u * u)

    return loss
