"""A signature of numpy.vectorize: "(n,m),(m)->(n)", the axes at the end that are a function's own, by name.

Method: the grammar is NumPy's, of generalized universal functions (numpy.org, c-api.generalized-ufuncs).
"""
from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from s2s.types import Dim, is_one

Core = tuple[str, ...]
_NAME = r"\w+"
_ARGUMENT = rf"\((?:{_NAME}(?:,{_NAME})*)?\)"
_LIST = f"{_ARGUMENT}(?:,{_ARGUMENT})*"


def core_axes(signature: str) -> tuple[tuple[Core, ...], tuple[Core, ...]]:
    """Of the arguments, and of the results.

    Raises
    ------
    ValueError
        It is no signature.
    """
    if not re.fullmatch(f"{_LIST}->{_LIST}", signature):
        raise ValueError(f"not a valid gufunc signature: {signature}")
    ins, outs = (tuple(tuple(re.findall(_NAME, each)) for each in re.findall(_ARGUMENT, part)) for part in signature.split("->"))
    return ins, outs


def levels(loops: Sequence[tuple[Dim, ...] | None]) -> tuple[list[tuple[int | None, ...]], tuple[int, ...]]:
    """How arguments are mapped, the last of their axes first, and which of the axes have length 1 in all; `loops`: the axes that are not the function's own,
    None of arguments that are passed as they are. Axes of length 1 are not mapped.
    """
    deepest = max((len(each) for each in loops if each is not None), default=0)
    made: list[tuple[int | None, ...]] = []
    ones: list[int] = []
    for back in range(1, deepest + 1):
        axes = tuple(0 if each is not None and len(each) >= back and not is_one(each[-back]) else None for each in loops)
        if any(axis is not None for axis in axes):
            made.append(axes)
        else:
            ones.append(deepest - back)
    return made, tuple(reversed(ones))


def on_vectorized(excluded: Collection[int | str], signature: str | None) -> str:
    """The words by which an error says of which vectorized function it is."""
    return f"on vectorized function with excluded={frozenset(excluded)!r} and signature={signature!r}"


def wrong_number(signature: str, excluded: Collection[int | str], positions: int) -> str | None:
    """The words for a call with so many positional arguments, where the signature is of another number of them."""
    expected, got = len(core_axes(signature)[0]), sum(number not in excluded for number in range(positions))
    return None if expected == got else f"wrong number of positional arguments: expected {expected}, got {got} {on_vectorized(excluded, signature)}"


__all__ = ["Core", "core_axes", "levels", "on_vectorized", "wrong_number"]
