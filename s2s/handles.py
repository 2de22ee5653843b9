"""Python functions that emitted modules call by a number: lambdas, closures, methods, whatever no import finds.

    number_of(lambda x: seen.append(x), how)   ->   3         a run-time argument of the emitted function, asked for anew at each call
    called(3, 2, x)                                           in the emitted module: the function with its containers, what it returns checked
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import optree

from s2s.errors import ArgumentTypeError
from s2s.records import dataclass


@dataclass(frozen=True)
class How:
    """How a function is called: the structure of (args, kwargs), the dtypes of its leaves; the structure, dtypes and ranks of the results.
    `packed`: the results come as one array of float64, one behind the other (int64 and complex numbers as two).
    """

    given: Any
    dtypes: tuple[np.dtype[Any], ...]
    result: Any
    results: tuple[np.dtype[Any], ...]
    ranks: tuple[int, ...]
    packed: bool

    def __str__(self) -> str:
        return "handle"


_NUMBERS: dict[tuple[int, How], np.int64] = {}
_HELD: list[tuple[Callable[..., Any], How]] = []


def number_of(function: Callable[..., Any], how: How) -> np.int64:
    """The number of a function in this process, called in this way. It is kept as long as the process runs."""
    key = (id(function), how)
    if key not in _NUMBERS:
        _NUMBERS[key] = np.int64(len(_HELD))
        _HELD.append((function, how))
    return _NUMBERS[key]


def called(number: int, *given: Any) -> Any:
    """What the function returns for these lengths of the results and leaves of the arguments: one array."""
    return _called(number, (), given)


def called_at_once(number: int, axes: int, *given: Any) -> Any:
    """The same for many examples at once: arguments and results have so many axes of them in front, whose lengths come first."""
    return _called(number, tuple(map(int, given[:axes])), given[axes:])


def _called(number: int, front: tuple[int, ...], given: tuple[Any, ...]) -> Any:
    function, how = _HELD[int(number)]
    count = sum(how.ranks)
    lengths = iter(given[:count])
    shapes = [(*front, *(int(next(lengths)) for _ in range(rank))) for rank in how.ranks]
    leaves = _returned(function, _result(function, how, given[count:]), how, shapes)
    return np.concatenate([np.zeros((*front, 0)), *(_words(leaf, front) for leaf in leaves)], axis=-1) if how.packed else leaves[0]


def run(number: int, *given: Any) -> None:
    """The function, for what it does."""
    _result(*_HELD[int(number)], given)


def _result(function: Callable[..., Any], how: How, values: tuple[Any, ...]) -> Any:
    leaves = [np.array(value, dtype)[()] for value, dtype in zip(values, how.dtypes, strict=True)]  # arrays of its own: it may keep or change them
    made: Any = optree.tree_unflatten(how.given, leaves)
    args, kwargs = made
    return function(*args, **kwargs)


def _returned(function: Callable[..., Any], value: Any, how: How, shapes: list[tuple[int, ...]]) -> list[Any]:
    """The results' arrays, if they are what was announced."""
    leaves, found = optree.tree_flatten(value, namespace="s2s")
    name = getattr(function, "__name__", type(function).__name__)
    if found != how.result:
        raise ArgumentTypeError(f"{name} returned a value of another structure than result_shape_dtypes: {found}, expected {how.result}")
    arrays = [np.asarray(leaf) for leaf in leaves]
    for array, dtype, shape in zip(arrays, how.results, shapes, strict=True):
        if (array.dtype, array.shape) != (dtype, shape):
            raise ArgumentTypeError(f"{name} returned {array.dtype}{list(array.shape)}, expected {dtype}{list(shape)} (result_shape_dtypes)")
    return arrays


def _words(array: Any, front: tuple[int, ...]) -> Any:
    """An array (one for each example in front) as float64 numbers: of int64 the upper and the lower half, of complex numbers the real and the imaginary part."""
    flat = array.reshape((*front, int(np.prod(array.shape[len(front) :]))))
    if array.dtype.kind == "c":
        return np.concatenate([flat.real, flat.imag], axis=-1).astype(np.float64)
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        return np.concatenate([flat >> 32, flat & 0xFFFFFFFF], axis=-1).astype(np.float64)
    return flat.astype(np.float64)


__all__ = ["How", "called", "called_at_once", "number_of", "run"]
