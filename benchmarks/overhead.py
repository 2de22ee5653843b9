"""What a call costs beside the work: a jitted function of three small arrays, a dictionary of ten, and JAX's.

The aim: at most 4 µs over NumPy in, NumPy out.
"""
from __future__ import annotations

import numpy as np
from common import interleaved, jax_or_none, machine, table, us

import s2s


def three(a, b, c):
    """Almost no work."""
    return a[0] + b[0] * c[0]


def dictionary(params):
    """Ten arrays by name."""
    return params["p0"][0] + params["p9"][0]


def array_result(a, b, c):
    """A small array comes back."""
    return a + b * c


def nothing(a, b, c):
    """What Python itself takes for a call."""


def main() -> None:
    """Print the table."""
    print(machine())
    a, b, c = (np.arange(4.0) + k for k in range(3))
    params = {f"p{k}": np.arange(4.0) for k in range(10)}
    jax = jax_or_none()
    rows = []
    for fun, args in ((three, (a, b, c)), (array_result, (a, b, c)), (dictionary, (params,))):
        ours = s2s.jit(fun)
        calls = [lambda args=args: nothing(*args, *(None,) * (3 - len(args))), lambda f=ours, args=args: f(*args)]
        if jax is not None:
            theirs = jax.jit(fun)
            calls.append(lambda f=theirs, args=args: np.asarray(jax.tree_util.tree_leaves(f(*args))[0]))
        times = interleaved(*calls)
        rows.append((fun.__name__, us(times[0]), us(times[1]), us(times[2]) if jax is not None else "-"))
    table("One call", ("function", "empty Python function", "s2s.jit", "jax.jit, NumPy in and out"), rows)


if __name__ == "__main__":
    main()
