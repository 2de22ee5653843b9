"""vmap: the staged program of one example becomes that of a batch of them.

    f(x: f8[n], w: f8[n]) -> f8       vmap(f, in_axes=(0, None))       f_vmap(x: f8[m, n], w: f8[n]) -> f8[m]

What the examples share is computed once; the examples themselves are a Map (`examples.py`).
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import numpy as np

from s2s import tree_util
from s2s.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from s2s.outside import Guard
from s2s.records import dataclass, replace
from s2s.transforms.batching.axes import ONE_BY_ONE, Axes, Axis, axes_of_arguments, mapped_sizes, normal_axis, paths_of
from s2s.transforms.batching.devices import check_count
from s2s.transforms.batching.examples import Mapped, over_examples
from s2s.transforms.batching.meetings import meetings_of
from s2s.transforms.batching.questions import answers
from s2s.transforms.batching.together import over_examples_that_meet
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.jitted import are_kept
from s2s.transforms.ir.named_axes import Level, NamedAxis, NeedsLevels, asking, binding, is_asking, levels
from s2s.transforms.ir.prints import first_print
from s2s.transforms.ir.program import Atom, Function, Var
from s2s.transforms.ir.spread import Part, Spread
from s2s.transforms.ir.staged import NoTangent, Parameter, Result, Staged
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import permuted
from s2s.transforms.primitives.value import Value
from s2s.types import FLOAT0, Array, Dim, atom_dim, dim_atom

DEFAULT_NAME = "_internal_pmap_axis_name"
"""What a jaxpr shows for a pmap's axis without a name, as JAX's."""
Stage = Callable[[tuple[Var, ...], tuple[Any, ...], dict[str, Any]], Staged]


@dataclass(frozen=True)
class Options:
    """What vmap is told. `names`: the user's function's parameters, for messages."""

    in_axes: Axes
    out_axes: Axes
    axis_size: int | None
    axis_name: Any
    names: tuple[str, ...]
    static: tuple[int, ...] = ()
    """The positional arguments that are no arrays."""
    devices: int | None = None
    """Of pmap: how many examples there may be at once."""
    complaint: Callable[[str], str] | None = None
    """What is said of a result that differs, at a path, though its axis is None."""
    typed: bool = False
    """Whether derivatives inside tell what is the same for all examples from what differs (shard_map's check_vma)."""

    @property
    def of(self) -> str:
        """The transformation, for messages."""
        return self.in_axes.of


@dataclass(frozen=True)
class _Example:
    """What stands for an argument in one example: a param without the mapped axis."""

    given: Var
    axis: int


def vmap(stage: Stage, params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any], options: Options) -> Staged:
    """The program for a batch, of these params, which stand in the arguments. `stage` gives the program for arguments of one example.

    Raises
    ------
    ArgumentValueError
        As JAX: axes that don't fit the arguments or results, sizes that differ.
    UnsupportedError
        At the user's line: what can't be done for a batch.
    """
    axes = axes_of_arguments(options.in_axes, args, kwargs, options.static)
    sizes = mapped_sizes(args, kwargs, axes, options.axis_size, options.names, options.of)
    leaves, treedef = tree_util.tree_flatten((args, kwargs))
    of: dict[tuple[Var, int], Var] = {}
    own = [leaf if axis is None else _example(leaf, axis, of) for leaf, axis in zip(leaves, axes, strict=True)]
    own_args, own_kwargs = tree_util.tree_unflatten(treedef, own)
    order = {param: number for number, param in enumerate(params)}
    examples = {example: var for (var, _), example in of.items()}
    own_params = dict.fromkeys(leaf for leaf in own if isinstance(leaf, Var))
    first = sorted(own_params, key=lambda var: order[examples.get(var) or var])
    known = next((size for size in sizes if isinstance(size, int)), None)
    level = Level(known, options.devices is not None)
    named = None if options.axis_name is None else NamedAxis(options.axis_name, known, options.typed)
    staged = _staged(lambda: stage(tuple(first), own_args, own_kwargs), examples, named, level)
    given = {example: _Example(var, axis) for (var, axis), example in of.items()}
    return _Batched(staged, given, sizes, options, level).staged(params)


def _staged(stage: Callable[[], Staged], examples: Collection[Var], axis: NamedAxis | None, level: Level) -> Staged:
    """The program of one example. Where a function with a batching rule asks what is batched, it is read again with the answer."""
    while True:
        try:
            with binding(axis, level):
                staged = stage()
        except NeedsLevels:
            if levels() or is_asking():
                raise
            with asking():
                return _staged(stage, examples, axis, level)
        new = {key: answer for key, answer in answers(staged.function, examples, level).items() if key not in level.answers}
        if not new:
            return staged
        level.answers.update(new)


def _example(leaf: Any, axis: int, of: dict[tuple[Var, int], Var]) -> Var:
    """The Var of one example of an argument."""
    axis = normal_axis(leaf, axis)
    assert isinstance(leaf, Var)
    shape = leaf.type.shape
    return of.setdefault((leaf, axis), Var(leaf.name, Array(leaf.type.dtype, (*shape[:axis], *shape[axis + 1 :]))))


def guarded(staged: Staged, guard: Guard) -> Staged:
    """The program, right while the guard holds."""
    return replace(staged, guards=(*staged.guards, guard))


class _Batched:
    """The batch of a staged program. `given`: for the params of one example what they are examples of."""

    def __init__(self, staged: Staged, given: dict[Var, _Example], sizes: Sequence[Dim], options: Options, level: Level) -> None:
        self.of, self.given, self.options = staged, given, options
        self.builder = new_builder()
        self.builder.where = staged.function.where
        self.size = _one_size(self.builder, sizes, options.of)
        if options.devices is not None:
            check_count(self.builder, self.size, options.devices, staged.function.name)
        function = staged.function
        ins = [Mapped(given[param].given, given[param].axis) if param in given else Mapped(param, None) for param in function.params]
        if next(meetings_of(function), None) is None:
            self.found = over_examples(self.builder, function, ins, self.size)
        else:
            printed = first_print(function)
            if printed is not None:
                raise UnsupportedError(
                    "print in a function that is batched and has collectives", where=printed.where, why="what all examples print before they meet has no order that is theirs",
                    instead="return the values",
                )  # fmt: skip
            self.found = over_examples_that_meet(self.builder, function, ins, self.size, frozenset((level, *(() if options.axis_name is None else (options.axis_name,)))))
        self.results: list[Atom] = []
        self.parts: list[Part] = []
        """Of each of the results: what it is made of, where the devices' axis stands."""

    def staged(self, params: tuple[Var, ...]) -> Staged:
        """The program, and what its call looks like."""
        of = self.of
        tree = self.tree(of.result)
        mutated = tuple(self.mutated())
        hidden = tuple(item.param for item in of.hidden)
        name = f"{of.function.name}_{self.options.of}"
        body = self.builder.block(*self.results)
        function = Function(name, (*params, *hidden), body, of.function.where, of.function.doc, self.rule(params, hidden), of.function.derived)
        parameters = tuple(replace(each, tree=self.outer(each)) for each in of.parameters)
        separate, distinct = (tuple((self.var(one), self.var(other)) for one, other in pairs) for pairs in (of.separate, of.distinct))
        return replace(
            of, function=function, parameters=parameters, result=tree, mutated=mutated, target_name=name, aliased=False, origins=(),
            separate=(*separate, *self.separate(mutated, parameters)), distinct=distinct, in_order=tuple(self.in_order()),
        )  # fmt: skip

    def rule(self, own: tuple[Var, ...], hidden: tuple[Var, ...]) -> Spread | None:
        """Of pmap, in a program whose jaxpr is asked for: what a device runs."""
        if self.options.devices is None or not are_kept() or not isinstance(self.size, int):
            return None
        params = (*own, *hidden)
        ins = (Part(params.index(self.var(each)), self.given[each].axis if each in self.given else None) for each in self.of.function.params)
        name = DEFAULT_NAME if self.options.axis_name is None else self.options.axis_name
        return Spread(self.of.function, tuple(ins), tuple(self.parts), name, self.size, range(len(own), len(params)))

    def var(self, param: Var) -> Var:
        """The argument that a param is an example of, or is."""
        return self.given[param].given if param in self.given else param

    def outer(self, parameter: Parameter) -> Any:
        return tree_util.tree_map(lambda leaf: self.var(leaf) if isinstance(leaf, Var) else leaf, parameter.tree)

    # ---- results ----------------------------------------------------------------------------------------------------------

    def tree(self, result: Any) -> Any:
        """The result's containers, with the examples' axis where out_axes say."""
        leaves, treedef = tree_util.tree_flatten(result)
        axes = self.options.out_axes.over(f"{self.options.of} out_axes", result)
        return tree_util.tree_unflatten(treedef, [self.leaf(leaf, axis, path) for leaf, axis, path in zip(leaves, axes, paths_of(result), strict=True)])

    def leaf(self, leaf: Any, axis: Axis, path: str) -> Any:
        """What stands for a leaf of the result. `path`: where it stands there."""
        if isinstance(leaf, NoTangent) or isinstance(leaf, np.ndarray) and leaf.dtype == FLOAT0:
            return self.no_tangent(leaf, axis)
        if isinstance(leaf, str | bytes) and axis is not None:
            raise ArgumentTypeError(f"Output from batched function {leaf!r} with type {type(leaf)} is not an array or a number", where=self.of.function.where)
        if not isinstance(leaf, Result):
            return leaf
        if leaf.options:
            raise UnsupportedError("vmap of a function that returns one of several texts or members", where=self.of.function.where, instead="a number that says which")
        found = self.found[leaf.number]
        if axis is None:
            if found.axis is not None:
                name = self.options.axis_name
                if self.options.complaint is not None:
                    raise ArgumentValueError(self.options.complaint(path), where=self.of.function.where)
                raise ArgumentValueError(
                    f"at {self.options.of} out_axes{path}, got axis spec None but output was batched on axis 0" if name is None else f"{self.options.of} has mapped output (axis_name={name}) but out_axes is None", where=self.of.function.where,
                    instead="an axis for this result: only results that are the same for all examples may have None",
                )  # fmt: skip
            return replace(leaf, number=self.add(found.atom, Part(leaf.number, None)))
        if leaf.listed:  # the list of each item's batch: the axis of the items stays in front
            place = self.place(axis, found.atom.type.ndim - (found.axis is not None)) + 1
            return replace(leaf, number=self.add(self.placed(found, place), Part(leaf.number, place)), listed="list")
        place = self.place(axis, found.atom.type.ndim + (found.axis is None))
        return Result(self.add(self.placed(found, place), Part(leaf.number, place)))

    def no_tangent(self, leaf: Any, axis: Axis) -> Any:
        shape = tuple(Result(self.add(self.found[dim.number].atom, Part(dim.number, None))) if isinstance(dim, Result) else dim for dim in leaf.shape)
        if axis is None:
            return NoTangent(shape) if shape else leaf
        place = self.place(axis, len(shape) + 1)
        size = self.size if isinstance(self.size, int) else Result(self.add(self.size, Part(0, None)))
        return NoTangent((*shape[:place], size, *shape[place:]))

    def place(self, axis: int, ndim: int) -> int:
        """The axis of an output, counted from the front."""
        if not -ndim <= axis < ndim:
            raise ArgumentValueError(f"{self.options.of} out_axes: axis {axis} is out of bounds for array of dimension {ndim}")
        return axis % ndim

    def placed(self, found: Mapped, place: int) -> Atom:
        """A value with the examples' axis at this place."""
        value = Value(self.builder, found.atom)
        if found.axis is None:
            shape = (*value.shape[:place], self.size, *value.shape[place:])
            return value.broadcast_to(shape, tuple(axis for axis in range(len(shape)) if axis != place)).atom
        order = [*range(1, value.ndim)]
        order.insert(place, 0)
        made = permuted(value, tuple(order)).atom
        if isinstance(made, Var) and made is not found.atom:
            made.name = getattr(found.atom, "name", made.name)
        return made

    def add(self, atom: Atom, part: Part) -> int:
        """The number of a result of the batch."""
        if atom not in self.results:
            self.results.append(atom)
            self.parts.append(part)
        return self.results.index(atom)

    # ---- arguments that are written -----------------------------------------------------------------------------------------

    def mutated(self) -> Iterable[tuple[Var, int]]:
        """The arguments that are changed, each example's part by itself."""
        for param, number in self.of.mutated:
            if param.type.stream:
                raise UnsupportedError(f"a batch of {self.of.function.name}, which draws random numbers", where=self.of.function.where, **ONE_BY_ONE)
            if param not in self.given:
                raise UnsupportedError(
                    f"a batch of {self.of.function.name}, which writes into {param.name}, an array that all examples share", where=self.of.function.where,
                    why="each example would see what others wrote", instead=f"a copy of {param.name} inside of the function, which it returns",
                )  # fmt: skip
            example = self.given[param]
            yield example.given, self.add(self.placed(self.found[number], example.axis), Part(number, example.axis))

    def separate(self, mutated: tuple[tuple[Var, int], ...], parameters: tuple[Parameter, ...]) -> Iterable[tuple[Var, Var]]:
        """The arrays that are written, each with every other one."""
        leaves = [leaf for each in parameters for leaf in tree_util.tree_leaves(each.tree)] + [item.param for item in self.of.hidden]
        arrays = dict.fromkeys(leaf for leaf in leaves if isinstance(leaf, Var) and leaf.type.shape)
        for written, _ in mutated:
            if leaves.count(written) > 1:
                raise UnsupportedError(
                    f"a batch of {self.of.function.name}, which writes into {written.name}, an array that is two of its arguments", where=self.of.function.where,
                    instead="pass a copy of one of them",
                )  # fmt: skip
            yield from ((written, other) for other in arrays if other is not written)

    def in_order(self) -> Iterable[Var]:
        """The arguments whose examples must lie in C order."""
        for param in self.of.in_order:
            if param in self.given and self.given[param].axis != 0:
                raise UnsupportedError(
                    f"a batch of {self.of.function.name} along axis {self.given[param].axis} of {param.name}, into which it stores through a reshape",
                    where=self.of.function.where, why="an example is not contiguous in memory, and NumPy's reshape of it a copy", instead="in_axes 0",
                )  # fmt: skip
            yield self.var(param)


def _one_size(builder: Builder, sizes: Sequence[Dim], of: str) -> Dim:
    """The number of examples, and checks that all arguments have as many."""
    size = next((each for each in sizes if isinstance(each, int)), sizes[0])
    for other in sizes:
        if other is not size:
            same = Value(builder, dim_atom(other)).equals(Value(builder, dim_atom(size)))
            builder.check(same.atom, "ValueError", of + " got inconsistent sizes for array axes to be mapped: {} and {}", dim_atom(size), dim_atom(other), stretch=True)
    return atom_dim(dim_atom(size))
