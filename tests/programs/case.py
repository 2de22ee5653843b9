"""`Case`: one test program with its inputs and what is asked of it."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Make = Callable[[np.random.Generator], tuple[Any, ...]]


@dataclass(frozen=True)
class Case:
    """`make(rng)` gives the arguments; `wrt` are the arguments to differentiate (none: the program has no derivative).

    `static`: arguments that are static (functions, strings). `more`: further arguments to run it on, of other sizes or
    values, with the same structure and dtypes. `fails`: arguments on which NumPy raises, with the exception.
    `name` tells two cases of the same function apart.
    """

    fun: Callable[..., Any]
    make: Make
    wrt: tuple[int, ...] = ()
    static: tuple[int, ...] = ()
    more: tuple[Make, ...] = ()
    fails: tuple[tuple[Make, type[Exception]], ...] = ()
    name: str = ""

    def __str__(self) -> str:
        return self.name or self.fun.__name__


def spd(rng: np.random.Generator, n: int) -> np.ndarray:
    """A well-conditioned symmetric positive definite matrix."""
    a = rng.normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


def dominant(rng: np.random.Generator, n: int) -> np.ndarray:
    """A diagonally dominant matrix: LU needs no pivots."""
    return rng.normal(size=(n, n)) + n * np.eye(n)
