"""scipy.signal: linear systems in discrete time, and those that continuous ones are made into."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.filter_forms import zpk2tf
from s2s.transforms.read.composed.linear_systems import _matrices, ss2tf, ss2zpk, tf2ss, zpk2ss
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.responses import freqz, freqz_zpk

_ALPHAS = {"bilinear": 0.5, "tustin": 0.5, "euler": 0.0, "forward_diff": 0.0, "backward_diff": 1.0}


def cont2discrete(system, dt, method="zoh", alpha=None):
    """scipy.signal.cont2discrete."""
    if hasattr(system, "parts"):
        return system.to_discrete(dt, method, alpha)
    if not isinstance(system, tuple | list) or len(system) not in (2, 3, 4):
        raise ValueError("First argument must either be a tuple of 2 (tf), 3 (zpk), or 4 (ss) arrays.")
    if method not in ("zoh", "foh", "impulse", "gbt", *_ALPHAS):
        raise ValueError(f"Unknown transformation method {method!r}")
    if len(system) == 2:
        a, b, c, d = _in_steps(tf2ss(system[0], system[1]), dt, method, alpha)
        num, den = ss2tf(a, b, c, d)
        return num, den, dt
    if len(system) == 3:
        a, b, c, d = _in_steps(zpk2ss(system[0], system[1], system[2]), dt, method, alpha)
        z, p, k = ss2zpk(a, b, c, d)
        return z, p, k, dt
    a, b, c, d = _in_steps(_matrices(*system), dt, method, alpha)
    return a, b, c, d, dt


def _in_steps(system, dt, method, alpha):
    import scipy.linalg

    a, b, c, d = system
    n, m = b.shape
    if method == "zoh":
        whole = np.zeros((n + m, n + m), a.dtype)
        whole[:n, :n], whole[:n, n:] = a * dt, b * dt
        moved = scipy.linalg.expm(whole)
        return moved[:n, :n], moved[:n, n:], c, d
    if method == "foh":
        whole = np.zeros((n + 2 * m, n + 2 * m), a.dtype)
        whole[:n, :n], whole[:n, n : n + m], whole[n : n + m, n + m :] = a * dt, b * dt, np.eye(m)
        moved = scipy.linalg.expm(whole)
        late = moved[:n, n + m :]
        return moved[:n, :n], moved[:n, n : n + m] - late + moved[:n, :n] @ late, c, d + c @ late
    if method == "impulse":
        if not np.allclose(d, 0):
            raise ValueError("Impulse method is only applicable to strictly proper systems")
        moved = scipy.linalg.expm(a * dt)
        return moved, moved @ b * dt, c, c @ b * dt
    part = alpha if method == "gbt" else _ALPHAS[method]
    if part is None:
        raise ValueError("Alpha parameter must be specified for the generalized bilinear transform (gbt) method")
    if part < 0 or part > 1:
        raise ValueError("Alpha parameter must be within the interval [0,1] for the gbt method")
    ahead = np.eye(n) - part * dt * a
    moved, pushed = np.linalg.solve(ahead, np.eye(n) + (1.0 - part) * dt * a), np.linalg.solve(ahead, dt * b)
    seen = np.linalg.solve(ahead.T, c.T).T
    return moved, pushed, seen, d + part * (c @ pushed)


def _discrete(name, system):
    """The parts of a system, and its step of time."""
    if hasattr(system, "parts"):
        if system.dt is None:
            raise AttributeError(f"{name} can only be used with discrete-time dlti systems.")
        return system.parts, system.dt
    if not isinstance(system, tuple | list) or len(system) not in (3, 4, 5):
        unsupported(f"scipy.signal.{name} of such a system", "a tuple: (num, den, dt), (z, p, k, dt) or (A, B, C, D, dt)")
    return system[: len(system) - 1], system[len(system) - 1]


def _states(name, system):
    """The matrices of a system, its step of time, and whether it was given by them."""
    parts, dt = _discrete(name, system)
    if len(parts) == 2:
        return tf2ss(parts[0], parts[1]), dt, False
    if len(parts) == 3:
        return tf2ss(*zpk2tf(parts[0], parts[1], parts[2])), dt, False
    return _matrices(*parts), dt, True


def dlsim(system, u, t=None, x0=None):
    """scipy.signal.dlsim."""
    states, dt, by_matrices = _states("dlsim", system)
    t, y, x = _run(states, dt, u, t, x0)
    return (t, y, x) if by_matrices else (t, y)


def _run(states, dt, u, t, x0):
    a, b, c, d = states
    given = np.atleast_1d(u)
    u = given[:, np.newaxis] if given.ndim == 1 else given
    if t is None:
        steps, end = u.shape[0], (u.shape[0] - 1) * dt
    else:
        end = t[len(t) - 1]
        steps = int(np.floor(end / dt)) + 1
    times = np.linspace(0.0, end, num=steps)
    u = u if t is None else _between(np.asarray(t), u, times)
    x = np.zeros((steps, a.shape[0]))
    if x0 is not None:
        x[0] = np.asarray(x0)
    for i in range(steps - 1):
        x[i + 1] = a @ x[i] + b @ u[i]
    return times, x @ c.T + u @ d.T, x


def _between(t, u, at):
    """Inputs at these times, on straight lines through those that are given."""
    if t.ndim != 1 or t.shape[0] != u.shape[0]:
        raise ValueError(f"Shapes of x {t.shape} and y {u.shape} are incompatible")
    if t.shape[0] < 2:
        raise NotImplementedError("scipy.signal.dlsim of one point of time is not supported")
    if np.any(np.diff(t) <= 0):
        raise ValueError("Expect x to not have duplicates, and to be sorted")
    left = np.minimum(np.maximum(np.searchsorted(t, at, side="right") - 1, 0), t.shape[0] - 2)
    part = (at - t[left]) / (t[left + 1] - t[left])
    return u[left] * (1.0 - part)[:, np.newaxis] + u[left + 1] * part[:, np.newaxis]


def dimpulse(system, x0=None, t=None, n=None):
    """scipy.signal.dimpulse: the answers to an impulse in each of the inputs."""
    return _answers("dimpulse", system, x0, t, n)


def dstep(system, x0=None, t=None, n=None):
    """scipy.signal.dstep: the answers to a step in each of the inputs."""
    return _answers("dstep", system, x0, t, n)


def _answers(name, system, x0, t, n):
    states, dt, _ = _states(name, system)
    count = 100 if n is None else n
    times = np.linspace(0, count * dt, count, endpoint=False) if t is None else np.asarray(t)
    at, found = times, ()
    for i in range(states[3].shape[1]):
        u = np.zeros((times.shape[0], states[3].shape[1]))
        if name == "dstep":
            u[:, i] = 1.0
        else:
            u[0, i] = 1.0
        at, y, _ = _run(states, dt, u, times, x0)
        found = (*found, y)
    return at, found


def dfreqresp(system, w=None, n=10000, whole=False):
    """scipy.signal.dfreqresp, of one input and one output."""
    parts, _ = _discrete("dfreqresp", system)
    at = n if w is None else w
    if len(parts) == 3:
        return freqz_zpk(parts[0], parts[1], parts[2], at, whole)
    num, den = ss2tf(*parts) if len(parts) == 4 else parts
    num, den = np.ravel(num), np.atleast_1d(den)
    longest = max(num.shape[0], den.shape[0])
    return freqz(np.concatenate((np.zeros(longest - num.shape[0]), num)), np.concatenate((np.zeros(longest - den.shape[0]), den)), at, whole)


def dbode(system, w=None, n=100):
    """scipy.signal.dbode: magnitudes in decibels, phases in degrees."""
    w, response = dfreqresp(system, w, n)
    return w / _discrete("dbode", system)[1], 20.0 * np.log10(np.abs(response)), np.rad2deg(np.unwrap(np.angle(response)))


DISCRETE_SYSTEMS: dict[str, Any] = {f"scipy.signal.{function.__name__}": function for function in (cont2discrete, dlsim, dimpulse, dstep, dfreqresp, dbode)}
"""By qualified name."""
