"""Heat in a box, explicit, two fields in turns."""
import numpy as np

ARGNUMS = (0,)
STATIC = (1,)


def loss(start, steps):
    """The squares of the field after some double steps."""
    a = start.copy()
    b = start.copy()
    for _ in range(steps):
        b[1:-1, 1:-1, 1:-1] = (
            0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1])
            + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, :-2, 1:-1])
            + 0.125 * (a[1:-1, 1:-1, 2:] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, 1:-1, :-2])
            + a[1:-1, 1:-1, 1:-1]
        )
        a[1:-1, 1:-1, 1:-1] = (
            0.125 * (b[2:, 1:-1, 1:-1] - 2.0 * b[1:-1, 1:-1, 1:-1] + b[:-2, 1:-1, 1:-1])
            + 0.125 * (b[1:-1, 2:, 1:-1] - 2.0 * b[1:-1, 1:-1, 1:-1] + b[1:-1, :-2, 1:-1])
            + 0.125 * (b[1:-1, 1:-1, 2:] - 2.0 * b[1:-1, 1:-1, 1:-1] + b[1:-1, 1:-1, :-2])
            + b[1:-1, 1:-1, 1:-1]
        )
    return np.sum(a * a)


def arguments():
    """A box of 8 points a side."""
    return np.random.default_rng(0).normal(size=(8, 8, 8)), 5


def twin(own):
    """Stores as `.at[…].set`, the loop as fori_loop."""
    from jax.lax import fori_loop

    jnp = own["np"]

    def half(a, b):
        inner = (
            0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1])
            + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, :-2, 1:-1])
            + 0.125 * (a[1:-1, 1:-1, 2:] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, 1:-1, :-2])
            + a[1:-1, 1:-1, 1:-1]
        )
        return b.at[1:-1, 1:-1, 1:-1].set(inner)

    def step(_, fields):
        a, b = fields
        b = half(a, b)
        return half(b, a), b

    def loss(start, steps):
        a, _ = fori_loop(0, steps, step, (start, start))
        return jnp.sum(a * a)

    return loss
