"""examples/heat.py: a heat equation in plain loops."""
import numpy as np
from heat import misfit

loss = misfit
ARGNUMS = (0,)
STATIC = (2,)


def arguments():
    """A square of 12 points a side."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(12, 12)), rng.normal(size=(12, 12)), 5, 0.2


def twin(own):
    """Whole arrays, fori_loop."""
    from jax.lax import fori_loop

    jnp = own["np"]

    def same(start, measured, steps, rate):
        def step(_, u):
            return u.at[1:-1, 1:-1].add(rate * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * u[1:-1, 1:-1]))

        return 0.5 * jnp.sum((fori_loop(0, steps, step, start) - measured) ** 2)

    return same
