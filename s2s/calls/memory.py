"""The memory of a call's arrays: which of them share it, which must not, and how each is handed over."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.calls.leaves import overlap, ready_as_it_lies, ready_for_entry, ready_in_columns, same_memory
from s2s.calls.specialisation import Specialisation
from s2s.errors import ArgumentValueError
from s2s.records import dataclass
from s2s.tree_util import tree_flatten, tree_unflatten


@dataclass(frozen=True)
class Named:
    """What is called, in messages: the function, and its leaves (asked for only where there is something to say)."""

    function: str
    leaves: Callable[[], list[str]]

    def names(self, *numbers: int) -> str:
        """The names of these leaves."""
        names = self.leaves()
        return " and ".join(names[number] if number < len(names) else "a global or closure array" for number in numbers)


def one_array(named: Named, found: Specialisation, leaves: list[Any], own: int) -> frozenset[tuple[int, int]]:
    """The pairs that must be two objects and are one array. ArgumentValueError where the program can't be one for that: of a derivative or a batch (`own` = 0), and
    where one comes from outside; `own`: how many of the leaves are arguments.
    """
    same = frozenset((one, other) for one, other in found.distinct if one != other and leaves[one] is leaves[other])
    for pair in same:
        if max(pair) >= own:
            raise ArgumentValueError(
                f"two arguments of {named.function} are one array, and the function asks whether they are: {named.names(*pair)}",
                why="its program treats them as two", instead="pass a copy of one of them",
            )  # fmt: skip
    return same


def check_separate(named: Named, found: Specialisation, leaves: list[Any]) -> None:
    """ArgumentValueError if arrays share memory that a derivative takes for separate variables."""
    for written, other in found.separate:
        if written != other and all(isinstance(leaves[number], np.ndarray) for number in (written, other)) and overlap(leaves[written], leaves[other]):
            raise ArgumentValueError(
                f"two arguments of {named.function} share memory, and the function writes into one of them: {named.names(written, other)}",
                why="the derivative treats them as separate variables", instead="pass a copy of one of them",
            )  # fmt: skip


def lie_in_order(found: Specialisation, leaves: list[Any]) -> bool:
    """Whether the arrays lie in C order through whose reshape the function stores, or of which it asks how they lie."""
    return not any(isinstance(leaves[number], np.ndarray) and not leaves[number].flags.c_contiguous for number in found.in_order)


def not_in_order(named: Named, found: Specialisation, leaves: list[Any]) -> ArgumentValueError:
    """What to raise where they don't."""
    number = next(number for number in found.in_order if not leaves[number].flags.c_contiguous)
    return ArgumentValueError(
        f"{named.names(number)} must be contiguous in memory, because {named.function} stores through a reshape of it, or asks how it lies there",
        why="NumPy's reshape of it would be a copy, and its strides others", instead="np.ascontiguousarray(…) of it",
    )


def aliases_of(named: Named, found: Specialisation, leaves: list[Any], own: int, same: frozenset[tuple[int, int]]) -> tuple[int, ...]:
    """For each leaf the first leaf that is the same array, if one that is written is among them, or they are of the `same` pairs; () if there is none.
    `own`: how many of the leaves are arguments (the others come from outside the function).
    """
    arrays = [number for number, leaf in enumerate(leaves) if isinstance(leaf, np.ndarray)]
    aliases = list(range(len(leaves)))
    for one, other in sorted(same):
        aliases[one] = aliases[other] = min(aliases[one], aliases[other])
    for written in found.mutated:
        for other in arrays:
            if other != written and overlap(leaves[written], leaves[other]):
                if not same_memory(leaves[written], leaves[other]) or max(other, written) >= own:
                    raise ArgumentValueError(
                        f"two arguments of {named.function} share memory, and the function writes into one of them: {named.names(written, other)}",
                        why="the program treats them as separate arrays", instead="pass a copy of one of them",
                    )  # fmt: skip
                aliases[other] = aliases[written] = min(aliases[other], aliases[written])
    return tuple(aliases) if aliases != list(range(len(leaves))) else ()


def with_callers_arrays(result: Any, own: dict[int, np.ndarray]) -> Any:
    """The result with the caller's own array wherever it is one that stood for it: a copy in C order, a view of a subclass."""
    leaves, treedef = tree_flatten(result)
    for held in (vars(leaf) for leaf in leaves if not isinstance(leaf, np.ndarray | np.generic) and hasattr(leaf, "__dict__") and not callable(leaf)):
        held.update({name: own[id(value)] for name, value in held.items() if id(value) in own})
    if not any(id(leaf) in own for leaf in leaves):
        return result
    return tree_unflatten(treedef, [own.get(id(leaf), leaf) for leaf in leaves])


def ready_leaves(raw: list[Any], found: Specialisation, aliases: tuple[int, ...]) -> list[Any]:
    """Leaves as kernels take them; the same array stays the same. Those that are given back, or read in Fortran order, keep their layout."""
    mutated = found.mutated
    values: list[Any] = []
    for number, leaf in enumerate(raw):
        if aliases and number < len(aliases) and aliases[number] != number:
            values.append(values[aliases[number]])
            continue
        if number in mutated and isinstance(leaf, np.ndarray) and not leaf.flags.writeable:
            raise ValueError("assignment destination is read-only")
        if number in found.columns:
            values.append(ready_in_columns(leaf))
        else:
            values.append(ready_as_it_lies(leaf) if number in found.given else ready_for_entry(leaf, mutated=number in mutated))
    return values
