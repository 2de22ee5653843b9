"""What a call looks like: a `Request` holds its leaves, their kinds and its structure; sizes are no part of its key."""
from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np
from optree import PyTreeKind

from s2s.calls.array_likes import as_arrays
from s2s.calls.changed import Called
from s2s.calls.leaves import Kind, exact_kind, kind_of_leaf, make_var, static_key, with_order
from s2s.calls.rewrite import Rewritten
from s2s.codegen.modules.call import CallShape, Static
from s2s.errors import ArgumentTypeError, ArgumentValueError, S2SError, UnsupportedError, UnsupportedErrors
from s2s.hidden import may_be_told
from s2s.records import dataclass, field, replace
from s2s.tree_util import PyTreeDef, tree_flatten, tree_unflatten
from s2s.types import Var

Made = TypeVar("Made")
"""What is made for a request."""
_DIM_NAMES = "nmkpqrst"


@dataclass
class Request:
    """One call: its leaves (static ones wrapped in `Static`), their kinds and structure. `aliases`: for each leaf the first
    leaf that is the same array, where that matters; `after`: the module whose residuals the one that is asked for takes.
    """

    leaves: list[Any]
    treedef: PyTreeDef
    kinds: list[Kind | Static]
    exact: bool = False
    aliases: tuple[int, ...] = ()
    after: str = ""
    decided: bool = False
    """Whether the program must know which axes are stretched: no run may decide that."""
    told: bool = False
    """Whether the program knows the elements of small arrays of whole numbers."""
    called: Called = ((), {})
    """The arguments themselves."""
    same: frozenset[tuple[int, int]] = frozenset()
    """Pairs of leaves that are one array, of which the program asks that."""
    sizes: dict[Var, tuple[int, int]] = field(default_factory=dict)
    """What the program that was asked for last calls its sizes: of which leaf, along which axis, each one is."""

    def places_of(self, error: Exception) -> frozenset[tuple[int, int]]:
        """The sizes that may decide what was refused, of a leaf along an axis each."""
        each_of = error.errors if isinstance(error, UnsupportedErrors) else (error,)
        named = ([size for size in each.sizes if size in self.sizes] for each in each_of if isinstance(each, UnsupportedError))
        return frozenset(self.sizes[found[0]] for found in named if found)

    def tell_sizes(self, places: frozenset[tuple[int, int]]) -> bool:
        """Ask for a program that knows these sizes, of a leaf along an axis each. False where it does, or there are none."""
        if self.exact:
            return False
        known = list(self.kinds)
        for number, axis in places:
            kind = known[number]
            if type(kind) is tuple and kind[1][axis] < 0:
                known[number] = kind[0], (*kind[1][:axis], self.leaves[number].shape[axis], *kind[1][axis + 1 :])
        told, self.kinds = known != self.kinds, known
        return told

    def tell_more(self) -> bool:
        """Ask for a program that knows more of the call: its sizes and how its arrays lie in memory, then also its whole numbers and truths, then the elements of small arrays of them. False where it knows all of that."""
        if self.tell_layout():
            return True
        known: list[Kind | Static] = [Static(leaf) if type(leaf) in (bool, int) or isinstance(leaf, np.integer | np.bool_) else kind for kind, leaf in zip(self.kinds, self.leaves, strict=True)]
        more = any(type(after) is Static and type(before) is tuple for after, before in zip(known, self.kinds, strict=True))
        self.kinds = known if more else self.kinds
        return more or self.tell_elements()

    def tell_elements(self) -> bool:
        """Ask for a program that knows the elements of small arrays of whole numbers. False where it does, or there are none."""
        if self.told or not any(map(may_be_told, self.leaves)):
            return False
        self.told = True
        return True

    def tell_stretched(self) -> bool:
        """Ask for a program that knows all that can be told, and then for one that leaves no stretching to the run. False where it does."""
        if self.tell_more():
            return True
        told, self.decided = not self.decided, True
        return told

    def tell_layout(self) -> bool:
        """Ask for a program that knows the sizes of the call's arrays and how they lie in memory. False where it knows that, or there are none."""
        if self.exact or not any(type(kind) is tuple and kind[1] for kind in self.kinds):
            return False
        self.exact = True
        return True

    def key(self) -> Hashable:
        """What decides which specialisation serves the call."""
        if self.exact:
            kinds = [exact_kind(kind, leaf) if type(kind) is tuple else kind for kind, leaf in zip(self.kinds, self.leaves, strict=True)]
        else:
            kinds = list(self.kinds)
        return self.treedef, self.exact, self.decided, self.elements(), self.aliases, self.after, tuple(static_key(kind.value) if type(kind) is Static else kind for kind in kinds)

    def elements(self) -> tuple[bytes, ...]:
        """Of each leaf the elements that the program knows."""
        return tuple(leaf.tobytes() if may_be_told(leaf) else b"" for leaf in self.leaves) if self.told else ()

    @property
    def lies_apart(self) -> bool:
        """Whether the program knows of an array that does not lie in C order."""
        return self.exact and any(isinstance(leaf, np.ndarray) and not leaf.flags.c_contiguous for leaf in self.leaves)

    def statics(self) -> tuple[Any, ...]:
        """The static leaves' values, in order."""
        return tuple(kind.value for kind in self.kinds if type(kind) is Static)

    def shape(self, names: list[str]) -> CallShape:
        """The call with Vars for its arrays and numbers."""
        containers = {name.removesuffix(_behind(rest)) for name, (_, _, *rest) in zip(names, self.treedef.accessors(), strict=True)}
        dim_name = _dim_names({*names, *containers})
        numbers = itertools.count()
        leaves: list[Any] = []
        self.sizes = {}
        for position, (kind, leaf) in enumerate(zip(self.kinds, self.leaves, strict=True)):
            if self.aliases and self.aliases[position] != position:
                leaves.append(leaves[self.aliases[position]])
            elif isinstance(kind, Static):
                leaves.append(Static(kind.value, next(numbers)))
            else:
                var = self._var(kind, leaf, names[position], dim_name)
                self.sizes.update((dim, (position, axis)) for axis, dim in enumerate(var.type.shape) if isinstance(dim, Var))
                leaves.append(var)
        args, kwargs = tree_unflatten(self.treedef, leaves)
        return CallShape(args, kwargs, exact_ones=not self.exact)

    def _var(self, kind: Kind, leaf: Any, name: str, dim_name: Callable[[], str]) -> Var:
        var = make_var(exact_kind(kind, leaf) if self.exact else kind, name, dim_name)
        return Var(name, replace(var.type, told=leaf.tolist())) if self.told and may_be_told(leaf) else var


def _dim_names(taken: set[str]) -> Callable[[], str]:
    """n, m, k, … then n_1, m_1, …; none that an argument, or a container of some, has."""
    series = (f"{letter}_{turn}" if turn else letter for turn in itertools.count() for letter in _DIM_NAMES)
    free = (name for name in series if name not in taken)
    return lambda: next(free)


def request_of(transformed: Rewritten, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Request:
    """A call's leaves, structure and kinds; raises ArgumentTypeError naming the argument that can't be used."""
    leaves, treedef = tree_flatten(transformed.mark_static(args, kwargs, transformed.statics_of(args)))
    leaves = as_arrays(leaves)
    objects = transformed.rewrite.of.takes_objects
    kinds = _kinds(leaves, objects)
    if kinds is None:
        kinds = [kind_of_leaf(leaf, name, objects=objects) for leaf, name in zip(leaves, leaf_names(transformed, args, treedef), strict=True)]
    if transformed.target != "numpy":  # NumPy itself reads arrays of any order
        kinds = [with_order(kind, leaf) for kind, leaf in zip(kinds, leaves, strict=True)]
    for kind in kinds:
        if type(kind) is Static:
            _check_hashable(kind.value)
    return Request(leaves, treedef, kinds, called=(args, kwargs))


def _kinds(leaves: list[Any], objects: bool) -> list[Kind | Static] | None:
    """The leaves' kinds; None where one can't be used: the error then needs names, which take time to find."""
    try:
        return [kind_of_leaf(leaf, "", objects=objects) for leaf in leaves]
    except S2SError:
        return None


def _check_hashable(value: Any) -> None:
    try:
        static_key(value)
    except TypeError as error:
        raise ArgumentValueError(
            f"Non-hashable static arguments are not supported. An error occurred while trying to hash an object of type {type(value)}, {value}. The error was:\nTypeError: {error}\n",
            instead="pass a tuple instead of a list",
        ) from None


def check_containers(treedef: PyTreeDef) -> None:
    """Refuse optree's containers that programs don't have: deques, structseqs."""
    if treedef.kind in (PyTreeKind.DEQUE, PyTreeKind.STRUCTSEQUENCE):
        raise ArgumentTypeError(f"an argument holds a {getattr(treedef.type, '__name__', 'container')}", instead="pass a list, tuple, dict, NamedTuple or dataclass")
    for child in treedef.children():
        check_containers(child)


def leaf_names(transformed: Rewritten, args: tuple[Any, ...], treedef: PyTreeDef) -> list[str]:
    """A name for each leaf: the parameter's, with the path behind it where the parameter is a container: params_0_w."""
    positional = positional_names(transformed.signature, len(args))
    names: list[str] = []
    for accessor in treedef.accessors():
        top, first, *rest = accessor
        start = positional[first.entry] if top.entry == 0 else str(first.entry)
        name = start + _behind(rest)
        while name in names:
            name += "_"
        names.append(name)
    return names


def _behind(path: list[Any]) -> str:
    """What stands behind a parameter's name for a leaf of its container: _0_w."""
    parts = [str(getattr(entry, "field", entry.entry)) for entry in path]
    return "".join("_" + "".join(c if c.isalnum() or c == "_" else "_" for c in part) for part in parts)


def positional_names(signature: inspect.Signature | None, count: int) -> list[str]:
    """The parameters' names of the first `count` positional arguments; those of *rest are rest_0, rest_1, …"""
    names: list[str] = []
    for parameter in signature.parameters.values() if signature else ():
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
        elif parameter.kind is parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}_{number}" for number in range(count - len(names))]
    return [*names, *(f"x{number}" for number in range(len(names), count))][:count]
