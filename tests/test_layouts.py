"""How arrays lie in memory: strides, flags, orders, which reshapes are views: drawn programs of arguments in C order, Fortran order, with gaps and backwards, by NumPy."""
from __future__ import annotations

import linecache
import random

import numpy as np
import pytest
from layout_programs import ASKS, BASES, MAKERS, STORES, asking, storing

import s2s

ARGUMENTS = {
    "in C order": lambda: (np.arange(6.0).reshape(2, 3) + 0.5, np.arange(24.0).reshape(2, 3, 4) + 0.25),
    "in Fortran order": lambda: (np.asfortranarray(np.arange(6.0).reshape(2, 3) + 0.5), np.asfortranarray(np.arange(24.0).reshape(2, 3, 4))),
    "with gaps": lambda: (np.arange(24.0).reshape(4, 6)[::2, ::2], np.arange(24.0).reshape(2, 3, 4)),
    "backwards and turned": lambda: (np.arange(24.0).reshape(4, 6)[::2, ::-2], np.arange(48.0).reshape(3, 4, 4)[:, :2].transpose(1, 0, 2)),
    "of length 1": lambda: (np.arange(3.0).reshape(1, 3).T.copy().T, np.asfortranarray(np.arange(8.0).reshape(2, 1, 4))),
}


def function_of(text):
    """The function of a text, with lines that the reader finds."""
    name = f"<layouts {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space = {"np": np}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def outcome(call, args):
    try:
        return call(*args), args
    except (ValueError, IndexError) as error:
        return next(kind for kind in (IndexError, ValueError) if isinstance(error, kind)), str(error).partition("\n")[0]


def same(one, two):
    if isinstance(one, tuple):
        return type(one) is type(two) and len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, np.ndarray):
        return isinstance(two, np.ndarray) and one.dtype == two.dtype and one.shape == two.shape and np.array_equal(one, two)
    return type(one) is type(two) and one == two


def drawn(seed):
    chosen = random.Random(seed)
    base, maker = chosen.choice(list(BASES)), chosen.choice(MAKERS)
    if chosen.random() < 0.5:
        return storing(base, maker.replace("empty_like", "zeros_like"), chosen.choice(STORES))
    return asking(base, maker.replace("empty_like", "zeros_like"), chosen.choice(list(ASKS)))


def compared(text, how, target):
    function = function_of(text)
    wanted, found = (outcome(call, ARGUMENTS[how]()) for call in (function, s2s.jit(function, target=target)))
    assert same(wanted, found), f"{how}\n{text}\nNumPy: {wanted}\ns2s: {found}"


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("how", ARGUMENTS)
def test_layouts(how, seed):
    for number in range(6):
        compared(drawn(f"{how} {seed} {number}"), how, "numpy")


@pytest.mark.parametrize("how", ARGUMENTS)
def test_compiled(how):
    compared(storing("x", "np.copy({})", STORES[2]), how, "cpu")


def test_a_call_in_another_order_is_another_program():
    def f(x):
        line = x.reshape(-1)
        line[0] = 9.0
        return x * 2.0, x.strides

    g = s2s.jit(f, target="numpy")
    for make in (np.zeros, lambda shape: np.zeros(shape, order="F"), lambda shape: np.zeros((8, 9))[::2, ::3], np.zeros, lambda shape: np.zeros((3, 4))[::-1, ::-1].T):
        wanted, found = make((4, 3)), make((4, 3))
        assert same(f(wanted), g(found))
        assert same(wanted, found)


def test_derivatives_of_what_asks():
    def f(x):
        y = np.copy(x)
        y.T.reshape(-1)[0] *= 3.0
        return np.sum(y.ravel("K") * np.arange(6.0)) + x.strides[0]

    for order in ("C", "F"):
        x = np.arange(6.0).reshape(2, 3).copy(order)
        steps = [1e-4 * np.eye(6)[k].reshape(x.shape) for k in range(6)]
        slopes = [(f(np.array(x + step, order=order)) - f(np.array(x - step, order=order))) / 2e-4 for step in steps]
        np.testing.assert_allclose(s2s.grad(s2s.jit(f, target="numpy"))(x), np.reshape(slopes, x.shape), rtol=1e-6)
