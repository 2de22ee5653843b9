"""The functions whose emitted code is kept in this folder, and arguments to run them with."""
import numpy as np


def relax(u, sweeps):
    """Nonlinear Gauss-Seidel smoothing in place; returns the roughness that is left."""
    n = len(u)
    for t in range(sweeps):
        for i in range(1, n - 1):
            u[i] = u[i] + 0.25 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) / (1.0 + u[i] * u[i])
    rough = 0.0
    for i in range(n - 1):
        rough += (u[i + 1] - u[i]) ** 2
    return rough


def loss(w, x, y):
    """Logistic regression's mean loss."""
    z = x @ w
    return np.mean(np.logaddexp(0.0, z) - y * z)


def leaky(x, slope):
    """A leaky square."""
    if x > 0.0:
        y = x * x
    else:
        y = slope * x
    return y


def root(a):
    """The square root by Newton's method."""
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


def log_det(A):
    """log det of a symmetric positive definite matrix, by Cholesky in place."""
    n = A.shape[0]
    for i in range(n):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[j, :j]
            A[i, j] /= A[j, j]
        A[i, i] -= A[i, :i] @ A[i, :i]
        A[i, i] = np.sqrt(A[i, i])
    total = 0.0
    for i in range(n):
        total += np.log(A[i, i])
    return 2.0 * total


def layer(weights, bias, x):
    """One dense layer."""
    return np.tanh(weights @ x + bias)


def network(params, x):
    """A list of layers."""
    for weights, bias in params:
        x = layer(weights, bias, x)
    return np.sum(x * x)


def smooth(u, v, steps):
    """Jacobi sweeps between two arrays of the same length."""
    n = len(u)
    assert len(v) == n, "u and v must have the same length"
    u, v = u.copy(), v.copy()
    for t in range(steps):
        for i in range(1, n - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        u, v = v, u
    return np.sum(u)


def softmax_loss(w, x, t):
    """Cross entropy of a linear classifier."""
    z = x @ w
    z = z - z.max(axis=1, keepdims=True)
    e = np.exp(z)
    p = e / e.sum(axis=1, keepdims=True)
    return -np.sum(np.log(p) * t) / x.shape[0]


def nearest(x, c):
    """The nearest of the centres c for each row of x."""
    n, k = x.shape[0], c.shape[0]
    out = np.zeros(n, dtype=np.int64)
    for i in range(n):
        best = 1e300
        for j in range(k):
            d = np.sum((x[i] - c[j]) ** 2)
            if d < best:
                best = d
                out[i] = j
    return out


def rnn(wx, wh, xs):
    """An Elman network, summed over time."""
    h = np.zeros(wh.shape[0])
    s = 0.0
    for t in range(xs.shape[0]):
        h = np.tanh(wx @ xs[t] + wh @ h)
        s += np.sum(h)
    return s


def arguments(name):
    """Arguments for the function of this name."""
    draw = np.random.default_rng(0).normal
    return {
        "relax": lambda: (draw(size=6), 2),
        "loss": lambda: (draw(size=3), draw(size=(5, 3)), np.ones(5)),
        "leaky": lambda: (1.5, 0.1),
        "root": lambda: (2.0,),
        "log_det": lambda: (np.eye(4) * 4 + 1.0,),
        "network": lambda: ([(draw(size=(5, 3)), draw(size=5)), (draw(size=(2, 5)), draw(size=2))], draw(size=3)),
        "smooth": lambda: (draw(size=6), draw(size=6), 3),
        "softmax_loss": lambda: (draw(size=(3, 4)), draw(size=(5, 3)), np.ones((5, 4)) / 4),
        "nearest": lambda: (draw(size=(6, 3)), draw(size=(2, 3))),
        "rnn": lambda: (draw(size=(5, 3)), draw(size=(5, 5)), draw(size=(4, 3))),
    }[name]()
