"""scipy.integrate.solve_ivp with events, a solution between the steps, and DOP853: SciPy's numbers, derivatives of when an event happens."""
from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate
from staging import stage_and_run

import s2s

START, G = np.array([1.0, 20.0]), 9.81


def falling(t, y, g):
    return np.array([y[1], -g])


def swinging(t, y, g):
    return np.array([y[1] * np.cos(t), -np.sin(y[0]) - 0.1 * g * y[1]])


def ground(t, y, g):
    return y[0]


ground.terminal = True
ground.direction = -1


def apex(t, y, g):
    return y[1]


def height(t, y, g):
    return y[0] - 3.0


height.terminal = 2


def thrown(y0, g):
    s = integrate.solve_ivp(falling, (0.0, 100.0), y0, args=(g,), events=(ground, apex), rtol=1e-8, atol=1e-8)
    return s.t, s.y, s.t_events[0], s.t_events[1], s.y_events[0], s.y_events[1], s.status, s.nfev


def counted(y0, g):
    s = integrate.solve_ivp(falling, (0.0, 100.0), y0, args=(g,), events=[height], rtol=1e-8, atol=1e-8, t_eval=np.linspace(0.0, 50.0, 300))
    return s.t, s.y, s.t_events[0], s.y_events[0], s.status


def between(y0, g):
    s = integrate.solve_ivp(falling, (0.0, 3.0), y0, args=(g,), dense_output=True)
    return s.sol(np.linspace(0.0, 3.0, 7)), s.sol(1.3), s.t, s.sol.t_min, s.sol.t_max


def backwards(y0, g):
    s = integrate.solve_ivp(falling, (3.0, 0.0), y0, args=(g,), dense_output=True, events=apex, t_eval=[2.5, 2.0, 1.0], method="RK23")
    return s.sol(np.linspace(0.0, 3.0, 7)), s.sol(1.3), s.t, s.y, s.t_events[0], s.status, s.nfev


def stopped(y0, g):
    s = integrate.solve_ivp(falling, (0.0, 100.0), y0, args=(g,), dense_output=True, events=ground, method="RK23")
    return s.sol(np.linspace(0.0, s.t[-1], 7)), s.t, s.y, s.t_events[0], s.status


def eighth(y0, g):
    s = integrate.solve_ivp(swinging, (0.0, 10.0), y0, args=(0.3,), method="DOP853", rtol=1e-6, atol=1e-9)
    return s.t, s.y, s.nfev


def eighth_at_times(y0, g):
    s = integrate.solve_ivp(swinging, (0.0, 10.0), y0, args=(0.3,), method="DOP853", rtol=1e-6, atol=1e-9, t_eval=np.linspace(0.0, 10.0, 7))
    return s.t, s.y, s.nfev


def eighth_between(y0, g):
    s = integrate.solve_ivp(swinging, (10.0, 0.0), y0, args=(0.3,), method="DOP853", rtol=1e-6, atol=1e-9, dense_output=True, events=apex)
    return s.t, s.y, s.nfev, s.t_events[0], s.sol(np.linspace(0.0, 10.0, 13)), s.sol(0.3)


@pytest.mark.parametrize("f", [thrown, counted, between, backwards, stopped, eighth, eighth_at_times, eighth_between])
def test_steps_events_and_what_is_between_are_scipys(f):
    for found, wanted in zip(stage_and_run(f, (START, G)), f(START, G), strict=True):
        assert np.shape(found) == np.shape(wanted)
        np.testing.assert_allclose(found, wanted, rtol=1e-4 if f is eighth else 1e-6, atol=1e-7)


def test_compiled():
    for found, wanted in zip(s2s.jit(thrown)(START, G), thrown(START, G), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=1e-8)


def test_an_event_that_never_happens_has_no_states():
    def f(y0, g):
        s = integrate.solve_ivp(falling, (0.0, 1.0), y0, args=(g,), events=ground)
        return s.t_events[0], s.y_events[0], s.status

    times, states, status = stage_and_run(f, (START, G))
    assert times.shape == (0,)
    assert states.shape == (0, 2)
    assert status == 0


def test_derivatives_of_when_it_happens():
    def landing(v, g):
        return integrate.solve_ivp(falling, (0.0, 100.0), np.array([1.0, v]), args=(g,), events=ground, rtol=1e-10, atol=1e-10).t_events[0][0]

    for place, step in ((0, np.array([1e-5, 0.0])), (1, np.array([0.0, 1e-5]))):
        wanted = (landing(20.0 + step[0], G + step[1]) - landing(20.0 - step[0], G - step[1])) / 2e-5
        np.testing.assert_allclose(s2s.grad(landing, place)(20.0, G), wanted, rtol=1e-6)
    np.testing.assert_allclose(s2s.jvp(lambda v: landing(v, G), (20.0,), (1.0,))[1], s2s.grad(landing)(20.0, G), rtol=1e-12)


def test_derivatives_of_the_solution_between_the_steps():
    def height_at(v):
        return integrate.solve_ivp(swinging, (0.0, 3.0), np.array([1.0, v]), args=(0.3,), dense_output=True, rtol=1e-9, atol=1e-10, method="DOP853").sol(1.7)[0]

    np.testing.assert_allclose(s2s.grad(height_at)(0.5), (height_at(0.5 + 1e-5) - height_at(0.5 - 1e-5)) / 2e-5, rtol=1e-5)


def test_what_is_refused():
    with pytest.raises(ValueError, match="boolean or positive integer"):
        s2s.jit(lambda y: integrate.solve_ivp(lambda t, y: -y, (0.0, 1.0), y, events=odd).y, target="numpy")(START)
    with pytest.raises(s2s.UnsupportedError, match="Adams"):
        s2s.jit(lambda y: integrate.solve_ivp(lambda t, y: -y, (0.0, 1.0), y, method="Adams").y, target="numpy")(START)
    with pytest.raises(NotImplementedError, match="over no time"):
        s2s.jit(lambda y, end: integrate.solve_ivp(lambda t, y: -y, (0.0, end), y, events=apex_of).y, target="numpy")(START, 0.0)


def apex_of(t, y):
    return y[1]


def odd(t, y):
    return y[0]


odd.terminal = -1


def _made_inside(a, z):
    def falls(t, y):
        return y[0] - 1.0

    falls.terminal = True
    falls.direction = -1
    turns = lambda t, y: y[1]  # noqa: E731
    found = integrate.solve_ivp(lambda t, y: np.array([y[1], a * (1.0 - y[0] ** 2) * y[1] - y[0]]), (0.0, 9.0), z, events=[falls, turns], rtol=1e-6)
    return found.t_events[0], found.t_events[1], found.status, falls.direction + hasattr(falls, "other")


def test_events_made_inside_hold_their_attributes() -> None:
    args = 1.2, np.array([2.0, 1.0])
    for found, wanted in zip(s2s.jit(_made_inside, target="numpy")(*args), _made_inside(*args), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-8)


@pytest.mark.parametrize("method", ["RK45", "Radau", integrate.DOP853], ids=str)
def test_vectorized_functions_are_given_columns(method: object) -> None:
    def f(z):
        return integrate.solve_ivp(lambda t, y: np.vstack((y[1], -y.ndim * y[0])), (0.0, 1.0), z, method, vectorized=True, rtol=1e-6).y

    z = np.array([2.0, 1.0])
    np.testing.assert_allclose(s2s.jit(f, target="numpy")(z), f(z), rtol=1e-6)


@pytest.mark.parametrize("method", ["RK45", "BDF"])
@pytest.mark.parametrize("end", [1.0, -0.4])
def test_solutions_between_the_steps_come_back_as_scipys(method, end):
    def f(z):
        return integrate.solve_ivp(lambda t, y: -0.3 * y * y, (0.0, end), z, method, dense_output=True).sol

    z, times = np.array([2.0, 1.0]), np.linspace(0.0, end, 7)
    found = s2s.jit(f, target="numpy")(z)
    assert isinstance(found, integrate.OdeSolution)
    np.testing.assert_allclose(found(times), f(z)(times), rtol=1e-8)


def _at_times(z, times):
    found = integrate.solve_ivp(lambda t, y: y * y, (0.0, times[-1]), z, t_eval=times, rtol=1e-6)
    return found.t, found.y, found.y.T[-1]


def test_batches_at_given_times_are_whole():
    many, times = np.array([[0.3, 0.1], [0.5, 0.2], [-0.4, 0.3]]), np.linspace(0.0, 1.5, 5)
    with s2s.disable_jit():
        found = s2s.vmap(_at_times, in_axes=(0, None))(many, times)
        for number, z in enumerate(many):
            for each, wanted in zip(found, _at_times(z, times), strict=True):
                np.testing.assert_allclose(each[number], wanted, rtol=1e-9)
        slopes = s2s.vmap(s2s.jacfwd(lambda z: _at_times(z, times)[1]))(many)
        np.testing.assert_allclose(slopes[1], s2s.jacrev(lambda z: _at_times(z, times)[1])(many[1]), rtol=1e-9)
        np.testing.assert_allclose(s2s.grad(lambda many: np.sum(s2s.vmap(lambda z: _at_times(z, times)[2])(many)))(many)[1], np.sum(slopes[1][:, -1], axis=0), rtol=1e-9)
        with pytest.raises(ValueError, match="one of whose examples returns . of 5 elements along an axis"):
            s2s.vmap(lambda z: _at_times(z, times)[1])(many * 4.0)
