"""Views, aliases and arguments that are changed: NumPy's semantics to the letter."""
import numpy as np

from programs.case import Case


def slice_view(A):
    """A write through a view is seen by the array."""
    v = A[1:]
    v += 2.0 * A[:-1]
    v[0] = v[1] * v[1]
    return np.sum(A * A)


def transposed_view(A, b):
    """Stores through .T, an Ellipsis and a reversed view."""
    A.T[...] = A * 0.5
    A[::-1][0] += b
    A.T[1, 0] = b[0] * b[1]
    return A


def overlap(x):
    """Overlapping slices on both sides of an augmented assignment."""
    x[1:] += x[:-1]
    x[:-1] = x[1:] * 2.0
    x[::-1] = x
    return x


def alias(x, y):
    """Two names for one array, and a copy that is not an alias."""
    a = x
    b = x * 1.0
    a[0] = y
    b[1] = 100.0
    return x[0] * x[1] + b[0] * b[1]


def rows(A):
    """Iterating over rows gives views."""
    for row in A:
        row *= row[0]
        row[-1] = 1.0
    return A


def reshape_view(x):
    """reshape and ravel of contiguous data are views: of an argument, and of an array of one's own."""
    grid = x.reshape(2, -1)
    grid[1] *= 3.0
    y = x * 2.0
    flat = y.reshape(3, -1).ravel()
    flat[0] = flat[1] * flat[2]
    return x, y


def view_of_view(A, k):
    """A view of a view with run-time bounds."""
    block = A[k:, :k + 1]
    inner = block[::2, -1]
    inner += 10.0 * A[0, 0]
    return np.sum(block), A


def scale_rows(A, factors):
    """A helper that changes its argument and returns nothing."""
    for i in range(A.shape[0]):
        A[i] *= factors[i]


def helper_mutates(A, factors):
    """The change made by a helper is seen by the caller, also through a view."""
    scale_rows(A[:, 1:], factors)
    scale_rows(A, factors)
    return A[0] @ A[1]


def swap_views(x, n):
    """Names of two halves change places in a loop; both are written."""
    a = x[:3]
    b = x[3:]
    for _ in range(n):
        a[0] += b[1] * 0.5
        a, b = b, a
    return x


def fill(x, value):
    """Changes the argument, returns nothing."""
    x[:] = value
    x[-1] -= 1.0


def diagonal_step(A):
    """A flat view with a stride touches the diagonal."""
    n = A.shape[0]
    A = A.copy()
    flat = A.reshape(-1)
    flat[::n + 1] += 1.0
    return A @ A


def returns_view(A):
    """The result is part of the argument, changed afterwards through the argument."""
    first = A[0]
    A[0, 0] = 5.0
    return first * 2.0, first


def conditional_view(x, y, flag):
    """Which array is changed depends on a static flag."""
    target = x if flag else y
    target[0] = x[1] * y[1]
    return x - y


CASES = (
    Case(slice_view, lambda rng: (rng.normal(size=(4, 3)),), wrt=(0,), fails=((lambda rng: (rng.normal(size=(2, 3)),), IndexError),)),
    Case(transposed_view, lambda rng: (rng.normal(size=(3, 3)), rng.normal(size=3)), wrt=(0, 1)),
    Case(overlap, lambda rng: (rng.normal(size=6),), wrt=(0,)),
    Case(alias, lambda rng: (rng.normal(size=3), 2.5), wrt=(0, 1)),
    Case(rows, lambda rng: (rng.normal(size=(3, 4)),), wrt=(0,)),
    Case(reshape_view, lambda rng: (rng.normal(size=6),), wrt=(0,), fails=((lambda rng: (rng.normal(size=7),), ValueError),)),
    Case(view_of_view, lambda rng: (rng.normal(size=(5, 4)), 2), wrt=(0,)),
    Case(helper_mutates, lambda rng: (rng.normal(size=(3, 3)), rng.normal(size=3)), wrt=(0, 1)),
    Case(swap_views, lambda rng: (rng.normal(size=6), 5), wrt=(0,)),
    Case(fill, lambda rng: (rng.normal(size=4), 3.0)),
    Case(diagonal_step, lambda rng: (rng.normal(size=(3, 3)),), wrt=(0,)),
    Case(returns_view, lambda rng: (rng.normal(size=(2, 3)),), wrt=(0,)),
    Case(conditional_view, lambda rng: (rng.normal(size=3), rng.normal(size=3), True), wrt=(0, 1), static=(2,)),
)
