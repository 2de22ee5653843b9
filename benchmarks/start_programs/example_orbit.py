"""examples/orbit.py: four bodies that pull at each other."""
import numpy as np
from orbit import GAUSS, misfit

loss = misfit
ARGNUMS = (0,)
STATIC = (6,)


def arguments():
    """Five positions of Mars, five steps between them."""
    rng = np.random.default_rng(0)
    x = np.array([[1.0, 0.0, 0.0], [0.0, 1.5, 0.0], [-5.2, 0.0, 0.0], [0.0, 0.0, 0.0]])
    v = 0.01 * rng.normal(size=(4, 3))
    return np.array([0.0, 1.5, 0.0, -1.4, 0.0, 0.0]), x, v, np.array([3e-6, 3e-7, 1e-3, 1.0]), rng.normal(size=(5, 3)), 4.0, 5


def twin(own):
    """Whole arrays, scan."""
    from jax.lax import fori_loop, scan

    jnp = own["np"]

    def pull(x, masses):
        apart = x[None, :, :] - x[:, None, :]
        r2 = jnp.sum(apart**2, axis=2) + jnp.eye(len(masses))
        return jnp.sum((GAUSS * masses / r2**1.5)[:, :, None] * apart, axis=1)

    def same(orbit, x, v, masses, observed, days, every):
        x = x.at[1].set(orbit[:3])
        v = v.at[1].set(0.01 * orbit[3:])

        def step(_, state):
            x, v, a = state
            v = v + 0.5 * days * a
            x = x + days * v
            a = pull(x, masses)
            return x, v + 0.5 * days * a, a

        def until_seen(state, seen):
            state = fori_loop(0, every, step, state)
            return state, jnp.sum((state[0][1] - state[0][3] - seen) ** 2)

        return jnp.mean(scan(until_seen, (x, v, pull(x, masses)), observed)[1])

    return same
