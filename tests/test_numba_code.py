"""Programs that were written for Numba, unchanged: what Numba compiled is read as the function under the decorator, its words as Python's and NumPy's.

What is expected is what Numba's own compiled code gives.
"""
from __future__ import annotations

import numba
import numpy as np
import pytest
from numba import float32, float64, guvectorize, int64, njit, objmode, prange, types, vectorize
from numba.experimental import jitclass
from numba.typed import Dict, List

import s2s

X = np.array([0.7, -1.3, 2.1])


@njit
def square(x):
    return x * x


@njit(cache=False, fastmath=False)
def folded(x, of):
    total = 0.0
    for i in prange(x.shape[0]):
        total += of(x[i])
    return total


@njit
def fibonacci(n):
    return 1 if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@njit
def mirrored(x):
    return 1.0 / (1.0 + x * x) if x >= 0.0 else 1.0 - mirrored(-x)


@vectorize
def leaky(x):
    if x > 0:
        return x
    return x * 0.5


@vectorize([float64(float64, float64)])
def larger(x, y):
    return x if x > y else y * 0.25


@jitclass([("weight", float64), ("seen", float64[:])])
class Cell:
    def __init__(self, weight):
        self.weight = weight
        self.seen = np.zeros(2)

    def step(self, x):
        self.seen[1] += x
        return self.weight * x * self.seen[1]


@njit
def by_helpers(x):
    return folded(x, square) + fibonacci(6) * square(x[0])


@njit
def by_class(x):
    cell = Cell(x[0])
    return cell.step(x[1]) + cell.step(x[2])


@njit
def by_containers(x):
    items = List()
    for i in range(x.shape[0]):
        items.append(x[i])
    more = List.empty_list(float64)
    more.append(x[0] * 2.0)
    table = Dict.empty(key_type=types.int64, value_type=types.float64)
    table[1] = x[1]
    return items[0] * items[2] + more[0] + table[1]


@njit
def by_types(x):
    out = np.zeros(x.shape[0], dtype=float64)
    counts = np.zeros((2,), int64)
    counts[0] = int64(3.7)
    for i in range(x.shape[0]):
        out[i] = x[i] * types.float64(2) + counts[0]
    return np.sum(out * out)


@njit
def by_object_mode(x):
    with objmode(y="float64"):
        y = x[0] * x[1]
    return y * x[2]


def by_elements(x):
    return np.sum(leaky(x) * larger(x, 0.5)) + leaky(x[1])


def by_recursion(x):
    return mirrored(x[1]) * mirrored(x[0])


def by_decorators(x):
    @njit
    def doubled(y):
        return y * 2.0

    @njit(error_model="numpy")
    def tripled(y):
        return doubled(y) * 1.5

    return np.sum(tripled(x) ** 2)


PROGRAMS = [by_helpers, by_class, by_containers, by_types, by_object_mode, by_elements, by_recursion, by_decorators]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_numbers_and_gradients(program, target):
    """The numbers of Numba's own code; the gradient against differences and forward mode."""
    assert float(s2s.jit(program, target=target)(X)) == pytest.approx(float(program(X)), rel=1e-14)
    if target == "numpy":
        s2s.test_util.check_grads(program, (X,), order=2)


def test_root_and_batch():
    """What Numba compiled is transformed itself, is an argument, and has batches."""
    assert s2s.grad(square)(3.0) == 6.0
    np.testing.assert_array_equal(s2s.vmap(square)(X), X * X)
    np.testing.assert_allclose(s2s.grad(folded)(X, square), 2 * X)
    np.testing.assert_allclose(s2s.vmap(by_class)(np.stack([X, 2 * X])), [by_class(X), by_class(2 * X)], rtol=1e-14)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.uint8])
@pytest.mark.parametrize("shape", [(), (0,), (1,), (2, 3)])
def test_elements(dtype, shape):
    """numba.vectorize: dtype and shape of what Numba gives, one branch for each element."""
    x = (np.arange(np.prod(shape, dtype=int)).reshape(shape) * 1.5 - 2).astype(dtype)
    for function, given in ((leaky, (x,)), (larger, (x, x[..., :1] if shape else 0.5))):
        got, want = s2s.jit(function, target="numpy")(*given), function(*given)
        assert np.shape(got) == np.shape(want)
        if function is larger or dtype != np.float32:  # x * 0.5 is a float32 for NumPy, of which s2s has its types, a float64 for Numba
            assert np.asarray(got).dtype == np.asarray(want).dtype
        np.testing.assert_allclose(got, want, rtol=1e-7 if dtype == np.float32 else 1e-15)


def test_wrong_arguments():
    """What a signature does not take, and what only ufuncs take, are errors."""
    with pytest.raises(TypeError, match="has no loop for complex128, float64: dd->d"):
        s2s.jit(lambda x: larger(x * 1j, x))(X)
    with pytest.raises(TypeError, match="takes 2 arguments"):
        s2s.jit(lambda x: larger(x))(X)


@guvectorize([(float64[:], float64[:])], "(n)->()")
def added(x, out):
    out[0] = x.sum()


def test_refused_by_name():
    """Functions of whole axes that write into their arguments."""
    with pytest.raises(NotImplementedError, match="gufunc"):
        s2s.jit(lambda x: added(x))(X)


def test_another_function_of_the_same_name(monkeypatch):
    """A compiled function that the module binds anew is read anew."""
    program = s2s.jit(lambda x: square(x) + 1, target="numpy")
    assert program(3.0) == 10.0
    monkeypatch.setitem(globals(), "square", njit(lambda x: x + 40))
    assert program(3.0) == 44.0


def test_words_as_they_are_imported():
    """numba.float32, numba.types.float32 and numba.prange, by any way of naming them."""

    def program(x):
        total = float32(0)
        for i in numba.prange(3):
            total += numba.types.float32(x[i]) * float32(2)
        return total

    got = s2s.jit(program, target="numpy")(X)
    assert got.dtype == np.float32
    assert got == np.sum(X.astype(np.float32) * 2, dtype=np.float32)


@njit(float64(float64))
def above_zero(x):
    if x >= 0:
        return 1.0 - np.exp(-x) / 2
    return 1.0 - above_zero(-x)


@vectorize([float64(float64, int64)])
def clipped(x, kind):
    if kind == 0:
        return 0.0 if x < 0 else max(x * 2, 0.5)
    return above_zero(x)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_results_that_are_pythons_own_on_some_paths(target):
    """Behind vectorize they are of the signature's type."""
    run = s2s.jit(lambda x, kind: clipped(x, kind) * 2, target=target)
    for x in (0.7, -1.3, 0.1, 0.0):
        for kind in (0, 1):
            got, want = run(x, kind), clipped(x, kind) * 2
            assert type(got) is type(want) and np.isclose(got, want, rtol=1e-14)
            if x != 0:
                step = 1e-6
                assert np.isclose(s2s.grad(run)(x, kind), (clipped(x + step, kind) - clipped(x - step, kind)) / step, rtol=1e-6)
