"""`in_specs` and `out_specs` of shard_map as JAX takes them, and JAX's errors.

    shard_map(f, in_specs=(P("i"), {"w": P()}), …)      P("i") for all leaves of the first argument, P() for those of the second one's "w"
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import Any

import optree

from s2s import tree_nodes, tree_util
from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.records import dataclass
from s2s.sharding import PartitionSpec
from s2s.transforms.batching.axes import mismatch


@dataclass(frozen=True)
class Specs:
    """A specification: its leaves (None: an argument as it is), and the containers that they stand in."""

    leaves: tuple[PartitionSpec | None, ...]
    treedef: tree_util.PyTreeDef

    def __repr__(self) -> str:
        return repr(self.tree)

    @property
    def tree(self) -> Any:
        """The specification as it was given."""
        return self.tree_of(lambda spec: spec)

    def tree_of(self, change: Callable[[Any], Any]) -> Any:
        """The same containers with something for each spec."""
        return tree_util.tree_unflatten(self.treedef, [None if leaf is None else change(leaf) for leaf in self.leaves])

    def over(self, what: str, tree: Any) -> list[PartitionSpec | None]:
        """The spec of each leaf of a container that this is a prefix of.

        Raises
        ------
        ArgumentValueError
            It is no prefix of the container.
        """
        marked = tree_util.tree_unflatten(self.treedef, [_Mark(leaf) for leaf in self.leaves])
        marks, outer = tree_util.tree_flatten(marked)
        tree_util.tree_flatten(tree)  # registers the dataclasses in it
        try:
            parts = outer.flatten_up_to(tree)
        except (ValueError, TypeError):
            raise ArgumentValueError(f"pytree structure error: {what} must be a tree prefix of the corresponding value; {mismatch(what, self.tree, tree)}") from None
        return [mark.spec for mark, part in zip(marks, parts, strict=True) for _ in tree_util.tree_leaves(part)]

    def at(self, path: str) -> PartitionSpec:
        """The spec at the path of a leaf of the value: the one whose own path it begins with."""
        accessors = optree.tree_accessors(self.tree, none_is_leaf=True, namespace=tree_nodes.NAMESPACE)
        fits = [(accessor.codify(""), leaf) for accessor, leaf in zip(accessors, self.leaves, strict=True) if path.startswith(accessor.codify(""))]
        return max(fits, key=lambda each: len(each[0]), default=("", None))[1] or PartitionSpec()


@dataclass(frozen=True)
class _Mark:
    """A leaf that stands for a spec: None would be a container without leaves."""

    spec: PartitionSpec | None


@dataclass(frozen=True)
class Plan:
    """What shard_map is told. `axes`: the names and sizes of the mesh's axes that are mapped, outermost first; `names`: the user's function's parameters; `shown`: the mesh's
    shape and names, for messages.
    """

    name: str
    axes: tuple[tuple[Hashable, int], ...]
    in_specs: Specs
    out_specs: Specs
    check_vma: bool
    names: tuple[str, ...]
    shown: str

    def length(self, names: Iterable[Hashable]) -> int:
        """How many blocks lie along these axes."""
        total = 1
        for name, size in self.axes:
            total *= size if name in names else 1
        return total

    def of(self, spec: PartitionSpec) -> tuple[Hashable, ...]:
        """The axes of the mesh along which blocks lie, outermost first."""
        used = {name for names in spec.names.values() for name in names}
        return tuple(name for name, _ in self.axes if name in used)


def specs_of(which: str, given: Any, manual: Collection[Hashable]) -> Specs:
    """`in_specs` or `out_specs`, checked. `which`: "in", "out"; `manual`: the axes of the mesh that are mapped.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
        In JAX's words: what is no PartitionSpec, or names another axis.
    """
    leaves, treedef = optree.tree_flatten(given, none_is_leaf=True, namespace=tree_nodes.NAMESPACE)
    paths = [accessor.codify("") for accessor in treedef.accessors()]
    each = list(zip(paths, leaves, strict=True))
    wrong = [f"  {which}_specs{path} is {leaf} of type {type(leaf).__name__}, " for path, leaf in each if not (isinstance(leaf, PartitionSpec) or leaf is None and which == "in")]
    if wrong:
        raise ArgumentTypeError(
            f"shard_map {which}_specs argument must be a pytree of `s2s.sharding.PartitionSpec` instances, but:\n\n" + "\n\n".join(wrong)
            + f"\n\nCheck the {which}_specs values passed to shard_map."
        )  # fmt: skip
    named = [(path, name) for path, leaf in each if leaf is not None for names in leaf.names.values() for name in names]
    if others := [f"  {which}_specs{path} refers to {name!r}" for path, name in named if name not in manual]:
        raise ArgumentValueError(
            f"shard_map {which}_specs argument must refer to an axis marked as manual ({frozenset(manual)}), but:\n\n" + "\n\n".join(others)
            + f"\n\nCheck the {which}_specs values passed to shard_map."
        )  # fmt: skip
    for path, leaf in each:
        used = [name for names in leaf.names.values() for name in names] if leaf is not None else []
        if len(set(used)) < len(used):
            raise ArgumentValueError(f"shard_map {which}_specs{path}: a mesh axis stands twice in {leaf}")
    return Specs(tuple(leaves), treedef)


# ---- messages ----------------------------------------------------------------------------------------------------------------


def divisibility_error(plan: Plan, name: str, axis: int, parts: int) -> str:
    """JAX's words, in short: where the sizes are known only when the program runs, which stand for `<size>`."""
    return (
        f"shard_map applied to the function '{plan.name}' was given argument arrays with axis sizes that are not evenly divisible by the corresponding mesh axis sizes:\n\n{plan.shown}\n\n"
        f"axis {axis} of {name} (of size <size>) lies along {parts} blocks, but {parts} does not evenly divide <size>"
    )


def misfit(plan: Plan, args: tuple[Any, ...], shapes: Callable[[Any], tuple[Any, ...]], dtypes: Callable[[Any], str]) -> str | None:
    """What is wrong with arguments: JAX's words for specs that are too long, or sizes that don't divide."""
    tree: Any = args
    accessors = optree.tree_accessors(tree, namespace=tree_nodes.NAMESPACE)
    specs = plan.in_specs.over("shard_map in_specs", args)
    long, uneven = [], []
    for accessor, leaf, spec in zip(accessors, tree_util.tree_leaves(args), specs, strict=True):
        if spec is None:
            continue
        shape, path = shapes(leaf), accessor.codify("")
        text, told, bound = f"{dtypes(leaf)}[{','.join(map(str, shape))}]", _spec_path(plan.in_specs, path), _bound(plan, path)
        if len(spec) > len(shape):
            long.append((f"in_specs{told} is {spec} which has length {len(spec)}, but the passed args{path}{bound} has shape {text}, which has rank {len(shape)} (and {len(shape)} < {len(spec)})", len(shape)))
            continue
        for axis, names in spec.names.items():
            parts = plan.length(names)
            if isinstance(shape[axis], int) and shape[axis] % parts:
                which = f"axes {names} (of total size {parts})" if len(names) > 1 else f"axis {names[0]!r} (of size {parts})"
                uneven.append(
                    f"the passed args{path} of shape {text}{bound} corresponds to in_specs{told} of value {spec}, which maps array axis {axis} (of size {shape[axis]}) to mesh {which}, "
                    f"but {parts} does not evenly divide {shape[axis]}"
                )
    if long:
        return _too_long(plan, "in", [words for words, _ in long], scalar=any(not rank for _, rank in long))
    if uneven:
        return (
            f"shard_map applied to the function '{plan.name}' was given argument arrays with axis sizes that are not evenly divisible by the corresponding mesh axis sizes:\n\n{plan.shown}\n\n"
            + _listed(uneven) + "\n\nArray arguments' axis sizes must be evenly divisible by the mesh axis or axes indicated by the corresponding elements of the argument's in_specs entry. "
            f"Consider checking that in_specs are correct, and if so consider changing the mesh axis sizes or else padding the input and adapting '{plan.name}' appropriately."
        )  # fmt: skip
    return None


def rank_error(plan: Plan, spec: PartitionSpec, path: str, type_: Any, rank: int) -> str:
    """JAX's words for an out_specs entry that is too long."""
    shape = ",".join(str(getattr(dim, "name", dim)) for dim in type_.shape[len(type_.shape) - rank :]) if rank else ""
    words = f"out_specs{path} is {spec} which has length {len(spec)}, but {plan.name}(*args){path} has shape {type_.dtype.name}[{shape}], which has rank {rank} (and {rank} < {len(spec)})"
    more = "" if rank else (
        " In particular, for rank 0 outputs which are not constant over the mesh, add at least one (singleton) axis to them so that they can be concatenated using out_specs."
    )
    return _too_long(plan, "out", [words], scalar=not rank) + more


def _too_long(plan: Plan, which: str, lines: list[str], *, scalar: bool) -> str:
    words = (
        f"shard_map applied to the function '{plan.name}' was given an {which}_specs entry which is too long to be compatible with the corresponding {which}put value from the function:\n\n"
        f"{_listed(lines)}\n\nEntries in {which}_specs must be of length no greater than the number of axes in the corresponding {which}put value.\n\n"
        f"Either revise the spec to be shorter, or modify '{plan.name}' so that its {which}puts have sufficient rank."
    )
    return words + (f"\n\nFor scalar values (rank 0), consider using an {which}_specs entry of `P()`, where `P = s2s.sharding.PartitionSpec`." if scalar else "")


def _listed(lines: list[str]) -> str:
    return lines[0] if len(lines) == 1 else "\n\n".join(f"* {line}" for line in lines)


def _spec_path(specs: Specs, path: str) -> str:
    """Where in the specs the one of a leaf stands."""
    paths = [accessor.codify("") for accessor in specs.treedef.accessors()]
    return max((each for each in paths if path.startswith(each)), key=len, default="")


def _bound(plan: Plan, path: str) -> str:
    """Which parameter an argument is."""
    number = int(path[1 : path.index("]")])
    if number >= len(plan.names):
        return ""
    return f", where args[{number}] is bound to {plan.name}'s parameter '{plan.names[number]}',"


__all__ = ["Plan", "Specs", "divisibility_error", "misfit", "rank_error", "specs_of"]
