"""Jacobians and Hessians of staged programs.

    jacrev: y_bar runs over the unit vectors of the result, and the pullback's x_bar is a row of J
    jacfwd: x_dot runs over the unit vectors of the argument, and y_dot is a column of J

What does not depend on the direction is computed once (`directions`).
"""
from __future__ import annotations

from typing import Any

from s2s import tree_util
from s2s.records import dataclass, replace
from s2s.transforms.derivatives import linear
from s2s.transforms.derivatives.activity import varied_results
from s2s.transforms.derivatives.derive import of_type, restaged
from s2s.transforms.derivatives.differentiable import check_forward_dtype
from s2s.transforms.derivatives.directions import Directions
from s2s.transforms.derivatives.requirements import check_inputs, check_output_dtype, output_and_aux, parameter
from s2s.transforms.derivatives.shared import alike, with_bounds
from s2s.transforms.ir.program import Array, Atom, Function, Var
from s2s.transforms.ir.staged import Parameter, Result, Staged
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.value import Value, zeros
from s2s.transforms.simplify.simplification import simplify
from s2s.types import is_float, literal


@dataclass(frozen=True)
class _Call:
    """What is differentiated: the program, the arguments chosen, the leaves of the output."""

    staged: Staged
    chosen: tuple[Parameter, ...]
    single: bool
    output: Any
    aux: Any
    has_aux: bool

    @property
    def function(self) -> Function:
        return self.staged.function

    def active(self) -> tuple[bool, ...]:
        wanted = {leaf for each in self.chosen for leaf in tree_util.tree_leaves(each.tree)}
        return tuple(param in wanted and is_float(param.type.dtype) for param in self.function.params)


def jacrev(
    staged: Staged, *, argnums: int | tuple[int, ...] = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False
) -> Staged:
    """The program of the Jacobian, row by row; results are the Jacobian's containers, or (them, aux).

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
        As `derive.grad`, but for the result, which may be containers of arrays.
    """
    given = _call("jacrev", staged, argnums, has_aux)
    for each in given.chosen:
        check_inputs("jacrev", each, allow_int=allow_int, holomorphic=holomorphic)
    results = given.function.body.results
    numbers = _numbers(given.output)
    for number in numbers:
        check_output_dtype("jacrev", results[number].type, holomorphic=holomorphic, where=given.function.where)
    active = given.active()
    useful = tuple(number in numbers for number in range(len(results)))
    parts = linear.pullback(with_bounds(given.function, active, useful), active, useful)
    sources = [param for param, on in zip(given.function.params, active, strict=True) if on]
    order = [number for number, on in enumerate(useful) if on]
    return _jacobian(given, parts, order, sources, by_rows=True)


def jacfwd(staged: Staged, *, argnums: int | tuple[int, ...] = 0, has_aux: bool = False, holomorphic: bool = False) -> Staged:
    """As `jacrev`, column by column."""
    given = _call("jacfwd", staged, argnums, has_aux)
    for each in given.chosen:
        check_inputs("jacfwd", each, allow_int=True, holomorphic=holomorphic)
        for leaf in tree_util.tree_leaves(each.tree):
            check_forward_dtype("jacfwd", leaf.type.dtype, holomorphic=holomorphic)
    results = given.function.body.results
    for number in _numbers(given.output):
        if holomorphic:
            check_output_dtype("jacfwd", results[number].type, holomorphic=True, where=given.function.where)
    active = given.active()
    parts = linear.pushforward(given.function, active)
    sources = [param for param, on in zip(given.function.params, active, strict=True) if on]
    order = [number for number, on in enumerate(varied_results(given.function, active)) if on]
    return _jacobian(given, parts, order, sources, by_rows=False)


def hessian(staged: Staged, *, argnums: int | tuple[int, ...] = 0, has_aux: bool = False, holomorphic: bool = False) -> Staged:
    """jacfwd of jacrev."""
    rows = jacrev(staged, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic)
    made = jacfwd(rows, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic)
    name = f"{staged.function.name}_hessian"
    return replace(made, function=replace(made.function, name=name), target_name=name)


def _call(name: str, staged: Staged, argnums: int | tuple[int, ...], has_aux: bool) -> _Call:
    chosen = tuple(parameter(staged, number) for number in ((argnums,) if isinstance(argnums, int) else argnums))
    output, aux = output_and_aux(name, staged, has_aux)
    staged = replace(staged, function=linear.called(simplify(staged.function)))
    return _Call(staged, chosen, isinstance(argnums, int), output, aux, has_aux)


def _numbers(output: Any) -> tuple[int, ...]:
    return tuple(dict.fromkeys(leaf.number for leaf in tree_util.tree_leaves(output) if isinstance(leaf, Result)))


def _jacobian(given: _Call, parts: linear.Parts, order: list[int], sources: list[Var], *, by_rows: bool) -> Staged:
    """The staged program; `order`: the results, `sources`: the params that the linear part goes from and to, in its order."""
    function = given.function
    count = len(function.body.results)
    builder = new_builder()
    builder.where = function.where
    made = linear.outs_of(builder, parts.forward, function.params)
    results, residuals = list(made[:count]), made[count:]
    outputs = [results[number] for number in order]
    blocks: dict[tuple[int, Var], Atom] = {}
    directions = Directions(builder, parts.linear, residuals, *((outputs, sources) if by_rows else (sources, outputs)))
    for k in range(parts.directions):
        for r, block in enumerate(directions.matrices(k, columns=not by_rows)):
            number, source = (order[k], sources[r]) if by_rows else (order[r], sources[k])
            if block is not None:
                blocks[number, source] = block if by_rows else alike(Value(builder, block), Value(builder, made[number])).atom
    all_results = [*results]

    def block_of(leaf: Any, source: Var) -> Any:
        """The Jacobian of one leaf of the output with respect to one of the arguments."""
        type_ = _block_type(results[leaf.number].type if isinstance(leaf, Result) else _constant_type(leaf), source, by_rows=by_rows)
        atom = blocks.get((leaf.number, source)) if isinstance(leaf, Result) else None
        all_results.append(of_type(builder, zeros(builder, type_).atom if atom is None else atom, type_))
        return Result(len(all_results) - 1)

    def row_of(leaf: Any) -> Any:
        rows = tuple(tree_util.tree_map(lambda source: block_of(leaf, source), each.tree) for each in given.chosen)
        return rows[0] if given.single else rows

    tree = tree_util.tree_map(row_of, given.output)
    name = f"{function.name}_{'jacrev' if by_rows else 'jacfwd'}"
    return restaged(given.staged, function.params, builder.block(*all_results), (tree, given.aux) if given.has_aux else tree, name)


def _block_type(out: Array, source: Var, *, by_rows: bool) -> Array:
    """The type of one block of a Jacobian: the dtype, for scalars also the weakness, is the argument's in rows and the result's in columns."""
    like = source.type if by_rows else out
    shape = (*out.shape, *source.type.shape)
    return Array(like.dtype, shape, weak=like.weak and not shape)


def _constant_type(leaf: Any) -> Array:
    """The type of a Python number among the outputs."""
    return literal(leaf).type
