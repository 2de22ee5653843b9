"""What JAX's surface costs: lax loops beside the loops that a user writes, calls with containers of a hundred arrays, eval_shape of known kinds of arguments.

The aims: within 3 % of the loop by hand; 40 µs for a call with 100 arrays; 5 ms for a warm eval_shape.
"""
from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
from common import best, interleaved, jax_or_none, machine, table, us

import s2s

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from loop_pairs import PAIRS


def of_loops() -> None:
    """The loops of tests/loop_pairs.py, and their gradients."""
    rows = []
    for name, (by_hand, by_lax, make) in PAIRS.items():
        args = make(2000)
        for kind, transformation in (("call", s2s.jit), ("gradient", gradient)):
            calls = [partial(transformation(fun), *args) for fun in (by_hand, by_lax)]
            times = interleaved(*calls, repeat=15, at_least=0.01, clock=time.process_time)
            rows.append((name, kind, us(times[0]), us(times[1]), f"{times[1] / times[0]:.3f}"))
    table("lax.scan and lax.fori_loop", ("loop", "", "by hand", "by lax", "ratio (aim 1.03)"), rows)


def gradient(fun):
    """Of the sum of what it gives."""
    return s2s.grad(lambda x, y: total(fun(x, y)))


def total(tree):
    """The sum of all that a container holds."""
    return s2s.tree_util.tree_reduce(lambda one, two: one + two, s2s.tree_util.tree_map(np.sum, tree))


def of_containers() -> None:
    """A call that reads two of a hundred arrays, one that gives a hundred back, and a tree_map."""
    arrays = {f"k{number}": np.full(3, float(number)) for number in range(100)}
    containers = {"a dict of 100": arrays, "a list of 100": list(arrays.values()), "50 dicts of 2": {f"layer{k}": {"w": np.ones(3), "b": np.ones(3)} for k in range(50)}}
    jax = jax_or_none()
    rows = []
    for name, tree in containers.items():
        for what, of in (("two are read", two_of), ("all come back", twice)):
            theirs = "-" if jax is None else us(best(partial(jax.jit(of(jax)), tree), clock=time.process_time))  # type: ignore[attr-defined]
            rows.append((name, what, us(best(partial(s2s.jit(of(s2s)), tree), clock=time.process_time)), theirs))
        rows.append((name, "tree_map", us(best(partial(s2s.tree_util.tree_map, lambda x: x, tree), clock=time.process_time)), "-"))
    table("Containers (aim 40 µs)", ("container", "", "s2s.jit", "jax.jit, NumPy in, not waited for"), rows)


def two_of(library):
    """A function that reads the first and the last array."""
    return lambda tree: library.tree_util.tree_leaves(tree)[0][0] + library.tree_util.tree_leaves(tree)[-1][0]


def twice(library):
    """A function that gives new arrays back."""
    return lambda tree: library.tree_util.tree_map(lambda x: 2.0 * x, tree)


def of_shapes() -> None:
    """eval_shape of kinds of arguments that it has seen."""
    layers = {f"layer{k}": {"w": np.ones((8, 8)), "b": np.ones(8)} for k in range(50)}

    def network(layers, x):
        for name in layers:
            x = np.tanh(x @ layers[name]["w"] + layers[name]["b"])
        return x

    like = s2s.tree_util.tree_map(lambda x: s2s.ShapeDtypeStruct(x.shape, x.dtype), layers)
    rows = []
    for name, fun, args in (
        ("a product", lambda a: a @ a.T, (np.ones((3, 4)),)), ("50 layers, arrays", network, (layers, np.ones(8))), ("50 layers, ShapeDtypeStructs", network, (like, np.ones(8))),
        ("their gradient", s2s.grad(lambda layers, x: np.sum(network(layers, x))), (layers, np.ones(8))),
    ):  # fmt: skip
        rows.append((name, us(best(partial(s2s.eval_shape, fun, *args), clock=time.process_time))))
    table("eval_shape, warm (aim 5 ms)", ("function", "a call"), rows)


def main() -> None:
    """Print the tables."""
    print(machine())
    of_loops()
    of_containers()
    of_shapes()


if __name__ == "__main__":
    main()
