"""Which axis of which argument is mapped: `in_axes` and `out_axes` as JAX takes them, and JAX's errors.

    vmap(f, in_axes=({"w": None, "b": 0}, 1))    ->    {"w": None, "b": 0} for the leaves of the first argument, 1 for those of the second
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from operator import index
from typing import Any

import numpy as np
import optree

from s2s import tree_nodes, tree_util
from s2s.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from s2s.records import dataclass
from s2s.streams import is_stream
from s2s.types import Dim, Literal, Var

Axis = int | None


@dataclass(frozen=True)
class Axes:
    """A specification of axes: its leaves, and the containers that they stand in. `of`: the transformation that was given it, for messages."""

    leaves: tuple[Axis, ...]
    treedef: tree_util.PyTreeDef
    of: str

    def __repr__(self) -> str:
        return repr(self.tree)

    @property
    def tree(self) -> Any:
        """The specification as it was given."""
        return tree_util.tree_unflatten(self.treedef, self.leaves)

    def over(self, what: str, tree: Any) -> list[Axis]:
        """The axis of each leaf of a container that this is a prefix of.

        Raises
        ------
        ArgumentValueError
            It is no prefix of the container.
        """
        marked = tree_util.tree_unflatten(self.treedef, [_Mark(axis) for axis in self.leaves])
        marks, outer = tree_util.tree_flatten(marked)
        tree_util.tree_flatten(tree)  # registers the dataclasses in it
        try:
            parts = outer.flatten_up_to(tree)
        except (ValueError, TypeError):
            raise ArgumentValueError(f"{what} specification must be a tree prefix of the corresponding value; {mismatch(what, self.tree, tree)}") from None
        return [mark.axis for mark, part in zip(marks, parts, strict=True) for _ in tree_util.tree_leaves(part)]


def mismatch(path: str, given: Any, tree: Any) -> str:
    """Where a specification and a value are no longer alike, in JAX's words."""
    if type(given) is not type(tree):
        return f"different types at {path}: a subtree of type {type(given).__name__}, but the value's is {_kind(tree)}"
    mine, others = (optree.tree_flatten_one_level(each, none_is_leaf=True, namespace=tree_nodes.NAMESPACE) for each in (given, tree))
    if isinstance(given, dict) and set(mine.entries) != set(others.entries):
        return f"different numbers of pytree children at {path}: the keys {list(mine.entries)}, but the value's are {list(others.entries)}"
    if len(mine.children) != len(others.children):
        return f"different lengths of {type(given).__name__} at {path}: {len(mine.children)}, but the value's is {len(others.children)}"
    for entry, one, other in zip(mine.entries, mine.children, others.children, strict=True):
        if not _is_prefix(one, other):
            return mismatch(f"{path}[{entry!r}]", one, other)
    return f"got {given!r}"


def _is_prefix(given: Any, tree: Any) -> bool:
    try:
        optree.tree_structure(given, none_is_leaf=True, namespace=tree_nodes.NAMESPACE).flatten_up_to(tree)
    except (ValueError, TypeError):
        return False
    return True


def _kind(tree: Any) -> str:
    return "an array or a number" if optree.tree_is_leaf(tree, namespace=tree_nodes.NAMESPACE) else type(tree).__name__


def paths_of(tree: Any) -> list[str]:
    """What stands behind the name of a container for each of its leaves: ['w'][0]."""
    return [accessor.codify("") for accessor in optree.tree_accessors(tree, namespace=tree_nodes.NAMESPACE)]


@dataclass(frozen=True)
class _Mark:
    """A leaf that stands for an axis: None would be a container without leaves."""

    axis: Axis


def axes_of(of: str, name: str, given: Any) -> Axes:
    """A specification, checked: an int, None, or containers of them; `of`, `name`: "pmap", "in_axes"."""
    leaves, treedef = optree.tree_flatten(given, none_is_leaf=True, namespace=tree_nodes.NAMESPACE)
    if not all(leaf is None or type(leaf) is int for leaf in leaves):
        raise ArgumentTypeError(f"{of} {name} must be an int, None, or (nested) container with those types as leaves, but got {given}.")
    return Axes(tuple(leaves), treedef, of)


def in_axes_of(given: Any) -> Axes:
    """vmap's `in_axes`, checked; a list is taken as a tuple."""
    given = tuple(given) if isinstance(given, list) else given
    if not (given is None or type(given) in (int, tuple)):
        raise ArgumentTypeError(
            f"vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed to the function, but got {given}."
        )
    return axes_of("vmap", "in_axes", given)


def out_axes_of(given: Any) -> Axes:
    """vmap's `out_axes`, checked."""
    return axes_of("vmap", "out_axes", given)


def axis_size_of(given: Any) -> int | None:
    """`axis_size`, checked."""
    if given is None:
        return None
    try:
        return index(given)
    except TypeError:
        raise ArgumentTypeError(f"vmap axis_size must be an int, but got {given!r}") from None


def axes_of_arguments(in_axes: Axes, args: tuple[Any, ...], kwargs: dict[str, Any], static: Collection[int] = ()) -> list[Axis]:
    """The axis of each leaf of (args, kwargs): keyword arguments are mapped over axis 0, the `static` ones of the others over none."""
    tree = in_axes.tree
    if isinstance(tree, tuple) and len(tree) != len(args):
        raise ArgumentValueError(
            f"{in_axes.of} in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed to the function, "
            f"but got len(in_axes)={len(tree)}, len(args)={len(args)}"
        )
    if static:
        each = tree if isinstance(tree, tuple) else (tree,) * len(args)
        in_axes = axes_of(in_axes.of, "in_axes", tuple(None if number in static else axis for number, axis in enumerate(each)))
    return [*in_axes.over(f"{in_axes.of} in_axes", args), *(0 for _ in tree_util.tree_leaves(kwargs))]


# ---- sizes -----------------------------------------------------------------------------------------------------------


def shape_of(leaf: Any) -> tuple[Dim, ...]:
    """The shape of an array, a number, or of what stands for one in a program; () for anything else."""
    if isinstance(leaf, Var | Literal):
        return leaf.type.shape
    return np.shape(leaf) if isinstance(leaf, np.ndarray | np.generic) else ()


def normal_axis(leaf: Any, axis: int, of: str = "vmap") -> int:
    """The axis, counted from the front. `of`: the transformation, for messages.

    Raises
    ------
    ArgumentValueError
        The leaf has no such axis.
    """
    shape = shape_of(leaf)
    if -len(shape) <= axis < len(shape):
        return axis % len(shape)
    raise ArgumentValueError(
        f"{of} was requested to map its argument along axis {axis}, which implies that its rank should be at least {axis + 1 if axis >= 0 else -axis}, "
        f"but is only {len(shape)} (its shape is {_shown(shape)})"
    )


def _shown(shape: tuple[Dim, ...]) -> str:
    return f"({', '.join(map(_name, shape))}{',' if len(shape) == 1 else ''})"


def _name(dim: Dim) -> str:
    return dim.name if isinstance(dim, Var) else str(dim)


ONE_BY_ONE: dict[str, Any] = {
    "why": "NumPy gives each example other numbers, one after the other", "instead": "draw the numbers before, in an array with an axis for the examples, and pass that",
}  # fmt: skip
"""Why random numbers are not drawn for a batch."""


def mapped_sizes(args: tuple[Any, ...], kwargs: dict[str, Any], axes: Sequence[Axis], axis_size: int | None, names: Sequence[str], of: str = "vmap") -> list[Dim]:
    """The sizes of the axes that are mapped, without repetition; of those that are known at most one. `names`: the parameters'; `of`: the transformation.

    Raises
    ------
    ArgumentValueError
        An argument has too few axes, sizes differ, or nothing is mapped.
    """
    leaves = tree_util.tree_leaves((args, kwargs))
    if any(axis is not None and (leaf.type.stream if isinstance(leaf, Var) else is_stream(leaf)) for leaf, axis in zip(leaves, axes, strict=True)):
        raise UnsupportedError("a random generator with an axis of examples", **ONE_BY_ONE)
    if not leaves and axis_size is None:
        raise ArgumentValueError(
            f"{of} wrapped function must be passed at least one argument containing an array or axis_size must be specified, "
            f"got empty *args={args} and **kwargs={kwargs}"
        )
    for leaf, axis in zip(leaves, axes, strict=True):
        if axis is not None and not isinstance(leaf, Var | Literal | np.ndarray | np.generic | bool | int | float | complex):
            raise ArgumentTypeError(f"Argument {leaf!r} of type {type(leaf)} is not an array or a number", why="it is mapped", instead="in_axes None for it")
    sizes = [None if axis is None else shape_of(leaf)[normal_axis(leaf, axis, of)] for leaf, axis in zip(leaves, axes, strict=True)]
    found: list[Dim] = list(dict.fromkeys([*(size for size in sizes if size is not None), *(() if axis_size is None else (axis_size,))]))
    if not found:
        raise ArgumentValueError(f"{of} must have at least one non-None value in in_axes or axis_size must be specified")
    if sum(isinstance(size, int) for size in found) > 1:
        raise ArgumentValueError(_inconsistent(args, kwargs, axes, sizes, axis_size, names, of))
    return found


def _inconsistent(
    args: tuple[Any, ...], kwargs: dict[str, Any], axes: Sequence[Axis], sizes: Sequence[Dim | None], axis_size: int | None, names: Sequence[str], of: str
) -> str:
    """JAX's words for sizes that differ: for each size one argument that has it."""
    described = _described(args, kwargs, names)
    counts = Counter(size for size in sizes if size is not None).most_common()
    lines = [] if axis_size is None else [f"  * the `axis_size` argument was {axis_size}"]
    for number, (size, count) in enumerate(counts):
        first = sizes.index(size)
        where = f"axis {axes[first]} of {described[first]}"
        many = "most" if number == 0 else "some"
        lines.append(f"  * one axis had size {_name(size)}: {where}" if count == 1 else f"  * {many} axes ({count} of them) had size {_name(size)}, e.g. {where}")
    return f"{of} got inconsistent sizes for array axes to be mapped:\n" + ";\n".join(lines)


def _described(args: tuple[Any, ...], kwargs: dict[str, Any], names: Sequence[str]) -> list[str]:
    """What each leaf is called: argument x['w'] of type float64[3]."""
    (args_def, kwargs_def), leaves = (tree_util.tree_structure(args), tree_util.tree_structure(kwargs)), tree_util.tree_leaves((args, kwargs))
    paths = []
    for accessor in args_def.accessors():
        first, *rest = accessor
        known = first.entry < len(names)
        paths.append((f"argument {names[first.entry]}" if known else f"args[{first.entry}]") + "".join(entry.codify("") for entry in rest))
    paths += ["kwargs" + accessor.codify("") for accessor in kwargs_def.accessors()]
    return [f"{path} of type {_type(leaf)}" for path, leaf in zip(paths, leaves, strict=True)]


def _type(leaf: Any) -> str:
    if not isinstance(leaf, Var | Literal | np.ndarray | np.generic | bool | int | float | complex):
        return "unknown"
    dtype = leaf.type.dtype if isinstance(leaf, Var | Literal) else np.asarray(leaf).dtype
    return f"{dtype.name}[{','.join(map(_name, shape_of(leaf)))}]"
