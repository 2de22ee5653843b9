"""Flow through a channel that is driven by a force and periodic along its axis: incompressible Navier-Stokes.

The columns at both ends have neighbours at the other end, and are written out, as is usual for this problem.
"""
import numpy as np

ARGNUMS = (0, 1)
STATIC = (3, 4)


def divergence(rho, dt, dx, dy, u, v):
    """The right side of the pressure's equation."""
    b = np.zeros_like(u)
    b[1:-1, 1:-1] = rho * (
        ((u[1:-1, 2:] - u[1:-1, :-2]) / (2.0 * dx) + (v[2:, 1:-1] - v[:-2, 1:-1]) / (2.0 * dy)) / dt
        - ((u[1:-1, 2:] - u[1:-1, :-2]) / (2.0 * dx)) ** 2
        - 2.0 * ((u[2:, 1:-1] - u[:-2, 1:-1]) / (2.0 * dy) * (v[1:-1, 2:] - v[1:-1, :-2]) / (2.0 * dx))
        - ((v[2:, 1:-1] - v[:-2, 1:-1]) / (2.0 * dy)) ** 2
    )
    # the last column, whose right neighbour is the first
    b[1:-1, -1] = rho * (
        ((u[1:-1, 0] - u[1:-1, -2]) / (2.0 * dx) + (v[2:, -1] - v[:-2, -1]) / (2.0 * dy)) / dt
        - ((u[1:-1, 0] - u[1:-1, -2]) / (2.0 * dx)) ** 2
        - 2.0 * ((u[2:, -1] - u[:-2, -1]) / (2.0 * dy) * (v[1:-1, 0] - v[1:-1, -2]) / (2.0 * dx))
        - ((v[2:, -1] - v[:-2, -1]) / (2.0 * dy)) ** 2
    )
    # the first column, whose left neighbour is the last
    b[1:-1, 0] = rho * (
        ((u[1:-1, 1] - u[1:-1, -1]) / (2.0 * dx) + (v[2:, 0] - v[:-2, 0]) / (2.0 * dy)) / dt
        - ((u[1:-1, 1] - u[1:-1, -1]) / (2.0 * dx)) ** 2
        - 2.0 * ((u[2:, 0] - u[:-2, 0]) / (2.0 * dy) * (v[1:-1, 1] - v[1:-1, -1]) / (2.0 * dx))
        - ((v[2:, 0] - v[:-2, 0]) / (2.0 * dy)) ** 2
    )
    return b


def pressure(p, b, sweeps, dx, dy):
    """Jacobi sweeps, in place."""
    scale = 2.0 * (dx**2 + dy**2)
    for _ in range(sweeps):
        pn = p.copy()
        p[1:-1, 1:-1] = (
            (pn[1:-1, 2:] + pn[1:-1, :-2]) * dy**2 + (pn[2:, 1:-1] + pn[:-2, 1:-1]) * dx**2
        ) / scale - dx**2 * dy**2 / scale * b[1:-1, 1:-1]
        p[1:-1, -1] = (
            (pn[1:-1, 0] + pn[1:-1, -2]) * dy**2 + (pn[2:, -1] + pn[:-2, -1]) * dx**2
        ) / scale - dx**2 * dy**2 / scale * b[1:-1, -1]
        p[1:-1, 0] = (
            (pn[1:-1, 1] + pn[1:-1, -1]) * dy**2 + (pn[2:, 0] + pn[:-2, 0]) * dx**2
        ) / scale - dx**2 * dy**2 / scale * b[1:-1, 0]
        p[-1, :] = p[-2, :]
        p[0, :] = p[1, :]


def loss(u, v, p, steps, sweeps, dt, dx, dy, rho, nu, force):
    """How much flows through, and the energy of what does not."""
    u = u.copy()
    v = v.copy()
    p = p.copy()
    for _ in range(steps):
        un = u.copy()
        vn = v.copy()
        b = divergence(rho, dt, dx, dy, u, v)
        pressure(p, b, sweeps, dx, dy)
        u[1:-1, 1:-1] = (
            un[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, :-2])
            - vn[1:-1, 1:-1] * dt / dy * (un[1:-1, 1:-1] - un[:-2, 1:-1])
            - dt / (2.0 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
            + nu * (dt / dx**2 * (un[1:-1, 2:] - 2.0 * un[1:-1, 1:-1] + un[1:-1, :-2])
                    + dt / dy**2 * (un[2:, 1:-1] - 2.0 * un[1:-1, 1:-1] + un[:-2, 1:-1]))
            + force * dt
        )
        v[1:-1, 1:-1] = (
            vn[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (vn[1:-1, 1:-1] - vn[1:-1, :-2])
            - vn[1:-1, 1:-1] * dt / dy * (vn[1:-1, 1:-1] - vn[:-2, 1:-1])
            - dt / (2.0 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
            + nu * (dt / dx**2 * (vn[1:-1, 2:] - 2.0 * vn[1:-1, 1:-1] + vn[1:-1, :-2])
                    + dt / dy**2 * (vn[2:, 1:-1] - 2.0 * vn[1:-1, 1:-1] + vn[:-2, 1:-1]))
        )
        u[1:-1, -1] = (
            un[1:-1, -1]
            - un[1:-1, -1] * dt / dx * (un[1:-1, -1] - un[1:-1, -2])
            - vn[1:-1, -1] * dt / dy * (un[1:-1, -1] - un[:-2, -1])
            - dt / (2.0 * rho * dx) * (p[1:-1, 0] - p[1:-1, -2])
            + nu * (dt / dx**2 * (un[1:-1, 0] - 2.0 * un[1:-1, -1] + un[1:-1, -2])
                    + dt / dy**2 * (un[2:, -1] - 2.0 * un[1:-1, -1] + un[:-2, -1]))
            + force * dt
        )
        u[1:-1, 0] = (
            un[1:-1, 0]
            - un[1:-1, 0] * dt / dx * (un[1:-1, 0] - un[1:-1, -1])
            - vn[1:-1, 0] * dt / dy * (un[1:-1, 0] - un[:-2, 0])
            - dt / (2.0 * rho * dx) * (p[1:-1, 1] - p[1:-1, -1])
            + nu * (dt / dx**2 * (un[1:-1, 1] - 2.0 * un[1:-1, 0] + un[1:-1, -1])
                    + dt / dy**2 * (un[2:, 0] - 2.0 * un[1:-1, 0] + un[:-2, 0]))
            + force * dt
        )
        v[1:-1, -1] = (
            vn[1:-1, -1]
            - un[1:-1, -1] * dt / dx * (vn[1:-1, -1] - vn[1:-1, -2])
            - vn[1:-1, -1] * dt / dy * (vn[1:-1, -1] - vn[:-2, -1])
            - dt / (2.0 * rho * dy) * (p[2:, -1] - p[:-2, -1])
            + nu * (dt / dx**2 * (vn[1:-1, 0] - 2.0 * vn[1:-1, -1] + vn[1:-1, -2])
                    + dt / dy**2 * (vn[2:, -1] - 2.0 * vn[1:-1, -1] + vn[:-2, -1]))
        )
        v[1:-1, 0] = (
            vn[1:-1, 0]
            - un[1:-1, 0] * dt / dx * (vn[1:-1, 0] - vn[1:-1, -1])
            - vn[1:-1, 0] * dt / dy * (vn[1:-1, 0] - vn[:-2, 0])
            - dt / (2.0 * rho * dy) * (p[2:, 0] - p[:-2, 0])
            + nu * (dt / dx**2 * (vn[1:-1, 1] - 2.0 * vn[1:-1, 0] + vn[1:-1, -1])
                    + dt / dy**2 * (vn[2:, 0] - 2.0 * vn[1:-1, 0] + vn[:-2, 0]))
        )
        u[0, :] = 0.0
        u[-1, :] = 0.0
        v[0, :] = 0.0
        v[-1, :] = 0.0
    return np.sum(u) + np.sum(u * u + v * v)


def arguments():
    """A channel of 17 x 23 points."""
    rng = np.random.default_rng(0)
    shape = (17, 23)
    return 0.1 * rng.normal(size=shape), 0.1 * rng.normal(size=shape), np.zeros(shape), 4, 8, 1e-3, 0.1, 0.1, 1.0, 0.1, 1.0


def twin(own):
    """The neighbours along the channel by roll, which a JAX user writes for periodic axes."""
    from jax.lax import fori_loop

    jnp = own["np"]

    def right(a):
        return jnp.roll(a, -1, axis=1)[1:-1]

    def left(a):
        return jnp.roll(a, 1, axis=1)[1:-1]

    def advected(q, u, v, dt, dx, dy, nu):
        here = q[1:-1]
        return (
            here - u[1:-1] * dt / dx * (here - left(q)) - v[1:-1] * dt / dy * (here - q[:-2])
            + nu * (dt / dx**2 * (right(q) - 2.0 * here + left(q)) + dt / dy**2 * (q[2:] - 2.0 * here + q[:-2]))
        )

    def loss(u, v, p, steps, sweeps, dt, dx, dy, rho, nu, force):
        def step(_, state):
            u, v, p = state
            ux, vx = (right(u) - left(u)) / (2.0 * dx), (right(v) - left(v)) / (2.0 * dx)
            uy, vy = (u[2:] - u[:-2]) / (2.0 * dy), (v[2:] - v[:-2]) / (2.0 * dy)
            b = rho * ((ux + vy) / dt - ux**2 - 2.0 * uy * vx - vy**2)

            def sweep(_, p):
                inner = ((right(p) + left(p)) * dy**2 + (p[2:] + p[:-2]) * dx**2 - dx**2 * dy**2 * b) / (2.0 * (dx**2 + dy**2))
                p = p.at[1:-1].set(inner)
                p = p.at[-1].set(p[-2])
                return p.at[0].set(p[1])

            p = fori_loop(0, sweeps, sweep, p)
            new_u = advected(u, u, v, dt, dx, dy, nu) - dt / (2.0 * rho * dx) * (right(p) - left(p)) + force * dt
            new_v = advected(v, u, v, dt, dx, dy, nu) - dt / (2.0 * rho * dy) * (p[2:] - p[:-2])
            u = u.at[1:-1].set(new_u).at[0].set(0.0).at[-1].set(0.0)
            v = v.at[1:-1].set(new_v).at[0].set(0.0).at[-1].set(0.0)
            return u, v, p

        u, v, p = fori_loop(0, steps, step, (u, v, p))
        return jnp.sum(u) + jnp.sum(u * u + v * v)

    return loss
