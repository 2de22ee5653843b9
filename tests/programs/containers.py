"""Containers, closures, star arguments, comprehensions, static text."""
from functools import partial
from typing import NamedTuple

import numpy as np

from programs.case import Case

SCALE = 1.5
OFFSETS = np.array([0.5, -0.25, 0.125])


class Stats(NamedTuple):
    """A result with names."""

    mean: float
    spread: float


def nested_result(a, b):
    """A dictionary with a list and a tuple in it."""
    total = a + b
    return {"sum": total, "parts": [a * b, (a - b, 2.0)], "shape": total.shape}


def named_result(x):
    """Returns a NamedTuple."""
    mean = np.mean(x)
    return Stats(mean=mean, spread=np.mean((x - mean) ** 2))


def weighted_norm(*arrays, weight=1.0, power=2):
    """Star arguments and keyword-only defaults."""
    total = 0.0
    for number, a in enumerate(arrays):
        total += weight * (number + 1) * np.sum(a ** power)
    return total


def star_call(x, y):
    """Packs and unpacks arguments."""
    arrays = (x, y)
    options = {"weight": 0.5, "power": 3}
    first, *rest = [x, y, x * y]
    return weighted_norm(*arrays, **options) + weighted_norm(first, *rest, weight=2.0)


def comprehension(xs, ys):
    """Comprehensions over static containers of arrays, zip, sum, a generator."""
    products = [x * y for x, y in zip(xs, ys)]
    norms = {k: np.sum(p) for k, p in enumerate(products) if k != 1}
    return sum(np.sum(p) for p in products) + norms[0] * norms[2]


def update_dict(state, rate):
    """A dictionary rebuilt and updated; the loop is over its items."""
    new = {}
    for key, value in state.items():
        new[key] = value - rate * value ** 2
    new["extra"] = new["a"] + SCALE
    return new


def mutate_container(arrays, factor):
    """In-place changes of arrays inside a list argument."""
    for a in arrays:
        a *= factor
    arrays[0][0] = 7.0
    return arrays[0] + arrays[1]


def append_static(x, layers):
    """Appending in a loop over a static range, then stacking."""
    history = [x]
    for _ in range(3):
        history.append(np.sin(history[-1]) * layers[len(history) - 1])
    return np.stack(history)


def global_array(x):
    """A global array and float are inputs too."""
    return np.sum(x * OFFSETS) * SCALE


def closure(x, n):
    """Nested functions that see each other's names; one is called in a run-time loop."""
    scale = np.sum(x)

    def inner(y, k):
        return y * scale + k

    def outer(y):
        for k in range(n):
            y = inner(y, k) / (1.0 + scale * scale)
        return y

    return outer(x)


def compose(x):
    """partial and lambdas, two on one line."""
    shifted = partial(np.add, 1.0)
    double, square = (lambda v: 2 * v), (lambda v: v * v)
    return np.sum(square(double(shifted(x))))


def activation(x, kind="tanh", verbose=False):
    """Dispatch on a static string; text made of static values."""
    if verbose:
        print(f"using {kind!r} on {x.ndim} dimensions")
    if kind == "tanh":
        y = np.tanh(x)
    elif kind == "relu":
        y = np.maximum(x, 0)
    else:
        raise ValueError(f"unknown activation {kind}")
    return y * len(kind)


def apply(function, x):
    """A function as an argument."""
    return function(x) + function(2 * x)


def square_sum(x):
    """Used as an argument."""
    return np.sum(x * x)


def polymorphic(x):
    """isinstance and ndim are known when the program is read."""
    if isinstance(x, (list, tuple)):
        return sum([polymorphic(part) for part in x])
    if x.ndim == 0:
        return x * x
    return np.sum(np.sin(x))


CASES = (
    Case(nested_result, lambda rng: (rng.normal(size=(2, 3)), rng.normal(size=(2, 3))), wrt=(0, 1)),
    Case(named_result, lambda rng: (rng.normal(size=6),), wrt=(0,)),
    Case(weighted_norm, lambda rng: (rng.normal(size=3), rng.normal(size=(2, 2))), wrt=(0, 1)),
    Case(star_call, lambda rng: (rng.normal(size=3), rng.normal(size=3)), wrt=(0, 1)),
    Case(comprehension, lambda rng: ([rng.normal(size=2) for _ in range(3)], tuple(rng.normal(size=2) for _ in range(3))), wrt=(0, 1)),
    Case(update_dict, lambda rng: ({"a": rng.normal(size=3), "b": rng.normal(size=(2, 2))}, 0.1), wrt=(0, 1)),
    Case(mutate_container, lambda rng: ([rng.normal(size=3), rng.normal(size=3)], 2.0), wrt=(0, 1)),
    Case(append_static, lambda rng: (rng.normal(size=3), [1.0, 2.0, 3.0]), wrt=(0, 1)),
    Case(global_array, lambda rng: (rng.normal(size=3),), wrt=(0,)),
    Case(closure, lambda rng: (rng.normal(size=4), 3), wrt=(0,)),
    Case(compose, lambda rng: (rng.normal(size=4),), wrt=(0,)),
    Case(activation, lambda rng: (rng.normal(size=4), "relu"), wrt=(0,), static=(1,),
         fails=((lambda rng: (rng.normal(size=4), "gelu"), ValueError),)),
    Case(apply, lambda rng: (square_sum, rng.normal(size=4)), wrt=(1,), static=(0,)),
    Case(polymorphic, lambda rng: ([rng.normal(size=3), (rng.normal(size=(2, 2)), 1.5 * np.ones(()))],), wrt=(0,)),
)
