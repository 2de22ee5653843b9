"""Programs about names that are one array or another, and about Python's objects, as batches: the loop over the examples, by Python itself, decides.

Arrays and numbers have examples; objects, containers and whole numbers are the same for all. Value, arguments afterwards, and the gradient of the sum over the batch.
"""
from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

import s2s
from s2s.errors import ArgumentTypeError

from .aliases import drawn, observed, total
from .check import Outcome, judged, load
from .compare import Fault, Skip
from .object_check import arguments

COUNTS = (3, 3, 1, 0)


def examine_alias_batch(text: str, seed: int, *, target: str = "numpy", gradient: bool = True) -> Outcome:
    """A program of `aliases`."""
    return judged(Aliases(seed, target, gradient), text, compiled=target == "cpu")


def examine_object_batch(text: str, seed: int, *, target: str = "numpy", gradient: bool = True) -> Outcome:
    """The loss of a program of `objects`."""
    return judged(Objects(seed, target, gradient), text, compiled=target == "cpu")


def same(found: Any, wanted: Any, what: str) -> None:
    """The same numbers, but for rounding."""
    if np.shape(found) != np.shape(wanted) or not np.allclose(found, wanted, rtol=1e-10, atol=1e-10, equal_nan=True):
        raise Fault(f"{what}: {found} for {wanted}")


@dataclass
class Aliases:
    """All checks of one program; `stage` says which of them is going on."""

    seed: int
    target: str
    gradient: bool
    stage: str = "vmap"

    def run(self, text: str) -> None:
        module = load(text)
        count = COUNTS[self.seed % len(COUNTS)]
        examples = [drawn(self.seed * 10 + number) for number in range(max(count, 1))]
        n = examples[0][3]
        try:
            said = [observed(module.f, (*each[:3], n)) for each in examples]
        except Exception as error:
            raise Skip(str(error)) from error
        x, y = (np.stack([each[place] for each in examples])[:count] for place in (0, 1))
        t = tuple(np.array([each[2][place] for each in examples])[:count] for place in range(3))
        one, other = x.copy(), y.copy()
        found = s2s.vmap(s2s.jit(module.f, target=self.target), (0, 0, 0, None))(one, other, t, n)
        for number, part in enumerate((*found, one, other)):
            same(part, np.stack([each[number] for each in said])[:count], f"result {number}")
        self.stage = "grad of vmap"
        if self.gradient:
            batched = s2s.vmap(lambda x, y, t: total(module.f, x, y, t, n))
            summed = s2s.grad(lambda x: np.sum(batched(x, y, t)))(x)
            single = s2s.grad(lambda x, y, t: total(module.f, x, y, t, n))
            same(summed, np.stack([single(each[0], each[1], each[2]) for each in examples])[:count], "gradient")


@dataclass
class Objects:
    """As `Aliases`."""

    seed: int
    target: str
    gradient: bool
    stage: str = "vmap"

    def run(self, text: str) -> None:
        count = COUNTS[self.seed % len(COUNTS)]
        losses = []
        given = [self.given(text, number) for number in range(max(count, 1))]
        for module, args in given:
            try:
                losses.append(module.loss(*copy.deepcopy(args)))
            except Exception as error:
                raise Skip(str(error)) from error
        module, args = given[0]
        a, x = (np.array([each[1][place] for each in given])[:count] for place in (0, 1))

        def loss(a: Any, x: Any) -> Any:
            return module.loss(a, x, *args[2:])

        try:
            found_losses = s2s.vmap(s2s.jit(loss, target=self.target))(a.copy(), x.copy())
        except ArgumentTypeError as error:
            raise Skip(f"what fails by its types on a path that is not taken: {error.what}") from error  # Python ran all examples
        same(found_losses, np.array(losses, float)[:count], "losses")
        self.stage = "vmap of grad"
        if self.gradient:
            found = s2s.vmap(s2s.grad(loss, argnums=(0, 1)))(a, x)
            single = s2s.grad(loss, argnums=(0, 1))
            for number in range(count):
                for part, wanted in zip(found, single(a[number].copy(), x[number]), strict=True):
                    same(part[number], wanted, "gradient")

    def given(self, text: str, number: int) -> tuple[Any, tuple[Any, ...]]:
        """A module of its own for each example: nobody sees what another changed in it; the arguments, those that have examples its own."""
        module = load(text)
        shared, own = arguments(module, self.seed), arguments(module, self.seed + number)
        return module, (own[0], np.float64(own[1]), *shared[2:])
