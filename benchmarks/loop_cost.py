"""What the gradient of a loop program costs: gradient / primal over sizes, and the primal beside Numba on the same source.

    python benchmarks/loop_cost.py [words…]      # only the cases whose names hold one of the words

The aims: 2 for scalar loops, 4 for the others, and no growth with the size.
"""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numba
import numpy as np
from common import interleaved, machine, ms, table
from programs_loops import CASES, Case

import s2s


def measured(name: str, case: Case) -> Iterator[tuple[str, ...]]:
    """One row for each size."""
    primal, gradient, plain = s2s.jit(case.function), s2s.grad(case.function, argnums=case.argnums), numba.njit(case.function)
    first = None
    for size in case.sizes:
        args = case.make(size)
        np.testing.assert_allclose(primal(*copied(case, args)), plain(*copied(case, args)), rtol=1e-9)
        times = interleaved(runner(primal, case, args), lambda args=args: gradient(*args), runner(plain, case, args), repeat=12, at_least=0.005)
        ratio = times[1] / times[0]
        each = times[1] / case.operations(size)
        first = first or each
        verdict = "" if ratio <= case.aim else " (missed)"
        yield (name, str(size), ms(times[0]), ms(times[1]), f"{ratio:.2f}", f"{case.aim:.0f}{verdict}", f"{each / first:.2f}", f"{times[0] / times[2]:.2f}")


def copied(case: Case, args: tuple[object, ...]) -> tuple[object, ...]:
    """Arguments that may be written to."""
    return (args[0].copy(), *args[1:]) if case.mutates else args  # type: ignore[attr-defined]


def runner(call: Callable[..., object], case: Case, args: tuple[object, ...]) -> Callable[[], object]:
    """A call of the primal; what it updates in place is put back first, as the gradient copies its arguments itself."""
    if not case.mutates:
        return lambda: call(*args)
    work = args[0].copy()  # type: ignore[attr-defined]

    def run() -> object:
        work[...] = args[0]
        return call(work, *args[1:])

    return run


HEAD = ("program", "size", "primal", "gradient", "ratio", "aim", "gradient an operation, against the first size", "primal / Numba's")


def main() -> None:
    """Print the table."""
    print(machine())
    words = sys.argv[1:]
    rows = [row for name, case in CASES.items() if not words or any(word.lower() in name.lower() for word in words) for row in measured(name, case)]
    table("Gradients of loops", HEAD, rows)


if __name__ == "__main__":
    main()
