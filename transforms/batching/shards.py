"""shard_map: the staged program of one device, of its blocks, becomes that of whole arrays.

    f(x: f8[k, m]) -> f8[m, k]        in_specs P("i", None), out_specs P(None, "i")        f(x: f8[n, m]) -> f8[m, n],  n = 4 * k

Arrays are cut into blocks, whose mesh axes stand in front; a vmap for each axis of the mesh, by its name, goes over them; results are put together again.
"""
from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import optree

from s2s import tree_nodes, tree_util
from s2s.errors import ArgumentValueError, UnsupportedError
from s2s.records import dataclass, replace
from s2s.sharding import PartitionSpec
from s2s.transforms.batching.axes import axes_of
from s2s.transforms.batching.specs import Plan, divisibility_error, rank_error
from s2s.transforms.batching.vmap import Options, vmap
from s2s.transforms.ir.program import Atom, Function, Var
from s2s.transforms.ir.rewrite import Substitution, bind_params
from s2s.transforms.ir.staged import NoTangent, Parameter, Result, Staged
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.indexing import At, Full, getitem
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import permuted, reshape
from s2s.transforms.primitives.value import Value
from s2s.types import SIZE, Array, Dim, atom_dim, dim_atom

Stage = Callable[[tuple[Var, ...], tuple[Any, ...], dict[str, Any]], Staged]


@dataclass(frozen=True)
class _Cut:
    """A param of one device's program, mesh axes in front, and what it is a part of."""

    given: Var
    spec: PartitionSpec


def shard_map(stage: Stage, params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any], plan: Plan) -> Staged:
    """The program for whole arrays, of these params, which stand in the arguments. `stage` gives the program of one device.

    Raises
    ------
    ArgumentValueError
        As JAX: specifications that don't fit the arguments or results.
    UnsupportedError
        At the user's line: what can't be done for a batch.
    """
    specs = plan.in_specs.over("shard_map in_specs", args)
    leaves, treedef = tree_util.tree_flatten(args)
    of: dict[tuple[Var, PartitionSpec], Var] = {}
    own = [_cut(leaf, spec, plan, of) if isinstance(leaf, Var) and spec else leaf for leaf, spec in zip(leaves, specs, strict=True)]
    cuts = {made: _Cut(given, spec) for (given, spec), made in of.items()}
    own_params = tuple(dict.fromkeys(leaf for leaf in own if isinstance(leaf, Var)))
    staged = _over(stage, plan, specs, treedef, 0)(own_params, tree_util.tree_unflatten(treedef, own), kwargs)
    return _Whole(staged, cuts, plan).staged(params)


def _cut(leaf: Var, spec: PartitionSpec, plan: Plan, of: dict[tuple[Var, PartitionSpec], Var]) -> Var:
    """The Var of all blocks: the mesh's axes, then the block's own."""
    front = tuple(size for name, size in plan.axes if name in plan.of(spec))
    block = tuple(_block(dim, plan.length(spec.names.get(axis, ())), leaf.name) for axis, dim in enumerate(leaf.type.shape))
    return of.setdefault((leaf, spec), Var(leaf.name, Array(leaf.type.dtype, (*front, *block))))


def _block(dim: Dim, parts: int, name: str) -> Dim:
    if parts == 1:
        return dim
    return dim // parts if isinstance(dim, int) else Var(f"{getattr(dim, 'name', name)}_block", SIZE)


def _over(stage: Stage, plan: Plan, specs: Sequence[PartitionSpec | None], treedef: Any, depth: int) -> Stage:
    """The program of the devices along all axes of the mesh from this one on."""
    if depth == len(plan.axes):
        return lambda params, args, kwargs: _fitting(stage(params, args, kwargs), plan)
    name, size = plan.axes[depth]
    inner = _over(stage, plan, specs, treedef, depth + 1)
    ins = tree_util.tree_unflatten(treedef, [0 if spec and name in plan.of(spec) else None for spec in specs])
    outs = plan.out_specs.tree_of(lambda spec: 0 if name in plan.of(spec) or not plan.check_vma else None)
    options = Options(
        axes_of("shard_map", "in_axes", ins), axes_of("shard_map", "out_axes", outs), size, name, plan.names, complaint=lambda path: _replication_error(plan, path, name), typed=plan.check_vma
    )
    return lambda params, args, kwargs: vmap(inner, params, args, kwargs, options)


def _fitting(staged: Staged, plan: Plan) -> Staged:
    """The program of one device, whose results out_specs fit."""
    plan.out_specs.over("shard_map out_specs", staged.result)
    return staged


def _replication_error(plan: Plan, path: str, name: Hashable) -> str:
    """JAX's words for a result that is not known to be the same along an axis of the mesh."""
    spec = plan.out_specs.at(path)
    unmentioned = [each for each, _ in plan.axes if each not in plan.of(spec)]
    which = f"replicated across mesh axis '{name}', but could not infer replication over any axes" if len(unmentioned) == 1 else (
        f"only varying across mesh axes {{{','.join(map(str, plan.of(spec)))}}} and not {{{name}}}, but it was inferred to be possibly varying over {{{name}}}"
    )
    return (
        f"shard_map applied to the function '{plan.name}' was given out_specs which require replication which can't be statically inferred given the mesh:\n\n{plan.shown}\n\n"
        f"out_specs{path} is {spec} which implies that the corresponding output value is {which}\n\n"
        "Check if these output values are meant to be replicated over those mesh axes. If not, consider revising the corresponding out_specs entries. If so, consider disabling the "
        "check by passing the check_vma=False argument to `s2s.shard_map`."
    )


class _Whole:
    """The program of whole arrays around that of blocks. `cuts`: for the params of the latter what they are cut from."""

    def __init__(self, staged: Staged, cuts: dict[Var, _Cut], plan: Plan) -> None:
        self.of, self.cuts, self.plan = staged, cuts, plan
        self.builder = new_builder()
        self.builder.where = staged.function.where
        function = staged.function
        ins = tuple(self.blocks(param) for param in function.params)
        copied = Substitution(bind_params(function.params, ins))
        for node in function.body.nodes:
            self.builder.add(copied.node(node))
        self.found = copied.atoms(function.body.results)
        self.results: list[Atom] = []

    def blocks(self, param: Var) -> Atom:
        """What stands for a param of the inner program: the blocks of an argument, mesh axes in front."""
        if param not in self.cuts:
            return param
        cut = self.cuts[param]
        given, spec, plan = cut.given, cut.spec, self.plan
        value = Value(self.builder, given)
        shape: list[Dim] = []
        places: dict[Hashable, int] = {}
        kept: list[int] = []
        for axis, dim in enumerate(given.type.shape):
            names = spec.names.get(axis, ())
            for name in names:
                places[name] = len(shape)
                shape.append(plan.length((name,)))
            kept.append(len(shape))
            shape.append(self.part(dim, plan.length(names), given, axis))
        value = reshape(value, *(Value(self.builder, dim_atom(dim)) for dim in shape))
        return permuted(value, (*(places[name] for name in plan.of(spec)), *kept)).atom

    def part(self, dim: Dim, parts: int, given: Var, axis: int) -> Dim:
        """The length of a block; the whole is a multiple of it."""
        if parts == 1:
            return dim
        if isinstance(dim, int):
            return dim // parts
        length = dim_atom(dim)
        part = sizes.quotient(self.builder, length, dim_atom(parts), "block")
        whole = Value(self.builder, sizes.times(self.builder, part, dim_atom(parts), "size"))
        words = divisibility_error(self.plan, given.name, axis, parts).replace("{", "{{").replace("}", "}}").replace("<size>", "{}")
        self.builder.check(whole.equals(Value(self.builder, length)).atom, "ValueError", words, length, length)
        return atom_dim(part)

    # ---- results --------------------------------------------------------------------------------------------------------------

    def staged(self, params: tuple[Var, ...]) -> Staged:
        """The program, and what its call looks like."""
        of = self.of
        if of.in_order:
            raise UnsupportedError("shard_map of a function that stores through a reshape of an argument", where=of.function.where, why="a block is not contiguous in memory", instead="a copy")
        tree = self.tree(of.result)
        mutated = tuple((self.var(param), self.add(self.whole(self.found[number], self.spec_of(param)))) for param, number in of.mutated)
        hidden = tuple(item.param for item in of.hidden)
        name = f"{self.plan.name if self.plan.name.isidentifier() else 'function'}_sharded"
        function = Function(name, (*params, *hidden), self.builder.block(*self.results), of.function.where, of.function.doc, None, of.function.derived)
        parameters = tuple(replace(each, tree=self.outer(each)) for each in of.parameters)
        separate, distinct = (tuple((self.var(one), self.var(other)) for one, other in pairs) for pairs in (of.separate, of.distinct))
        return replace(of, function=function, parameters=parameters, result=tree, mutated=mutated, target_name=name, aliased=False, origins=(), separate=separate, distinct=distinct)

    def var(self, param: Var) -> Var:
        return self.cuts[param].given if param in self.cuts else param

    def spec_of(self, param: Var) -> PartitionSpec:
        return self.cuts[param].spec if param in self.cuts else PartitionSpec()

    def outer(self, parameter: Parameter) -> Any:
        return tree_util.tree_map(lambda leaf: self.var(leaf) if isinstance(leaf, Var) else leaf, parameter.tree)

    def tree(self, result: Any) -> Any:
        """The result's containers, of whole arrays."""
        leaves, treedef = tree_util.tree_flatten(result)
        specs = self.plan.out_specs.over("shard_map out_specs", result)
        paths = [accessor.codify("") for accessor in optree.tree_accessors(result, namespace=tree_nodes.NAMESPACE)]
        return tree_util.tree_unflatten(treedef, [self.leaf(leaf, spec or PartitionSpec(), path) for leaf, spec, path in zip(leaves, specs, paths, strict=True)])

    def leaf(self, leaf: Any, spec: PartitionSpec, path: str) -> Any:
        if isinstance(leaf, NoTangent):
            raise UnsupportedError("shard_map of a function that returns integers' tangents", where=self.of.function.where)
        if not isinstance(leaf, Result):
            return leaf
        if leaf.listed or leaf.options:
            raise UnsupportedError("shard_map of a function that returns lists or one of several texts", where=self.of.function.where, instead="arrays")
        atom = self.found[leaf.number]
        if not self.plan.check_vma:
            atom = self.first(atom, spec)
        rank = atom.type.ndim - len(self.plan.of(spec))
        if len(spec) > rank:
            raise ArgumentValueError(rank_error(self.plan, spec, path, atom.type, rank), where=self.of.function.where)
        return Result(self.add(self.whole(atom, spec)), boxed=leaf.boxed and not self.plan.of(spec))

    def first(self, atom: Atom, spec: PartitionSpec) -> Atom:
        """Without check_vma every axis of the mesh stands in front: of those that no axis of the result lies along, the first device's value."""
        mentioned = self.plan.of(spec)
        gone = [number for number, (name, _) in enumerate(self.plan.axes) if name not in mentioned]
        if not gone:
            return atom
        index = tuple(At() if axis in gone else Full() for axis in range(atom.type.ndim))
        value = Value(self.builder, atom)
        return getitem(value, *(value.size(0) for _ in gone), index=index).atom

    def whole(self, atom: Atom, spec: PartitionSpec) -> Atom:
        """The blocks put together."""
        plan, value = self.plan, Value(self.builder, atom)
        order = plan.of(spec)
        if not order:
            return atom
        places: list[int] = []
        shape: list[Value] = []
        for axis in range(value.ndim - len(order)):
            names, here = spec.names.get(axis, ()), len(order) + axis
            places += [*(order.index(name) for name in names), here]
            length = sizes.times(self.builder, dim_atom(value.shape[here]), dim_atom(plan.length(names)), "size")
            shape.append(Value(self.builder, length))
        return reshape(permuted(value, tuple(places)), *shape).atom

    def add(self, atom: Atom) -> int:
        """The number of a result."""
        if atom not in self.results:
            self.results.append(atom)
        return self.results.index(atom)


__all__ = ["shard_map"]
