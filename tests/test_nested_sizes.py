"""Sizes that a transformed function computes are bound where it is called: derivatives of derivatives of every structural function.

Each `rearranged` is linear, so that d²/ds dr of sum(c * rearranged(x + s t + r u) ** 3) is sum(c * 6 * that of x, of t and of u).
"""
from __future__ import annotations

import numpy as np
import pytest
from reading import run

import s2s
from s2s.errors import UnsupportedError

STRUCTURAL = {
    "slice": lambda x: x[1:], "steps": lambda x: x[::2, 1:], "reversed": lambda x: x[::-1], "row": lambda x: x[-1], "index array": lambda x: x[np.array([0, 2, 2])],
    "new axis": lambda x: x[:, None, 1:], "ellipsis": lambda x: x[..., :-1], "run-time slice": lambda x: x[: x.shape[0] - 1, : len(x) // 2],
    "concatenate": lambda x: np.concatenate([x[1:], x], axis=0), "stack": lambda x: np.stack([x[1:], 2.0 * x[:-1]]), "hstack": lambda x: np.hstack([x, x[:, 1:]]),
    "vstack": lambda x: np.vstack([x[0], x]), "column_stack": lambda x: np.column_stack([x[:, 0], x[:, 1]]), "append": lambda x: np.append(x, x[0]),
    "repeat": lambda x: np.repeat(x, 2), "repeat along": lambda x: np.repeat(x, 3, axis=1), "tile": lambda x: np.tile(x, 2), "tile both": lambda x: np.tile(x, (2, 3)),
    "pad": lambda x: np.pad(x, 1), "pad apart": lambda x: np.pad(x, ((1, 2), (0, 1))), "pad edge": lambda x: np.pad(x[0], (1, 2), mode="edge"),
    "diff": lambda x: np.diff(x), "diff twice": lambda x: np.diff(x, n=2, axis=0), "split": lambda x: np.split(x, 3)[1], "split at": lambda x: np.split(x, [1])[1],
    "array_split": lambda x: np.array_split(x, 2)[0], "roll": lambda x: np.roll(x, 1, axis=0), "flip": lambda x: np.flip(x), "rot90": lambda x: np.rot90(x),
    "transpose": lambda x: x.T[1:], "swapaxes": lambda x: np.swapaxes(x, 0, 1), "reshape": lambda x: x.reshape(-1), "ravel": lambda x: np.ravel(x)[1:],
    "expand_dims": lambda x: np.expand_dims(x, 1), "broadcast_to": lambda x: np.broadcast_to(x[0], (3, x.shape[1])), "take": lambda x: np.take(x, np.array([1, 0]), axis=1),
    "triu": lambda x: np.triu(x, 1), "tril": lambda x: np.tril(x), "diag": lambda x: np.diag(x[0]), "diagonal": lambda x: np.diagonal(x), "cumsum": lambda x: np.cumsum(x),
    "sum": lambda x: np.sum(x, axis=0)[1:], "mean": lambda x: np.mean(x, axis=1), "dot": lambda x: x[1:] @ np.ones((4, 2)), "trapezoid": lambda x: 0.5 * (x[1:] + x[:-1]),
    "where": lambda x: np.where(np.arange(4) > 1, x, 0.0), "gradient": lambda x: np.gradient(x, axis=0), "convolve": lambda x: np.convolve(x[0], np.ones(2)),
}  # fmt: skip


def plain(rearranged):
    return lambda x: rearranged(x) ** 3


def in_a_helper(rearranged):
    def helper(x):
        return rearranged(x)

    def cubed(x):
        return helper(x) * helper(x) * helper(x)

    return cubed


def in_a_loop(rearranged):
    def summed(x):
        total = rearranged(x) * 0.0
        for k in range(len(x)):
            total = total + rearranged(x) ** 3 * (k + 1) / 6.0
        return total

    return summed


def jvp_of_jvp(f, x, t, u, c):
    return np.sum(c * s2s.jvp(lambda x: s2s.jvp(f, (x,), (t,))[1], (x,), (u,))[1])


def vjp_of_jvp(f, x, t, u, c):
    return np.sum(u * s2s.vjp(lambda x: s2s.jvp(f, (x,), (t,))[1], x)[1](c)[0])


def jvp_of_vjp(f, x, t, u, c):
    return np.sum(t * s2s.jvp(lambda x: s2s.vjp(f, x)[1](c)[0], (x,), (u,))[1])


def grad_of_linearize(f, x, t, u, c):
    return np.sum(u * s2s.grad(lambda x: np.sum(c * s2s.linearize(f, x)[1](t)))(x))


def grad_of_grad(f, x, t, u, c):
    return np.sum(u * s2s.grad(lambda x: np.sum(t * s2s.grad(lambda x: np.sum(c * f(x)))(x)))(x))


def grad_through_jit(f, x, t, u, c):
    return np.sum(u * s2s.grad(lambda x: np.sum(c * s2s.jvp(s2s.jit(f), (x,), (t,))[1]))(x))


def jvp_of_checkpoint(f, x, t, u, c):
    return np.sum(t * s2s.jvp(s2s.grad(lambda x: np.sum(c * s2s.checkpoint(f)(x))), (x,), (u,))[1])


def hessian(f, x, t, u, c):
    return np.sum(np.tensordot(s2s.hessian(lambda x: np.sum(c * f(x)))(x), t, 2) * u)


def jacobians(f, x, t, u, c):
    second = s2s.jacfwd(s2s.jacrev(f))(x)
    return np.sum(c * np.tensordot(np.tensordot(second, t, 2), u, 2))


WAYS = (jvp_of_jvp, vjp_of_jvp, jvp_of_vjp, grad_of_linearize, grad_of_grad, grad_through_jit, jvp_of_checkpoint, hessian, jacobians)


@pytest.mark.parametrize("name", STRUCTURAL)
def test_second_derivatives_of_structural_functions(name, rng):
    rearranged = STRUCTURAL[name]
    x, t, u = rng.normal(size=(3, 3, 4))
    c = rng.normal(size=np.shape(rearranged(x)))
    wanted = np.sum(c * 6.0 * rearranged(x) * rearranged(t) * rearranged(u))
    for number, way in enumerate(WAYS, list(STRUCTURAL).index(name)):
        f = (plain, in_a_helper, in_a_loop)[number % 3](rearranged)
        found = run(lambda x, t, u, c, way=way, f=f: way(f, x, t, u, c), x, t, u, c)[0]
        np.testing.assert_allclose(found, wanted, rtol=1e-9, err_msg=f"{way.__name__}, {f.__name__}")


@pytest.mark.parametrize("name", ["slice", "concatenate", "repeat", "pad", "diff", "split", "tile", "run-time slice"])
def test_they_are_emitted(name, rng):
    rearranged = STRUCTURAL[name]
    x, t, u = rng.normal(size=(3, 3, 4))
    c = rng.normal(size=np.shape(rearranged(x)))
    wanted = np.sum(c * 6.0 * rearranged(x) * rearranged(t) * rearranged(u))

    @s2s.jit(target="numpy")
    def in_all_ways(x, t, u, c):
        f = plain(rearranged)
        return np.array([way(f, x, t, u, c) for way in (jvp_of_jvp, vjp_of_jvp, jvp_of_vjp, grad_of_linearize, hessian)])

    np.testing.assert_allclose(in_all_ways(x, t, u, c), wanted, rtol=1e-9)


# ---- what helpers return besides arrays ----------------------------------------------------------------------------------------


def batch(k, size):
    return slice(k * size, (k + 1) * size)


def batches(k, size):
    return [batch(k, size), slice(None)], range(k, k + 2)


def collected(n):
    out = []
    for i in range(n):
        out.append(i * 2.0)
    return out


class Batches:
    def __init__(self, size):
        self.size = size

    def of(self, k):
        return batch(k, self.size)


def loss_by_batches(w, x):
    total = 0.0
    for k in range(len(x) // 2):
        idx = batch(k, 2)
        total += np.sum(np.dot(x[idx], w) ** 2)
    return total


def loss_of_a_batch(w, x, k):
    return np.sum(np.dot(x[Batches(2).of(k)], w) ** 3)


def loss_of_some(w, x, k):
    (rows, columns), trips = batches(k, 2)
    total = np.sum(x[rows, columns] @ w)
    for i in trips:
        total += np.sum(w * x[i])
    return total


def loss_of_grown(w, x, k):
    items = collected(k + 1)
    return items[k] * np.sum(w) + len(items) * np.sum(x)


def test_slices_and_ranges_that_helpers_return(rng):
    w, x = rng.normal(size=2), rng.normal(size=(6, 2))
    for loss, args in ((loss_by_batches, ()), (loss_of_a_batch, (1,)), (loss_of_some, (2,)), (loss_of_grown, (2,))):
        np.testing.assert_allclose(s2s.jit(loss, target="numpy")(w, x, *args), loss(w, x, *args), rtol=1e-12)
        gradient = s2s.grad(s2s.jit(loss, target="numpy"))(w, x, *args)
        h = 1e-6 * np.eye(2)
        wanted = [(loss(w + row, x, *args) - loss(w - row, x, *args)) / 2e-6 for row in h]
        np.testing.assert_allclose(gradient, wanted, rtol=1e-6)


# ---- loops that are read trip by trip ------------------------------------------------------------------------------------------


def leaving(trips):
    def until(x):
        total = 0.0
        for i in range(trips):
            if total > 10.0:
                break
            print("trip", i)
            total = total + x[0] * x[1]
        return total

    return until


def calling(trips):
    until = leaving(trips)
    return lambda x: 2.0 * until(x)


def of_names(trips):
    names = [f"w{k}" for k in range(trips)]

    def until(params):
        total = 0.0
        for name in names:
            if total > 10.0:
                return total * 2.0
            total = total + params[name] ** 2
        return total

    return until


def test_loops_that_are_read_trip_by_trip_and_left_early(capsys):
    x = np.array([1.0, 2.0])
    assert s2s.jit(leaving(40), target="numpy")(x) == 12.0
    np.testing.assert_allclose(s2s.grad(s2s.jit(calling(12), target="numpy"))(x), [24.0, 12.0])
    params = {f"w{k}": float(k) for k in range(30)}
    assert s2s.jit(of_names(30), target="numpy")(params) == of_names(30)(params)
    assert "trip 1" in capsys.readouterr().out


@pytest.mark.parametrize("trips", [100, 1000, 3000])
def test_too_many_of_them_are_refused(trips, capsys):
    x = np.array([1.0, 2.0])
    for make in (leaving, calling):  # what a loop of run time prints is no reason to read it trip by trip
        assert s2s.jit(make(trips), target="numpy")(x) == make(trips)(x)
        printed = capsys.readouterr().out.splitlines()
        assert printed == [f"trip {number}" for number in range(6)] * 2
    with pytest.raises(UnsupportedError, match=rf"read trip by trip and may be left early, with {trips - 2} trips still to come"):
        s2s.jit(of_names(trips), target="numpy")({f"w{k}": 1.0 for k in range(trips)})
