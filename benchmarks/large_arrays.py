"""Array programs whose time is memory: large results, products with cotangents that repeat, columns. Gradient beside the primal and JAX's.

    python benchmarks/large_arrays.py [words…]      # only the programs whose names hold one of the words

One thread (OPENBLAS_NUM_THREADS=1 is set) and CPU time, so that what other processes do counts little; JAX is told to use one.
"""
from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import numpy as np
from common import interleaved, jax_or_none, machine, ms, table

import s2s


def outer(x, y):
    return np.outer(x, y)


def product_of_outer(x, y, c):
    return np.sum(np.outer(x, y) * c)


def matvec(A, x):
    return np.sum((A @ x) ** 2)


def atax(A, x):
    return np.sum((A @ x) @ A)


def plus_trace(a):
    return a + np.sum(np.tanh(np.diag(a)))


def steep(x, mask):
    """A helper with a loop of its own, which makes its result."""
    y = np.empty_like(x)
    for i in range(x.shape[0]):
        y[i] = x[i] * x[i] if mask[i] else x[i]
    return y


def from_helper(x, mask):
    return np.sum(steep(steep(x, mask), mask))


def chosen(x):
    return x[x > 0.0] * 2.0


def matmul_sum(A, B):
    return np.sum(A @ B)


def gemm(alpha, beta, C, A, B):
    return np.sum(alpha * A @ B + beta * C)


def mean_of_layers(A, B, C):
    return np.mean(A @ B @ C)


def scaled(A, B):
    return A @ B * 0.5


def sum_of_helper(A, B):
    return np.sum(scaled(A, B))


def column_sums(A, B, v):
    return np.sum(np.sum(A @ B, axis=0) * v)


def triangular(alpha, A, B):
    B = B.copy()
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1:, i], B[i + 1:, j])
    return np.sum(alpha * B)


def floyd_warshall(path):
    path = path.copy()
    for k in range(path.shape[0]):
        path[:] = np.minimum(path, np.add.outer(path[:, k], path[k, :]))
    return np.sum(path)


@dataclass(frozen=True)
class Case:
    """A program. `twin`: JAX's version, given jax; None: the same text. `wrt`: what the gradient is of, () where there is none."""

    function: Callable[..., Any]
    arguments: Callable[[], tuple[Any, ...]]
    wrt: tuple[int, ...]
    twin: Callable[[Any], Callable[..., Any]] | None = None


def _drawn(*shapes: tuple[int, ...]) -> Callable[[], tuple[Any, ...]]:
    def arguments() -> tuple[Any, ...]:
        rng = np.random.default_rng(0)
        return tuple(rng.normal(size=shape) if shape else 1.5 for shape in shapes)

    return arguments


def _steep_twin(jax: Any) -> Callable[..., Any]:
    def helper(x, mask):
        return jax.numpy.where(mask, x * x, x)

    return lambda x, mask: jax.numpy.sum(helper(helper(x, mask), mask))


def _triangular_twin(jax: Any) -> Callable[..., Any]:
    """The whole rows at once: what a user of JAX writes."""
    jnp = jax.numpy

    def twin(alpha, A, B):
        return jnp.sum(alpha * (B + jnp.tril(A[: B.shape[0], : B.shape[0]], -1).T @ B))

    return twin


def _floyd_twin(jax: Any) -> Callable[..., Any]:
    jnp = jax.numpy

    def twin(path):
        def step(path, k):
            return jnp.minimum(path, path[:, k][:, None] + path[k, :][None, :]), None

        return jnp.sum(jax.lax.scan(step, path, jnp.arange(path.shape[0]))[0])

    return twin


def _with_mask() -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    return rng.normal(size=4_000_000), rng.random(4_000_000) > 0.5


CASES = {
    "outer product, 2000 x 2500": Case(outer, _drawn((2000,), (2500,)), ()),
    "weighted outer product, 2000 x 2500": Case(product_of_outer, _drawn((2000,), (2500,), (2000, 2500)), (0, 1, 2)),
    "A @ x, 2000 x 2500": Case(matvec, _drawn((2000, 2500), (2500,)), (0, 1)),
    "(A @ x) @ A, 2000 x 2500": Case(atax, _drawn((2000, 2500), (2500,)), (0, 1)),
    "a + trace, 2000 x 2000": Case(plus_trace, _drawn((2000, 2000)), ()),
    "a helper's array, 4 000 000": Case(from_helper, _with_mask, (0,), _steep_twin),
    "sum(A @ B), 500 x 400 x 600": Case(matmul_sum, _drawn((500, 400), (400, 600)), (0, 1)),
    "gemm, 500 x 400 x 600": Case(gemm, _drawn((), (), (500, 600), (500, 400), (400, 600)), (2, 3, 4)),
    "mean(A @ B @ C), 300": Case(mean_of_layers, _drawn((300, 300), (300, 300), (300, 300)), (0, 1, 2)),
    "a helper's product, 500 x 400 x 600": Case(sum_of_helper, _drawn((500, 400), (400, 600)), (0, 1)),
    "weighted columns of A @ B, 500 x 400 x 600": Case(column_sums, _drawn((500, 400), (400, 600), (600,)), (0, 1)),
    "triangular product, 65 x 80": Case(triangular, _drawn((), (65, 65), (65, 80)), (1, 2), _triangular_twin),
    "triangular product, 200 x 300": Case(triangular, _drawn((), (200, 200), (200, 300)), (1, 2), _triangular_twin),
    "floyd-warshall, 60": Case(floyd_warshall, _drawn((60, 60)), (0,), _floyd_twin),
    "floyd-warshall, 200": Case(floyd_warshall, _drawn((200, 200)), (0,), _floyd_twin),
}


def ours(case: Case) -> dict[str, Callable[..., Any]]:
    """The compiled primal, and its gradient."""
    return {"primal": s2s.jit(case.function), **({"gradient": s2s.grad(case.function, argnums=case.wrt)} if case.wrt else {})}


def theirs(case: Case, jax: Any) -> dict[str, Callable[..., Any]]:
    """JAX's, NumPy arrays out."""
    twin = case.twin(jax) if case.twin else _in_jax(case.function)
    calls = {"primal": jax.jit(twin), **({"gradient": jax.jit(jax.grad(twin, argnums=case.wrt))} if case.wrt else {})}
    return {kind: lambda *args, call=call: jax.tree.map(np.asarray, call(*args)) for kind, call in calls.items()}


def _in_jax(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same text with JAX's NumPy."""
    import jax.numpy

    own: dict[str, Any] = {"__name__": "in_jax", "np": jax.numpy}
    text = Path(__file__).read_text(encoding="utf-8")
    exec(compile(text[text.index("def outer("):text.index("@dataclass")], __file__, "exec"), own)
    found: Callable[..., Any] = own[function.__name__]
    return found


def measured(name: str, case: Case, jax: Any) -> list[tuple[str, ...]]:
    """A row for the primal and one for the gradient."""
    args, own, rows = case.arguments(), ours(case), []
    other = theirs(case, jax) if jax is not None else {}
    first = 0.0
    for kind, call in own.items():
        calls: list[Callable[[], object]] = [lambda call=call: call(*args)]
        if kind in other:
            for one, two in zip(_leaves(call(*args)), _leaves(other[kind](*args)), strict=True):
                np.testing.assert_allclose(one, two, rtol=1e-7, atol=1e-9)
            calls.append(lambda call=other[kind]: call(*args))
        times = interleaved(*calls, repeat=9, at_least=0.02, clock=time.process_time)
        first = first or times[0]
        beside = (ms(times[1]), f"{times[0] / times[1]:.2f}") if kind in other else ("-", "-")
        rows.append((name, kind, ms(times[0]), f"{times[0] / first:.2f}", *beside))
    return rows


def _leaves(found: Any) -> tuple[Any, ...]:
    return found if isinstance(found, tuple) else (found,)


def main() -> None:
    """Print the table."""
    print(machine())
    jax, words = jax_or_none(), sys.argv[1:]
    wanted = {name: case for name, case in CASES.items() if not words or any(word in name for word in words)}
    rows = [row for name, case in wanted.items() for row in measured(name, case, jax)]
    table("Large arrays", ("program", "", "s2s", "of the primal", "JAX", "s2s / JAX"), rows)


if __name__ == "__main__":
    main()
