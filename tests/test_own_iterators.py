"""Iterators of the user's own classes, those with `__next__`."""
from __future__ import annotations

import numpy as np
import pytest

import s2s


class Fibonacci:
    def __init__(self, limit):
        self.a, self.b, self.limit = 0, 1, limit

    def __iter__(self):
        return self

    def __next__(self):
        if self.a > self.limit:
            raise StopIteration
        found = self.a
        self.a, self.b = self.b, self.a + self.b
        return found


class Batches:
    def __init__(self, x, size):
        self.x, self.size = x, size

    def __iter__(self):
        self.at = 0
        return self

    def __next__(self):
        if self.at >= len(self.x):
            raise StopIteration
        found = self.x[self.at : self.at + self.size]
        self.at += self.size
        return found


class Many:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return Fibonacci(self.n)


def loops(x, y, n):
    total = 0.0
    for v in x:
        for k in Fibonacci(n * 5 + 3):
            if k > 20:
                break
            if k == 2:
                continue
            total += k * v
        else:
            total += 0.5 * y
    return total


def left_in_the_middle(x, y, n):
    it = Fibonacci(100)
    for k in it:
        if k > n:
            break
    return next(it) * y + next(it), [v * y for v in it]


def returns_from_it(x, y, n):
    for k in Many(50):
        if k > n + 3:
            return k * y
    return 0.0


def batches(x, y, n):
    total = 0.0
    for part in Batches(x, 2):
        total = total * y + part.sum()
    return total


def whole(x, y, n):
    return list(Fibonacci(n * 4 + 3)), sum(Many(n)), [k * y for k in Fibonacci(n + 1)], max(Fibonacci(n + 2)), next(Fibonacci(-1), -1)


@pytest.mark.parametrize("program", [loops, left_in_the_middle, returns_from_it, batches, whole])
def test_right(program):
    x = np.array([0.5, -1.25, 2.0, 0.75, -0.3])
    run = s2s.jit(program, target="numpy")
    for n in (0, 2, 5):
        assert run(x, 0.7, n) == program(x, 0.7, n)


def test_derivative():
    x = np.array([0.5, -1.25, 2.0, 0.75, -0.3])
    gradient = s2s.grad(s2s.jit(lambda x: loops(x, 0.7, 2) ** 2, target="numpy"))(x)
    tangent = s2s.jvp(s2s.jit(lambda x: loops(x, 0.7, 2) ** 2, target="numpy"), (x,), (gradient,))[1]
    np.testing.assert_allclose(tangent, gradient @ gradient, rtol=1e-12)
    np.testing.assert_allclose(gradient[0], (loops(x + 1e-6, 0.7, 2) ** 2 - loops(x - 1e-6, 0.7, 2) ** 2) / 1e-5, rtol=1e-6)


def leaves_some(x, n):
    numbers = Fibonacci(n)
    return [a * b for a, b in zip(x, numbers, strict=False)], list(numbers)


def test_what_leaves_some():
    for n in (100, 3, 0):
        assert s2s.jit(leaves_some, target="numpy")(np.array([0.5, 2.0, 3.0]), n) == leaves_some(np.array([0.5, 2.0, 3.0]), n)


def test_stores_under_a_text_of_the_run():
    def f(x):
        sums = {"up": 0.0, "down": 0.0}
        for v in x:
            sums["up" if v > 0 else "down"] += v
        return sums["up"], sums["down"]

    x = np.array([0.5, -1.25, 2.0])
    assert s2s.jit(f, target="numpy")(x) == f(x)


def test_a_function_that_is_called_until_the_run_says_so():
    def f(x, n):
        at, s = [0], 0.0

        def following():
            at[0] += 1
            return at[0]

        for k in iter(following, int(n)):
            s += k * x
        return s, at[0], list(iter(following, int(n) + 3))

    for n in (1.0, 4.2):
        assert s2s.jit(f, target="numpy")(1.5, n) == f(1.5, n)
    assert s2s.grad(lambda x, n: f(x, n)[0])(1.5, 4.2) == 6.0


class UpTo:
    """Counts."""

    def __init__(self, stop):
        self.at, self.stop = 0, stop

    def __iter__(self):
        return self

    def __next__(self):
        if self.at >= self.stop:
            raise StopIteration
        self.at += 1
        return self.at


class ByPlace:
    """Has items by their places only."""

    def __init__(self, *items):
        self.items = list(items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, place):
        return self.items[place]


def taken_apart(y):
    a, b, c = UpTo(3)
    first, *rest = ByPlace(y, 2.0, 3.0)
    return a + y * b + c, first, rest, [*ByPlace(y, 1.0), *UpTo(2)], list(reversed(ByPlace(y, 2.0)))


def test_own_iterators_are_taken_apart():
    assert s2s.jit(taken_apart, target="numpy")(1.5) == taken_apart(1.5)
