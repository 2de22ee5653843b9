"""Time steppers, root finders and particles."""
import math

import numpy as np

from programs.case import Case

GRAVITY = 9.81


def accelerations(x, m):
    """Softened gravity between all pairs, accumulated with Newton's third law."""
    n = x.shape[0]
    a = np.zeros_like(x)
    for i in range(n):
        for j in range(i + 1, n):
            d = x[j] - x[i]
            r2 = d @ d + 0.01
            f = d / (r2 * np.sqrt(r2))
            a[i] += m[j] * f
            a[j] -= m[i] * f
    return a


def leapfrog(x, v, m, dt, steps):
    """Kick-drift-kick; positions and velocities at the end."""
    x = x.copy()
    v = v.copy()
    a = accelerations(x, m)
    for _ in range(steps):
        v += 0.5 * dt * a
        x += dt * v
        a = accelerations(x, m)
        v += 0.5 * dt * a
    return x, v


def energy(x, v, m):
    """Kinetic and potential energy in scalar loops."""
    kinetic = 0.0
    potential = 0.0
    for i in range(len(m)):
        for k in range(3):
            kinetic += 0.5 * m[i] * v[i, k] ** 2
        for j in range(i):
            r2 = 0.0
            for k in range(3):
                r2 += (x[i, k] - x[j, k]) ** 2
            potential -= m[i] * m[j] / math.sqrt(r2)
    return kinetic + potential


def pendulum(theta, omega, length, dt, steps):
    """Explicit Euler on two scalars, with a global constant."""
    for _ in range(steps):
        theta, omega = theta + dt * omega, omega - dt * GRAVITY / length * math.sin(theta)
    return theta


def rk4(f, y, t0, dt, steps):
    """One fixed-step Runge-Kutta integrator for any right-hand side."""
    t = t0
    for _ in range(steps):
        k1 = f(t, y)
        k2 = f(t + 0.5 * dt, y + 0.5 * dt * k1)
        k3 = f(t + 0.5 * dt, y + 0.5 * dt * k2)
        k4 = f(t + dt, y + dt * k3)
        y = y + dt / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += dt
    return y


def lotka_volterra(params, y0, steps):
    """A closure as right-hand side, handed to a general integrator."""
    alpha, beta, gamma, delta = params

    def rhs(t, y):
        return np.array([alpha * y[0] - beta * y[0] * y[1], delta * y[0] * y[1] - gamma * y[1]])

    return rk4(rhs, y0, 0.0, 0.05, steps)


def lorenz(state, sigma, rho, beta, steps):
    """Euler on a small array, written through a temporary list."""
    out = np.empty((steps + 1, 3))
    out[0] = state
    for t in range(steps):
        x, y, z = out[t]
        out[t + 1, 0] = x + 0.01 * sigma * (y - x)
        out[t + 1, 1] = y + 0.01 * (x * (rho - z) - y)
        out[t + 1, 2] = z + 0.01 * (x * y - beta * z)
    return out


def adaptive_decay(y, rate, t_end, tol):
    """An adaptive Euler pair: the number of steps depends on the data; a step may be refused."""
    t = 0.0
    h = 0.1
    while t < t_end:
        if t + h > t_end:
            h = t_end - t
        coarse = y - h * rate * y * y
        half = y - 0.5 * h * rate * y * y
        fine = half - 0.5 * h * rate * half * half
        err = abs(fine - coarse)
        if err > tol:
            h *= 0.5
            continue
        t += h
        y = fine
        if err < 0.1 * tol:
            h *= 2.0
    return y


def newton_sqrt(a):
    """Newton until it no longer moves."""
    if a < 0:
        raise ValueError("square root of a negative number")
    x = 1.0
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


def newton(f, df, x, tol=1e-12):
    """A general Newton with functions as arguments and a loop that may give up."""
    for _ in range(50):
        step = f(x) / df(x)
        x = x - step
        if abs(step) < tol:
            break
    else:
        raise RuntimeError("no convergence")
    return x


def kepler(mean_anomaly, eccentricity):
    """Eccentric anomalies of an array of mean anomalies, each by its own Newton, with lambdas."""
    out = np.empty_like(mean_anomaly)
    for i in range(len(mean_anomaly)):
        M = mean_anomaly[i]
        out[i] = newton(lambda E: E - eccentricity * np.sin(E) - M, lambda E: 1.0 - eccentricity * np.cos(E), M)
    return out


def bisect(c, lo, hi):
    """The root of x**3 - c by bisection; only the branch taken moves."""
    while hi - lo > 1e-10:
        mid = 0.5 * (lo + hi)
        if mid ** 3 < c:
            lo = mid
        else:
            hi = mid
    return 0.5 * (lo + hi)


def projectile(speed, angle, drag):
    """Fly until the ground, then interpolate: a break inside a for with the number of steps as a second result."""
    x, y = 0.0, 0.0
    vx = speed * np.cos(angle)
    vy = speed * np.sin(angle)
    dt = 0.01
    used = 0
    for step in range(10_000):
        used = step
        v = np.sqrt(vx * vx + vy * vy)
        new_x = x + dt * vx
        new_y = y + dt * vy
        vx -= dt * drag * v * vx
        vy -= dt * (GRAVITY + drag * v * vy)
        if new_y < 0.0:
            part = y / (y - new_y)
            x += part * (new_x - x)
            break
        x, y = new_x, new_y
    return x, used


def ising(spins, coupling):
    """The energy of a spin lattice of ints with a float coupling."""
    n, m = spins.shape
    total = 0.0
    for i in range(n):
        for j in range(m):
            total -= coupling * spins[i, j] * (spins[(i + 1) % n, j] + spins[i, (j + 1) % m])
    return total


def bounce(height, restitution, steps):
    """A ball with a state that jumps: an if inside the time loop."""
    y, v = height, 0.0
    for _ in range(steps):
        v -= 0.05 * GRAVITY
        y += 0.05 * v
        if y < 0.0:
            y = -y
            v = -restitution * v
    return y + 0.1 * v


CASES = (
    Case(accelerations, lambda rng: (rng.normal(size=(4, 3)), rng.random(4)), wrt=(0, 1), more=(lambda rng: (rng.normal(size=(1, 3)), rng.random(1)),)),
    Case(leapfrog, lambda rng: (rng.normal(size=(3, 2)), 0.1 * rng.normal(size=(3, 2)), rng.random(3), 0.05, 4), wrt=(0, 1, 2, 3)),
    Case(energy, lambda rng: (rng.normal(size=(4, 3)), rng.normal(size=(4, 3)), rng.random(4)), wrt=(0, 1, 2)),
    Case(pendulum, lambda rng: (0.5, 0.1, 1.3, 0.02, 20), wrt=(0, 1, 2, 3), more=(lambda rng: (0.5, 0.1, 1.3, 0.02, 0),)),
    Case(lotka_volterra, lambda rng: (np.array([1.1, 0.4, 0.4, 0.1]), np.array([2.0, 1.0]), 6), wrt=(0, 1)),
    Case(lorenz, lambda rng: (rng.normal(size=3), 10.0, 28.0, 8.0 / 3.0, 6), wrt=(0, 1, 2, 3)),
    Case(adaptive_decay, lambda rng: (1.5, 0.8, 1.0, 1e-3), wrt=(0, 1), more=(lambda rng: (1.5, 0.8, 0.0, 1e-3),)),
    Case(newton_sqrt, lambda rng: (2.0,), wrt=(0,), more=(lambda rng: (1e4,),), fails=((lambda rng: (-1.0,), ValueError),)),
    Case(newton_sqrt, lambda rng: (1.0,), name="newton_sqrt_no_trip"),
    Case(kepler, lambda rng: (np.linspace(0.3, 5.0, 6), 0.3), wrt=(0, 1)),
    Case(bisect, lambda rng: (2.0, 0.0, 2.0), more=(lambda rng: (0.5, 0.0, 2.0),)),
    Case(projectile, lambda rng: (10.0, 0.7, 0.02), wrt=(0, 1, 2)),
    Case(ising, lambda rng: (2 * rng.integers(0, 2, size=(4, 5)) - 1, 0.7), wrt=(1,)),
    Case(bounce, lambda rng: (1.0, 0.8, 40), wrt=(0, 1)),
)
