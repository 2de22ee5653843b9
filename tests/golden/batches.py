"""Functions of one example whose batches are kept in this folder, how they are transformed, and arguments."""
import math

import numpy as np

import s2s
from s2s import lax


def mlp(params, x, y):
    """A small network's loss for one example."""
    h = np.tanh(params["w1"] @ x + params["b1"])
    out = params["w2"] @ h + params["b2"]
    return np.sum((out - y) ** 2)


def predict(params, x):
    """A small network."""
    return params["w2"] @ np.tanh(params["w1"] @ x + params["b1"])


def pendulum(angle, speed, dt, steps):
    """A pendulum, each with its own number of steps."""
    for _ in range(steps):
        middle = speed - 0.5 * dt * np.sin(angle)
        angle = angle + dt * middle
        speed = middle - 0.5 * dt * np.sin(angle)
    return angle, speed


def lambert(a):
    """The root of x e^x = a, by Newton's method."""
    x = 0.5
    step = 1.0
    while abs(step) > 1e-12:
        power = np.exp(x)
        step = (x * power - a) / (power * (x + 1.0))
        x = x - step
    return x


def escape(re, im):
    """The Mandelbrot set's escape time."""
    x, y, count = 0.0, 0.0, 0
    while count < 200 and x * x + y * y < 4.0:
        x, y = x * x - y * y + re, 2.0 * x * y + im
        count += 1
    return count


def black_scholes(spot, strike, rate, sigma, years):
    """A call option's price."""
    root = sigma * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * sigma**2) * years) / root
    above = 0.5 * (1.0 + math.erf(d1 * 0.7071067811865476))
    below = 0.5 * (1.0 + math.erf((d1 - root) * 0.7071067811865476))
    return spot * above - strike * np.exp(-rate * years) * below


def cholesky(a):
    """Cholesky's decomposition, as a textbook has it."""
    n = len(a)
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            L[i, j] = np.sqrt(s) if i == j else s / L[j, j]
    return L


def determinant(a):
    """By elimination with the largest pivots."""
    u = a.copy()
    det = 1.0
    for k in range(len(u)):
        best = k
        for i in range(k + 1, len(u)):
            if abs(u[i, k]) > abs(u[best, k]):
                best = i
        if best != k:
            for j in range(k, len(u)):
                u[k, j], u[best, j] = u[best, j], u[k, j]
            det = -det
        det *= u[k, k]
        for i in range(k + 1, len(u)):
            factor = u[i, k] / u[k, k]
            for j in range(k + 1, len(u)):
                u[i, j] -= factor * u[k, j]
    return det


def solve(a, b):
    """A linear system."""
    return np.linalg.solve(a, b)


def dot(x, y):
    """A product of vectors."""
    return np.dot(x, y)


def matmul(a, b):
    """A product of matrices."""
    return a @ b


def batch_norm(x, scale, shift):
    """Normalised over the batch, component by component."""
    mean = lax.pmean(x, "batch")
    var = lax.pmean((x - mean) ** 2, "batch")
    return scale * (x - mean) / np.sqrt(var + 1e-5) + shift


def softmax(x):
    """Over the batch."""
    e = np.exp(x - lax.pmax(x, "i"))
    return e / lax.psum(e, "i")


def consensus(x, steps):
    """Each keeps to its own side, and all to their mean."""
    for t in range(steps):
        mean = lax.pmean(x, "i")
        if x > mean:
            x = x - 0.5 * np.sqrt(x - mean)
        else:
            x = 0.5 * (x + mean)
    return x


def batches():
    """By the name of the kept file: the function, what is made of it, arguments."""
    draw, params = np.random.default_rng(0).normal, {}
    params = {"w1": draw(size=(4, 3)), "b1": draw(size=4), "w2": draw(size=(2, 4)), "b2": draw(size=2)}
    spread = draw(size=(3, 4, 4))
    options = (np.array([90.0, 100.0]), np.array([100.0, 95.0]), np.array([0.01, 0.02]), np.array([0.2, 0.3]), np.array([1.0, 0.5]))
    a = np.array([0.5, 2.0, 30.0])
    return {
        "mlp_gradients": (mlp, lambda f: s2s.vmap(s2s.grad(f), (None, 0, 0)), (params, draw(size=(5, 3)), draw(size=(5, 2)))),
        "predictions": (predict, lambda f: s2s.vmap(f, (None, 0)), (params, draw(size=(5, 3)))),
        "pendulums": (pendulum, s2s.vmap, (draw(size=3), draw(size=3), np.full(3, 0.1), np.array([0, 5, 3]))),
        "roots": (lambert, s2s.vmap, (a,)),
        "root_slopes": (lambert, lambda f: s2s.vmap(s2s.grad(f)), (a,)),
        "escapes": (escape, lambda f: s2s.vmap(s2s.vmap(f, (0, None)), (None, 0)), (np.linspace(-2.0, 1.0, 4), np.linspace(-1.0, 1.0, 3))),
        "prices": (black_scholes, s2s.vmap, options),
        "greeks": (black_scholes, lambda f: s2s.vmap(s2s.value_and_grad(f, argnums=(0, 2, 3, 4))), options),
        "choleskys": (cholesky, s2s.vmap, (spread @ spread.transpose(0, 2, 1) + 4 * np.eye(4),)),
        "norm": (batch_norm, lambda f: s2s.vmap(f, (0, None, None), axis_name="batch"), (draw(size=(4, 3)), draw(size=3), draw(size=3))),
        "softmax": (softmax, lambda f: s2s.vmap(f, axis_name="i"), (draw(size=4),)),
        "consensus": (consensus, lambda f: s2s.vmap(f, (0, None), axis_name="i"), (draw(size=4), 3)),
        "products": (matmul, s2s.vmap, (spread, spread)),
        "determinants": (determinant, s2s.vmap, (spread,)),
        "solves": (solve, s2s.vmap, (spread, draw(size=(3, 4)))),
        "dots": (dot, s2s.vmap, (draw(size=(5, 3)), draw(size=(5, 3)))),
    }
