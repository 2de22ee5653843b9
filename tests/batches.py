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
    """Arguments of which some have examples along an axis. `axes`: for each argument that axis, or None."""

    args: tuple[Any, ...]
    axes: tuple[int | None, ...]
    size: int

    @property
    def mapped(self) -> tuple[int, ...]:
        return tuple(k for k, axis in enumerate(self.axes) if axis is not None)

    @property
    def in_front(self) -> bool:
        """Whether all axes of examples are the first: NumPy's products of strided arrays add in another order."""
        return all(axis in (0, None) for axis in self.axes)

    @property
    def in_axes(self) -> tuple[Any, ...]:
        return tuple(tree_util.tree_map(lambda leaf, axis=axis: axis if is_number(leaf) else None, arg) for arg, axis in zip(self.args, self.axes, strict=True))

    def example(self, number: int) -> tuple[Any, ...]:
        """One of them, as views."""
        return self.each(lambda leaf, axis: np.moveaxis(leaf, axis, 0)[number])

    def without_examples(self) -> Batch:
        """The batch of no examples."""
        return Batch(self.each(lambda leaf, axis: np.take(leaf, [], axis)), self.axes, 0)

    def each(self, change: Callable[[Any, int], Any]) -> tuple[Any, ...]:
        """The arguments, their mapped arrays changed."""
        def part(arg: Any, axis: int | None) -> Any:
            return arg if axis is None else tree_util.tree_map(lambda leaf: change(leaf, axis) if isinstance(leaf, np.ndarray) else leaf, arg)

        return tuple(map(part, self.args, self.axes))


def batch_of(examples: list[tuple[Any, ...]], axes: tuple[int | None, ...]) -> Batch:
    """The arguments of all examples, stacked along their axes; those with None are the first one's."""
    def stacked(axis: int, *leaves: Any) -> Any:
        return np.stack(leaves, axis) if is_number(leaves[0]) else leaves[0]

    first = examples[0]
    args = tuple(
        copy.deepcopy(first[k]) if axis is None else tree_util.tree_map(lambda *leaves, axis=axis: stacked(axis, *leaves), *(each[k] for each in examples))
        for k, axis in enumerate(axes)
    )
    return Batch(args, axes, len(examples))


def looped(fun: Callable[..., Any], batch: Batch, static: tuple[int, ...] = (), inside: Rewrite = itself) -> Any:
    """The results of inside(fun) for all examples, one after the other, interpreted and stacked."""
    def made(exact: bool) -> list[Any]:
        staged = simplified(inside(stage(fun, batch.example(0), static, exact=exact)))
        return [run(fun, staged, batch.example(number)) for number in range(batch.size)]

    results = exactly(made)
    return tree_util.tree_map(lambda *leaves: np.stack(leaves) if is_number(leaves[0]) else leaves[0], *results)
