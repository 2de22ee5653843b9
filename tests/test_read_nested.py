"""Reading: transformations of nested functions, classes, statements that users write around their arithmetic."""
from __future__ import annotations

import enum
import functools
import importlib.util
import linecache

import numpy as np
import pytest
import scipy.ndimage
from reading import check, run, same, staged

import s2s
from s2s.errors import SourceError, UnsupportedError
from s2s.transforms.ir.program import Call, walk
from s2s.transforms.read.syntax import source

RNG = np.random.default_rng(2)
RATE = 2.0


def vec(n=3):
    return RNG.normal(size=n)


def loss(w, x):
    return np.sum((w * x) ** 2)


loss_grad = s2s.grad(loss)


def test_transformations_of_functions_outside():
    def f(w, x):
        for _ in range(3):
            w = w - 0.01 * loss_grad(w, x)
        return w, s2s.grad(loss)(w, x)

    w, x = vec(), vec()
    found, program = run(f, w, x)
    for _ in range(3):
        w = w - 0.01 * 2 * w * x * x
    same(found, (w, 2 * w * x * x))
    names = {node.function.name for node in walk(program.function.body) if isinstance(node, Call)}
    assert names == {"loss_grad", "loss_grad_2"}  # one by the global loss_grad, one by loss


def train(w, x, n):
    def inner(v):
        return np.sum((v * x) ** 2) * RATE

    g = s2s.grad(inner)
    for _ in range(n):
        w = w - 0.01 * g(w)
    value, gradient = s2s.value_and_grad(lambda v, k=2: np.sum(v**k * x))(w)
    return w, value, gradient


def test_transformations_of_nested_functions():
    w, x = vec(), vec()
    found, program = run(train, w, x, 3)
    assert [str(each.access) for each in program.hidden] == ["RATE"]
    for _ in range(3):
        w = w - 0.01 * (2 * RATE * w * x * x)
    same(found, (w, np.sum(w**2 * x), 2 * w * x))


def twice(g, w):
    return g(w) * 2


def test_such_functions_as_arguments_and_with_functions_of_their_own():
    def f(w, x):
        s = 0.5

        def square(v):
            return v * v * s

        return twice(s2s.grad(lambda v: np.sum(square(v) * x)), w)

    w, x = vec(), vec()
    same(run(f, w, x)[0], 2 * w * x)


def test_a_store_into_what_is_captured_is_refused():
    def f(w, x):
        def inner(v):
            x[0] = v[0]
            return v.sum()

        return s2s.grad(inner)(w)

    with pytest.raises(UnsupportedError, match="a store into x"):
        staged(f, vec(), vec())


class Tally:
    """Made while reading."""

    def __init__(self, x):
        self.x, self.n = x, 0

    def add(self, y):
        self.x = self.x + y
        self.n += 1
        return self

    @staticmethod
    def twice(v):
        return v * 2

    @classmethod
    def make(cls, v):
        return cls(v)

    @property
    def mean(self):
        return self.x / self.n


class Descent:
    rate = 0.1

    def __init__(self):
        self.beta, self.name = 0.9, "sgd"

    @staticmethod
    def clip(v):
        return np.clip(v, -1, 1)

    def step(self, w, g):
        return w - self.rate * self.clip(g) * self.beta


DESCENT = Descent()


class Mode(enum.Enum):
    FAST = 1
    EXACT = 2


def test_classes():
    def f(x):
        tally = Tally(x)
        tally.add(x).add(2 * x)
        for _ in range(3):
            tally.add(tally.twice(x))
        return tally.mean, tally.n, Tally.make(x).x, DESCENT.step(x, x), Descent.clip(x), x if Mode.FAST is Mode.EXACT else -x

    program = check(f, vec())
    assert {str(each.access) for each in program.hidden} == {"DESCENT.rate", "DESCENT.beta"}


def test_nested_functions_are_closures():
    def f(x):
        def outer(s):
            def inner(v):
                return v * s + x.sum()

            return inner

        one, two = outer(2.0), outer(x[0])
        return one(x), two(x[1]), functools.reduce(lambda a, b: a * b + 1, [x, x + 1, 2.0])

    check(f, vec())


def test_errstate_and_imports():
    def f(x):
        import math as m

        from numpy import sin

        with np.errstate(divide="ignore"):
            y = x / x.sum()
            if y[0] > 100:
                return y * 0
        return sin(y) * m.sqrt(2)

    check(f, vec())
    with pytest.raises(UnsupportedError, match="`with`"):
        staged(_in_context, vec())


def _in_context(x):
    with np.errstate(all="call"):
        return x


def test_unpacking_arrays():
    def f(A):
        a, b, c = A.T
        m, n = A.shape
        return a * b, c, m * n == A.size

    check(f, RNG.normal(size=(4, 3)))
    with pytest.raises(ValueError, match="too many values to unpack .expected 3"):
        run(f, RNG.normal(size=(4, 4)))


def test_conditions_that_assign():
    def f(x, y):
        z, w = 0.0, 1.0
        if x > 0 and (z := y) > 1:
            w = z * 2
        low = x < (v := y + 1) < 5
        return z, w, v, low

    for pair in ((1.0, 2.0), (1.0, 0.5), (-1.0, 2.0)):
        check(f, *pair)


def fft(x):
    n = len(x)
    if n == 1:
        return x * (1 + 0j)
    a, b = fft(x[::2]), fft(x[1::2])
    b = np.exp(-2j * np.pi * np.arange(n // 2) / n) * b
    return np.concatenate((a + b, a - b))


def determinant(a):
    if len(a) == 1:
        return a[0, 0]
    total = 0.0
    for j in range(len(a)):
        total += (-1) ** j * a[0, j] * determinant(np.concatenate((a[1:, :j], a[1:, j + 1 :]), axis=1))
    return total


def power_spectrum(x):
    return np.sum(np.abs(fft(x)) ** 4)


def test_recursion_that_ends_at_a_size():
    x, a = vec(8), RNG.normal(size=(3, 3))
    with s2s.disable_jit():
        transform = s2s.jit(fft, target="numpy")
        for size in (8, 4, 1):
            np.testing.assert_allclose(transform(x[:size]), np.fft.fft(x[:size]), rtol=1e-12, atol=1e-12)
        gradient = s2s.grad(power_spectrum)(x)
        np.testing.assert_allclose(s2s.jvp(power_spectrum, (x,), (gradient,))[1], gradient @ gradient, rtol=1e-12)
        np.testing.assert_allclose(s2s.grad(determinant)(a), np.linalg.inv(a).T * np.linalg.det(a), rtol=1e-11)


def test_recursion_known_while_reading():
    def f(x):
        def power(v, n):
            return v if n == 1 else v * power(v, n - 1)

        return power(x, 3)

    check(f, vec())


def test_while_with_assignment_in_its_test():
    def static(x):
        i = 0
        while (i := i + 1) < 3:
            x = x * 2
        return x, i

    def countdown(n):
        total = 0
        while (n := n - 1) > 0:
            total += n
        return n, total

    def scan(x, limit):
        i, s = -1, 0.0
        while (i := i + 1) < len(x) and (v := x[i]) < limit:
            if i == 1:
                continue
            s += v * v
            if s > 20:
                break
        return s, i

    def first(x, limit):
        i = 0
        while (v := x[i]) < limit:
            i += 1
            if i >= len(x):
                return v, i
        return -1.0, i

    check(static, vec())
    check(countdown, 5)
    check(countdown, 0)
    for limit in (100.0, 0.0, -100.0):
        check(scan, vec(6), limit)
        check(first, vec(6), limit)


def test_arrays_of_varying_length_returned_from_inside_loops():
    def until(x, limit):
        for i in range(len(x)):
            if x[i] > limit:
                return x[:i]
        return x

    def corner(x, limit):
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                if x[i, j] > limit:
                    return x[:i, j:] * 2, i
        return x * 1, -1

    def shortened(x, limit):
        n = 0
        while n < len(x):
            n += 1
            if n > 1:
                rest = x[n:] * limit
                while len(rest) > 1:
                    rest = rest[1:] + 1.0
                    if rest[0] > limit:
                        return rest
        return x[:0]

    for limit in (-2.0, 0.0, 0.3, 5.0):
        check(until, vec(), limit)
        check(corner, RNG.normal(size=(3, 4)), limit)
        check(shortened, vec(6), limit)


def test_else_of_a_while_that_binds_a_name():
    def f(x, limit):
        i = 0
        while i < len(x) and x[i] < limit:
            if x[i] > 0.5:
                break
            i += 1
        else:
            found = 1.0 if i == len(x) else 2.0
            return found, i
        return -1.0, i

    for limit in (100.0, 0.0, 0.4):
        check(f, np.array([-0.3, 0.1, 0.45]), limit)
        check(f, np.array([-0.3, 0.1, 0.8]), limit)


def test_while_with_an_else_whose_test_assigns():
    def by_break(x, limit):
        it, found = iter(x), []
        while (v := next(it, None)) is not None:
            if v > limit:
                break
            found.append(v)
        else:
            found.append(-1.0)
        return found

    def in_a_loop(x, limit):
        found = []
        for k in range(3):
            i = k
            while (v := x[i]) < limit:
                i += 1
                if i == len(x):
                    break
            else:
                found.append(v)
                continue
            found.append(-1.0)
            if k > 1:
                break
        return found

    def by_a_call(x, limit):
        i = 0

        def following():
            nonlocal i
            i += 1
            return i < len(x) and x[i] < limit

        while following():
            if x[i] < 0:
                break
        else:
            i = i * 100
        return i

    for f in (by_break, in_a_loop, by_a_call):
        for limit in (100.0, 0.0, 0.4):
            check(f, np.array([-0.3, 0.1, 0.45, -0.6]), limit)
            check(f, np.array([0.2, 0.3, 0.8]), limit)


def counter():
    n = 0

    def step(k=1):
        nonlocal n
        n = n + k
        return n

    return step


def test_nonlocal():
    def sums(x):
        total, best, where = 0.0, x[0], 0

        def look(i):
            nonlocal total, best, where
            total += x[i]
            if x[i] > best:
                best, where = x[i], i

        for i in range(len(x)):
            look(i)
        return total, best, where

    def deep(x, n):
        count = 0

        def outer(k):
            def inner():
                nonlocal count
                count += k

            inner()
            inner()
            return count

        steps = [outer(i) for i in range(3)]
        while count < 20 * n:
            outer(2)
        return count, steps

    def several(x):
        c, d = counter(), counter()
        c()
        c(2)
        d(x[0])
        return c(), d()

    def on_one_path(x, n):
        if n > 1:
            y = 3.0

        def set_it():
            nonlocal y
            y = 4.0

        if n > 2:
            set_it()
        return y * x

    def swapped(x):
        buffer = np.zeros(3)

        def swap(new):
            nonlocal buffer
            buffer = new

        for i in range(len(x)):
            swap(buffer + x[i])
        return buffer

    check(sums, vec(6))
    check(deep, vec(), 2)
    check(several, vec())
    check(on_one_path, vec(), 2)
    check(on_one_path, vec(), 3)
    check(swapped, vec(4))


def test_nonlocal_of_a_function_that_is_not_read():
    def transformed(x):
        n = 0.0

        def f(v):
            nonlocal n
            n = v
            return v * v

        return s2s.grad(f)(x)

    with pytest.raises(UnsupportedError, match="`nonlocal n`: the variable is not local"):
        staged(transformed, 2.0)


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda x: np.asmatrix(x), "np.asmatrix is not supported"),
        (lambda x: x.flags, "ask outside of the function"),
        (lambda x: x + np.random.default_rng(np.random.SeedSequence()).normal(size=3), "a generator as an argument"),
        (lambda x: lambda v: v + x, "returns a function"),
        (lambda x: f"{x[0]!r:>9}", "in a text"),
    ],
)
def test_refusals_say_what_to_write(function, text):
    with pytest.raises(UnsupportedError) as caught:
        staged(function, vec())
    assert text in str(caught.value)
    assert "instead:" in str(caught.value)


def test_a_file_that_changed_since_it_was_imported(tmp_path):
    path = tmp_path / "changing.py"
    path.write_text("def f(x):\n    return x * 2\n\ndef g(x):\n    return x + 2.0\n")
    spec = importlib.util.spec_from_file_location("changing", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    check(module.f, 1.5)
    path.write_text("def f(x):\n    return x * x + 3\n")
    for _ in range(2):
        check(module.f, 1.5)  # the text that Python runs is remembered
        check(module.g, 1.5)
    for changed in ("x * 3", "x * 2.0", "x + 2", "y * 2", "x.real"):  # another constant, type, operation, name: the same instructions or not
        path.write_text("def f(x):\n    return x * 2\n")
        spec.loader.exec_module(module := importlib.util.module_from_spec(spec))
        path.write_text(f"def f(x):\n    return {changed}  # longer\n")
        source._READ.clear()
        linecache.checkcache(str(path))
        with pytest.raises(SourceError, match=r"is not at line 1|import the module again"):
            staged(module.f, 1.5)


def test_a_helper_with_a_loop_is_called_twice():
    """What the first call has left is no array of the second one's loop: on another path it would not even be bound."""
    check(lambda x: scipy.ndimage.sobel(x, 0), RNG.normal(size=(3, 4)))


def test_notebook_cells():
    cell = "def f(x):\n    y = x + 1\n    return np.asmatrix(y) if np.ndim(y) else y\ng = lambda x: x * 3\n"
    name = "<ipython-input-7-0123456789ab>"
    linecache.cache[name] = (len(cell), None, cell.splitlines(keepends=True), name)
    namespace = {"np": np}
    exec(compile(cell, name, "exec"), namespace)  # noqa: S102 - as a notebook does
    check(namespace["f"], 1.5)
    check(namespace["g"], 1.5)
    with pytest.raises(UnsupportedError, match="ipython-input-7-0123456789ab>:3:12"):
        staged(namespace["f"], RNG.normal(size=3))
