"""A batch of examples through the reader, vmap and the interpreter, beside a loop over the examples."""
from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from staging import run, simplified, stage, stretching

from s2s import tree_util
from s2s.errors import UnknownSizeError
from s2s.transforms.batching import axes
from s2s.transforms.batching.vmap import Options, vmap
from s2s.transforms.ir.staged import Staged
from s2s.transforms.read import read

Rewrite = Callable[[Staged], Staged]


def itself(staged: Staged) -> Staged:
    return staged


def stage_batch(fun: Callable[..., Any], in_axes: Any, args: tuple[Any, ...], static: tuple[int, ...], *, inside: Rewrite, exact: bool) -> Staged:
    """The program of vmap(inside(fun), in_axes) for such arguments; `inside`: a rewrite of the example's program."""
    one = stage(lambda *args: 0.0, args, static, exact=exact)
    given = tuple(parameter.tree for parameter in one.parameters)
    options = Options(axes.in_axes_of(in_axes), axes.out_axes_of(0), None, None, ())
    return vmap(lambda params, own, kwargs: inside(read(fun, params, own, kwargs)), one.function.params, given, {}, options)


def run_batch(fun: Callable[..., Any], in_axes: Any, args: tuple[Any, ...], static: tuple[int, ...] = (), inside: Rewrite = itself, outside: Rewrite = itself) -> Any:
    """outside(vmap(inside(fun), in_axes))(*args), interpreted; arrays that it mutates are mutated."""
    def made(exact: bool) -> Any:
        return run(fun, simplified(outside(stage_batch(fun, in_axes, args, static, inside=inside, exact=exact))), args)

    return exactly(made)


def exactly(made: Callable[[bool], Any]) -> Any:
    """made(exact=False), as `jit` does it: once more with exact sizes where those must be known."""
    try:
        return stretching(made)
    except UnknownSizeError:
        return made(True)


def is_number(leaf: Any) -> bool:
    """Whether a leaf can have an axis of examples."""
    return isinstance(leaf, np.ndarray | np.generic | bool | int | float | complex)


@dataclass(frozen=True)
class Batch:
    """Arguments of which some have examples along an axis."""

    args: tuple[Any, ...]
    mapped: tuple[int, ...]
    axis: int
    size: int

    @property
    def in_axes(self) -> tuple[Any, ...]:
        return tuple(tree_util.tree_map(lambda leaf: self.axis if is_number(leaf) else None, arg) if k in self.mapped else None for k, arg in enumerate(self.args))

    def example(self, number: int) -> tuple[Any, ...]:
        """One of them, as views."""
        def part(leaf: Any) -> Any:
            return np.moveaxis(leaf, self.axis, 0)[number] if isinstance(leaf, np.ndarray) else leaf

        return tuple(tree_util.tree_map(part, arg) if k in self.mapped else arg for k, arg in enumerate(self.args))


def batch_of(examples: list[tuple[Any, ...]], mapped: tuple[int, ...], axis: int) -> Batch:
    """The arguments `mapped` of all examples, stacked; the others are the first one's."""
    def stacked(*leaves: Any) -> Any:
        return np.stack(leaves, axis) if is_number(leaves[0]) else leaves[0]

    first = examples[0]
    args = tuple(tree_util.tree_map(stacked, *(each[k] for each in examples)) if k in mapped else copy.deepcopy(first[k]) for k in range(len(first)))
    return Batch(args, mapped, axis, len(examples))


def looped(fun: Callable[..., Any], batch: Batch, static: tuple[int, ...] = (), inside: Rewrite = itself) -> Any:
    """The results of inside(fun) for all examples, one after the other, interpreted and stacked."""
    def made(exact: bool) -> list[Any]:
        staged = simplified(inside(stage(fun, batch.example(0), static, exact=exact)))
        return [run(fun, staged, batch.example(number)) for number in range(batch.size)]

    results = exactly(made)
    return tree_util.tree_map(lambda *leaves: np.stack(leaves) if is_number(leaves[0]) else leaves[0], *results)
