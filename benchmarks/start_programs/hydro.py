"""A gas in a box with walls: the Euler equations in two dimensions, finite volumes of second order.

Conserved variables per cell, slopes limited by minmod, half a step of prediction (Hancock), fluxes by Harten, Lax, van Leer and
Einfeldt (HLLE); two rows and columns of ghost cells mirror the walls.
"""
import numpy as np

ARGNUMS = (0, 3)
STATIC = (4,)


def fill_ghosts(rho, mx, my, energy):
    """Walls mirror what is before them."""
    for q in (rho, mx, my, energy):
        q[0, :] = q[3, :]
        q[1, :] = q[2, :]
        q[-1, :] = q[-4, :]
        q[-2, :] = q[-3, :]
        q[:, 0] = q[:, 3]
        q[:, 1] = q[:, 2]
        q[:, -1] = q[:, -4]
        q[:, -2] = q[:, -3]
    mx[:2, :] *= -1.0
    mx[-2:, :] *= -1.0
    my[:, :2] *= -1.0
    my[:, -2:] *= -1.0


def primitive(rho, mx, my, energy, gamma):
    """Density, velocities and pressure."""
    u = mx / rho
    v = my / rho
    pressure = (gamma - 1.0) * (energy - 0.5 * rho * (u * u + v * v))
    return u, v, np.maximum(pressure, 1e-8)


def minmod(a, b):
    """The smaller slope of two with one sign, else none."""
    return np.where(a * b > 0.0, np.where(np.abs(a) < np.abs(b), a, b), 0.0)


def slopes_x(q):
    """Limited differences along the first axis, for all cells but the outermost."""
    d = q[1:, :] - q[:-1, :]
    return minmod(d[1:, :], d[:-1, :])


def slopes_y(q):
    """Limited differences along the second axis."""
    d = q[:, 1:] - q[:, :-1]
    return minmod(d[:, 1:], d[:, :-1])


def hlle(rho_l, u_l, v_l, p_l, rho_r, u_r, v_r, p_r, gamma):
    """The flux through a face, u across it, between a left and a right state."""
    e_l = p_l / (gamma - 1.0) + 0.5 * rho_l * (u_l * u_l + v_l * v_l)
    e_r = p_r / (gamma - 1.0) + 0.5 * rho_r * (u_r * u_r + v_r * v_r)
    c_l = np.sqrt(gamma * p_l / rho_l)
    c_r = np.sqrt(gamma * p_r / rho_r)
    s_l = np.minimum(np.minimum(u_l - c_l, u_r - c_r), 0.0)
    s_r = np.maximum(np.maximum(u_l + c_l, u_r + c_r), 0.0)
    width = s_r - s_l
    mass_l = rho_l * u_l
    mass_r = rho_r * u_r
    mass = (s_r * mass_l - s_l * mass_r + s_l * s_r * (rho_r - rho_l)) / width
    along_l = mass_l * u_l + p_l
    along_r = mass_r * u_r + p_r
    along = (s_r * along_l - s_l * along_r + s_l * s_r * (mass_r - mass_l)) / width
    beside_l = mass_l * v_l
    beside_r = mass_r * v_r
    beside = (s_r * beside_l - s_l * beside_r + s_l * s_r * (rho_r * v_r - rho_l * v_l)) / width
    work_l = (e_l + p_l) * u_l
    work_r = (e_r + p_r) * u_r
    work = (s_r * work_l - s_l * work_r + s_l * s_r * (e_r - e_l)) / width
    return mass, along, beside, work


def sweep_x(rho, u, v, p, dt, dx, gamma):
    """Fluxes through the faces between cells along the first axis."""
    drho = slopes_x(rho)
    du = slopes_x(u)
    dv = slopes_x(v)
    dp = slopes_x(p)
    r = rho[1:-1, :]
    a = u[1:-1, :]
    half = 0.5 * dt / dx
    rho_t = r - half * (a * drho + r * du)
    u_t = a - half * (a * du + dp / r)
    v_t = v[1:-1, :] - half * a * dv
    p_t = p[1:-1, :] - half * (a * dp + gamma * p[1:-1, :] * du)
    return hlle(
        (rho_t + 0.5 * drho)[:-1, :], (u_t + 0.5 * du)[:-1, :], (v_t + 0.5 * dv)[:-1, :], (p_t + 0.5 * dp)[:-1, :],
        (rho_t - 0.5 * drho)[1:, :], (u_t - 0.5 * du)[1:, :], (v_t - 0.5 * dv)[1:, :], (p_t - 0.5 * dp)[1:, :], gamma,
    )  # fmt: skip


def sweep_y(rho, u, v, p, dt, dy, gamma):
    """The same along the second axis, where v goes across the faces."""
    drho = slopes_y(rho)
    du = slopes_y(u)
    dv = slopes_y(v)
    dp = slopes_y(p)
    r = rho[:, 1:-1]
    a = v[:, 1:-1]
    half = 0.5 * dt / dy
    rho_t = r - half * (a * drho + r * dv)
    u_t = u[:, 1:-1] - half * a * du
    v_t = a - half * (a * dv + dp / r)
    p_t = p[:, 1:-1] - half * (a * dp + gamma * p[:, 1:-1] * dv)
    return hlle(
        (rho_t + 0.5 * drho)[:, :-1], (v_t + 0.5 * dv)[:, :-1], (u_t + 0.5 * du)[:, :-1], (p_t + 0.5 * dp)[:, :-1],
        (rho_t - 0.5 * drho)[:, 1:], (v_t - 0.5 * dv)[:, 1:], (u_t - 0.5 * du)[:, 1:], (p_t - 0.5 * dp)[:, 1:], gamma,
    )  # fmt: skip


def advance(rho, mx, my, energy, dt, dx, gamma):
    """One step of all inner cells."""
    u, v, p = primitive(rho, mx, my, energy, gamma)
    mass, along, beside, work = sweep_x(rho, u, v, p, dt, dx, gamma)
    mass_y, along_y, beside_y, work_y = sweep_y(rho, u, v, p, dt, dx, gamma)
    k = dt / dx
    inner = (slice(2, -2), slice(2, -2))
    rho[inner] -= k * (mass[1:, 2:-2] - mass[:-1, 2:-2] + mass_y[2:-2, 1:] - mass_y[2:-2, :-1])
    mx[inner] -= k * (along[1:, 2:-2] - along[:-1, 2:-2] + beside_y[2:-2, 1:] - beside_y[2:-2, :-1])
    my[inner] -= k * (beside[1:, 2:-2] - beside[:-1, 2:-2] + along_y[2:-2, 1:] - along_y[2:-2, :-1])
    energy[inner] -= k * (work[1:, 2:-2] - work[:-1, 2:-2] + work_y[2:-2, 1:] - work_y[2:-2, :-1])


def loss(rho, mx, my, energy, steps, dt, dx, gamma):
    """How uneven the gas is after some steps, and how fast."""
    rho = rho.copy()
    mx = mx.copy()
    my = my.copy()
    energy = energy.copy()
    for _ in range(steps):
        fill_ghosts(rho, mx, my, energy)
        advance(rho, mx, my, energy, dt, dx, gamma)
    inside = rho[2:-2, 2:-2]
    moving = np.sum((mx[2:-2, 2:-2] ** 2 + my[2:-2, 2:-2] ** 2) / inside)
    return np.sum((inside - np.mean(inside)) ** 2) + 0.5 * moving * dx * dx


def arguments():
    """10 x 12 cells within, heat in a corner."""
    rng = np.random.default_rng(0)
    shape = (14, 16)
    rho = 1.0 + 0.2 * rng.random(shape)
    energy = 2.5 + rng.random(shape)
    return rho, 0.1 * rng.normal(size=shape), 0.1 * rng.normal(size=shape), energy, 4, 1e-3, 0.1, 1.4


def twin(own):
    """The stores as `.at[…]`, the loop as fori_loop; all else is the same text."""
    from jax.lax import fori_loop

    jnp = own["np"]

    def mirrored(q, rows, columns):
        q = q.at[0, :].set(rows * q[3, :]).at[1, :].set(rows * q[2, :]).at[-1, :].set(rows * q[-4, :]).at[-2, :].set(rows * q[-3, :])
        return q.at[:, 0].set(columns * q[:, 3]).at[:, 1].set(columns * q[:, 2]).at[:, -1].set(columns * q[:, -4]).at[:, -2].set(columns * q[:, -3])

    def loss(rho, mx, my, energy, steps, dt, dx, gamma):
        def step(_, state):
            rho, mx, my, energy = state
            rho, mx, my, energy = mirrored(rho, 1.0, 1.0), mirrored(mx, -1.0, 1.0), mirrored(my, 1.0, -1.0), mirrored(energy, 1.0, 1.0)
            u, v, p = own["primitive"](rho, mx, my, energy, gamma)
            mass, along, beside, work = own["sweep_x"](rho, u, v, p, dt, dx, gamma)
            mass_y, along_y, beside_y, work_y = own["sweep_y"](rho, u, v, p, dt, dx, gamma)
            changes = ((mass, mass_y), (along, beside_y), (beside, along_y), (work, work_y))
            return tuple(
                q.at[2:-2, 2:-2].add(-dt / dx * (x[1:, 2:-2] - x[:-1, 2:-2] + y[2:-2, 1:] - y[2:-2, :-1]))
                for q, (x, y) in zip((rho, mx, my, energy), changes, strict=True)
            )

        rho, mx, my, _ = fori_loop(0, steps, step, (rho, mx, my, energy))
        inside = rho[2:-2, 2:-2]
        moving = jnp.sum((mx[2:-2, 2:-2] ** 2 + my[2:-2, 2:-2] ** 2) / inside)
        return jnp.sum((inside - jnp.mean(inside)) ** 2) + 0.5 * moving * dx * dx

    return loss
