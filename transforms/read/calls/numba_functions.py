"""What numba.vectorize made, in the code that is read: a function of numbers, for each element of what its arguments are broadcast to.

    @vectorize                               relu(x) of an array x: what the function under the decorator gives for each of its elements, in their dtype
    def relu(x): …
    @vectorize([float64(float64)])           the same, of the first of its signatures that the arguments can be cast to, as NumPy chooses a ufunc's loop

What numba.njit made is read as the function under the decorator (`calls._call_outside`), and Numba's own words are in `numba_words.py`.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.transforms.read.calls import vectorized
from s2s.transforms.read.calls.hidden import enter
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, Outside, is_atom, is_number

ELEMENTWISE = "numba.np.ufunc.dufunc"
"""Where the class of such objects is defined."""


def call_elementwise(make: vectorized.Make, reader: Reader, function: Outside, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of such an object; `make`: vmap, which stands in a higher layer."""
    thing: Any = function.object
    if kwargs or len(args) != thing.nin:
        raise ArgumentTypeError(f"{thing.__name__}() takes {thing.nin} arguments by their positions, and s2s reads no other", where=reader.builder.where)
    steps = (("object", thing),) if function.steps is None else function.steps
    plain = enter(reader, thing.__wrapped__, (*steps, ("attribute", "__wrapped__")))
    reader.session.guard((*steps, ("attribute", "_frozen")), thing._frozen)  # noqa: SLF001 - whether it takes other types than these
    if not thing._frozen:  # noqa: SLF001
        return vectorized.call(make, reader, thing, (plain, (), None, *args), {})
    reader.session.guard((*steps, ("attribute", "types")), thing.types)
    arrays = tuple(reader.rules.call(np.asarray, (arg,)) for arg in args)
    given = [np.dtype(reader.rules.attribute(array, "dtype")) for array in arrays]
    found = next((loop for loop in thing.types if all(np.can_cast(dtype, char) for dtype, char in zip(given, loop, strict=False))), None)
    if found is None:
        wanted = f"ufunc {thing.__name__!r} has no loop for {', '.join(map(str, given))}: {', '.join(thing.types)}"
        raise ArgumentTypeError(wanted, where=reader.builder.where, instead="arguments of the dtypes of one of its signatures")
    cast = tuple(_as(reader, array, char) for array, char in zip(arrays, found, strict=False))
    return _as(reader, vectorized.call(make, reader, thing, (plain, (), None, *cast), {}), found[-1])


def _as(reader: Reader, array: Abstract, char: str) -> Abstract:
    if is_atom(array) or is_number(array):  # Python's own, on some paths
        return reader.rules.call(np.dtype(char).type, (array,))
    return reader.rules.call(reader.rules.attribute(array, "astype"), (np.dtype(char),))


__all__ = ["ELEMENTWISE", "call_elementwise"]
