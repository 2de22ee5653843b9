"""Functions of a few numbers whose derivative is a matrix: through loops, a `while`, updates in place."""
import numpy as np


def recurrence(x):
    s = 0.0
    y = np.zeros(2)
    for i in range(len(x)):
        s = s * x[i] + np.sin(s)
        y[i % 2] += s * x[i] + 1.0
        s += 0.5
    return y


def while_loop(x):
    s = x[0]
    y = np.zeros(3)
    k = 0
    while s < 3.0:
        s = s * 1.5 + np.sin(s) * x[1] ** 2 + 0.1
        k += 1
        if s > 1.0:
            y[k % 3] = s * x[2]
    return y


def in_place(x):
    y = x * 1.0
    for _ in range(3):
        for i in range(1, len(y)):
            y[i] = y[i] * y[i - 1] + x[i]
        y[0] = y[-1] * 0.5
    return y
