"""A damped wave on a line with a nonlinear spring, some measurements taken on the way: about thirty lines."""
import numpy as np

ARGNUMS = (0, 1)
STATIC = (4,)


def loss(u, v, kappa, dt, steps):
    """Mean and highest energy, and how rough the string ends."""
    n = u.shape[0]
    u = u.copy()
    v = v.copy()
    energy = 0.0
    highest = 0.0
    for _ in range(steps):
        for i in range(1, n - 1):
            force = u[i - 1] - 2.0 * u[i] + u[i + 1]
            stretch = u[i] * u[i]
            if stretch > 1.0:
                force -= kappa * u[i] * stretch
            else:
                force -= kappa * np.sin(u[i])
            v[i] += dt * force
        for i in range(1, n - 1):
            u[i] += dt * v[i]
            v[i] *= 0.999
        now = 0.0
        for i in range(n):
            now += 0.5 * v[i] * v[i]
        for i in range(n - 1):
            d = u[i + 1] - u[i]
            now += 0.5 * d * d
        energy += now
        highest = max(highest, now)
    mean = energy / steps
    rough = np.sum((u[1:] - u[:-1]) ** 2)
    return mean + 0.1 * highest + rough


def arguments():
    """Fifty points, twenty steps."""
    return np.sin(np.linspace(0.0, 3.0, 50)), np.zeros(50), 0.3, 0.01, 20


def twin(own):
    """Whole arrays, fori_loop."""
    from jax.lax import fori_loop

    jnp = own["np"]

    def loss(u, v, kappa, dt, steps):
        def step(_, state):
            u, v, energy, highest = state
            here = u[1:-1]
            force = u[:-2] - 2.0 * here + u[2:]
            force -= kappa * jnp.where(here * here > 1.0, here**3, jnp.sin(here))
            v = v.at[1:-1].add(dt * force)
            u = u.at[1:-1].add(dt * v[1:-1])
            v = v.at[1:-1].multiply(0.999)
            now = 0.5 * jnp.sum(v * v) + 0.5 * jnp.sum((u[1:] - u[:-1]) ** 2)
            return u, v, energy + now, jnp.maximum(highest, now)

        u, v, energy, highest = fori_loop(0, steps, step, (u, v, 0.0, 0.0))
        return energy / steps + 0.1 * highest + jnp.sum((u[1:] - u[:-1]) ** 2)

    return loss
