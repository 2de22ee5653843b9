"""s2s.experimental.ode and s2s.scipy.optimize under JAX's names; the numbers are JAX 0.10.2's."""
from __future__ import annotations

import numpy as np
from reading import run

import s2s
import s2s.scipy.optimize
from s2s.experimental.ode import odeint

X, TIMES = np.array([0.3, -0.7, 1.2]), np.linspace(0.0, 1.0, 5)
LAST = [0.08175954, -0.19077225, 0.32703815]


def decay(y, t, rate):
    return -rate * y


def test_odeint_is_jax_s():
    np.testing.assert_allclose(odeint(decay, X, TIMES, 1.3)[-1], LAST, rtol=1e-6)
    np.testing.assert_allclose(run(lambda rate: odeint(decay, X, TIMES, rate), 1.3)[0][-1], LAST, rtol=1e-6)
    slope = s2s.grad(s2s.jit(lambda rate: np.sum(odeint(decay, X, TIMES, rate)), target="numpy"))(1.3)
    np.testing.assert_allclose(slope, -0.79766464, rtol=1e-6)


def test_odeint_of_containers():
    def spring(state, t):
        return {"x": state["v"], "v": (-state["x"][0], -state["x"][1])}

    def path(x):
        start = {"x": (x, np.zeros(2)), "v": (np.array(0.0), np.ones(2))}
        return odeint(spring, start, TIMES)["x"]

    for found in (path(1.0), s2s.jit(path, target="numpy")(1.0)):
        np.testing.assert_allclose(found[0], np.cos(TIMES), rtol=1e-6)
        np.testing.assert_allclose(found[1], np.sin(TIMES)[:, None] * np.ones(2), rtol=1e-6, atol=1e-9)


def test_minimize_is_jax_s():
    f = lambda x: np.sum((x - np.array([1.0, 2.0])) ** 2) + np.sum(x**4)  # noqa: E731
    wanted = [0.58975, 0.83512]
    np.testing.assert_allclose(s2s.scipy.optimize.minimize(f, np.zeros(2), method="BFGS").x, wanted, atol=2e-5)
    found = s2s.jit(lambda start: s2s.scipy.optimize.minimize(f, start, method="BFGS").x, target="numpy")(np.zeros(2))
    np.testing.assert_allclose(found, wanted, atol=2e-5)
