"""Array code: reductions, shapes, broadcasting, masks, integer arrays, construction."""
import numpy as np

from programs.case import Case


def reductions(A):
    """Every reduction with axis and keepdims."""
    return A.sum(axis=0), A.mean(axis=(0, 1)), np.max(A, axis=1), A.min(), np.prod(A, axis=-1, keepdims=True), np.sum(A, keepdims=True)


def integer_index(A, rows, columns):
    """Integer arrays in reads and in stores, with a repeated index."""
    picked = A[rows, columns]
    B = np.zeros_like(A)
    B[rows] = 2.0 * A[rows]
    B[rows, columns] = picked ** 2
    return B, A[rows][:, columns]


def boolean_masks(x, limit):
    """Masks in stores and a masked sum."""
    y = x.copy()
    y[y > limit] = limit
    y[y < -limit] *= 0.5
    return y, np.sum(x[x > 0])


def where_clip(x):
    """where on arrays with a scalar arm; logical functions."""
    inside = np.logical_and(x > -1, x < 1)
    return np.where(inside, x ** 2, 2 * np.abs(x) - 1) + np.where(~inside | (x > 2), 0.0, x)


def broadcasting(a, b, c):
    """Rank 1 against rank 2, new axes, size-1 axes, outer products."""
    return a[:, None] * b + c, (a[:, np.newaxis] - b[None, :]).sum(0), np.outer(a, b), a.reshape(-1, 1) + c


def shapes(A, n):
    """transpose, reshape, ravel, expand_dims, broadcast_to, concatenate, stack."""
    B = A.T.copy().reshape(-1)
    C = np.concatenate([A, 2.0 * A], axis=1)
    D = np.stack((B, B ** 2), axis=1)
    E = np.broadcast_to(A[0], (n, A.shape[1]))
    F = np.transpose(np.expand_dims(A, 0), (2, 0, 1))
    return B, C, D, E, F, A.ravel(), A.swapaxes(0, 1)


def construct(n, x):
    """Arrays from nothing, with run-time sizes."""
    grid = np.linspace(0.0, 1.0, n)
    ramp = np.arange(n) * x
    eye = np.eye(n) + np.full((n, n), 0.5)
    return grid * ramp, eye, np.ones((2, n)), np.arange(1, n, 2), np.zeros(n, dtype=int), np.arange(0.0, 1.0, 0.25)


def slices(A, i, j):
    """Run-time, negative and clipped bounds, steps, Ellipsis, None."""
    return A[i:j], A[-2:, ::-1], A[..., i], A[:100, j:], A[i, None, :], A[::2, 1::2], A[-1, -j], A[j:i]


def products(A, B, x):
    """@ and dot of all ranks."""
    return A @ B, A @ x, x @ B, x @ x, np.dot(A, B), A.dot(x), np.matmul(A, B), A.T @ A


def standardize(X):
    """Array code with temporaries and in-place operators."""
    X = X - X.mean(axis=0)
    X /= np.sqrt((X ** 2).mean(axis=0))
    gram = X.T @ X
    gram[np.arange(gram.shape[0]), np.arange(gram.shape[0])] = 0.0
    return np.sum(np.exp(-gram ** 2))


def elementwise(x):
    """Many functions of one array."""
    return np.sin(x) + np.cos(x) * np.tan(0.3 * x) + np.exp(-x) + np.log(x) + np.sqrt(x) + np.sinh(x) / np.cosh(x) + np.arctan(x) + np.log1p(x)


def matrix_functions(A):
    """A truncated exponential series of a matrix in a run-time loop, in place."""
    n = A.shape[0]
    term = np.eye(n)
    total = np.eye(n)
    for k in range(1, 9):
        term = term @ A / k
        total += term
    return np.trace(total) if n > 100 else np.sum(total * total)


def stack_batch(xs, w):
    """Three dimensions with Ellipsis and a batched sum."""
    y = xs * w[None, :, None]
    y[..., 0] += 1.0
    return y.sum(axis=-1).max(axis=0), y[:, 1, :].mean()


def size_one(a, b):
    """Axes of length 1 are stretched, also when only the run shows it."""
    head = a[: b.shape[0]]
    return a + b, head * a


def casts(x, k):
    """astype, dtype arguments and copies."""
    return x.astype(np.float32), x.astype(int), np.array(k, dtype=np.float64) / 2, np.asarray(x) * 2, k.astype(bool), np.zeros_like(k, dtype=float)


CASES = (
    Case(reductions, lambda rng: (rng.normal(size=(3, 4)),), wrt=(0,)),
    Case(reductions, lambda rng: (rng.integers(0, 9, size=(3, 4)).astype(np.int32),), name="reductions_i4"),
    Case(integer_index, lambda rng: (rng.normal(size=(4, 4)), np.array([0, 2, 2]), np.array([1, -1, 0])), wrt=(0,),
         fails=((lambda rng: (rng.normal(size=(4, 4)), np.array([0, 4, 2]), np.array([1, -1, 0])), IndexError),)),
    Case(boolean_masks, lambda rng: (rng.normal(size=8), 0.6), wrt=(0, 1)),
    Case(where_clip, lambda rng: (2.0 * rng.normal(size=7),), wrt=(0,)),
    Case(broadcasting, lambda rng: (rng.normal(size=3), rng.normal(size=4), rng.normal(size=(3, 1))), wrt=(0, 1, 2),
         fails=((lambda rng: (rng.normal(size=3), rng.normal(size=4), rng.normal(size=(2, 1))), ValueError),)),
    Case(shapes, lambda rng: (rng.normal(size=(2, 3)), 4), wrt=(0,)),
    Case(construct, lambda rng: (5, 0.7), wrt=(1,), more=(lambda rng: (1, 0.7), lambda rng: (0, 0.7))),
    Case(slices, lambda rng: (rng.normal(size=(5, 6)), 1, 3), wrt=(0,), more=(lambda rng: (rng.normal(size=(5, 6)), -4, 2),)),
    Case(products, lambda rng: (rng.normal(size=(3, 3)), rng.normal(size=(3, 3)), rng.normal(size=3)), wrt=(0, 1, 2)),
    Case(standardize, lambda rng: (rng.normal(size=(6, 3)),), wrt=(0,)),
    Case(elementwise, lambda rng: (0.5 + rng.random(5),), wrt=(0,)),
    Case(elementwise, lambda rng: ((0.5 + rng.random(5)).astype(np.float32),), wrt=(0,), name="elementwise_f4"),
    Case(matrix_functions, lambda rng: (0.5 * rng.normal(size=(3, 3)),), wrt=(0,)),
    Case(stack_batch, lambda rng: (rng.normal(size=(2, 3, 4)), rng.normal(size=3)), wrt=(0, 1)),
    Case(size_one, lambda rng: (rng.normal(size=4), rng.normal(size=1)), wrt=(0, 1), more=(lambda rng: (rng.normal(size=4), rng.normal(size=4)),)),
    Case(casts, lambda rng: (2.0 * rng.normal(size=4), rng.integers(-1, 2, size=4)),),
)
