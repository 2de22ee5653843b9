"""An error that one example of a batch raises names the example, on both targets and interpreted."""
from __future__ import annotations

import math

import numpy as np
import pytest

import s2s
from s2s.transforms.ir.interpret import interpret

TABLE = np.arange(5.0)
WHICH = np.array([0, 1, 9, 2])
NUMBERS = np.array([1.0, 2.0, -3.0, 4.0])
MATRICES = np.stack([np.eye(2), 3.0 * np.eye(2), -np.eye(2), np.eye(2)])
SINGULAR = np.stack([np.eye(2), 3.0 * np.eye(2), np.zeros((2, 2)), np.eye(2)])


class Refused(Exception):
    """The user's own."""


def taken(i, t):
    return t[i]


def summed(i, t):
    s = 0.0
    for k in range(i):
        s += t[k]
    return s


def stored(i, t):
    u = t.copy()
    u[i] = 3.0
    return u


def rows_taken(i, t):
    return np.sum(t[np.array([0, 1]) + i])


def root(x):
    return math.sqrt(x)


def roots(x):
    s = 0.0
    for k in range(3):
        s += math.sqrt(x + 0.5 * k)
    return s


def helped(x):
    return 2.0 * root(x)


def twice_helped(x):
    s = 0.0
    for _ in range(2):
        s += helped(x)
    return s


def whole(x):
    return 7 // (int(x) + 3)


def divided(x):
    return 1.0 / float(x + 3.0)


def own(x):
    if x < 0.0:
        raise Refused("no {such}")
    return x


def silent(x):
    if x < 0.0:
        raise KeyError
    return x


def asserted(x):
    assert x > 0.0, f"{x} and less"
    return x


def popped(i):
    items = [1.0, 2.0]
    for _ in range(i):
        items.pop()
    return len(items)


def sizes(i, t):
    return np.sum(t[:i] + t[1:4])


def allocated(i):
    return np.sum(np.zeros(2 - i))


CASES = {
    "index": (taken, (WHICH, TABLE), IndexError, "index 9 is out of bounds for axis 0 with size 5"),
    "index in a loop": (summed, (WHICH, TABLE), IndexError, "index 5 is out of bounds for axis 0 with size 5"),
    "index of a store": (stored, (WHICH, TABLE), IndexError, "index 9 is out of bounds for axis 0 with size 5"),
    "array of indices": (rows_taken, (WHICH, TABLE), IndexError, "index 9 is out of bounds for axis 0 with size 5"),
    "domain": (root, (NUMBERS,), ValueError, "math domain error"),
    "domain in a loop": (roots, (NUMBERS,), ValueError, "math domain error"),
    "domain in a helper": (helped, (NUMBERS,), ValueError, "math domain error"),
    "domain in helpers": (twice_helped, (NUMBERS,), ValueError, "math domain error"),
    "integer division": (whole, (NUMBERS,), ZeroDivisionError, "integer division or modulo by zero"),
    "division": (divided, (NUMBERS,), ZeroDivisionError, "float division by zero"),
    "own class": (own, (NUMBERS,), Refused, "no {such}"),
    "without a word": (silent, (NUMBERS,), KeyError, ""),
    "assertion": (asserted, (NUMBERS,), AssertionError, "-3.0 and less"),
    "list": (popped, (WHICH,), IndexError, "pop from empty list"),
    "sizes": (sizes, (np.array([3, 3, 2, 3]), TABLE), ValueError, "operands could not be broadcast together with shapes (2,) (3,)"),
    "negative length": (allocated, (np.array([1, 2, 3, 0]),), ValueError, "negative dimensions are not allowed"),
    "not a number": (int, (np.array([1.0, 2.0, np.nan]),), ValueError, "cannot convert float NaN to integer"),
    "Cholesky": (np.linalg.cholesky, (MATRICES,), np.linalg.LinAlgError, "Matrix is not positive definite"),
    "inverse": (np.linalg.inv, (SINGULAR,), np.linalg.LinAlgError, "Singular matrix"),
    "solve": (np.linalg.solve, (SINGULAR, np.ones((4, 2))), np.linalg.LinAlgError, "Singular matrix"),
}


COMPILED = ("index", "domain", "domain in helpers", "Cholesky", "own class", "sizes")
"""Those that are compiled, too."""


def axes_of(args):
    return tuple(None if arg is TABLE else 0 for arg in args)


@pytest.mark.parametrize("name", CASES)
def test_named(name):
    function, args, kind, message = CASES[name]
    batch = s2s.vmap(function, axes_of(args))
    for call in (s2s.jit(batch, target="numpy"), *([batch] if name in COMPILED else [])):
        with pytest.raises(kind) as caught:
            call(*args)
        assert caught.value.args == (f"{message} (example 2 of the batch)".strip(),)


@pytest.mark.parametrize("name", ["index in a loop", "domain in helpers", "Cholesky"])
def test_named_when_interpreted(name):
    function, args, kind, message = CASES[name]
    with pytest.raises(kind) as caught:
        interpret(s2s.vmap(function, axes_of(args)).program(*args), *args)
    assert caught.value.args == (f"{message} (example 2 of the batch)",)


def test_examples_of_examples():
    """The innermost batch's number comes first."""
    numbers = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, -6.0]])
    for function in (root, helped, roots):
        batch = s2s.vmap(s2s.vmap(function))
        for call in (s2s.jit(batch, target="numpy"), *([batch] if function is helped else [])):
            with pytest.raises(ValueError, match=r"^math domain error \(example 1 of example 2 of the batch\)$"):
                call(numbers)
    with pytest.raises(ValueError, match=r"^math domain error \(example 1 of example 2 of the batch\)$"):
        interpret(s2s.vmap(s2s.vmap(helped)).program(numbers), numbers)


def batch_inside(x, ys):
    return np.sum(s2s.vmap(lambda y: helped(x * y))(ys))


def test_batches_inside_of_functions():
    ys = np.array([1.0, 2.0, -3.0])
    with pytest.raises(ValueError, match=r"error \(example 2 of the batch\)$"):
        s2s.jit(batch_inside, target="numpy")(1.0, ys)
    with pytest.raises(ValueError, match=r"error \(example 0 of example 1 of the batch\)$"):
        s2s.jit(s2s.vmap(batch_inside, (0, None)), target="numpy")(np.array([2.0, -1.0]), np.abs(ys))


@s2s.custom_jvp
def ruled(x):
    return root(x)


ruled.defjvp(lambda primals, tangents: (ruled(*primals), tangents[0] / (2.0 * root(*primals))))


@pytest.mark.parametrize("function", [root, helped, roots, ruled, s2s.checkpoint(roots), twice_helped])
def test_derivatives_of_batches_and_batches_of_derivatives(function):
    def loss(x):
        return np.sum(s2s.vmap(function)(x))

    for call, args in (
        (s2s.vmap(s2s.grad(function)), (NUMBERS,)), (s2s.grad(loss), (NUMBERS,)), (s2s.vmap(lambda x: s2s.jvp(function, (x,), (1.0,))), (NUMBERS,)),
        (lambda x: s2s.jvp(s2s.vmap(function), (x,), (np.ones(4),)), (NUMBERS,)),
    ):
        with pytest.raises(ValueError, match=r"^math domain error \(example 2 of the batch\)$"), s2s.disable_jit():
            call(*args)


def test_a_helper_of_examples_and_of_others():
    """It is written twice: once with the example's number."""
    def both(x, y):
        return s2s.vmap(helped)(x) + helped(y)

    call = s2s.jit(both, target="numpy")
    np.testing.assert_allclose(call(np.abs(NUMBERS), 4.0), 2.0 * np.sqrt(np.abs(NUMBERS)) + 4.0)
    with pytest.raises(ValueError, match="^math domain error$"):
        call(np.abs(NUMBERS), -4.0)
    with pytest.raises(ValueError, match=r"^math domain error \(example 2 of the batch\)$"):
        call(NUMBERS, 4.0)


def test_what_all_examples_share_names_none():
    with pytest.raises(ValueError, match="^math domain error$"):
        s2s.jit(s2s.vmap(lambda x, y: x * root(y), (0, None)), target="numpy")(NUMBERS, -1.0)
    with pytest.raises(IndexError, match="^index 7 is out of bounds for axis 0 with size 5$"):
        s2s.jit(lambda t: t[s2s.vmap(lambda i: i + 5)(np.arange(3))[2]], target="numpy")(TABLE)


def test_the_loop_has_one_way_through():
    """Which example it was is found without a test that leaves the loop."""
    text = s2s.vmap(root).source(NUMBERS)
    assert "failed = min(failed, i if x_1 < 0.0 else n)" in text
    assert "raise" not in text[text.index("for i"):text.index("if failed < n")]
