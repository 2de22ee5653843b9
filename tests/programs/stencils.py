"""Grids: relaxation, heat, waves, transport, images."""
import numpy as np

from programs.case import Case


def jacobi(u, sweeps):
    """Jacobi sweeps with two buffers that change places."""
    n, m = u.shape
    old = u.copy()
    new = u.copy()
    for _ in range(sweeps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                new[i, j] = 0.25 * (old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1])
        old, new = new, old
    return old


def gauss_seidel(u, f, sweeps):
    """Gauss-Seidel for the Poisson equation, in the caller's array; returns the last change."""
    change = 0.0
    for _ in range(sweeps):
        change = 0.0
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                new = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - f[i, j])
                change += (new - u[i, j]) ** 2
                u[i, j] = new
    return change


def relax(u, sweeps):
    """Nonlinear Gauss-Seidel smoothing in place; returns the roughness that is left."""
    n = len(u)
    for t in range(sweeps):
        for i in range(1, n - 1):
            u[i] = u[i] + 0.25 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) / (1.0 + u[i] * u[i])
    rough = 0.0
    for i in range(n - 1):
        rough += (u[i + 1] - u[i]) ** 2
    return rough


def heat_slices(u, r, steps):
    """Explicit 1-D heat equation with slices."""
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += r * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u


def heat_mismatch(u0, data, steps, alpha=0.1):
    """2-D heat equation in loops and the misfit to data; a default argument."""
    n, m = u0.shape
    u = u0.copy()
    for t in range(steps):
        before = u.copy()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                laplace = before[i - 1, j] + before[i + 1, j] + before[i, j - 1] + before[i, j + 1] - 4 * before[i, j]
                u[i, j] = before[i, j] + alpha * laplace
    return np.sum((u - data) ** 2)


def fdtd(ez, hy, eps, steps):
    """1-D Yee scheme; both fields updated in place, a source added at one point."""
    n = ez.shape[0]
    for t in range(steps):
        hy[:] += 0.5 * (ez[1:] - ez[:-1])
        ez[1:-1] += 0.5 / eps[1:-1] * (hy[1:] - hy[:-1])
        ez[n // 2] += np.exp(-0.1 * (t - 3.0) ** 2)
    return np.sum(ez * ez) + np.sum(hy * hy)


def wave(u0, c, steps):
    """The wave equation with three buffers in rotation."""
    n = u0.size
    past = u0.copy()
    now = u0.copy()
    future = np.zeros(n)
    for _ in range(steps):
        for i in range(1, n - 1):
            future[i] = 2 * now[i] - past[i] + c[i] ** 2 * (now[i + 1] - 2 * now[i] + now[i - 1])
        past, now, future = now, future, past
    return now


def advection(u, velocity, dt, steps):
    """Upwind: the branch depends on the sign of the velocity."""
    u = np.array(u)
    for step in range(steps):
        if velocity > 0:
            u[1:] = u[1:] - velocity * dt * (u[1:] - u[:-1])
        else:
            u[:-1] = u[:-1] - velocity * dt * (u[1:] - u[:-1])
    return u


def burgers(u, dt, steps):
    """Periodic inviscid Burgers by indices modulo n."""
    n = u.shape[0]
    for _ in range(steps):
        flux = 0.5 * u * u
        new = np.empty(n)
        for i in range(n):
            new[i] = 0.5 * (u[(i + 1) % n] + u[i - 1]) - 0.5 * dt * (flux[(i + 1) % n] - flux[i - 1])
        u = new
    return u


def red_black(u, sweeps):
    """Red-black relaxation: strided inner loops whose start depends on the row."""
    n = u.shape[0]
    for sweep in range(sweeps):
        for colour in range(2):
            for i in range(1, n - 1):
                for j in range(1 + (i + colour) % 2, n - 1, 2):
                    u[i, j] += 0.9 * (0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) - u[i, j])
    return u


def life(board):
    """One generation of Conway's game on a torus of ints."""
    n, m = board.shape
    new = np.zeros_like(board)
    for i in range(n):
        for j in range(m):
            alive = 0
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    if di != 0 or dj != 0:
                        alive += board[(i + di) % n, (j + dj) % m]
            new[i, j] = 1 if alive == 3 or (board[i, j] == 1 and alive == 2) else 0
    return new


def convolve(image, kernel):
    """Valid 2-D correlation, four loops."""
    h, w = image.shape
    kh, kw = kernel.shape
    out = np.zeros((h - kh + 1, w - kw + 1), dtype=image.dtype)
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            acc = 0.0
            for a in range(kh):
                for b in range(kw):
                    acc += image[i + a, j + b] * kernel[a, b]
            out[i, j] = acc
    return out


CASES = (
    Case(jacobi, lambda rng: (rng.normal(size=(5, 6)), 3), wrt=(0,), more=(lambda rng: (rng.normal(size=(4, 4)), 0),)),
    Case(gauss_seidel, lambda rng: (rng.normal(size=(5, 5)), rng.normal(size=(5, 5)), 2), wrt=(0, 1)),
    Case(relax, lambda rng: (rng.normal(size=9), 3), wrt=(0,),
         more=(lambda rng: (rng.normal(size=1), 2), lambda rng: (rng.normal(size=0), 2), lambda rng: (rng.normal(size=4), -1))),
    Case(heat_slices, lambda rng: (rng.normal(size=8), 0.2, 4), wrt=(0, 1),
         more=(lambda rng: (rng.normal(size=3), 0.2, 4), lambda rng: (rng.normal(size=2), 0.2, 2))),
    Case(heat_slices, lambda rng: (rng.normal(size=8).astype(np.float32), np.float32(0.2), 4), wrt=(0, 1), name="heat_slices_f4"),
    Case(heat_mismatch, lambda rng: (rng.normal(size=(5, 5)), rng.normal(size=(5, 5)), 3), wrt=(0, 1)),
    Case(fdtd, lambda rng: (rng.normal(size=9), rng.normal(size=8), 1.0 + rng.random(9), 4), wrt=(0, 1, 2),
         fails=((lambda rng: (rng.normal(size=9), rng.normal(size=7), 1.0 + rng.random(9), 4), ValueError),)),
    Case(wave, lambda rng: (rng.normal(size=8), 0.5 + 0.1 * rng.random(8), 5), wrt=(0, 1)),
    Case(advection, lambda rng: (rng.normal(size=7), 0.7, 0.5, 3), wrt=(0, 1, 2), more=(lambda rng: (rng.normal(size=7), -0.7, 0.5, 3),)),
    Case(burgers, lambda rng: (rng.normal(size=7), 0.1, 3), wrt=(0, 1)),
    Case(red_black, lambda rng: (rng.normal(size=(6, 6)), 2), wrt=(0,)),
    Case(life, lambda rng: (rng.integers(0, 2, size=(6, 5)),)),
    Case(convolve, lambda rng: (rng.normal(size=(5, 6)), rng.normal(size=(2, 3))), wrt=(0, 1)),
    Case(convolve, lambda rng: (rng.normal(size=(4, 4)).astype(np.float32), rng.normal(size=(3, 3)).astype(np.float32)), wrt=(0, 1),
         name="convolve_f4"),
)
