"""scipy.integrate's solvers, asked for their steps one by one."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.integrate as si
from turns import in_turn

import s2s


def swing(t, y, rate=1.3):
    return np.array([y[1], -rate * np.sin(y[0])])


def steps(solver, stop=5.0, **options):
    def f(rate):
        s = solver(lambda t, y: swing(t, y, rate), 0.0, [1.0, 2.0], stop, **options)
        times, states = [s.t], [s.y.copy()]
        while s.status == "running":
            s.step()
            times.append(s.t)
            states.append(s.y.copy())
        return np.array(times), np.array(states), s.nfev, s.step_size, s.t_old, s.direction, s.n

    return f


def at_times(rate):
    s = si.RK45(lambda t, y: swing(t, y, rate), 0.0, [1.0, 2.0], 5.0, rtol=1e-5)
    found, k, grid = np.zeros(11), 0, np.linspace(0.0, 5.0, 11)
    while s.status == "running":
        s.step()
        between = s.dense_output()
        while k < 11 and grid[k] <= s.t:
            found[k] = between(grid[k])[0]
            k += 1
    return np.sum(found**2)


def until(rate):
    s = si.RK45(lambda t, y: -rate * y, 0.0, [1.0, 2.0], 5.0, max_step=0.2)
    longest = 0.0
    while s.status == "running" and s.y[0] > 0.3:
        s.step()
        longest = max(longest, s.step_size)
    return s.t, longest, s.status


def told(rate):
    s = si.RK23(lambda t, y: -rate * y, 0.0, [1.0, 2.0], 1.0)
    for _ in range(100):
        message = s.step()
        if s.status == "failed":
            raise RuntimeError(message)
        if s.status != "running":
            break
    between = s.dense_output()
    return between(0.95), between(np.array([0.9, 0.99])), between.t_min, between.t_max, s.nfev


PROGRAMS = {
    "RK45": steps(si.RK45), "RK23": steps(si.RK23), "DOP853": steps(si.DOP853, rtol=1e-8), "back": steps(si.RK45, -3.0, first_step=0.1), "tolerances": steps(si.RK45, rtol=1e-7, atol=np.array([1e-9, 1e-6])),
    "at times": at_times, "until": until, "told": told,
}  # fmt: skip


@pytest.mark.parametrize("name", in_turn(PROGRAMS, 3))
def test_steps(name):
    found, wanted = s2s.jit(PROGRAMS[name], target="numpy")(1.3), PROGRAMS[name](1.3)
    for one, other in zip(*(each if isinstance(each, tuple) else (each,) for each in (found, wanted)), strict=True):
        if isinstance(other, str):
            assert one == other
        else:
            np.testing.assert_allclose(one, other, rtol=1e-7)  # how long steps are goes by differences of slopes


@pytest.mark.slow
def test_steps_compiled_batched_and_differentiated():
    np.testing.assert_allclose(s2s.jit(at_times)(1.3), at_times(1.3), rtol=1e-10)
    rates = np.array([1.1, 1.3])
    np.testing.assert_allclose(s2s.vmap(s2s.jit(at_times, target="numpy"))(rates), [at_times(rate) for rate in rates], rtol=1e-10)
    slope = s2s.grad(s2s.jit(at_times, target="numpy"))(1.3)
    by_tolerance = (fine(1.3 + 1e-5) - fine(1.3 - 1e-5)) / 2e-5
    np.testing.assert_allclose(slope, by_tolerance, rtol=1e-2)


def fine(rate):
    solution = si.solve_ivp(lambda t, y: swing(t, y, rate), (0.0, 5.0), [1.0, 2.0], t_eval=np.linspace(0.0, 5.0, 11), rtol=1e-10, atol=1e-12)
    return np.sum(solution.y[0] ** 2)


def test_what_a_solver_refuses():
    def too_far(rate):
        s = si.RK45(lambda t, y: -rate * y, 0.0, [1.0], 0.1)
        while s.status == "running":
            s.step()
        s.step()
        return s.t

    with pytest.raises(RuntimeError, match="finished solver"):
        s2s.jit(too_far, target="numpy")(1.0)
    with pytest.raises(RuntimeError, match="after a successful step"):
        s2s.jit(lambda rate: si.RK45(lambda t, y: -rate * y, 0.0, [1.0], 0.1).dense_output()(0.0), target="numpy")(1.0)
    with pytest.raises(s2s.UnsupportedError, match="vectorized"):
        s2s.jit(lambda rate: si.RK45(lambda t, y: -rate * y, 0.0, [1.0], 0.1, vectorized=True).t, target="numpy")(1.0)
