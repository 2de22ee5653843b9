"""What the files of conformance cases share. Each file is run with NumPy and s2s, and as the same text with jax.numpy and jax."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Run = Callable[[], Any]

FLOAT0 = np.zeros((), [("float0", "V")])


@dataclass(frozen=True)
class Case:
    """`run()` is a result, or raises an error whose text has `says` in it."""

    run: Run
    says: str = ""


class Cases(dict[str, Case]):
    """One file's cases by name."""

    def case(self, function: Run) -> Run:
        """A case with a result or an error."""
        self[function.__name__] = Case(function)
        return function

    def cases(self, functions: dict[str, Run]) -> None:
        """Several of them by name."""
        self.update({name: Case(function) for name, function in functions.items()})

    def error(self, says: str) -> Callable[[Run], Run]:
        """A case that raises; `says` is a regular expression that both texts match."""

        def made(function: Run) -> Run:
            self[function.__name__] = Case(function, says)
            return function

        return made


def f0(*shape: int) -> np.ndarray:
    """Zeros of float0."""
    return np.zeros(shape, FLOAT0.dtype)


def vec(*numbers: Any, dtype: Any = None) -> np.ndarray:
    """A NumPy array."""
    return np.array(numbers, dtype)
