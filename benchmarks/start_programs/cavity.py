"""Flow in a square cavity whose lid moves: incompressible Navier-Stokes, explicit in time, pressure by Jacobi sweeps."""
import numpy as np

ARGNUMS = (0, 1)
STATIC = (3, 4)


def loss(u, v, p, steps, sweeps, dt, dx, dy, rho, nu):
    """Kinetic energy and pressure after some steps."""
    u = u.copy()
    v = v.copy()
    p = p.copy()
    b = np.zeros_like(p)
    for _ in range(steps):
        # how much the velocities would diverge
        ux = (u[1:-1, 2:] - u[1:-1, :-2]) / (2.0 * dx)
        uy = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2.0 * dy)
        vx = (v[1:-1, 2:] - v[1:-1, :-2]) / (2.0 * dx)
        vy = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2.0 * dy)
        b[1:-1, 1:-1] = rho * ((ux + vy) / dt - ux**2 - 2.0 * uy * vx - vy**2)
        # the pressure that takes it away
        for _ in range(sweeps):
            pn = p.copy()
            p[1:-1, 1:-1] = (
                (pn[1:-1, 2:] + pn[1:-1, :-2]) * dy**2
                + (pn[2:, 1:-1] + pn[:-2, 1:-1]) * dx**2
                - b[1:-1, 1:-1] * dx**2 * dy**2
            ) / (2.0 * (dx**2 + dy**2))
            p[:, -1] = p[:, -2]
            p[0, :] = p[1, :]
            p[:, 0] = p[:, 1]
            p[-1, :] = 0.0
        # the velocities, one step further
        un = u.copy()
        vn = v.copy()
        u[1:-1, 1:-1] = (
            un[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, :-2])
            - vn[1:-1, 1:-1] * dt / dy * (un[1:-1, 1:-1] - un[:-2, 1:-1])
            - dt / (2.0 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
            + nu * dt / dx**2 * (un[1:-1, 2:] - 2.0 * un[1:-1, 1:-1] + un[1:-1, :-2])
            + nu * dt / dy**2 * (un[2:, 1:-1] - 2.0 * un[1:-1, 1:-1] + un[:-2, 1:-1])
        )
        v[1:-1, 1:-1] = (
            vn[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (vn[1:-1, 1:-1] - vn[1:-1, :-2])
            - vn[1:-1, 1:-1] * dt / dy * (vn[1:-1, 1:-1] - vn[:-2, 1:-1])
            - dt / (2.0 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
            + nu * dt / dx**2 * (vn[1:-1, 2:] - 2.0 * vn[1:-1, 1:-1] + vn[1:-1, :-2])
            + nu * dt / dy**2 * (vn[2:, 1:-1] - 2.0 * vn[1:-1, 1:-1] + vn[:-2, 1:-1])
        )
        # walls, and the lid
        u[0, :] = 0.0
        u[:, 0] = 0.0
        u[:, -1] = 0.0
        u[-1, :] = 1.0
        v[0, :] = 0.0
        v[-1, :] = 0.0
        v[:, 0] = 0.0
        v[:, -1] = 0.0
    return np.sum(u * u + v * v) + np.sum(p * p)


def arguments():
    """A square of 21 points a side."""
    n = 21
    rng = np.random.default_rng(0)
    return 0.1 * rng.normal(size=(n, n)), 0.1 * rng.normal(size=(n, n)), np.zeros((n, n)), 5, 10, 1e-3, 0.1, 0.1, 1.0, 0.1


def twin(own):
    """Stores as `.at[…].set`, loops as fori_loop."""
    from jax.lax import fori_loop

    jnp = own["np"]

    def pressure(p, b, dx, dy):
        inner = (
            (p[1:-1, 2:] + p[1:-1, :-2]) * dy**2 + (p[2:, 1:-1] + p[:-2, 1:-1]) * dx**2 - b * dx**2 * dy**2
        ) / (2.0 * (dx**2 + dy**2))
        p = p.at[1:-1, 1:-1].set(inner)
        p = p.at[:, -1].set(p[:, -2])
        p = p.at[0, :].set(p[1, :])
        p = p.at[:, 0].set(p[:, 1])
        return p.at[-1, :].set(0.0)

    def advected(q, u, v, dt, dx, dy, nu):
        here = q[1:-1, 1:-1]
        return (
            here
            - u[1:-1, 1:-1] * dt / dx * (here - q[1:-1, :-2])
            - v[1:-1, 1:-1] * dt / dy * (here - q[:-2, 1:-1])
            + nu * dt / dx**2 * (q[1:-1, 2:] - 2.0 * here + q[1:-1, :-2])
            + nu * dt / dy**2 * (q[2:, 1:-1] - 2.0 * here + q[:-2, 1:-1])
        )

    def loss(u, v, p, steps, sweeps, dt, dx, dy, rho, nu):
        def step(_, state):
            u, v, p = state
            ux = (u[1:-1, 2:] - u[1:-1, :-2]) / (2.0 * dx)
            uy = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2.0 * dy)
            vx = (v[1:-1, 2:] - v[1:-1, :-2]) / (2.0 * dx)
            vy = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2.0 * dy)
            b = rho * ((ux + vy) / dt - ux**2 - 2.0 * uy * vx - vy**2)
            p = fori_loop(0, sweeps, lambda _, p: pressure(p, b, dx, dy), p)
            new_u = advected(u, u, v, dt, dx, dy, nu) - dt / (2.0 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
            new_v = advected(v, u, v, dt, dx, dy, nu) - dt / (2.0 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
            u = u.at[1:-1, 1:-1].set(new_u).at[0, :].set(0.0).at[:, 0].set(0.0).at[:, -1].set(0.0).at[-1, :].set(1.0)
            v = v.at[1:-1, 1:-1].set(new_v).at[0, :].set(0.0).at[-1, :].set(0.0).at[:, 0].set(0.0).at[:, -1].set(0.0)
            return u, v, p

        u, v, p = fori_loop(0, steps, step, (u, v, p))
        return jnp.sum(u * u + v * v) + jnp.sum(p * p)

    return loss
