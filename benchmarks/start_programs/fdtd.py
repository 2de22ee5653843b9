"""Waves of light in two dimensions: finite differences of Maxwell's equations on a staggered grid (Yee 1966)."""
import numpy as np

ARGNUMS = (0, 1, 2)
STATIC = ()


def loss(ex, ey, hz, source):
    """The energy of the fields after a source has driven the first row."""
    ex = ex.copy()
    ey = ey.copy()
    hz = hz.copy()
    for t in range(source.shape[0]):
        ey[0, :] = source[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return np.sum(ex**2) + np.sum(ey**2) + np.sum(hz**2)


def arguments():
    """12 x 15 cells, ten steps."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(12, 15)), rng.normal(size=(12, 15)), rng.normal(size=(12, 15)), np.arange(10.0)


def twin(own):
    """Stores as `.at[…]`, the loop as a scan."""
    from jax.lax import scan

    jnp = own["np"]

    def step(state, pulse):
        ex, ey, hz = state
        ey = ey.at[0, :].set(pulse)
        ey = ey.at[1:, :].add(-0.5 * (hz[1:, :] - hz[:-1, :]))
        ex = ex.at[:, 1:].add(-0.5 * (hz[:, 1:] - hz[:, :-1]))
        hz = hz.at[:-1, :-1].add(-0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1]))
        return (ex, ey, hz), None

    def loss(ex, ey, hz, source):
        (ex, ey, hz), _ = scan(step, (ex, ey, hz), source)
        return jnp.sum(ex**2) + jnp.sum(ey**2) + jnp.sum(hz**2)

    return loss
